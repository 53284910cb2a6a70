"""Tools of the application's own: Python functions that a model may call."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import re
import threading
import typing
import warnings
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import anyio
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic_core import PydanticSerializationError, to_json

from pagefile.errors import InputError, ToolError
from pagefile.language.secrets import redact
from pagefile.language.text import clean
from pagefile.ports import ToolSpec
from pagefile.prompts import Wording, words
from pagefile.tools.calls import Caller

DEFAULT_SECONDS = 60.0
#: Characters of an error that a model is shown.
_LONGEST_ERROR = 500

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
#: A line that describes a parameter: "city: where to look" under "Args:", or ":param city: where to look".
_PARAMETER = re.compile(r"\s*(?::param\s+(?:[\w.\[\], |]+\s+)?|\*{0,2})(\w+)\s*(?:\([^)]*\))?\s*[:：]\s*(.+)")
_HEADING = re.compile(r"(?:args|arguments|parameters|params|参数)\s*[:：]", re.IGNORECASE)
_NEXT_HEADING = re.compile(
    r"(?:returns?|yields?|raises?|examples?|notes?|返回|异常|示例)\s*[:：]|:(?:returns?|raises?|rtype)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function of the application that a model may call. Made by ``Tool.of``."""

    name: str
    description: str
    #: The form of its arguments.
    arguments: type[BaseModel]
    function: Callable[..., Any]
    #: It is given up after so long.
    seconds: float = DEFAULT_SECONDS
    searches: bool = False
    says: bool = False
    ends: bool = False

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        name: str | None = None,
        description: str | None = None,
        seconds: float = DEFAULT_SECONDS,
        searches: bool = False,
    ) -> Tool:
        """A tool from a function, sync (it runs in a thread) or async.

        Its signature says which arguments there are, its docstring what it is for. What it returns is shown to the model: text as it is,
        anything else as JSON; what it raises is told to the model. ``searches``: it only looks something up, and counts as a search.
        Raises InputError if its name or parameters are none that a model could use.
        """
        called = name if name is not None else getattr(function, "__name__", type(function).__name__)
        if not _NAME.fullmatch(called):
            raise InputError(f"{called!r:.80} is no name for a tool: use letters, digits, _ and -, at most 64; give name=")
        if not seconds > 0:
            raise InputError(f"a tool must have some time to run, not {seconds} seconds")
        about, parameters = _described(inspect.getdoc(function) or "")
        about = description if description is not None else about
        return cls(
            name=called,
            description=clean(about).strip() or called,
            arguments=_form(called, function, parameters, _names_of_caller()),
            function=function,
            seconds=seconds,
            searches=searches,
        )

    def spec(self, wording: Wording) -> ToolSpec:
        """The tool as it is offered to a model."""
        return ToolSpec(name=self.name, description=self.description, parameters=_schema(self.arguments))

    async def run(self, arguments: BaseModel, caller: Caller) -> str:
        """Call the function. Raises ToolError if it does, or takes too long."""
        values = {name: getattr(arguments, name) for name in type(arguments).model_fields}
        with anyio.move_on_after(self.seconds) as scope:
            try:
                return _text(await _result(self.function, values))
            except Exception as error:  # whatever an application's function raises is for the model to know, and ends no turn
                said = redact(clean(str(error))).text[:_LONGEST_ERROR]
                raise ToolError(
                    words("tools", "tool failed", caller.wording, name=self.name, error=f"{type(error).__name__}: {said}")
                ) from error
        assert scope.cancelled_caught
        raise ToolError(words("tools", "tool too slow", caller.wording, name=self.name, seconds=f"{self.seconds:g}"))


