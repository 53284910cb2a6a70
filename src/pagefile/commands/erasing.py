"""Commands that remove for good, and prove it: erase, verify."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from pagefile.commands.opening import Data, Json, SessionName, User, Yes, ask, opened
from pagefile.errors import InputError, NotFound
from pagefile.messages import Message
from pagefile.records import Record
from pagefile.sync import ScopedMemory
from pagefile.terminal import counted, reading, standard_input


def erase(
    ids: Annotated[list[str] | None, typer.Argument(help="Records or messages.")] = None,
    session: SessionName = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything of this user.")] = False,
    yes: Yes = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Remove for good, with everything made from it. It is not learnt again from old chats or imports."""
    if sum([bool(ids), session is not None, everything]) != 1:
        raise InputError("say what to erase: ids, --session NAME, or --all")
    with opened(data, user, as_json) as on:
        what = counted(len(ids), "item") if ids else f"session {session!r}" if session else f"everything of user {on.settings.user!r}"
        if not yes:
            ask(f"Erase {what} for good?")
        cited = _cited(on.mine, ids or [])
        on.terminal.item(on.mine.erase(ids, session=session))
        if still := [id for id in cited if _found(on.mine, id) is not None]:
            on.terminal.hint(f"a message that says more is hidden, not erased; to erase it whole: pagefile erase {' '.join(still)}")
        on.terminal.hint("`pagefile verify TEXT` looks for what is left of a text in the file")


def _cited(mine: ScopedMemory, ids: Sequence[str]) -> list[str]:
    """Ids of the messages that the records among these were learnt from."""
    items = [item for id in ids if (item := _found(mine, id)) is not None]
    return list(dict.fromkeys(source.message for item in items if isinstance(item, Record) for source in item.sources))


def _found(mine: ScopedMemory, id: str) -> Record | Message | None:
    try:
        return mine.get(id)
    except NotFound:
        return None


def verify(
    texts: Annotated[list[str], typer.Argument(help="Texts to look for; - reads one a line from standard input.")],
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Look for the bytes of texts in the whole file, of all users. Exit code 1 if one is there."""
    with opened(data, user, as_json) as on:
        with reading():
            wanted = [line for text in texts for line in (standard_input().read().splitlines() if text == "-" else [text]) if line.strip()]
        if not wanted:
            raise InputError("there is no text to look for; give one that is not empty")
        found = on.memory.occurrences(wanted)
        if as_json:
            on.terminal.json([{"text": text, "occurrences": number} for text, number in zip(wanted, found, strict=True)])
        else:
            on.terminal.table(("found", "text"), ((str(number), text) for text, number in zip(wanted, found, strict=True)))
        if any(found):
            raise typer.Exit(1)
