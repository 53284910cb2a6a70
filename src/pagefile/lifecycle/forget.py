"""What is put away because it is of no more use, and which records a request to forget means. Pure: records in, ids out.

Nothing is removed here: what is put away is retired with a reason, and can be restored.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from pagefile.language import kin
from pagefile.language.patterns import late_pattern
from pagefile.language.stopwords import CHINESE, ENGLISH, NEGATIONS
from pagefile.language.text import fold, simplify
from pagefile.language.words import query_terms, terms
from pagefile.lifecycle.facts import USER, Claim, Utterance
from pagefile.lifecycle.rules import find_claims
from pagefile.queries import Hit
from pagefile.records import Record, Trust

_SECONDS_A_DAY = 86_400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetSettings:
    """When a record has outlived its use. Times are in days, importance is 0..1."""

    #: A record that was said and used once has half of its strength left after this time.
    half_life_days: float = 90.0
    #: Not used and not said again for so long …
    unused_days: float = 90.0
    #: … a record of less importance than this is put away. What is learnt has 0.5 unless its attribute says otherwise.
    least_importance: float = 0.5
    #: So long a doubtful remark waits to be said once more.
    pending_days: float = 30.0
    #: Records of one user that are current or pending; the weakest above it are put away.
    capacity: int = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """One record to be put away, and why, as a sentence for a person."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tidy:
    """What is to be put away."""

    retire: tuple[Retirement, ...] = ()
    #: Records above the capacity that must not be put away: pinned, or confirmed by the user.
    over: int = 0


def strength(record: Record, *, now: datetime, settings: ForgetSettings = ForgetSettings()) -> float:
    """How much of a record is left, 0..1: ``(0.5 + 0.5 · importance) · exp(-λ · days)``, with ``λ = ln 2 / (half-life · (1 + ln n))``.

    ``days``: since it was last said or used; n: how often that was. A pinned record has 1, one that the user confirmed never decays,
    and a time to come counts as now.
    """
    if record.pinned:
        return 1.0
    weight = 0.5 + 0.5 * min(1.0, max(0.0, record.importance))
    if record.trust >= Trust.USER_CONFIRMED:
        return weight
    times = max(1, record.evidence_count + record.use_count)
    decay = math.log(2) / (settings.half_life_days * (1 + math.log(times)))
    return weight * math.exp(-decay * _days(_last_signal(record), now))


def plan_tidy(
    records: Iterable[Record], *, now: datetime, settings: ForgetSettings = ForgetSettings(), capacity: int | None = None
) -> Tidy:
    """What of a user's records is to be put away: what expired, what waited too long to be confirmed, what nobody used, and the weakest
    above the capacity (``capacity``, else that of the settings). Others than current and pending ones are passed over.

    A pinned record always stays. One that the user confirmed goes only when its own time is over.
    """
    retire: list[Retirement] = []
    staying: list[Record] = []
    for record in records:
        if record.status not in ("current", "pending"):
            continue
        reason = None if record.pinned else _reason(record, now, settings)
        if reason is None:
            staying.append(record)
        else:
            retire.append(Retirement(id=record.id, reason=reason))
    most = settings.capacity if capacity is None else capacity
    surplus = max(0, len(staying) - max(0, most))
    # Pending ones first: what is not believed must not push out what is.
    weakest = sorted(
        (record for record in staying if not _is_safe(record)),
        key=lambda one: (one.status == "current", strength(one, now=now, settings=settings), _last_signal(one), one.id),
    )[:surplus]
    retire += [Retirement(id=one.id, reason=f"there are more than {most} records, and it is among the weakest") for one in weakest]
    return Tidy(retire=tuple(retire), over=surplus - len(weakest))


def _reason(record: Record, now: datetime, settings: ForgetSettings) -> str | None:
    if record.expires_at is not None and record.expires_at <= now:
        return f"it expired on {record.expires_at.date().isoformat()}"
    if _is_safe(record):
        return None
    if record.status == "pending":
        waited = _days(record.said_at or record.learned_at, now)
        return f"nothing confirmed it within {settings.pending_days:g} days" if waited >= settings.pending_days else None
    # A plan for next year is not outdated before its time.
    touched = max(filter(None, (_last_signal(record), record.valid_from, record.valid_to)))
    if _days(touched, now) >= settings.unused_days and record.importance < settings.least_importance:
        return f"it matters little, and was neither used nor said again for {settings.unused_days:g} days"
    return None


def _is_safe(record: Record) -> bool:
    """Whether neither time nor other records may push it out."""
    return record.pinned or record.trust >= Trust.USER_CONFIRMED


def _last_signal(record: Record) -> datetime:
    """When it was last learnt, said or used. What was said long ago and imported today was learnt today."""
    return max(filter(None, (record.learned_at, record.said_at, record.last_used_at)))


