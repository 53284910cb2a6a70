"""Partner, family, friends and pets, in Chinese. Rules for one clause each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules.chinese_clauses import fold
from pagefile.lifecycle.rules.chinese_frame import Frame, Span, group, items, points, rules, trimmed, value_of
from pagefile.lifecycle.rules.chinese_words import ANIMAL, COUNT, HAN, KIN, KIN_ATTRIBUTES, LATIN

_NAME = rf"(?:{HAN}{{1,4}}|{LATIN})"
_MEASURE = "(?:个|位|只|条|匹|头|对|双|窝|缸)"
_FAMILY = "(?:一儿一女|一双儿女|两儿一女|儿女双全|兄弟姐妹|二胎|双胞胎|龙凤胎)"


def _names(frame: Frame, whole: Span) -> list[Span]:
    spans = items(frame.plain, *whole)
    return [span for span in spans if re.fullmatch(_NAME, frame.folded(span)) and not points(frame.folded(span))]


def _spoken_of_before(frame: Frame) -> str:
    """The relation or animal without a name that the sentence before in the same message ended with: 我养了只狗！叫饼干."""
    before, utterance = frame.context.antecedent, frame.sentence.utterance
    if before is None or frame.talk.claims or not before.tags or before.sources[0].message != utterance.message:
        return ""
    kind = before.tags[0]
    unnamed = before.attribute in ("pet", *KIN_ATTRIBUTES.values()) and kind in fold(before.value) and before.value not in before.entities
    return kind if unnamed and before.polarity == "positive" else ""


def _got_pet(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """昨天接了只小猫回家."""
    if frame.lead.future_time or frame.lead.maybe:
        return
    animal = re.search(rf"(?:小|老)?{ANIMAL}$", match["v"])
    if animal is None or re.match("(?:买|捡|带|抱).*(?:鱼|鸭子|马|鸟|狗粮)$", match[0]):
        return
    frame.talk.unnamed = animal[0]
    if match["name"]:
        names = match.span("name")
        for span in _names(frame, names):
            yield frame.make("pet", span, whole=names, tags=(animal[0],), entities=(frame.words(span),))
        return
    yield frame.make("pet", trimmed(frame.plain, *match.span("v")), tags=(animal[0],))


def _animal_called(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """猫咪叫奶茶."""
    if frame.subject is None and frame.talk.person in (None, frame.speaker):
        span = match.span("v")
        yield frame.make("pet", span, person=frame.speaker, tags=(match["kind"],), entities=(frame.words(span),))


def _left_out(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """是三只猫，漏了豆包: one more name of what was just spoken of."""
    kind = frame.talk.unnamed
    if kind and frame.talk.claims:
        attribute = KIN_ATTRIBUTES.get(kind, "pet")
        for span in _names(frame, match.span("v")):
            yield frame.make(attribute, span, person=frame.speaker, tags=(kind,), entities=(frame.words(span),), correction=False)


def _counted(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """昨天说错了，是三只猫."""
    before = frame.context.antecedent
    if frame.talk.corrects or (before is not None and before.attribute == "pet" and frame.lead.fix):
        frame.talk.unnamed = match["kind"]
        counted = before is not None and before.attribute == "pet" and before.value not in before.entities
        yield frame.make("pet", match.span("v"), person=frame.speaker, tags=(match["kind"],), correction=counted)


def _called(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """叫咪咪, 一只叫大橘: the name of whom or what was just spoken of."""
    kind = frame.talk.unnamed or _spoken_of_before(frame)
    if not kind or (frame.subject is not None and frame.shown_as_is):
        return
    whole = match.span("v")
    attribute = KIN_ATTRIBUTES.get(kind, "pet")
    # An animal has no animals: the one just spoken of is the speaker's.
    other = frame.talk.person if frame.talk.person and frame.talk.person.relation != kind else None
    owner = frame.speaker if kind in KIN_ATTRIBUTES else other or frame.speaker
    for span in _names(frame, whole):
        value = frame.words(span)
        yield frame.make(attribute, span, text=f"{owner.shown}的{kind}叫{value}", person=owner, tags=(kind,), entities=(value,))


def _has_kin(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我有一个弟弟, 有个女儿叫小美."""
    kin = match["kin"]
    attribute = KIN_ATTRIBUTES.get(kin)
    if not attribute or frame.lead.past:
        return
    if match["name"]:
        whole = match.span("name")
        for span in _names(frame, whole):
            yield frame.make(attribute, span, whole=whole, tags=(kin,), entities=(frame.words(span),))
        return
    if attribute in ("friend", "colleague") and not group(match, "no"):
        frame.talk.unnamed = kin
        return
    counted = match["count"] and not re.match("[一1]", match["count"])
    span = (match.start("count"), match.end("kin")) if counted else match.span("kin")
    negative = bool(group(match, "no"))
    frame.talk.unnamed = "" if negative else kin
    yield frame.make(attribute, span, polarity="negative" if negative else "positive", ended=negative and frame.over, tags=(kin,))


