"""Whom a question asks about, and whom a fact or a message tells of. Pure, by words alone, and only where it is plain.

"My brother's favourite player" answers no question about mine. People are told apart as their subject says (records), as who speaks
(messages) and as a sentence begins ("my sister Clara …", 我妹妹小雨…); a relation and the name it was introduced with are one person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pagefile.entities import ME
from pagefile.language.chinese_forms import simplified
from pagefile.language.names import FAMILY_NAMES
from pagefile.language.patterns import late_pattern
from pagefile.language.text import fold, simplify
from pagefile.language.words import mentions, terms
from pagefile.messages import Message
from pagefile.queries import Item
from pagefile.records import Record
from pagefile.retrieval.needs import NOBODY, PERSON

#: A relation, in one word for both languages, and how it is written. 姐 and 妹 are sisters, but not each other.
_RELATIONS: Mapping[str, tuple[str, str]] = {
    "brother": ("brothers?", "兄弟"),
    "brother:elder": ("(?:older|elder|big) brother", "大哥|二哥|哥哥?"),
    "brother:younger": ("(?:younger|little) brother", "弟弟?"),
    "sister": ("sisters?", "姐妹"),
    "sister:elder": ("(?:older|elder|big) sister", "大姐|二姐|姐姐?"),
    "sister:younger": ("(?:younger|little) sister", "妹妹?"),
    "mother": ("mother|mom|mum|mommy", "妈妈?|母亲"),
    "father": ("father|dad|daddy", "爸爸?|父亲"),
    "parents": ("parents", "爸妈|父母"),
    "wife": ("wife", "老婆|妻子|太太|媳妇"),
    "husband": ("husband", "老公|丈夫"),
    "girlfriend": ("girlfriend", "女朋友|女友"),
    "boyfriend": ("boyfriend", "男朋友|男友"),
    "partner": ("partner|spouse|fianc[eé]e?", "对象|爱人"),
    "son": ("sons?", "儿子"),
    "daughter": ("daughters?", "女儿"),
    "child": ("kids?|child(?:ren)?|baby", "孩子|宝宝"),
    "grandmother": ("grandmother|grandma", "奶奶|外婆|姥姥"),
    "grandfather": ("grandfather|grandpa", "爷爷|外公|姥爷"),
    "grandchild": ("grandson|granddaughter|grandchild(?:ren)?", "孙子|孙女|外孙女?"),
    "uncle": ("uncle", "叔叔|舅舅|伯伯|姑父"),
    "aunt": ("aunt", "阿姨|姑姑|姨妈|舅妈"),
    "cousin": ("cousins?", "[表堂][哥弟姐妹]"),
    "nephew": ("nephew", "侄子|外甥(?!女)"),
    "niece": ("niece", "侄女|外甥女"),
    "friend": ("(?:best )?friends?", "(?:好)?朋友|闺蜜|哥们"),
    "boss": ("boss|manager|supervisor", "老板|上司|领导|经理"),
    "colleague": ("colleagues?|co-?workers?|teammates?", "同事"),
    "neighbour": ("neighbou?rs?", "邻居"),
    "roommate": ("roommates?|flatmates?|housemates?", "室友"),
    "classmate": ("classmates?", "同学"),
    "landlord": ("landlord|landlady", "房东"),
}
#: A relation that leaves open which one of these it is.
_ONE_OF: Mapping[str, frozenset[str]] = {
    "partner": frozenset({"wife", "husband", "girlfriend", "boyfriend"}),
    "child": frozenset({"son", "daughter"}),
    "parents": frozenset({"mother", "father"}),
}
# Longest first: "girlfriend" is no friend, 男朋友 no 朋友.
_ENGLISH = sorted(((english, name) for name, (english, _) in _RELATIONS.items()), key=lambda one: -len(one[0]))
_CHINESE = sorted(((chinese, name) for name, (_, chinese) in _RELATIONS.items()), key=lambda one: -len(one[0]))
_ANY_ENGLISH = "|".join(english for english, _ in _ENGLISH)
_ANY_CHINESE = (
    "女朋友|男朋友|女友|男友|[表堂][哥弟姐妹]|外孙女|外孙|外甥女|外甥|孙子|孙女|侄子|侄女|好朋友|朋友|闺蜜|哥们|大哥|二哥|大姐|二姐|哥哥|弟弟|姐姐|妹妹"
    "|兄弟|姐妹|妈妈|爸爸|爸妈|母亲|父亲|父母|老婆|妻子|太太|媳妇|老公|丈夫|对象|爱人|儿子|女儿|孩子|宝宝|奶奶|外婆|姥姥|爷爷|外公|姥爷|叔叔|舅舅|伯伯|姑父"
    "|阿姨|姑姑|姨妈|舅妈|老板|上司|领导|经理|同事|邻居|室友|同学|房东|[哥弟姐妹妈爸]"
)
_KIN = late_pattern(
    rf"\b(?:my|our|the|user's) (?:(?!{_ANY_ENGLISH})\w+ )?"
    rf"(?:(?:older|elder|big|younger|little|best) )?(?:{_ANY_ENGLISH})\b"
    rf"|(?:(?:我|咱|用户)们?(?:家)?的?)?(?:{_ANY_CHINESE})",
    re.ASCII,
)
#: "The manager approves it" and 经理批准… tell of no boss of mine in particular.
_ANYBODYS = late_pattern(r"the |(?:老板|上司|领导|经理|同事|邻居|室友|同学|房东|朋友)$", re.ASCII)
#: Who is asked about as one of several, or as any: then nobody is somebody else.
_TOGETHER = late_pattern(
    r"\b(?:we|we're|we've|us|our|ours|ourselves|family|families|home|household|both|any(?:one|body)|every(?:one|body)|some(?:one|body)"
    r"|who(?= (?!(?:is|was|are|were|am|do|does|did)\b)))\b"
    r"|[我咱]们|咱|家人|家里|全家|一家|大家|有人|有没有人|所有人|(?<!是)谁(?!的|是)",
    re.ASCII,
)
#: The user, told of behind somebody else who a sentence begins with.
_ME_TOO = late_pattern(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our|ours|user|user's)\b|[我咱俺]|本人|用户", re.ASCII)
_RELATION = late_pattern(rf"(?:(?:older|elder|big|younger|little) )?(?:{_ANY_ENGLISH})$|(?:{_ANY_CHINESE})$", re.ASCII)

#: Relation → its words in both languages.
_RELATION_WORDS = {name: re.sub(r"\W+", " ", f"{english} {chinese}") for name, (english, chinese) in _RELATIONS.items()}

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
_WHOSE = late_pattern(r"(?P<name>[A-Z][\w-]*)'s\b")
#: These have a capital before 's and are nobody.
_NO_PERSON = frozenset(
    (
        *("It", "That", "There", "Here", "He", "She", "What", "When", "Where", "Who", "Why", "How", "Let", "This", "One", "Today"),
        *("Tomorrow", "Yesterday", "Tonight", "Everyone", "Someone", "Nobody", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
        *("Saturday", "Sunday"),
    )
)

_NAME_CHINESE = rf"(?:[小老阿][\u4e00-\u9fff]|(?P<double>[\u4e00-\u9fff])(?P=double)|[{FAMILY_NAMES}][\u4e00-\u9fff]{{1,2}}?)"
_INTRODUCED = late_pattern(
    rf"\b[Mm]y (?P<kin>(?:(?:older|elder|big|younger|little|best) )?(?:{_ANY_ENGLISH}),?) (?:is called |is named |called |named |is )?"
    r"(?P<name>[A-Z][a-z]+)\b"
)
_INTRODUCED_CHINESE = late_pattern(
    rf"我们?家?的?(?P<kin>{_ANY_CHINESE})(?:叫|名叫|是)?(?P<name>{_NAME_CHINESE})(?=[对在住是喜不会的要也有用来去最明今每和跟，,。、]|$)"
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
    #: Whether an animal is asked about, which may go by any name.
    animals: bool = False
    #: Whether several are asked about, or anybody: "we", "our family", 谁.
    together: bool = False

    @classmethod
    def of(cls, question: str, items: Sequence[Item], owner: Iterable[str] = ()) -> People:
        """Read a question, with the names and relations that the items tell. ``owner``: names of the person whose memory it is."""
        names = _introduced(items)
        own = frozenset(fold(name) for name in (*owner, *_own_voices(items)))
        known = frozenset(name for name in _known(items) if fold(name) not in own).union(*names.values())
        asked = set(_relations(question)) | {name for name in known if mentions(question, name)}
        asked |= {name for name in _owners_named(question) if fold(name) not in own}
        rest = _KIN.sub(" ", _plain(question))
        if PERSON.search(NOBODY.sub(" ", rest)) or any(mentions(question, name) for name in own):
            asked.add(ME)
        animals = _ANIMALS.search(_plain(question)) is not None
        together = _TOGETHER.search(rest) is not None
        people = cls(asked=_joined(asked, names), names=names, known=known, owner=own, animals=animals, together=together)
        third = people._in_the_third_person(items)
        return people if third is None else replace(people, owner=own | {fold(third)})

    def words(self) -> frozenset[str]:
        """The terms of the names and relations that are asked about."""
        names = [one for one in self.asked if one != ME and one not in _RELATIONS]
        kin = [_RELATION_WORDS[one] for one in self.asked if one in _RELATIONS]
        return frozenset(term for words in (*names, *kin) for term in terms(words))

    def about(self, item: Item) -> frozenset[str]:
        """Whom an item tells of; empty: nobody, or it is not plain."""
        if isinstance(item, Record) and item.subject is not None:
            return _joined(self._with_me(_subject(item)), self.names)
        own = self._with_me(_first(item.text, self.known))
        if isinstance(item, Message) and item.role != "user" and item.speaker is None:
            # Of whom an assistant tells, and to whom, its words alone do not say.
            return frozenset()
        if isinstance(item, Message) and item.speaker is not None and fold(item.speaker) not in self.owner and (not own or ME in own):
            own = {item.speaker}
        return _joined(own, self.names)

    def _in_the_third_person(self, items: Sequence[Item]) -> str | None:
        """The one name of which all facts are, where the question is about the person who asks and no fact is: some programs write of the
        user by name."""
        if self.asked != {ME}:
            return None
        told = [(item, self.about(item)) for item in items]
        if any(ME in about for _, about in told):
            return None
        names = {name for item, about in told if isinstance(item, Record) and self._unrelated(about) for name in about}
        return next(iter(names)) if len(names) == 1 else None

    @property
    def _relatives(self) -> frozenset[str]:
        return self.asked & _RELATIONS.keys()

    def _with_me(self, people: Iterable[str]) -> set[str]:
        """With the person's own names told as such."""
        return {ME if fold(one) in self.owner else one for one in people}

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
        if item.speaker is not None and fold(item.speaker) not in self.owner:
            return False
        plain = _plain(item.text)
        start = lead.end() if (lead := _LEAD.match(plain)) else 0
        kin = _KIN.match(plain, start)
        return _ME_TOO.search(plain, kin.end() if kin else start) is not None

    def _unrelated(self, about: Iterable[str]) -> bool:
        related = frozenset().union(*self.names.values())
        return all(one != ME and one not in _RELATIONS and one not in related for one in about)


