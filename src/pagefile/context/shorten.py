"""Old results of tools, each as one line: what they brought was used when it was new. Pure; the journal has them whole.

A result is shortened when it becomes older than two turns, by its place alone, and never changes again. So whatever stands before it is the
same from turn to turn: a prompt cache loses the last two turns once for each long result, which is less than carrying that on costs, and
the conversation keeps its room. Short results are never touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from pagefile.context.render import one_line
from pagefile.language.tokens import count, trim
from pagefile.messages import Message
from pagefile.prompts import Wording, words

#: Turns after which a result is old.
TURNS = 2
#: A longer result is shortened, …
LONG = 96
#: … to a line with so much of its beginning.
BEGINNING = 40


def old_until(messages: Sequence[Message], current: int) -> int:
    """The position before which a tool's result is old, where the message at ``current`` is being answered."""
    asked = [position for position in range(current - 1, -1, -1) if messages[position].role == "user"]
    return asked[TURNS - 1] if len(asked) >= TURNS else 0


def shorten(messages: Sequence[Message], current: int, wording: Wording) -> tuple[Message, ...]:
    """The messages with old, long results of tools as a line."""
    until = old_until(messages, current)
    old = (_shortened(one, wording) if one.role == "tool" and one.tokens > LONG else one for one in messages[:until])
    return (*old, *messages[until:])


def _shortened(result: Message, wording: Wording) -> Message:
    text, tokens = _line(result.text, wording)
    return replace(result, text=text, parts=None, tokens=tokens) if tokens < result.tokens else result


@lru_cache(maxsize=512)
def _line(text: str, wording: Wording) -> tuple[str, int]:
    # Kept, because it is asked for in every turn.
    line = words("window", "shortened", wording, beginning=trim(one_line(text[:2_000]), BEGINNING))
    return line, count(line)
