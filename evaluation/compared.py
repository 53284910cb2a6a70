"""The settings that are compared: how they are written, and how a system with them is opened."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from evaluation.baselines import FusedRanks, Meaning, Words
from evaluation.conversations import Conversation, DataError
from evaluation.systems import Pagefile, System
from evaluation.vectors import Embedders, SharedEmbedder
from evaluation.weighed import Weighed
from pagefile import AsyncMemory
from pagefile.records import Scope
from pagefile.retrieval.fuse import Weights
from pagefile.retrieval.presets import PRESETS
from pagefile.stores.sqlite.store import SqliteStore

Kind: TypeAlias = Literal["pagefile", "ranking", "bm25", "dense", "rrf"]
KINDS: tuple[Kind, ...] = get_args(Kind)
BASELINES: tuple[Kind, ...] = ("bm25", "dense", "rrf")

#: Signal of the ranking → the weights that are nothing without it.
SIGNALS: Mapping[str, tuple[str, ...]] = {
    "words": ("words", "covered"),
    "meaning": ("meaning", "meaning_of_long", "meaning_of_talk"),
    "neighbours": ("before", "after", "before_meaning", "after_meaning"),
    "speaker": ("speaker",),
    "session": ("session", "session_best"),
    "time": ("time",),
    "length": ("length",),
    "reply": ("asks", "answers", "length_before", "opens"),
}
#: Options of a setting, beside the weights of a ranking.
_SEARCH = ("preset", "floor")
_OPENING = ("embedder", "learn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One of those that are compared."""

    #: As it was written, and stands in the tables.
    name: str
    kind: Kind
    #: Arguments of every search.
    search: Mapping[str, Any] = field(default_factory=dict)
    #: Arguments of opening: "embedder", "learn".
    opening: Mapping[str, str] = field(default_factory=dict)
    #: None: those of the library.
    weights: Weights | None = None

    @property
    def ablation(self) -> bool:
        """Whether it is a ranking with weights of its own."""
        return self.weights is not None


def setting(text: str) -> Setting:
    """Read a setting: ``KIND`` or ``KIND:OPTION=VALUE,…``. Raises DataError, which says what can be written."""
    kind, _, rest = text.strip().partition(":")
    if kind not in KINDS:
        raise DataError(f"there is no {kind!r} to compare; there are {', '.join(KINDS)}, and options after a colon")
    search: dict[str, Any] = {}
    opening: dict[str, str] = {}
    weights: dict[str, Any] = {}
    for option in filter(None, (each.strip() for each in rest.split(","))):
        name, equals, value = option.partition("=")
        if not equals:
            raise DataError(f"{option!r} in {text!r} has no value; write it as OPTION=VALUE")
        if name in _OPENING:
            opening[name] = value
        elif name in _SEARCH:
            search[name] = _argument(name, value, text)
        else:
            weights |= _weights(name, value, text)
    if weights and kind != "ranking":
        raise DataError(f"{text!r} has weights, which only the kind ranking has")
    return Setting(name=text.strip(), kind=kind, search=search, opening=opening, weights=Weights(**weights) if weights else None)


def _argument(name: str, value: str, text: str) -> str | float:
    """An argument of a search."""
    if name == "preset" and value not in PRESETS:
        raise DataError(f"{text!r}: there is no preset {value!r}; there are {', '.join(PRESETS)}")
    return _number(value, text) if name == "floor" else value


def ablations() -> list[Setting]:
    """The ranking, and the ranking without each of its signals."""
    return [setting("ranking"), *(setting(f"ranking:without={signal}") for signal in SIGNALS)]


def embedder_of(chosen: Setting, embedders: Embedders, embedder: str | None) -> SharedEmbedder | None:
    """What a setting embeds with. ``embedder``: name for settings that name none."""
    return None if chosen.kind == "bm25" else embedders.find(chosen.opening.get("embedder", embedder))


def together(settings: Iterable[Setting]) -> list[list[Setting]]:
    """Settings in groups that can ask one memory: it takes longer to fill than to ask."""
    groups: dict[object, list[Setting]] = {}
    for one in settings:
        of_its_own = one.kind not in ("pagefile", "ranking")
        groups.setdefault(one.name if of_its_own else tuple(sorted(one.opening.items())), []).append(one)
    return list(groups.values())


@asynccontextmanager
async def opened(
    settings: Sequence[Setting], conversation: Conversation, folder: Path, *, embedder: SharedEmbedder | None
) -> AsyncIterator[list[System]]:
    """A system for each of the settings of a group, new and empty: what is added to the first is there for all.

    ``folder``: where it may keep what it is given. Raises DataError.
    """
    first = settings[0]
    if first.kind == "bm25":
        yield [Words()]
    elif first.kind in ("dense", "rrf"):
        if embedder is None:
            raise DataError(f"{first.name} needs an embedder, and there is none; name one with --embedder")
        yield [Meaning(embedder) if first.kind == "dense" else FusedRanks(embedder)]
    else:
        learn: Any = first.opening.get("learn")
        store = await SqliteStore.open(folder / "memory.db")
        async with await AsyncMemory.open(embedder=embedder or "none", learn=learn, store=store) as memory:
            yield [_over(memory, store, one, conversation, folder, embedder) for one in settings]


def _over(
    memory: AsyncMemory, store: SqliteStore, chosen: Setting, conversation: Conversation, folder: Path, embedder: SharedEmbedder | None
) -> System:
    searched = Pagefile(memory, conversation.name, folder, **chosen.search)
    if chosen.kind == "pagefile":
        return searched
    scope, preset = Scope("default", conversation.name), chosen.search.get("preset", "balanced")
    return Weighed(searched, store, scope, embedder, weights=chosen.weights or Weights(), preset=preset)


def _weights(name: str, value: str, text: str) -> dict[str, Any]:
    """The fields of the weights that an option sets."""
    fields = {each.name: each for each in dataclasses.fields(Weights)}
    if name == "without":
        if value not in SIGNALS:
            raise DataError(f"{text!r}: there is no signal {value!r}; there are {', '.join(SIGNALS)}")
        return {each: () if isinstance(fields[each].default, tuple) else 0.0 for each in SIGNALS[value] if each in fields}
    if name not in fields:
        raise DataError(f"{text!r}: there is no option {name!r}; there are {', '.join((*_OPENING, *_SEARCH, 'without', *fields))}")
    if isinstance(fields[name].default, tuple):
        return {name: tuple(_number(each, text) for each in value.split("/") if each)}
    number = _number(value, text)
    return {name: round(number) if isinstance(fields[name].default, int) else number}


def _number(value: str, text: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise DataError(f"{value!r} in {text!r} is no number") from error


def settings_of(written: Sequence[str], *, baselines: bool, ablate: bool) -> list[Setting]:
    """All that is compared, each once; the first is what the others are compared with. Raises DataError."""
    chosen = [setting(text) for text in written] or [setting("pagefile")]
    if baselines:
        chosen += [setting(kind) for kind in BASELINES]
    if ablate:
        chosen += ablations()
    return list({each.name: each for each in chosen}.values())
