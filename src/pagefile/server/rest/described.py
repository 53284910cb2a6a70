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

_MODULES: tuple[ModuleType, ...] = (
    beliefs, assemble, report, costs, events, messages, ports, queries, receipts, records, retraction, sessions, tasks, transfer, upkeep,
)  # fmt: skip
_FIELD = re.compile(r"    (\w+):")
_COMMENT = re.compile(r"    #: ?(.*)")


def describe(document: Mapping[str, Any]) -> None:
    """Put the descriptions of fields into an OpenAPI document, where it has none."""
    for name, schema in document.get("components", {}).get("schemas", {}).items():
        # Of a page of records the name is Page_Record_; of a value that is sent and answered Source-Input.
        kind = _KINDS.get(re.split("[-_]", name)[0])
        told = comments_of(kind) if kind is not None else {}
        for field, one in schema.get("properties", {}).items():
            if field in told:
                one.setdefault("description", told[field])


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
