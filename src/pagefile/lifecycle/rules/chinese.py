"""Reads plain Chinese statements: whom a clause is about, how it is meant, and which rules may read what it says. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from pagefile.language.patterns import late_pattern
from pagefile.lifecycle.facts import Claim
from pagefile.lifecycle.rules import chinese_people as people
from pagefile.lifecycle.rules.chinese_answers import contrasted, correction, short_answer
from pagefile.lifecycle.rules.chinese_clauses import Clause, fold, stated
from pagefile.lifecycle.rules.chinese_doings import DOINGS
from pagefile.lifecycle.rules.chinese_endings import also_over
from pagefile.lifecycle.rules.chinese_family import FAMILY, LISTED_NAMES, PETS_GONE
from pagefile.lifecycle.rules.chinese_foreign import foreign_stretches
from pagefile.lifecycle.rules.chinese_frame import Frame, Rule, Span, Talk, apply, without_mood
from pagefile.lifecycle.rules.chinese_health import HEALTH
from pagefile.lifecycle.rules.chinese_home import HOME
from pagefile.lifecycle.rules.chinese_identity import CALLED, IDENTITY
from pagefile.lifecycle.rules.chinese_left_out import introduced_by, left_out, of_animal
from pagefile.lifecycle.rules.chinese_people import Lead, Person
from pagefile.lifecycle.rules.chinese_plans import DATED_THINGS
from pagefile.lifecycle.rules.chinese_studies import STUDIES
from pagefile.lifecycle.rules.chinese_tastes import FAVOURITES, TASTES
from pagefile.lifecycle.rules.chinese_updates import update
from pagefile.lifecycle.rules.chinese_wishes import BANS, BOUNDS, PROJECTS, WISHES
from pagefile.lifecycle.rules.chinese_words import KIN_ATTRIBUTES
from pagefile.lifecycle.rules.chinese_work import WORK
from pagefile.lifecycle.rules.reading import Context
from pagefile.lifecycle.rules.sentences import Sentence

#: All but what only the speaker can say of himself.
_TO_THE_ASSISTANT = (*CALLED, *WISHES)
_WISHES_OF_OWN = (*WISHES, *BANS)
_RULES = (*IDENTITY, *FAMILY, *WORK, *STUDIES, *HOME, *TASTES, *HEALTH, *DOINGS)
#: What can be said of somebody known by the name alone: no encyclopaedia, no story.
_OF_NAMES = (*TASTES, *HEALTH, *HOME, *WORK, *STUDIES, *FAMILY, *IDENTITY)
_PREDICATE_OF_NAME = late_pattern(
    "喜欢|最|爱|不|讨厌|受不了|对|住|在|有|养|吃|喝|怕|今年|搬|是(?:我|个|一|做|从|学|老|医|律|程|素"
    "|护|工)|的?生日|从|毕业|每|刚|上|去|想|打算|超|现在|目前|如今|真|挺|一直|特别|很|非常|也|都|已"
    "|从|来自|偏爱|热爱|\\d"
)


def read(sentence: Sentence, context: Context) -> list[Claim]:
    """The claims that a sentence states. Questions, suppositions, tasks and other people's words state none. Never raises on any text."""
    if _is_foreign(sentence, context, 0):
        return []
    if changed := correction(sentence, context) or update(sentence, context):
        return changed
    plain = fold(sentence.text)
    if (right := _RATHER.match(plain)) and not sentence.asks:
        # 我生日不是1号，是11号: told as if the wrong one had not been said.
        kept = (*range(right.end("head")), *range(right.start("new"), len(plain) + 1))
        said = replace(
            sentence, text="".join(sentence.text[at] for at in kept[:-1]), start=sentence.place(0), places=tuple(map(sentence.place, kept))
        )
        return [replace(claim, correction=True) for claim in read(said, context)]
    talk = Talk()
    lead_begin: int | None = None
    task = False
    for clause, kind in stated(plain, asks=sentence.asks):
        if kind == "blocked" or _is_foreign(sentence, context, clause.begin):
            lead_begin = None
            continue
        if kind == "task":
            # "Recommend a place for dinner, I don't eat spicy food": what follows may still be said of oneself.
            task = True
            _add(talk, _wishes(sentence, context, plain, clause, talk))
            continue
        if _mended(sentence, context, plain, clause, talk):
            lead_begin = None
            continue
        lead_begin = _clause(sentence, context, plain, clause, talk, task, lead_begin)
    return contrasted(sentence, plain, _without_blanks(talk.claims)) if talk.claims else short_answer(sentence, context)