async def _result(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004  # an object with an async __call__ is no coroutine function itself
    result = function(**values) if is_async else await _in_thread(lambda: function(**values))
    return await result if isinstance(result, Awaitable) else result


async def _in_thread(work: Callable[[], Any]) -> Any:
    """Run in a thread of its own. One that hangs is left behind: it takes no other's place, and keeps no program from ending."""
    loop, context = asyncio.get_running_loop(), contextvars.copy_context()
    done: asyncio.Future[Any] = loop.create_future()

    def finish(result: Any, error: BaseException | None) -> None:
        if done.done():
            return  # nobody waits any more
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def run() -> None:
        result: Any = None
        problem: Exception | None = None
        try:
            result = context.run(work)
        except StopIteration as error:  # a future cannot carry it
            problem = RuntimeError(f"StopIteration: {error}")
        except BaseException as error:  # it belongs to who waits, as if he had called it
            problem = error if isinstance(error, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
        # The loop may have been closed meanwhile.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(finish, result, problem)

    threading.Thread(target=run, name="pagefile-tool", daemon=True).start()
    return await done


def _text(result: Any) -> str:
    if isinstance(result, str):
        return clean(result)
    if result is None:
        return ""
    try:
        return clean(to_json(result, fallback=str).decode())
    except (PydanticSerializationError, ValueError, TypeError):
        return clean(str(result))


# --- the form of the arguments -------------------------------------------------------------------------------------------


def _names_of_caller() -> dict[str, Any]:
    """The names that are known where ``Tool.of`` is called: a type may have been made in the same function as its tool."""
    here = inspect.currentframe()
    outside = here and here.f_back and here.f_back.f_back
    return dict(outside.f_locals) if outside else {}


def _form(name: str, function: Callable[..., Any], described: Mapping[str, str], names: dict[str, Any]) -> type[BaseModel]:
    try:
        signature = inspect.signature(function)
        target = function if inspect.isroutine(function) else type(function).__call__
        hints = typing.get_type_hints(getattr(target, "__func__", target), localns=names, include_extras=True)
    except (TypeError, ValueError, NameError) as error:
        raise InputError(f"the parameters of {name} cannot be read: {error}") from error
    fields: dict[str, Any] = {}
    for parameter in signature.parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise InputError(f"{name} takes {parameter.name!r} in a way no model can give it; a tool has parameters with names")
        default = ... if parameter.default is parameter.empty else parameter.default
        kind = hints.get(parameter.name, Any)
        fields[parameter.name] = (
            kind,
            Field(default, description=described.get(parameter.name)) if parameter.name in described else default,
        )
    try:
        with warnings.catch_warnings():
            # A parameter may be called "json": that it hides a method of the form is no matter.
            warnings.simplefilter("ignore")
            form: type[BaseModel] = create_model(name, __config__=ConfigDict(extra="forbid", protected_namespaces=()), **fields)
            form.model_json_schema()
    except (PydanticUserError, ValidationError, NameError, TypeError) as error:
        raise InputError(f"the parameters of {name} cannot be put as JSON: {str(error).splitlines()[0]}") from error
    return form


def _described(docstring: str) -> tuple[str, dict[str, str]]:
    """What a docstring says of the function, and of each parameter."""
    about: list[str] = []
    parameters: dict[str, str] = {}
    part = "about"
    for line in docstring.splitlines():
        stripped = line.strip()
        if _HEADING.fullmatch(stripped):
            part = "parameters"
        elif _NEXT_HEADING.match(stripped):
            part = "rest"
        elif (found := _PARAMETER.fullmatch(line)) and (part == "parameters" or stripped.startswith(":param")):
            parameters[found[1]] = found[2].strip()
        elif part == "about":
            about.append(line)
    return "\n".join(about).strip(), parameters


@lru_cache(maxsize=256)
def _schema(form: type[BaseModel]) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = _untitled(form.model_json_schema())
    return schema


def _untitled(schema: Any) -> Any:
    """The schema without the titles that pydantic makes up: they say nothing and cost tokens."""
    if isinstance(schema, list):
        return [_untitled(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    # Under "properties" a "title" is a parameter of that name.
    kept = {name: value for name, value in schema.items() if not (name == "title" and isinstance(value, str))}
    return {name: _untitled(value) for name, value in kept.items()}
