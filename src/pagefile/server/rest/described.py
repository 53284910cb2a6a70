"""What the fields of our values mean, in the OpenAPI document: taken from the comments beside them, so that it is written once."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pagefile.beliefs as beliefs
import pagefile.context.assemble as assemble
import pagefile.context.report as report
import pagefile.costs as costs
import pagefile.entities as entities
import pagefile.events as events
import pagefile.messages as messages
import pagefile.ports as ports
import pagefile.queries as queries
import pagefile.receipts as receipts
import pagefile.records as records
import pagefile.retraction as retraction
import pagefile.sessions as sessions
import pagefile.tasks as tasks
import pagefile.transfer as transfer
import pagefile.upkeep as upkeep
from pagefile.server.auth import is_open
from pagefile.server.rest.meanings import meaning_of

_MODULES: tuple[ModuleType, ...] = (
    beliefs, assemble, report, costs, entities, events, messages, ports, queries, receipts, records, retraction, sessions, tasks, transfer,
    upkeep,
)  # fmt: skip
#: How a request shows who asks; any of them is enough.
_SECURITY: Mapping[str, Mapping[str, str]] = {
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "A key that `pagefile key create` made: `Authorization: Bearer pf_…`. None is needed on the machine of the server "
        "itself as long as no key was made.",
    },
    "header": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The same key, for clients that send it so."},
    "openai": {"type": "apiKey", "in": "header", "name": "api-key", "description": "The same key, for clients of Azure's interface."},
}
_FIELD = re.compile(r"    (\w+):")
_COMMENT = re.compile(r"    #: ?(.*)")


def describe(document: Mapping[str, Any]) -> None:
    """Put the descriptions of fields and parameters into an OpenAPI document, where it has none, and how one shows who asks."""
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        # Of a page of records the name is Page_Record_; of a value that is sent and answered Source-Input.
        plain = re.split("[-_]", name)[0]
        kind = _KINDS.get(plain)
        told = comments_of(kind) if kind is not None else {}
        for field, one in schema.get("properties", {}).items():
            if said := told.get(field) or meaning_of(field, plain):
                one.setdefault("description", said)
    for path, item in document.get("paths", {}).items():
        for method, operation in item.items():
            _describe_operation(path, method, operation)
    document.get("components", {})["securitySchemes"] = _SECURITY


def _describe_operation(path: str, method: str, operation: Any) -> None:
    for parameter in operation.get("parameters", ()):
        if said := meaning_of(parameter["name"]):
            parameter.setdefault("description", said)
    for reply in operation.get("responses", {}).values():
        if reply.get("description") == "Successful Response":  # FastAPI's own words where there are none
            reply["description"] = "What was asked for" if method == "get" else "It is done, and this came of it"
    # What anybody may ask needs no key; all else may be asked without one as long as there is none.
    operation.setdefault("security", [] if is_open(path) else [*({name: []} for name in _SECURITY), {}])


def comments_of(kind: type) -> Mapping[str, str]:
    """Field → the comment that stands above it. A program without its source has none."""
    try:
        lines = inspect.getsource(kind).splitlines()
    except (OSError, TypeError):
        return {}
    found: dict[str, str] = {}
    comment: list[str] = []
    for line in lines:
        if said := _COMMENT.fullmatch(line):
            comment.append(said[1])
            continue
        if (field := _FIELD.match(line)) and comment:
            found[field[1]] = " ".join(comment).replace("``", "`")
        comment = []
    return found


_KINDS: Mapping[str, type] = {
    name: kind
    for module in _MODULES
    for name, kind in vars(module).items()
    if inspect.isclass(kind) and dataclasses.is_dataclass(kind) and kind.__module__ == module.__name__
}
