"""Whom a question asks about, and whom a fact or a message tells of. Pure, by words alone, and only where it is plain.

"My brother's favourite player" answers no question about mine. People are told apart as their subject says (records), as who speaks
(messages) and as a sentence begins ("my sister Clara …", 我妹妹小雨…); a relation and the name it was introduced with are one person.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pagefile.entities import ME
from pagefile.language.chinese_forms import simplified
from pagefile.language.entities import entity_key
from pagefile.language.kin import CHINESE, ENGLISH, RELATION_OF, RELATIONS, SHORT_CHINESE, one_of, words_for
from pagefile.language.names import FAMILY_NAMES
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, simplify
from pagefile.language.words import mentions, terms
from pagefile.messages import Message
from pagefile.queries import Item
from pagefile.records import Record
from pagefile.retrieval.needs import NOBODY, PERSON

#: A relation that leaves open which one of these it is.
_ONE_OF: Mapping[str, frozenset[str]] = {
    "partner": frozenset({"wife", "husband", "girlfriend", "boyfriend"}),
    "child": frozenset({"son", "daughter"}),
    "parents": frozenset({"mother", "father"}),
    "sibling": frozenset({"brother", "sister"}),
}
#: "My student loan" and "my dentist appointment" are mine.
_NO_THING = (
    r"(?!-\w)(?! (?:appointments?|visits?|bills?|fees?|loans?|cards?|id|discounts?|meetings?|calls?|dinners?|part(?:y|ies)|showers?|groups?"
    r"|lists?|accounts?|projects?|rooms?|portal)\b)"
)
#: 朋友圈 is no friend.
_NO_THING_CHINESE = "(?!时代|证|票|卡|预约|圈|会议|名单)"
_SHORT = rf"(?:(?<![\u4e00-\u9fff])|(?<=[我咱们的家户跟和给陪见]))(?:{one_of(SHORT_CHINESE)})"
_ANY_CHINESE = rf"(?:{CHINESE}){_NO_THING_CHINESE}|{_SHORT}"
_KIN = late_pattern(
    rf"\b(?:my|our|the|user's) (?:(?!(?:{ENGLISH})\b)\w+ )?(?:(?:older|elder|big|younger|little|best) )?(?:{ENGLISH})\b{_NO_THING}"
    rf"|(?:(?:我|咱|用户)们?(?:家)?的?)?(?:{_ANY_CHINESE})",
    re.ASCII,
)
#: Whom anybody may have, or see: "the manager approves it" and 经理批准… tell of no boss of mine in particular.
_MANY_HAVE = (
    *("boss", "colleague", "neighbour", "roommate", "classmate", "landlord", "friend", "assistant", "business partner", "client", "doctor"),
    *("dentist", "therapist", "teacher", "student", "coach", "lawyer", "hairdresser", "nanny", "master", "apprentice"),
)
_ANYBODYS = late_pattern(
    rf"the |(?:{one_of(word for relation in _MANY_HAVE for word in words_for(relation) if not word.isascii())})$", re.ASCII
)
#: Who is asked about as one of several, or as any: then nobody is somebody else.
_TOGETHER = late_pattern(
    r"\b(?:we|we're|we've|us|our|ours|ourselves|family|families|home|household|both|any(?:one|body)|every(?:one|body)|some(?:one|body)"
    r"|who(?= (?!(?:is|was|are|were|am|do|does|did)\b)))\b"
    r"|[我咱]们|咱|家人|家里|全家|一家|大家|有人|有没有人|所有人|(?<!是)谁(?!的|是)",
    re.ASCII,
)
#: The user, told of behind somebody else who a sentence begins with.
_ME_TOO = late_pattern(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our|ours|user|user's)\b|[我咱俺]|本人|用户", re.ASCII)
_RELATION = late_pattern(rf"\b(?:{ENGLISH})$|(?:{_ANY_CHINESE})$", re.ASCII)

#: What may stand before whom a sentence is about.
_LEAD = late_pattern(
    r"\W*(?:(?:(?:well|so|and|but|oh|also|by the way|btw|today|yesterday|now|actually|fyi)\b"
    r"|对了|另外|顺便说一下|其实|今天|昨天|今晚|现在|听说|原来)[\s,，:：]*)*",
    re.IGNORECASE,
)
_ANIMALS = late_pattern(
    r"\b(?:dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|horses?|parrots?|rabbits?|hamsters?|turtles?)\b|[狗猫]|宠物|兔子|仓鼠|鹦鹉|乌龟",
    re.ASCII,
)
_I = late_pattern(r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|my|our|mine)\b(?!')|[我咱俺]", re.IGNORECASE)
_WHOSE = late_pattern(r"(?P<name>(?:[OD]')?[A-Z][\w-]*)'s\b")
#: These have a capital before 's and are nobody.
_NO_PERSON = frozenset(
    (
        *("It", "That", "There", "Here", "He", "She", "What", "When", "Where", "Who", "Why", "How", "Let", "This", "One", "Today"),
        *("Tomorrow", "Yesterday", "Tonight", "Everyone", "Someone", "Nobody", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
        *("Saturday", "Sunday"),
    )
)

_NAME_CHINESE = rf"(?:[小老阿][\u4e00-\u9fff]|(?P<double>[\u4e00-\u9fff])(?P=double)|[{FAMILY_NAMES}][\u4e00-\u9fff]{{1,2}}?)"
#: A name in plain letters: Zoe, O'Brien, McKay, Anne-Marie.
_NAME = r"(?:Mc|Mac|De|Di|Le|La|Fitz|[OD]')?[A-Z][a-z]+(?:-[A-Z][a-z]+)*"
_INTRODUCED = late_pattern(
    rf"\b[Mm]y (?P<kin>(?:(?:older|elder|big|younger|little|best) )?(?:{ENGLISH}),?) (?:is called |is named |called |named |is )?"
    rf"(?P<name>{_NAME})\b"
)
_INTRODUCED_CHINESE = late_pattern(
    rf"我们?家?的?(?P<kin>{CHINESE}|{one_of(SHORT_CHINESE)})(?:叫|名叫|是)?(?P<name>{_NAME_CHINESE})(?=[对在住是喜不会的要也有用来去最明今每和跟，,。、]|$)"
)


@dataclass(frozen=True, slots=True)
class People:
    """The people that a search has to do with: relations in one word, names as they are written, ME."""

    #: Whom the question asks about; empty: nobody, or nobody knows.
    asked: frozenset[str]
    #: Relation → the names it was introduced with.
    names: Mapping[str, frozenset[str]]
    #: All names that are known to be those of people.
    known: frozenset[str]
    #: Folded names under which the person speaks whose memory it is.
    owner: frozenset[str] = frozenset()
    #: The names of each one who has several.
    same: tuple[frozenset[str], ...] = ()
    #: Whether an animal is asked about, which may go by any name.
    animals: bool = False
    #: Whether several are asked about, or anybody: "we", "our family", 谁.
    together: bool = False

    @classmethod
    def of(cls, question: str, items: Sequence[Item], owner: Iterable[str] = (), same: Iterable[Collection[str]] = ()) -> People:
        """Read a question, with the names and relations that the items tell. ``owner``: names of the person whose memory it is. ``same``:
        the names of each one who has several."""
        several = [frozenset(names) for names in same]
        mine = {name for names in several if ME in map(entity_key, names) for name in names if entity_key(name) != ME}
        own = frozenset(_plain(name) for name in (*owner, *mine, *_own_voices(items)))
        called = _introduced(items)
        known = frozenset(name for name in _known(items) if _plain(name) not in own).union(*called.values())
        # Only people: what is merged may as well be a company.
        somebody = known | _owners_named(question)
        others = tuple(each for each in several if own.isdisjoint(map(_plain, each)) and _of_somebody(each, somebody))
        names = _with_other_names(called, others)
        known = known.union(*map(_no_relations, others))
        asked = set(_relations(question)) | {name for name in known if mentions(question, name)}
        asked |= {name for name in _owners_named(question) if _plain(name) not in own}
        rest = _without(_KIN.sub(" ", _plain(question)), known)
        if PERSON.search(NOBODY.sub(" ", rest)) or any(mentions(question, name) for name in own):
            asked.add(ME)
        animals = _ANIMALS.search(_plain(question)) is not None
        together = _TOGETHER.search(rest) is not None
        people = cls(asked=frozenset(asked), names=names, known=known, owner=own, same=others, animals=animals, together=together)
        people = replace(people, asked=people._joined(asked))
        return replace(people, owner=own.union(map(_plain, people._in_the_third_person(items))))

    def words(self) -> frozenset[str]:
        """The terms of the names and relations that are asked about."""
        others = (words_for(one) if one in RELATIONS else (one,) for one in self.asked if one != ME)
        return frozenset(term for words in others for word in words for term in terms(word))

    def about(self, item: Item) -> frozenset[str]:
        """Whom an item tells of; empty: nobody, or it is not plain."""
        if isinstance(item, Record) and item.subject is not None:
            return self._joined(self._with_me(_subject(item)))
        own = self._with_me(_first(item.text, self.known))
        if isinstance(item, Message) and item.role != "user" and item.speaker is None:
            # Of whom an assistant tells, and to whom, its words alone do not say.
            return frozenset()
        if isinstance(item, Message) and item.speaker is not None and _plain(item.speaker) not in self.owner and (not own or ME in own):
            own = {item.speaker}
        return self._joined(own)

    def _in_the_third_person(self, items: Sequence[Item]) -> frozenset[str]:
        """The names of the one of whom all facts are, where the question is about the person who asks and no fact is: some programs write
        of the user by name."""
        if self.asked != {ME}:
            return frozenset()
        told = [(item, self.about(item)) for item in items]
        if any(ME in about for _, about in told):
            return frozenset()
        named = {about for item, about in told if isinstance(item, Record) and about and self._unrelated(about)}
        if len(named) != 1:
            return frozenset()
        (names,) = named
        return names if len(names) == 1 or any(names <= one for one in self.same) else frozenset()

    def _joined(self, people: Iterable[str]) -> frozenset[str]:
        """The people, relations with their names, names with their relations and with their other names."""
        joined = set(people)
        for names in self.same:
            if any(one not in RELATIONS and one != ME and _same(one, name) for one in people for name in names):
                joined |= _no_relations(names)
        for relation, called in self.names.items():
            if any(one in called or (one in RELATIONS and _same(one, relation)) for one in tuple(joined)):
                joined |= {relation, *called}
        return frozenset(joined)

    @property
    def _relatives(self) -> frozenset[str]:
        return self.asked & RELATIONS

    def _with_me(self, people: Iterable[str]) -> set[str]:
        """With the person's own names told as such."""
        return {ME if _plain(one) in self.owner else one for one in people}

    def by_another_name(self, question: str, item: Item) -> bool:
        """Whether an item tells of somebody who is asked about, by none of the names that the question has."""
        named = [name for names in self.same for name in names if mentions(question, name)]
        if not named or any(mentions(item.text, name) for name in named):
            return False
        return not self._joined(named).isdisjoint(self.about(item))

    def elsewhere(self, item: Item) -> bool:
        """Whether it is plain that an item tells of others than the question asks about."""
        if not self.asked or self.together or (ME in self.asked and self._tells_of_me(item)):
            return False
        about = self.about(item)
        if not about or any(_same(one, other) for one in about for other in self.asked):
            return False
        # "I have no children" is about them, too.
        if self._relatives and any(_same(one, other) for one in _relations(item.text) for other in self._relatives):
            return False
        # A name whose relation nobody told may be the one that is asked about: "my sister", and "Clara lives in Leeds".
        nameless = self.asked == self._relatives and not any(self.names.get(one) for one in self.asked)
        if (nameless or self.animals) and self._unrelated(about):
            return False
        return not any(mentions(item.text, one) for one in self.asked - self._relatives - {ME})

    def _tells_of_me(self, item: Item) -> bool:
        """Whether the user comes in behind somebody else whom an item begins with: "my sister has my passport", 老板说我可以休假."""
        if item.speaker is not None and _plain(item.speaker) not in self.owner:
            return False
        plain = _plain(item.text)
        start = lead.end() if (lead := _LEAD.match(plain)) else 0
        kin = _KIN.match(plain, start)
        return _ME_TOO.search(plain, kin.end() if kin else start) is not None

    def _unrelated(self, about: Iterable[str]) -> bool:
        related = frozenset().union(*self.names.values())
        return all(one != ME and one not in RELATIONS and one not in related for one in about)


