"""A Chinese clause as the rules see it, and how their finds become claims. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pagefile.language.patterns import late_pattern, may_begin
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Certainty, Claim
from pagefile.lifecycle.rules.chinese_people import Lead, Person
from pagefile.lifecycle.rules.chinese_words import KIN
from pagefile.lifecycle.rules.reading import Context, Tense, claim
from pagefile.lifecycle.rules.sentences import Sentence
from pagefile.records import Polarity

#: A half-open range of places in a sentence.
Span: TypeAlias = tuple[int, int]

#: Values that are names: they are entities too.
_NAMED = frozenset({"name", "employer", "school", "residence", "hometown", "visited", "nationality"})
#: What closes a clause without saying anything.
_MOOD = " 啊呀呢吧哦噢喔嘛啦呗咯诶耶嗯嘿嘻呜\"”」』）)]~!.,;:…—'*·\ufe0f\u200d"
_MOODS = ("哈哈", "的哈", "了哈", "吧哈", "的说", "而已", "罢了", "来着", "就是了", "谢谢", "hh", "xd", "orz")
_AROUND = " \"'“”‘’「」『』()《》〈〉【】[]"


@dataclass(slots=True, kw_only=True)
class Talk:
    """What the clauses of one sentence have said so far."""

    #: Whom the last clause was about.
    person: Person | None = None
    #: The relation or animal that was just spoken of without a name: one may follow.
    unnamed: str = ""
    #: It was so before this clause.
    awaits_names: bool = False
    #: It told a condition of the speaker's work; more may follow.
    bound: bool = False
    #: It began with "no, that was wrong".
    corrects: bool = False
    claims: list[Claim] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Frame:
    """One clause, its subject and adverbs told from the statement that begins ``at``."""

    sentence: Sentence
    context: Context
    #: The folded sentence.
    plain: str
    #: Of the clause, without what says nothing.
    begin: int
    end: int
    at: int
    lead: Lead
    person: Person
    speaker: Person
    #: Where the subject stands; None: it is left out.
    subject: Span | None
    #: It stands as it should be shown (我, a name); else it is written out (他, 老婆).
    shown_as_is: bool
    #: Without "to": nobody asked for anything in this sentence before.
    after_task: bool
    talk: Talk

    @property
    def own(self) -> bool:
        """Whether it is about the speaker."""
        return self.person == self.speaker

    @property
    def over(self) -> bool:
        """Whether the clause ends in 了, which after a negation says that it was otherwise before."""
        return self.plain.endswith("了", self.begin, self.end) and not self.plain.endswith(("不了", "得了"), self.begin, self.end)

    def words(self, span: Span) -> str:
        """What stands there, verbatim."""
        return self.sentence.text[span[0] : span[1]]

    def folded(self, span: Span) -> str:
        """What stands there, folded."""
        return self.plain[span[0] : span[1]]

    def make(
        self,
        attribute: str,
        value: Span | str,
        *,
        whole: Span | None = None,
        item: Span | None = None,
        bare: bool = False,
        person: Person | None = None,
        begin: int | None = None,
        polarity: Polarity = "positive",
        ended: bool = False,
        certainty: Certainty | None = None,
        tense: Tense | None = None,
        text: str | None = None,
        tags: tuple[str, ...] = (),
        entities: tuple[str, ...] = (),
        **fields: Any,
    ) -> Claim:
        """A claim about the person of the clause.

        ``whole``: the list of which ``item`` is one (by default the value itself); only that one is told then. ``bare``: it is said to
        the assistant, and needs no subject.
        """
        about = person or self.person
        said = value if isinstance(value, str) else self.words(value)
        span = (self.begin if begin is None else begin, self.end)
        # "Actually, I live in York" corrects; "actually, I like tea" adds.
        corrects = self.lead.fix and not ended and attribute_of(attribute).arity == "single"
        before = self.context.antecedent
        if self.talk.corrects and polarity == "positive":
            again = before is not None and (before.subject, before.attribute) == (about.subject, attribute)
            corrects = again or (before is None and not ended and attribute_of(attribute).arity == "single")
        if self.lead.maybe:
            certainty = "passing"
        names = [about.name, *entities, *([said] if attribute in _NAMED else [])]
        return claim(
            self.sentence,
            subject=about.subject,
            attribute=attribute,
            value=said,
            span=span,
            polarity="negative" if ended else polarity,
            certainty=certainty or "plain",
            tense=tense,
            text=text if text is not None or bare else self._told(span, item or value, whole),
            tags=tags,
            entities=tuple(dict.fromkeys(name for name in names if name)),
            ended=ended,
            **{"correction": corrects, **fields},
        )

    def _told(self, span: Span, value: Span | str, whole: Span | None) -> str | None:
        """The clause so that it stands alone: with its subject, and only one value of a list."""
        alone = self.subject is not None and self.shown_as_is
        if alone and (whole is None or whole == value):
            return None
        first, last = span
        shown, rest = "", first
        if not alone:
            if self.subject is None:
                shown = self.person.shown
            else:
                shown = self.words((first, self.subject[0])) + self.person.shown
                rest = self.subject[1]
        if shown.isascii() and shown[-1:].isalnum():
            shown += " "
        if whole is not None:
            # A final 了 is no part of the list.
            while whole[1] > whole[0] and self.plain[whole[1] - 1] in "了的":
                whole = (whole[0], whole[1] - 1)
        if whole is None or isinstance(value, str):
            return shown + self.words((rest, last))
        return shown + self.words((rest, whole[0])) + self.words(value) + self.words((whole[1], last))


Reader: TypeAlias = Callable[[Frame, "re.Match[str]"], Iterable[Claim]]
#: What is looked for at the beginning of the statement, and what makes claims of it.
Rule: TypeAlias = tuple["re.Pattern[str]", Reader]


_VALUE_GROUP = late_pattern(r"\(\?P<(?:v|job|name)>")


def rules(*pairs: tuple[str, Reader]) -> tuple[Rule, ...]:
    """Rules of patterns; the case of letters does not count, nor does a blank before a value (在 Google 做 PM)."""
    return tuple((late_pattern(_VALUE_GROUP.sub(r" ?\g<0>", pattern), re.IGNORECASE), read) for pattern, read in pairs)


def apply(rules: tuple[Rule, ...], frame: Frame) -> list[Claim]:
    """The claims of the first rule that makes any."""
    letter = frame.plain[frame.at] if frame.at < frame.end else ""
    for pattern, read in _beginning_with(letter, rules):
        match = pattern.match(frame.plain, frame.at, frame.end)
        if match and (claims := list(read(frame, match))):
            return claims
    return []


class _Table:
    """Rules by the letter of the place where they are looked for: most begin with few."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self._by_letter: dict[str, tuple[Rule, ...]] = {}

    def at(self, letter: str) -> tuple[Rule, ...]:
        found = self._by_letter.get(letter)
        if found is None:
            if len(self._by_letter) >= _MOST_LETTERS:
                self._by_letter.clear()
            found = self._by_letter[letter] = tuple(rule for rule in self.rules if may_begin(rule[0], letter))
        return found


