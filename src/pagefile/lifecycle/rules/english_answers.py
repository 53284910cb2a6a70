"""Short answers in English ("Berlin", "yes", "7, why?"): they live on the question before. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.english_clauses import plain
from pagefile.lifecycle.rules.english_phrases import items, trimmed
from pagefile.lifecycle.rules.english_words import DIETS
from pagefile.lifecycle.rules.reading import Context, claim
from pagefile.lifecycle.rules.sentences import Sentence

#: What was asked → the attribute that a short answer gives, and how the answer must look.
_QUESTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (late_pattern(pattern), attribute)
    for pattern, attribute in (
        (
            r"\b(?:what'?s|what is|may i (?:have|ask|know)|can i (?:have|get|ask)|could i (?:have|get)"
            r"|tell me) (?:your|the) (?:first |full )?name\b|what should i call you|who am i (?:talking"
            r"|speaking) (?:to|with)",
            "name",
        ),
        (r"\bhow old are you\b|\bwhat'?s your age\b|\bwhat is your age\b|\byour age\b", "age"),
        (r"\bwhen(?:'s| is) your birthday\b|\bwhat'?s your (?:birthday|date of birth)\b|\bwhen were you born\b", "birthday"),
        (
            r"\bwhere (?:do you live|are you (?:based|living|located))\b|\bwhat city (?:do you live|are you) in\b"
            r"|\bwhich city (?:do you live|are you)\b",
            "residence",
        ),
        (r"\bwhere are you (?:originally )?from\b|\bwhere did you grow up\b|\bwhat'?s your hometown\b", "hometown"),
        (
            r"\bwhat do you do(?: for (?:a living|work))?\s*\?|\bwhat'?s your (?:job|occupation|profession)\b"
            r"|\bwhat is your (?:job|occupation|profession)\b|\bwhat kind of work do you do\b",
            "occupation",
        ),
        (r"\bwhere do you work\b|\bwho do you work for\b|\bwhich company do you work\b|\bwhat company do you work\b", "employer"),
        (
            r"\b(?:any|have any|have|are there any|your) (?:food |known )?allergies\b|\bwhat are you allergic to\b"
            r"|\ballergic to anything\b",
            "allergy",
        ),
        (
            r"\bwhat'?s your favou?rite (?P<thing>[a-z]+(?: [a-z]+)?)\s*\?"
            r"|\bwhat is your favou?rite (?P<thing2>[a-z]+(?: [a-z]+)?)\s*\?"
            r"|\bwhich is your favou?rite (?P<thing3>[a-z]+)\s*\?",
            "favourite",
        ),
        (
            r"\bwhat(?:'s| is) your (?:dog|cat|puppy|kitten|pet)'?s? (?:name|called)\b|\bwhat(?:'s| is) (?:his|her"
            r"|its) name\b|\bwhat are (?:their|your (?:cats|dogs|pets)'?) names?\b",
            "named",
        ),
    )
)
_EASY_PREFIX = late_pattern(
    r"(?:(?:it's|its|it is|that's|i'm|im|i am|just|oh|well|um|uh|ah|hmm|sure|yes|yeah|yep|yup|in|at|for|a|an|from|to"
    r"|(?:his|her|its|their) names? (?:is|are)|he's called|she's called|it's called|he's|she's|they're|mostly"
    r"|probably|only|currently|you can call me|call me|my name is|on)\b,?\s*)+"
)
_NOT_AN_ANSWER = late_pattern(
    r"(?:no|none|nope|nah|not|never|i|why|what|who|you|we|it|don't|dont|does|do|can|sorry|thanks|good|fine|great|ok"
    r"|okay|yes|yeah|sure|maybe|nothing|nobody|none of|rather|prefer|private|secret|guess|help|let|tell|please|that"
    r"|this|hello|hi|stop|skip|next|later|anyway|whatever|idk|dunno|and you|the same|same|lots|many|everything"
    r"|anything|all|some|here|there|home|somewhere|hard to|depends)\b"
)


def short_answer(sentence: Sentence, context: Context) -> list[Claim]:
    """ "Berlin", when the message before asked where the speaker lives."""
    if not context.question or sentence.asks or len(sentence.text) > 60 or "?" not in context.question:
        return []
    # Only a message that is nothing but the answer.
    if sentence.utterance.text.strip() != sentence.text.strip():
        return []
    asked = plain(context.question)[-400:]
    for pattern, attribute in _QUESTIONS:
        match = pattern.search(asked)
        if match is None:
            continue
        if attribute == "favourite":
            attribute = f"favourite {match['thing'] or match['thing2'] or match['thing3']}"
        return _answered(sentence, context, attribute)
    return []


def _answered(sentence: Sentence, context: Context, attribute: str) -> list[Claim]:
    said = plain(sentence.text)
    prefix = _EASY_PREFIX.match(said)
    begin = prefix.end() if prefix else 0
    if attribute == "allergy" and re.match(r"(?:no|none|nope|not that i know of|no allergies)\b", said):
        return []
    if begin >= len(said) or _NOT_AN_ANSWER.match(said, begin) or len(said[begin:].split()) > 6:
        return []
    if attribute == "named":
        return _names_given(sentence, context, begin)
    if attribute == "age" and not re.match(r"\d{1,3}\b(?!\s*(?:%|dogs|cats))", said[begin:]):
        return []
    if attribute == "age" and re.search(r"\b(?:next|soon|in|almost|nearly|tomorrow|on)\b", said):
        return []
    if attribute in ("age",):
        number = re.match(r"\d{1,3}", said[begin:])
        assert number is not None  # matched above
        return [_answer(sentence, context, attribute, (begin, begin + number.end()))]
    spans = list(items(said, begin, len(said.rstrip(" .!")))) if attribute in ("allergy",) else [trimmed(said, begin, len(said))]
    return [_answer(sentence, context, attribute, span) for span in spans if span[1] > span[0]]


def _names_given(sentence: Sentence, context: Context, begin: int) -> list[Claim]:
    before = context.antecedent
    if before is None or before.attribute not in ("pet", "child", "sibling", "partner", "friend"):
        return []
    said = plain(sentence.text)
    found = [_answer(sentence, context, before.attribute, span) for span in items(said, begin, len(said.rstrip(" .!")))]
    return [replace(each, tags=before.tags, subject=before.subject) for each in found if each.value[0].isupper() or said == sentence.text]


def _answer(sentence: Sentence, context: Context, attribute: str, span: tuple[int, int]) -> Claim:
    question = context.question[: context.question.rfind("?") + 1]
    question = re.split(r"(?<=[.!?])\s+", question.strip())[-1][-160:]
    value = sentence.text[span[0] : span[1]]
    return claim(
        sentence,
        subject=sentence.utterance.subject,
        attribute=attribute,
        value=value,
        span=(0, len(sentence.text)),
        text=f"{question} {sentence.text}",
    )


_YES = late_pattern(
    r"(?:yes|yeah|yep|yup|yes please|sure|correct|right|exactly|indeed|i am|i do|i have|i can|absolutely|definitely"
    r"|of course|always)\b[,.!\s]*"
)
_NO = late_pattern(r"(?:no|nope|nah|not really|not at all|never|i'm not|i am not|i don't|i do not|i haven't|i can't|none)\b[,.!\s]*")
_ONLY = late_pattern(
    r"(?:i am|i do|i have|i can|i'm not|i am not|i don't|i do not|i haven't|i can't|actually|unfortunately|not yet"
    r"|thanks|thank you|sorry|sadly|a lot|very much|i love (?:it|them)|i really do|never|at all|any|not at all"
    r"|since always|[\s,.!])*$"
)
_ASKED_OF_ME = late_pattern(
    r"(?:so |and |but |by the way,? |also,? |ok(?:ay)?,? )*(?P<verb>are you|do you|have you|can you|did you"
    r"|were you)\s+(?:still |also |really |actually |currently |by any chance |ever )*(?P<rest>[^?]{2,80})\?\s*$"
)
_SAID_AS = {
    "are you": ("I am ", "I am not "),
    "do you": ("I ", "I do not "),
    "have you": ("I have ", "I have not "),
    "can you": ("I can ", "I can not "),
    "were you": ("I was ", "I was not "),
}
_A_LIST = late_pattern(r"(?:just |only )?(?:twins\b|triplets\b|a|an|one|two|three|four|five|\d)\s")


_WHOSE = r"(?P<whose>(?:your|the|his|her) (?:[a-z'-]+ ){0,2}?[a-z-]+)"
#: What was asked of somebody or something of the speaker's → the sentence that a short answer stands for.
_OF_YOURS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (late_pattern(pattern + r"\s*\?"), retold)
    for pattern, retold in (
        (rf"\bhow old (?:is|are) {_WHOSE}(?: now)?", "{whose} is {answer}"),
        (rf"\bwhat(?:'s| is| are) {_WHOSE}(?:'s|s'|') names?", "{whose} is called {answer}"),
        (r"(?:^|and |so )(?P<whose>your (?:[a-z-]+ ){0,2}?[a-z-]+)(?:'s|s') names?", "{whose} is called {answer}"),
        (
            r"\bwhat(?:'s| is| was) (?P<whose>your (?:budget|time ?zone|height|weight|shoe size|size|home ?town"
            r"|native language|job title|major|blood type|dress size|goal"
            r"|occupation|deadline|pronouns))",
            "{whose} is {answer}",
        ),
        (r"\b(?:shall|should|can|may|do) (?:i|we|people) (?P<whose>call you)\b[^?]*", "Call me {answer}"),
        (r"\bdo you (?P<whose>prefer|go by)\b[^?]*(?:name|called)[^?]*", "Call me {answer}"),
        (
            r"\b(?:any|have any|what) (?P<whose>dietary|diet|food)\b[^?]*(?:restrictions?|requirements?|needs|preferences?|avoid)[^?]*",
            "{diet}",
        ),
        (rf"\bwhat(?:'s| is) (?:the )?names? of {_WHOSE}", "{whose} is called {answer}"),
        (rf"\bwhat(?:'s| is) {_WHOSE} (?:called|named)", "{whose} is called {answer}"),
        (rf"\b(?:when|what day|what time)(?:'s| is) {_WHOSE}", "{whose} is on {answer}"),
        (rf"\bwhen does {_WHOSE} (?:start|begin)", "{whose} starts on {answer}"),
        (rf"\bwhere does {_WHOSE} live", "{whose} lives in {answer}"),
        (rf"\bwhere does {_WHOSE} work", "{whose} works at {answer}"),
        (rf"\bwhat does {_WHOSE} do(?: for (?:a living|work))?", "{whose} works as {answer}"),
        (rf"\bwhat(?:'s| is) {_WHOSE} allergic to", "{whose} is allergic to {answer}"),
        (r"\bwhat time do you (?:usually |normally )?(?P<whose>get up|wake up|go to bed|go to sleep)", "I {whose} at {answer}"),
        (r"\bhow long have you (?P<whose>lived|worked|been) (?:there|here)", ""),
    )
)


def _diet(said: str, typed: str, begin: int) -> str:
    none = late_pattern(r"(?:no|nothing with|without)\s+").match(said)
    if none:
        return f"I don't eat {typed[none.end() :]}"
    return f"I am {typed[begin:]}" if re.sub(r"\s+only$", "", said[begin:].strip(" .!")) in DIETS else f"I eat only {typed[begin:]}"


def _of_yours(said: str, typed: str, question: str) -> str | None:
    asked = plain(question)
    for pattern, retold in _OF_YOURS:
        match = pattern.search(asked)
        if match is None or not retold:
            continue
        prefix = _EASY_PREFIX.match(said)
        begin = prefix.end() if prefix else 0
        stop = late_pattern(r"\s*(?:[,;!?(]|\.\s|\.$|\s-\s|\s(?:but|and|why|because|so|she|he|it)\s)").search(said, begin)
        # A date has its hour behind a comma.
        end = (
            len(said.rstrip(" .!"))
            if " is on " in retold and not (stop and re.match(r"[;!?(]|\s(?:but|why|so)", stop[0]))
            else stop.start()
            if stop
            else len(said)
        )
        answer = typed[begin:end].strip()
        if not answer or _NOT_AN_ANSWER.match(said, begin) or len(answer.split()) > 7:
            return None
        if retold == "{diet}":
            return _diet(said, typed, begin)
        if retold.startswith("Call me"):
            answer = re.sub(r"\s+(?:is (?:fine|good|ok|okay|great|perfect)|works|will do|please)\b.*$", "", answer, flags=re.IGNORECASE)
            if len(answer.split()) > 2:
                return None
        whose = re.sub(r"^(?:your|the|his|her)\b", "My", question[match.start("whose") : match.end("whose")], flags=re.IGNORECASE)
        return retold.format(whose=whose, answer=answer)
    return None


def restated(sentence: Sentence, context: Context) -> tuple[str, str] | None:
    """A "yes", a "no" or "two cats" as the sentence that it stands for, and the question with the answer. None: it is none of these."""
    if not context.question or sentence.asks or len(sentence.text) > 60 or sentence.utterance.text.strip() != sentence.text.strip():
        return None
    question = re.split(r"(?<=[.!?])\s+", context.question.strip())[-1][-160:]
    said = plain(sentence.text)
    if retold := _of_yours(said, sentence.text, question):
        return retold, f"{question} {sentence.text}"
    asked = _ASKED_OF_ME.match(plain(question))
    if asked is None or asked["verb"] not in _SAID_AS:
        return None
    rest = question[asked.start("rest") : asked.end("rest")]
    yes, no = _YES.match(said), _NO.match(said)
    shown = f"{question} {sentence.text}"
    positive, negative = _SAID_AS[asked["verb"]]
    after = said[yes.end() :] if yes else said
    if asked["verb"] == "do you" and asked["rest"].startswith("have ") and _A_LIST.match(after):
        return f"I have {sentence.text[len(said) - len(after) :]}", shown
    if yes and _ONLY.match(said, yes.end()):
        return positive + re.sub(r"\b(?:any|a lot of)\s+", "", rest), shown
    if no and _ONLY.match(said, no.end()):
        return negative + rest, shown
    # "No, only tea": the tea is another thing.
    if no and re.match(r"(?:only|just|but|not anymore|i (?:used to|quit|stopped|gave))\b", said[no.end() :]):
        return negative + rest, shown
    return None
