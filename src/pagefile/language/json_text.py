"""JSON that every server can read again: values with sound text and numbers, and objects as text. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from pagefile.language.text import clean


def sound_value(value: Any) -> Any:
    """The value with all text encodable and all numbers JSON: what is not finite becomes null, what JSON does not know its text."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(str(key)): sound_value(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [sound_value(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int) else clean(str(value))


def object_text(value: object) -> str:
    """The value as the text of a JSON object, as it was written if it is one; ``{}`` for what is none.

    Meant for the arguments of tool calls: endpoints and chat templates parse them again in every later request, so one that is broken
    (cut short, NaN, nested a thousand deep) would make all of them fail.
    """
    try:
        parsed = json.loads(value, parse_constant=_refuse) if isinstance(value, str) else value
        if not isinstance(parsed, Mapping):
            return "{}"
        sound = sound_value(parsed)
        return value if isinstance(value, str) and sound == parsed else json.dumps(sound, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return "{}"


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
