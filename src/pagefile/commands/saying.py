"""Commands that bring in what was said: chat, add, import."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import anyio
import typer

from pagefile.chatting import converse
from pagefile.commands.opening import Consent, Data, Json, ModelName, SessionName, User, finish, not_empty, opened
from pagefile.discover import find_model, model_settings
from pagefile.importers import read_conversations
from pagefile.settings import load_settings
from pagefile.terminal import counted, reading, standard_input

Origin = Annotated[
    str, typer.Option("--origin", callback=not_empty, help="said, or imported, file, web: text that waits for confirmation.")
]


def chat(
    session: SessionName = None,
    model: ModelName = None,
    rules: Annotated[
        str | None, typer.Option("--rules", callback=not_empty, help="A Markdown file of rules that always hold. [env: PAGEFILE_RULES]")
    ] = None,
    incognito: Annotated[bool, typer.Option("--incognito", help="Use the memory, and keep nothing of this conversation.")] = False,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Talk to something that remembers. Reads lines from a pipe too."""
    settings = load_settings(data=data, user=user, session=session, model=model, rules=rules)
    found = anyio.run(lambda: find_model(**model_settings(settings)))
    with opened(data, user, as_json, found=found, settings=settings, learns=True) as on:
        name = settings.session or datetime.now(settings.zone()).strftime("chat %Y-%m-%d %H:%M:%S")
        on.terminal.say(f"model: {found.what}", style="dim")
        kept = "incognito: nothing of this is kept" if incognito else f"session: {name}"
        on.terminal.say(f"memory of {settings.user}: {on.memory.location}  ·  {kept}", style="dim")
        converse(on.mine.chat(session=name, incognito=incognito), on.terminal)
        finish(on)
        if learnt := on.learnt():
            on.terminal.hint(f"({learnt})")


def add(
    texts: Annotated[list[str], typer.Argument(help="What was said; - reads it from standard input.")],
    role: Annotated[str, typer.Option("--role", help="user, assistant, system or tool.")] = "user",
    name: Annotated[str | None, typer.Option("--name", help="Who said it.")] = None,
    said_at: Annotated[str | None, typer.Option("--said-at", help="When, as ISO 8601. Default: now.")] = None,
    origin: Origin = "said",
    consent: Consent = False,
    session: SessionName = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Write messages to the journal, and learn what they state."""
    with opened(data, user, as_json, learns=True) as on:
        with reading():
            texts = [standard_input().read() if text == "-" else text for text in texts]
        messages = [{"role": role, "content": text, "name": name, "said_at": said_at} for text in texts]
        receipt = on.mine.add(
            messages,
            session=session or on.settings.session or "default",
            origin=origin,  # type: ignore[arg-type]  # checked there
            consent="explicit" if consent else None,
        )
        finish(on)
        if as_json:
            on.terminal.json(receipt)
        else:
            for message in receipt.messages:
                on.terminal.say(message.id)
            on.terminal.hint("; ".join(filter(None, [str(receipt), on.learnt()])))
        if receipt.refused:
            raise typer.Exit(2)


def import_(
    files: Annotated[list[Path], typer.Argument(help="JSON lines of OpenAI-style messages, a ChatGPT export, or 'speaker: text'.")],
    form: Annotated[str | None, typer.Option("--format", help="jsonl, chatgpt or text. Default: told from the file.")] = None,
    origin: Origin = "said",
    consent: Consent = False,
    session: SessionName = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Add conversations that were kept elsewhere. Importing a file twice adds nothing."""
    with opened(data, user, as_json, learns=True) as on:
        receipts = []
        for file in files:
            for conversation in read_conversations(file, form):  # type: ignore[arg-type]  # checked there
                receipts.append(
                    on.mine.add(
                        conversation.messages,
                        session=session or conversation.session or file.stem,
                        origin=origin,  # type: ignore[arg-type]  # checked there
                        consent="explicit" if consent else None,
                    )
                )
        finish(on)
        refused = [f"#{one.index}: {one.reason}" for receipt in receipts for one in receipt.refused]
        if as_json:
            on.terminal.json(receipts)
        else:
            stored, known = sum(one.stored for one in receipts), sum(one.duplicates for one in receipts)
            where = f"stored in {counted(len(receipts), 'session')}"
            on.terminal.say(f"{counted(stored, 'message')} {where}, {known} stood there already, {len(refused)} refused")
            if redacted := sum(one.redacted for one in receipts):
                on.terminal.hint(f"{counted(redacted, 'secret')} taken out")
            on.terminal.warn(refused[:20])
            if learnt := on.learnt():
                on.terminal.hint(learnt)
        if refused:
            raise typer.Exit(2)
