"""English clauses about somebody or something else: "my brother …", "Anna …", "she …", "jazz is not my thing". Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import english_endings as endings
from pagefile.lifecycle.rules import english_people as people
from pagefile.lifecycle.rules import english_plans as plans
from pagefile.lifecycle.rules import english_things as things
from pagefile.lifecycle.rules.english_clauses import Clause
from pagefile.lifecycle.rules.english_phrases import items
from pagefile.lifecycle.rules.english_properties import property_of
from pagefile.lifecycle.rules.english_reading import Reading, verb_of
from pagefile.lifecycle.rules.english_verbs import understand
from pagefile.lifecycle.rules.english_words import (
    DIETS,
    HEALTH,
    HEALTH_ADJECTIVES,
    LANGUAGES,
    NATIONALITIES,
    NOT_NAMES,
    PET_PLURALS,
    PETS,
    RELATIONS,
    SEVERAL,
    one_of,
)
from pagefile.lifecycle.rules.reading import Context

_ADJECTIVES = (
    r"(?:(?:older|elder|big|little|lil|late|poor|younger|baby|oldest|eldest|youngest|middle|best|good|close|closest|dear|old|twin|new"
    r"|\d+[- ]year[- ]old)\s+)*"
)
KIN = late_pattern(
    rf"(?:both (?:of )?|all (?:of )?)?(?:my|our)\s+{_ADJECTIVES}(?P<noun>{one_of(RELATIONS)}|{one_of(SEVERAL)}|{one_of(PETS)})\b"
)


_KIN_NAME = late_pattern(rf"(?:\s*,)?\s+(?:named |called )?(?P<name>{people.NAME})\s*,?")


_CALLED = late_pattern(
    rf"(?:'s name is|'s name's|\s+is (?:called|named)|'s (?:called|named)|\s+is)\s+(?P<name>{people.NAME}"
    rf"|[a-z]{{2,12}}(?=\s*$))\s*(?=$|[,.]|and\b|but\b)"
)


_CALLED_SO = late_pattern(r"\s+are\s+(?:called\s+|named\s+)?\S")
_POSSESSIVE = late_pattern(r"(?:'s?|s')\s+(?=[a-z])")


NAME = late_pattern(people.NAME)


_AND_NAME = late_pattern(rf"\s+and\s+{people.NAME}")


_IS_KIN = late_pattern(
    rf"(?:\s*,\s*|\s*\(\s*|'s\s+|\s+is\s+)(?:(?:my|our)\s+(?:\w+\s+)?"
    rf"|an?\s+(?:\w+\s+)?(?=\w+ of mine)){_ADJECTIVES}(?P<noun>{one_of(RELATIONS)}"
    rf"|{one_of(PETS)})\b(?:\s+of mine)?\s*[,)]?"
)


PRONOUN = late_pattern(r"(?:he|she)(?=['\s])")


HIS = re.compile(
    rf"(?:his|her)\s+(?=(?:favou?rite|birthday|job|hometown|{_ADJECTIVES}(?:{one_of(RELATIONS)}|{one_of(PETS)}|parents|kids|children))\b)"
)
#: "… 's wife": people and animals of somebody else.
_THEIRS = late_pattern(rf"(?P<kin>{_ADJECTIVES}(?:{one_of(RELATIONS)}|{one_of(PETS)}|parents|kids|children))\b(?!\s+(?:and|or)\b)")


HIS_NAME = late_pattern(
    r"(?:(?:his|her|its|their) names?(?:'s| is| are)|(?:he|she|it|they)(?:'s| is|'re| are) (?:called|named))\s+(?P<names>\S.{1,60})"
)


_ENDED = late_pattern(
    r"(?:had to be put (?:down|to sleep)|was put (?:down|to sleep)|got run over|died|passed away|passed|has died|has passed|ran away)\b"
)


_LOOKBACK = 300


#: What is said of somebody known by name alone must be about a person.
_PERSONAL = late_pattern(
    r"\s+(?:really |also |just |absolutely |always |never |still |actually )*(?:(?:loves|likes|hates|enjoys|prefers"
    r"|dislikes|adores|plays|speaks|studies|lives in|works (?:as|at|for)|moved to"
    r"|was born|goes to|used to|eats|drinks|smokes|turns \d|turned \d)\b|(?:can't|can not|cannot) (?:stand|eat|drink"
    r"|swim|drive)\b|(?:doesn't|does not) (?:like|eat|do|use|smoke|enjoy|have"
    r"|drink|want|have|live|work|speak)\b|has (?:a|an|two|three|asthma|diabetes|no|been)\b"
    r"|got (?:married|engaged|promoted|a)\b|is (?:allergic|vegan|vegetarian|from|an?|\d|married|engaged|into"
    r"|pregnant|afraid|scared|not|getting married|moving|learning|studying|training|my)\b)"
    rf"|has (?:{one_of(HEALTH)})\b|is (?:{one_of(DIETS | HEALTH_ADJECTIVES)})(?!\w)"
    r"|'s\s+(?:allergic|vegan|vegetarian|birthday|favou?rite|pregnant|married)\b"
)


@dataclass(slots=True)
class Told:
    """What the clauses of a sentence have said so far: whom the last was about, and how that was written."""

    subject: str = ""
    written: str = ""
    claims: list[Claim] = field(default_factory=list)


def distinct(claims: Iterable[Claim]) -> list[Claim]:
    """Each claim once: a name can be read by two rules."""
    kept: dict[tuple[str, str, str, str, bool], Claim] = {}
    for each in claims:
        kept.setdefault((each.subject, each.attribute, each.value.lower(), each.polarity, each.only_ends), each)
    return list(kept.values())


def going_on(clause: Clause, written: str) -> str:
    """The subject of the clause before, as it must stand before this one's verb: "I'm" before "working as a chef"."""
    if not re.match(r"[a-z]+ing\b", clause.plain[clause.at : clause.end]):
        return written
    return written + {"I": "'m", "We": "'re"}.get(written, " is")


