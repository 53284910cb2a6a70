"""Records: what was learnt, kept, corrected and found."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import Query, Request, Response
from pydantic import ConfigDict, Field

from pagefile.beliefs import Correction, Why
from pagefile.errors import ConflictError, InputError
from pagefile.queries import Hits, ItemKind, Page
from pagefile.receipts import EraseReceipt
from pagefile.records import HistoryEntry, Kind, Polarity, Privacy, Record, Source, Status, Trust
from pagefile.retraction import Forgotten
from pagefile.retrieval.presets import Preset
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.caller import BOTH, Reader, Writer, caller_of
from pagefile.server.idempotency import Handler, OnceRoute
from pagefile.server.rest.common import (
    After,
    Body,
    IfMatch,
    IfNoneMatch,
    Instant,
    KindsQuery,
    Limit,
    Moment,
    MomentQuery,
    Name,
    Names,
    NamesQuery,
    Question,
    Reason,
    StatusesQuery,
    Text,
    Wait,
    etag,
    expected_version,
    is_known,
    precondition_of,
    settled,
)
from pagefile.server.routing import api_router


class _Looking(OnceRoute):
    """An answer to what looked something up is not given again to a key that may not read, either: the route is not asked then."""

    async def _once(self, request: Request, handler: Handler, given: str) -> Response:
        caller = caller_of(request)
        if self.path_format.endswith(_MAY_LOOK_UP) and not caller.has("read") and _looks_up(await request.body()):
            caller.check(BOTH)
        return await super()._once(request, handler, given)


#: What needs the right to read for some bodies only.
_MAY_LOOK_UP = ("/correct", "/forget")


def _looks_up(body: bytes) -> bool:
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return False  # the route says what is wrong with it
    return isinstance(given, dict) and (given.get("query") is not None or bool(given.get("dry_run")))


router = api_router("records", route_class=_Looking)

Share = Annotated[float, Field(ge=0, le=1)]


class RecordFields(Body):
    """Fields of a record that an application may give."""

    kind: Kind | None = None
    subject: Name | None = None
    attribute: Name | None = None
    value: Text | None = None
    polarity: Polarity | None = None
    tags: Names | None = None
    entities: Names | None = None
    confidence: Share | None = None
    importance: Share | None = None
    valid_from: Instant | None = None
    valid_to: Instant | None = None
    expires_at: Instant | None = None
    privacy: Privacy | None = None
    pinned: bool | None = None
    reason: Reason | None = None
    consent: Annotated[Literal["explicit"] | None, Field(description="A personal identifier in it may be kept")] = None


class NewRecord(RecordFields):
    """Something worth knowing, in one sentence."""

    text: Text
    session: Name | None = None
    agent: Name | None = None
    trust: Trust = Trust.USER_SAID
    sources: Annotated[list[Source], Field(max_length=50, description="Messages that it rests on")] = Field(default_factory=list)

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"text": "She is allergic to peanuts", "tags": ["health"], "pinned": True}]}
    )


class RecordChanges(RecordFields):
    """Fields to change; what is left out stays. null ends a validity, or empties a field that may be empty."""

    text: Text | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"text": "She is allergic to nuts", "tags": ["health"]}]})


class NewTruth(Body):
    """What is true instead: of one record, of those a query means, or of what the text contradicts."""

    text: Text
    id: Name | None = None
    query: Question | None = None
    trust: Annotated[Trust, Field(description="What is not the user's own word waits to be confirmed")] = Trust.USER_SAID
    reason: Reason | None = None
    consent: Literal["explicit"] | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"text": "I live in Lyon now", "query": "where I live"}]})


class Unwanted(Body):
    """Ids, or a query that means them."""

    ids: Annotated[list[Name] | None, Field(min_length=1, max_length=1_000)] = None
    query: Question | None = None
    dry_run: Annotated[bool, Field(description="Only say what would go")] = False
    reason: Reason | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"query": "my old address"}]})


class Wanted(Body):
    """The id of a record or message."""

    id: Name
    reason: Reason | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"id": "0199…"}]})


class Search(Body):
    """A question, and what may answer it."""

    query: Question
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    max_tokens: Annotated[int | None, Field(ge=1, le=1_000_000, description="Of all hits together")] = None
    floor: Annotated[Share | None, Field(description="Scores under it are left out")] = None
    preset: Annotated[Preset | None, Field(description="How much work is done: `fast` uses words alone, `thorough` more candidates")] = None
    explain: Annotated[bool, Field(description="Each hit tells the parts of its score")] = False
    kinds: Annotated[list[ItemKind] | None, Field(max_length=10)] = None
    sessions: Names | None = None
    agent: Name | None = None
    speaker: Name | None = None
    tags: Names | None = None
    since: Moment | None = None
    until: Moment | None = None
    statuses: Annotated[list[Status], Field(max_length=10)] = Field(default_factory=lambda: list[Status](("current",)))
    min_trust: Trust | None = None
    as_of: Annotated[Moment | None, Field(description="What was true then")] = None
    known_at: Annotated[Moment | None, Field(description="What was believed then")] = None
    history: Annotated[bool, Field(description="Also what was superseded")] = False

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"query": "any dietary restrictions?", "limit": 5}]})


def _given(body: Body, *names: str) -> dict[str, Any]:
    """The fields that were sent, but for these; those that are null only where that says something."""
    return {name: value for name, value in body.model_dump(exclude_unset=True).items() if name not in names}


def _why(reason: str | None) -> dict[str, Any]:
    return {} if reason is None else {"reason": reason}


async def _record(mine: AsyncScopedMemory, id: str) -> Record:
    item = await mine.get(id)
    if not isinstance(item, Record):
        raise InputError(f"{id!r:.80} is a message, not a record; get it under /messages")
    return item


@router.post("/records", status_code=201, summary="Remember")
async def remember(mine: Writer, given: NewRecord, response: Response, wait: Wait = 0) -> Record:
    """Keep a record. What it contradicts is superseded; the same again reinforces it, and gives the record there is."""
    sent = {
        name: value
        for name, value in _given(given, "text", "session", "agent", "trust", "sources", "reason", "consent").items()
        if value is not None
    }
    made = await mine.remember(
        given.text, session=given.session, agent=given.agent, trust=given.trust, sources=given.sources, consent=given.consent,
        **_why(given.reason), **sent,
    )  # fmt: skip
    await settled(mine, response, wait)
    response.headers["ETag"] = etag(made)
    return made


@router.get("/records", summary="List records")
async def list_records(
    mine: Reader,
    response: Response,
    kind: KindsQuery = None,
    tag: NamesQuery = None,
    status: StatusesQuery = None,
    as_of: MomentQuery = None,
    known_at: MomentQuery = None,
    history: bool = False,
    after: After = None,
    limit: Limit = 100,
    wait: Wait = 0,
) -> Page[Record]:
    """Records, oldest first. `as_of`: what was true then; `known_at`: what was believed then; `history`: also what was superseded."""
    await settled(mine, response, wait)
    return await mine.list(
        kinds=kind, tags=tag, statuses=tuple(status or ("current",)), as_of=as_of, known_at=known_at, history=history,
        after=after, limit=limit,
    )  # fmt: skip


@router.get("/records/{id}", summary="Get a record", responses={304: {"description": "It is as the client knows it"}})
async def get_record(mine: Reader, id: str, response: Response, if_none_match: IfNoneMatch = None) -> Record:
    """A record by its id, of any status. Its ETag changes with what it says, not with how often it was used."""
    record = await _record(mine, id)
    response.headers["ETag"] = etag(record)
    if is_known(if_none_match, record):
        return Response(status_code=304, headers=dict(response.headers))  # type: ignore[return-value]  # no body
    return record


@router.patch("/records/{id}", summary="Edit a record", responses={412: {"description": "It was changed in between"}})
async def edit_record(mine: Writer, id: str, given: RecordChanges, response: Response, if_match: IfMatch = None) -> Record:
    """Change fields of a record in place. Its id, history and counters stay; what it contradicts from then on is superseded."""
    record = await _record(mine, id)
    expected = expected_version(if_match, None, record)
    try:
        made = await mine.edit(
            id, expected_version=expected, consent=given.consent, **_why(given.reason), **_given(given, "reason", "consent")
        )
    except ConflictError as error:
        raise precondition_of(error, expected) from error
    response.headers["ETag"] = etag(made)
    return made


@router.delete("/records/{id}", summary="Erase a record")
async def erase_record(mine: Writer, id: str) -> EraseReceipt:
    """Remove a record for good; it is not learnt again. The receipt counts what went. `POST /forget` only takes it out of recall."""
    await _record(mine, id)
    return await mine.erase(id)


@router.get("/records/{id}/history", summary="History of a record")
async def record_history(mine: Reader, id: str) -> tuple[HistoryEntry, ...]:
    """Every change to a record, oldest first."""
    return await mine.history(id)


@router.get("/records/{id}/why", summary="Why a record is believed")
async def why_record(mine: Reader, id: str) -> Why:
    """The words it rests on, who read them, and every change."""
    return await mine.why(id)


@router.post("/records/{id}/confirm", summary="Confirm a record")
async def confirm_record(
    mine: Writer, id: str, response: Response, reason: Annotated[str | None, Query(max_length=1_000)] = None
) -> Record:
    """Believe a record on the user's own word: a pending one becomes current, and what it contradicts is superseded."""
    made = await mine.confirm(id, **_why(reason))
    response.headers["ETag"] = etag(made)
    return made


