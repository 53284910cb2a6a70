"""The words in which people ask for a property: somebody who lives in York is asked "where do you live?", and says "I moved to York"."""

from __future__ import annotations

from collections.abc import Mapping

#: Canonical attribute → words of questions about it, in both languages.
ASKED: Mapping[str, str] = {
    "name": "name called 名字 叫",
    "nickname": "name called 名字 叫 称呼",
    "age": "age old 年龄 多大 几岁",
    "birthday": "birthday born 生日 出生",
    "nationality": "nationality country from 国籍 哪国",
    "hometown": "hometown from born 老家 家乡 哪里人",
    "residence": "live home city 住 住在 城市",
    "address": "address live home 地址 住在",
    "employer": "work job company employer 工作 上班 公司 单位",
    "occupation": "job work profession 工作 职业",
    "school": "school university study 学校 大学 上学",
    "major": "major study 专业",
    "partner": "partner wife husband married girlfriend boyfriend 对象 老婆 老公 妻子 丈夫 女朋友 男朋友",
    "marital status": "married single 结婚 单身",
    "child": "child kid son daughter 孩子 儿子 女儿",
    "parent": "parent mother father mum dad 父母 妈妈 爸爸",
    "sibling": "sibling brother sister 哥哥 弟弟 姐姐 妹妹",
    "relative": "relative family 亲戚 家人",
    "friend": "friend 朋友",
    "colleague": "colleague work 同事",
    "pet": "pet animal 宠物",
    "allergy": "allergy allergic eat 过敏",
    "diet": "diet food eat 饮食 忌口 吃",
    "health": "health condition 健康 身体",
    "habit": "habit usually often routine 习惯 平时 经常",
    "plan": "plan going when 计划 打算 安排",
    "deadline": "deadline due when 截止 期限",
    "goal": "goal want 目标 想要",
    "constraint": "rule allowed avoid 规定 限制",
    "answer style": "answer reply 回答 回复",
    "preferred language": "language answer 语言 回答",
    "likes": "like enjoy prefer 喜欢 爱",
    "owns": "own have 拥有 有",
    "skill": "skill able 技能 会",
    "language": "language speak 语言 会说",
}
