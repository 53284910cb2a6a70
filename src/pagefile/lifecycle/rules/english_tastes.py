"""What people like, eat and give up in English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_places import place_claims
from pagefile.lifecycle.rules.english_reading import Reading
from pagefile.lifecycle.rules.english_words import FOODS
from pagefile.records import Polarity

Outcome = Iterator[Claim]

_NOT_TASTES = late_pattern(
    r"(?:it|that|this|these|those|them|him|her|us|you|me|one|ones|what|how|when|where|why|who|if|your|their|his|and"
    r"|or|everything|nothing|something|anything(?! with)|everyone|all of|being able|(?:living|being|working|staying"
    r"|coming|going|sitting|waiting|living out) (?:here|there)|having (?:such|so|a (?:great|good|nice|lovely|bad)"
    r"|fun)|seeing (?:you|how|that|this|it|the)"
    r"|hearing|having (?:you|this|that|it|them|the)|working with you|talking (?:to|with) you|knowing|myself|yourself"
    r"|looking at"
    r"|to (?:know|hear|see|think|say|ask|get|have|add|use|try|discuss|start|make|do|go(?! (?:to|out|for|on|hiking"
    r"|swimming|camping|skiing|running))|be|give|share|explore|focus|include|keep|take|find|hope|learn more"
    r"|understand|talk about|point|thank|help|clarify|build|set|create|plan|work on|break|bother|admit|disappoint"
    r"|interrupt|sound|rush|complain|believe|imagine|pretend|call|consider|mention|schedule|order|book|change|move"
    r"|buy|visit)"
    r"|some (?:help|advice|ideas|tips|suggestions|more)|more|another|any|not|here|there|so|very|too|doing (?:it|this"
    r"|that|the)|life|time|stuff|things?|sure|lot|already|to$|much|better|less|rather|both|each|same|hell|death|bits"
    r"|punishment|saying|admitting|asking|thinking|hate|love|feeling|learning from|way|such|as|with|from|by|at|about|of|up|out"
    r"|i|we|he|she|they"
    r"|my (?:life|day|answer|result|new)|no|yes|back|off|on|in|a (?:question|quick|few)|hint|challenge|help|advice"
    r"|making sure|getting (?:this|that|it|the)|anyone|someone|people who|option|idea|sound|sounds|everybody"
    r"|whatever|our (?:chat|talk|talks|conversation|plan))\b"
)
#: "The …" is mostly something at hand; these are tastes all the same.
_THE = late_pattern(
    r"the\s+(?!(?:beach|ocean|sea|mountains|outdoors|rain|snow|cold|heat|countryside|city|gym|theatre|theater|cinema"
    r"|opera|library|sun|summer|winter"
    r"|piano|violin|guitar|dark|water|forest|woods|desert|north|south|coast|arts)(?:$|[\s,.!]*$|\s+(?:and|or|but|in|at|when|on)\b|,)"
    r"|(?:smell|sound|taste|feeling|colou?r) of\b|colou?r (?:red|blue|green|pink|purple|yellow|orange|black|white|teal))"
)
_AT_HAND = late_pattern(
    r"(?:^|\s)'|'(?:\s|$)|\b(?:it|them|this|that|these|those|you|your|yours|me|him)\b|[*\"“”]|\bin the (?:name|title"
    r"|text|code|logo|header|footer|intro|subject|middle)\b|\w\.(?:com|net|org|io|co|dev)\b|\bto (?:see|be|get|have)\b"
)
_MOOD = late_pattern(
    r"\b(?:so far|this (?:week|time|weekend)|sometimes|at times|for (?:dinner|lunch|breakfast|tonight|today)"
    r"|when (?:you|they)|when it (?!is\b|gets\b|rains|snows)|your|in this"
    r"|at this point|for this)\b"
)
#: A mood: believed when it is said again another time.
_TODAY = late_pattern(r"\b(?:today|tonight|right now|this (?:morning|evening|afternoon)|at the moment)\b")
_REPLIES = late_pattern(r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|bullet points?|tone|summar(?:y|ies))\b")
_OVER = late_pattern(r"\s+(?:to(?! [a-z]+ (?:in|at|on|by|with)\b)|over|rather than|instead of|more than)\s+(?=\w)")
#: "I like tea better than coffee".
_COMPARED = late_pattern(r"\s+(?:better|more|less)(?:\s+than\b|\s*$)")
_NOT_EATEN = late_pattern(
    r"(?:it|that|this|much|well|enough|anything|out|at|in|before|after|with|like|my|as|here|there|them|properly"
    r"|healthy|lunch|breakfast|dinner|a lot|many|too|late|yet|when|until|very|often|alone|regularly|on)\b"
)
#: Not eaten or drunk then, or so: a habit.
_THEN = late_pattern(r"\s+(?:after|before|at(?! home)|past|when|during|while|without|unless|with (?:my|milk|sugar)|on)\b")
_AGAIN = late_pattern(r"\s(?:now|again)[\s.!]*$")
_EATEN = late_pattern(r"(?:eating|drinking|consuming|having)\s+(?!(?:in|at|when|for|since|on|two|three|last|a (?:year|month|week))\b|\d)")
_NOT_ENDED = late_pattern(
    r"(?:it|that|this|trying|asking|by|on|at|being|using|there|here|worrying|doing|me|you|in|for|him|her|if|caring"
    r"|talking|laughing|crying|thinking|typing|counting|my \w+|the (?!gym|guitar|piano|violin)\w+|a\b|when|hope"
    r"|halfway|working|half)\b"
)


def is_taste(words: str) -> bool:
    """Whether these words, after "I like", name something that one can like."""
    return begins_taste(words) and len(words.split()) <= 8 and not _AT_HAND.search(words) and words[0].isalnum()


def begins_taste(words: str) -> bool:
    """The same, whatever follows."""
    return bool(words) and not _NOT_TASTES.match(words)


def tastes(reading: Reading, begin: int, *, named: bool, end: int | None = None) -> list[tuple[int, int]]:
    """What is liked, from there on. ``named``: "the Beatles" counts, though "the plan" does not."""
    plain, text = reading.plain, reading.clause.sentence.text
    if not begins_taste(plain[begin : reading.end]) or _MOOD.search(plain, reading.clause.begin, reading.clause.end):
        return []
    listed = list(reading.values(begin, end=end))
    found = [each for each in listed if is_taste(plain[slice(*each)])]
    if listed and _is_at_hand(reading, listed[0][0]):
        # "The tech and funny jokes": the article is that of all of them.
        return [each for each in found if named and text[each[0]].isupper()]
    return [each for each in found if not _is_at_hand(reading, each[0]) or (named and text[each[0]].isupper())]


def _is_at_hand(reading: Reading, begin: int) -> bool:
    """Whether "the" stands before it, and it is none of what people call so wherever it is."""
    return reading.plain.endswith("the ", 0, begin) and _THE.match(reading.plain, begin - 4, reading.end) is not None


def likes(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I love sushi", "I don't like Mondays", "I hate spicy food"."""
    after = reading.plain[match.end() : reading.end]
    if match["verb"].startswith("hate") and after.startswith(("it ", "to ")):
        return
    compared = _COMPARED.search(reading.plain, match.end(), reading.end)
    if compared and "less" in compared[0]:
        return
    found = tastes(reading, match.end(), named=not match["verb"].startswith("like"), end=compared.start() if compared else None)
    if match["against"] and reading.negative:
        yield from liked_no_less(reading, found)
        return
    negative = bool(match["against"]) or reading.negative
    polarity: Polarity = "negative" if negative else "positive"
    mood: dict[str, Any] = {"certainty": "passing"} if _TODAY.search(reading.plain, reading.clause.begin, reading.clause.end) else {}
    for each in found:
        yield reading.claim("likes", each, among=found, polarity=polarity, **mood)


