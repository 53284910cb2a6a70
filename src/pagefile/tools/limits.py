"""What one turn may use: rounds, searches in a row, the same call again, time and tokens. Takes the time as an argument."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from pagefile.events import Limit
from pagefile.messages import ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a turn may use."""

    #: Times the model is asked with tools.
    rounds: int
    #: Answers of the model in a row that only search.
    searches: int
    #: Times the same call is made with the same arguments.
    repeats: int
    seconds: float | None = None
    tokens: int | None = None


class Allowance:
    """What is left of it. ``began``: the time on the clock that ``now`` is read from later."""

    def __init__(self, limits: Limits, *, began: float) -> None:
        self._limits = limits
        self._until = None if limits.seconds is None else began + limits.seconds
        self._rounds = 0
        self._searches = 0
        self._made = Counter[str]()
        self._hit: Limit | None = None

    @property
    def hit(self) -> Limit | None:
        """The limit that was come up against first."""
        return self._hit

    def hits(self, limit: Limit) -> None:
        """Say that this limit was come up against."""
        self._hit = self._hit or limit

    def seconds_left(self, now: float) -> float | None:
        """None: as many as it takes."""
        return None if self._until is None else max(0.0, self._until - now)

    def asked(self, *, tokens: int, now: float) -> None:
        """Count an answer of the model that has calls; ``tokens`` are those of the turn so far."""
        self._rounds += 1
        if self.seconds_left(now) == 0.0:
            self.hits("seconds")
        elif self._limits.tokens is not None and tokens >= self._limits.tokens:
            self.hits("tokens")

    def begins(self, *, only_searches: bool) -> bool:
        """Count an answer's calls that are to be made; False: they are one search too many."""
        self._searches = self._searches + 1 if only_searches else 0
        if self._searches > self._limits.searches:
            self.hits("searches")
            return False
        return True

    def may(self, call: ToolCall) -> bool:
        """Count a call; False: it was made often enough, and would come to the same."""
        same = f"{call.name} {_canonical(call.arguments)}"
        self._made[same] += 1
        if self._made[same] > self._limits.repeats:
            self.hits("repeats")
            return False
        return True

    def ends_round(self) -> None:
        """Count what was done after an answer's calls were made."""
        if self._rounds >= self._limits.rounds:
            self.hits("rounds")


def _canonical(arguments: str) -> str:
    """The arguments in one form, whatever their blanks and order."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments.strip()
