"""Where an answer is looked for first: in core memory, in the records, or in the journal. Pure.

One look into the indexes finds both records and messages, so that what only the journal has is never missed. The layers say which of them
come first: those of the first layer that answer well enough, and then whatever comes nearest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from pagefile.queries import Hit

Layer: TypeAlias = Literal["core", "records", "journal"]

#: What is learnt comes before what was said, unless somebody asks for what was said.
FACTS_FIRST: tuple[Layer, ...] = ("core", "records", "journal")
#: A hit of this score answers well enough, if it is not far behind the best of all.
SURE, NEAR_THE_BEST = 0.35, 0.7


def layered(hits: Sequence[Hit], layers: Sequence[Layer]) -> tuple[Hit, ...]:
    """Hits, best first, with those of the first searched layer in front that answer well enough. None is left out."""
    # Blocks stand in the window: nothing of them is searched for.
    first = next((layer for layer in layers if layer != "core"), None)
    if first is None or not hits:
        return tuple(hits)
    enough = max(SURE, NEAR_THE_BEST * max(hit.score for hit in hits))
    sure = [hit for hit in hits if layer_of(hit) == first and hit.score >= enough]
    ids = {hit.id for hit in sure}
    return (*sure, *(hit for hit in hits if hit.id not in ids))


def layer_of(hit: Hit) -> Layer:
    """The layer that a hit was found in."""
    return "journal" if hit.kind == "message" else "records"