_RATHER = late_pattern(
    r"(?P<head>(?:我|俺|我家|[^,.!?是不]{1,6}?)(?:的)?(?:生日|老家|家乡|籍贯|名字|小名|职业|工作|专业|血型|母语|国籍|公司|单位|学校|手机|车|电脑))"
    r"不(?:是|在|叫)[^,.!?是不]{1,12}?[, ]+(?:而)?(?P<new>[是在叫][^,.!?不]{1,14}[.!]?$)"
)


def _is_foreign(sentence: Sentence, context: Context, at: int) -> bool:
    """Whether a place of the sentence stands in words that are not what the speaker says of himself."""
    place = sentence.start + at
    return context.is_foreign(place) or any(begin <= place < end for begin, end in foreign_stretches(sentence.utterance.text))


def _without_blanks(claims: list[Claim]) -> list[Claim]:
    """The claims without those that end whatever there was, where the sentence says what there is now: that replaces it."""
    now = {(claim.subject, claim.attribute) for claim in claims if claim.polarity == "positive"}
    return [claim for claim in claims if not (claim.ended and claim.value == claim.attribute and (claim.subject, claim.attribute) in now)]


_SLIP = (
    r"(?:[哦噢啊呃额嗯哎]|等等|等一下)*(?:不对|不不+|不是(?:的)?|错了|不|(?:我)?(?:刚才|刚)?(?:说|写|打|记|搞)错了|(?:我)?(?:口误|手误|笔误)"
    r"|更正一?下|纠正一?下)(?:[啊哈呀哦]|不对)*"
)
_SLIP_BEFORE = late_pattern(rf"(?<=[,.!~… ]){_SLIP}(?=[,.!~… ]+$)")
_SLIP_FIRST = late_pattern(
    r"(?:[哦噢啊呃额嗯哎]不+|[哦噢啊呃额嗯哎]*(?:不对|(?:我)?(?:刚才|刚)?(?:说|写|打|记|搞)错了))(?=[ ]*(?:应该)?(?:是|叫|住|在|\d))"
)


def _mended(sentence: Sentence, context: Context, plain: str, clause: Clause, talk: Talk) -> bool:
    """我住在杭州，不对，是苏州: whether the clause gives another value to what the sentence has just said. The wrong one is never told."""
    if not talk.claims or talk.claims[-1].ended:
        return False
    slip = _SLIP_BEFORE.search(plain, 0, clause.begin) or _SLIP_FIRST.match(plain, clause.begin, clause.end)
    if slip is None:
        return False
    text = sentence.text[slip.end() : clause.end].lstrip(" ,，。.!！~…")
    # Its places do not matter: the source is what the sentence says first.
    tail = replace(sentence, text="不对," + text, places=())
    last = talk.claims[-1]
    found = correction(tail, replace(context, antecedent=last))
    if not found:
        return False
    end = sentence.place(clause.end)
    span = (last.sources[0].span or (sentence.start, end))[0]
    talk.corrects = last.correction
    talk.claims[-1] = replace(found[0], correction=last.correction, sources=(replace(last.sources[0], span=(span, end)),))
    return True


def _add(talk: Talk, found: list[Claim]) -> None:
    """Take new claims, the named ones in place of what they name ("two cats", "Tom and Jerry")."""
    if not found:
        return
    first = next((each for each in found if not each.only_ends), found[0])
    if (
        talk.unnamed
        and not talk.corrects
        and first.tags
        and first.tags[0] == talk.unnamed
        and fold(first.value) != talk.unnamed
        and talk.claims
    ):
        last = talk.claims[-1]
        if (last.attribute == first.attribute and (fold(last.value) == last.tags[0] if last.tags else False)) or (
            last.tags == first.tags and talk.unnamed in fold(last.value)
        ):
            talk.claims.pop()
    known = {(claim.subject, claim.attribute, claim.value, claim.polarity) for claim in talk.claims}
    talk.claims += [claim for claim in found if (claim.subject, claim.attribute, claim.value, claim.polarity) not in known]


