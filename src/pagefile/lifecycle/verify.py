"""Whether a fact that a model read stands in the message it names: a claim if it does, else the reason why not. Pure.

A model may choose what is worth keeping. What is kept are the words that were said, by the one who said them, about the one they are about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pagefile.language.dates import TimeRange, find_times
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, language_of
from pagefile.language.words import mentions, query_terms, terms
from pagefile.lifecycle.attribute_names import SYNONYMS
from pagefile.lifecycle.attributes import Attribute, attribute_of, canonical_subject
from pagefile.lifecycle.cues import abstains, harms, is_way_of_eating, may_tell, partakes, undoes_dislike
from pagefile.lifecycle.facts import ASSISTANT, USER, Certainty, Claim, Utterance
from pagefile.lifecycle.framing import framed
from pagefile.lifecycle.grammar import (
    EXPLETIVES,
    About,
    about,
    clause_of,
    corrects,
    denied,
    dislikes,
    ends,
    foresees,
    introduced,
    is_person,
    manner,
    negations,
    relation_in,
    relations,
    surely_corrects,
)
from pagefile.lifecycle.naming import is_anothers, is_speaker, names_me, possesses, tells_name
from pagefile.lifecycle.quoting import find_quote, same_words, spoken_around
from pagefile.lifecycle.rules.reading import claim
from pagefile.lifecycle.rules.sentences import Sentence, sentences
from pagefile.lifecycle.trimming import Trimmed, trimmed
from pagefile.records import Polarity

#: Who "I" is where no person speaks.
NOBODY = frozenset({"tool", "file", "web", "system"})
#: People and animals of somebody: the value is one of them, so that "my brother Tom …" may well be about the speaker.
_FAMILY = frozenset({"partner", "child", "parent", "sibling", "relative", "friend", "colleague", "pet"})
_NAMES = frozenset({"name", "nickname"})
#: What somebody is.
_IDENTITY = frozenset({"occupation", "gender", "nationality", "marital status"})
_BODIES = frozenset({"employer", "school", "residence", "hometown"})
#: How the one whose memory it is wants to be answered. What others want of an assistant is no wish of his.
_ANSWERS = frozenset({"answer style", "preferred language"})
#: What changes from one day to another: said of the future, it is a plan.
_STATES = frozenset({"residence", "employer", "occupation", "school", "partner", "marital status", "address"})
#: What people have towards something: denied, it still says something.
_DENIABLE = frozenset({"likes", "diet", "allergy", "habit", "owns", "pet", "skill", "language", "child", "sibling", "partner"})
#: How a short phrase looks, in words, or characters where words have no blanks between them.
_MOST_WORDS, _MOST_CHARACTERS = 10, 25
#: A quote shorter than this, in words or Chinese characters, is no statement by itself.
_SHORTEST_CLAUSE = {"en": 4, "zh": 3, "other": 3}
_FEWEST_WORDS = 3
_CONFIDENCE: Mapping[Certainty, float] = {"plain": 0.8, "passing": 0.5}
_FORESEEN = frozenset(SYNONYMS.values())
_HOW_TO_ANSWER = late_pattern(
    r"\b(?:(?:your|the) (?:answers?|repl(?:y|ies)|responses?)|(?:answer|reply|respond|speak|talk) (?:to me )?(?:in|with)|(?:don't|"
    r"do not|never|no|less) (?:use )?"
    r"(?:jargon|emojis?|slang|markdown|bullet points))\b|回答|回复|(?:不要|别|少)用.{0,4}(?:术语|表情|缩写|黑话)",
    re.IGNORECASE,
)
_FORBIDS = late_pattern(
    r"^\W*(?:(?:and|but|so|please)\s+)*(?:never|don['’]?t|do not)\s|(?:别|不要|不许|禁止)[^，,]{0,6}(?:我|找|打|发|叫|用)", re.IGNORECASE
)
_LIMITS = late_pattern(r"\b(?:only|must|has to|have to|at most|no later|until)\b|只|仅|必须|最多|最晚", re.IGNORECASE)
_MISTAKEN_FOR_CONSTRAINT = frozenset({"habit", "note", "phone"})
_WOULD = late_pattern(r"\b(?:i|we)(?:['’]d| would| could| might| should)(?! (?:like|love|rather|prefer|say|never)\b)", re.IGNORECASE)
#: Characters before a quotation in which its speaker is named.
_LEAD_IN = 80
_USED_TO = late_pattern(r"\bused to\b|以前|曾经", re.IGNORECASE)
#: What small models call a wish for how to be answered.
_MISTAKEN_FOR_STYLE = frozenset({"language", "skill", "likes", "habit", "note", "constraint", "style"})
_LEAD = late_pattern(r"^(?:(?:and|so|but|please)\s+)*(?:(?:i|we)(?:['’]?m|['’]?re|['’]?ll| am| are| will)?\s+|我们?|请)?", re.IGNORECASE)
_UNTIL_COMMA = late_pattern(r"[,，;；]")
_NAME_OF = late_pattern(r"(?:['’]?s?|的)?[ _]*(?:name|名字)$", re.IGNORECASE)
_HAS_WORDS = late_pattern(r"[^\W_]")


class Refusal(Exception):
    """A fact that cannot be believed. Its text says why, without words of the message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What the model was shown: the number of each line, and its utterance."""

    lines: Mapping[int, Utterance]
    #: "model:" and its name.
    extractor: str
    #: When it is read: a message whose clock is ahead makes no facts of the future.
    now: datetime

    def names_of(self, speaking: Utterance) -> frozenset[str]:
        """The folded names by which a speaker calls himself in these lines. "I" of a web page is no name of the user who shows it."""
        who = (speaking.subject, speaking.quarantined)
        said = (line.text for line in self.lines.values() if (line.subject, line.quarantined) == who and line.subject != ASSISTANT)
        return frozenset(name for text in said for name in introduced(text))

    def holding(self, quote: str) -> list[Utterance]:
        """The lines that may be learnt from and have these words."""
        found = {line.message: line for line in self.lines.values() if line.fresh and find_quote(line.text, quote)}
        return list(found.values())


def claim_of(fact: Mapping[str, Any], batch: Batch) -> Claim:
    """The claim that a fact of the model comes to. Raises Refusal."""
    utterance, span = _place(fact, batch)
    sentence, span = _sentence(utterance, span, str(fact.get("value") or ""))
    attribute = _attribute(fact)
    written, at = _value(str(fact.get("value") or ""), attribute, sentence.text, span)
    begin, end = clause_of(sentence.text, *at)
    clause, around = sentence.text[begin:end], (sentence.text[begin : at[0]], sentence.text[at[1] : end])
    # Of a quote of several statements, the one with the value.
    span = (max(span[0], begin), min(span[1], end)) if span[0] < end and begin < span[1] else span
    span = (span[0], span[0] + len(sentence.text[slice(*span)].rstrip(" ,，、;；")))
    relation, named = relation_in(written) if attribute.name in _FAMILY else (None, written)
    value = trimmed(named, attribute.name)
    quoted = _quoted(sentence, at, (written, value.value))
    subject = _subject(str(fact.get("subject") or ""), attribute, value.value, sentence, at, batch, quoted=quoted)
    certainty = _certainty(fact, sentence, at)
    if attribute.name in _STATES and _WOULD.search(around[0]):
        raise Refusal("it was supposed")
    certainty = "passing" if quoted is not None else certainty
    attribute = _as_meant(attribute, value.value, clause, sentence)
    value = Trimmed(_without_subject(sentence.text[slice(*span)])) if attribute.name != _attribute(fact).name else value
    _check(attribute, value.value, subject, sentence, clause)
    if attribute.name in _ANSWERS and subject != USER:
        raise Refusal("it is how to answer somebody else")
    if attribute.name == "constraint" and subject != USER and not (negations(clause) or _LIMITS.search(clause)):
        raise Refusal("its words limit nothing")
    if subject == sentence.utterance.subject:
        _check_own(attribute, value.value, around)
    if attribute.name in _FAMILY - {"pet"} and not is_person(value.value, sentence.text[: at[0]], clause):
        raise Refusal("its value is nobody")
    polarity = _polarity(fact, attribute, around, clause, value)
    past = _USED_TO.search(clause) is not None
    if past and polarity == "negative":
        raise Refusal("it no longer holds")  # "I used to hate running" says little of what is now
    ended = past or (bool(fact.get("ended")) and ends(sentence.text))
    span, text = _worded(fact, sentence, span, value.value)
    made = claim(
        sentence,
        subject=subject,
        attribute=attribute.name,
        value=value.value,
        span=span,
        text=text,
        polarity=polarity,
        certainty=certainty,
        correction=surely_corrects(sentence.text) or (bool(fact.get("correction")) and corrects(utterance.text)),
        ended=ended,
        confidence=_CONFIDENCE[certainty],
        tags=(relation.lower(),) if relation and relation != value.value else (),
    )
    others = () if subject in (USER, ASSISTANT) or "'s " in subject or "的" in subject else (subject,)
    entities = tuple(dict.fromkeys((*others, *made.entities)))
    return _sound(replace(made, extractor=batch.extractor, entities=entities), batch.now)


# --- where it stands -----------------------------------------------------------------------------------------------------


def _place(fact: Mapping[str, Any], batch: Batch) -> tuple[Utterance, tuple[int, int]]:
    quote = str(fact.get("quote") or fact.get("text") or "")
    if not _HAS_WORDS.search(quote):
        raise Refusal("it quotes nothing")
    named = batch.lines.get(fact.get("line") or 0)
    if named is not None and named.fresh and (span := find_quote(named.text, quote)):
        return named, span
    # A small model miscounts lines; words that stand in one line alone tell which it meant.
    holding = batch.holding(quote)
    if len(holding) == 1 and (span := find_quote(holding[0].text, quote)):
        return holding[0], span
    if named is not None and not named.fresh:
        raise Refusal("it is of an earlier line")
    raise Refusal("its quote does not stand in that line" if named is not None else "there is no such line")


def _sentence(utterance: Utterance, span: tuple[int, int], value: str) -> tuple[Sentence, tuple[int, int]]:
    """The sentence of a quote, and the quote as a span of it: of several sentences the one with the value; of a mere word, the clause."""
    touched = [one for one in sentences(utterance) if one.start < span[1] and span[0] < one.start + len(one.text)]
    if not touched:
        raise Refusal("it quotes nothing")
    sentence = next((one for one in touched if find_quote(one.text, value)), touched[0])
    begin, end = max(0, span[0] - sentence.start), min(len(sentence.text), span[1] - sentence.start)
    if len(touched) > 1 and len(sentence.text.split()) < _SHORTEST_CLAUSE["en"] and sentence.language == "en":
        # A line end in the middle of a sentence.
        begin = touched[0].start
        whole = utterance.text[begin : touched[-1].start + len(touched[-1].text)]
        sentence = Sentence(text=whole, start=begin, utterance=utterance, language=sentence.language)
        begin, end = span[0] - begin, min(len(whole), span[1] - begin)
        begin = max(0, begin)
    quote = sentence.text[begin:end]
    words = len(quote.split()) if sentence.language == "en" else len(quote)
    if words < _SHORTEST_CLAUSE[sentence.language] or same_words(quote, value):
        begin, end = clause_of(sentence.text, begin, end)
    return sentence, (begin, end)


def _quoted(sentence: Sentence, at: tuple[int, int], values: tuple[str, ...]) -> str | None:
    """What stands before the words of somebody that are quoted around a value; None: it is not quoted, or is no more than a title."""
    utterance = sentence.utterance
    marks = spoken_around(utterance.text, sentence.start + at[0], sentence.start + at[1])
    if marks is None:
        return None
    within = utterance.text[slice(*marks)]
    # Of a title, models leave out the article.
    if any(same_words(title, value) for title in (within, trimmed(within, "name").value) for value in values):
        return None
    return utterance.text[max(0, marks[0] - _LEAD_IN) : marks[0]]


# --- what it says --------------------------------------------------------------------------------------------------------


def _attribute(fact: Mapping[str, Any]) -> Attribute:
    written = str(fact.get("attribute") or "")
    known = attribute_of(written)
    of_whom = attribute_of(_NAME_OF.sub("", written))
    return of_whom if of_whom.name in _FAMILY else known


def _value(written: str, attribute: Attribute, text: str, span: tuple[int, int]) -> tuple[str, tuple[int, int]]:
    """The value in the words that were said, and where they stand in the text of the sentence."""
    if not _HAS_WORDS.search(written):
        raise Refusal("it has no value")
    begin, end = span
    quote = text[begin:end]
    for wanted in (written, trimmed(written, attribute.name).value):
        if found := find_quote(quote, wanted):
            return quote[found[0] : found[1]], (begin + found[0], begin + found[1])
    if (found := _scattered(quote, written)) is None:
        raise Refusal("its value is not in the words it quotes")
    # Words far apart are no phrase: then the model's own order of them reads better.
    apart = found[1] - found[0] > 2 * len(written) + 8
    return written if apart else quote[found[0] : found[1]], (begin + found[0], begin + found[1])


_WORD = late_pattern(r"[^\W_]+(?:['’.\-][^\W_]+)*")


def _scattered(text: str, written: str) -> tuple[int, int] | None:
    """Where the words of a value stand if they do not follow each other, or in another form ("spicy foods"); numbers as they are."""
    if language_of(text) != language_of(written):
        return None
    needed = set(query_terms(written))
    if not needed or not needed <= set(terms(text)):
        return None
    places = [word.span() for word in _WORD.finditer(text) if needed & set(terms(word[0]))]
    return (places[0][0], places[-1][1]) if places else None


def _polarity(fact: Mapping[str, Any], attribute: Attribute, around: tuple[str, str], clause: str, value: Trimmed) -> Polarity:
    """What the model says, doubted where the words say something else. ``around``: what stands before the value and after it."""
    if attribute.name in ("constraint", "answer style") and negations(value.value):
        return "positive"
    if attribute.negates or attribute.name == "diet":
        decided = _refrains(attribute, around, clause, value)
        if decided is not None:
            return decided
    negative = fact.get("polarity") == "negative" or attribute.negates or value.negated
    told = denied(around[0]) or negations(_UNTIL_COMMA.split(around[1])[0]) > 0
    if not negative and denied(around[0]) and not negations(value.value):
        if attribute.name not in _DENIABLE:
            raise Refusal("its words deny it")
        return "negative"
    if negative and not (value.negated or told or ends(clause)):
        # A small model calls an allergy or a broken leg "negative".
        negative = attribute.name == "likes" or (attribute.name == "diet" and dislikes(clause))
    return "negative" if negative else "positive"


def _refrains(attribute: Attribute, around: tuple[str, str], clause: str, value: Trimmed) -> Polarity | None:
    """The polarity of what is said of a food or a dislike, where the words or the name that the model chose settle it."""
    if undoes_dislike(clause) and not value.negated:
        raise Refusal("its words deny it")
    if attribute.name != "diet":
        return "negative"
    named = is_way_of_eating(value.value)
    if attribute.negates and not named and not value.negated and partakes(clause, *around):
        raise Refusal("its words say otherwise")
    if not named and (harms(clause, *around) or abstains(around[0])):
        return "negative"
    refuses = value.negated or denied(around[0]) or dislikes(around[0])
    if not attribute.negates:
        return None
    return "negative" if refuses or not named else "positive"


def _check(attribute: Attribute, value: str, subject: str, sentence: Sentence, clause: str) -> None:
    if not _HAS_WORDS.search(value):
        raise Refusal("it has no value")
    long = len(value.split()) > _MOST_WORDS or (language_of(value) == "zh" and len(value) > _MOST_CHARACTERS)
    if long and (attribute.arity != "many" or attribute.name in _FAMILY | {"allergy", "diet"}):
        raise Refusal("its value is a sentence")
    if not may_tell(sentence.text, attribute.name) or (attribute.name == "diet" and relations(value)):
        raise Refusal("its words speak of something else")
    if not _foreseen(attribute) and (fold(attribute.name).startswith(fold(value)) or fold(value).startswith(fold(attribute.name))):
        raise Refusal("it says nothing")


def _check_own(attribute: Attribute, value: str, around: tuple[str, str]) -> None:
    """Whether what the one who speaks is said to be is told of himself, and does not stand there as another one's."""
    before, after = around
    if attribute.name in _NAMES and not tells_name(before, value, after):
        raise Refusal("nobody tells a name there")
    if attribute.name == "partner" and possesses(after) and not (is_speaker(before) or relations(before)):
        raise Refusal("it is of somebody else")
    if attribute.name in _IDENTITY and is_anothers(before, after):
        raise Refusal("it is of somebody else")
    relation, named = relation_in(value) if attribute.name in _BODIES else (None, value)
    if relation is not None and relation == named:
        raise Refusal("its value is somebody")


