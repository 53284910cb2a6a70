"""How much of a window each of its parts takes, for people and programs."""

from __future__ import annotations

from dataclasses import dataclass

from pagefile.queries import Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class PartUse:
    """One part of a window: the tokens that it takes, and those that it may take."""

    name: str
    used: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextReport:
    """What a window is filled with."""

    #: ``instructions``, ``tools``, ``blocks``, ``summary``, ``recent`` (earlier messages, and this turn's tool calls), ``recalled``,
    #: ``user``, and ``reply``, which is kept free.
    parts: tuple[PartUse, ...]
    #: Tokens of all that is sent, and how many that may be beside the reply.
    used: int
    limit: int
    #: Sequence number of the session's first message that is still in the window; what is before it was evicted.
    window_start: int
    #: Messages of the conversation that are shown, the current one among them.
    messages: int
    #: What was recalled and is shown, best first.
    hits: tuple[Hit, ...] = ()
    #: Whether the blocks are more than there is room for, so that some are shown in part.
    blocks_cut: bool = False

    def __getitem__(self, name: str) -> PartUse:
        """The part of a name. Raises KeyError."""
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(name)