def bare(clause: Clause, context: Context, owner: str) -> Reading:
    """A clause of which no verb was read yet."""
    return Reading(clause=clause, context=context, subject=owner, mode="do", at=clause.at, end=clause.end)


def of_somebody(clause: Clause, context: Context, told: Told, *, subject: str, after: int) -> list[Claim]:
    """What the clause says of somebody else, whose name or relation ends at ``after``."""
    told.subject, told.written = subject, clause.written(clause.at, after)
    if possessive := _POSSESSIVE.match(clause.plain, after, clause.end):
        if theirs := _THEIRS.match(clause.plain, possessive.end(), clause.end):
            return of_somebody(clause, context, told, subject=f"{subject}'s {theirs['kin']}", after=theirs.end())
        about = of_another(bare(clause, context, subject))
        if found := list(property_of(about, possessive.end())) or list(
            plans.my_event(bare(clause, context, clause.sentence.utterance.subject))
        ):
            return found
    return understand(verb_of(clause, context, subject=subject, after=after, own=False))


def of_another(reading: Reading) -> Reading:
    """The same reading of somebody who is not the speaker."""
    reading.own = False
    return reading


def of_kin(clause: Clause, context: Context, match: re.Match[str], told: Told) -> list[Claim]:
    """ "My brother …", "my friend Jack …", "my wife's name is …"."""
    owner, noun = clause.sentence.utterance.subject, match["noun"]
    about = bare(clause, context, owner)
    attribute = people.relation_attribute(noun)
    tags = (people.singular(noun),)
    introduced = list(people.introduced(clause, about))
    if attribute == "pet" and (lost := _of_pet(about, match, introduced)):
        if lost[0].entities:
            told.subject = told.written = lost[0].value
        return lost
    if len(introduced) > 1 and (several := people.OWNED.search(clause.sentence.text, match.start(), clause.end)):
        each_of = [of_somebody(clause, context, told, subject=one.value, after=several.end()) for one in introduced]
        told.subject = ""
        return introduced + [claim for found in each_of for claim in found]
    text = clause.sentence.text
    if introduced and _CALLED_SO.match(clause.plain, match.end(), clause.end):
        return introduced
    if not introduced and attribute == "partner" and "late" in match[0].split():
        introduced = [about.claim("partner", match.span("noun"), tags=tags, ended=True)]
    if not introduced and (small := _small_name(clause, match)) and attribute:
        name = clause.written(*small)
        rest = of_somebody(clause, context, told, subject=name, after=small[1])
        return [about.claim(attribute, small, tags=tags, entities=(name,)), *rest]
    if (
        (called := _CALLED.match(text, match.end(), clause.end))
        and attribute
        and called["name"].split()[0].lower() not in NOT_NAMES | NATIONALITIES | LANGUAGES
    ):
        place, words = called.span("name"), called["name"]
        # "My dog is hungry" names nobody; "my dog is called rex" does.
        if words[0].isupper() or "name" in called[0] or "called" in called[0]:
            told.subject = told.written = words
            return distinct([*introduced, about.claim(attribute, place, tags=tags, entities=(words,))])
    if (named := _KIN_NAME.match(text, match.end(), clause.end)) and named["name"].split()[0].lower() not in NOT_NAMES:
        return introduced + of_somebody(clause, context, told, subject=named["name"], after=_after_name(clause, named))
    return introduced + of_somebody(clause, context, told, subject=f"{owner}'s {_relation(match)}", after=match.end())


