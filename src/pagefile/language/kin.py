"""Who belongs to somebody: the words for relatives, friends, colleagues and whoever looks after one, in English and in Chinese.

The one list of them. A word stands here as it is written, in small letters and without accents; each means one relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

#: A relation, and its words in English and in Chinese. 姐 and 妹 are sisters, but not each other.
_KIN: Mapping[str, tuple[str, str]] = {
    "brother": ("brother brothers", "兄弟"),
    "brother:elder": ("older_brother elder_brother big_brother", "大哥 二哥 哥哥 哥"),
    "brother:younger": ("younger_brother little_brother", "弟弟 弟"),
    "sister": ("sister sisters", "姐妹"),
    "sister:elder": ("older_sister elder_sister big_sister", "大姐 二姐 姐姐 姐"),
    "sister:younger": ("younger_sister little_sister", "妹妹 妹"),
    "sibling": ("sibling siblings", "兄弟姐妹"),
    "mother": ("mother mom mum mommy mummy mama", "妈妈 母亲 妈"),
    "father": ("father dad daddy papa", "爸爸 父亲 爸"),
    "parents": ("parents parent", "爸妈 父母"),
    "wife": ("wife", "老婆 妻子 太太 媳妇"),
    "husband": ("husband", "老公 丈夫 先生"),
    "girlfriend": ("girlfriend", "女朋友 女友"),
    "boyfriend": ("boyfriend", "男朋友 男友"),
    "partner": ("partner spouse fiance fiancee", "对象 爱人 未婚夫 未婚妻"),
    "son": ("son sons", "儿子"),
    "daughter": ("daughter daughters", "女儿"),
    "child": ("kid kids child children baby", "孩子 宝宝"),
    "grandmother": ("grandmother grandma granny", "奶奶 外婆 姥姥"),
    "grandfather": ("grandfather grandpa granddad grandad", "爷爷 外公 姥爷"),
    "grandparents": ("grandparents", "爷爷奶奶 外公外婆 姥姥姥爷"),
    "grandchild": ("grandson granddaughter grandchild grandchildren", "孙子 孙女 外孙 外孙女"),
    "uncle": ("uncle uncles", "叔叔 舅舅 伯伯 姑父 姨父 姑丈 姨丈"),
    "aunt": ("aunt aunts auntie", "阿姨 姑姑 姨妈 舅妈 姑妈 婶婶 伯母 小姨 大姨"),
    "cousin": ("cousin cousins", "表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹"),
    "nephew": ("nephew nephews", "侄子 外甥"),
    "niece": ("niece nieces", "侄女 外甥女"),
    "mother-in-law": ("", "岳母 丈母娘 婆婆"),
    "father-in-law": ("", "岳父 老丈人 公公"),
    "parents-in-law": ("in-laws", "公婆 岳父母"),
    "sister-in-law": ("", "大姨子 小姨子 大姑子 小姑子 嫂子 嫂嫂 弟妹 弟媳"),
    "brother-in-law": ("", "大舅子 小舅子 大伯子 小叔子 姐夫 妹夫 大舅哥"),
    "son-in-law": ("", "女婿"),
    "daughter-in-law": ("", "儿媳 儿媳妇"),
    "stepmother": ("", "继母 后妈"),
    "stepfather": ("", "继父 后爸 后爹"),
    "stepson": ("", "继子"),
    "stepdaughter": ("", "继女"),
    "godmother": ("", "干妈 教母"),
    "godfather": ("", "干爹 干爸 教父"),
    "godson": ("", "干儿子"),
    "goddaughter": ("", "干女儿"),
    "foster mother": ("", "养母"),
    "foster father": ("", "养父"),
    "ex-wife": ("", "前妻"),
    "ex-husband": ("", "前夫"),
    "ex-girlfriend": ("", "前女友"),
    "ex-boyfriend": ("", "前男友"),
    "friend": ("friend friends best_friend best_friends", "朋友 好朋友 闺蜜 哥们"),
    "boss": ("boss manager supervisor", "老板 上司 领导 经理"),
    "ex-boss": ("", "前老板 前上司"),
    "colleague": ("colleague colleagues coworker coworkers co-worker co-workers teammate teammates", "同事"),
    "ex-colleague": ("", "前同事"),
    "neighbour": ("neighbour neighbours neighbor neighbors", "邻居"),
    "roommate": ("roommate roommates flatmate flatmates housemate housemates", "室友 舍友"),
    "classmate": ("classmate classmates", "同学 同桌"),
    "landlord": ("landlord landlady", "房东"),
    "assistant": ("assistant secretary", "助理 秘书"),
    "business partner": ("business_partner", "合伙人"),
    "client": ("client clients", "客户"),
    "doctor": ("doctor", "医生"),
    "dentist": ("dentist", "牙医"),
    "therapist": ("therapist", "心理医生 咨询师"),
    "teacher": ("teacher tutor", "老师 导师"),
    "student": ("student students", "学生"),
    "coach": ("coach trainer", "教练"),
    "lawyer": ("lawyer", "律师"),
    "hairdresser": ("hairdresser barber", "理发师"),
    "nanny": ("nanny babysitter", "保姆"),
    "master": ("", "师傅"),
    "apprentice": ("apprentice", "徒弟"),
}
#: English makes others of these: a mother-in-law is no mother, an ex-wife no wife.
_BY_LAW = "mother mothers father fathers parents brother brothers sister sisters son sons daughter daughters"
_BY_PREFIX = {
    "step": "mother mom mum father dad parents brother brothers sister sisters son sons daughter daughters child children kids siblings",
    "half": "brother brothers sister sisters sibling siblings",
    "god": "mother father parents son daughter child children",
    "foster": "mother mom mum father dad parents brother sister son daughter child children kids",
    "ex": "wife husband girlfriend boyfriend partner fiance fiancee boss manager colleague roommate landlord",
    "great-": "grandmother grandma grandfather grandpa grandparents uncle aunt",
}
_JOINED = {"step": "", "half": "-", "god": "", "foster": " ", "ex": "-", "great-": ""}
#: Words that mean a relation only right behind whose it is: 学姐 and 空姐 are no sisters, 王先生 no husband.
SHORT_CHINESE = frozenset(["哥", "弟", "姐", "妹", "妈", "爸", "先生"])


def _listed() -> Iterator[tuple[str, str]]:
    for relation, (english, chinese) in _KIN.items():
        for word in (*english.split(), *chinese.split()):
            yield word.replace("_", " "), relation


def _made() -> Iterator[tuple[str, str]]:
    relations = dict(_listed())
    for word in _BY_LAW.split():
        relation = relations.get(word) or relations[word.removesuffix("s")]
        for link in ("-in-law", " in law"):
            yield word + link, f"{relation}-in-law"
    for prefix, words in _BY_PREFIX.items():
        for word in words.split():
            for link in ("", "-", " "):
                yield prefix.removesuffix("-") + link + word, f"{prefix}{_JOINED[prefix]}{relations[word]}"


#: Word → the relation that it means.
RELATION_OF: Mapping[str, str] = {**dict(_made()), **dict(_listed())}
RELATIONS = frozenset(RELATION_OF.values())


def one_of(words: Iterable[str]) -> str:
    """The words as alternatives of a pattern, the longest first: a girlfriend is no friend, 男朋友 no 朋友."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


ENGLISH = one_of(word for word in RELATION_OF if word.isascii())
#: Those that mean a relation wherever they stand.
CHINESE = one_of(word for word in RELATION_OF if not word.isascii() and word not in SHORT_CHINESE)


def words_for(relation: str) -> tuple[str, ...]:
    """The words that mean a relation, in both languages."""
    return tuple(word for word, meant in RELATION_OF.items() if meant == relation)
