"""Regular expressions that are compiled when they are first used: hundreds of them would make up most of the time that an import takes."""

from __future__ import annotations

import functools
import re
from typing import Any, cast

_USED = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")


class LatePattern:
    """Stands in for a compiled pattern."""

    def __init__(self, look: str, flags: int) -> None:
        self.pattern, self.flags = look, flags

    def __getattr__(self, name: str) -> Any:
        # Asked only for what is not there yet: from the first use on these are attributes.
        compiled = re.compile(self.pattern, self.flags)
        self.__dict__.update({each: getattr(compiled, each) for each in _USED})
        return getattr(compiled, name)


@functools.cache
def late_pattern(look: str, flags: int = 0) -> re.Pattern[str]:
    """The same as ``re.compile``, but a mistake in it shows when it is first used. The same look gives the same pattern."""
    return cast("re.Pattern[str]", LatePattern(look, flags))
