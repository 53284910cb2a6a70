"""What the Chinese rules read about how somebody wants to be answered and what must not be done."""

from __future__ import annotations

import pytest
from rules_chinese_help import read, shown, table

ANSWERS = """
以后不要用专业术语 → answer style=不要用专业术语
回答简短点 → answer style=回答简短点
请回答得简洁一些 → answer style=回答得简洁一些
用英文回答我 → preferred language=英文
请用中文回复 → preferred language=中文
以后都用繁體中文回答我 → preferred language=繁體中文
跟我说粤语就行 → preferred language=粤语
以后跟我说话温柔一点 → answer style=说话温柔一点
别用表情符号 → answer style=别用表情符号
不要长篇大论 → answer style=不要长篇大论
回答的时候先给结论 → answer style=先给结论
说话别那么正式 → answer style=别那么正式
我喜欢简短的回答 → answer style=简短的回答
以后回答控制在100字以内 → answer style=控制在100字以内
叫我老王就行 → nickname=老王
以后叫我老王 → nickname=老王
请用通俗易懂的语言解释 → answer style=用通俗易懂的语言解释
帮我查下天气，以后回答简短点 → answer style=回答简短点
"""

CONSTRAINTS = """
不能用公司邮箱 → constraint=不能用公司邮箱
周一没空 → constraint=周一没空
我周三晚上有课 → constraint=周三晚上有课
别在晚上九点后打电话 → constraint=别在晚上九点后打电话
千万不要告诉我妈 → constraint=不要告诉我妈
不要给我推荐火锅 → constraint=不要给我推荐火锅
我不能熬夜 → constraint=不能熬夜
我只能周末去 → constraint=只能周末去
我的预算是5000元以内 → constraint=预算是5000元以内
以后不要在周末安排会议 → constraint=不要在周末安排会议
工作日上午不接电话 → constraint=工作日上午不接电话
下周三没空 → constraint=~下周三没空
"""

ROWS = [*table(ANSWERS), *table(CONSTRAINTS)]


@pytest.mark.parametrize(("said", "expected"), ROWS, ids=[said for said, _ in ROWS])
def test_a_standing_wish_is_kept(said: str, expected: list[str]) -> None:
    assert shown(read(said)) == expected