def _foreseen(attribute: Attribute) -> bool:
    return attribute.name in _FORESEEN or attribute.arity == "single"


def _as_meant(attribute: Attribute, value: str, clause: str, sentence: Sentence) -> Attribute:
    """A state of the future is a plan, one that somebody wishes for a goal; so is what only its time makes a fact ("my flight is …")."""
    if attribute.name in _STATES and (foreseen := foresees(clause)):
        return attribute_of(foreseen)
    if (attribute.name in _MISTAKEN_FOR_STYLE or not _foreseen(attribute)) and _HOW_TO_ANSWER.search(clause):
        return attribute_of("answer style")
    if (attribute.name in _MISTAKEN_FOR_CONSTRAINT or not _foreseen(attribute)) and _FORBIDS.search(clause):
        return attribute_of("constraint")
    if _foreseen(attribute):
        return attribute
    utterance = sentence.utterance
    for time in find_times(clause, reference=utterance.said_at, zone=utterance.zone, prefer="future"):
        if isinstance(time, TimeRange) and time.start is not None and time.start > utterance.said_at:
            return attribute_of("plan")
    return attribute


def _without_subject(clause: str) -> str:
    return _LEAD.sub("", clause.strip(" ,.;!，。；！"))


def _certainty(fact: Mapping[str, Any], sentence: Sentence, at: tuple[int, int]) -> Certainty:
    how = manner(sentence.text, *at)
    if how in ("asked", "supposed", "ordered"):
        raise Refusal({"asked": "it was asked", "supposed": "it was supposed", "ordered": "it was a request"}[how])
    if framed(sentence.text, *at):
        raise Refusal("its words deny it")
    return "passing" if how != "stated" or fact.get("certainty") == "passing" else "plain"


