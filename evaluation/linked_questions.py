"""Questions that take two facts to answer: who is meant stands in one, and what is asked in the other. Data."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import NamedTuple


class Linked(NamedTuple):
    """One question, the name that both facts have, the fact that tells who is meant, the one that answers, and
    what is asked."""

    name: str
    who: str
    answer: str
    question: str
    #: The same asked by name.
    direct: str


ENGLISH = (
    Linked("Anna", "Tom's sister is Anna", "Anna works at Siemens", "Where does the sister of Tom work?", "Where does Anna work?"),
    Linked(
        "Felix",
        "Nora's neighbour is called Felix",
        "Felix plays the cello",
        "Which instrument does Nora's neighbour play?",
        "Which instrument does Felix play?",
    ),
    Linked(
        "Ingrid", "Marcus is married to Ingrid", "Ingrid was born in Oslo", "Where was the wife of Marcus born?", "Where was Ingrid born?"
    ),
    Linked(
        "Daniel",
        "Priya's manager is Daniel",
        "Daniel lives in Rotterdam",
        "In which city does Priya's boss live?",
        "In which city does Daniel live?",
    ),
    Linked(
        "Hale",
        "The dentist of Oliver is Dr. Hale",
        "Hale opens the practice at seven",
        "When does Oliver's dentist open?",
        "When does Dr. Hale open?",
    ),
    Linked(
        "Bella",
        "Grace shares a flat with Bella",
        "Bella is allergic to peanuts",
        "What is Grace's flatmate allergic to?",
        "What is Bella allergic to?",
    ),
    Linked("Mia", "Hugo's daughter is Mia", "Mia studies medicine", "What does Hugo's daughter study?", "What does Mia study?"),
    Linked(
        "Brightloom",
        "Leo founded a company named Brightloom",
        "Brightloom is based in Leeds",
        "Where is the company that Leo founded?",
        "Where is Brightloom?",
    ),
    Linked(
        "Casa Verde",
        "Sofia's favourite restaurant is Casa Verde",
        "Casa Verde is closed on Mondays",
        "On which day is Sofia's favourite restaurant closed?",
        "On which day is Casa Verde closed?",
    ),
    Linked(
        "Betsy", "Yusuf drives a car that he calls Betsy", "Betsy needs new tyres", "What does Yusuf's car need?", "What does Betsy need?"
    ),
    Linked(
        "Simon", "Clara's brother is Simon", "Simon moved to Toronto", "Where did the brother of Clara move to?", "Where did Simon move to?"
    ),
    Linked(
        "Ravi",
        "Ethan's best friend is Ravi",
        "Ravi collects old stamps",
        "What does Ethan's best friend collect?",
        "What does Ravi collect?",
    ),
    Linked(
        "Okafor",
        "Lena's teacher is Mr. Okafor",
        "Okafor speaks four languages",
        "How many languages does Lena's teacher speak?",
        "How many languages does Mr. Okafor speak?",
    ),
    Linked(
        "Walter",
        "The landlord of Chloe is Walter",
        "Walter raised the rent in June",
        "When did Chloe's landlord raise the rent?",
        "When did Walter raise the rent?",
    ),
    Linked("Miso", "Peter's cat is called Miso", "Miso only eats tuna", "What does the cat of Peter eat?", "What does Miso eat?"),
    Linked(
        "Victor",
        "Amelia is engaged to Victor",
        "Victor is training for a marathon",
        "What is Amelia's fiancé training for?",
        "What is Victor training for?",
    ),
    Linked(
        "Edith",
        "Noah's grandmother is Edith",
        "Edith bakes bread every Sunday",
        "What does the grandmother of Noah bake?",
        "What does Edith bake?",
    ),
    Linked(
        "Halcyon",
        "Zoe works for Halcyon",
        "Halcyon makes wind turbines",
        "What does the firm make that Zoe works for?",
        "What does Halcyon make?",
    ),
    Linked(
        "Redwheel",
        "Jonas rides with a club named Redwheel",
        "Redwheel meets at the harbour",
        "Where does the club of Jonas meet?",
        "Where does Redwheel meet?",
    ),
    Linked("Kofi", "Ruth's cousin is Kofi", "Kofi is a pilot", "What is the job of Ruth's cousin?", "What is Kofi's job?"),
)
CHINESE = (
    Linked("王强", "小李的老板是王强", "王强住在深圳", "小李的老板住在哪里？", "王强住在哪里？"),
    Linked("张敏", "张伟的妹妹叫张敏", "张敏在腾讯工作", "张伟的妹妹在哪家公司上班？", "张敏在哪家公司上班？"),
    Linked("刘洋", "陈静的丈夫是刘洋", "刘洋喜欢钓鱼", "陈静的丈夫有什么爱好？", "刘洋有什么爱好？"),
    Linked("赵雪", "老赵的女儿叫赵雪", "赵雪在学钢琴", "老赵的女儿在学什么乐器？", "赵雪在学什么乐器？"),
    Linked("周凯", "林涛的室友是周凯", "周凯对海鲜过敏", "林涛的室友对什么过敏？", "周凯对什么过敏？"),
    Linked("孙教授", "小红的导师是孙教授", "孙教授明年要退休", "小红的导师什么时候退休？", "孙教授什么时候退休？"),
    Linked("川香园", "吴磊最喜欢的餐厅是川香园", "川香园每周一不营业", "吴磊最喜欢的餐厅哪天不营业？", "川香园哪天不营业？"),
    Linked("咪咪", "黄丽的猫叫咪咪", "咪咪只吃三文鱼", "黄丽的猫吃什么？", "咪咪吃什么？"),
    Linked("徐明", "徐峰的哥哥是徐明", "徐明去年搬到了成都", "徐峰的哥哥搬到哪儿去了？", "徐明搬到哪儿去了？"),
    Linked("云桥科技", "马超开的公司是云桥科技", "云桥科技的总部在杭州", "马超的公司总部在什么地方？", "云桥科技的总部在什么地方？"),
    Linked("何阿姨", "朱琳的邻居是何阿姨", "何阿姨每天早上打太极", "朱琳的邻居早上做什么运动？", "何阿姨早上做什么运动？"),
    Linked("罗文", "郭靖的同学叫罗文", "罗文会说四种语言", "郭靖的同学会说几种语言？", "罗文会说几种语言？"),
    Linked("宋阳", "梁爽的男朋友是宋阳", "宋阳是消防员", "梁爽的男朋友是做什么职业的？", "宋阳是做什么职业的？"),
    Linked("韩先生", "谢芳的房东是韩先生", "韩先生六月涨了房租", "谢芳的房东几月涨的房租？", "韩先生几月涨的房租？"),
    Linked("冯刚", "唐宁的教练是冯刚", "冯刚以前是国家队队员", "唐宁的教练以前是做什么的？", "冯刚以前是做什么的？"),
    Linked("田秀英", "许晴的外婆叫田秀英", "田秀英周日会包粽子", "许晴的外婆周日做什么？", "田秀英周日做什么？"),
    Linked("邓超凡", "小张的同事是邓超凡", "邓超凡正在备考研究生", "小张的同事在准备什么考试？", "邓超凡在准备什么考试？"),
    Linked("彭程", "曹阳的表弟是彭程", "彭程在英国留学", "曹阳的表弟在哪个国家读书？", "彭程在哪个国家读书？"),
    Linked("魏大夫", "董洁的医生是魏大夫", "魏大夫周三下午出诊", "董洁的医生什么时候出诊？", "魏大夫什么时候出诊？"),
    Linked("沈月", "蒋欣的学生叫沈月", "沈月获得了数学竞赛一等奖", "蒋欣的学生得了什么奖？", "沈月得了什么奖？"),
)
#: Others, of whom the same is said as of those that are asked for: words alone do not tell them apart.
ENGLISH_OTHERS = ("Alan", "Beth", "Cody", "Dina", "Evan", "Faye", "Gus", "Heidi")
CHINESE_OTHERS = ("程浩", "袁芳", "蔡琴", "余淮", "潘虹", "卢俊", "姚远", "顾里")


def facts(questions: Sequence[Linked], others: Sequence[str]) -> list[str]:
    """All that is told, in an order of chance: what answers, the same of the others, and who is who."""
    told = [linked.answer.replace(linked.name, other) for other in others for linked in questions]
    told += [fact for linked in questions for fact in (linked.who, linked.answer)]
    # Of equal scores the newest comes first.
    random.Random(1).shuffle(told)
    return told