_FROM_WHERE = late_pattern(
    r"\s+from (?:work|school|uni|college|church|the gym|home|class|back home|[a-z]+)(?=\s+(?:is|was|has|loves?"
    r"|likes?|hates?|can't|lives?|works?|doesn't|just)\b)"
)


def _after_name(clause: Clause, named: re.Match[str]) -> int:
    """Where the verb of "my friend Priya from work is …" begins."""
    if named[0].endswith(","):
        return named.end()
    where = _FROM_WHERE.match(clause.plain, named.end("name"), clause.end)
    return where.end() if where else named.end("name")


_SMALL_NAME = late_pattern(
    r"\s+(?!(?:who|that|and|or|just|also|really|always|never|is|was|has|had|still|now|here|there|got|went|keeps"
    r"|needs|does|can|will|would|said|says|name|names|at|in|on|for|to|from|with|hates?|loves?"
    r"|likes?)\b)(?P<name>[a-z]{2,12})(?=\s+(?:is|loves|hates|likes|has|can't|lives|works|was|doesn't|turned"
    r"|just)\b)"
)


def _small_name(clause: Clause, match: re.Match[str]) -> tuple[int, int] | None:
    """The name after "my dog" in a text without capitals."""
    if clause.sentence.text != clause.plain:
        return None
    named = _SMALL_NAME.match(clause.plain, match.end(), clause.end)
    return named.span("name") if named else None


def _of_pet(reading: Reading, match: re.Match[str], introduced: list[Claim]) -> list[Claim]:
    """ "My dog Max died", "my dog is a golden retriever"."""
    said, end = reading.plain, reading.end
    tags = (people.singular(match["noun"]),)
    at = late_pattern(r"\s+[a-z]+(?=\s)|").match(said, match.end(), end) if introduced else None
    if _ENDED.match(said, (at.end() if at else match.end()) + 1, end):
        return [reading.claim("pet", each.value, tags=tags, ended=True) for each in introduced] or [
            reading.claim("pet", match.span("noun"), tags=tags, ended=True)
        ]
    kind = late_pattern(rf"(?:'s| is)\s+an?\s+(?:[\w-]+\s+){{0,2}}?(?:rescue\s+)?(?P<kind>{one_of(PETS)})\b").match(said, match.end(), end)
    if kind is None:
        return []
    named = late_pattern(rf"\s+(?:named|called)\s+(?P<name>{people.NAME})").match(reading.clause.sentence.text, kind.end(), end)
    if named:
        words = reading.clause.written(*named.span("name"))
        return [reading.claim("pet", named.span("name"), tags=(kind["kind"],), entities=(words,))]
    return [reading.claim("pet", kind.span("kind"), tags=tags)]


def _relation(match: re.Match[str]) -> str:
    """The relation with its adjectives: "older brother"."""
    relation = re.split(r"\b(?:my|our)\s+", match[0], maxsplit=1)[1]
    return re.sub(r"\b(?:gf|bf)$", lambda short: "girlfriend" if short[0] == "gf" else "boyfriend", relation)


def of_name(clause: Clause, context: Context, match: re.Match[str], told: Told) -> list[Claim]:
    """ "Anna loves tea", "Jack, my brother, …", "Rex is my dog"."""
    owner, text = clause.sentence.utterance.subject, clause.sentence.text
    about = bare(clause, context, owner)
    if kin := _IS_KIN.match(clause.plain, match.end(), clause.end):
        attribute = people.relation_attribute(kin["noun"])
        told.subject = told.written = match[0]
        found = [about.claim(attribute, match.span(), tags=(people.singular(kin["noun"]),), entities=(match[0],))] if attribute else []
        return found + (
            of_somebody(clause, context, told, subject=match[0], after=kin.end()) if kin[0].lstrip().startswith((",", "(")) else []
        )
    if lost := list(endings.died(about, match[0].removeprefix("Poor ").removeprefix("Little "), match.end())):
        return lost
    if several := _SEVERAL_NAMES.match(text, match.start(), clause.end):
        return _of_several(clause, context, several, told)
    where = _FROM_WHERE.match(clause.plain, match.end(), clause.end)
    after = where.end() if where else match.end()
    if _AND_NAME.match(text, match.end(), clause.end) or not _PERSONAL.match(clause.plain, after, clause.end):
        return list(things.of_things(about))
    return of_somebody(clause, context, told, subject=match[0], after=after)