# --- whom it is about ----------------------------------------------------------------------------------------------------


def _subject(
    written: str, attribute: Attribute, value: str, sentence: Sentence, at: tuple[int, int], batch: Batch, *, quoted: str | None
) -> str:
    utterance, who = sentence.utterance, about(sentence.text, at[0])
    subject = _meant(written, who)
    if fold(written) in {fold(name) for name in (utterance.speaker, utterance.subject) if name} | batch.names_of(utterance):
        subject = utterance.subject
    elif subject == USER != utterance.subject:
        subject = _speaker(written, who, utterance)
    if subject == ASSISTANT != utterance.subject:
        raise Refusal("it is about the assistant")
    if attribute.name in _NAMES and quoted is None and utterance.subject not in {*NOBODY, ASSISTANT} and names_me(sentence.text[: at[0]]):
        # Whoever calls him that: "my wife calls me Bear".
        return utterance.subject
    if quoted is not None:
        if subject == utterance.subject or not _named(quoted, subject):
            raise Refusal("it quotes what others said")
        return _of_speaker(subject, utterance)
    if subject in NOBODY and subject == utterance.subject:
        raise Refusal("nobody that is known says it")
    if utterance.subject == ASSISTANT:
        if subject != ASSISTANT:
            raise Refusal("the assistant said it")
        return subject
    if subject != utterance.subject:
        clause = sentence.text[slice(*clause_of(sentence.text, *at))]
        return _third(subject, clause, who, sentence, batch)
    if who is None or who.speaker or _is_of(who, attribute, value):
        return subject
    return _other(who, utterance)


def _meant(written: str, who: About | None) -> str:
    """Whom a model names, in canonical form."""
    if not written:
        raise Refusal("it has no subject")
    if fold(written) in EXPLETIVES and who is not None and who.speaker:
        return USER
    relation, named = relation_in(written)
    return canonical_subject(("我" if language_of(written) == "zh" else "my ") + relation if relation == named else written)


def _is_of(who: About, attribute: Attribute, value: str) -> bool:
    """Whether a clause about somebody tells who that is to the speaker: "my brother is called Tom"."""
    if attribute.name not in _FAMILY:
        return fold(value) == fold(who.who or "")
    return fold(value) == fold(who.who or "") or (who.relation is not None and attribute_of(who.relation).name == attribute.name)


def _speaker(written: str, who: About | None, utterance: Utterance) -> str:
    """Whom a model means by "user" in a line that somebody else spoke."""
    speaks = (who is not None and who.speaker) or fold(written) in ("i", "me", "我")
    if utterance.subject == ASSISTANT or not speaks:
        raise Refusal("it is about the user, who did not say it")
    return utterance.subject


def _other(who: About, utterance: Utterance) -> str:
    """The one a clause is about when the model took it for its speaker."""
    if who.who is None:
        raise Refusal("it is about somebody else")
    return _of_speaker(who.who, utterance)


