"""What somebody likes, eats and cannot stand, in Chinese. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Certainty, Claim
from pagefile.lifecycle.rules.chinese_frame import Frame, Span, group, items, points, rules, trimmed, value_of
from pagefile.lifecycle.rules.chinese_words import TIME_CLOCK
from pagefile.lifecycle.rules.reading import Tense
from pagefile.records import Polarity

_LONGEST_LIKING = 18
#: What one does with a food is no part of it: 喝咖啡 and 咖啡 are liked alike.
_CONSUMES = late_pattern(r"[打做吃喝看玩听用穿]的(?=..)|(?:吃|喝)(?=..|[辣甜酸苦咸鱼肉面茶酒蒜葱姜素藕])(?!素|货|瓜|播|完|饱|醉|东西|饭)")
_NO_LIKING = late_pattern(
    r"[也都]|爱$|你|您|.*(?:觉得|认为)|.*(?:的人|的原因|的时候|这[样么件个种些]|那[样么件个种些])|听你"
    r"|和你|跟你|一个人$|上(?!海|学|网|班|课|古|山|田)|听到|看到你|就好|得很|不$|没$|死$|我|他$|她$"
    r"|它|吗|什么|哪|.*过$|思考人生|.*(?:感觉|感受|氛围|feel)$|(?:方案|选项|版本|款式)?[A-Da-d1-9一二三四]$|第[一二三四1-9].*|.*的[这那](?:版|个|种|款|张|篇|段|首|次|套)$|.*你[写说做给发讲]|.*(?:点子|主意|建议|想法|方案|比喻|说法|思路|办法|形式|功能|安排"
    r"|回复)$|说话$|折腾$|安静$|热闹$"
)
_NO_FOOD = late_pattern(
    r"太|多|少|那么|得|了|完|饱|下|起|到|亏|苦头|醋|软|硬|惯|这|那|什么|东西|饭$|药|素|亏|不|消|透|准"
    r"|你|我|他|她|它|过|着|也|的$|手机|电脑|游戏|股票|底线|大亏|老本|一套|白不|力|惊|香$|紧|早了|晚了|点|一点|一口|一滴|一粒"
    r"|人"
)
_TAKES = late_pattern("[吃喝碰沾]")
_HOURS = late_pattern(TIME_CLOCK)
_LIKED_IN_ONE = "猫狗兔鱼鸟马茶酒辣甜酸苦咸肉面蒜葱姜虾蟹糖花雪雨海山夏冬春秋书黑蛇冷热吵鬼药奶"
_MEAL = late_pattern(r"早餐|早饭|午饭|午餐|晚饭|晚餐|夜宵|宵夜|主食$")
_ABOUT_ANSWERS = late_pattern(r".*(?:回答|回复|答复|解释|说明|答案|(?:说话|沟通|讲话|表达)的?(?:方式|风格|语气))$")


def _stance(
    frame: Frame, whole: Span, polarity: Polarity, *, ended: bool = False, bare: bool = False, only_ends: bool = False
) -> Iterator[Claim]:
    """One claim for each thing of a list that is liked or not."""
    if points(frame.plain[slice(*trimmed(frame.plain, *whole))]):
        return
    # A time in what is liked ("Mondays") is not when it is liked.
    since = frame.lead.past_time or "年" in frame.plain[frame.begin : frame.at]
    tense: Tense = "state" if since else "always"
    for item in items(frame.plain, *whole):
        verb = _CONSUMES.match(frame.plain, *item)
        span = trimmed(frame.plain, verb.end(), item[1]) if verb else item
        words = frame.folded(span)
        if (
            not words
            or (len(words) == 1 and words not in _LIKED_IN_ONE and frame.plain[span[1] : span[1] + 1] != "的")
            or len(words) > _LONGEST_LIKING
            or points(words)
            or _NO_LIKING.match(words)
        ):
            continue
        if re.match("今天|今晚|刚才|昨天|明天", words) or (not frame.own and "我" in words):
            # 我同桌老爱抄我作业
            continue
        if frame.own and _ABOUT_ANSWERS.match(words) and polarity == "positive":
            yield frame.make("answer style", span, whole=whole, item=item)
            continue
        # What stands in quotation marks is often something that was just said.
        certainty: Certainty = "passing" if _of_the_moment(frame) or frame.plain[item[0] - 1] in "'“" else "plain"
        how: dict[str, Any] = {"polarity": polarity, "ended": ended, "tense": tense, "certainty": certainty, "only_ends": only_ends}
        yield frame.make("likes", span, whole=whole, item=item, bare=bare, **how)


def _of_the_moment(frame: Frame) -> bool:
    """What is said of today alone is a mood, unless something changed (了)."""
    return (frame.lead.today or frame.lead.past_time or frame.lead.future_time) and not frame.over


def _says_now(frame: Frame) -> bool:
    """今天我好讨厌跑步: the speaker says it of himself, for today."""
    return frame.lead.today and not (frame.lead.past_time or frame.lead.future_time) and frame.own and frame.subject is not None


def _likes(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if _of_the_moment(frame) and not _says_now(frame):
        return
    negative = bool(group(match, "no"))
    ended = (negative and (frame.over or frame.lead.over or "再" in group(match, "no"))) or (frame.lead.past and not negative)
    if frame.lead.past and negative:
        return
    begin, end = match.span("v")
    rest = _BEHIND_LIKED.search(frame.plain, begin + 1, end)
    if not negative:
        yield from _preferred_no_more(frame, rest)
    yield from _stance(frame, (begin, rest.start() if rest else end), "negative" if negative else "positive", ended=ended)


_BEHIND_LIKED = late_pattern(r"(?:而不是|而非|胜过|多过|超过|多于|,?不(?:太)?喜欢|因为|,)(?P<other>.*)$")
_COMPARED = late_pattern(r"(?:比起|相比|跟|和)(?P<other>[^,我]{1,8}?)(?:相?比|来说|,)*(?=我|更|还是)")
#: Words of a claim that set one thing above another.
_ABOVE = late_pattern("更|比起|而不是|而非|胜过|多过|宁")


def _preferred_no_more(frame: Frame, behind: re.Match[str] | None) -> Iterator[Claim]:
    """What was preferred before and now stands behind: 比起咖啡我更喜欢茶, then 比起茶更喜欢咖啡."""
    compared = _COMPARED.search(frame.plain, 0, frame.at) or behind
    other = re.sub("[吃喝]", "", compared["other"]) if compared else ""
    for said in frame.context.recent:
        alike = (said.subject, said.attribute, said.polarity) == (frame.person.subject, "likes", "positive")
        if other and alike and other in (said.value, f"{said.value}了") and _ABOVE.search(said.text):
            yield frame.make("likes", said.value, ended=True)


def _dislikes(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if (_of_the_moment(frame) and not _says_now(frame)) or frame.lead.past:
        return
    if not group(match, "no"):
        yield from _stance(frame, match.span("v"), "negative")
    elif frame.over or frame.lead.over or "再" in group(match, "no"):
        # Whoever no longer hates cats need not like them.
        yield from _stance(frame, match.span("v"), "positive", only_ends=True)


def _interest(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """对足球没兴趣."""
    if not _of_the_moment(frame) and not frame.lead.past:
        yield from _stance(
            frame,
            match.span("v"),
            "negative" if group(match, "no") else "positive",
            ended=bool(group(match, "no") and (frame.over or match["lost"])),
        )


def _cannot_like(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """对青椒爱不起来."""
    yield from _stance(frame, match.span("v"), "negative")


def _fan(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    words = frame.folded(match.span("v"))
    if not re.match(r"你|我|他|她|谁|这|那|铁|忠实|死忠|资深|真|颜|手|声|老|超级$|一", words):
        negative = bool(group(match, "no"))
        yield from _stance(frame, match.span("v"), "negative" if negative else "positive")


def _fan_of_food(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """无辣不欢, 离不开咖啡."""
    if re.search("不欢|不行|活不了|不能活", match[0]) or (match[0].startswith("离不开") and match["v"] not in ("家", "人", "父母")):
        yield from _stance(frame, match.span("v"), "positive")


def _favourite(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """最喜欢的颜色是蓝色."""
    if _of_the_moment(frame) or frame.lead.past:
        return
    thing = re.sub(r"^(?:一个|一种|一部|一首|那个)", "", match["thing"] or "")
    whole = match.span("v")
    if match["bad"] or not match["most"] or not thing or thing in ("人", "东西", "事", "事情", "活动"):
        if thing not in ("人",):
            yield from _stance(frame, whole, "negative" if match["bad"] else "positive")
        return
    span = trimmed(frame.plain, *whole)
    words = frame.folded(span)
    if words and len(words) <= 20 and not points(words):
        yield frame.make(attribute_of(f"最喜欢的{thing}").name, span)


def _hobby(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    yield from _stance(frame, match.span("v"), "positive")


def _prefers(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """宁愿喝茶也不喝咖啡."""
    if not _of_the_moment(frame):
        yield from _stance(frame, match.span("v"), "positive")


def _not_eaten(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """不吃香菜, 喝不了酒."""
    if _of_the_moment(frame):
        return
    whole = match.span("v")
    said = match[0][: whole[0] - match.start()]
    # 现在不能吃 tells nothing of before.
    ended = frame.over or "再" in said or (frame.lead.over and not re.search("能|可以", said))
    if frame.lead.past:
        return
    if _HOURS.search(frame.plain, frame.begin, frame.at):
        # 下午三点以后不喝咖啡: not what is drunk, but when.
        begin = frame.subject[1] if frame.subject and frame.subject[0] == frame.begin else frame.begin
        yield frame.make("habit", (begin, match.end()))
        return
    for item in items(frame.plain, *whole):
        verb = _TAKES.match(frame.plain, *item)
        span = trimmed(frame.plain, verb.end(), item[1]) if verb and verb.end() < item[1] else item
        words = frame.folded(span)
        if words == "素" and ended:
            yield frame.make("diet", "素食", ended=True)
        elif words and _MEAL.match(words):
            yield frame.make("habit", (match.start(), span[1]), whole=(match.start(), whole[1]))
            continue
        if re.fullmatch("太[辣甜咸油酸凉硬腻冰烫]", words):
            span, words = (span[0] + 1, span[1]), words[1:]
        if words and len(words) <= 12 and not points(words) and not _NO_FOOD.match(words):
            yield frame.make("diet", span, whole=whole, item=item, bare="让我" in match[0], ended=ended, polarity="negative")


def _topic_not_eaten(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """香菜我不吃: what is not eaten comes first."""
    if not _of_the_moment(frame) and not frame.lead.past:
        whole = match.span("v")
        for span in items(frame.plain, *whole):
            words = frame.folded(span)
            if (
                words
                and len(words) <= 6
                and not points(words)
                and not _NO_FOOD.match(words)
                and not re.search(r"[我你他她饭家店肚]|底线|红线|原则|雷区|钱|现在|今天|从|就|也$", words)
            ):
                yield frame.make("diet", span, whole=whole, bare="我" in match[0], polarity="negative", ended=frame.over)


def _topic_liked(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """火锅我太爱了: what is liked comes first."""
    against = match["verb"] not in ("喜欢", "爱")
    words = frame.folded(value_of(match))
    if not _of_the_moment(frame) and not frame.lead.past and not re.search("因为|所以|如果|和$|是$|说|觉得|这|那", words):
        yield from _stance(frame, match.span("v"), "negative" if against != bool(match["no"]) else "positive", bare=True)


def _never(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """恐怖片打死我都不看."""
    words = frame.folded(value_of(match))
    if words and not points(words) and not _of_the_moment(frame):
        yield frame.make("diet" if match["take"] in "吃喝" else "likes", value_of(match), polarity="negative")


def _eats(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if (frame.subject is not None or frame.talk.person is not None) and not _of_the_moment(frame) and not frame.lead.past:
        yield frame.make("diet", value_of(match))


def _eats_again(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """现在吃香菜了: it was otherwise before."""
    span = value_of(match)
    words = frame.folded(span)
    again = frame.lead.now or re.search("又|开始|可以|能|重新|恢复|破戒", match[0][: match.start("v") - match.start()])
    if frame.subject is not None and again and len(words) <= 6 and not points(words) and not _NO_FOOD.match(words):
        if words in ("肉", "荤", "肉食", "荤菜", "大鱼大肉"):
            yield frame.make("diet", "素食", ended=True)
        yield frame.make("diet", span)


def _accepts_now(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """香菜我现在也能接受了: it was disliked before."""
    words = frame.folded(value_of(match))
    now = frame.lead.now or match.groupdict().get("now") or "开始" in match[0]
    if "接受" in match[0] and re.search("[班差早夜]|通勤|工作|失败|变化", words):
        # What is put up with is not liked.
        return
    if (
        now
        and not points(words)
        and 1 <= len(words) <= 6
        and not re.search("现实|事实|结果|这|那|自己|批评|建议|说法|安排|条件|价格?|薪|异地|离|死|分手", words)
    ):
        yield from _stance(frame, match.span("v"), "positive", bare=frame.subject is None)


def _vegetarian(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """吃素: the word for it is a vegetarian diet, whichever way it is said."""
    if _of_the_moment(frame):
        return
    said = match["v"]
    value = "素食" if "素" in said else said
    ended = bool(group(match, "no") and (frame.over or "再" in group(match, "no") or frame.lead.over)) or frame.lead.past
    yield frame.make(
        "diet", value if said != value else match.span("v"), polarity="negative" if group(match, "no") else "positive", ended=ended
    )


def _gave_up(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """戒烟了."""
    words = match["v"]
    if frame.lead.future_time or points(words):
        return
    attribute = "habit" if re.match("烟|赌|熬夜|游戏|手机|网", words) else "diet"
    yield frame.make(attribute, match.span("v"), ended=True)


def _gave_that_up(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """以前抽烟抽得凶，前年戒了."""
    said = re.search("[抽吸](?P<smoke>烟)|喝(?P<drink>酒|咖啡|奶茶|可乐)", frame.plain[: frame.begin])
    if said and not frame.lead.future_time and not any(claim.ended for claim in frame.talk.claims):
        smoke = said["smoke"] is not None
        yield frame.make("habit" if smoke else "diet", said.span("smoke" if smoke else "drink"), ended=True)


_LIKE = (
    "(?:喜欢(?:上)?|喜爱|热爱|酷爱|钟爱|偏好(?!是|设)|偏爱|中意|钟情于?|痴迷于?|沉迷于?|迷恋|迷上|爱上|欣赏(?!了)"
    "|享受(?!了|到)|超爱|最爱|爱(?!豆|奇艺|犬|车|马|徒|好|人|你|情|心|的|国|吗|妻|谁|咋|怎|来不来|惜|护|理|莫能|丽丝))"
)
_FOODS_NOT = "(?:不(?:再)?(?:太|怎么|大|敢|想|会)?(?:能|可以|让我?|准)?(?:再)?|从不|从来不|绝不|没法|无法|不可以)(?:吃|喝|碰|沾|食用|摄入)"
_VERY = "(?:最|更|比较|尤其|特别|非常|超级?|挺|很|蛮|真的?|还是|一直|都)*"
_DISLIKE = (
    "(?:讨厌|烦(?![死人恼躁你请心了啊]|$)|厌恶|厌倦|反感|受不了|受不得|忍受不了|无法忍受|不能忍受|忍不了|接受不了|无法接受|不能接受"
    "|接受不能|痛恨|恨(?!不得|我)|嫌弃|看不惯|看不上|吃不惯|喝不惯|用不惯|不感冒|烦透了|吃腻了|喝腻了"
    "|讨厌死)"
)

#: 蓝色是我最喜欢的颜色. Read before the subject is looked for, which stands at the end.
FAVOURITES = rules(
    (
        r"(?P<v>[^,我你他她是这那]{1,10})是我(?P<most>最)(?P<bad>讨厌|不喜欢)?(?:喜欢|喜爱|爱)?(?:吃|看|听|喝|玩|读|去)?的(?P<thing>[^,人]{1,6})$",
        _favourite,
    ),
)

TASTES = rules(
    (
        r"(?:的)?(?P<most>最)?(?:(?P<bad>讨厌|不喜欢|不爱|受不了)|喜欢|爱|偏爱)(?:吃|看|听|喝|玩|读|用|去"
        r"|做|穿)?的(?P<thing>[^,是]{0,8}?)(?:就|一直|还|当然|肯定|可能|永远)*(?:是|:)(?P<v>[^,]{1,24})$",
        _favourite,
    ),
    (rf"{_VERY}(?P<no>不(?:再|怎么|太|大|是很|是太|是特别|算|那么|会)*|没那么|没有那么)?{_VERY}{_LIKE}了?(?P<v>[^,]{{1,40}})$", _likes),
    (rf"{_VERY}(?P<no>不(?:再|怎么|那么|太)?|没那么)?{_VERY}{_DISLIKE}(?:了)?(?P<v>[^,]{{1,30}})$", _dislikes),
    (
        rf"{_VERY}(?:怕|害怕)(?P<v>狗|猫|蛇|虫子?|蟑螂|老鼠|蜘蛛|黑|高|冷|热|水|打针|打雷|鬼|恐怖片|吃辣"
        rf"|辣|吵|社交|坐飞机|飞机|密集[^,]{{0,3}}|虫[^,]{{0,3}})(?:的)?$",
        _dislikes,
    ),
    (
        r"(?:对)(?P<v>[^,]{1,14}?)(?:都|也|一直|从来|真的|已经|再也)*(?P<no>不(?:太|怎么|再)?|没有?(?:什么"
        r"|任何|太大的?|了)?|毫无|提不起|(?P<lost>失去|没)了?)?(?:很|特别|非常|挺|比较|超级?|有点|蛮|颇"
        r"|十分|真)*(?:感兴趣|有?兴趣|着迷|情有独钟|上瘾)(?:了|的)*$",
        _interest,
    ),
    (r"(?:对)(?P<v>[^,]{1,14}?)(?:都|也|一直)*(?P<no>很反感|反感|无感|不感冒|没感觉)(?P<lost>)(?:了)?$", _interest),
    (r"对(?P<v>[^,]{1,14}?)(?:真的|实在|就是|怎么也|一直|也)*(?P<no>)(?:爱|喜欢|提)不起来(?P<lost>)$", _cannot_like),
    (
        r"(?P<no>不)?是(?:一?个|一?名|资深|忠实|铁杆|超级)*(?P<v>[^,]{1,10}?)(?:的)?(?:忠实|铁杆|死忠"
        r"|资深)*(?:粉丝|爱好者|发烧友|铁粉|球迷|迷弟|迷妹|迷|粉|控|党)$",
        _fan,
    ),
    (r"(?:无|没有?|离不开)(?P<v>[^,不]{1,6}?)(?:不欢|不行|活不了|就活不了|不可|不能活)?$", _fan_of_food),
    (
        r"(?:的)?(?:业余|主要|最大的?|平时的?)*(?:兴趣爱好|爱好|兴趣|最爱|喜好)(?:就|主要|也)*(?:是|有(?![点些所没])"
        r"|包括|:|为)+(?P<v>[^,]{1,40})$",
        _hobby,
    ),
    (r"(?:宁愿|宁可|情愿)(?P<v>[^,]{1,12}?)(?:,?也不.*)$", _prefers),
    (
        r"(?P<no>不(?:再)?)?(?:是)?(?:一?个|严格的?|坚定的?)*(?P<v>吃全素|吃纯素|吃素|吃斋|全素|纯素食?(?:主义)?者?"
        r"|素食(?:主义)?者?|素食|蛋奶素|鱼素|vegan|vegetarian|清真饮食|清真|生酮饮食|生酮|低碳水?饮食|低碳"
        r"|低糖饮食|无麸质饮食|无麸质|吃清真|地中海饮食|轻断食|间歇性断食|16\+8)(?:的|了|饮食|中)*$",
        _vegetarian,
    ),
    (rf"{_FOODS_NOT}(?P<v>[^,]{{1,20}}?)(?:星人|一族|人士|党)[^,]{{0,4}}$", _not_eaten),
    (rf"{_FOODS_NOT}(?P<v>[^,]{{1,20}})$", _not_eaten),
    (r"(?:的)?(?:爱豆|偶像|男神|女神|本命)(?:就|一直)?(?:是|叫)(?P<v>[^,]{2,10})$", _hobby),
    (r"(?:吃|喝|碰|沾)(?:不了|不得|不来)(?P<v>[^,]{1,12})$", _not_eaten),
    (r"(?:需要|要|得|一直)?(?:忌口?|忌食)(?P<v>[^,口讳惮日]{1,12})$", _not_eaten),
    (
        r"(?P<v>[^,]{1,8}?)(?:的)?(?:我)?(?:是)?(?:都|也|一概|一律|一点都|一点儿?也|一口都|完全|从来|绝对"
        r"|根本)*(?:不吃|不能吃|吃不了|不喝|不能喝|喝不了|不碰|不能碰|碰不得|吃不得|不沾|碰都不能碰|碰都不碰|沾都不能沾)(?:的|了)*$",
        _topic_not_eaten,
    ),
    (
        r"(?P<v>[^,]{1,8}?)(?:的)?我(?:是)?(?:都|也|可|真的?|真是|特别|最|太|超级?|很|一直|从小|就|最最)*"
        r"(?P<no>不(?:太|怎么|是很)?|没那么)?(?P<verb>喜欢|爱|讨厌|受不了|无感)(?:吃|喝|看|听"
        r"|玩)?(?:了(?:[一二三四五六七八九十几\d]+年)?)?$",
        _topic_liked,
    ),
    (r"(?P<v>[^,我]{1,6}?)我?(?:打死|死)我?(?:都|也)不(?P<take>吃|喝|碰|看|去|听|玩|坐)(?:的)?$", _never),
    (r"(?:很|特别|非常|超|可以|挺)*(?:能吃|能喝|可以吃)(?P<v>辣|酸|苦|甜|咸|酒|生冷|生的)(?:的|了)*$", _eats),
    (r"(?:又|重新|开始|恢复|破戒|终于)*(?:能|可以|会|敢|肯|愿意)?(?:碰|吃|喝)(?P<v>[^,]{1,8}?)了$", _eats_again),
    (
        r"(?:又|慢慢|渐渐|逐渐|居然|已经)*开始(?:有点|变得)?(?:喜欢|爱|迷)(?:上)?(?:了)?(?:吃|喝|看|听|玩)?(?P<v>[^,了]{1,8}?)了?$",
        _accepts_now,
    ),
    (r"(?:开始|也|逐渐|慢慢|渐渐|已经)*(?:能|可以)接受(?P<v>[^,了]{1,6}?)(?:的味道)?了$", _accepts_now),
    (r"(?P<v>[^,我]{1,6}?)(?:的味道)?我?(?P<now>现在|如今|最近)(?:也|都|已经|开始|慢慢|渐渐)*(?:能|可以)(?:接受)了$", _accepts_now),
    (
        r"(?:要|得|需要|应该)?(?P<v>不挑食|少吃(?:点)?[^,]{1,5}|(?:只(?:能)?(?:吃|喝))[^,]{1,8}|不忌口|什么都吃|少油少盐|少盐少油"
        r"|低盐(?:低脂)?(?:饮食)?|低脂(?:饮食)?|低嘌呤(?:饮食)?|清淡饮食"
        r"|(?:饮食|口味)(?:比较|偏|很)*(?:清淡|重口|辣|甜))(?:的)?$",
        _eats,
    ),
    (
        r"(?:已经|刚|终于)*戒(?:掉|了)*(?P<v>烟酒|烟|酒|糖|咖啡|奶茶|辣|甜食|甜|碳水|赌|熬夜|游戏|可乐|[^,了]{1,4})(?:掉"
        r"|有)?(?:了|[一二三四五六七八九十\d]+(?:年|个月|天)了?)+$",
        _gave_up,
    ),
    (r"(?:已经|刚|终于)*把(?P<v>烟|酒|糖|咖啡|奶茶|甜食|碳水|可乐|辣|游戏|肉|牛奶|零食|夜宵)(?:都|也|给)*戒(?:掉)?了$", _gave_up),
    (r"(?:从|由|把)(?P<v>咖啡|奶茶|可乐|酒|牛奶|红茶|茶)(?:改|换)(?:喝)?(?:成|为|到)?了?[^,]{1,6}?了?$", _gave_up),
    (r"(?:已经|刚|终于|早就|早|就)*戒(?:掉)?了$", _gave_that_up),
    (r"(?:早饭|午饭|晚饭|早餐|晚餐|宵夜)?(?:已经|刚)?戒(?:掉)?了(?P<v>[^,了]{1,4})$", _gave_up),
)
