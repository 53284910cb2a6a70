"""What is put away because it is of no more use, and which records a request to forget means. Pure: records in, ids out.

Nothing is removed here: what is put away is retired with a reason, and can be restored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from pagefile.language.patterns import late_pattern
from pagefile.language.stopwords import CHINESE, ENGLISH, NEGATIONS
from pagefile.language.text import fold, simplify
from pagefile.language.words import query_terms, terms
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
    r"|^(?:请|麻烦|帮我|把|你|别再?|不要再?)*(?:忘记|忘掉|忘了|删除|删掉|删了|清除|抹掉|记得|记住)(?:关于|掉)?"
    r"|(?:这件事情?|这回事|这条(?:记忆|信息)?|的事情?|(?:都|全部?)?(?:忘记|忘掉|忘了|删除|删掉|删了|清除))(?:吧|了)?[。.!！]?$"
)
#: Words that name what is to be forgotten without saying what stands in it.
_LABELS = (
    "everything anything something thing stuff fact info information memory note record preference detail know remember said told "
    "一切 所有 全部 任何 事 事情 这件 件事 信息 记忆 记录 内容 偏好 喜好 情况 记得 记住"
)
#: Pairs of characters at the seams of Chinese words weigh less than this; the words that meet there are looked for anyway.
_SEAM = 0.5
_OWN = late_pattern(r"^(?:that )?i\b|^我(?!的)")


def matching(query: str, hits: Sequence[Hit]) -> tuple[str, ...]:
    """Ids of the hits that a request such as "forget my dentist appointment" or 忘掉我喜欢咖啡这件事 really means; often none.

    A hit is meant only if all words of the request that say something stand in it, and, where the request is a statement about oneself,
    if both deny or neither does. A request of nothing but "everything" means none: that is what erasing a user is for.
    """
    asked = _REQUEST.sub("", _REQUEST.sub("", fold(simplify(query)).strip())).strip()
    wanted = {term for term, weight in query_terms(asked).items() if weight >= _SEAM} - _empty_terms()
    if not wanted - NEGATIONS:
        return ()
    states = _OWN.match(asked) is not None
    return tuple(hit.id for hit in hits if _means(hit.text, wanted, states=states))


def _means(text: str, wanted: set[str], *, states: bool) -> bool:
    there = terms(text)
    return wanted <= there.keys() and (not states or bool(wanted & NEGATIONS) == bool(there.keys() & NEGATIONS))


@lru_cache
def _empty_terms() -> frozenset[str]:
    """Terms that say nothing about what is meant. Of a request of such words alone nothing is left."""
    return ENGLISH | CHINESE | {term for word in _LABELS.split() for term in query_terms(word)}