def _third(subject: str, clause: str, who: About | None, sentence: Sentence, batch: Batch) -> str:
    utterance = sentence.utterance
    if who is not None and who.speaker and not _named(clause, subject):
        return utterance.subject  # drifted onto somebody else who is named nearby
    if who is not None and who.who is not None and not _named(who.who, subject) and _named(sentence.text, who.who):
        return _of_speaker(who.who, utterance)
    relation = subject.removeprefix(f"{USER}'s ")
    if subject in relations(utterance.text) or (relation != subject and _said(relation, utterance.text)):
        return _of_speaker(subject, utterance)
    if _said(subject, utterance.text) or mentions(utterance.text, subject):
        return subject
    if any(_said(subject, line.text) or mentions(line.text, subject) for line in batch.lines.values()):
        return subject
    raise Refusal("nobody of this name is mentioned")


def _of_speaker(subject: str, utterance: Utterance) -> str:
    """ "user's brother" is the user's: of another speaker it is theirs."""
    if utterance.subject == USER:
        return subject
    return subject.replace("user's ", f"{utterance.subject}'s ", 1).replace("用户的", f"{utterance.subject}的", 1)


def _said(name: str, text: str) -> bool:
    return find_quote(text, name) is not None


def _named(text: str, name: str) -> bool:
    return _said(name, text) or mentions(text, name) or name in relations(text)


