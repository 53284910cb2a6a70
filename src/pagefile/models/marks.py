"""The marks by which models begin and end a tool call that they spell out in their text. Pure.

Taken from the chat templates of the models, and from what servers pass on when they do not read a template's calls themselves.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from typing import NamedTuple

from pagefile.language.patterns import late_pattern

#: Marks are compared in small letters, with DeepSeek's own bars and underscores as plain ones. No length changes.
_FOLDED = str.maketrans(string.ascii_uppercase + "｜▁", string.ascii_lowercase + "|_")


class Mark(NamedTuple):
    """What opens a call, what may close it, and whether the opening belongs to the call itself."""

    opening: str
    closings: tuple[str, ...]
    inside: bool = False


def _tags(*names: str) -> tuple[Mark, ...]:
    return tuple(Mark(f"<{name}>", (f"</{name}>",)) for name in names)


MARKS: tuple[Mark, ...] = (
    # Hermes, Qwen, GLM, InternLM, MiniMax, Seed and small models that mix them up.
    *_tags("tool_call", "tool_calls", "toolcall", "tools", "function_call", "function_calls", "functioncall"),
    *_tags("minimax:tool_call", "seed:tool_call", "|dsml|function_calls", "|dsml|tool_calls"),
    # Llama 3 without its wrapper; Qwen-Coder, which often leaves the wrapper's opening out.
    Mark("<function=", ("</function>",), inside=True),
    Mark("<invoke name=", ("</invoke>",), inside=True),
    # Llama 3.1.
    Mark("<|python_tag|>", ("<|eom_id|>", "<|eot_id|>")),
    # Mistral: no closing.
    Mark("[tool_calls]", ()),
    # LM Studio's own.
    Mark("[tool_request]", ("[end_tool_request]",)),
    # DeepSeek; Kimi.
    Mark("<|tool_calls_begin|>", ("<|tool_calls_end|>",)),
    Mark("<|tool_call_begin|>", ("<|tool_call_end|>",)),
    Mark("<|tool_calls_section_begin|>", ("<|tool_calls_section_end|>",)),
    # Phi, Granite; Liquid; Command R; InternLM; Gemma.
    Mark("<|tool_call|>", ("<|/tool_call|>",)),
    Mark("<|tool_call_start|>", ("<|tool_call_end|>",)),
    Mark("<|start_action|>", ("<|end_action|>",)),
    Mark("<|action_start|>", ("<|action_end|>",)),
    Mark("<start_function_call>", ("<end_function_call>",)),
    # The open models of OpenAI.
    Mark("<|channel|>commentary to=functions.", ("<|call|>",)),
)
FENCE = "```"

#: The longest mark, in characters.
LONGEST_MARK = max(len(text) for mark in MARKS for text in (mark.opening, *mark.closings))
#: What may be left over behind a call.
LEFT_OVER = tuple(
    sorted({text for mark in MARKS for text in mark.closings} | {"<|im_end|>", "</s>", "<|call|>", "<|end_of_sentence|>", "<|endoftext|>"})
)

_OPENINGS = {mark.opening: mark for mark in MARKS}
_OPENING = late_pattern("|".join(map(re.escape, [*_OPENINGS, FENCE])) + r"|[{\[｛]")
#: What stands between the calls of one region, and around a call's parts, and says nothing.
_SILENT = [text for mark in MARKS if not mark.inside for text in (mark.opening, *mark.closings)]
_NOISE = late_pattern(
    r"(?:[\s,;，；]|```(?:json|tool_code|tool_calls?)?(?![a-z])|\[args\]|\[call_id\]\w*|<\|tool_sep\|>|<\|tool_call_argument_begin\|>"
    r"|<\|plugin\|>|<\|constrain\|>json|<\|message\|>|function(?=\s*<\|tool_sep\|>)|"
    + "|".join(map(re.escape, [*_SILENT, "<|im_end|>", "</s>"]))
    + ")*"
)


def folded(text: str) -> str:
    """The text as marks are compared; each character stays in its place."""
    return text.translate(_FOLDED)


def mark_at(text: str) -> Mark | None:
    """The mark that a folded text begins with; None for a fence, a bracket or anything else."""
    return next((mark for opening, mark in _OPENINGS.items() if text.startswith(opening)), None)


def past_noise(text: str, at: int) -> int:
    """Where in a folded text the next thing stands that says something."""
    found = _NOISE.match(text, at)
    return found.end() if found else at


def next_opening(text: str, before: str) -> int:
    """Where in a folded text the first mark starts, or may start if the text goes on; the length of the text if nowhere.

    ``before``: the character before the text; "" at its very beginning. A bracket opens a call only at the beginning of a line; what
    stands in `inline code` is talk about a call.
    """
    for found in _OPENING.finditer(text):
        previous = text[found.start() - 1] if found.start() else before
        if found[0] in "{[｛":
            if previous in {"", "\n"}:
                return found.start()
        elif previous != "`":
            return found.start()
    return _may_start(text, (*_OPENINGS, FENCE))


def first_closing(text: str, closings: Iterable[str], at: int) -> tuple[int, int] | None:
    """Where the first closing in a folded text begins and ends."""
    found = [(place, place + len(closing)) for closing in closings if (place := text.find(closing, at)) >= 0]
    return min(found, default=None)


def _may_start(text: str, marks: tuple[str, ...]) -> int:
    for at in range(max(0, len(text) - LONGEST_MARK), len(text)):
        # One that is whole was seen before, and is talk about a call.
        if text[at] in "<[`" and any(mark != text[at:] and mark.startswith(text[at:]) for mark in marks):
            return at
    return len(text)
