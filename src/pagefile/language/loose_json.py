"""JSON as language models write it: fenced, cut short, with comments, loose quotes and lost brackets. Pure, linear, never raises.

What is valid JSON is read as JSON says, so that a valid text that was cut gives what it gave before the cut and nothing else.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.language.text import clean

#: A JSON text that was quoted as a string, again and again: read this deep.
_DEEPEST_STRING = 3
_LONGEST_NUMBER = 40

_OPENING = late_pattern(r"[{\[｛［]")
#: All of the text is one string: the first quote inside it is escaped, or there is none.
_QUOTED_JSON = late_pattern(r'"\s*[{\[](?:[^"\\]|\\[^"])*(?:\\"|"$)')
_BLANKS = late_pattern(r"(?:\s|\ufeff|//[^\n]*|#[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$))*")
_NUMBER = late_pattern(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?=[\s,，:：}\]｝］/#]|$)")
#: A word without quotes: a key up to its colon, a value up to its comma.
_BARE_KEY = late_pattern(r"[^\s,，:：={}\[\]｛｝［］]+")
_BARE_VALUE = late_pattern(r"[^\n,，{}\[\]｛｝［］]+")
#: The text goes on with something else: the end of a fence, of a tool call.
_BREAK = late_pattern(r"```|~~~|</|<\|")
_ENDING = {"{": "}", "｛": "}", "[": "]", "［": "]"}
#: Opening quote → what may close it.
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": '”"', "”": '”"', "‘": "’'", "「": "」"}
_NEXT_IN_STRING = {quote: late_pattern(rf"[{re.escape(closing)}\\]") for quote, closing in _QUOTES.items()}
_SPACE = late_pattern(r"\s*")
_STARTS_MEMBER = late_pattern(r"[\"'“‘{}\[\]｛｝［］/#]|[^\W\d]\w*\s{0,9}[:：]|$")
_ESCAPE = late_pattern(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'", "\n": "\n"}
_CONSTANTS: dict[str, object] = {"true": True, "false": False, "yes": True, "no": False, "是": True, "否": False} | dict.fromkeys(
    ("null", "none", "nil", "undefined", "nan", "infinity", "-infinity", "inf", "-inf", "n/a", "无")
)


class LooseObject(dict[str, Any]):
    """An object; ``closed`` tells whether its end was read."""

    closed = False


class LooseList(list[Any]):
    """A list; ``closed`` tells whether its end was read."""

    closed = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """The objects and lists of a text that stand in no other, in order."""

    containers: tuple[LooseObject | LooseList, ...]
    #: The text ends inside one of them.
    cut: bool


def read_loose(text: str) -> Loose:
    """Read every JSON object and list of a text, whatever stands around them. A text that is one quoted string is read inside."""
    whole = text.strip(" \t\r\n\ufeff")
    for _ in range(_DEEPEST_STRING):
        if _QUOTED_JSON.match(whole) is None:
            break
        whole = _unescaped(whole[1:].removesuffix('"')).strip()
    reader = _Reader(whole)
    reader.read()
    return Loose(containers=tuple(reader.roots), cut=reader.cut)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._stack: list[LooseObject | LooseList] = []
        #: The key that waits for its value, for each container of the stack.
        self._keys: list[str | None] = []
        #: Whether the last thing read was the end of a container.
        self._just_ended = False
        self.roots: list[LooseObject | LooseList] = []
        self.cut = False

    def read(self) -> None:
        while self._at < len(self._text):
            if self._stack:
                self._step()
            elif (opening := _OPENING.search(self._text, self._at)) is None:
                break
            else:
                self._at = opening.end()
                self._open(opening[0])
        self._leave()

    # --- one token inside a container ------------------------------------------------------------------------------------

    def _step(self) -> None:
        blanks = _BLANKS.match(self._text, self._at)
        self._at = blanks.end() if blanks else self._at
        if self._at >= len(self._text):
            return
        character = self._text[self._at]
        if _BREAK.match(self._text, self._at):
            self._leave()
            self._at += 2
        elif character in _ENDING:
            self._at += 1
            self._open(character)
        elif character in "}｝":
            self._end(LooseObject)
        elif character in "]］":
            self._end(LooseList)
        elif character in ",，、;；":
            self._at += 1
            self._drop_key()
        elif character in ":：=":
            self._at += 1
        else:
            self._scalar(character)

    def _scalar(self, character: str) -> None:
        self._just_ended = False
        waits_for_key = isinstance(self._stack[-1], LooseObject) and self._keys[-1] is None
        if character in _QUOTES:
            value: Any = self._string(key=waits_for_key)
        else:
            value = self._bare(key=waits_for_key)
        if not waits_for_key:
            self._put(value)
        elif isinstance(value, str):
            colon = _SPACE.match(self._text, self._at)
            at = colon.end() if colon else self._at
            if self._text[at : at + 1] in {":", "：", "="}:
                self._keys[-1] = value
                self._at = at + (2 if self._text.startswith("=>", at) else 1)

    def _bare(self, *, key: bool) -> Any:
        if not key and (number := _NUMBER.match(self._text, self._at)):
            self._at = number.end()
            return _number(number[0])
        found = (_BARE_KEY if key else _BARE_VALUE).match(self._text, self._at)
        if found is None:
            self._at += 1
            return None
        self._at = found.end()
        word = found[0].split("//")[0].strip() if not key else found[0]
        return word if key else _CONSTANTS.get(word.lower(), clean(word))

    def _string(self, *, key: bool) -> str:
        """The string that begins here."""
        text, quote = self._text, self._text[self._at]
        begin = self._at + 1
        following, place = _NEXT_IN_STRING[quote], begin
        while (found := following.search(text, place)) is not None:
            if found[0] == "\\":
                place = found.end() + 1
            elif self._closes(found.end(), key=key):
                self._at = found.end()
                return _unescaped(text[begin : found.start()])
            else:
                place = found.end()
        self._at = len(text)
        self.cut = True
        # What holds it has no end either, so it is in no whole object; but whole objects may be in it.
        return _unescaped(text[begin:])

    def _closes(self, at: int, *, key: bool) -> bool:
        """Whether a quote that ends here ends its string: models forget to escape those inside. In valid JSON it always does."""
        blanks = _SPACE.match(self._text, at)
        place = blanks.end() if blanks else at
        character = self._text[place : place + 1]
        if not character or character in "}]｝］" or not self._stack:
            return True
        if key:
            return character in ":：=,，"
        if character in ",，":
            if isinstance(self._stack[-1], LooseList):
                return True
            blanks = _SPACE.match(self._text, place + 1)
            return _STARTS_MEMBER.match(self._text, blanks.end() if blanks else place + 1) is not None
        return ("\n" in self._text[at:place] and character in "\"'“") or character in "/#" or self._text.startswith("```", place)

    # --- containers ------------------------------------------------------------------------------------------------------

    def _open(self, character: str) -> None:
        container = LooseObject() if _ENDING[character] == "}" else LooseList()
        if self._stack:
            self._put(container)
        else:
            self.roots.append(container)
        self._stack.append(container)
        self._keys.append(None)
        self._just_ended = False

    def _put(self, value: Any) -> None:
        top = self._stack[-1]
        if isinstance(top, LooseList):
            top.append(value)
            return
        key = self._keys[-1]
        self._keys[-1] = None
        if key is None:
            # A value where a key belongs: a brace was lost before it.
            if isinstance(value, LooseObject | LooseList):
                top.setdefault("", LooseList()).append(value)
        elif isinstance(top.get(clean(key)), LooseObject | LooseList):
            top.setdefault("", LooseList()).append(value)  # one key for several facts
        else:
            top[clean(key)] = value

    def _end(self, kind: type[LooseObject] | type[LooseList]) -> None:
        """End the innermost container of this kind; those inside it that were not ended end with it."""
        self._at += 1
        if not any(isinstance(container, kind) for container in self._stack[-_REACH:]):
            return
        self._drop_key()
        while True:
            container = self._stack.pop()
            self._keys.pop()
            container.closed = True
            if isinstance(container, kind):
                break
        self._just_ended = True

    def _drop_key(self) -> None:
        if self._stack and self._keys[-1] is not None:
            self._put(None)

    def _leave(self) -> None:
        """The text ends, or goes on with something else: what is open stays open.

        If only the last braces are missing, after the list was ended, nothing is lost by it.
        """
        if self._stack and not (self._just_ended and all(isinstance(container, LooseObject) for container in self._stack)):
            self.cut = True
        self._stack.clear()
        self._keys.clear()


#: How far up a lost bracket is looked for.
_REACH = 50


def _number(written: str) -> object:
    if len(written) > _LONGEST_NUMBER:
        return written
    value = float(written)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and "." not in written and "e" not in written.lower() else value


def _unescaped(raw: str) -> str:
    return clean(_ESCAPE.sub(_escape, raw) if "\\" in raw else raw)


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        number = int(code[1:], 16)
        return chr(number) if number <= 0x10FFFF else match[0]
    return _PLAIN_ESCAPES.get(code, match[0])