_SEVERAL_NAMES = late_pattern(
    rf"(?P<names>{people.NAME}(?:,\s+{people.NAME})*,?\s+(?:and|&)\s+{people.NAME})(?=\s+(?:both |all |also |really "
    rf"|absolutely )*(?:are (?:both |all )?(?:vegan|vegetarian|allergic|from|my|our|married|engaged|twins|coeliac"
    rf"|celiac|lactose"
    r"|diabetic|pregnant|into|pescatarian|gluten|not|afraid|scared)|love|like|hate|live in|work (?:at|for|as|in)"
    r"|don't (?:eat|like|drink|speak)|can't (?:eat|stand|swim|drive)|prefer|enjoy|eat|speak)\b)"
)


def _of_several(clause: Clause, context: Context, match: re.Match[str], told: Told) -> list[Claim]:
    """ "Ben and Lucy are both vegan": the same of each."""
    if mine := late_pattern(rf"\s+are\s+(?:both |all )?(?:my|our)\s+(?P<noun>{one_of(SEVERAL)}|{one_of(PET_PLURALS)})\b").match(
        clause.plain, match.end(), clause.end
    ):
        about, noun = bare(clause, context, clause.sentence.utterance.subject), people.singular(mine["noun"])
        attribute = people.relation_attribute(noun)
        names = people.names_in(clause, *match.span("names"))
        return (
            [about.claim(attribute, each, among=names, tags=(noun,), entities=(clause.written(*each),)) for each in names]
            if attribute
            else []
        )
    found = []
    for name in people.names_in(clause, *match.span("names")):
        found += of_somebody(clause, context, told, subject=clause.written(*name), after=match.end())
    told.subject = ""
    return found


_SMALL = late_pattern(r"(?P<name>[a-z]{2,12})(?=\s|'s\s)")
_PEOPLE = frozenset({"friend", "colleague", "sibling", "child", "parent", "partner", "relative", "pet"})


def of_small_name(clause: Clause, context: Context, told: Told) -> list[Claim] | None:
    """ "jack hates football" of somebody who was named before, in a text without capitals."""
    if clause.sentence.text != clause.plain or not context.recent:
        return None
    match = _SMALL.match(clause.plain, clause.at, clause.end)
    if match is None or not _PERSONAL.match(clause.plain, match.end(), clause.end):
        return None
    known = next((each.value for each in context.recent if each.attribute in _PEOPLE and each.value.lower() == match["name"]), None)
    return of_somebody(clause, context, told, subject=known, after=match.end()) if known else None


def of_pronoun(clause: Clause, context: Context, told: Told) -> list[Claim]:
    """ "She's a doctor": of the last single person named in the same message, else nothing."""
    subject = told.subject if told.subject and told.subject != clause.sentence.utterance.subject else _last_person(clause)
    if not subject:
        subject = _just_told(clause, context) or _spoken_of(clause, context)
    if not subject:
        return []
    match = PRONOUN.match(clause.plain, clause.at, clause.end) or HIS.match(clause.plain, clause.at, clause.end)
    assert match is not None  # the caller saw it
    if match.re is HIS:
        if theirs := _THEIRS.match(clause.plain, match.end(), clause.end):
            return of_somebody(clause, context, Told(), subject=f"{subject}'s {theirs['kin']}", after=theirs.end())
        return list(property_of(of_another(bare(clause, context, subject)), match.end()))
    mine = _IS_KIN.match(clause.plain, match.end(), clause.end)
    attribute = people.relation_attribute(mine["noun"]) if mine and "'s " not in subject else None
    if mine and attribute:
        told.subject = told.written = subject
        about = bare(clause, context, clause.sentence.utterance.subject)
        return [about.claim(attribute, subject, tags=(people.singular(mine["noun"]),), entities=(subject,))]
    found = of_somebody(clause, context, told, subject=subject, after=match.end())
    told.written = _as_said(subject)
    return [replace(each, text=_with_name(each.text, told.written)) for each in found]


