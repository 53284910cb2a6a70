"""A chat in the terminal: reads lines, shows the events of each turn."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from rich.text import Text

from pagefile.errors import InputError, ModelError
from pagefile.events import Evicted, LimitReached, Pressure, Recalled, TextDelta, ToolCalled, TurnFinished, Warned
from pagefile.sync import Chat
from pagefile.terminal import Terminal, reading, standard_input

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  # gives input() its editing and history; Windows has that by itself

HELP = "Type a message. /quit or Ctrl-D ends, Ctrl-C stops a reply. /help shows this."


def converse(chat: Chat, terminal: Terminal) -> None:
    """Talk until the input ends. In a pipe each line is a message."""
    if standard_input().isatty():
        terminal.say(HELP, style="dim")
    for line in _lines():
        text = line.strip()
        if text.lower() in {"/quit", "/exit"}:
            return
        if text.startswith("/"):
            # A mistyped command is not a memory.
            terminal.say(HELP if text.lower() == "/help" else f"{text.split()[0]} is no command. {HELP}", style="dim")
        elif text:
            try:
                _turn(chat, text, terminal)
            except KeyboardInterrupt:
                terminal.say("\n(stopped; what was said is kept)", style="dim")
            except (ModelError, InputError) as error:
                terminal.warn([str(error)])


def _lines() -> Iterator[str]:
    while True:
        try:
            with reading():
                line = input("\n› ") if sys.stdin.isatty() else sys.stdin.readline()
            if not line and not sys.stdin.isatty():
                return
            yield line
        except KeyboardInterrupt:
            # At a prompt it gives up the line; in a pipe there is nobody to give it up for another.
            if not sys.stdin.isatty():
                raise
        except EOFError:
            return


def _turn(chat: Chat, text: str, terminal: Terminal) -> None:
    for event in chat.stream(text):
        if terminal.as_json:
            terminal.json({"event": type(event).__name__, "data": event})
        elif isinstance(event, TextDelta):
            terminal.out.print(Text(event.text), end="")
        elif isinstance(event, Recalled) and event.hits:
            terminal.err.print(Text(f"({len(event.hits)} recalled)", style="dim"))
        elif isinstance(event, ToolCalled):
            terminal.err.print(Text(f"({event.call.name} {event.call.arguments})", style="dim"))
        elif isinstance(event, Evicted):
            terminal.err.print(Text(f"({event.messages} older messages left the window; they can be recalled)", style="dim"))
        elif isinstance(event, Pressure) and event.level == "warn":
            terminal.err.print(Text("(the window is filling up; its oldest messages will soon leave it)", style="dim"))
        elif isinstance(event, LimitReached):
            terminal.err.print(Text(f"({event.text})", style="dim"))
        elif isinstance(event, Warned):
            terminal.warn([event.text])
        elif isinstance(event, TurnFinished):
            terminal.say("")