#: Kept of each table.
_MOST_LETTERS = 2_000
#: By the id of the rules, which live as long as the program.
_TABLES: dict[int, _Table] = {}


def _beginning_with(letter: str, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    table = _TABLES.get(id(rules))
    if table is None or table.rules is not rules:
        table = _TABLES[id(rules)] = _Table(rules)
    return table.at(letter)


# --- values --------------------------------------------------------------------------------------------------------------

_BEFORE = late_pattern(
    r"(?:[\s\"'“「『(《【]|一(?:个|名|位|只|条|些|点|种|款|家|所|间|部|本|杯|份|碗|片|块)(?!人)|某种"
    r"|各种各?样?的?|各类|所有的?|任何的?|一切的?|那些|那种(?=..)|那类(?=..)|一些|有些|点儿?|些)+"
)
_AFTER = late_pattern(
    r"(?:[\s\"'”」』)]|的(?:东西|食物|那种)?|了|着|过|啥的|什么的|之类的?(?:东西|食物)?|等|这些.{0,2}"
    r"|那些.{0,2}|这类的?.{0,3}|(?<!成)(?<!首)(?<!京)都|也|[啊呀呢吧哦嘛啦])+$"
)
_POINTING = late_pattern(
    r"的|你|您|这|那(?!不勒斯|曲)|它|他(?!汀)|她|咱|我|什么|谁|哪|怎么|某|别人(?!.{2})|大家|一下|得"
    r"|过|就|着|自己$|此|上了?$|死|极了|惨了|透了|疯了|坏了|看到你|听你|跟你|和你|为你"
)
_JOINT = late_pattern(
    rf"、|/|(?:以及|还有)|也?不[吃喝碰](?=[一-鿿])|(?<![暖温平柔总共饱随缓附])和(?!平|谐|服|牛|面|尚|睦|气|{KIN}|家人|别人|人"
    rf"|你|我|他|她|大家|孩子)|(?<!高)跟(?!着|风|拍|鞋|你|我|他|她|别人|人|大家|{KIN}|家人)|(?<!参|给"
    rf"|赋)与(?!众|{KIN}|人|世)|(?<!以|涉|普|埃|来|不)及(?!时|格)|(?<=[A-Za-z]) and (?=[A-Za-z])|&|,"
)


def trimmed(plain: str, begin: int, end: int) -> Span:
    """Without what stands around a value: quotes, counters, particles."""
    lead = _BEFORE.match(plain, begin, end)
    if lead and lead.end() < end:
        begin = lead.end()
    tail = _AFTER.search(plain, begin, end)
    if tail and tail.start() > begin:
        end = tail.start()
    while begin < end and plain[begin] in _AROUND and not _closed(plain, begin, end):
        begin += 1
    while begin < end and plain[end - 1] in _AROUND and not _opened(plain, begin, end):
        end -= 1
    return begin, end


_PAIRS = dict(zip("“‘「『(《〈【[", "”’」』)》〉】]", strict=True))
_OPENINGS = {closing: opening for opening, closing in _PAIRS.items()}


def _closed(plain: str, begin: int, end: int) -> bool:
    """Whether the opening mark at the beginning is closed before the end: 《清单人生》之类."""
    closing = _PAIRS.get(plain[begin], "")
    return bool(closing) and closing in plain[begin : end - 1]


def _opened(plain: str, begin: int, end: int) -> bool:
    """Whether the closing mark at the end was opened after the beginning: 看《清单人生》."""
    opening = _OPENINGS.get(plain[end - 1], "")
    return bool(opening) and opening in plain[begin + 1 : end]


def items(plain: str, begin: int, end: int) -> list[Span]:
    """The parts of a list of values, each trimmed. Parentheses end what is read."""
    remark = late_pattern(r"\(").search(plain, begin + 1, end)
    if remark:
        end = remark.start()
    spans, first = [], begin
    for joint in _JOINT.finditer(plain, begin, end):
        if joint.start() > first and joint.end() < end:
            spans.append(trimmed(plain, first, joint.start()))
            first = joint.end()
    spans.append(trimmed(plain, first, end))
    return [span for span in spans if span[0] < span[1]]


def points(words: str) -> bool:
    """Whether the words only point at something ("this", "you"): no value."""
    return bool(_POINTING.match(words))


def without_mood(plain: str, begin: int, end: int) -> int:
    """Where a clause ends if its final particles are left out."""
    while True:
        while (end > begin and "\u2190" <= plain[end - 1] < "\u3000") or (end > begin and plain[end - 1] > "\U0001f000"):
            # Arrows, dingbats, emoji.
            end -= 1
        words = plain[begin:end].rstrip(_MOOD)
        mood = next((each for each in _MOODS if words.endswith(each)), "")
        shorter = begin + len(words) - len(mood)
        if shorter == end:
            return end
        end = shorter


def value_of(match: re.Match[str], group: str = "v") -> Span:
    """Where a group of a match stands, trimmed."""
    return trimmed(match.string, *match.span(group))


def group(match: re.Match[str], name: str) -> str:
    """What a group of a match took; empty if it took no part, or the pattern has none of that name."""
    return match.groupdict().get(name) or ""


def took_part(match: re.Match[str], name: str) -> bool:
    """Whether the pattern has a group of that name and it took part, if only with nothing in it."""
    return match.groupdict().get(name) is not None


def polarity_of(match: re.Match[str]) -> Polarity:
    """Negative if the group "no" took part."""
    return "negative" if group(match, "no") else "positive"
