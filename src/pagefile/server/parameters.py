"""Parameters of the query that a route does not have are refused: one that is misspelt would have no effect, and nobody would notice."""

from __future__ import annotations

import difflib
from typing import Any

from fastapi import Request
from fastapi.exceptions import RequestValidationError

#: Unknown ones that are told of at once.
_MOST_TOLD = 10
#: Path and methods of a route → the parameters of the query that it has.
_known: dict[tuple[str, frozenset[str]], tuple[str, ...]] = {}


async def only_known_parameters(request: Request) -> None:
    """Raises RequestValidationError, which is answered with 422, if the query has other parameters than those of its route."""
    if not request.query_params:
        return
    known = _parameters(request.scope["route"])
    unknown = [name for name in dict.fromkeys(request.query_params.keys()) if name not in known]
    if unknown:
        raise RequestValidationError([{"loc": ("query", name[:80]), "msg": _told(name, known)} for name in unknown[:_MOST_TOLD]])


def _parameters(route: Any) -> tuple[str, ...]:
    key = (str(route.path), frozenset(route.methods or ()))
    if key not in _known:
        names, waiting = dict[str, None](), [route.dependant]
        while waiting:
            one = waiting.pop()
            names |= dict.fromkeys(parameter.alias for parameter in one.query_params)
            waiting += one.dependencies
        _known[key] = tuple(sorted(names))
    return _known[key]


def _told(name: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name[:80], known, n=1)
    if close:
        return f"there is no such parameter here; did you mean {close[0]}?"
    return f"there is no such parameter here; there are {', '.join(known)}" if known else "there are no parameters here"
