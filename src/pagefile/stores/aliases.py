"""Names that stand for the same: what merges and splits make of them, and which go when something is erased. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pagefile.entities import ENTITY, ME, Alias
from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.language.entities import entity_key, mentions, plain_text, stands_in
from pagefile.queries import Item
from pagefile.records import HistoryEntry, Merge, Record, Split, identifier

#: The fields of a record that bear on what it names.
_NAMING = frozenset({"text", "kind", "subject", "attribute", "value", "entities", "extractor"})


def merged(change: Merge, aliases: Mapping[str, Alias]) -> Alias:
    """The alias that a merge makes. ``aliases``: those that stand, by key.

    Raises InputError for a name that names nothing, ConflictError for one that is an alias already, or would be one of itself.
    """
    name, into = identifier(change.target, "name"), identifier(change.into, "name")
    alias = Alias(key=_key(name), name=name, into=_key(into), into_name=into)
    if alias.key in aliases:
        raise ConflictError(f"{name!r:.80} stands for {aliases[alias.key].into_name!r:.80} already; split it first. Nothing was changed")
    if alias.key == ME:
        raise InputError(f"the user is nobody else's alias; merge {into!r:.80} into the user instead. Nothing was changed")
    if root(alias.into, aliases) == alias.key:
        raise ConflictError(f"{into!r:.80} and {name!r:.80} stand for the same already; nothing was changed")
    return alias


def split(change: Split, aliases: Mapping[str, Alias]) -> Alias:
    """The alias that a split takes away. Raises NotFound, and ConflictError if the name stands for another one than the split says."""
    found = aliases.get(entity_key(change.target))
    if found is None:
        raise NotFound(f"{change.target!r:.80} was not merged into another name, so it cannot be split off; nothing was changed")
    if change.into is not None and entity_key(change.into) != found.into:
        raise ConflictError(f"{found.name!r:.80} stands for {found.into_name!r:.80} now, not for {change.into!r:.80}; nothing was changed")
    return found


def _key(name: str) -> str:
    key = entity_key(name)
    if not key:
        raise InputError(f"{name!r:.80} has no letters or figures, and names nothing; nothing was changed")
    return key


def root(key: str, aliases: Mapping[str, Alias]) -> str:
    """The key that a name stands for in the end: itself, unless it was merged."""
    seen = {key}
    while key in aliases and aliases[key].into not in seen:
        key = aliases[key].into
        seen.add(key)
    return key


def told(alias: Alias) -> dict[str, str]:
    """An alias as the history tells of it."""
    return {"name": alias.name, "into": alias.into_name}


def target(alias: Alias) -> str:
    """How the history names what was done to a name."""
    return f"{ENTITY}{alias.key}"


def keys_told(entry: Mapping[str, Any]) -> set[str]:
    """The keys that a change of a name in the history tells of; ``entry``: its ``before`` or ``after``."""
    return {entity_key(entry[field]) for field in ("name", "into") if isinstance(entry.get(field), str)}


def versions(record: Record, history: Sequence[HistoryEntry]) -> tuple[Record, ...]:
    """A record as it is, and as it was before each of its changes, as far as they bear on what it names; the newest first."""
    found = [record]
    for entry in reversed(history):
        was: dict[str, Any] = {
            name: tuple(value) if name == "entities" else value for name, value in entry.before.items() if name in _NAMING
        }
        if was:
            found.append(replace(found[-1], **was))
    return tuple(found)


def lost_names(items: Iterable[Item], told_of: Iterable[str], is_named: Callable[[str], bool], standing: Iterable[Alias] = ()) -> set[str]:
    """The keys that nothing names any more when these items are erased.

    ``told_of``: keys that aliases, and the history of names, tell of: one of these goes also if the text of an erased message has it.
    ``is_named``: whether a record that stays names a key. ``standing``: the merges that stand: with a lost name go those that are merged
    with it, up to the next that something names.
    """
    items = list(items)
    gone = {mention.key for item in items if isinstance(item, Record) for mention in mentions(item)}
    texts = [plain_text(item.text) for item in items]
    gone |= {key for key in told_of if any(stands_in(key, text) for text in texts)}
    beside: dict[str, set[str]] = {}
    for alias in standing:
        beside.setdefault(alias.key, set()).add(alias.into)
        beside.setdefault(alias.into, set()).add(alias.key)
    lost, seen, left = set[str](), {ME} | gone, list(gone - {ME})
    while left:
        key = left.pop()
        if is_named(key):
            continue
        lost.add(key)
        left += beside.get(key, set()) - seen
        seen |= beside.get(key, set())
    return lost


def tells_of(entry: HistoryEntry, keys: set[str]) -> bool:
    """Whether a change in the history is about one of these names."""
    return entry.target.startswith(ENTITY) and not keys.isdisjoint(
        {entry.target.removeprefix(ENTITY)} | keys_told(entry.before) | keys_told(entry.after)
    )


def by_key(aliases: Iterable[Alias]) -> dict[str, Alias]:
    return {alias.key: alias for alias in aliases}