def _plain(text: str) -> str:
    return simplified(fold(simplify(text)))


def _relation_of(words: str) -> str | None:
    """The relation that words such as "my older brother" or 用户的哥哥 end with."""
    plain = _plain(words)
    found = _RELATION.search(plain)
    return None if found is None else RELATION_OF[found[0]]


def _relations(text: str) -> frozenset[str]:
    found = (_relation_of(match[0]) for match in _KIN.finditer(_plain(text)))
    return frozenset(name for name in found if name is not None)


def _same(one: str, other: str) -> bool:
    """Whether two may be the same person."""
    if one == other:
        return True
    if one in RELATIONS and other in RELATIONS:
        (kin, _, which), (other_kin, _, other_which) = one.partition(":"), other.partition(":")
        if other_kin in _ONE_OF.get(kin, ()) or kin in _ONE_OF.get(other_kin, ()):
            return True
        return kin == other_kin and (not which or not other_which)
    return False if ME in (one, other) or one in RELATIONS or other in RELATIONS else mentions(one, other) or mentions(other, one)


def _subject(record: Record) -> set[str]:
    """The person a record is about. What else belongs to the user ("user's company") is the user's; a thing with a name is nobody."""
    subject = record.subject or ""
    plain = _plain(subject)
    if plain == ME:
        return {ME}
    if plain.startswith(("user's ", "用户的")):
        kin = _KIN.match(plain)
        # The dog of a neighbour is the neighbour's.
        first = _relation_of(kin[0]) if kin and plain.startswith(("'s", "的"), kin.end()) else None
        return {first or _relation_of(subject) or _somebody(plain, record.attribute) or ME}
    of_people = record.attribute in _OF_PEOPLE or (record.attribute or "").startswith("favourite ")
    return {subject} if of_people or subject == record.speaker else set()