_WRONG = late_pattern(
    r"(?:不对|不是的?|错了|[说搞弄]反了|(?:你|您)(?:又|可能|好像)?(?:记|搞|弄|理解|说|写)错了?|(?:我)?(?:刚才|刚刚|之前|上面|前面|昨天|上次"
    r"|那天)?(?:说|打|写|记|搞|弄|讲|看)错了?|(?:我)?(?:口误|手误|笔误)"
    r"|(?:我)?(?:刚才|之前)?说得?不对)(?:[啊哈呀了]|\([^)]*\))*"
)
#: In brackets, at the end of a clause.
_REMARK = late_pattern(r"\([^()]{1,24}\)?$")
_NOT_THAT = late_pattern("(?:(?<!不)是|叫|姓|住在?|在)[^,是]{1,10}?(?P<rest>,?(?:而)?不(?:是|叫|姓|住在?)[^,不是]{1,8})$")


def _frame(sentence: Sentence, context: Context, plain: str, clause: Clause, talk: Talk, task: bool) -> Frame:
    speaker = people.speaker_of(sentence.utterance.subject)
    begin = people.skip_fillers(plain, clause.begin, clause.end)
    end = without_mood(plain, begin, clause.end)
    if (remark := _REMARK.search(plain, begin, end)) and remark.start() > begin + 1:
        end = without_mood(plain, begin, remark.start())
    lead = Lead(begin)
    if not_that := _NOT_THAT.search(plain, begin, end):
        # 是6岁不是5岁
        end, lead.fix = not_that.start("rest"), True
    return Frame(
        sentence=sentence,
        context=context,
        plain=plain,
        begin=begin,
        end=end,
        at=begin,
        lead=lead,
        person=speaker,
        speaker=speaker,
        subject=None,
        shown_as_is=True,
        after_task=task,
        talk=talk,
    )


def _wishes(sentence: Sentence, context: Context, plain: str, clause: Clause, talk: Talk) -> list[Claim]:
    """What is asked of the assistant needs no subject."""
    frame = _frame(sentence, context, plain, clause, talk, False)
    return apply(WISHES, frame)


def _clause(sentence: Sentence, context: Context, plain: str, clause: Clause, talk: Talk, task: bool, lead_begin: int | None) -> int | None:
    """Read one clause into ``talk``; where its time begins if it is nothing but a time for the next one."""
    frame = _frame(sentence, context, plain, clause, talk, task)
    talk.awaits_names = bool(talk.unnamed)
    if frame.begin >= frame.end:
        return None
    if found := apply(_TO_THE_ASSISTANT, frame) or apply(PROJECTS, frame) or apply(FAVOURITES, frame) or _pet_gone(frame):
        _add(talk, found)
        return None
    if lead_begin is not None:
        # "Last year, I moved to Xi'an": the time stands in the clause before.
        people.skip_lead(plain, lead_begin, frame.begin - 1, frame.lead)
        frame.begin = lead_begin
    at = people.skip_lead(plain, frame.at, frame.end, frame.lead)
    if at >= frame.end:
        return frame.begin
    frame.at = at
    if _WRONG.fullmatch(plain, clause.begin, frame.end):
        talk.corrects = True
        return None
    if found := _about_speaker(frame) or (_about_other(frame) or _without_subject(frame) if frame.subject is None else []):
        talk.person = _goes_on(frame, found[-1]) or frame.person
        _add(talk, found)
    elif _INTRODUCES.search(plain, frame.begin, frame.end) or _THING_OF_MINE.match(plain, frame.begin, frame.end):
        talk.person = people.NOBODY
    return None


def _pet_gone(frame: Frame) -> list[Claim]:
    """咪咪上周走了."""
    frame.subject = (frame.at, frame.at)
    found = apply(PETS_GONE, frame)
    frame.subject = None
    return found


#: Somebody else turns up, or a thing of the speaker's is spoken of; what follows without a subject is about that.
def _goes_on(frame: Frame, last: Claim) -> Person | None:
    """有个姐姐，在北京当律师: who has just been introduced is whom the next clause is about."""
    if frame.subject is not None or last.subject != frame.speaker.subject or last.attribute == "pet" or not last.tags:
        return None
    return introduced_by(frame, last) if fold(last.value) == last.tags[0] else None


_THING_OF_MINE = late_pattern(r"(?:我|俺)[^,的是]{1,6}的(?!时候|话|人$)[^,是]{1,8}(?:了|很|挺|太|特别)")
_INTRODUCES = late_pattern(
    r"(?:认识|遇到|遇见|碰到|碰见|看到|看见|看中|看上|租|发现|找到|见到|来了|新来|撞见|采访|邀请|面试|(?:^|(?<=,))(?:家里"
    r"|我家里?)?(?:有|养))了?"
    r"(?:一|两|几|好几)?(?:个|位|只|名|对|条|套|间|家)(?!人$)|问我"
)


