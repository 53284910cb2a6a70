"""Put what the rules found together: "Friday" "last week" "3pm" to one span, and words before and after it to a range."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from pagefile.language.dates.rules import Atom, Meaning, Part, Repeated, Unreadable
from pagefile.language.dates.spans import CYCLES_TO_TRY, Cycle, Lean, Now, Recurring, Span, in_cycle, nearest, whole, within

#: What may stand between two parts of one date.
JOINT = re.compile(
    r"(?:'s)?\s*[,，]?\s*[(（]?\s*(?:(?:at|on|in|of|for|during|around|about|over|back in)\s+)?(?:the\s+)?(?:的|在)?@?\s*", re.IGNORECASE
)
LONGEST_JOINT = 24
#: "In the early morning of Monday, May 8, 2023 at 5" has six parts; more than this is no date.
MOST_PARTS = 8


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring atoms that name one time together."""

    start: int
    end: int
    parts: tuple[Meaning, ...]
    #: At least one part counts by itself, or several stand together.
    firm: bool
    #: With an atom that cannot be read, or names no single time.
    verdict: Unreadable | Repeated | None = field(default=None)

    @property
    def placed(self) -> bool:
        """Whether the words themselves say which one, so that no lean is needed."""
        return any(isinstance(part, Span) for part in self.parts)


def size(meaning: Meaning, now: Now) -> int:
    """Coarse to fine: spans, what recurs in a year, month, week, a part of the day, a time of day. Pieces come after months."""
    if isinstance(meaning, Span):
        return 0
    if isinstance(meaning, Recurring):
        if meaning.cycle == "day":
            span = meaning.span_in(now.today)
            return 5 if span is None or span.end - span.start > timedelta(hours=1) else 6
        return {"year": 1, "month": 2, "week": 4}[meaning.cycle]
    return 3


def narrow(parts: Sequence[Meaning], now: Now, lean: Lean) -> Span | None:
    """Read the parts of one date together, coarse to fine. None if they do not fit each other."""
    span = _narrow(parts, now, lean)
    return span or _told_by_weekday(parts, now, lean)


def _told_by_weekday(parts: Sequence[Meaning], now: Now, lean: Lean) -> Span | None:
    """ "Monday, May 8" and "Saturday the 12th": the weekday tells the year or the month, the nearest that fits."""
    cycles = [part.cycle for part in parts if isinstance(part, Recurring)]
    if "week" not in cycles or not {"year", "month"} & set(cycles) or any(isinstance(part, Span) for part in parts):
        return None
    cycle: Cycle = "year" if "year" in cycles else "month"
    for distance in range(CYCLES_TO_TRY):
        for offset in (-distance, distance) if lean == "past" else (distance, -distance):
            placed = in_cycle(whole(cycle), now.local, offset)
            span = _narrow([*parts, placed], now, lean) if placed is not None else None
            if span is not None:
                return span
    return None


def _narrow(parts: Sequence[Meaning], now: Now, lean: Lean) -> Span | None:
    span: Span | None = None
    waiting: list[Part] = []
    for part in sorted(parts, key=lambda part: size(part, now)):
        if isinstance(part, Part):
            if span is None:
                waiting.append(part)
            else:
                span = part.of(span, now)
        elif isinstance(part, (Span, Recurring)):
            span = _narrower(span, part, now, lean)
            if span is None:
                return None
    if span is not None:
        for part in waiting:
            span = part.of(span, now)
    return span


def _narrower(span: Span | None, part: Span | Recurring, now: Now, lean: Lean) -> Span | None:
    if isinstance(part, Recurring):
        return nearest(part, now, lean) if span is None else within(part, span)
    if span is None or (span.start <= part.start and part.end <= span.end):
        return part
    return span if part.start <= span.start and span.end <= part.end else None


def _try(parts: Sequence[Meaning], now: Now) -> bool:
    try:
        return narrow(parts, now, "past") is not None
    except (ValueError, OverflowError):
        # They belong together, but name nothing that there is: "the fifth Friday of February".
        return True


def join(text: str, atoms: Sequence[Atom], now: Now) -> list[Group]:
    """Group neighbouring atoms as far as they fit together."""
    groups: list[Group] = []
    for atom in atoms:
        new = _group(atom)
        if groups and (joined := _joined(groups[-1], new, text, now)) is not None:
            groups[-1] = joined
        else:
            groups.append(new)
    return groups


def _group(atom: Atom) -> Group:
    if isinstance(atom.meaning, (Unreadable, Repeated)):
        return Group(atom.start, atom.end, (), True, atom.meaning)
    return Group(atom.start, atom.end, (atom.meaning,), atom.firm)


def _joined(group: Group, new: Group, text: str, now: Now) -> Group | None:
    gap = text[group.end : new.start]
    if len(gap) > LONGEST_JOINT or len(group.parts) >= MOST_PARTS or JOINT.fullmatch(gap) is None:
        return None
    if "，" in gap and max(_sizes(group, now)) > min(_sizes(new, now)):
        # Chinese dates go from coarse to fine; after a comma the other way round is another time.
        return None
    if group.verdict is not None or new.verdict is not None:
        return _swallowed(group, new, gap)
    both = (*group.parts, *new.parts)
    pieces_only = all(isinstance(part, Part) for part in both)
    if not pieces_only and not _try([part for part in both if not isinstance(part, Part)], now):
        return _without_hour(group, new)
    # A piece lends no weight: "late" beside "Sun" does not make a date of it.
    firm = group.firm or new.firm or sum(not isinstance(part, Part) for part in both) > 1
    return Group(group.start, new.end, both, firm)


def _sizes(group: Group, now: Now) -> list[int]:
    return [size(part, now) for part in group.parts] or [0]


def _swallowed(group: Group, new: Group, gap: str) -> Group | None:
    """ "Every" takes the recurring thing beside it along, and its hour: "every Friday", "every day at 5pm", 每年春节."""
    if isinstance(group.verdict, Repeated) and new.parts and not new.placed:
        hours_only = all(isinstance(part, Recurring) and part.cycle == "day" for part in new.parts)
        if not gap.strip() or hours_only:
            return replace(group, end=new.end)
    if (
        isinstance(new.verdict, Repeated)
        and group.parts
        and all(isinstance(part, Recurring) and part.cycle == "day" for part in group.parts)
    ):
        return Group(group.start, new.end, (), True, new.verdict)
    return None


def _without_hour(group: Group, new: Group) -> Group | None:
    """The hour of a longer time ("last summer at noon") tells no more than the longer time."""
    if group.placed and all(isinstance(part, Recurring) and part.cycle == "day" for part in new.parts):
        return replace(group, end=new.end)
    return None