def _has_one(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """有，一个儿子: asked for children."""
    if frame.subject is None and _ASKS_FOR_KIN.search(fold(frame.context.question)):
        kin = match["kin"]
        frame.talk.unnamed = kin
        counted = match["count"] and not re.match("[一1]", match["count"])
        yield frame.make(KIN_ATTRIBUTES.get(kin, "child"), (match.start(), match.end()) if counted else match.span("kin"), tags=(kin,))


_ASKS_FOR_KIN = late_pattern("有(?:没有)?(?:几个)?(?:小孩|孩子|宝宝|娃|兄弟|姐妹|哥哥|弟弟|姐姐|妹妹)|几个(?:孩子|小孩|娃)|结婚")


def _has_family(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    value = match["v"]
    attribute = "sibling" if value == "兄弟姐妹" else "child"
    negative = bool(group(match, "no"))
    yield frame.make(attribute, match.span("v"), polarity="negative" if negative else "positive")


def _only_child(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    yield frame.make("sibling", match.span("v"), polarity="positive")


def _gave_birth(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    frame.talk.unnamed = match["v"]
    yield frame.make("child", match.span("v"), tags=(match["v"],))


def _married(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    if frame.lead.future_time or (frame.lead.past and not group(match, "no")):
        return
    if match["v"] in ("结婚", "订婚", "领证") and match.end("v") == match.end() and not group(match, "no"):
        # 我6月12日结婚, said in May
        wedding = frame.make("plan", match.span("v"))
        if wedding.valid_from is not None and wedding.valid_from > wedding.said_at:
            yield wedding
            return
    yield frame.make("marital status", match.span("v"), polarity="negative" if group(match, "no") else "positive")


def _wed_then(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我去年离的婚."""
    yield frame.make("marital status", match["v"].replace("的", ""))


def _parted(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """跟女朋友分手了."""
    span = value_of(match)
    words = frame.folded(span)
    if "离婚" in match[0]:
        yield frame.make("marital status", match.span("how"))
    if words and not points(words):
        yield frame.make("partner", span, ended=True)


def _single_again(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    yield frame.make("marital status", match.span("v"))
    if frame.own and not (frame.lead.past or frame.lead.future_time or frame.lead.maybe):
        # The attribute's name: whoever it was.
        yield frame.make("partner", "partner", ended=True)


def _left_by(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """被女朋友甩了; 女朋友把我甩了, 老婆跟我离婚了, 老公去世了."""
    kin = match.groupdict().get("kin") or frame.person.relation
    if KIN_ATTRIBUTES.get(kin) != "partner" or frame.lead.future_time or frame.lead.maybe:
        return
    if "离婚" in match[0]:
        yield frame.make("marital status", "离婚", person=frame.speaker)
    yield frame.make("partner", frame.person.name or kin, person=frame.speaker, ended=True, tags=(kin,))


def _is_my(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """小杰是我的好朋友."""
    attribute = KIN_ATTRIBUTES.get(match["kin"])
    if attribute and frame.person.name and not frame.own:
        name = frame.person.name
        yield frame.make(attribute, name, person=frame.speaker, tags=(match["kin"],), entities=(name,))


def _has_pet(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """养了两只猫, 叫大橘和小白."""
    whole = match.span("v")
    kind = re.search(rf"{ANIMAL}$", frame.folded(whole))
    if kind is None or re.search(r"过敏|玩具|表情|照片|粮|砂", frame.folded(whole)):
        return
    if frame.lead.past or match["once"] or frame.lead.future_time or (frame.lead.today and not frame.over):
        if (frame.lead.past or match["once"]) and match["keep"]:
            yield frame.make("pet", trimmed(frame.plain, *whole), ended=True)
        return
    if group(match, "no"):
        yield frame.make("pet", trimmed(frame.plain, *whole), polarity="negative", ended=frame.over or frame.lead.over)
        return
    animal = frame.folded(whole)
    if match["name"]:
        names = match.span("name")
        for span in _names(frame, names):
            yield frame.make("pet", span, whole=names, tags=(animal,), entities=(frame.words(span),))
        return
    counted = match["count"] and not re.match("[一1]", match["count"])
    span = (match.start("count"), whole[1]) if counted else whole
    frame.talk.unnamed = animal
    yield frame.make("pet", span, tags=(animal,))


def _no_pets(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    yield frame.make("pet", match.span("v"), polarity="negative", ended=frame.over)


def _gave_away(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """把猫送人了."""
    yield frame.make("pet", match.span("v"), ended=True, tags=(match["v"],))


def _pet_gone(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """我的猫去世了."""
    kind = frame.person.relation
    if re.fullmatch(ANIMAL, kind):
        yield frame.make("pet", frame.person.name or kind, person=frame.speaker, ended=True, tags=(kind,))


def _named_pet_gone(frame: Frame, match: re.Match[str]) -> Iterator[Claim]:
    """咪咪上周走了: the pet of that name, if one was spoken of or the name is none of a person."""
    name, surely = frame.words(match.span("v")), re.search("喵星|汪星|彩虹桥", match[0])
    pets = [each for each in (*frame.context.recent, *frame.talk.claims) if each.attribute == "pet" and each.value == name]
    if frame.lead.future_time or frame.lead.maybe or not (pets or surely or match.groupdict().get("kind") or _PET_NAME.fullmatch(name)):
        return
    kind = match.groupdict().get("kind")
    tags = pets[-1].tags if pets else (kind,) if kind else ()
    yield frame.make("pet", match.span("v"), person=frame.speaker, ended=True, tags=tags, entities=(name,))


_PET_NAME = late_pattern(
    "咪咪|喵喵|旺财|来福|大黄|小黄|小黑|小白|大橘|橘子|豆豆|毛毛|球球|汤圆|年糕|布丁|奶茶|可乐|雪球|煤球|花花|阿黄|黑子|饼干|元宝|糯米"
)
#: Two or three characters that are no time and no adverb.
_PET = rf"(?!昨|今|前|上[周个]|刚|已|去年|最|终|突|不|都|也|就|快|要|又|真|没|我|你|他|她){HAN}{{2,3}}?"
_GONE = (
    "(?:上周|上个?月|昨天|前天|今天|昨晚|今早|前几天|去年|今年|刚刚?|终究|还是|已经|不幸|老|病|也|最后|意外|突然)*(?:去世|过世|走丢|走失|走|死|没|丢|跑丢|被?送人"
    "|送走|(?:去|回)(?:了)?(?:喵|汪)星|(?:过|去|上)(?:了)?彩虹桥|不在)(?:了|啦)?"
)


FAMILY = rules(
    (
        r"(?:(?:其中)?一(?:只|个|条)[^,叫]{0,4}|另一?(?:只|个|条)[^,叫]{0,4}|大的|小的|老大|老二|[他她它])?(?:的)?("
        r"?:名字|小名)?(?:就)?(?:[取起]名(?:字)?叫?|名字叫|叫做?|名叫|是叫|名字是)(?P<v>[^,]{1,20}?)(?:的|了)*$",
        _called,
    ),
    (rf"是(?:我|俺)(?:的|们)*(?:最好的|很好的|多年的|公司的?|大学|高中|亲|前)*(?P<kin>{KIN})$", _is_my),
    (
        rf"(?:(?P<no>没有?)|有了?)(?:(?P<count>{COUNT})?{_MEASURE})?(?:亲|双胞胎(?!女儿|儿子)|刚出生的|可爱的|漂亮的|\d+岁的"
        rf"|{COUNT}岁的)*(?P<kin>{KIN})(?:,?(?:她|他)?(?:的)?(?:名字)?(?:名叫|叫做?)(?P<name>[^,]{{1,12}}))?"
        rf"(?:了)?$",
        _has_kin,
    ),
    (rf"(?:(?P<count>{COUNT})个?|个)?(?P<kin>(?:大|小)?(?:儿子|女儿|闺女|哥哥|弟弟|姐姐|妹妹|男孩|女孩|男宝|女宝))$", _has_one),
    (rf"(?P<no>没有?)?(?:有)?(?P<v>{_FAMILY})$", _has_family),
    (r"是(?:个|家里的)?(?P<v>独生子女|独生子|独生女|独子|独女)$", _only_child),
    (rf"(?:生|添|迎来)了?(?:{COUNT})?(?:个|对|位)?(?P<v>儿子|女儿|闺女|宝宝|二胎|双胞胎|龙凤胎|男孩|女孩|千金)(?:了)?$", _gave_birth),
    (rf"被(?:我|前)?(?P<kin>{KIN})(?:给)?(?:甩|踹|劈腿甩)了$", _left_by),
    (
        r"(?:把我(?:给)?甩了|(?:跟|和|与)我(?:提了?|办了?|正式|已经)*(?:分手|离婚|掰)了|(?:已经|不幸|因病|突然)*(?:去世|过世|病逝|离世|病故)了?)$",
        _left_by,
    ),
    (r"(?:已经|正式|还是|最终|终于|上周|昨天)*(?P<v>分手|离婚)了$", _single_again),
    (r"(?:又|恢复|回归|重新|变回|变成)*(?P<v>单身)(?:一个人|狗)?了$", _single_again),
    (r"(?:又|恢复|回归|重新)+(?P<v>单身)$", _single_again),
    (r"(?P<v>[结离订]的婚)$", _wed_then),
    (
        r"(?P<no>还?没有?|未|不是)?(?P<v>结婚|已婚|未婚|单身|离婚|离异|丧偶|订婚|再婚|领证|分居)"
        rf"(?:中|狗|了|的|快|有|未育|已育|有娃|无孩|带[^,]{{0,4}}[娃孩女子]子?|{COUNT}(?:个)?多?(?:年|月)了?|多年了?)*$",
        _married,
    ),
    (r"是(?P<v>已婚|未婚|单身|离异|丁克|不婚主义者?|单亲妈妈|单亲爸爸)(?:人士|状态|狗|的)*$", _married),
    (
        r"(?:和|跟|与)(?:我的?)?(?P<v>[^,]{1,6}?)(?:已经)?(?P<how>分手|离婚|分开|掰)(?:了|(?:都|有|快)*(?:好几|好多|多|几"
        r"|[一二两三四五六七八九十\\d]+)(?:个)?(?:多)?[年月])+了?$",
        _parted,
    ),
    (
        rf"(?P<no>不(?:再)?|没有?(?:再)?)?(?P<keep>(?:家里?)?(?:养|有|领养|收养|捡)(?P<once>过)?(?:了|着|的是)?|(?<=家)(?=[一二两三四五"
        rf"\d几]))(?:(?P<count>{COUNT})?(?:只|条|个|匹|头|对|缸))?(?P<v>[^,只条叫]{{0,6}}?{ANIMAL})(?:,?(?:它"
        rf"|名字)?(?:的)?(?:名字)?(?:名叫|叫做?)(?P<name>[^,]{{1,16}}))?(?:了)?$",
        _has_pet,
    ),
    (rf"(?:家里的?)?(?P<kind>{ANIMAL})(?:的?名字)?(?:叫做?|名叫|名字是)(?P<v>(?![了声得个起唤做什]){HAN}{{1,4}}|{LATIN})$", _animal_called),
    (
        rf"(?:接|抱|带|捡|买|入手|收养|领养|救助|救|收编|收留|领|认养)(?:回来|回家|回|到)?了?(?:{COUNT})?(?:只|条|个"
        rf"|匹)(?:流浪)?(?P<v>[^,只条叫]{{0,6}}?{ANIMAL})"
        rf"(?:回家|回来|来|来养|养)*(?:,?(?:它|名字)?(?:的)?(?:名字)?(?:名叫|叫做?|取名叫?|起名叫?)(?P<name>[^,]{{1,12}}))?(?:了)?$",
        _got_pet,
    ),
    (r"(?:还)?(?:漏了|漏掉了?|少说了|忘了说?|没说|还有)(?:一(?:只|个|条)?(?:叫)?)?(?P<v>[^,]{1,6}?)$", _left_out),
    (rf"(?:应该)?(?:是|有)(?P<v>{COUNT}(?:只|条)(?P<kind>{ANIMAL}))$", _counted),
    (r"(?:没有?|不)(?:有|养)?(?:任何)?(?P<v>宠物|猫|狗|猫猫狗狗|小动物)(?:了)?$", _no_pets),
    (r"(?:已经)?(?:(?:去世|走丢|走|死|没|丢|送人|送走|去喵星|去汪星)(?:了|啦)|(?:去世|走|死)的)$", _pet_gone),
    (rf"养了?[^,]{{0,6}}的(?P<v>[^,]{{0,3}}?{ANIMAL}){_GONE}$", _gave_away),
    (rf"把(?:家里的|我的)?(?P<v>{ANIMAL})(?:送人|送走|弄丢|送给[^,]{{1,6}}|送回[^,]{{1,10}})了$", _gave_away),
)

#: A pet by its name: nobody else needs to be spoken of.
PETS_GONE = rules(
    (rf"(?:我家?的?|家里的?)?(?:老|小)?(?P<kind>{ANIMAL})(?P<v>{_PET}|{LATIN}){_GONE}$", _named_pet_gone),
    (rf"(?P<v>{_PET}|{LATIN}){_GONE}$", _named_pet_gone),
    (rf"(?:我)?把(?P<v>{_PET}|{LATIN})(?:送人|送走|弄丢|送给[^,]{{1,6}}|送回[^,]{{1,10}})了$", _named_pet_gone),
)

#: After a colon: the names of those just spoken of.
LISTED_NAMES = rules(
    (r"(?P<v>[^,]{1,24})$", _called),
)
