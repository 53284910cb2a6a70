"""The journal in SQL: plain functions over a connection, each inside a transaction of the caller."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from pagefile.errors import ConflictError, NotFound, SessionBusy
from pagefile.language.keys import append_mark
from pagefile.messages import Appended, Draft, Lease, Message, SessionInfo
from pagefile.ports import NewJob
from pagefile.queries import Page, Where
from pagefile.receipts import Resident, Unread
from pagefile.records import Scope
from pagefile.stores.rules import erased_under, same_content
from pagefile.stores.sqlite import postings
from pagefile.stores.sqlite.documents import SQL
from pagefile.stores.sqlite.rows import (
    BOTH,
    LAST,
    RETIRED,
    Row,
    blocks_of_rows,
    fetch,
    message_item_row,
    message_of_row,
    message_row,
    microseconds,
    session_of_row,
)
from pagefile.stores.sqlite.spaces import Space, add_jobs, filters, find, find_or_add, load_message
from pagefile.stores.sqlite.tombstones import Tombstones, key_if_any


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """What ``Store.append`` was asked."""

    session: str
    drafts: Sequence[Draft]
    jobs: Sequence[NewJob]
    key: str | None
    fingerprint: str
    lease: Lease | None
    answers: str | None
    fold_from: int


@dataclass(frozen=True, slots=True)
class _Begun:
    """The session that is appended to, as it stands; ``number`` is None: there is none yet."""

    space: Space
    number: int | None
    last_seq: int
    holder: str | None
    lease_us: int


def append(connection: sqlite3.Connection, scope: Scope, asked: Append) -> tuple[Appended, ...]:
    if not asked.drafts and not asked.jobs and asked.key is None:
        # Nothing is to be written: it must not make a scope either.
        return ()
    place = {"tenant": scope.tenant, "user": scope.user, "session": asked.session, "answers": asked.answers}
    row = connection.execute(SQL["state"], place).fetchone()
    if asked.answers is not None and (row is None or not row[-2]):
        return tuple(_erased(draft, asked.session) for draft in asked.drafts)
    tombstones = Tombstones(connection, scope, row[-1] if row else key_if_any(connection))
    if row is None:
        if asked.drafts and asked.key is None and all(map(tombstones.hold, asked.drafts)):
            return tuple(_erased(draft, asked.session) for draft in asked.drafts)
        begun = _Begun(find_or_add(connection, scope), None, 0, None, 0)
    else:
        *columns, number, last_seq, holder, lease_us, _, _ = row
        begun = _Begun(Space(*columns), number, last_seq or 0, holder, lease_us or 0)
    if asked.key is not None:
        receipt = connection.execute(SQL["receipt"], {"scope": begun.space.scope, "key": asked.key}).fetchone()
        if receipt is not None:
            return _replay(connection, begun.space, asked, receipt)
        if tombstones.erased_at(append_mark(asked.key, asked.fingerprint)) is not None:
            raise erased_under(asked.key)
    return _Appender(connection, begun, asked, tombstones).run()


def _erased(draft: Draft, session: str) -> Appended:
    """It takes no place in the session."""
    return Appended(message=draft.at(session, 0), outcome="erased")


def _replay(connection: sqlite3.Connection, space: Space, asked: Append, receipt: Row) -> tuple[Appended, ...]:
    fingerprint, answer = receipt
    if fingerprint != asked.fingerprint:
        raise ConflictError(f"the key {asked.key!r:.80} was used before for other content; use a new key, or send the same content again")
    answers = []
    # The same content has the same drafts in the same places.
    for (item, outcome), draft in zip(json.loads(answer), asked.drafts, strict=False):
        message = load_message(connection, space.scope, item)
        if outcome == "erased":
            answers.append(_erased(draft, asked.session))
        elif message is not None:
            answers.append(Appended(message=message, outcome=outcome))
    return tuple(answers)


class _Appender:
    """One append on its way."""

    def __init__(self, connection: sqlite3.Connection, begun: _Begun, asked: Append, tombstones: Tombstones) -> None:
        self._connection, self._begun, self._asked, self._tombstones = connection, begun, asked, tombstones
        self._space = begun.space
        self._session, self._last_seq = begun.number, begun.last_seq
        self._answers: list[tuple[int, Appended]] = []
        self._stored: list[Draft] = []

    def run(self) -> tuple[Appended, ...]:
        space, asked = self._space, self._asked
        held = self._held()
        space.version += 1
        sessions, folded = space.last_session, space.folded
        for draft in asked.drafts:
            self._answers.append(self._one(draft))
        answers = tuple(answer for _, answer in self._answers)
        if asked.key is None and answers and all(answer.outcome == "erased" for answer in answers):
            # There is nothing that the jobs could be about.
            return answers
        if self._stored:
            postings.fold(self._connection, space, asked.fold_from)
        if self._session is not None and (self._stored or asked.lease is not None):
            grown = {"scope": space.scope, "session": self._session, "last_seq": self._last_seq, "added": len(self._stored)}
            self._connection.execute(SQL["grow_session"], grown | held)
        if asked.key is not None:
            self._keep_receipt(asked.key)
        to_embed = [draft.id for draft in self._stored if draft.indexing.embedding_hash]
        add_jobs(self._connection, space.scope, asked.jobs, to_embed)
        if (space.last_session, space.folded) != (sessions, folded):
            # The rest is told by the items themselves.
            space.save(self._connection)
        return answers

    def _held(self) -> dict[str, str | int | None]:
        """Who has the session from now on, and until when. Raises SessionBusy."""
        lease, begun = self._asked.lease, self._begun
        if lease is None or (lease.ends and begun.holder != lease.holder):
            return {"holder": begun.holder, "lease_us": begun.lease_us}
        if lease.ends:
            return {"holder": None, "lease_us": 0}
        if begun.holder not in (None, lease.holder) and begun.lease_us > microseconds(lease.now):
            raise SessionBusy(f"another turn of the session {self._asked.session!r:.80} goes on; nothing was stored")
        return {"holder": lease.holder, "lease_us": microseconds(lease.until)}

    def _keep_receipt(self, key: str) -> None:
        row = {
            "scope": self._space.scope,
            "key": key,
            "session": self._session or 0,
            "fingerprint": self._asked.fingerprint,
            "answer": json.dumps([[item, answer.outcome] for item, answer in self._answers]),
        }
        self._connection.execute(SQL["add_receipt"], row)

    def _one(self, draft: Draft) -> tuple[int, Appended]:
        old = self._known(draft)
        if old is not None:
            item, message = old
            return item, Appended(message=message, outcome="duplicate" if same_content(draft, message) else "conflict")
        if self._tombstones.hold(draft):
            return 0, _erased(draft, self._asked.session)
        return self._store(draft)

    def _known(self, draft: Draft) -> tuple[int, Message] | None:
        if draft.external_id is None or self._session is None:
            return None
        key = {"scope": self._space.scope, "session": self._session, "external_id": draft.external_id}
        row = self._connection.execute(SQL["item_of_external_id"], key).fetchone()
        message = load_message(self._connection, self._space.scope, row[0]) if row else None
        return None if message is None else (row[0], message)

    def _store(self, draft: Draft) -> tuple[int, Appended]:
        space, connection = self._space, self._connection
        if self._session is None:
            self._session = space.session_number(connection, self._asked.session)
        self._last_seq += 1
        item = space.new_item()
        message = draft.at(self._asked.session, self._last_seq)
        terms = {term: count for term, count in draft.indexing.terms.items() if count > 0}
        row = message_row(space.scope, item, draft, postings.terms_row(terms))
        numbers = {"scope": space.scope, "item": item, "session": self._session, "version": space.version}
        index = {"length": sum(terms.values()), "hash": draft.indexing.embedding_hash}
        if not connection.execute(SQL["add_item"], message_item_row(message) | numbers | index).rowcount:
            raise ConflictError(f"there is an item {draft.id!r:.80} already; a new message needs a new id. Nothing was stored")
        connection.execute(SQL["add_message"], row)
        if draft.external_id is not None:
            connection.execute(SQL["add_external_id"], numbers | {"external_id": draft.external_id})
        self._stored.append(draft)
        return item, Appended(message=message, outcome="stored")


def hold(connection: sqlite3.Connection, scope: Scope, session: str, lease: Lease) -> bool:
    space = find(connection, scope)
    row = {"scope": space and space.scope, "name": session, "holder": lease.holder}
    times = {"now_us": microseconds(lease.now), "lease_us": microseconds(lease.until)}
    return connection.execute(SQL["hold_session"], row | times).fetchone() is not None


def let_go(connection: sqlite3.Connection, scope: Scope, session: str, holder: str) -> None:
    space = find(connection, scope)
    connection.execute(SQL["let_go_session"], {"scope": space and space.scope, "name": session, "holder": holder})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """Which page of messages was asked for. ``after``: an item number, or a sequence number within a session."""

    session: str | None
    where: Where
    after: int | None
    limit: int
    newest_first: bool


def messages(connection: sqlite3.Connection, scope: Scope, scan: Scan) -> Page[Message]:
    space = find(connection, scope)
    if space is None:
        return Page(items=(), cursor=None, total=0)
    parameters = filters(connection, space.scope, scan.where) | {"scope": space.scope, "limit": scan.limit + 1}
    kind = "scope_messages"
    if scan.session is not None:
        kind = "session_messages"
        row = connection.execute(SQL["session_number"], {"scope": space.scope, "name": scan.session}).fetchone()
        parameters["session"] = row[0] if row else 0
    if scan.newest_first:
        rows = fetch(connection, SQL[f"{kind}_newest_first"], parameters | {"before": LAST if scan.after is None else scan.after})
    else:
        rows = fetch(connection, SQL[kind], parameters | {"after": scan.after or 0})
    count = "count_messages" if scan.session is None else "count_session_messages"
    (total,) = connection.execute(SQL[count], parameters).fetchone()
    chosen = tuple(message_of_row(row) for row in rows[: scan.limit])
    cursor = None
    if len(rows) > scan.limit:
        cursor = str(rows[scan.limit - 1][0] if scan.session is None else chosen[-1].seq)
    return Page(items=chosen, cursor=cursor, total=total)


def window(connection: sqlite3.Connection, scope: Scope, session: str) -> tuple[Message, ...]:
    space = find(connection, scope)
    if space is None:
        return ()
    row = connection.execute(SQL["session_number"], {"scope": space.scope, "name": session}).fetchone()
    if row is None:
        return ()
    parameters = {"scope": space.scope, "session": row[0], "window_start": row[2], "retired": RETIRED, "both": BOTH}
    return tuple(message_of_row(each) for each in fetch(connection, SQL["window"], parameters))


def resident(connection: sqlite3.Connection, scope: Scope, session: str, agent: str | None) -> Resident:
    asked = {"tenant": scope.tenant, "user": scope.user, "session": session, "agent": agent or ""}
    row = connection.execute(SQL["resident"], asked).fetchone()
    if row is None:
        return Resident(session=session)
    number, its_number, last_seq, window_start, summary, summarised_to, listed = row
    blocks = blocks_of_rows(json.loads(listed))
    if its_number is None:
        return Resident(session=session, blocks=blocks)
    parameters = {"scope": number, "session": its_number, "window_start": window_start, "retired": RETIRED, "both": BOTH}
    return Resident(
        session=session,
        messages=tuple(message_of_row(each) for each in fetch(connection, SQL["window"], parameters)),
        last_seq=last_seq,
        window_start=window_start,
        summary=summary,
        summarised_to=summarised_to,
        blocks=blocks,
    )


def unread(connection: sqlite3.Connection, scope: Scope, session: str, reader: str, limit: int, context: int) -> Unread:
    asked = {"tenant": scope.tenant, "user": scope.user, "session": session, "reader": reader}
    hidden = {"retired": RETIRED, "both": BOTH}
    rows = fetch(connection, SQL["unread"], asked | hidden | {"limit": limit + context, "context": context})
    read = rows[0][0] if rows else 0
    messages = [message_of_row(row[1:]) for row in rows]
    return Unread(
        messages=tuple(message for message in messages if message.seq > read)[:limit],
        context=tuple(message for message in messages if message.seq <= read),
    )


def session(connection: sqlite3.Connection, scope: Scope, name: str) -> SessionInfo | None:
    space = find(connection, scope)
    row = space and connection.execute(SQL["session"], {"scope": space.scope, "name": name}).fetchone()
    return session_of_row(row) if row else None


def sessions(connection: sqlite3.Connection, scope: Scope, after: int | None, limit: int) -> Page[SessionInfo]:
    space = find(connection, scope)
    if space is None:
        return Page(items=(), cursor=None, total=0)
    rows = fetch(connection, SQL["sessions"], {"scope": space.scope, "after": after or 0, "limit": limit + 1})
    (total,) = connection.execute(SQL["count_sessions"], {"scope": space.scope}).fetchone()
    return Page(
        items=tuple(session_of_row(row) for row in rows[:limit]), cursor=str(rows[limit - 1][0]) if len(rows) > limit else None, total=total
    )


@dataclass(frozen=True, slots=True)
class Moved:
    """Where the window of a session is to begin, and what goes with that."""

    window_start: int
    summary: str | None
    jobs: Sequence[NewJob]


def set_window(connection: sqlite3.Connection, scope: Scope, name: str, moved: Moved) -> None:
    if session(connection, scope, name) is None:
        raise NotFound(f"there is no session {name!r:.80} in this scope; nothing was changed")
    space = find_or_add(connection, scope)
    # A summary for an earlier start covers less than the one that is there: whoever made it came too late.
    start = {"window_start": moved.window_start, "summary": moved.summary}
    connection.execute(SQL["set_window"], {"scope": space.scope, "name": name} | start)
    add_jobs(connection, space.scope, moved.jobs)


@dataclass(frozen=True, slots=True)
class Told:
    """A new running summary, and what it was made of."""

    summary: str | None
    to: int
    instead_of: str | None
    of: Sequence[str]


def set_summary(connection: sqlite3.Connection, scope: Scope, name: str, told: Told) -> bool:
    space = find(connection, scope)
    if space is None:
        return False
    ids = sorted(set(told.of))
    row = {"scope": space.scope, "name": name, "summary": told.summary, "to": told.to, "instead_of": told.instead_of}
    made_of = {"of": json.dumps(ids), "told": len(ids), "retired": RETIRED, "both": BOTH}
    return connection.execute(SQL["set_summary"], row | made_of).rowcount == 1
