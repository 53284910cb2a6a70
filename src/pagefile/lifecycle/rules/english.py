"""Reads plain English statements: whom a clause is about, and which rules may read what it says. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import english_others as others
from pagefile.lifecycle.rules import english_people as people
from pagefile.lifecycle.rules import english_plans as plans
from pagefile.lifecycle.rules import english_things as things
from pagefile.lifecycle.rules import english_wishes as wishes
from pagefile.lifecycle.rules.english_answers import restated, short_answer
from pagefile.lifecycle.rules.english_casual import as_meant
from pagefile.lifecycle.rules.english_clauses import Clause, clauses
from pagefile.lifecycle.rules.english_corrections import correction, forgotten, put_plainly
from pagefile.lifecycle.rules.english_phrases import items
from pagefile.lifecycle.rules.english_profile import begins_with_age, profile
from pagefile.lifecycle.rules.english_properties import my_property
from pagefile.lifecycle.rules.english_reading import Reading, verb_of
from pagefile.lifecycle.rules.english_updates import update
from pagefile.lifecycle.rules.english_verbs import understand, without_subject
from pagefile.lifecycle.rules.english_words import DIETS, EVENTS, HEALTH_ADJECTIVES, NOT_NAMES, PETS, one_of
from pagefile.lifecycle.rules.reading import Context
from pagefile.lifecycle.rules.sentences import Sentence
from pagefile.records import Source

_WITH_ME = (
    "wife|husband|partner|family|girlfriend|boyfriend|kids|friends?|fiancée?|roommate|brother|sister|mom|mum|dad|son|daughter|parents"
)
_I = late_pattern(
    rf"(?:i(?=['\s]|m\b|ve\b)|we(?=['\s]|ve\b)|(?:me and )?my (?:{_WITH_ME})(?: [a-z]+)? and (?:i|me)\b"
    rf"|me and my (?:{_WITH_ME})\b|both of us\b)"
)
#: What two people who do it together both do. "My wife and I have a dog" is told once.
_SHARED = frozenset({"residence", "likes", "diet", "habit", "employer", "school", "hometown", "language", "nationality", "allergy"})
_CALLED_BY_KIN = late_pattern(r"(?P<noun>mom|mum|dad|grandma|grandpa|granny|nana|grandad|granddad)(?=['\s])")
_PRESENTS = late_pattern(r"(?:this is|meet|here's|here is)\s+(?=my\s)")
_CALLED_ME = late_pattern(
    r"(?:(?:all )?(?:my|most) (?:friends|family|people|colleagues|coworkers|mates)|everyone|everybody|people|friends"
    r"|they|most people)(?: usually| just| all)* calls? me (?P<name>[a-z][\w'-]*)$"
)
_THE_PETS_NAME = late_pattern(
    rf"[Tt]he (?P<kind>{one_of(PETS)})(?:['’]s name is|['’]s called| is called| is named) (?P<name>{people.NAME})"
)
_OFF_LIMITS = late_pattern(r"(?:my|our)\s+(?:[\w'-]+\s+){1,3}(?:is|are) (?:off[- ]limits|not to be used|none of your business)")

#: Without "I", at the start of a message: "Allergic to nuts", "Moved to Leeds last week".
_DROPPED = late_pattern(
    r"(?:(?:just|recently|also|still|currently|actually|really|always|originally|finally) )*"
    r"(?:allergic to |moved (?:to|here|back to) |relocated to |went to |been to |love (?!you|it|that|this|to hear|how"
    r"|your|the|is|brings|makes|from|and|in|seeing|all|what)|hate (?!to|it|that|this|you|when|how|your)"
    r"|can'?t stand |got (?:an? [a-z ]{3,20} (?:called|named) |married|engaged|divorced|promoted|a (?:new )?(?:job"
    r"|dog|cat|puppy|kitten)|laid off"
    r"|fired)\b|started (?:a new job|working|learning) "
    r"|born (?:in|and raised) |live in |living (?:in|with|at|near|alone) |starting (?:at|with|as|a|my|work|uni"
    r"|school) |left (?=[a-z])|(?:first|second|third|fourth|final)[- ]year at |based in |work (?:as|at|for) "
    r"|working (?:as|at|for) "
    r"|don'?t (?:like|drink) |(?:not|never been) (?:really |that |much |too )*(?:a fan of|into|big on|keen on) "
    r"|never (?:liked|cared for) |native (?=[a-z]+ speaker)|visited "
    r"|adopted (?:a|two) |graduated from |used to (?:live|work|play|be|smoke|have|love|hate)\b|trying to (?:lose|quit"
    r"|stop|eat|save|learn) |training for "
    r"|(?:not )?(?:a |really a |really )?(?:big |huge |massive )?fan of |vegetarian\b|vegan\b|never been to "
    rf"|(?:(?:fully|completely|strictly|totally|now) )?(?:{one_of(DIETS | HEALTH_ADJECTIVES)})(?=\s*(?:$|[,.;!]|and\b|so\b|since\b|by\b))"
    r"|(?:severely |deathly |highly |mildly )allergic to |(?:moving|relocating|flying) to (?=[a-z])|turn(?:ing|s) \d"
    r"|(?:still|now) in (?=[a-z])|grew up in |retired\b|got my "
    r"|not (?:vegan|vegetarian|veggie|keto|married|single|pregnant)\b|don'?t (?:eat|smoke"
    r"|have (?:a|any) )|can'?t (?:eat|drink|have|do) |no longer "
    r"|(?:terrified|scared|afraid) of |obsessed with |hooked on |gone off |(?:back on|off) (?=[a-z])|prefer (?!not"
    r"|if|that|to be)|been (?!to\b|there\b|done\b|thinking|meaning|wondering|trying|looking)(?=[a-z])"
    r"|became (?:an? )|booked (?=[a-z])|got tickets |saving (?:up )?(?:for|to) |broke my |failed my |passed my "
    r"|sold (?:my|our|the) |started at (?!\d|the\b|a\b|an\b|noon|home)|joined (?=[a-z])"
    r"|getting (?:married|divorced) |expecting (?:a|our|my) |switched (?:from|to) |speak (?=[a-z]+ and)|studying "
    r"|learning (?:to|how to|[a-z]+ (?:since|for)) |fluent in "
    r"|diagnosed with |on (?:a diet|keto|insulin|antidepressants)|enjoy (?=[a-z]+ing)|never (?:eat|drink|smoke) "
    r"|passed\s*$|lost my |had (?:surgery|a baby|twins) "
    r"|quit (?:smoking|drinking)|stopped (?:eating|drinking|smoking) |climbed |hiked |ran (?:a|my|the) )"
)
#: "Poor Rex died".
_DEAR = late_pattern(r"(?:poor|dear|sweet|beloved|little|old)\s+")
_NOT_DOING = late_pattern(r"(?:can'?t|don'?t|won't|haven't|never|used to) (?!stand|like)")
_OF_EVENT = late_pattern(rf"(?:'s)?\s+(?:{one_of(EVENTS)})\b")
_SHOWS_AGE = late_pattern(r"turn(?:ing|s) \d")
#: How far into a sentence its first clause begins, with fillers in front.
_AT_START = 12


def read(sentence: Sentence, context: Context) -> list[Claim]:
    """The claims that a sentence states. Questions, wishes and other people's words state none. Never raises on any text."""
    typed, sentence = sentence, as_meant(sentence)
    if renewed := update(sentence, context) or correction(sentence, context):
        return renewed
    if (plainly := put_plainly(sentence)) and (found := _alone(typed, context, plainly)):
        return [replace(each, correction=True) for each in found]
    if begins_with_age(typed.text) and (found := _profiled(typed, context)):
        return found
    told = others.Told()
    for clause in clauses(sentence, context):
        found = _clause(clause, context, told)
        told.claims += found
        if clause.contrast and found and found[-1].attribute in ("likes", "allergy") and found[-1].polarity == "positive":
            told.claims += _contrasted(clause, context, found[-1])
    return others.distinct([*told.claims, *forgotten(sentence, context)]) or _answered(typed, context) or _profiled(typed, context)


