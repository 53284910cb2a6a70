"""Fits something on some conversations, and shows it on others: no figure is one of what it was fitted to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from evaluation.conversations import Conversation

#: What is held out: whole conversations, or, of a set that has but one, questions of it. The second is a weaker test: the turns were seen.
Over: TypeAlias = Literal["conversations", "questions"]
FOLDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """One division. Every question of every set is among ``shown`` in exactly one of the folds."""

    #: From 1.
    number: int
    #: To fit on. A conversation of which questions are held out has the others here.
    fit: tuple[Conversation, ...]
    #: To show the result on.
    shown: tuple[Conversation, ...]
    #: Set → what of it is held out.
    over: dict[str, Over]

    def label(self, name: str) -> str:
        """How the figures of a set are to be headed."""
        return f"{name}, held-out {self.over[name]}"


def folds(conversations: Iterable[Conversation], k: int = FOLDS) -> list[Fold]:
    """Divide conversations, set by set, into at most ``k`` folds; nothing is drawn by chance.

    The conversations of a set are dealt out in the order of their names: of a set with fewer than ``k``, some folds show none, and fit on
    all but those they show. Of a set with one conversation every ``k``-th question is held out, which is said in ``over``; of sets that
    are translations of each other these are the same questions, if they are in the same order. Raises ValueError for ``k`` under 2.
    """
    if k < 2:
        raise ValueError(f"there must be at least 2 folds, not {k}")
    by_set: dict[str, list[Conversation]] = {}
    for conversation in sorted(conversations, key=lambda one: (one.set, one.name)):
        by_set.setdefault(conversation.set, []).append(conversation)
    over: dict[str, Over] = {name: "conversations" if len(group) > 1 else "questions" for name, group in by_set.items()}
    made: list[Fold] = []
    for place in range(k):
        fit: list[Conversation] = []
        shown: list[Conversation] = []
        for group in by_set.values():
            kept, held_out = _divided(group, place, k)
            fit += kept
            shown += held_out
        if shown:
            made.append(Fold(number=len(made) + 1, fit=tuple(fit), shown=tuple(shown), over=over))
    return made


def _divided(group: Sequence[Conversation], place: int, k: int) -> tuple[list[Conversation], list[Conversation]]:
    """The part of a set to fit on, and the part that is held out."""
    if len(group) > 1:
        held_out = [one for number, one in enumerate(group) if number % k == place]
        return [one for one in group if one not in held_out], held_out
    only = group[0]
    kept = tuple(question for number, question in enumerate(only.questions) if number % k != place)
    asked = tuple(question for number, question in enumerate(only.questions) if number % k == place)
    return [replace(only, questions=kept)] if kept else [], [replace(only, questions=asked)] if asked else []
