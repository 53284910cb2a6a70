"""What applications and models write about their user, as he would say it himself, so that the rules for what people say read it. Pure."""

from __future__ import annotations

import re

from pagefile.language.patterns import late_pattern

#: How a sentence about the user begins. "Users" and 用户体验 are about others.
_OF_USER = late_pattern(
    r"(?:the )?user(?P<owner>['’]s)?(?P<short>['’](?:d|ll|ve))?(?= )|用户(?!们|体验|界面|名|组|群|数|量|协议|故事)", re.IGNORECASE
)
#: A sentence without a subject, as in "works at Acme", "doesn't like coffee", "no longer smokes".
_BARE = late_pattern(
    r"(?:[a-z]{2,}(?<!s)(?:s|ed)|(?:is|was|has|does|can|could|will|would)(?:n['’]t)?|cannot|no longer|never)\b(?!['’])", re.IGNORECASE
)
_BARE_NOT = late_pattern(r"not\b(?! only)", re.IGNORECASE)


def readings(text: str) -> tuple[str, ...]:
    """The ways to read a written sentence, the likeliest first: "The user's brother likes tea" as "My brother likes tea", 用户住在北京 as
    我住在北京, "works at Acme" as it stands and as "I works at Acme" (rules for people forgive the grammar)."""
    text = text.strip()
    if found := _OF_USER.match(text):
        person = "我" if found[0].startswith("用户") else "My" if found["owner"] else "I"
        return (f"{person}{found['short'] or ''}{text[found.end() :]}",)
    if _BARE.match(text):
        return text, f"I {text[:1].lower()}{text[1:]}"
    return (text, f"I am {text}") if _BARE_NOT.match(text) else (text,)
