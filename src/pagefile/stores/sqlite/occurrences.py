"""How often texts stand in a store's file and in what lies beside it: byte by byte, as somebody with a hex editor would look."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pagefile.stores.sqlite.scrubbing import descriptor, read

_CHUNK = 4 * 2**20


def count(path: Path, texts: Sequence[str]) -> tuple[int, ...]:
    """How often each text stands there: as it is, or as JSON writes it, also within JSON. Free pages and the log count, backups do not.

    A text longer than what is left of a page may be cut in two by the file's own bytes, and is not seen then. Runs on the writing
    connection, inside a transaction: nobody else may move pages meanwhile.
    """
    forms = [_forms(text) for text in texts]
    counts = [0] * len(texts)
    for open_file in (_store_file(path), *(_file_beside(path, end) for end in ("-wal", "-journal"))):
        for place, found in enumerate(_count_in_file(open_file, forms)):
            counts[place] += found
    return tuple(counts)


def _forms(text: str) -> frozenset[bytes]:
    if not text:
        return frozenset()
    forms = {text}
    # Twice: arguments of a tool call are JSON, and stand in JSON.
    for _ in range(2):
        forms |= {json.dumps(form, ensure_ascii=ascii)[1:-1] for form in forms for ascii in (False, True)}
    return frozenset(form.encode("utf-8", "surrogatepass") for form in forms)


#: Reads so many bytes from a place on.
_Read = Callable[[int, int], bytes]


def _store_file(path: Path) -> _Read:
    file = descriptor(path)
    return lambda size, start: read(file, size, start)


def _file_beside(path: Path, end: str) -> _Read:
    beside = path.with_name(path.name + end)

    def read_beside(size: int, start: int) -> bytes:
        try:
            with beside.open("rb") as file:
                file.seek(start)
                return file.read(size)
        except FileNotFoundError:
            return b""

    return read_beside


def _count_in_file(read_at: _Read, forms: Sequence[Iterable[bytes]]) -> list[int]:
    counts = [0] * len(forms)
    wanted = [(place, form) for place, some in enumerate(forms) for form in some]
    # Where to look for each form next: behind the last place where it was found.
    ahead = [0] * len(wanted)
    overlap = max((len(form) for _, form in wanted), default=1) - 1
    start, kept = 0, b""
    while chunk := read_at(_CHUNK, start):
        block, base = kept + chunk, start - len(kept)
        for number, (place, form) in enumerate(wanted):
            while (found := block.find(form, max(ahead[number] - base, 0))) >= 0:
                counts[place] += 1
                ahead[number] = base + found + len(form)
        start += len(chunk)
        kept = block[len(block) - min(overlap, len(block)) :]
    return counts