def _answered(sentence: Sentence, context: Context) -> list[Claim]:
    """What a short answer says, with the question that it answers."""
    if (whole := restated(sentence, context)) is None:
        return short_answer(sentence, context)
    said, shown = whole
    return [replace(each, text=shown) for each in _alone(sentence, Context(), said)]


def _profiled(sentence: Sentence, context: Context) -> list[Claim]:
    """ "31, living in Austin, software dev": each part as a sentence of its own."""
    if sentence.asks or context.is_foreign(sentence.start):
        return []
    said = " ".join(sentence.text.split())
    return [replace(each, text=said) for part in profile(sentence.text) for each in _alone(sentence, Context(), part)]


def _alone(sentence: Sentence, context: Context, said: str) -> list[Claim]:
    """What a sentence states when it is put in other words."""
    alone = Sentence(text=said, start=0, utterance=replace(sentence.utterance, text=said))
    source = Source(
        message=sentence.utterance.message,
        span=(sentence.start, sentence.start + len(sentence.text)),
        external_id=sentence.utterance.external_id,
    )
    return [replace(each, sources=(source,)) for each in read(alone, replace(context, question="", foreign=()))]


def _contrasted(clause: Clause, context: Context, found: Claim) -> Iterator[Claim]:
    """ "Tea, not coffee" says something of coffee, too."""
    assert clause.contrast is not None  # the caller saw it
    until = replace(clause, end=clause.contrast[1], contrast=None)
    about = others.bare(until, context, found.subject)
    begin, end = clause.contrast
    if much := late_pattern(r"(?:so much|as much|really|exactly|necessarily|too keen on|a fan of|at all)\s+").match(
        clause.plain, begin, end
    ):
        begin = much.end()
    for each in items(clause.plain, begin, end):
        if re.match(r"(?:the )?(?:new|old|other|rest|usual|cheap)\b", clause.plain[slice(*each)]):
            continue
        yield about.claim(found.attribute, each, polarity="negative")


