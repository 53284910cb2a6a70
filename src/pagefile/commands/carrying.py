"""Commands that carry a conversation from one memory to another: save-session, load-session."""

from __future__ import annotations

from typing import Annotated

import typer

from pagefile.commands.opening import Data, Json, SessionName, User, finish, not_empty, opened
from pagefile.sessions import as_text, document_of, read_document
from pagefile.terminal import counted, reading, standard_input


def save_session(
    session: Annotated[str, typer.Argument(help="The session, as `pagefile list --sessions` names it.")],
    file: Annotated[str | None, typer.Argument(help="Where to write it. Default: standard output.")] = None,
    blocks: Annotated[bool, typer.Option("--blocks", help="Core memory too.")] = False,
    agent: Annotated[str | None, typer.Option("--agent", callback=not_empty, help="Whose blocks.")] = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write a conversation as JSON: what was said, its window and summary, its checkpoints. `load-session` reads it, also elsewhere."""
    with opened(data, user, as_json) as on:
        saved = on.mine.save_session(session, file, blocks=blocks, agent=agent)
        if file is None:
            on.terminal.out.file.write(as_text(saved))
        elif as_json:
            on.terminal.json({"session": saved["session"], "messages": len(saved["messages"]), "file": file})
        on.terminal.hint(f"{counted(len(saved['messages']), 'message')} of session {session!r} saved{f' to {file}' if file else ''}")


def load_session(
    file: Annotated[str, typer.Argument(help="A file that `save-session` wrote; - reads standard input.")],
    session: SessionName = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Load a saved conversation, under its own name or --session, and learn from it. Loading it twice adds nothing."""
    with opened(data, user, as_json, learns=True) as on:
        if file == "-":
            with reading():
                document = document_of(standard_input().read(), "standard input")
        else:
            document = read_document(file)
        loaded = on.mine.load_session(document, session=session)
        finish(on)
        if as_json:
            on.terminal.json(loaded)
            return
        erased = f", {loaded.erased} were erased here and stay so" if loaded.erased else ""
        on.terminal.say(
            f"{counted(loaded.stored, 'message')} stored in session {loaded.session!r}, {loaded.known} stood there already{erased}"
        )
        if loaded.blocks_kept:
            on.terminal.warn([f"left as they are here: {', '.join(loaded.blocks_kept)}"])
        if learnt := on.learnt():
            on.terminal.hint(learnt)