# --- its text and its time -----------------------------------------------------------------------------------------------


def _worded(fact: Mapping[str, Any], sentence: Sentence, span: tuple[int, int], value: str) -> tuple[tuple[int, int], str | None]:
    """Where it is said, time words included; and the model's sentence, if it has no words but those that were said there."""
    written, quote = str(fact.get("text") or ""), sentence.text[span[0] : span[1]]
    usable = (
        language_of(written) == language_of(quote)
        and set(terms(written)) <= set(terms(quote))
        and negations(written) == negations(quote)
        and find_quote(written, value) is not None
        and len(written.split()) >= _FEWEST_WORDS
    )
    return _with_time(fact, sentence, span), written if usable else None


def _with_time(fact: Mapping[str, Any], sentence: Sentence, span: tuple[int, int]) -> tuple[int, int]:
    """The span with the words for its time that the model names, or that stand right beside it: "Last week, I moved to Porto"."""
    utterance = sentence.utterance
    when = find_quote(sentence.text, str(fact.get("when") or ""))
    if when is not None:
        return min(span[0], when[0]), max(span[1], when[1])
    for time in find_times(sentence.text, reference=utterance.said_at, zone=utterance.zone):
        if isinstance(time, TimeRange):
            between = sentence.text[time.span[1] : span[0]] if time.span[1] <= span[0] else sentence.text[span[1] : time.span[0]]
            if not between.strip(" ,，在on"):
                return min(span[0], time.span[0]), max(span[1], time.span[1])
    return span


def _sound(made: Claim, now: datetime) -> Claim:
    """The claim without a beginning after it was said, unless it is about the future."""
    future = made.attribute in ("plan", "deadline", "goal") or (made.kind == "event" and foresees(made.text) is not None)
    latest = min(made.said_at, now)
    if not future and made.valid_from is not None and made.valid_from > latest:
        return replace(made, valid_from=latest, valid_to=None)
    return made