#: Properties that only people have. A project has a deadline, too.
_OF_PEOPLE = frozenset(
    (
        *("residence", "occupation", "employer", "school", "major", "birthday", "nationality", "hometown", "marital status", "partner"),
        *("child", "parent", "sibling", "relative", "friend", "colleague", "pet", "allergy", "diet", "health", "habit", "likes", "skill"),
        *("language", "owns", "wake time", "bedtime", "phone", "email", "address", "salary", "nickname", "gender", "visited"),
    )
)


#: What a thing or an animal of somebody's may have, too: an address of a company.
_OF_THINGS_TOO = frozenset(("phone", "email", "address", "language", "nickname", "visited", "owns", "health", "salary", "pet"))
_NO_SOMEBODY = late_pattern(
    r"\b(?:own|self|name|family|famil(?:y|ies)|company|firm|employer|startup|team|office|school|university|bank|band|club|car|bike|house|home"
    r"|flat|apartment|body|side|account|name|life|job|work|project|birthday)\b|自己|本人|家$|家里|全家|公司|单位|团队|学校|大学|银行|车|房|生活|工作|项目|名字|账号|身体|生日",
    re.ASCII,
)


def _somebody(plain: str, attribute: str | None) -> str | None:
    """Who "user's podiatrist" is, whose birthday is told: somebody, for all that the relation is in no list."""
    whose = re.sub(r"^(?:user's |用户的)", "", plain)
    if attribute not in _OF_PEOPLE - _OF_THINGS_TOO and not (attribute or "").startswith("favourite "):
        return None
    return None if not whose or _NO_SOMEBODY.search(whose) or _ANIMALS.search(whose) else whose


