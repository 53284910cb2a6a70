"""Words that speak of a time that nobody can tell from them alone, as patterns. Each becomes an UnknownTime."""

from __future__ import annotations

from pagefile.language.dates.english_words import AMOUNT as ENGLISH_AMOUNT

_PLURALS = "(?:days|weeks|months|years|decades)"
_SINGULARS = "(?:day|night|week|weekend|month|year|summer|winter|spring|evening|morning|afternoon)"
_WHO = "(?:i|we|he|she|they|you)"
_WHOSE = "(?:my|his|her|their|our|your)"

ENGLISH: tuple[str, ...] = (
    r"back then",
    r"back in the day",
    r"(?:the )?other (?:day|night|week|month|evening|morning)",
    r"(?:in|during|of|from) those days",
    r"(?:at|around|during|about) (?:that|the) time",
    rf"(?:that|those|the same) {_SINGULARS}s?",
    r"recently|lately|nowadays|these days",
    rf"(?:in )?recent(?: \w+)? (?:{_PLURALS}|times)",
    r"(?:a (?:little |short |long )?while|(?:a )?(?:long|short|some) time|ages|moments) ago",
    rf"(?:many )?(?:minutes|hours|centuries|{_PLURALS}) ago",
    r"(?:not (?:so |too |that )?long|(?<!how )long) ago",
    r"(?:a )?(?:long|short) time back",
    r"once upon a time",
    r"in the (?:distant |recent )?(?:past|future)",
    r"one of these days|some ?day soon|some other time",
    rf"(?:in|over|during) the (?:coming|past|last|next|following|previous) {_PLURALS}",
    rf"(?:in )?(?:previous|following|coming|upcoming|future|later|earlier|past) (?:{_PLURALS}|seasons)",
    r"(?<!one )last time",
    r"(?:the )?(?:following|next|previous) (?:day|morning|evening|night|afternoon)",
    r"(?:the )?following (?:week|weekend|month|year|summer|spring|winter)",
    rf"(?:(?<!such )as|when {_WHO} (?:was|were)) (?:a )?(?:kid|child|teenager|student|young|younger|little|small|children|kids)",
    rf"(?:in|during|since|from) {_WHOSE} (?:childhood|youth|teens|twenties|thirties|forties|college years|school days)",
    rf"{ENGLISH_AMOUNT} (?:later|earlier|afterwards|beforehand|after that|before that)",
    r"(?:last|next|previous|upcoming) (?:full moon|new moon|eclipse|payday|birthday|anniversary|semester|term|school year|fiscal year)",
    r"(?:last|next|previous|upcoming) (?:season|session|meeting|holidays?|vacation|trip|election|olympics)",
    r"(?:last|next|previous|upcoming) (?:diwali|hanukkah|ramadan|eid|passover)",
)

#: Feasts of calendars that are not known here. Only after a preposition: they are things, too.
ENGLISH_FEASTS: tuple[str, ...] = ("diwali", "hanukkah", "ramadan", "passover", r"eid(?: al-\w+)?", "rosh hashanah", "yom kippur", "holi")

CHINESE: tuple[str, ...] = (
    r"当[年时初天日晚月](?!代)",
    r"那时候?|那会儿?|那阵子|那阵(?![雨风])|那段(?:时间|日子|时光)",
    r"那[几些][天年]|那[天晚年日]|那一[天年刻夜晚]",
    r"那个?(?:周末|月|星期|夏天|冬天|春天|秋天|晚上|早上|时候|年代)",
    r"同一[天年]|次日|翌日|第二天|隔天|转天",
    # 圣诞节前一天 is read; 体检前一天 is not.
    r"(?<![节日月年号天周旦庆秋午夜假末期])[前后]一[天晚日周年]",
    r"(?:很久|好久|很早|许久|多年)(?:以前|之前|前)|从前|早年|往年",
    r"(?:(?<=[，。！？,\s我你他她它们])|^)以前",
    r"不久前|前不久|不久之前|前一?阵子?|前一?段(?:时间|日子)|前些(?:天|日子|年|时候|时间)|早些(?:时候|年)",
    r"近来|近期|近[日些]年?|近年来?|这(?:阵子|段时间|段日子|些[天年日]子?)",
    r"上次|上回|上一次|下次|下回|下一次|改[天日]",
    r"有一[天年次]|某一?[天年日]|某个(?:周末|晚上|早上|下午|月|星期)|总有一天",
    r"过些(?:天|日子|时候)|过段时间|过一?阵子?|有段时间",
    r"小时候|童年|儿时|年轻的?时候?|年少时?|[0-9]{1,2}岁(?:那年|时|的时候)",
    r"上(?:大学|小学|中学|高中|初中|学)的?(?:时候?|那会儿?|期间)",
    r"(?:大学|高中|初中|小学|中学|学生)(?:时代?|时期|期间)",
)
