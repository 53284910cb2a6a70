"""What a Chinese sentence says only together with what was said before: corrections and short answers. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.attributes import attribute_of
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_clauses import fold
from pagefile.lifecycle.rules.chinese_frame import Span, items, points, trimmed, without_mood
from pagefile.lifecycle.rules.chinese_words import (
    ANIMAL,
    DATE,
    HAN,
    HOUR,
    KIN,
    KIN_ATTRIBUTES,
    LATIN,
    NUMERAL,
    PART_OF_DAY,
    SCHOOL,
    is_place,
)
from pagefile.lifecycle.rules.reading import Context, claim
from pagefile.lifecycle.rules.sentences import Sentence

_WRONG = (
    r"(?:不对|不不+|不是(?:的|这样)?(?=,)|错了|(?:我)?(?:刚才|刚刚|上面|之前)?(?:说|写|打|记|搞|弄)错了"
    r"|(?:我)?口误|更正(?:一下)?|纠正(?:一下)?|(?:我)?(?:之前|刚才)?说得?不对|抱歉|不好意思|等等|等一下"
    r"|哦不|噢不|啊不|其实|不,)"
)
#: What may follow a correction: how the error came about.
_EXCUSE = late_pattern(
    r"[,.! ]+(?:我)?(?:刚才|刚刚|之前|前面|昨天)?(?:看|说|打|记|写|搞|弄|手|嘴|脑子|输)(?:错|快|滑|误|瓢|抽|糊涂|岔|抖)了?[^,]{0,6}$"
    r"|[,.! ]+(?:我)?(?:口误|笔误|手误|记性不好|老糊涂了?|抱歉|不好意思|sorry|Sorry|谢谢|麻烦了?|哈哈+|别记错(?:了)?|更正一?下"
    r"|改一?下)[^,]{0,4}$"
)
_CORRECTED = (
    late_pattern(
        rf"^(?:{_WRONG}[,.! ]*)+(?:我)?(?:其实|准确地?说|应该|现在)*(?:应该|其实|确切地?说)*(?:是在?|叫|改成了?"
        rf"|改到了?|换成了?|住在?|在)(?P<v>[^,]{{1,24}})(?:,?(?:而)?不是(?P<old>[^,]{{1,16}}))?$"
    ),
    late_pattern(rf"^(?:{_WRONG}[,.! ]*)*(?:我(?:的)?(?:[^,不]{{0,6}}))?不是(?P<old>[^,]{{1,14}}),?(?:而是|应该是|是)(?P<v>[^,]{{1,24}})$"),
    late_pattern(
        rf"^(?:{_WRONG}[,.! ]*)*(?:应该|准确地?说|其实|改成|改到|改为|换成)是?(?P<v>[^,]{{1,20}}?)(?:了)?(?:,?(?:而)?不是"
        rf"(?P<old>[^,]{{1,16}}))$"
    ),
    late_pattern(rf"^(?:{_WRONG}[,.! ]*)*(?:是)(?P<v>[^,]{{1,20}}?)(?:,)?(?:而)?不是(?P<old>[^,]{{1,16}})$"),
)
_NO_VALUE = late_pattern(
    r"你|我|他(?!汀)|她|它|这|那(?!曲)|什么|怎么|因为|说|想|觉得|不|没|有|个|的|问|指|这样|真|很|太|挺|要|会|可以|为了|如果|谁|哪"
)
_TIMED = frozenset({"birthday", "plan", "deadline", "wake time", "bedtime"})
_DAY = rf"(?:{DATE}|(?:下+|这|本)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天末]|大?[明后]天|下个?月|下+周|月底|年底)"
_WHEN = late_pattern(rf"(?:{_DAY})+(?:的)?(?:{PART_OF_DAY})?(?:{HOUR})?|(?:{PART_OF_DAY})?{HOUR}")
_A_DATE = late_pattern(rf"{DATE}|(?:下|这|本)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天]|{HOUR}")


def correction(sentence: Sentence, context: Context) -> list[Claim]:
    """不对，是五号: the last claim of the same speaker, with another value."""
    before = context.antecedent
    if before is None or sentence.asks or len(sentence.text) > 80:
        return []
    plain = fold(sentence.text)
    end = without_mood(plain, 0, len(plain))
    while excuse := _EXCUSE.search(plain[:end]):
        end = without_mood(plain, 0, excuse.start())
    for pattern in _patterns(before):
        match = pattern.match(plain[:end])
        if match is None:
            continue
        span = _inner(before, plain, trimmed(plain, *match.span("v")))
        old = match.groupdict().get("old")
        if not _fits(before, plain[slice(*span)], old):
            continue
        right = _corrected(sentence, before, span)
        if old is None or before.attribute in _TIMED or right.value == before.value:
            return [right]
        return [right, *_denied(sentence, right, _inner(before, plain, match.span("old")))]
    return []


#: Attributes of which people say what it is not.
_TOLD_APART = frozenset(
    (
        "name",
        "nickname",
        "age",
        "residence",
        "hometown",
        "nationality",
        "occupation",
        "employer",
        "school",
        "major",
        "allergy",
        "diet",
        "pet",
        "gender",
    )
) | frozenset(KIN_ATTRIBUTES.values())
_REJECTED = late_pattern(
    rf"(?:^|[, ]|(?<={HAN}))(?:我(?:的)?(?:{HAN}{{0,4}}?))?(?:并|而|可|才)?不(?:是|叫|姓|住在?|在|属于)(?:对|叫|姓|住在?"
    rf"|在)?(?P<old>[^,.!不是]{{1,10}}?)"
    rf"(?:过敏|上班|工作|那边|的|了|啊|哦|呀)*(?=[,.! ]|$)"
)
#: A claim whose own words do not say what it is not.
_TELLS = late_pattern("是|叫|姓|住|在|对|吃")


def contrasted(sentence: Sentence, plain: str, claims: list[Claim]) -> list[Claim]:
    """The claims, the one that says what is so as a correction if the sentence says besides what is not: 叫小宇，不叫小雨."""
    rejected = _REJECTED.search(plain)
    told = [claim for claim in claims if claim.polarity == "positive" and claim.attribute in _TOLD_APART]
    if rejected is None or len(told) != 1 or not claims:
        return claims
    right = told[0]
    denials = [
        claim for claim in claims if (claim.subject, claim.attribute, claim.polarity) == (right.subject, right.attribute, "negative")
    ]
    if any(claim.ended for claim in denials) or len(claims) > 2 or not (right.attribute == "age" or _TELLS.search(fold(right.text))):
        return claims
    if not denials:
        span = trimmed(plain, *rejected.span("old"))
        if len(claims) > 1 or not _alike(right, plain[slice(*span)]):
            return claims
        denials = _denied(sentence, right, span)
    return [replace(right, correction=True), *denials]


def _alike(right: Claim, words: str) -> bool:
    """Whether these words could stand in the place of the value."""
    if not words or _NO_VALUE.match(words) or words == fold(right.value):
        return False
    if right.attribute == "age":
        return bool(re.match(rf"\d|{NUMERAL}", words))
    if right.attribute in ("residence", "hometown", "nationality"):
        return is_place(words)
    return abs(len(words) - len(right.value)) <= 4 and not re.search("[了过着很太]", words)


def _denied(sentence: Sentence, right: Claim, span: Span) -> list[Claim]:
    """What the sentence says is not so, beside what is."""
    if span[0] >= span[1]:
        return []
    value = sentence.text[slice(*span)]
    denied = claim(
        sentence,
        subject=right.subject,
        attribute=right.attribute,
        value=value,
        polarity="negative",
        span=(0, len(sentence.text)),
        tags=right.tags,
        entities=(value,) if right.value in right.entities else (),
    )
    return [denied]


_BARE = late_pattern(rf"^(?:{_WRONG}[,.! ]*)+(?P<v>[^,]{{1,12}}?)(?:了)?$")
_MOVED = late_pattern(
    rf"^(?:{_WRONG}[,.! ]*)*(?:[^,]{{0,6}}?(?:改期|改|推迟|提前|调整|延期|延后|延|换|挪)(?:时间)?(?:成|到|为|至|在)?了?[,. ]*)+(?:是"
    rf"|在|到|成)?(?P<v>[^,]{{1,14}}?)(?:了)?$"
)


def _patterns(before: Claim) -> Iterator[re.Pattern[str]]:
    yield from _CORRECTED
    if before.attribute in _TIMED:
        yield _MOVED
    if before.attribute in (*_TIMED, "age", "residence", "hometown"):
        yield _BARE


def _inner(before: Claim, plain: str, span: Span) -> Span:
    """Of 对菠萝过敏 the pineapple."""
    if before.attribute != "allergy":
        return span
    begin = span[0] + (plain[span[0]] == "对")
    return begin, span[1] - 2 * plain[slice(*span)].endswith("过敏")


def _fits(before: Claim, words: str, old: str | None) -> bool:
    """Whether the words can stand in the place of the value that is corrected."""
    if not words or _NO_VALUE.match(words):
        return False
    if old is not None and fold(old).strip("的了") not in fold(before.value) + fold(before.text) and before.attribute not in _TIMED:
        return False
    if before.attribute in _TIMED:
        return bool(_A_DATE.search(words))
    if before.attribute == "age":
        return bool(re.match(rf"\d|{NUMERAL}", words))
    if before.attribute in ("residence", "hometown"):
        return is_place(words) or old is not None
    if before.attribute == "name":
        return len(words) <= 4 or bool(re.fullmatch(LATIN, words))
    return True


def _corrected(sentence: Sentence, before: Claim, span: Span) -> Claim:
    value = sentence.text[slice(*span)]
    text = re.sub(r"（(?:\d{4}[^）]*)）", "", before.text)
    if before.attribute in _TIMED:
        # "The 5th" for "May 3rd": only that part of the date is another.
        when = _WHEN.search(fold(value))
        value = value[slice(*when.span())] if when else value
        value, text = _dated_anew(before.value, value, bare=before.attribute != "birthday"), _dated_anew(text, value)
    elif before.value in text:
        text = text.replace(before.value, value, 1)
    else:
        text = sentence.text
    return claim(
        sentence,
        subject=before.subject,
        attribute=before.attribute,
        value=value,
        polarity=before.polarity,
        span=(0, len(sentence.text)),
        text=text,
        correction=True,
        tags=before.tags,
        entities=tuple(value if each == before.value else each for each in before.entities),
    )


_DAY_OF_MONTH = late_pattern(rf"(?:\d{{1,2}}|{NUMERAL}{{1,3}})[日号]$")
_ENDS_IN_DAY = late_pattern(rf"(?:\d{{1,2}}|{NUMERAL}{{1,3}})[日号]?$")


def _dated_anew(text: str, time: str, *, bare: bool = False) -> str:
    """The text with another time in it; ``bare``: one without a time stays as it is."""
    plain = fold(text)
    old = (_WHEN if _WHEN.fullmatch(fold(time)) and re.search(rf"{PART_OF_DAY}|{HOUR}", fold(time)) else _A_DATE).search(plain)
    if old is None:
        return text if bare else time
    new = time
    if _DAY_OF_MONTH.fullmatch(fold(time)) and "月" in old[0] and (day := _ENDS_IN_DAY.search(old[0])):
        new = text[old.start() : old.start() + day.start()] + time
    return text[: old.start()] + new + text[old.end() :]


# --- short answers -------------------------------------------------------------------------------------------------------

_NAME = rf"(?:{HAN}{{2,4}}|{LATIN})"
#: What was asked → the attribute that a short answer gives, and how the answer must look.
_QUESTIONS: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (late_pattern(question), attribute, answer)
    for question, attribute, answer in (
        (r"(?:你|您)(?:的)?(?:叫什么|名字(?:是|叫)|怎么称呼|姓名|贵姓)|怎么称呼(?:你|您)|贵姓|该?叫(?:你|您)什么|^叫什么", "name", _NAME),
        (r"(?:你|您)(?:今年)?(?:多大|几岁|多少岁)|(?:你|您)的?年龄|年纪多大", "age", rf"(?:\d{{1,3}}|{NUMERAL}{{1,4}})(?:周?岁)?"),
        (r"生日(?:是)?(?:什么时候|哪天|几号|几月)|什么时候(?:过)?生日|哪天生日", "birthday", rf"(?:农历)?{DATE}"),
        (
            r"(?:你|您)(?:现在|目前|平时)?(?:住在?哪|在哪(?:个|座)?(?:城市|里|儿)?(?:住|生活|$|\?))|住在哪|住哪|所在(?:的)?城市|哪个城市",
            "residence",
            "place",
        ),
        (r"(?:你|您)(?:是)?哪里?人|老家(?:在|是)?哪|来自哪|家乡", "hometown", "place"),
        (r"(?:你|您)(?:是)?(?:做|干)什么(?:工作)?的?|什么工作|(?:你|您)的?职业|从事什么", "occupation", rf"{HAN}{{2,10}}|{LATIN}"),
        (r"在哪(?:家|个|里)?(?:公司|单位)?(?:上班|工作|高就)|哪家公司|什么公司", "employer", rf"{HAN}{{2,12}}|{LATIN}"),
        (
            r"(?:对)?什么(?:东西|食物)?(?:会)?过敏|过敏(?:史|的(?:东西|食物)|原|源)?(?:吗|呢|是什么|有哪些|\?)"
            r"|有(?:没有)?(?:什么|哪些)?过敏",
            "allergy",
            "list",
        ),
        (r"(?:有(?:没有)?|什么)(?:什么)?忌口|不吃什么|什么不(?:能)?吃|不能吃的", "diet", "list"),
        (r"(?:你|您)?(?:平时)?(?:最)?喜欢(?:做|吃|看|听|玩)?(?:的)?什么|什么(?:爱好|兴趣)|爱好是什么|兴趣爱好(?:有|是)", "likes", "list"),
        (r"最喜欢(?:的|什么|哪(?:个|种|部|首|位))(?P<thing>[一-鿿]{1,4}?)(?:是|\?|呢)", "favourite", rf"{HAN}{{1,10}}|{LATIN}"),
        (r"几点(?:钟)?(?:起床?|醒)", "wake time", rf"(?:{PART_OF_DAY})?{HOUR}"),
        (r"几点(?:钟)?(?:睡|休息|上床)", "bedtime", rf"(?:{PART_OF_DAY})?{HOUR}"),
        (r"什么专业|学(?:的)?(?:是)?什么(?:专业)?的?[?]", "major", rf"{HAN}{{2,8}}"),
        (r"(?:哪个|什么|哪所)(?:大学|学校)|在哪(?:里|儿|所|个)?(?:上|读|念)(?:的)?(?:大学|书|学|高中|研)", "school", SCHOOL),
        (
            r"喜欢(?:吃|喝|看|听|玩|用|去)?(?P<one>[^,.?]{1,8}?)还是(?:更)?(?:喜欢)?(?:吃|喝|看|听|玩|用|去)?(?P<other>[^,.?]{1,8}?)[?呢]",
            "likes",
            "choice",
        ),
        (rf"(?:(?P<kind>{KIN}|{ANIMAL})(?:的)?)?(?:叫什么|名字|起名|取名)", "named", _NAME),
    )
)
_EASY = late_pattern(r"(?:(?:嗯+|哦|我是|我在|我叫|[它他她]?叫|我住|我|是|在|就是|叫|主要是?|大概|对|住在?|应该是|的话)[, ]*)*")
_NO_ANSWER = late_pattern(
    r"没有|没|不|无|都|随便|暂时|什么|你|保密|好|嗯|可以|谢谢|是的|对的?$|对啊|哈|可能|忘|不告诉|帮"
    r"|请|这|那|因为|想|有|还|很|看|知道|猜|说|先|等|算了|行|ok|OK|yes|no$|怎么|为什么|哪|我|要|给|再"
    r"|继续|下一|换|老样子|自己|秘密|当然|已经|刚"
)


def short_answer(sentence: Sentence, context: Context) -> list[Claim]:
    """上海, when the message before asked where the speaker lives. Only a message that is nothing but the answer counts."""
    asked = fold(context.question)[-300:]
    if not ("?" in asked or re.search("[吗呢什哪几谁]", asked)) or sentence.asks or len(sentence.text) > 30:
        return []
    if sentence.utterance.text.strip() != sentence.text.strip():
        return []
    last = re.split(r"(?<=[.!\n])", asked.rstrip("? \n"))[-1] + "?"
    return next(
        (
            found
            for question, attribute, answer in _QUESTIONS
            if (match := question.search(last)) and (found := list(_answered(sentence, context, attribute, answer, match)))
        ),
        [],
    )


def _answered(sentence: Sentence, context: Context, attribute: str, answer: str, asked: re.Match[str]) -> Iterator[Claim]:
    plain = fold(sentence.text)
    end = without_mood(plain, 0, len(plain))
    easy = _EASY.match(plain, 0, end)
    begin = easy.end() if easy else 0
    words = plain[begin:end]
    if not words or _NO_ANSWER.match(words):
        return
    if attribute == "favourite":
        attribute = attribute_of(f"最喜欢的{asked['thing']}").name
    if attribute == "named":
        yield from _names(sentence, context, (begin, end), asked["kind"])
        return
    if answer == "choice":
        if words in (asked["one"], asked["other"]):
            yield _answer(sentence, context, attribute, (begin, end))
        return
    if answer == "list":
        # 草莓 芒果
        parts = [each for match in late_pattern("[^ ]+").finditer(plain, begin, end) for each in items(plain, *match.span())]
        for span in parts:
            said = plain[slice(*span)]
            if 1 <= len(said) <= 8 and not points(said) and not re.search("[的了吗呢]|因为|所以|但", said):
                yield _answer(sentence, context, attribute, span)
        return
    fits = is_place(words) and len(words) <= 12 if answer == "place" else bool(re.fullmatch(answer, words))
    if fits:
        yield _answer(sentence, context, attribute, trimmed(plain, begin, end))


def _names(sentence: Sentence, context: Context, span: Span, kind: str | None) -> Iterator[Claim]:
    """The name of the pet or person that was just spoken of, or asked for."""
    before = context.antecedent
    known = before is not None and before.attribute in {"pet", *KIN_ATTRIBUTES.values()}
    if not known and not kind:
        return
    for each in items(fold(sentence.text), *span):
        if not re.fullmatch(_NAME, fold(sentence.text)[slice(*each)]):
            continue
        if before is not None and known:
            found = _answer(sentence, context, before.attribute, each)
            yield replace(found, tags=before.tags, subject=before.subject, entities=(found.value,))
        elif kind:
            found = _answer(sentence, context, KIN_ATTRIBUTES.get(kind, "pet"), each)
            yield replace(found, tags=(kind,), entities=(found.value,))


def _answer(sentence: Sentence, context: Context, attribute: str, span: Span) -> Claim:
    question = context.question.strip()
    question = re.split(r"(?<=[。！？!?.\n])", question.rstrip("?？ \n"))[-1][-60:]
    value = sentence.text[slice(*span)]
    return claim(
        sentence,
        subject=sentence.utterance.subject,
        attribute=attribute,
        value=value,
        span=(0, len(sentence.text)),
        polarity="negative" if attribute == "diet" else "positive",
        text=f"{question.strip()}？{sentence.text}",
    )
