"""What the Chinese rules read about habits, plans, deadlines, goals, what was done, skills and things owned."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

HABITS = """
我每天早上跑步 → habit=每天早上跑步
我每天早上跑步，周末一般去爬山 → habit=每天早上跑步; habit=周末一般去爬山
我每周三晚上练瑜伽 → habit=每周三晚上练瑜伽
我经常熬夜 → habit=熬夜
我天天喝奶茶 → habit=天天喝奶茶
我一周健身三次 →
我习惯早起 → habit=早起
我有睡前看书的习惯 → habit=睡前看书
我抽烟 → habit=抽烟
我不抽烟 → habit=-抽烟
我七点起床 → wake time=七点
我每天六点半起床 → wake time=六点半
我一般十一点睡觉 → bedtime=十一点
周末我一般陪孩子 → habit=一般陪孩子
我每天骑车上班 → habit=每天骑车上班
我奶奶每天早上打太极 → 用户的奶奶.habit=每天早上打太极
"""

PLANS = """
下周三去北京出差 → plan=去北京出差
我下周三要去北京出差 → plan=去北京出差
我打算明年去日本旅游 → plan=去日本旅游
我明天去医院体检 → plan=去医院体检
我下个月要搬去成都 → plan=搬去成都
我准备年底结婚 → plan=结婚
我计划国庆去云南玩 → plan=去云南玩
下周五有个面试 → plan=面试
我的航班是周五下午 → plan=航班是周五下午
我们下周去三亚度假 → plan=去三亚度假
我决定明年辞职 → plan=辞职
我明年要去英国留学 → plan=去英国留学
我想下个月搬去成都 → plan=~搬去成都
我考虑换工作 → plan=~换工作
我女儿下周要开家长会 → 用户的女儿.plan=开家长会
报告五月三号交 → deadline=报告五月三号交
论文下个月底截止 → deadline=论文下个月底截止
项目deadline是6月10号 → deadline=项目deadline是6月10号
我月底前要交论文 → deadline=月底前要交论文
下周五之前必须提交方案 → deadline=下周五之前必须提交方案
护照明年三月到期 → deadline=护照明年三月到期
下周三去北京出差，报告五月三号交 → plan=去北京出差; deadline=报告五月三号交
我的目标是今年瘦10斤 → goal=今年瘦10斤
我的梦想是环游世界 → goal=环游世界
我想学吉他 → goal=学吉他
我最近在学日语 → goal=学日语
我在备考雅思 → goal=备考雅思
我在减肥 → goal=减肥
我想明年考上研究生 → goal=考上研究生
"""

DONE = """
去年去过冰岛 → visited=冰岛
上周去了巴黎 → visited=巴黎
我去过日本和韩国 → visited=日本; visited=韩国
我上个月去云南旅游了 → visited=云南
我2019年去了冰岛 → visited=冰岛
我昨天去了超市 →
我去年跑完了北京马拉松 → experience=跑完了北京马拉松
我上个月参加了公司的黑客松 → experience=参加了公司的黑客松
我上周升职了 → experience=升职了
我去年骨折过 → experience=骨折过
我在日本留学过两年 → experience=在日本留学过两年
我学过三年钢琴 → experience=学过三年钢琴
我当过兵 → experience=当过兵
"""

SKILLS = """
我会弹吉他 → skill=弹吉他
我会游泳和滑雪 → skill=游泳; skill=滑雪
我不会游泳 → skill=-游泳
我不会开车 → skill=-开车
我擅长写作 → skill=写作
我精通Python → skill=Python
我会做饭 → skill=做饭
我有一辆特斯拉 → owns=特斯拉
我上个月买了一台MacBook → owns=MacBook
我开的是特斯拉 → owns=特斯拉
我的手机是华为Mate60 → owns=华为Mate60
我没有车 → owns=-车
"""

ROWS = [*table(HABITS), *table(PLANS), *table(DONE), *table(SKILLS)]


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_a_plain_statement_about_doings_gives_its_facts(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected
