"""Notices a model that says the same over and over, as small ones do until their limit. Pure, piece by piece."""

from __future__ import annotations

#: The longest passage that is noticed when it comes again, in characters.
LONGEST_PASSAGE = 300
#: How often, and over how many characters, it must come in a row. A table or a refrain repeats less.
LEAST_TIMES = 6
LEAST_CHARACTERS = 400

_TAIL = max(LONGEST_PASSAGE * LEAST_TIMES, LEAST_CHARACTERS + LONGEST_PASSAGE)
#: New characters after which it is worth looking again.
_STEP = 64
_END = 24


class Repetition:
    """Looks at the end of a text that grows."""

    def __init__(self) -> None:
        self._tail = ""
        self._new = 0

    def noticed(self, piece: str) -> bool:
        """Whether the text, with this piece, has come to repeat itself."""
        self._tail = (self._tail + piece)[-_TAIL:]
        self._new += len(piece)
        if self._new < _STEP:
            return False
        self._new = 0
        return repeats_itself(self._tail)


def repeats_itself(text: str) -> bool:
    """Whether the text ends in one passage of words again and again, with nothing between."""
    end = text[-_END:]
    before = text.rfind(end, 0, len(text) - 1)
    length = len(text) - _END - before
    if before < 0 or length > LONGEST_PASSAGE:
        return False
    # Rules, blanks and dots are drawn with one sign in a row.
    if not any(sign.isalpha() for sign in text[-length:]):
        return False
    row = max(length * LEAST_TIMES, LEAST_CHARACTERS)
    return len(text) >= row and text[-row + length :] == text[-row:-length]