def _first(text: str, known: Iterable[str]) -> set[str]:
    """Whom a text is about, by how it begins."""
    lead = _LEAD.match(text)
    rest = text[lead.end() :] if lead else text
    plain = _plain(rest)
    if (kin := _KIN.match(plain)) and (relation := _relation_of(kin[0])) and len(kin[0]) > 1 and not _ANYBODYS.match(kin[0]):
        return {relation}
    if _I.match(rest):
        return {ME}
    named = {name for name in known if plain.startswith(_plain(name))}
    if not named and (match := _WHOSE.match(simplify(rest))) and match["name"] not in _NO_PERSON:
        return {match["name"]}
    return named


def _owners_named(question: str) -> set[str]:
    """Names of people whom something of theirs is asked for: "Zoe's job"."""
    return {match["name"] for match in _OWNER.finditer(simplify(question)) if match["name"] not in _NO_PERSON}


_OWNER = late_pattern(rf"\b(?P<name>{_NAME})'s (?!(?:a|an|the|my|your)\b)(?=[a-z])")


def _introduced(items: Sequence[Item]) -> Mapping[str, frozenset[str]]:
    """Relation → names, as the items tell them: "my sister Clara"."""
    found: dict[str, frozenset[str]] = {}
    for item in items:
        if isinstance(item, Message) and item.speaker is not None:
            continue
        for pattern in (_INTRODUCED, _INTRODUCED_CHINESE):
            for match in pattern.finditer(simplify(item.text)):
                if relation := _relation_of(match["kin"].rstrip(",")):
                    found[relation] = found.get(relation, frozenset()) | {match["name"]}
    return found


