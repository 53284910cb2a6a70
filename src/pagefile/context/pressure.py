"""What is done about a window that fills up: a warning at 70 %, and from 90 % on the oldest leave until half is used. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pagefile.context.assemble import Material, without_evicted
from pagefile.context.budget import Budget
from pagefile.context.evict import plan_eviction, warns
from pagefile.context.render import message_size
from pagefile.context.shorten import old_until


@dataclass(frozen=True, slots=True, kw_only=True)
class Relief:
    """What the pressure on a window asks for."""

    level: Literal["warn", "evict"]
    #: Tokens that the messages before the current one take, and what they may take.
    used: int
    limit: int
    #: What the window is made of from now on.
    material: Material
    #: Messages that leave, and the tokens that they took.
    messages: int = 0
    tokens: int = 0

    @property
    def window_start(self) -> int:
        """Sequence number of the first message that stays."""
        return self.material.messages[0].seq


def relieve(material: Material, budget: Budget) -> Relief | None:
    """Decide what is to be done so that all that is shown fits; None: nothing.

    "warn" comes in the turn in which 70 % are passed, and once: the material then tells the model that messages will leave. "evict" takes
    them out of the material; whoever calls this keeps ``window_start`` and lets them be summarised.
    """
    sizes, current = material.sizes, material.current
    used = sum(sizes[:current])
    if eviction := plan_eviction(material.repaired, sizes, current=current, share=budget.recent):
        kept, gone = without_evicted(material, eviction), len(eviction.evicted)
        return Relief(level="evict", used=used, limit=budget.recent, material=kept, messages=gone, tokens=eviction.tokens)
    # What this message and its answer take is left aside: after a long one the same window would seem to have room again, and fill up anew.
    limit = budget.recent + budget.user + budget.turn
    if not material.filling_up and warns(before=_before(material), used=used, share=limit):
        return Relief(level="warn", used=used, limit=limit, material=replace(material, filling_up=True))
    return None


def _before(material: Material) -> int:
    """Tokens that the earlier messages took a turn ago, when some results of tools were whole."""
    messages, current = material.repaired, material.current
    previous = next((place for place in range(current - 1, 0, -1) if messages[place].role == "user"), 0)
    whole, until = material.whole, old_until(messages, previous)
    sizes = [*material.sizes[:until], *(message_size(one, material.window, images=material.images) for one in whole[until:previous])]
    return sum(sizes)