def _clause(clause: Clause, context: Context, told: others.Told) -> list[Claim]:
    if told.claims:
        context = replace(context, recent=(*context.recent, *told.claims))
    owner = clause.sentence.utterance.subject
    if clause.carried and told.subject and clause.plain.startswith(("don't", "never"), clause.at) and (wished := wishes.wish(clause)):
        return wished
    if clause.carried and told.subject:
        own = told.subject == owner
        # The blank before it stands where the subject would: "… and is a chef".
        after = clause.at - 1 if clause.at and clause.plain[clause.at - 1].isspace() else clause.at
        reading = verb_of(clause, context, subject=told.subject, after=after, own=own, prefix=others.going_on(clause, told.written))
        return understand(without_subject(reading))
    if (wished := wishes.wish(clause)) or clause.request:
        return wished
    about = others.bare(clause, context, owner)
    for rule in (_of_speaker, _of_speakers_things, _of_others):
        if (found := rule(clause, context, told, about)) is not None:
            return found
    if not clause.joined and not told.claims and clause.begin < _AT_START and _DROPPED.match(clause.plain, clause.at, clause.end):
        before = context.recent[-1] if context.recent else None
        if before and before.subject != owner and before.sources[0].message == clause.sentence.utterance.message:
            # After somebody else was spoken of, it may be theirs: "she loves orchids. turning 30 on May 9".
            if not _SHOWS_AGE.match(clause.plain, clause.at):
                return []
            told.subject = told.written = before.subject
            return understand(without_subject(verb_of(clause, context, subject=before.subject, after=clause.at, own=False)))
        told.subject, told.written = owner, "I"
        if _NOT_DOING.match(clause.plain, clause.at):
            return [replace(each, text=clause.text) for each in _alone(clause.sentence, context, f"I {clause.meant}")]
        return understand(without_subject(verb_of(clause, context, subject=owner, after=clause.at, own=True)))
    return list(things.of_things(about))


def _of_speaker(clause: Clause, context: Context, told: others.Told, about: Reading) -> list[Claim] | None:
    """ "I …", "my wife and I …"."""
    match = _I.match(clause.plain, clause.at, clause.end)
    if match is None:
        return None
    told.subject, told.written = about.subject, "I" if match[0] == "i" and not clause.along else "We"
    found = [*people.introduced(clause, about), *understand(verb_of(clause, context, subject=about.subject, after=match.end(), own=True))]
    if clause.along:
        found += [replace(each, subject=_companion(clause, clause.along)) for each in found if each.attribute in _SHARED]
    return found


def _companion(clause: Clause, along: tuple[int, int]) -> str:
    """ "user's brother", or the name of who does it with the speaker."""
    written = clause.written(*along).strip()
    mine, _, relation = written.partition(" ")
    if mine.lower() != "my":
        return written
    name = relation.split()[-1]
    return name if name[0].isupper() else f"{clause.sentence.utterance.subject}'s {relation.lower()}"


def _of_speakers_things(clause: Clause, context: Context, told: others.Told, about: Reading) -> list[Claim] | None:
    """ "My birthday is …", "everyone calls me Bob", "her name is Luna"."""
    said, at, end = clause.plain, clause.at, clause.end
    if told_of := list(things.befallen(about)):
        return told_of
    if named := others.HIS_NAME.match(said, at, end):
        return others.named_later(clause, context, named, told)
    if match := _CALLED_ME.match(said, at, end):
        name = match.span("name")
        small = clause.sentence.text == said
        return [about.claim("nickname", name)] if small or clause.sentence.text[name[0]].isupper() else []
    if pet := _THE_PETS_NAME.match(clause.sentence.text, at, end):
        return [about.claim("pet", pet.span("name"), tags=(pet["kind"].lower(),), entities=(pet["name"],))]
    if off := _OFF_LIMITS.match(said, at, end):
        return [about.claim("constraint", off.span())]
    if _PRESENTS.match(said, at, end):
        return list(people.introduced(clause, about))
    return my_property(about) or None


def _of_others(clause: Clause, context: Context, told: others.Told, about: Reading) -> list[Claim] | None:
    """ "My brother …", "she …", "Mom …", "Anna …", "the report is due …"."""
    said, at, end = clause.plain, clause.at, clause.end
    if match := others.KIN.match(said, at, end):
        # "My dentist appointment" is no dentist.
        if _OF_EVENT.match(said, match.end()) and (timed := list(plans.my_event(about))):
            return timed
        return others.of_kin(clause, context, match, told)
    if others.PRONOUN.match(said, at, end) or others.HIS.match(said, at, end):
        return others.of_pronoun(clause, context, told)
    if match := _CALLED_BY_KIN.match(said, at, end):
        return others.of_somebody(clause, context, told, subject=f"{about.subject}'s {match['noun']}", after=match.end())
    if timed := list(plans.my_event(about)):
        return timed
    at = found.end() if (found := _DEAR.match(said, at, end)) else at
    match = others.NAME.match(clause.sentence.text, at, end)
    if match and match[0].split()[0].lower() not in NOT_NAMES:
        return others.of_name(clause, context, match, told)
    return others.of_small_name(clause, context, told)
