"""What holds again when records are taken back: of what had given way to them the newest, as if nobody had said them. Pure.

A record gives way with an end to its validity and the time of the change (``retired_at``). If what it gave way to is taken back, but was
replaced itself by then, the record takes over that end: it has given way to what stands now, and holds again when that is taken back too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from pagefile.lifecycle.ledger import said_at
from pagefile.lifecycle.rivals import rivals
from pagefile.records import Cause, Edit, Record, Restore

#: What lets a record hold again, or gives it another end.
Again: TypeAlias = Restore | Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class GaveWay:
    """A record that no longer holds because of another one."""

    record: Record
    #: As it is when it holds again.
    held: Record
    #: It held once, and its history tells how. False: what it says was overruled before it came.
    told: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Gone:
    """A record that is taken back, and what gave way to it."""

    record: Record
    gave_way: tuple[GaveWay, ...] = ()
    #: The record that took its place, if one did.
    followed_by: Record | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contender:
    """A record that may hold from now on."""

    held: Record
    #: None: it holds already, and was said less lately than it seemed.
    gone: GaveWay | None
    #: Nothing stands in its way any more but another contender.
    free: bool = True


def hold_again(gone: Sequence[Gone], *, weaker: Sequence[Gone] = (), cause: Cause) -> tuple[Again, ...]:
    """The changes that follow when some records are taken back, and others (``weaker``, as they are then) were said less lately than it
    seemed, or wait for confirmation again."""
    going = {one.record.id: one for one in gone}
    contenders, changes = list[_Contender](), dict[str, Again]()
    for one in gone:
        last = _last(one, going)
        left = [each for each in one.gave_way if each.record.id not in going]
        if last.record.status == "superseded":
            stay = [each for each in left if _gives_way_to(last.followed_by, each.held, cause)]
            changes |= _given_over(stay, last, cause)
            left = [each for each in left if each not in stay]
        if last.record.status != "retired":
            contenders += [_Contender(held=each.held, gone=each) for each in left]
    for one in weaker:
        contenders += _challenged(one)
    return tuple((changes | _decided(contenders, cause)).values())


def until(end: Record, cause: Cause, *, held: Record) -> Mapping[str, datetime | None]:
    """The fields of a record that gives way to one that begins to hold now."""
    return {"valid_to": max(filter(None, (held.valid_from, end.valid_from)), default=cause.at), "retired_at": cause.at}


def _last(one: Gone, going: Mapping[str, Gone]) -> Gone:
    """The last of a row of records that gave way to each other and are all taken back."""
    seen = set[str]()
    while one.record.status == "superseded" and one.record.id not in seen:
        seen.add(one.record.id)
        one = next((each for each in going.values() if one.record.id in {other.record.id for other in each.gave_way}), one)
    return one


def _gives_way_to(heir: Record | None, held: Record, cause: Cause) -> bool:
    """Whether a record cannot stand beside what took the place of another one."""
    return heir is None or bool(rivals(replace(heir, status="current", valid_to=None), [held], cause))


def _given_over(left: Sequence[GaveWay], last: Gone, cause: Cause) -> dict[str, Again]:
    """Records that gave way to what is taken back have given way to what stands in its place."""
    fields = {"valid_to": last.record.valid_to, "retired_at": last.record.retired_at}
    changes: dict[str, Again] = {each.record.id: Edit(target=each.record.id, fields=fields, cause=cause) for each in left}
    if left and (heir := last.followed_by) is not None and heir.supersedes == last.record.id:
        newest = max(left, key=lambda each: _age(each.held))
        changes[heir.id] = Edit(target=heir.id, fields={"supersedes": newest.record.id}, cause=cause)
    return changes


def _challenged(one: Gone) -> list[_Contender]:
    """What gave way to a record that does not count as it did: all of it, or what was said after it."""
    if one.record.status != "current":
        return [_Contender(held=each.held, gone=each) for each in one.gave_way]
    later = [each for each in one.gave_way if said_at(each.held) > said_at(one.record)]
    return [_Contender(held=one.record, gone=None), *(_Contender(held=each.held, gone=each, free=False) for each in later)]


def _decided(contenders: Sequence[_Contender], cause: Cause) -> dict[str, Again]:
    """The newest holds, with all that can stand beside it."""
    holding, changes = list[_Contender](), dict[str, Again]()
    for each in sorted(contenders, key=lambda each: _age(each.held), reverse=True):
        id = each.held.id
        if id in changes:
            continue
        opposed = (other.held for other in holding if not _stood_together(other, each) and rivals(other.held, [each.held], cause))
        winner = next(opposed, None)
        if winner is None:
            holding.append(each)
            if each.gone is not None:
                changes[id] = again(each.gone, cause)
        elif each.free:
            ended = {} if each.gone is not None else {"status": "superseded"}
            changes[id] = Edit(target=id, fields={**ended, **until(winner, cause, held=each.held)}, cause=cause)
    return changes


def _stood_together(one: _Contender, other: _Contender) -> bool:
    """Whether two records held at the same time and were ended by one change, as those that are merged into one."""
    if one.gone is None or other.gone is None or not (one.gone.told and other.gone.told):
        return False
    return one.gone.record.retired_at == other.gone.record.retired_at


def again(gone: GaveWay, cause: Cause) -> Again:
    """The change that lets a record hold again."""
    if gone.told:
        # A store lets nothing come back in this way that was erased.
        return Restore(target=gone.record.id, cause=cause)
    held = gone.held
    return Edit(target=held.id, fields={"status": held.status, "valid_to": held.valid_to, "retired_at": None}, cause=cause)


def overruled(record: Record, known: Sequence[Record]) -> Record:
    """A record that was overruled before it came, as it would hold. The end that it was given is the beginning of what overruled it."""
    given = {each.valid_from for each in known}
    return replace(record, status="current", retired_at=None, valid_to=None if record.valid_to in given else record.valid_to)


def _age(record: Record) -> tuple[datetime, datetime, str]:
    """Of two records that contradict each other the one that is greater in this holds."""
    return said_at(record), record.learned_at, record.id
