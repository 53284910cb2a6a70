"""What the routes have in common: names, limits, pages, waiting, and versions as ETags."""

from __future__ import annotations

import hashlib
import math
import re
from typing import Annotated, Any, Self, TypeAlias

from fastapi import Header, HTTPException, Query, Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, ValidationError, model_validator

from pagefile.errors import ConflictError
from pagefile.language.json_text import sound_value
from pagefile.messages import Message
from pagefile.records import MAX_IDENTIFIER, Block, Kind, Record, Status
from pagefile.scoped import AsyncScopedMemory

#: JSON deeper than this no program of ours makes sense of.
MOST_DEEP = 64
MOST_WAIT = 30.0
_LARGEST_NUMBER = 1e308
_LARGEST_WHOLE = 2**63
WAITING = "X-Pagefile-Waiting"
_VERSION = re.compile(r'(W/)?"(\d{1,18})(?:-([0-9a-f]{12}))?"', re.ASCII)

#: Before it is brought into its normal form a name may be longer.
_MOST_NAME = 4 * MAX_IDENTIFIER
Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=_MOST_NAME)]
Text: TypeAlias = Annotated[str, Field(min_length=1, max_length=20_000)]
Question: TypeAlias = Annotated[str, Field(min_length=1, max_length=20_000)]
Moment: TypeAlias = Annotated[
    str, Field(min_length=1, max_length=100, description="ISO 8601, or words such as `last week`, 上周三", examples=["2026-05-24"])
]
Instant: TypeAlias = Annotated[str, Field(min_length=1, max_length=100, description="ISO 8601", examples=["2026-05-24T10:00:00+08:00"])]
Names: TypeAlias = Annotated[list[Name], Field(max_length=100)]
Reason: TypeAlias = Annotated[str, Field(min_length=1, max_length=1_000, description="Stands in the history")]
Agent: TypeAlias = Annotated[Name | None, Field(description="Of which agent; none: shared by all")]

Limit: TypeAlias = Annotated[int, Query(ge=1, le=1_000, description="How many at most", examples=[50])]
After: TypeAlias = Annotated[str | None, Query(max_length=64, description="The cursor of the page before")]
NameQuery: TypeAlias = Annotated[str | None, Query(min_length=1, max_length=_MOST_NAME)]
NamesQuery: TypeAlias = Annotated[list[Name] | None, Query(max_length=100)]
KindsQuery: TypeAlias = Annotated[list[Kind] | None, Query(max_length=10, alias="kind")]
StatusesQuery: TypeAlias = Annotated[list[Status] | None, Query(max_length=10, alias="status")]
MomentQuery: TypeAlias = Annotated[
    str | None, Query(min_length=1, max_length=100, description="ISO 8601, or words such as `last week`, 上周三", examples=["2026-05-24"])
]
Wait: TypeAlias = Annotated[
    float,
    Query(
        ge=0,
        le=MOST_WAIT,
        description="Seconds to wait, at most, until what was said is learnt from and can be found by meaning. "
        f"The header {WAITING} tells how many jobs are left.",
        examples=[5],
    ),
]
IfMatch: TypeAlias = Annotated[
    str | None, Header(max_length=1_000, description="Only if it still has this ETag, else 412; `*`: only if it is there")
]
IfNoneMatch: TypeAlias = Annotated[str | None, Header(max_length=1_000, description="Only if it has another ETag by now, else 304")]


#: Fields by which something is known.
_NAMING = frozenset({"agent", "alias", "id", "ids", "into", "key", "label", "name", "session", "sessions"})


class Body(BaseModel):
    """What is sent. A field that is not known is refused: it would have no effect."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="wrap")
    @classmethod
    def _without_halves(cls, given: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        """Halves of characters, which programs make that cut texts anywhere, become U+FFFD, as they do in messages."""
        try:
            return read(given)
        except ValidationError as error:
            halves = [one["loc"] for one in error.errors(include_url=False, include_context=False) if one["type"] == "string_unicode"]
            # Two names that differ in such a half would become one.
            if not halves or any(_NAMING.intersection(where) for where in halves):
                raise
        return read(sound_value(given))


def _sound(value: Any) -> Any:
    """A JSON value that every reader can read again, its texts cleaned. Walked without recursion: it may be deep without end."""
    waiting: list[tuple[Any, int]] = [(value, 1)]
    while waiting:
        one, depth = waiting.pop()
        if isinstance(one, dict | list) and depth > MOST_DEEP:
            raise ValueError(f"it is nested more than {MOST_DEEP} deep")
        if isinstance(one, dict):
            waiting += ((each, depth + 1) for each in one.values())
        elif isinstance(one, list):
            waiting += ((each, depth + 1) for each in one)
        elif isinstance(one, float) and not (math.isfinite(one) and abs(one) <= _LARGEST_NUMBER):
            raise ValueError("a number in it is not finite")
        elif isinstance(one, int) and abs(one) > _LARGEST_WHOLE:
            raise ValueError("a number in it is larger than most programs can read")
    return sound_value(value)


#: Any JSON value, within bounds.
Json: TypeAlias = Annotated[Any, AfterValidator(_sound)]
JsonObject: TypeAlias = Annotated[dict[str, Any], AfterValidator(_sound)]


async def settled(mine: AsyncScopedMemory, response: Response, wait: float) -> None:
    """Wait for background learning, if that is asked for."""
    if wait > 0:
        response.headers[WAITING] = str(await mine.flush(seconds=wait))


def etag(item: Record | Block) -> str:
    """What changes with what the item says. Versions alone do not tell: those of what was erased and written anew are counted anew."""
    return f'"{item.version}-{_hash(item)}"'


def _hash(item: Record | Block) -> str:
    said: tuple[object, ...] = (item.text,)
    if isinstance(item, Block):
        said = (item.text, item.description, item.token_limit, item.read_only)
    return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def is_known(if_none_match: str | None, item: Record | Block) -> bool:
    """Whether the client has this version already."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or any(found[3] and _is_of(found, item) for found in _VERSION.finditer(if_none_match))


def _is_of(found: re.Match[str], item: Record | Block) -> bool:
    """Whether an ETag is that of an item. A write may name a version alone."""
    return int(found[2]) == item.version and found[3] in (None, _hash(item))


def expected_version(if_match: str | None, if_none_match: str | None, item: Record | Block | None) -> int | None:
    """The version that a write may change, as its conditions say; None: any, 0: it must not be there. ``item``: what is there now.

    Raises HTTPException 412.
    """
    if if_match is not None:
        strong = [found for found in _VERSION.finditer(if_match) if not found[1]]
        if item is None or (if_match.strip() != "*" and not any(_is_of(found, item) for found in strong)):
            raise changed(item)
        return item.version
    if if_none_match is None:
        return None
    if item is None:
        return 0
    if if_none_match.strip() == "*" or any(_is_of(found, item) for found in _VERSION.finditer(if_none_match)):
        raise changed(item)
    return item.version


def changed(item: Record | Block | None) -> HTTPException:
    """The reply 412."""
    now = "it is not there" if item is None else f"its ETag is {etag(item)} now"
    return HTTPException(412, f"it is not as the request expects: {now}; read it again, and decide anew")


def precondition_of(error: ConflictError, expected: int | None) -> Exception:
    """A conflict with somebody who wrote in between is a failed precondition, if one was given."""
    if expected is None or type(error) is not ConflictError:
        return error
    return HTTPException(412, str(error))


def versioned(response: Response, item: Record | Message) -> None:
    """Give a record its ETag. A message never changes what it says, and has none."""
    if isinstance(item, Record):
        response.headers["ETag"] = etag(item)