def _days(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since) / timedelta(seconds=_SECONDS_A_DAY))


# --- which records a request means ---------------------------------------------------------------------------------------

_REQUEST = late_pattern(
    r"^(?:please |pls |can you |could you )*"
    r"(?:(?:forget|delete|remove|erase|drop|clear)\b(?: about\b| that\b)?|(?:stop|don't) remember(?:ing)?\b)"
    r"|^(?:请|麻烦|帮我|把|你|能不能|可以)*(?:别|不要|不用|不必)再?(?:记得|记住|记着|记)(?:关于)?"
    r"|^(?:请|麻烦|帮我|把|你)*(?:忘记|忘掉|忘了|删除|删掉|删了|清除|抹掉|记得|记住)(?:关于|掉)?|^(?:请|麻烦|帮我|你|能不能|可以)*把"
    r"|(?:这件事情?|这回事|这条(?:记忆|信息)?|的事情?|(?:都|全部?)?(?:忘记|忘掉|忘了|删除|删掉|删了|清除))(?:吧|了)?[。.!！]?$"
)
#: Words that name what is to be forgotten without saying what stands in it.
_LABELS = (
    "everything anything something thing stuff fact info information memory note record preference detail know remember said told "
    "一切 所有 全部 任何 事 事情 这件 件事 信息 记忆 记录 内容 偏好 喜好 情况 记得 记住"
)
#: Pairs of characters at the seams of Chinese words weigh less than this; the words that meet there are looked for anyway.
_SEAM = 0.5
_STATES = late_pattern(r"^(?:that )?i\b|^我(?!的)")
_OWN = late_pattern(r"\b(?:i|my|mine|me|myself)\b|[我咱俺]|本人", re.ASCII)
#: What is left at the end of a request when its verb is gone.
_REST = late_pattern(r"(?:了|吧|啦|的?事情?|[\s.,!?。，！？])+$")
#: A request that names a property of whoever asks and no value of it, and the attributes under which that is filed.
_ASKED: tuple[tuple[re.Pattern[str], frozenset[str]], ...] = (
    (
        late_pattern(r"(?:what )?my (?:full |first |last |own )?name(?: is)?|我的?(?:全名|名字|姓名)|我叫(?:什么|啥)(?:名字?)?"),
        frozenset({"name"}),
    ),
    (
        late_pattern(
            r"where (?:do )?i(?:'m| am)? (?:live|living)(?: now)?|my (?:home |street |current )?address|where my (?:home|house|flat) is"
            r"|我的?(?:家庭)?(?:住址|地址)|我的?家?(?:现在)?住(?:在)?(?:哪|什么地方|啥地方)[里儿]?|我的?家在(?:哪|什么地方)[里儿]?"
        ),
        frozenset({"residence", "address"}),
    ),
    (
        late_pattern(r"where i(?:'m| am)? work(?:ing)?(?: now)?|my employer|我在?(?:哪[里儿]?|哪家公司|什么公司)(?:工作|上班)"),
        frozenset({"employer"}),
    ),
    (late_pattern(r"my birth ?da(?:y|te)|when i was born|我的?生日|我是?(?:什么时候|哪天)(?:出生|生日)的?"), frozenset({"birthday"})),
    (late_pattern(r"my age|how old i am|我的?(?:年龄|年纪|岁数)|我(?:今年)?(?:多大|几岁)"), frozenset({"age"})),
    (late_pattern(r"my (?:tele|cell|mobile )?phone(?: number)?|我的?(?:电话|手机)(?:号码?)?"), frozenset({"phone"})),
    (late_pattern(r"my e-?mail(?: address)?|我的?(?:电子)?(?:邮箱|邮件)(?:地址)?"), frozenset({"email"})),
)  # fmt: skip
_ANIMALS = "dogs?|cats?|puppy|kitten|pets?|horse|parrot|rabbit|hamster"
#: A sentence that begins with somebody or something else that belongs to whoever speaks.
_ANOTHER = late_pattern(
    rf"^(?:and |but |so )*(?:my|our)(?: \w+){{0,2}}? (?P<who>{kin.ENGLISH}|{_ANIMALS})\b"
    rf"|^(?:我|咱|俺)们?的?[大小二三]?(?P<wer>{kin.CHINESE}|[哥弟姐妹妈爸狗猫]|宠物|兔子|仓鼠)"
)
#: A request about somebody or something else that belongs to whoever asks: "my sister", "my dog's name", but not "my dentist appointment".
_OF_ANOTHER = late_pattern(
    rf"\b(?:my|our)(?: \w+){{0,2}}? (?:{kin.ENGLISH}|{_ANIMALS})(?:'s?\b|'"
    r"|(?= (?:is|was|has|had|lives|works|likes|loves|wants|studies|thinks)\b)|\W*$)"
    rf"|(?:我|咱|俺)们?的?[大小二三]?(?:{kin.CHINESE}|[哥弟姐妹妈爸狗猫]|宠物|兔子|仓鼠)(?!的?预约)"
)
_SENTENCES = re.compile(r"[.!?;。！？；\n]+\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What somebody wants forgotten."""

    #: The words that say something.
    wanted: frozenset[str]
    #: It is a statement about oneself: what denies it is not meant.
    states: bool
    #: It is about whoever asks: what is said of others is not meant.
    own: bool
    #: The properties that it names without a value; they decide, where there are some.
    attributes: frozenset[str]
    #: Those of which it states a value.
    stated: frozenset[str]

    def concerns(self, record: Record) -> bool:
        """Whether a record is about whom the request is about, and about the property that it names."""
        if record.subject is None:
            return True
        return self._is_whose(record.subject) and (not self.attributes or (record.attribute or "") in self.attributes)

    def means(self, text: str) -> bool:
        """Whether a text says what is to be forgotten, of whom it is to be forgotten."""
        if not self.own:
            return self._says(text)
        if not self.attributes and not self._says(text):
            return False
        claims = _claims(text)
        if self.attributes:
            named = any(claim.subject == USER and claim.attribute in self.attributes for claim in claims)
            return named or (not claims and self._says_of_oneself(text))
        saying = [claim for claim in claims if self._says(claim.text)]
        near = [claim for claim in saying if not self.wanted.isdisjoint(terms(simplify(claim.value)))] or saying
        if not near:
            return self._says_of_oneself(text)
        return any(self._is_whose(claim.subject) and (not self.stated or claim.attribute in self.stated) for claim in near)

    def says_with(self, record: Record, words: str) -> bool:
        """Whether a record is meant by the words of a message that it rests on."""
        return self.concerns(record) and (bool(self.attributes) or self._says(f"{words} {record.subject or ''}"))

    def _says(self, text: str) -> bool:
        there = terms(simplify(text)).keys()
        return self.wanted <= there and (not self.states or bool(self.wanted & NEGATIONS) == bool(there & NEGATIONS))

    def _says_of_oneself(self, text: str) -> bool:
        """Of what no rule reads: whether it says so, and not in a sentence about somebody else."""
        holding = [sentence for sentence in _SENTENCES.split(text) if self._says(sentence)]
        # A statement stands in one sentence; what is named may be spread.
        if not holding:
            return not self.states and self._says(text)
        return any(not self._is_of_another(sentence) for sentence in holding)

    def _is_of_another(self, sentence: str) -> bool:
        match = _ANOTHER.search(fold(simplify(sentence)).strip())
        return match is not None and self.wanted.isdisjoint(query_terms(match["who"] or match["wer"]))

    def _is_whose(self, subject: str) -> bool:
        return not self.own or subject == USER or not self.wanted.isdisjoint(terms(simplify(subject)))


def request_of(query: str) -> Request | None:
    """What a request such as "forget my dentist appointment" or 忘掉我喜欢咖啡这件事 wants forgotten; None: nothing in particular, as of
    nothing but "everything": that is what erasing a user is for."""
    asked = _REQUEST.sub("", _REQUEST.sub("", fold(simplify(query)).strip())).strip()
    named = _REST.sub("", asked)
    attributes = next((names for pattern, names in _ASKED if pattern.fullmatch(named)), frozenset[str]())
    wanted = frozenset(term for term, weight in query_terms(asked).items() if weight >= _SEAM) - _empty_terms()
    if not attributes and not wanted - NEGATIONS:
        return None
    states = _STATES.match(asked) is not None
    stated = frozenset(claim.attribute for claim in _claims(asked)) if states and not attributes else frozenset[str]()
    own = _OWN.search(asked) is not None and _OF_ANOTHER.search(asked) is None
    return Request(wanted=wanted, states=states, own=own, attributes=attributes, stated=stated)


def matching(query: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Ids of the hits that a request really means; often none.

    A hit is meant only if all words of the request that say something stand in it, if it is about the same person, and, where the request
    is a statement about oneself, if both deny or neither does.
    """
    request = request_of(query)
    return () if request is None else tuple(hit.id for hit in hits if request.means(hit.text))


def _claims(text: str) -> tuple[Claim, ...]:
    """What rules read in a text that the user said."""
    return tuple(find_claims([Utterance(message="", text=text, said_at=_ANY_TIME, zone=UTC, consent=True)]))


_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)


@lru_cache
def _empty_terms() -> frozenset[str]:
    """Terms that say nothing about what is meant. Of a request of such words alone nothing is left."""
    return ENGLISH | CHINESE | {term for word in _LABELS.split() for term in query_terms(word)}
