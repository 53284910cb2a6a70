"""How somebody wants to be answered, what must not be done, what they can and cannot do, in English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import USER, Claim
from pagefile.lifecycle.rules import english_orders as orders
from pagefile.lifecycle.rules import english_styles as styles
from pagefile.lifecycle.rules.english_clauses import Clause
from pagefile.lifecycle.rules.english_phrases import trimmed
from pagefile.lifecycle.rules.english_words import LANGUAGES, NOT_NAMES, one_of
from pagefile.lifecycle.rules.reading import claim

Outcome = Iterator[Claim]

_LANGUAGE = one_of(LANGUAGES)

_IN_LANGUAGE = late_pattern(
    styles.ASKED + rf"(?:(?:answer|reply|respond|write|speak|talk|chat|communicate|continue|carry on|keep going"
    rf"|do this|do it|stick|switch|text|message|answers?"
    rf"|replies|responses)(?:\s+(?:back\s+)?(?:to\s+)?(?:me|us|you))?(?:\s+back)?(?:\s+(?:all|my) (?:messages"
    rf"|questions))?\s+(?:only\s+|always\s+)?(?:in|to)|use|speak|you to (?:answer|reply|respond"
    rf"|speak)(?: to me)? in)\s+(?P<value>{_LANGUAGE})\b(?!\s+(?:spelling|units|words?|for|translation|lessons?"
    rf"|teacher|class))"
)
#: "English again please", "back to English".
_BACK_TO = late_pattern(
    rf"(?:ok(?:ay)?,? |and |now |please,? |let's |can we |could we )*(?:(?:go "
    rf"|switch )?back to (?P<value>{_LANGUAGE})(?:\s+(?:please|now|again|from now on))*"
    rf"|(?P<again>{_LANGUAGE}) (?:again|from now on)(?:,? please)?)\s*$"
)
_CALL_ME = late_pattern(
    styles.ASKED + r"(?:call me|address me as|refer to me as|use my (?:nick)?name,?)\s+(?P<value>[a-z][\w'’.-]*(?:\s+[A-Za-z][\w'’-]*)?)"
)
_NOT_CALLED = frozenset(
    [
        "back",
        "when",
        "if",
        "at",
        "on",
        "in",
        "after",
        "before",
        "later",
        "tomorrow",
        "tonight",
        "today",
        "maybe",
        "crazy",
        "old",
        "lazy",
        "a",
        "an",
        "the",
        "by",
        "anytime",
        "asap",
        "again",
        "now",
        "please",
        "what",
        "whatever",
        "ishmael",
        "names",
        "out",
        "up",
        "stupid",
        "an",
        "idiot",
        "if",
        "mad",
        "about",
        "over",
        "once",
        "any",
        "every",
    ]
)

_TOUCH = (
    r"(?:call|text|email|e-mail|message|contact|ring|phone|disturb|wake|book|schedule|remind|ping|interrupt|notify"
    r"|bother|invite|suggest|recommend|order|serve|mention|talk about|bring up|use (?:my|our|the work|work)|plan|seat"
    r"|ask me about|send me|buy|sign me up|show me|offer)"
)
_NEVER = late_pattern(
    rf"(?:please |pls |and |but |also |always |ever |from now on,? |so |remember:? (?:to )?)*(?P<value>(?:(?:don't"
    rf"|dont|do not|please don't|never|do not ever|don't ever)\s+(?:ever\s+)?{_TOUCH}\b.*|no\s+(?:meetings?|calls?"
    rf"|texts|emails|appointments|flights|red-?eyes|seafood|surprises)\s+(?:before|after|on|at|during|between|past|in"
    rf"|with)\s+.*))"
)
_ABOUT_ME = late_pattern(
    r"\b(?:me|my|us|our|mine)\b|\b(?:meetings?|calls?|appointments?)\b|\b(?:on|after|before) (?:mondays?|tuesdays?"
    r"|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?|\d)"
)
_ALWAYS = late_pattern(
    r"(?:please |and |also |from now on,? |so )*(?P<value>(?:always|only)\s+(?:call|text|email|e-mail|message"
    r"|contact|book|schedule|use|order|send|suggest|recommend|remind|ask)\b.*)"
)
_JUST_NOW = late_pattern(
    r"\b(?:this time|for now|today|tonight|yet|in this|for this|here|the above|these|it|that|this|code|function|file"
    r"|library|class|variable|loop|import|package|module|api|database|sql|regex|python|javascript|css|html|react"
    r"|numpy|pandas|worry|forget|mind|ask me how|tomorrow)\b"
)


def wish(clause: Clause) -> list[Claim]:
    """How to answer, or what not to do, said to the assistant. Only somebody who is served says it."""
    said, at, end = clause.plain, clause.at, clause.end
    if clause.sentence.utterance.subject != USER:
        return []
    if match := _IN_LANGUAGE.match(said, at, end):
        if not styles.NOT_A_STYLE.search(said, at, end):
            return [_claim(clause, "preferred language", match.span("value"))]
        return []
    if match := _BACK_TO.match(said, at, end):
        return [_claim(clause, "preferred language", match.span("value" if match["value"] else "again"))]
    if match := _CALL_ME.match(said, at, end):
        return _called(clause, match)
    return _styled(clause) or _forbidden(clause)


def _called(clause: Clause, match: re.Match[str]) -> list[Claim]:
    words = clause.written(*match.span("value")).strip().split()
    titled = len(words) == 2 and words[0].lower().rstrip(".") in ("dr", "mr", "mrs", "ms", "prof") and words[1][0].isupper()
    if words[0].lower().strip(".,") in _NOT_CALLED | NOT_NAMES and not titled:
        return []
    if len(words) == 1 or words[1][0].isupper():
        return [_claim(clause, "nickname", match.span("value"))]
    return [_claim(clause, "nickname", (match.start("value"), match.start("value") + len(words[0])))]


def _styled(clause: Clause) -> list[Claim]:
    said, at, end = clause.plain, clause.at, clause.end
    if standing := styles.STANDING.search(said, at, end):
        end = standing.start()
    for pattern in styles.STYLES if styles.may_be_style(clause) else ():
        if (match := pattern.match(said, at, end)) and not styles.NOT_A_STYLE.search(said, at, end):
            return [_claim(clause, "answer style", match.span("value"))]
    return []


def _forbidden(clause: Clause) -> list[Claim]:
    """What must not be done, or only so."""
    said, at, end = clause.plain, clause.at, clause.end
    if (
        match := orders.NEVER_WITH.match(clause.sentence.text, at, end)
        or orders.ONLY.match(said, at, end)
        or orders.NO_CONTACT.match(said, at, end)
    ):
        return [_claim(clause, "constraint", match.span("value"))]
    if (match := orders.NEVER.match(said, at, end)) and orders.is_standing(match["value"]):
        return [_claim(clause, "constraint", match.span("value"))]
    for pattern in (_NEVER, _ALWAYS):
        match = pattern.match(said, at, end)
        if match is None or _JUST_NOW.search(said, at, end) or not 3 <= len(match["value"].split()) <= 20:
            continue
        if _ABOUT_ME.search(said, at, end) or match["value"].startswith(("never ", "always ", "don't ever", "do not ever")):
            return [_claim(clause, "constraint", match.span("value"))]
    return []


def _claim(clause: Clause, attribute: str, value: tuple[int, int]) -> Claim:
    begin, end = trimmed(clause.plain, *value, keep_article=True)
    return claim(
        clause.sentence,
        subject=clause.sentence.utterance.subject,
        attribute=attribute,
        value=" ".join(clause.written(begin, max(end, begin + 1)).split()),
        span=(clause.begin, clause.end),
        correction=clause.correction,
    )
