"""Resident rules: a Markdown file whose text stands in the fixed part of every window, read anew at the start of each turn."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pagefile.errors import InputError
from pagefile.language.text import clean
from pagefile.language.tokens import count

#: Tokens at most, and the share of a smaller window: what stands in every window has to leave room for the conversation.
MOST_TOKENS = 4_000
MOST_SHARE = 0.25
#: Bytes from which on a file is not even read.
_MOST_BYTES = 1_000_000


def read_rules(path: str | os.PathLike[str], window: int) -> str:
    """The rules of a file, for a model's window. Raises InputError if it cannot be read, is no text, or is too long."""
    place = Path(path).expanduser()
    try:
        size = place.stat().st_size
        data = place.read_bytes() if size <= _MOST_BYTES else b""
    except (OSError, ValueError, RuntimeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"the rules {str(path)!r} cannot be read: {why}; name a Markdown file, or leave the rules out") from error
    most = min(MOST_TOKENS, int(window * MOST_SHARE))
    try:
        text = clean(data.decode("utf-8-sig")).strip()
    except UnicodeDecodeError as error:
        raise InputError(f"the rules {str(path)!r} are not UTF-8 text (byte {error.start}); convert the file") from error
    tokens = count(text)
    if size > _MOST_BYTES or tokens > most:
        length = f"{size:,} bytes" if size > _MOST_BYTES else f"{tokens:,} tokens"
        raise InputError(
            f"the rules {str(path)!r} have {length}; at most {most:,} tokens are allowed in a window of {window:,}, "
            "as they stand in every one. Shorten the file"
        )
    return text


def rules_hash(text: str) -> str:
    """By which it is told which rules held in a turn; empty without rules."""
    return hashlib.sha256(text.encode()).hexdigest()[:16] if text else ""
