"""Commands that look: search, list, show, why, timeline, history, changes, log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from pagefile.arguments import STATUSES
from pagefile.commands.opening import After, AsOf, Data, Json, KnownAt, Limit, Opened, SessionName, User, opened
from pagefile.errors import InputError, NotFound
from pagefile.records import HistoryEntry, Status


def search(
    query: Annotated[str, typer.Argument(help="A question or words.")],
    limit: Limit = 10,
    session: SessionName = None,
    speaker: Annotated[str | None, typer.Option("--speaker", help="Only what this person said.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="From this time on: a date, or words such as 'last week' or 上周三.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Up to the end of this time.")] = None,
    kinds: Annotated[list[str] | None, typer.Option("--kind", help="message, fact, event, procedure, passage or summary.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    history: Annotated[bool, typer.Option("--history", help="Also what was superseded.")] = False,
    preset: Annotated[str | None, typer.Option("--preset", help="fast (words alone), balanced or thorough (more candidates).")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show the parts of each score.")] = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Find what answers a question."""
    with opened(data, user, as_json) as on:
        found = on.mine.search(
            query,
            limit=limit,
            session=session,
            speaker=speaker,
            since=since,
            until=until,
            as_of=as_of,
            known_at=known_at,
            history=history,
            explain=explain,
            preset=preset,  # type: ignore[arg-type]  # checked there
            kinds=kinds,  # type: ignore[arg-type]  # checked there
        )
        on.terminal.hits(found, explain=explain)


def list_(
    messages: Annotated[bool, typer.Option("--messages", help="List the journal instead of records.")] = False,
    sessions: Annotated[bool, typer.Option("--sessions", help="List the sessions.")] = False,
    session: SessionName = None,
    pending: Annotated[bool, typer.Option("--pending", help="Only records that wait to be confirmed.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Also what is pending, was superseded or forgotten.")] = False,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Limit = 50,
    after: After = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List what was learnt, or messages, or sessions."""
    if pending and everything:
        raise InputError("give --pending or --all, not both")
    if (messages or sessions or session) and (pending or as_of or known_at):
        raise InputError("--pending, --as-of and --known-at are for records; leave out --messages, --sessions and --session")
    with opened(data, user, as_json) as on:
        statuses: Sequence[Status] = STATUSES if everything else ("pending",) if pending else ("current",)
        if sessions:
            on.terminal.page(on.mine.sessions(limit=limit, after=after))
        elif messages or session:
            journal = STATUSES if everything else ("current", "superseded")
            on.terminal.page(on.mine.messages(session, statuses=journal, limit=limit, after=after))
        else:
            on.terminal.page(on.mine.list(statuses=statuses, as_of=as_of, known_at=known_at, limit=limit, after=after))


def show(
    id: Annotated[str, typer.Argument(metavar="ID|NAME", help="A record or message by its id, or a person, place or thing by its name.")],
    hops: Annotated[int, typer.Option("--hops", help="Of a name: neighbours up to so many facts away.")] = 1,
    limit: Limit = 20,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show one record or message with all its fields; or of a name what is known: its facts, time line and neighbours."""
    with opened(data, user, as_json) as on:
        try:
            on.terminal.item(on.mine.get(id))
            return
        except NotFound as missing:
            try:
                card = on.mine.entity(id)
            except InputError:
                raise missing from None
        near, happened = on.mine.neighbours(id, hops=hops, limit=limit), on.mine.entity_timeline(id, limit=limit)
        on.terminal.entity(card, happened, near)


def entities(
    query: Annotated[str | None, typer.Argument(help="Only those with this in a name.")] = None,
    limit: Limit = 50,
    after: After = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List who and what is known, those most often named first. `pagefile show NAME` tells more."""
    with opened(data, user, as_json) as on:
        page = on.mine.entities(query, limit=limit, after=after)
        on.terminal.scan(page, on.terminal.entities)


def why(id: str, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Show why a record is believed: the words it rests on, who read them, and every change."""
    with opened(data, user, as_json) as on:
        on.terminal.why(on.mine.why(id))


def timeline(
    attribute: Annotated[str, typer.Argument(help="A property, such as residence, employer or 居住地.")],
    subject: Annotated[str, typer.Option("--subject", help="Of whom.")] = "user",
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Show what was so when: all that was believed of one property, oldest first."""
    with opened(data, user, as_json) as on:
        records = on.mine.timeline(attribute, subject=subject)
        on.terminal.timeline(records)
        if not records:
            on.terminal.hint(f"nothing is known of the {attribute} of {subject}; `pagefile list` shows what is")


def history(id: str, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Show every change to a record, message or block (block:LABEL)."""
    with opened(data, user, as_json) as on:
        on.terminal.history(on.mine.history(id))


def changes(limit: Limit = 50, after: After = None, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """List every change to anything, newest first. `pagefile undo` takes their ids."""
    with opened(data, user, as_json) as on:
        page = on.mine.changes(limit=limit, after=after)
        on.terminal.scan(page, lambda entries: on.terminal.changes(entries, _texts(on, entries)))


def log(limit: Limit = 50, after: After = None, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """List what was asked of the memory and what came of it, newest first."""
    with opened(data, user, as_json) as on:
        on.terminal.scan(on.mine.operations(limit=limit, after=after), on.terminal.operations)


def _texts(on: Opened, entries: Sequence[HistoryEntry]) -> dict[str, str]:
    """Target → its text as it is now."""
    texts: dict[str, str] = {}
    for target in {entry.target for entry in entries if entry.before}:
        try:
            texts[target] = on.mine.get(target).text
        except NotFound:
            continue  # a block, or erased meanwhile: its id stands for it
    return texts