def _about_speaker(frame: Frame) -> list[Claim]:
    """我 … and what is mine: 我的生日是…."""
    plain, at, end = frame.plain, frame.at, frame.end
    if twice := people.relation_of_relation_at(plain, at, end):
        person = people.related_twice(frame.speaker, twice["kin"] or twice["own"], twice["other"])
        return _predicate(frame, person, twice.span(), not twice["own"])
    if related := people.relation_at(plain, at, end):
        return _about_relation(frame, related)
    own = people.together_at(plain, at, end) or people.ME.match(plain, at, end) or _MINE.match(plain, at, end)
    if own is None:
        return []
    found = _predicate(frame, frame.speaker, own.span(), True)
    # What is said of a thing of the speaker's, and not understood, goes on being said of that thing.
    other = own[0][-1] in "的家" or _OF_OURS.match(plain, own.end(), end)
    frame.talk.person = frame.speaker if found or not other else people.NOBODY
    frame.person = frame.talk.person if not found else frame.person
    return found


#: 我们那边的客人…
_OF_OURS = late_pattern("[那这](?:边|里|儿|个|些)(?!的?时候)")
_MINE = late_pattern(r"(?:我|俺|咱|本人)(?:们)?(?:的(?!确)|家(?!里?(?:住|在)|是))")


def _predicate(frame: Frame, person: Person, subject: Span | None, as_is: bool, rules: tuple[Rule, ...] = _RULES) -> list[Claim]:
    """What is said of a person after the subject."""
    frame.person, frame.subject, frame.shown_as_is = person, subject, as_is
    if subject is not None:
        frame.at = people.skip_lead(frame.plain, subject[1], frame.end, frame.lead)
    if frame.at >= frame.end:
        # 我偶尔: the adverbs took all there was.
        return []
    own = person == frame.speaker
    found = (own and apply(BOUNDS, frame)) or apply(rules, frame) or (apply(_WISHES_OF_OWN, frame) if own else [])
    return [*also_over(frame, found), *found]


def _about_relation(frame: Frame, related: re.Match[str]) -> list[Claim]:
    """我朋友小杰…, 我弟弟…, 老婆…."""
    plain, end = frame.plain, frame.end
    kin, after = related["kin"], related.end()
    verbatim = frame.sentence.text
    as_is = related[0].startswith(("我", "俺", "咱", "本"))
    lead = replace(frame.lead)
    for name_end in people.names_at(plain, after, end, of_kin=True):
        person = people.related(frame.speaker, kin, verbatim[after:name_end])
        found = _predicate(frame, person, (related.start(), name_end), True)
        # 爸妈安好 names nobody.
        name = plain[after:name_end]
        named = name_end == end or (_SURE_NAME.fullmatch(name) and name not in KIN_ATTRIBUTES and _TOLD_OF.match(plain, name_end, end))
        if found or (named and as_is and kin not in ("爸妈", "父母", "孩子")):
            return _introduced(frame, person, (related.start(), name_end)) + found
        frame.lead = replace(lead)
    person = people.meant_by_relation(frame.speaker, kin, frame.talk.claims)
    found = _predicate(frame, person, related.span(), as_is)
    if "有" in related[0] and person.attribute not in ("friend", "colleague", "") and not any(claim.tags[:1] == (kin,) for claim in found):
        # "I have a brother who …"
        found = [frame.make(person.attribute, related.span("kin"), person=frame.speaker, tags=(kin,)), *found]
        frame.talk.unnamed = kin
    elif not found:
        frame.talk.unnamed = kin
        frame.talk.person = person
    elif any(claim.value != kin and claim.tags[:1] == (kin,) and not claim.only_ends for claim in found):
        frame.person = people.related(frame.speaker, kin, next(claim.value for claim in found if not claim.only_ends))
    return found


#: 我堂妹萌萌下周…: these are names, whatever is told.
_SURE_NAME = late_pattern(r"[小阿][\u4e00-\u9fff]|([\u4e00-\u9fff])\1|[A-Z][a-z]+")
_TOLD_OF = late_pattern("在|也|都|就|刚|今|昨|明天|后天|下周|下个|上周|上个|从|最近|现在|每|已经|要")


