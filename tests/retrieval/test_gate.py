"""Recall is left out only where it is plain that nothing remembered is needed; everything else is searched for."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pagefile.retrieval.gate import Gate, Remark, Searched, decide

NOW = datetime(2026, 5, 24, 12, tzinfo=UTC)


def gate(text: str, *said: str, blocks: tuple[str, ...] = (), searched: tuple[str, ...] = ()) -> Gate:
    window = [Remark(role="user", text=one, age=age) for age, one in enumerate(reversed(said), 1)]
    return decide(
        text, window=window, blocks=blocks, searched=[Searched(query=query, turn=turn) for turn, query in enumerate(searched, 1)], now=NOW
    )


def code(decision: Gate) -> str:
    return decision.why.partition(":")[0]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Hi!",
            "heyyy",
            "thnaks",
            "Thanks, that was really helpful",
            "hi Tom",
            "ok see you tomorrow",
            "not really",
            "haha 😂",
            "👍",
            "...",
        ),
        *("你好", "太感谢了，帮了大忙", "謝謝你的幫忙", "哈哈哈哈", "好的，下次再聊", "晚安好梦", "hi 早上好", "ok 没问题"),
    ],
)
def test_courtesies_are_not_searched_for_and_mount_no_tools(text: str) -> None:
    decision = gate(text)
    assert (decision.search, decision.mount_tools, decision.layers) == (False, False, ())
    assert code(decision) in ("courtesy", "at hand")


def test_a_yes_to_a_question_of_the_assistant_leaves_the_tools_there() -> None:
    asked = decide("yes", window=[Remark(role="assistant", text="Shall I remember that?")], now=NOW)
    assert (asked.search, asked.mount_tools) == (False, True)
    assert not decide("yes", window=[Remark(role="assistant", text="It is raining.")], now=NOW).mount_tools


@pytest.mark.parametrize(
    "text",
    [
        *(
            "translate this into French",
            "Shorter, please",
            "continue",
            "why?",
            "add a title",
            "fix the typos in this: my dog ate teh shoes",
        ),
        *("翻译成英文", "短一点", "继续", "翻譯成日文", "把这段话翻译成英语：我妈昨天来了", "translate成中文"),
    ],
)
def test_work_on_the_text_at_hand_needs_no_recall_whatever_the_text_says(text: str) -> None:
    assert (gate(text).search, code(gate(text))) == (False, "at hand")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("what is 17 * 23", "sum"),
        ("17乘以23等于多少", "sum"),
        ("how do I reverse a list in Python?", "code"),
        ("git怎么撤销上一次提交", "code"),
        ("What is the capital of Australia?", "world"),
        ("光合作用的原理是什么", "world"),
        ("What happened in 1969?", "world"),
        ("tell me a joke", "made up"),
        ("写一首关于秋天的诗", "made up"),
        ("what can you do", "assistant"),
        ("今天几号", "clock"),
        ("I moved to Lisbon last month.", "news"),
        ("我上个月搬到深圳了", "news"),
    ],
)
def test_sums_code_the_world_inventions_and_news_need_no_recall(text: str, kind: str) -> None:
    assert (gate(text).search, code(gate(text))) == (False, kind)


@pytest.mark.parametrize(
    "text",
    [
        *("which python version do we use at work?", "how do I get to Grandma's?", "write a poem for Emma", "What happened in 2023?"),
        *("what is my favourite number times 2", "What has Melanie painted?", "我们公司用哪个python版本", "给小美写首诗", "脚本跑完了吗"),
    ],
)
def test_the_same_of_somebodys_own_is_searched_for(text: str) -> None:
    assert gate(text).search


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What did we talk about last time?", "past"),
        ("還記得我說過的那家店嗎", "past"),
        ("continue the story from yesterday", "past"),
        ("按我上周要的格式翻译这段", "past"),
        ("summarize this week", "unsure"),
        ("总结一下这周", "unsure"),
        ("the usual please", "past"),
        ("老样子", "past"),
        ("What's my favourite band?", "person"),
        ("我对什么过敏", "person"),
        ("Book a table for two tonight", "taste"),
        ("推薦一部電影", "taste"),
        ("What's the weather like today?", "place"),
        ("明天会下雨吗", "place"),
        ("How is Sarah doing?", "name"),
        ("王磊是做什么工作的", "name"),
        ("wifi password?", "unsure"),
        ("蓝色文件夹在哪", "unsure"),
    ],
)
def test_what_may_depend_on_something_known_is_searched_for(text: str, kind: str) -> None:
    decision = gate(text)
    assert (decision.search, code(decision), decision.mount_tools) == (True, kind, True)


def test_what_was_said_is_looked_for_in_the_journal_first_and_facts_in_core_memory() -> None:
    assert gate("What did we talk about last time?").layers == ("journal", "records")
    assert gate("我对什么过敏").layers == ("core", "records", "journal")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What's my name?", "Hi, my name is Robert."),
        ("where do I live?", "I live in Porto"),
        ("how old is my daughter?", "My daughter is 7 years old and loves horses"),
        ("我住在哪里", "我住在厦门"),
        ("我叫什么名字？", "你好，我叫陈立"),
        ("我女儿几岁", "我女儿七岁，特别喜欢马"),
    ],
)
def test_what_the_user_said_in_the_window_is_not_searched_for(question: str, said: str) -> None:
    assert (gate(question, said, "and now?").search, code(gate(question, said))) == (False, "window")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What's my sister's name?", "my name is Robert"),
        ("when is my flight?", "I'm looking forward to my flight"),
        ("where do I live?", "My mother lives in Rome"),
        ("where do I live?", "where do I live in Porto, in which street?"),
        ("where do I live?", "I don't live in Porto any more"),
        ("我最喜欢什么颜色", "我最喜欢的食物是寿司"),
        ("我女儿几岁", "我女儿特别喜欢马"),
        ("我妈妈住在哪里", "我住在厦门"),
    ],
)
def test_something_else_in_the_window_is_no_answer(question: str, said: str) -> None:
    assert gate(question, said).search


def test_an_answer_of_the_assistant_or_of_long_ago_does_not_count() -> None:
    by_assistant = decide("where do I live?", window=[Remark(role="assistant", text="I live in Porto")], now=NOW)
    long_ago = decide("where do I live?", window=[Remark(role="user", text="I live in Porto", age=200)], now=NOW)
    assert by_assistant.search and long_ago.search


def test_what_a_block_tells_is_not_searched_for() -> None:
    told = gate("What's my name?", blocks=("Name: Clara Jensen. Works as an architect.",))
    assert (told.search, told.layers, told.mount_tools) == (False, ("core",), True)
    assert gate("我叫什么", blocks=("用户叫陈立，建筑师。",)).layers == ("core",)
    assert gate("what's my wife's name?", blocks=("Name: Clara Jensen.",)).search


def test_what_was_just_searched_for_names_the_turn_whose_notes_can_be_used() -> None:
    again = gate("Hey, when does my LEASE end", searched=("what is my rent", "when does my lease end?"))
    assert (again.search, again.same_as) == (False, 2)
    assert gate("我妹妹生日是哪天？", searched=("我妹妹生日是哪天",)).same_as == 1


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("when is the team meeting on Friday", "where is the team meeting on Friday"),
        ("do I like coffee?", "do I like tea?"),
        ("what did I not like about the flat", "what did I like about the flat"),
        ("what is his favourite restaurant in Berlin", "what is my favourite restaurant in Berlin"),
        ("who comes to dinner on May 5", "who comes to dinner on May 6"),
        ("我弟弟生日是哪天", "我妹妹生日是哪天"),
        ("我不喜欢那套房子哪一点", "我喜欢那套房子哪一点"),
    ],
)
def test_another_question_of_nearly_the_same_words_is_searched_for(question: str, searched: str) -> None:
    assert gate(question, searched=(searched,)).same_as is None


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Hi! What's my train on Friday?", "What's my train on Friday?"),
        ("Hello, could you please tell me where my keys are? Thanks!", "where my keys are"),
        ("你好，请问我的护照放哪了？谢谢", "我的护照放哪了"),
        ("my keys?", "my keys?"),
        ("好的餐厅推荐一下", "好的餐厅推荐一下"),
        ("All my passwords, where are they", "All my passwords, where are they"),
    ],
)
def test_the_query_is_the_message_without_courtesies_around_it(text: str, query: str) -> None:
    assert gate(text).query.rstrip("?？") == query.rstrip("?？")


def test_the_setting_decides_first() -> None:
    always = decide("hi", now=NOW, lazy="always")
    assert (always.search, always.query, always.layers) == (True, "hi", ("core", "records", "journal"))
    never = decide("What's my favourite band?", now=NOW, lazy="never")
    assert (never.search, never.mount_tools) == (False, True)