def _plain(text: str) -> str:
    return simplified(fold(simplify(text)))


def _relation_of(words: str) -> str | None:
    """The relation that words such as "my older brother" or 用户的哥哥 end with."""
    plain = _plain(words)
    found = _RELATION.search(plain)
    if found is None:
        return None
    for pattern, name in (*_ENGLISH, *_CHINESE):
        if re.fullmatch(pattern, found[0]):
            return name
    return None


def _relations(text: str) -> frozenset[str]:
    found = (_relation_of(match[0]) for match in _KIN.finditer(_plain(text)))
    return frozenset(name for name in found if name is not None)


def _same(one: str, other: str) -> bool:
    """Whether two may be the same person."""
    if one == other or other in _ONE_OF.get(one, ()) or one in _ONE_OF.get(other, ()):
        return True
    if one in _RELATIONS and other in _RELATIONS:
        (kin, _, which), (other_kin, _, other_which) = one.partition(":"), other.partition(":")
        return kin == other_kin and (not which or not other_which)
    return False if ME in (one, other) or one in _RELATIONS or other in _RELATIONS else mentions(one, other) or mentions(other, one)


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
        return {first or _relation_of(subject) or ME}
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
    if not named and (match := _WHOSE.match(rest)) and match["name"] not in _NO_PERSON:
        return {match["name"]}
    return named


def _owners_named(question: str) -> set[str]:
    """Names of people whom something of theirs is asked for: "Zoe's job"."""
    return {match["name"] for match in _OWNER.finditer(question) if match["name"] not in _NO_PERSON}


_OWNER = late_pattern(r"\b(?P<name>[A-Z][a-z]+)'s (?!(?:a|an|the|my|your)\b)(?=[a-z])")


def _introduced(items: Sequence[Item]) -> Mapping[str, frozenset[str]]:
    """Relation → names, as the items tell them: "my sister Clara"."""
    found: dict[str, frozenset[str]] = {}
    for item in items:
        if isinstance(item, Message) and item.speaker is not None:
            continue
        for pattern in (_INTRODUCED, _INTRODUCED_CHINESE):
            for match in pattern.finditer(item.text):
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
            yield from (one for one in _subject(item) if item.subject is not None and one != ME and one not in _RELATIONS)


def _joined(people: Iterable[str], names: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The people, relations with their names and names with their relations."""
    joined = set(people)
    for relation, called in names.items():
        if any(one in called or (one in _RELATIONS and _same(one, relation)) for one in people):
            joined |= {relation, *called}
    return frozenset(joined)
