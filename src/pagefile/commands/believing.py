"""Commands that change what is believed: remember, edit, correct, confirm, merge, split, forget, restore, undo,
revert."""

from __future__ import annotations

from typing import Annotated

import typer

from pagefile.cells import fact
from pagefile.commands.opening import Consent, Data, DryRun, Json, Opened, SessionName, User, Yes, ask, finish, not_empty, opened
from pagefile.errors import InputError
from pagefile.records import HistoryEntry

Query = Annotated[str | None, typer.Option("--query", callback=not_empty, help="Say in words what is meant.")]


def remember(
    text: Annotated[str, typer.Argument(help="One thing worth knowing, as a sentence.")],
    tags: Annotated[list[str] | None, typer.Option("--tag", help="A tag; may be repeated.")] = None,
    consent: Consent = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Keep a record. What it contradicts is superseded."""
    with opened(data, user, as_json) as on:
        record = on.mine.remember(text, tags=tags or (), consent="explicit" if consent else None)
        finish(on)
        if as_json:
            on.terminal.json(record)
        else:
            on.terminal.say(record.id)
            again = f", said {record.evidence_count} times" if record.evidence_count > 1 else ""
            replaced = f"; in place of: {on.mine.get(record.supersedes).text}" if record.supersedes else ""
            on.terminal.hint(f"{fact(record)}, {record.status}{again}{replaced}")


def edit(id: str, text: str, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Change the text of a record in place."""
    with opened(data, user, as_json) as on:
        record = on.mine.edit(id, text=text)
        finish(on)
        on.terminal.item(record)


def correct(
    text: Annotated[str, typer.Argument(help="What is true instead, as a sentence.")],
    id: Annotated[str | None, typer.Option("--id", callback=not_empty, help="The record that is wrong.")] = None,
    query: Query = None,
    consent: Consent = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Say what is true instead of a record, or (without --id and --query) of what the text contradicts."""
    with opened(data, user, as_json) as on:
        correction = on.mine.correct(text, id=id, query=query, consent="explicit" if consent else None)
        finish(on)
        if as_json:
            on.terminal.json(correction)
        else:
            on.terminal.say(correction.record.id)
            for old in correction.superseded:
                on.terminal.hint(f"in place of: {on.mine.get(old).text}  {old}")
            if not correction.superseded:
                on.terminal.hint("it contradicts nothing that was known; it was kept beside it")


def confirm(ids: list[str], data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Believe records on your word: what is pending becomes current."""
    with opened(data, user, as_json) as on:
        records = [on.mine.confirm(id) for id in ids]
        finish(on)
        if as_json:
            on.terminal.json(records)
        for record in records:
            on.terminal.say(f"{record.text}  ({record.status})")


def merge(
    name: Annotated[str, typer.Argument(help="A name, such as Bob.")],
    into: Annotated[str, typer.Argument(help="The name that it stands for from now on, such as Robert.")],
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Let two names stand for the same person or thing. `split` takes it back exactly; no record is changed."""
    with opened(data, user, as_json) as on:
        _told_names(on, on.mine.merge_entities(name, into, reason="merged on the command line"))


def split(
    alias: Annotated[str, typer.Argument(help="The name that is to stand for itself again.")],
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Take back the merge of a name into another."""
    with opened(data, user, as_json) as on:
        _told_names(on, on.mine.split_entity(alias, reason="split on the command line"))


def forget(
    ids: Annotated[list[str] | None, typer.Argument(help="Records or messages.")] = None,
    query: Query = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Take records or messages out of recall, by id or by what a query means. They stay in history; erase removes for good."""
    if bool(ids) == (query is not None):
        raise InputError("say what to forget: ids, or --query TEXT")
    with opened(data, user, as_json) as on:
        found = on.mine.forget(ids, query=query, dry_run=True)
        if query is not None and found.items and not (dry_run or yes):
            on.terminal.preview(found.items)
            ask(f"Forget these {len(found.items)}?" if len(found.items) > 1 else "Forget this?")
        if found.items and not dry_run:
            # By their ids: what goes is what was shown, whatever is said meanwhile.
            found = on.mine.forget([item.id for item in found.items])
        if as_json:
            on.terminal.json(found)
            return
        if dry_run:
            on.terminal.preview(found.items)
        on.terminal.say(f"{len(found.items)} would be forgotten" if dry_run else f"{len(found.entries)} forgotten")
        if not found.items:
            on.terminal.hint(f"nothing is meant by {query!r}: every word of it must stand in what is to be forgotten")


def restore(ids: list[str], data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Bring back what was forgotten or superseded. What contradicts it is superseded."""
    with opened(data, user, as_json) as on:
        entries = [on.mine.restore(id) for id in ids]
        on.terminal.json(entries) if as_json else on.terminal.say(f"{len(entries)} restored")


def undo(
    changes: Annotated[list[str], typer.Argument(help="Ids of changes, from changes, history or why.")],
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Take back changes, one after the other."""
    with opened(data, user, as_json) as on:
        entries = [entry for change in changes for entry in on.mine.undo(change)]
        finish(on)
        on.terminal.history(entries)
        if not entries:
            on.terminal.hint("there is nothing to take back: what it changed was changed back since")


def revert(
    session: SessionName = None,
    sources: Annotated[list[str] | None, typer.Option("--source", help="The id of a message; may be repeated.")] = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Forget everything that was learnt from a session or from some messages. What it had superseded holds again."""
    if (session is None) == (not sources):
        raise InputError("say what to revert: --session NAME, or --source ID")
    with opened(data, user, as_json) as on:
        entries = on.mine.revert(session=session, source=sources)
        finish(on)
        on.terminal.history(entries)
        if not entries:
            on.terminal.hint("nothing that is known was learnt from it")


def _told_names(on: Opened, entry: HistoryEntry) -> None:
    """What became of a name."""
    if on.terminal.as_json:
        on.terminal.json(entry)
        return
    told = entry.after or entry.before
    on.terminal.say(f"{told['name']} {'is' if entry.change == 'merge' else 'is no longer'} {told['into']}")
    on.terminal.hint(f"`pagefile undo {entry.id}` takes it back")
