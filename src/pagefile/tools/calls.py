"""What every call of a model has: for whom it is made, its arguments, its answer.

A model is an untrusted program. Whose memory a call reaches comes from the ``Caller``, never from the arguments; arguments are
checked before anything is done; whatever goes wrong is a sentence for the model, never an exception.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from pagefile.errors import ToolError
from pagefile.language.text import clean
from pagefile.messages import Message
from pagefile.parts import Parts
from pagefile.ports import ToolSpec
from pagefile.prompts import Wording, sections, words
from pagefile.recorder import Recorder
from pagefile.records import Scope

#: Characters that are shown of what a model wrote wrongly.
PREVIEW = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """For whom, and from where, a model makes a call."""

    parts: Parts
    scope: Scope
    session: str
    agent: str | None = None
    #: First sequence number that the model sees already.
    window_start: int = 1
    #: Tokens a result may take.
    max_tokens: int = 1_000
    wording: Wording = "en"
    #: Writes records; None: one of its own.
    recorder: Recorder | None = None
    #: What people said lately, oldest first; the last one is what the model is answering. It may note what stands there.
    heard: tuple[Message, ...] = ()
    #: Name of the call that is made, for the history.
    call: str = "a call"


class Arguments(BaseModel):
    """The arguments of a call."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        """Models write null for what they leave out."""
        if not isinstance(given, dict):
            return given
        left_out = {name for name, field in cls.model_fields.items() if not field.is_required()}
        return {name: value for name, value in given.items() if value is not None or name not in left_out}


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemCall:
    """One system call: its name, the form of its arguments, and what it does."""

    name: str
    arguments: type[Arguments]
    run: Callable[[Any, Caller], Awaitable[str]]
    #: Document of ``prompts`` that describes it.
    document: str = "tools"
    #: It only looks something up.
    searches: bool = False
    #: Its result is a message to the person.
    says: bool = False
    #: Nothing is left to do after it.
    ends: bool = False

    def spec(self, wording: Wording) -> ToolSpec:
        """The call as it is offered to a model."""
        return _spec(self, wording)

    def made_spec(self, wording: Wording) -> ToolSpec:
        """The same, made anew: it takes a while."""
        schema = self.arguments.model_json_schema()
        properties = {name: self._property(name, field, wording) for name, field in schema.get("properties", {}).items()}
        parameters = {
            "type": "object",
            "properties": properties,
            "required": schema.get("required", []),
            "additionalProperties": False,
        }
        return ToolSpec(name=self.name, description=words(self.document, self.name, wording), parameters=parameters)

    def _property(self, name: str, field: Mapping[str, Any], wording: Wording) -> dict[str, Any]:
        # Small models follow a plain type better than a choice of types with null.
        plain = next((choice for choice in field.get("anyOf", ()) if choice != {"type": "null"}), field)
        kept = {key: plain[key] for key in ("type", "enum", "minimum", "maximum") if key in plain}
        if "items" in plain:
            kept["items"] = {"type": plain["items"]["type"]}
        own = f"{self.name}.{name}"
        # Arguments that mean the same in several calls are described once.
        section = own if own in sections(self.document, wording) else name
        return {**kept, "description": words(self.document, section, wording)}


@lru_cache(maxsize=256)
def _spec(call: SystemCall, wording: Wording) -> ToolSpec:
    return call.made_spec(wording)


def parse(name: str, form: type[BaseModel], text: str, wording: Wording) -> Any:
    """The arguments of a call. Raises ToolError, saying what is wrong with them."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_object(name, form, text, str(error) or type(error).__name__, wording) from error
    if not isinstance(parsed, dict):
        raise _no_object(name, form, text, type(parsed).__name__, wording)
    try:
        return form.model_validate(parsed)
    except ValidationError as error:
        problems = "; ".join(f"{'.'.join(map(str, one['loc']))[:PREVIEW]}: {one['msg']}" for one in error.errors()[:4])
        fields = ", ".join(form.model_fields) or "-"
        raise ToolError(words("tools", "arguments wrong", wording, name=name, problem=problems, fields=fields)) from error


def _no_object(name: str, form: type[BaseModel], text: str, problem: str, wording: Wording) -> ToolError:
    preview = text if len(text) <= PREVIEW else f"{text[:PREVIEW]}…"
    fields = ", ".join(form.model_fields) or "-"
    return ToolError(words("tools", "arguments no object", wording, name=name, problem=problem, preview=clean(preview), fields=fields))