def liked_no_less(reading: Reading, found: list[tuple[int, int]]) -> Outcome:
    """What is hated no longer, or not at all, is not thereby liked: the dislike is over, and nothing stands in its place."""
    for each in found:
        yield reading.claim("likes", each, among=found, polarity="positive", ended=False, only_ends=True)


def minds(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I don't mind flying any more"."""
    if reading.negative and (reading.ended or _AGAIN.search(reading.plain, match.end(), reading.end)):
        yield from liked_no_less(reading, tastes(reading, match.end(), named=True))


def cares_for(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I don't care for olives"."""
    if reading.negative:
        found = tastes(reading, match.end(), named=True)
        for each in found:
            yield reading.claim("likes", each, among=found)


def fancies(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I'm into photography", "a big fan of Arsenal"."""
    if match["weak"] and re.match(r"(?:the\b|[a-z]+ing\s+\w+\s+\w)", reading.plain[match.end() : reading.end]):
        return
    found = tastes(reading, match.end(), named=not match["weak"])
    for each in found:
        yield reading.claim("likes", each, among=found)


def prefers(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "Tea to coffee", "tea over coffee": the first is liked better; nothing is said against the second."""
    plain = reading.plain
    after = plain[match.end() : reading.end]
    if _REPLIES.search(after) or re.match(r"(?:to be (?:called|addressed)|being called|the name)\b", after):
        return
    other = _OVER.search(plain, match.end(), reading.end)
    if other and after.startswith("to "):
        other = None
    found = tastes(reading, match.end(), named=False, end=other.start() if other else None)
    for each in found:
        yield reading.claim("likes", each, among=found)
    if found and other:
        yield from _preferred_no_more(reading, reading.values(other.end()))


def _preferred_no_more(reading: Reading, others: Iterable[tuple[int, int]]) -> Outcome:
    """What was preferred before, and now stands behind: "I prefer tea over coffee", then "I prefer coffee over tea"."""
    for each in others:
        words = reading.plain[slice(*each)]
        for before in reading.context.recent:
            if (before.subject, before.attribute, before.value.lower()) == (reading.subject, "likes", words) and "prefer" in before.text:
                yield reading.ending("likes", each)


def eats(reading: Reading, match: re.Match[str]) -> Outcome:
    """What somebody does not eat or drink, or eats alone. What somebody eats now and then is a habit, read elsewhere."""
    only = bool(re.search(r"\bonly\b", reading.plain[reading.clause.at : match.end()]))
    # "I eat meat now": it was otherwise before.
    again = bool(_AGAIN.search(reading.plain, match.end("verb"), reading.end))
    if not (reading.negative or only or again):
        yield from _eaten(reading, match)
        return
    if match["what"] is None:
        if match["verb"].startswith("drink") and reading.negative:
            yield reading.claim("diet", match.span("verb"), tags=("alcohol",))
        return
    home = late_pattern(r"\s+at home\b").search(reading.plain, match.end("verb"), reading.end)
    found = [
        each
        for each in reading.values(match.start("what"), end=home.start() if home else None)
        if not _NOT_EATEN.match(reading.plain[slice(*each)])
        and len(reading.plain[slice(*each)].split()) <= 4
        and (reading.negative or only or reading.plain[slice(*each)] in FOODS)
    ]
    # "I never drink coffee after 2pm" is a habit; coffee is fine.
    if found and _THEN.match(reading.plain, found[-1][1], reading.end):
        yield reading.claim("habit", reading.whole(match.start()))
        return
    for each in found:
        yield reading.claim("diet", each, among=found)


def _eaten(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I eat fish", "I drink alcohol": food by name, and nothing else said."""
    if match["what"] is None or reading.is_frequent():
        return
    found = list(reading.values(match.start("what")))
    if found and found[-1][1] == reading.end and all(reading.plain[slice(*each)] in FOODS for each in found):
        for each in found:
            yield reading.claim("diet", each, among=found)


def smokes(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I don't smoke", "I smoke"."""
    if reading.negative or reading.is_frequent() or not reading.plain[match.end() : reading.end].strip(" .,!"):
        yield reading.claim("habit", match.span("verb"))


def ends(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "Stopped drinking coffee", "quit smoking", "gave up sugar": it was so, and is no longer."""
    if reading.negative or reading.often:
        return
    plain, begin = reading.plain, match.end()
    for pattern, attribute in (
        (r"working (?:at|for)\s+", "employer"),
        (r"living in\s+", "residence"),
        (r"(?:going to|attending)\s+(?=[A-Z])", "school"),
    ):
        if place := late_pattern(pattern).match(plain, begin, reading.end):
            yield from place_claims(reading, place.end(), attribute, organisation=attribute != "residence", ended=True)
            return
    if hated := late_pattern(r"(?:hating|disliking|detesting|loathing|minding)\s+").match(plain, begin, reading.end):
        yield from liked_no_less(reading, tastes(reading, hated.end(), named=True))
        return
    if liked := late_pattern(r"(?:liking|loving|enjoying)\s+").match(plain, begin, reading.end):
        for each in reading.values(liked.end()):
            yield reading.claim("likes", each, ended=True)
        return
    eaten = _EATEN.match(plain, begin, reading.end)
    found = list(reading.values(eaten.end() if eaten else begin))
    for each in found:
        words = plain[slice(*each)]
        if not words or len(words.split()) > 5 or _NOT_ENDED.match(words) or _NOT_ENDED.match(plain[begin : reading.end]):
            continue
        food = bool(eaten) or words in FOODS
        if (
            food
            or re.match(r"[a-z]+ing\b", words)
            or words in ("cigarettes", "weed", "social media", "facebook", "instagram", "twitter", "gambling", "tobacco", "the gym", "gym")
        ):
            yield reading.claim("diet" if food else "habit", each, among=found, ended=True)


def avoids(reading: Reading, match: re.Match[str]) -> Outcome:
    """ "I avoid dairy", "I need to avoid gluten"."""
    found = [each for each in reading.values(match.end()) if reading.plain[slice(*each)] in FOODS]
    for each in found:
        yield reading.claim("diet", each, among=found, polarity="negative")