@router.post("/correct", summary="Correct")
async def correct(mine: Writer, request: Request, given: NewTruth) -> Correction:
    """Say what is true instead. The reply has the new record and the ids of those it superseded, which stay in history.
    With a `query` the key needs the right to read, too."""
    if given.query is not None:
        caller_of(request).check(BOTH)
    return await mine.correct(given.text, id=given.id, query=given.query, trust=given.trust, consent=given.consent, **_why(given.reason))


@router.post("/forget", summary="Forget")
async def forget(mine: Writer, request: Request, given: Unwanted) -> Forgotten:
    """Take records or messages out of recall. They stay in history; `POST /restore` brings them back, `DELETE` removes them for good.
    With a `query` or `dry_run` the key needs the right to read, too: it shows what is kept."""
    if given.query is not None or given.dry_run:
        caller_of(request).check(BOTH)
    return await mine.forget(given.ids, query=given.query, dry_run=given.dry_run, **_why(given.reason))


@router.post("/restore", summary="Restore")
async def restore(mine: Writer, given: Wanted) -> HistoryEntry:
    """Bring back what was forgotten or superseded; what contradicts it is superseded."""
    return await mine.restore(given.id, **_why(given.reason))


@router.post("/search", summary="Search")
async def search(mine: Reader, given: Search, response: Response, wait: Wait = 0) -> Hits:
    """Find what answers a question, best first, over messages and records. Scores are from 0 to 1; there may be no hit at all."""
    await settled(mine, response, wait)
    fields = given.model_dump(exclude={"query", "sessions"})
    return await mine.search(given.query, session=given.sessions, **fields)


@router.get("/timeline", summary="What was so when")
async def timeline(
    mine: Reader,
    attribute: Annotated[str, Query(min_length=1, max_length=1_024, examples=["residence"])],
    subject: Annotated[str, Query(min_length=1, max_length=1_024)] = "user",
) -> tuple[Record, ...]:
    """All that was believed of one property of somebody, oldest first."""
    return await mine.timeline(attribute, subject=subject)
