"""Stretches of a message that are not the speaker's own statements: quotations, texts to work on, role play, scripts, jokes. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern

#: A quotation of several words. Marks of one word stand for emphasis, or for a name.
_QUOTED = late_pattern(
    r"“[^”\n]{1,2000}”|「[^」\n]{1,2000}」|『[^』\n]{1,2000}』|«[^»\n]{1,2000}»|(?<!\w)\"(?=\S)[^\"\n]{1,2000}\"(?!\w)"
    r"|(?<!\w)[‘'](?=(?:[Ii]|[Mm]y)\b)(?:[^'‘’\n]|['’](?=\w)){1,500}['’](?!\w)|`[^`\n]{1,500}`"
)
_MAKES = (
    r"write|rewrite|compose|draft|translate|paraphrase|rephrase|proofread|summari[sz]e|correct|edit|fix|improve"
    r"|polish|reword|transcribe|spell-?check"
    r"|classify|analy[sz]e|review|check|explain|complete|continue|generate|create|make|turn|convert|parse|respond to"
    r"|reply to|answer|grade|rate|critique|shorten"
)
#: A task with its text behind a colon or on the next lines: all that follows is the text.
_WITH_TEXT = late_pattern(
    rf"(?:^|[.!?\n][ \t]{{0,20}})(?:(?:please|pls|can you|could you|would you|hey|hi|now|ok|okay|help me|i want you to"
    rf"|i need you to|i'd like you to),?\s+){{0,3}}(?:{_MAKES})\b[^.!?\n]{{0,200}}(?::\s|\n)"
    r"|\b(?:here(?:'s| is| are) (?:the|my|a|an|what) (?:\w+ ){0,4}(?:text|email|essay|letter|draft|paragraph|bio"
    r"|message|story|script|poem|lyrics|dialogue|transcript|conversation|code|post|article|example|cv|resume|passage"
    r"|review|speech|prompt|sentence|sentences|statement)"
    r"|(?:the|this|following) (?:text|email|essay|letter|draft|paragraph|message|story|script|poem|lyrics|dialogue"
    r"|transcript|conversation|passage|prompt|sentence|sentences|example|review)(?: \w+){0,3})\s*:",
    re.IGNORECASE,
)
_PLAYS = late_pattern(
    r"\b(?:role-?play|let'?s (?:pretend|play|imagine)|pretend (?:that|to be|you|you're|i'm|i am|i)\b|act as\b"
    r"|you are now\b|from now on you are\b|in this (?:scenario|story|game)|my character|imagine (?:that|you|i|a"
    r"|we)\b|suppose (?:that|i|you|we)\b"
    r"|hypothetically|write (?:me )?(?:a|an|the|some) (?:\w+ ){0,3}(?:story|poem|song|dialogue|script|monologue"
    r"|diary|scene|rap|haiku|fanfic)\b[^.\n]{0,80}(?:from the (?:perspective|point of view)|in (?:the )?first person"
    r"|as if|told by))",
    re.IGNORECASE,
)
#: "Anna: I live in Leeds", at least twice: somebody's conversation.
_LINE = late_pattern(r"^[ \t]*(?:[-*•] )?[A-Z][\w .]{0,24}:[ \t]+\S.*$", re.MULTILINE)
_FORM = late_pattern(
    r"\s*(?:[-*•] )?(?:name|age|location|occupation|job|diet|allergies|hobbies|likes|dislikes|update|note|ps|p\.s"
    r"|edit|tldr|tl;dr|question|goal|goals|budget)\s*:",
    re.IGNORECASE,
)
_EXAMPLE = late_pattern(r"\b(?:e\.g\.|for example|for instance|example|examples)\s*[,:]\s*[^.!?\n]*", re.IGNORECASE)
_JOKE = late_pattern(
    r"\b(?:just kidding|just joking|jk|i'm kidding|i'm joking|only joking|kidding)\b|(?<!\S)/s(?!\S)|开玩笑", re.IGNORECASE
)
_SENTENCE_END = late_pattern(r"[.!?\n]\s*")
#: How far a joke reaches back.
_JOKE_REACH = 200


def foreign_stretches(text: str) -> tuple[tuple[int, int], ...]:
    """Where a text is not what its speaker says of himself, as half-open ranges in order of their beginning."""
    found = [match.span() for match in _QUOTED.finditer(text) if " " in match[0] or match[0][0] == "`" or len(match[0]) > 12]
    if match := _WITH_TEXT.search(text):
        found.append((match.end(), len(text)))
    if match := _PLAYS.search(text):
        found.append((match.start(), len(text)))
    lines = [match for match in _LINE.finditer(text) if not _FORM.match(match[0])]
    if len(lines) > 1:
        found += [match.span() for match in lines]
    found += [match.span() for match in _EXAMPLE.finditer(text)]
    for match in _JOKE.finditer(text):
        found.append((_begin_of_joke(text, match.start()), match.end()))
    return tuple(sorted(found))


def _begin_of_joke(text: str, end: int) -> int:
    """Where the sentence before the remark began."""
    before = text[max(0, end - _JOKE_REACH) : end].rstrip(" .!?,\n-–—")
    last = 0
    for match in _SENTENCE_END.finditer(before):
        last = match.end()
    return max(0, end - _JOKE_REACH) + last