def _own_voices(items: Sequence[Item]) -> Iterable[str]:
    """Names of the user: under which facts about the user were said, or the only voice there is."""
    voices = {item.speaker for item in items if isinstance(item, Message) and item.role == "user"}
    if len(voices) == 1 and None not in voices:
        yield from (voice for voice in voices if voice is not None)
    for item in items:
        if isinstance(item, Record) and item.subject == ME:
            if item.speaker is not None:
                yield item.speaker
            if item.attribute == "name" and item.value:
                yield item.value


def _known(items: Sequence[Item]) -> Iterable[str]:
    for item in items:
        if item.speaker is not None:
            yield item.speaker
        if isinstance(item, Record):
            yield from (one for one in _subject(item) if item.subject is not None and one != ME and one not in RELATIONS)


def _of_somebody(names: Iterable[str], known: Iterable[str]) -> bool:
    """Whether some of these are names of a person, or a relation."""
    people = set(map(_plain, known))
    return any(_plain(name) in people or _relation_of(name) is not None for name in names)


def _no_relations(names: Iterable[str]) -> set[str]:
    return {name for name in names if _relation_of(name) is None}


def _with_other_names(called: Mapping[str, frozenset[str]], same: Iterable[frozenset[str]]) -> Mapping[str, frozenset[str]]:
    """Relation → names, with those under which the same people go."""
    found = dict(called)
    for names in same:
        relations = {relation for name in names if (relation := _relation_of(name))}
        relations |= {relation for relation, told in called.items() if not told.isdisjoint(names)}
        for relation in relations:
            found[relation] = found.get(relation, frozenset()) | _no_relations(names)
    return found


def _without(question: str, names: Iterable[str]) -> str:
    """A plain question without "my Clara" and "my podiatrist"."""
    for name in names:
        question = re.sub(rf"(?:\b(?:my|our) |[我咱]们?的?){re.escape(_plain(name))}", " ", question)
    return question
