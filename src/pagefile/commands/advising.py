"""The command that says of chat logs which way of remembering is worth it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from pagefile.advise.advice import Advice
from pagefile.advise.advice import advise as advise_on
from pagefile.advise.logs import Log, logs_of
from pagefile.advise.ways import Cost
from pagefile.commands.opening import Json
from pagefile.costs import Spent
from pagefile.importers import Conversation, read_conversations
from pagefile.settings import Settings, load_settings
from pagefile.terminal import Terminal, counted, money, reading, standard_input

#: Where nothing is said of the model.
_WINDOW = 8_192
_WIDTH, _LEAST_WIDTH = 24, 4
#: Columns of a terminal below which the headings are short.
_WIDE = 110
_LEVELS = "▁▂▃▄▅▆▇█"


def advise(
    chatlogs: Annotated[list[Path], typer.Argument(help="What `pagefile import` reads; - reads standard input.")],
    form: Annotated[str | None, typer.Option("--format", help="jsonl, chatgpt or text. Default: told from the file.")] = None,
    window: Annotated[
        int | None, typer.Option("--window", min=1, help="Tokens the model reads at once. [env: PAGEFILE_CONTEXT_WINDOW; default: 8192]")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say of real chat logs which way of remembering is worth it, and what each would cost. Nothing is stored or sent."""
    settings = load_settings()
    terminal = Terminal(as_json=as_json, zone=settings.zone())
    logs = _logs(chatlogs, form, settings)
    advice = advise_on(logs, window=window or settings.context_window or _WINDOW)
    if as_json:
        terminal.json(advice)
        return
    for line in _found(advice):
        terminal.say(line)
    _chart(advice, settings, terminal)
    terminal.say(f"\nenough: {advice.way}", style="bold")
    terminal.say(f"  {advice.why}")
    for verdict in advice.beside:
        terminal.say(f"{'worth it' if verdict.worth else 'not needed'}: {verdict.what}", style="bold" if verdict.worth else "dim")
        terminal.say(f"  {verdict.why}", style="" if verdict.worth else "dim")


def _logs(files: Sequence[Path], form: str | None, settings: Settings) -> list[Log]:
    zone = settings.zone()
    conversations: list[Conversation] = []
    for file in files:
        text = None
        if str(file) == "-":
            with reading():
                text = standard_input().read()
        conversations += read_conversations(file, form, text=text)  # type: ignore[arg-type]  # checked there
    return logs_of(conversations, now=datetime.now(zone), zone=zone)


def _found(advice: Advice) -> Iterator[str]:
    signs = advice.signs
    turns, conversations = counted(signs.turns, "turn"), counted(signs.conversations, "conversation")
    yield f"{turns} in {conversations}, {counted(signs.messages, 'message')}; the longest has {counted(signs.longest_turns, 'turn')}"
    repeated = signs.repeated_here + signs.repeated_elsewhere
    again = f"{repeated:,} of them asked before ({signs.repeated_elsewhere:,} in an earlier conversation)"
    yield f"{counted(signs.questions, 'question')}, {again if repeated else 'none asked before'}"
    yield from (f"  “{example}”" for example in signs.repeated_examples)
    yield f"{counted(signs.past, 'turn')} with a reference to what was said before"
    yield from (f"  “{example}”" for example in signs.past_examples)
    yield f"memory would be searched in {counted(signs.searched, 'turn')}\n"


def _chart(advice: Advice, settings: Settings, terminal: Terminal) -> None:
    """What a turn reads on average as a bar, and the course of the longest conversation, each on a scale of its own."""
    prices = settings.prices()
    most = max(cost.mean for cost in advice.costs)
    wide = terminal.out.width >= _WIDE
    columns = ["way", "tokens a turn", "", "last turn", "course of the longest", "shown", "too long", *(["cost"] if prices.known else [])]
    if not wide:
        columns[1:5] = ["a turn", "", "last", "course"]

    def row(cost: Cost, width: int) -> tuple[str, ...]:
        return (
            cost.way,
            f"{cost.mean:,}",
            "█" * max(1, round(width * cost.mean / most)),
            f"{cost.last:,}",
            _course(cost, width),
            f"{cost.seen:.0%}",
            f"{cost.too_long:,}",
            *([money(prices.of(Spent(input_tokens=cost.tokens)), settings.currency)] if prices.known else []),
        )

    # What the bars and the courses have room for, beside the numbers and two blanks between columns.
    cells = [max(map(len, column)) for column in zip(columns, *(row(cost, 1) for cost in advice.costs), strict=True)]
    numbers = sum(cells) - cells[2] - cells[4] + 2 * (len(cells) - 1) + 1
    width = min(_WIDTH, max(_LEAST_WIDTH, (terminal.out.width - numbers) // 2))
    terminal.table(columns, [row(cost, width) for cost in advice.costs])
    hint = "tokens read; course: of the longest conversation; shown: messages said before that the model is shown word for word"
    terminal.hint(f"{hint}; too long: turns that do not fit a window of {advice.window:,} tokens")


def _course(cost: Cost, width: int) -> str:
    """A line of blocks: how high the turns are, of the highest. What stays flat is flat."""
    turns, highest = cost.course, max(cost.course)
    places = [round(step * (len(turns) - 1) / max(1, width - 1)) for step in range(width)] if len(turns) > width else range(len(turns))
    return "".join(_LEVELS[min(len(_LEVELS) - 1, len(_LEVELS) * turns[place] // (highest + 1))] for place in places)
