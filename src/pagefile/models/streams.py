"""What a server streams, line by line: server-sent events, or one JSON value a line."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator

#: What a server says when its reply is whole.
DONE = "[DONE]"
_NOTHING = object()


async def lines_of(pieces: AsyncIterator[bytes]) -> AsyncGenerator[str, None]:
    """The lines of a stream that is cut anywhere. Only a line feed ends one: JSON may have the other line ends of Unicode in its texts."""
    held = b""
    async for piece in pieces:
        *lines, held = (held + piece).split(b"\n")
        for line in lines:
            yield line.decode("utf-8", "replace").removesuffix("\r")
    if held:
        yield held.decode("utf-8", "replace")


class Events:
    """Reads the lines of a stream of events whose data is JSON. Other fields and comments are passed over."""

    def __init__(self) -> None:
        self._data = ""

    def feed(self, line: str) -> list[object]:
        """The data that is whole with this line, ``DONE`` among it. Raises ValueError for an event that is no JSON."""
        line = line.removeprefix("\ufeff")
        field, colon, value = line.partition(":")
        if field.strip() == "data" and colon:
            self._data += value.strip()
            if self._data.startswith(DONE):
                self._data = ""
                return [DONE]
            data = _json(self._data)  # many servers leave out the empty line behind
        elif line.startswith("{"):
            data = _json(line)  # an error of a gateway in the middle of a stream
        elif not line.strip() and self._data:
            held, self._data = self._data, ""
            raise ValueError(f"the event {held[:60]!r} is no JSON")
        else:
            return []
        if data is _NOTHING:
            return []
        self._data = ""
        return [data]


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return _NOTHING
