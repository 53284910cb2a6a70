"""Which way of remembering is worth it for some chat logs, and why. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pagefile.advise.logs import Log
from pagefile.advise.signs import Signs, signs_of
from pagefile.advise.ways import Cost, Way, costs_of
from pagefile.errors import InputError

#: So many turns, and this share of them, that need the past make memory worth it.
_TURNS, _SHARE = 2, 0.03
#: The share of messages of tools from which on a log is that of an agent at work.
_TOOLS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Whether one thing is worth it, and why."""

    what: str
    worth: bool
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What was found in chat logs, and what follows from it."""

    window: int
    signs: Signs
    costs: tuple[Cost, ...]
    #: The way that is enough, and why.
    way: Way
    why: str
    #: What is worth it beside it, and what is not.
    beside: tuple[Verdict, ...]


def advise(logs: Sequence[Log], *, window: int) -> Advice:
    """Look through logs, for a model that reads ``window`` tokens at once. Raises InputError if nobody says anything in them."""
    if not logs:
        raise InputError("nobody says anything in these logs: there is no message of a user")
    signs, searches = signs_of(logs)
    costs = costs_of(logs, searches, window=window)
    way, why = _way(signs, {cost.way: cost for cost in costs}, window)
    return Advice(window=window, signs=signs, costs=costs, way=way, why=why, beside=_beside(signs, way))


def _way(signs: Signs, costs: dict[Way, Cost], window: int) -> tuple[Way, str]:
    full, paging = costs["full history"], costs["paging"]
    needs = signs.past + signs.repeated_elsewhere
    fits = not full.too_long
    length = f"the longest conversation has {full.last:,} tokens in the end, and a window of {window:,} holds it"
    if not fits:
        length = f"{_turns(full.too_long)} would not fit a window of {window:,} tokens"
    if needs >= max(_TURNS, _SHARE * signs.turns):
        again = _some(signs.repeated_elsewhere, "asks again", "ask again", "what was asked in an earlier conversation")
        past = f"{_of_turns(signs.past, signs.turns, 'refers', 'refer', 'to what was said before')}, and {again}"
        if not fits or signs.conversations > 1:
            where = "earlier conversations are in no window at all" if signs.conversations > 1 and fits else length
            return "paging", f"{past}; {where}"
        return "full history", f"{past}, but there is one conversation; {length}"
    few = _of_turns(needs, signs.turns, "needs", "need", "what was said elsewhere")
    if fits and full.mean <= 2 * paging.mean:
        return "full history", f"{length}; {few}"
    if fits:
        return "running summary", f"{length}, but a turn reads {full.mean:,} tokens on average; few turns need the words of the past"
    return "running summary", f"{length}; {few}, so a summary is enough"


def _beside(signs: Signs, way: Way) -> tuple[Verdict, ...]:
    again = f"{signs.same_instructions:,} conversations begin with the same instructions ({signs.instruction_tokens} tokens)"
    rules = Verdict(
        what="resident rules",
        worth=signs.same_instructions > 0,
        why=again if signs.same_instructions else "no two conversations begin with the same instructions",
    )
    at_work = signs.of_tools >= _TOOLS * signs.messages and signs.of_tools > 0
    work = _some(signs.of_tools, "is a result", "are results", "of tools", of=signs.messages, noun="message")
    status = Verdict(what="status block, task state, checkpoints", worth=at_work, why=work)
    goes_on = signs.longest_turns > 1 and way != "paging"
    kept = Verdict(
        what="session save and load",
        worth=goes_on,
        why="a conversation can be taken up again where it ended" if goes_on else "everything said is in the journal and can be recalled",
    )
    return rules, status, kept


def _of_turns(number: int, turns: int, one: str, several: str, what: str) -> str:
    return _some(number, one, several, what, of=turns, noun="turn")


def _some(number: int, one: str, several: str, what: str, *, of: int | None = None, noun: str = "") -> str:
    """ "1 of 5 turns needs it", "no turn needs it", "the only turn needs it", "all 3 turns need it"."""
    verb = one if number <= 1 else several
    if of is None:
        return f"{number or 'none':{',' if number else ''}} {verb} {what}"
    if number == 0:
        return f"no {noun} {verb} {what}"
    if number == of:
        return f"the only {noun} {verb} {what}" if of == 1 else f"all {of:,} {noun}s {verb} {what}"
    return f"{number:,} of {of:,} {noun}s {verb} {what}"


def _turns(number: int) -> str:
    return "1 turn" if number == 1 else f"{number:,} turns"
