"""How much work a search may do: three settings with a name, so that a choice is one word and its cost can be told."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from pagefile.errors import InputError

Preset: TypeAlias = Literal["fast", "balanced", "thorough"]
PRESETS: tuple[Preset, ...] = get_args(Preset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What a preset stands for."""

    #: Whether the query is embedded and compared with vectors.
    vectors: bool = True
    #: Candidates from each of the two searches, at least.
    pool: int = 60
    #: Turns before and after each that are candidates too.
    neighbours: int = 1
    #: Whether a question is followed from one fact to another: "where does Tom's sister work?".
    links: bool = True


#: "fast": words alone, without the time that an embedder takes. "balanced": the default. "thorough": looks at more candidates, for those
#: who ask for many hits, or for all of them.
EFFORTS = MappingProxyType[Preset, Effort](
    {"fast": Effort(vectors=False, links=False), "balanced": Effort(), "thorough": Effort(pool=200, neighbours=2)},
)


def effort(preset: str) -> Effort:
    """What a preset stands for. Raises InputError for another name."""
    for known in PRESETS:
        if preset == known:
            return EFFORTS[known]
    raise InputError(f"preset must be fast, balanced or thorough, not {preset!r}")
