"""Where somebody lives, in Chinese: residence and moves. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, Span, group, rules, trimmed
from pagefile.lifecycle.rules.chinese_words import COUNT, is_only_place, is_place

_YEARS = rf"(?:{COUNT}|半)?(?:十|百)?(?:来|多|几)?(?:年|个月|周|天)(?:多|半)?(?:了)?"


def _place_value(frame: Frame, span: Span) -> Span:
    """A place without how long one has been there."""
    text = frame.folded(span)
    cut = re.search(rf"(?:已经|快|都|有|差不多|整整)*{_YEARS}$|(?:的?(?:时候|期间)).*$|(?:工作|上班|生活|读书|了).*$|[(].*$", text)
    if cut and cut.start() > 0:
        span = (span[0], span[0] + cut.start())
    return trimmed(frame.plain, *span)


_NO_HOME = late_pattern(
    r"[了过着的]|院|一起|得|不|哪|着|酒店|民宿|宾馆|旅馆|青旅|过|楼|同|一块|这|那(?!曲)|你|他|她|我"
    r"|在一起|下来?|满|惯|几|新(?:家|房|公司|校区|办公室|地方|小区)|别的|外面|家里|朋友家|了$|嘴|手"
    r"|口|校$|校了|附近|旁边|隔壁|对面"
)


def _lives(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """住在上海浦东, 不住上海了."""
    span = _place_value(frame, match.span("v"))
    words = frame.folded(span)
    if "时候" in frame.folded((frame.at, frame.end)) or re.search("还是|方便|舒服|习惯|很|挺|比较|确实|感觉|太", words):
        return
    if not words or len(words) > 20 or _NO_HOME.match(words) or (frame.lead.today and not frame.over):
        return
    ended = bool(group(match, "no")) or frame.lead.past
    if group(match, "no") and not (frame.over or frame.lead.over or "再" in group(match, "no") or is_place(words)):
        return
    if frame.lead.future_time and not ended:
        return
    yield frame.make("residence", span, ended=ended)


def _home_is(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = _place_value(frame, match.span("v"))
    if is_place(frame.folded(span)):
        yield frame.make("residence", span)


def _is_in(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """人在上海 may be a journey; 坐标上海 is none."""
    span = _place_value(frame, match.span("v"))
    words = frame.folded(span)
    only = is_only_place(words) or (group(match, "sure") and is_place(words))
    if frame.plain[match.end() : match.end() + 1] == "呢":
        # 我在超市呢: just now.
        return
    # 在中山路那边 may be said of anything.
    stated = group(match, "sure") or frame.subject is not None or not re.search("[这那]边$|[路街]$", words)
    if only and stated and span[1] >= match.end("v") and not frame.lead.today and not frame.lead.past_time and not frame.lead.future_time:
        settled = group(match, "sure") or _says_where_one_lives(frame)
        yield frame.make("residence", span, certainty="plain" if settled else "passing")


def _says_where_one_lives(frame: Frame) -> bool:
    """After what was left (离开北京了，现在在深圳), where one is from, or who one is."""
    last = frame.talk.claims[-1] if frame.talk.claims else None
    if last is None or last.subject != frame.person.subject:
        return False
    if frame.own and last.attribute in ("name", "nickname", "occupation", "age"):
        return True
    return (last.attribute, last.ended) == ("residence", True) or (last.attribute == "hometown" and frame.lead.now)


def _moved(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """搬到深圳了. What is still to come is a plan, which another rule reads."""
    span = _place_value(frame, match.span("v"))
    words = frame.folded(span)
    if (
        not words
        or len(words) > 16
        or re.match(r"新|哪|这|那(?!曲)|别|一起|家|了|楼|隔壁|你|他|她|公司|宿舍楼下", words)
        or frame.lead.future_time
    ):
        return
    if not is_place(words) and not (words[-1:] in "里" or match["home"]):
        return
    if frame.lead.past:
        yield frame.make("residence", span, ended=True)
    elif re.search("(?:要|打算|准备|会|想)搬", frame.plain[: frame.begin]):
        # 我要搬家了，搬到浦东
        yield frame.make("plan", (match.start(), span[1]))
    else:
        yield frame.make("residence", span)


def _moved_away(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    span = _place_value(frame, match.span("v"))
    if is_only_place(frame.folded(span)) and not frame.lead.future_time:
        yield frame.make("residence", span, ended=True)


def _settled(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """现在定居广州了."""
    span = _place_value(frame, match.span("v"))
    words = frame.folded(span)
    if not is_place(words) or frame.lead.future_time or frame.lead.maybe:
        return
    yield frame.make("residence", span, ended=frame.lead.past)


_NO = r"(?P<no>(?:并)?(?:不|没有?)(?:再)?)?"
_MOVES = r"(?:搬家?|迁居?|移居|移民|定居|落户|安家|调|调动|嫁)"

HOME = rules(
    (rf"{_NO}(?:合租|租房|租住|租)在(?P<v>[^,]{{2,12}}?)(?:的|了|那边|这边)*$", _lives),
    (rf"{_NO}(?:常|长期)?住(?:在|到|进|回(?!龙观|民街)|喺)?(?P<v>[^,]{{1,24}}?)(?:的|了|住|呢)*$", _lives),
    (
        rf"{_NO}在(?P<v>[^,]{{2,14}}?)(?:租房住?|租了?(?:个|一)?(?:套|间)?(?:房子?|公寓|单间|开间|一居室?|两居室?)|合租|居住|生活|定居|安家"
        rf"|落户|长住|常住|住)(?:了[^,]{{0,8}}|的|呢)*$",
        _lives,
    ),
    (r"(?:租的|买的|新)?(?:家里?|房子|住处|住的地方)(?:就|现在)?(?:住|在|是)+(?P<v>[^,]{2,14}?)(?:的|了)*$", _home_is),
    (r"(?P<sure>现居|现住|目前居住|旅居|暂居)(?:于|在)? ?(?P<v>[^,]{2,12}?)(?:的|了)*$", _is_in),
    (r"(?P<sure>坐标|base(?:d)?|常驻|定位)(?:在|于|是|in|:)? ?(?P<v>[^,]{2,12}?)(?:的|了)*$", _is_in),
    (r"(?:人)?(?:还|就)?在(?P<v>[^,]{2,10}?)(?:了)?$", _is_in),
    (
        r"(?:已经|刚|正式|终于|就|算是|全家|一家(?:人|三口|四口)?)*(?:定居|落户|安家|扎根|长居|常居|安顿)(?:在|到|于)?了?(?:在|到|于)?(?P<v>[^,]{2,12}?)(?:了|的)*$",
        _settled,
    ),
    (
        rf"(?:刚|刚刚)?(?:从[^,]{{1,10}}?)?(?P<home>{_MOVES})(?:回到|来到|去到|到|上来|下来|过来|回来|上|下|过|去|来|回|至|进|在"
        rf"|了)(?:了|到)?"
        rf"(?P<v>[^,]{{2,20}}?)(?:来"
        rf"|去|住|生活|定居)?(?:了)*$",
        _moved,
    ),
    (r"(?:刚|刚刚)?(?:从[^,]{1,10}?)?(?P<home>移民|移居)(?P<v>[^,]{2,10}?)(?:了)*$", _moved),
    (r"(?:从|离开|搬离|搬出)(?P<v>[^,]{2,10}?)(?:搬走|搬出来|搬出去|搬离|搬出)?了$", _moved_away),
)