def _just_told(clause: Clause, context: Context) -> str:
    """Whom the last claim of the message introduced: "I have a son, he is studying"."""
    before = context.recent[-1] if context.recent else None
    if before is None or before.attribute not in _PEOPLE or before.polarity == "negative" or before.value[:1].isdigit():
        return ""
    if before.sources[0].message != clause.sentence.utterance.message or not before.tags:
        return ""
    if before.value[0].isupper():
        return before.value
    return f"{before.subject}'s {before.tags[0]}" if before.tags[0] in before.value.lower() else before.value


def _spoken_of(clause: Clause, context: Context) -> str:
    """The one person that the messages before were about: "my son is 7", and in the next "wait, he turned 8"."""
    owner = clause.sentence.utterance.subject
    if any(each.sources[0].message == clause.sentence.utterance.message for each in context.recent):
        return ""
    told = {each.subject for each in context.recent if each.subject != owner}
    told |= {each.value for each in context.recent if each.attribute in _PEOPLE and each.value[:1].isupper() and each.attribute != "pet"}
    return told.pop() if len(told) == 1 else ""


def _as_said(subject: str) -> str:
    """ "user's brother" as the speaker would say it."""
    owner, _, relation = subject.partition("'s ")
    return f"My {relation}" if relation else owner


def _with_name(text: str, subject: str) -> str:
    """The pronoun alone would not tell who it is."""
    return re.sub(
        r"^(?:[Hh]e|[Ss]he)(?:['’]s(?= (?!got|been|had)))?\b",
        lambda match: f"{subject} is" if len(match[0]) > 3 else subject,
        text,
        count=1,
    )


def _last_person(clause: Clause) -> str:
    """The one person spoken of shortly before in the message; empty: none or several."""
    sentence = clause.sentence
    end = sentence.place(clause.begin)
    before = sentence.utterance.text[max(0, end - _LOOKBACK) : end]
    owner = sentence.utterance.subject
    found: dict[str, None] = {}
    plain_before = before.lower().replace("’", "'")
    taken: list[tuple[int, int]] = []
    for match in KIN.finditer(plain_before):
        named = _KIN_NAME.match(before, match.end())
        if named and named["name"].split()[0].lower() not in NOT_NAMES:
            found[named["name"]] = None
            taken.append((match.start(), named.end()))
        else:
            called = late_pattern(rf"(?:'s name is| is (?:called|named)) (?P<name>{people.NAME})").match(before, match.end())
            found[called["name"] if called else f"{owner}'s {_relation(match)}"] = None
            taken.append((match.start(), called.end() if called else match.end()))
    for match in NAME.finditer(before):
        inside = any(first <= match.start() < last for first, last in taken)
        if inside or match[0].split()[0].lower() in NOT_NAMES:
            continue
        if re.match(
            r"(?:'s|’s)?\s+(?:is|was|has|loves|likes|hates|lives|works|said|told|came|called|and I|just)\b", before[match.end() :]
        ) or re.search(
            r"\b(?:with|met|saw|named|called|to|and|friend|brother|sister|names? (?:is|are)|for|about|invite"
            r"|inviting|visit|visiting|meet|meeting|text|call|ask|tell)\s+$",
            before[: match.start()],
        ):
            found[match[0]] = None
    return next(iter(found)) if len(found) == 1 else ""


def named_later(clause: Clause, context: Context, match: re.Match[str], told: Told) -> list[Claim]:
    """ "Her name is Luna" after "I have a cat": the name of the one just spoken of."""
    before = told.claims[-1] if told.claims else context.antecedent
    if (
        before is None
        or before.polarity == "negative"
        or before.attribute not in ("pet", "child", "sibling", "partner", "friend", "parent", "relative", "colleague")
    ):
        return []
    about = bare(clause, context, clause.sentence.utterance.subject)
    found = [span for span in items(clause.plain, match.start("names"), clause.end) if len(clause.plain[slice(*span)].split()) <= 2]
    small = clause.text == clause.text.lower()
    return [
        about.claim(before.attribute, span, among=found, tags=before.tags, subject=before.subject, entities=(clause.written(*span),))
        for span in found
        if clause.sentence.text[span[0]].isupper() or small
    ]