def _introduced(frame: Frame, person: Person, subject: Span) -> list[Claim]:
    """The speaker has a friend of that name."""
    if not person.attribute:
        return []
    return [frame.make(person.attribute, person.name, person=frame.speaker, tags=(person.relation,), entities=(person.name,))]


def _about_other(frame: Frame) -> list[Claim]:
    """小红爱喝茶; 他…, if it is known who that is."""
    plain, at, end = frame.plain, frame.at, frame.end
    if pronoun := people.pronoun_at(plain, at, end):
        person = frame.talk.person if frame.talk.person is not None and frame.talk.person != frame.speaker else None
        if person is None or not person.may_be(pronoun["pronoun"]):
            utterance = frame.sentence.utterance
            person = people.meant_by(pronoun["pronoun"], utterance.text, utterance.subject, frame.sentence.start + at)
        if person is None and frame.talk.corrects:
            person = _corrected_person(frame)
        if person is None:
            frame.talk.person = people.NOBODY
            return []
        return _predicate(frame, person, pronoun.span(), False)
    lead = replace(frame.lead)
    for name_end in people.names_at(plain, at, end):
        if not _PREDICATE_OF_NAME.match(plain, name_end, end):
            continue
        name = frame.sentence.text[at:name_end]
        person = Person(name, name, "", name)
        if found := _predicate(frame, person, (at, name_end), True, _OF_NAMES):
            return found
        frame.lead = replace(lead)
    if any(_SAID_OF.match(plain, name_end, end) for name_end in people.names_at(plain, at, end)):
        frame.talk.person = people.NOBODY
    frame.at, frame.subject, frame.person = at, None, frame.speaker
    return []


#: Somebody with a name is spoken of, whatever it is that is said.
_SAID_OF = late_pattern("人|很|挺|是|有|的|说|也|都|已经|还|真|太|最近|今天|昨天|会|就|要|去|来|在")


def _without_subject(frame: Frame) -> list[Claim]:
    """不吃辣: the person of the clause before, else the speaker, if the words can be nobody else's."""
    plain, at = frame.plain, frame.at
    if _OTHERS.match(plain, at, frame.end):
        frame.talk.person = people.NOBODY
        return []
    if _FORBIDS.match(plain, at, frame.end):
        # Nobody but the assistant is told not to do something.
        return _predicate(frame, frame.speaker, None, True, BANS)
    person = frame.talk.person
    if person is people.NOBODY:
        return []
    if frame.talk.awaits_names and plain[max(frame.begin - 1, 0)] == ":":
        # 我养了三只猫：橘子、煤球和雪糕
        return apply(LISTED_NAMES, frame)
    if not frame.after_task:
        # "The report is due on Friday" stands alone.
        frame.subject = (at, at)
        if found := apply(DATED_THINGS, frame):
            return found
        frame.subject = None
    if person is None and plain[max(frame.begin - 1, 0)] == ":" and not re.search("我|信息|情况|资料|档案", plain[: frame.begin]):
        return []
    if person is None or person == frame.speaker:
        person = of_animal(frame) or person
    person = person or left_out(frame)
    return _predicate(frame, person, None, True) if person is not None else []


def _corrected_person(frame: Frame) -> Person | None:
    """Whom the claim was about that is being corrected, in whatever message: 我说错了，她是护士."""
    before = frame.context.antecedent
    if before is None or before.subject == frame.speaker.subject:
        return None
    return Person(before.subject, before.subject.replace("用户的", "我"))


_FORBIDS = late_pattern(
    "(?:推荐[^,别不]{1,4}(?:的时候|时)?|(?:上班|工作|开会|开车|睡觉)(?:时间|时|的时候)|以后|今后|往后|永远|千万|绝对|平时|请|麻烦|都|在.{1,8}|,){0,3}(?:别|不要|不许|禁止|请勿)"
)
#: Somebody or something else is spoken of.
_OTHERS = late_pattern(
    r"你|您|他们|她们|它|对方|这|那(?!曲)|大家|人们|有人|别人|人家|谁|我们公司|公司|老师们|孩子们|天气|今天天气"
    r"|隔壁|楼上|楼下|对门|对面|班上|部门|群里|前台|新来|老板|领导|面试官|客户|甲方|老师(?!$)|医生(?!$)|房东|邻居|路人|男主|女主|偶像"
    r"|路上|外面|家里人|外国人|中国人|女生|男生|年轻人|很多|许多|有的|某"
)
