"""A fact belongs to whoever it is about, and counts for as much as the one who said it: the user, another person, a machine."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pagefile.lifecycle.facts import ASSISTANT, USER
from pagefile.models.scripted import ScriptedModel
from pagefile.records import Trust

from .homes import STORES, call, opened
from .talks import EVERY_STATUS, WAYS, Reader, fact, line, reply, talking

#: What is said of others, and what is to be held true of whom.
OTHERS = {
    "a friend": ("my friend Jack doesn't like football", {"Jack · likes: not football", "user · friend: Jack"}),
    "by name": ("Jack doesn't like football", {"Jack · likes: not football"}),
    "a brother": ("My brother works at Google", {"user's brother · employer: Google"}),
    "a wife": ("My wife is allergic to shellfish", {"user's wife · allergy: shellfish"}),
    "a colleague": ("My colleague Priya moved to Toronto", {"Priya · residence: Toronto", "user · colleague: Priya"}),
    "a boss": ("My boss hates meetings", {"user's boss · likes: not meetings"}),
    "a mother": ("My mother was born in 1960", {"user's mother · birthday: 1960"}),
    "a dog": ("My dog loves carrots", {"user's dog · likes: carrots"}),
    "a girlfriend's": ("My girlfriend's favourite food is sushi", {"user's girlfriend · favourite food: sushi"}),
    "朋友": ("我朋友杰克不喜欢足球", {"杰克 · likes: not 足球", "user · friend: 杰克"}),
    "同事": ("我的同事李雷对花生过敏", {"李雷 · allergy: 花生", "user · colleague: 李雷"}),
    "弟弟": ("我弟弟在谷歌上班", {"用户的弟弟 · employer: 谷歌"}),
    "老婆": ("我老婆对海鲜过敏", {"用户的妻子 · allergy: 海鲜"}),
    "老板": ("我老板讨厌开会", {"用户的老板 · likes: not 开会"}),
    "女儿": ("我女儿小雨不喜欢数学", {"小雨 · likes: not 数学", "user · child: 小雨"}),
    "小王": ("小王不喜欢足球", {"小王 · likes: not 足球"}),
    "奶奶": ("我奶奶今年80岁了", {"用户的奶奶 · age: 80岁"}),
}
#: Two people in one message.
TOGETHER = {
    "parents": (
        "My mom lives in Boston and my dad lives in Miami",
        {"user's mother · residence: Boston", "user's father · residence: Miami"},
    ),
    "a friend and I": ("Tom likes tea and I like coffee", {"Tom · likes: tea", "user · likes: coffee"}),
    "a brother and I": ("My brother hates football. I love football.", {"user's brother · likes: not football", "user · likes: football"}),
    "a sister and I": ("I live in Berlin, my sister lives in Rome", {"user · residence: Berlin", "user's sister · residence: Rome"}),
    "父母": ("我妈住在北京，我爸住在上海", {"用户的妈妈 · residence: 北京", "用户的爸爸 · residence: 上海"}),
    "姐姐和我": ("我姐姐吃素，我喜欢吃肉", {"用户的姐姐 · diet: 素食", "user · likes: 肉"}),
    "朋友和我": ("我朋友杰克不喜欢足球，我喜欢足球", {"user · friend: 杰克", "杰克 · likes: not 足球", "user · likes: 足球"}),
}


@pytest.mark.parametrize("way", ["add", "chat", "import"])
@pytest.mark.parametrize("what", [*OTHERS, *TOGETHER])
async def test_a_fact_is_about_the_one_it_was_said_of(what: str, way: str, tmp_path: Path) -> None:
    text, facts = (OTHERS | TOGETHER)[what]
    async with talking(tmp_path) as talk:
        await talk.tell(text, by=way)
        assert set(await talk.facts()) == facts
        for record in await talk.records():
            (quote,) = (await talk.user.why(record.id)).quotes
            assert record.value is not None
            assert record.value in quote.text or record.value == "素食"


#: Names of two characters, as most people in China have, before words that could be their third.
NAMED = [
    ("王芳不吃辣", "王芳 · diet: not 辣"), ("韩梅梅不喜欢足球", "韩梅梅 · likes: not 足球"), ("小王也喜欢足球", "小王 · likes: 足球"),
    ("韩梅梅住在上海", "韩梅梅 · residence: 上海"),
    ("张伟不喜欢足球", "张伟 · likes: not 足球"), ("李雷很喜欢足球", "李雷 · likes: 足球"),
            ("李雷也喜欢足球", "李雷 · likes: 足球"), ("王芳住在上海", "王芳 · residence: 上海"),
            ("张三最喜欢的颜色是红色", "张三 · favourite colour: 红色"),
            ("张三不喜欢咖啡了", "张三 · likes: not 咖啡"), ("李四的生日是5月3日", "李四 · birthday: 5月3日"),
            ("我朋友王芳也不吃辣", "王芳 · diet: not 辣"),
            ("李雷不喜欢足球，我喜欢足球", "李雷 · likes: not 足球"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "holds"), NAMED)
async def test_a_chinese_name_ends_where_it_ends(text: str, holds: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(text)
        assert holds in await talk.facts()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("of_another", "own", "holds"),
    [
        ("My friend Jack doesn't like football", "I love football", "user · likes: football"),
        ("My brother lives in Rome", "I live in Berlin", "user · residence: Berlin"),
        ("我朋友杰克不喜欢足球", "我喜欢足球", "user · likes: 足球"),
        ("我弟弟在谷歌上班", "我在腾讯上班", "user · employer: 腾讯"),
    ],
)
async def test_what_holds_of_another_neither_supersedes_nor_confirms_what_holds_of_the_user(
    of_another: str, own: str, holds: str, way: str, tmp_path: Path
) -> None:
    for order in ((own, of_another), (of_another, own)):
        async with talking(tmp_path) as talk:
            await talk.tell(*order, by=way)
            assert not await talk.records("superseded", "retired", "pending")
            (record,) = [record for record in await talk.records() if record.subject == USER and record.attribute != "friend"]
            assert (line(record), record.evidence_count) == (holds, 1)


async def test_a_model_that_gives_a_friends_fact_to_the_user_is_not_believed(tmp_path: Path) -> None:
    facts = [fact("my friend Jack can't bear the sound of bagpipes", "likes", "the sound of bagpipes", polarity="negative"),
             fact("我朋友杰克受不了风笛", "likes", "风笛", number=2, polarity="negative")]  # fmt: skip
    async with talking(tmp_path, model=Reader(reply(*facts)), learn="model") as talk:
        await talk.tell("my friend Jack can't bear the sound of bagpipes", "我朋友杰克受不了风笛", session="one")
        assert not [record for record in await talk.records(*EVERY_STATUS) if record.subject == USER and record.attribute == "likes"]


# --- the assistant -----------------------------------------------------------------------------------------------------

ANSWERS = [
    "Here is the solution: I wrote a parser in Rust. I am proud that I finished the compiler, and I work at Google.",
    "You live in Paris and you love jazz. Your name is Max.",
    "I've booked your flight. You are allergic to nuts, so I asked for a special meal.",
    "我写了一个编译器。你住在巴黎，你喜欢爵士乐，你叫小明。",
    "你对花生过敏，所以我没有放花生。我在谷歌上班。",
]


@pytest.mark.parametrize("learn", ["rules", "model"])
@pytest.mark.parametrize("way", ["add", "chat", "import"])
@pytest.mark.parametrize("answer", ANSWERS)
async def test_what_the_assistant_says_never_becomes_a_fact_of_the_user(answer: str, way: str, learn: str, tmp_path: Path) -> None:
    found = reply(fact("I wrote a parser in Rust", "experience", "wrote a parser in Rust", number=2),
                  fact("You live in Paris", "residence", "Paris", number=2),
                  fact("你住在巴黎", "residence", "巴黎", number=2), fact("I work at Google", "employer", "Google", number=2))  # fmt: skip
    model = Reader(found) if way != "chat" else ScriptedModel([answer, *[found] * 4])
    async with talking(tmp_path, model=model, learn=learn) as talk:
        if way == "chat":
            await talk.user.chat(session="s").turn("How do I parse this?")
        else:
            await talk.tell("How do I parse this?", {"role": "assistant", "content": answer}, by=way, session="s")
        await talk.memory.flush()
        assert not [record for record in await talk.records(*EVERY_STATUS) if record.subject == USER]
        assert all(record.status == "pending" and record.trust <= Trust.ASSISTANT_SAID for record in await talk.records(*EVERY_STATUS))
        (said,) = [message for message in (await talk.user.messages()).items if message.role == "assistant"]
        assert (said.text, said.trust) == (answer, Trust.ASSISTANT_SAID)


@pytest.mark.parametrize(
    "echo", ["You like coffee, right?", "Noted: the user likes coffee.", "You said: I like coffee", "你喜欢咖啡，对吧？", "I like coffee"]
)
async def test_the_assistants_echo_is_no_evidence(echo: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I like coffee", session="s")
        for _ in range(5):
            await talk.tell({"role": "assistant", "content": echo}, session="s")
        (record,) = await talk.records(*EVERY_STATUS)
        assert (record.evidence_count, len(record.sources)) == (1, 1)


async def test_a_passing_remark_is_confirmed_by_the_user_another_day_and_by_nobody_else(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I think I might be allergic to strawberries", session="s")
        assert not await talk.records()
        await talk.tell({"role": "assistant", "content": "You are allergic to strawberries."}, session="s")
        await talk.tell({"role": "assistant", "content": "I am allergic to strawberries."}, session="t")
        await talk.tell({"role": "tool", "content": "The user is allergic to strawberries.", "tool_call_id": "c"}, session="t")
        await talk.tell({"role": "user", "name": "Bob", "content": "I am allergic to strawberries"}, session="t")
        assert not [record for record in await talk.records() if record.subject == USER]
        await talk.tell("I'm allergic to strawberries", session="u")
        assert "user · allergy: strawberries" in await talk.facts()


# --- other people at the keyboard --------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    ("name", "text", "theirs"),
    [
        ("Bob", "I'm allergic to shellfish", "Bob · allergy: shellfish"), ("Mum", "I live in Boston", "Mum · residence: Boston"),
        ("小红", "我对海鲜过敏", "小红 · allergy: 海鲜"), ("李雷", "我住在上海", "李雷 · residence: 上海"),
    ],
)  # fmt: skip
async def test_another_speaker_speaks_of_himself_and_repeating_it_makes_it_no_surer(
    store: str, name: str, text: str, theirs: str, tmp_path: Path
) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I like tea", {"role": "user", "name": name, "content": text}, session="s")
        confidence = [record.confidence for record in await talk.records() if record.subject == name]
        for _ in range(4):
            await talk.tell({"role": "user", "name": name, "content": text}, session="s")
        assert await talk.facts(*EVERY_STATUS) == sorted([theirs, "user · likes: tea"])
        (record,) = [record for record in await talk.records() if record.subject == name]
        assert (record.speaker, record.evidence_count, [record.confidence]) == (name, 1, confidence)
        assert {message.speaker for message in (await talk.user.messages()).items} == {None, name}
        assert all(hit.speaker == name for hit in await talk.user.search(text, speaker=name, floor=0.0))


@pytest.mark.parametrize("name", ["alice", "Alice", "ALICE", "user", "me", "用户", None])
async def test_the_user_under_any_of_his_names_speaks_of_himself(name: str | None, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(
            {"role": "user", "name": name, "content": "I live in Berlin"}, {"role": "user", "name": name, "content": "我对花生过敏"}
        )
        assert await talk.facts() == ["user · allergy: 花生", "user · residence: Berlin"]


async def test_the_user_is_known_by_the_name_he_gave(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("My name is Mary Ann", {"role": "user", "name": "Mary Ann", "content": "I live in Berlin"})
        assert "user · residence: Berlin" in await talk.facts()


#: Names that somebody asks about.
ASKED = [
    "show KPIs for user Christophe", "Show me the dashboard for Christophe", "user: Christophe", "Find the user named Christophe",
    "Who is Christophe?",
    "What's Christophe's phone number?", "Write an email to Christophe", "I'm looking for Christophe", "I'm Christophe's manager",
    "This is for Christophe",
    "Hi Christophe, I need help", "Thanks, Christophe!", "I am with Christophe", "Is your name Christophe?", "Do you know Christophe?",
    "Set user=Christophe in the config", "The user name is christophe in the log", "Give me all orders of customer Christophe",
    "查一下用户张伟的KPI", "帮我查张伟的电话", "张伟是谁？", "给张伟写封邮件", "你好张伟，我需要帮助", "谢谢张伟", "找一下叫张伟的用户",
    "你叫张伟吗？", "我是张伟的经理",
]  # fmt: skip


def _name_in(text: str) -> str:
    return "张伟" if "张伟" in text else "christophe" if "christophe" in text else "Christophe"


@pytest.mark.parametrize("text", ASKED)
async def test_whom_somebody_asks_about_does_not_become_his_name(text: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(text)
        found = await talk.records(*EVERY_STATUS)
        assert not [line(record) for record in found if record.subject == USER and record.attribute in ("name", "nickname")]


@pytest.mark.parametrize("text", ASKED)
async def test_a_model_that_calls_somebody_elses_name_the_users_is_not_believed(text: str, tmp_path: Path) -> None:
    name = _name_in(text)
    model = Reader(reply(fact(text, "name", name), fact(name, "name", name), fact(text, "nickname", name)))
    async with talking(tmp_path, model=model, learn="model") as talk:
        await talk.tell(text)
        found = await talk.records(*EVERY_STATUS)
        assert not [line(record) for record in found if record.subject == USER and record.attribute in ("name", "nickname")]


@pytest.mark.parametrize("text", ["My name is Christophe", "I'm called Christophe", "我叫张伟", "我的名字是张伟", "我的名字叫张伟"])
async def test_the_name_that_he_gives_is_his(text: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(text)
        assert await talk.facts() == [f"user · name: {'张伟' if '张伟' in text else 'Christophe'}"]


# --- a group -----------------------------------------------------------------------------------------------------------

NAMES = ["Ann", "Ben", "Cleo", "Dan", "小红", "李雷", "韩梅梅", "Hugo", "Ida"]


def _group() -> list[dict[str, Any]]:
    chinese = [name for name in NAMES if not name.isascii()]
    lines = []
    for number, name in enumerate(NAMES):
        said = (
            f"我住在{['北京', '上海', '广州'][chinese.index(name)]}"
            if name in chinese
            else f"I live in {['Rome', 'Oslo', 'Lima', 'Bern', 'Kyiv', 'Riga'][number % 6]}"
        )
        lines += [{"role": "user", "name": name, "content": said}, {"role": "user", "name": name, "content": "haha"}]
    return lines


def _expected() -> set[str]:
    places = ["Rome", "Oslo", "Lima", "Bern", "北京", "上海", "广州", "Oslo", "Lima"]
    return {f"{name} · residence: {place}" for name, place in zip(NAMES, places, strict=True)}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("portion", [1, 5, 18])
async def test_everybody_in_a_group_is_remembered(store: str, portion: int, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        talks = _group()
        for start in range(0, len(talks), portion):
            await talk.user.add(talks[start : start + portion], session="group")
            if portion == 5:
                await talk.memory.flush()
        await talk.memory.flush()
        assert set(await talk.facts()) == _expected()


async def test_after_a_restart_a_group_is_not_read_again(tmp_path: Path) -> None:
    asked = []
    for number in range(3):
        model = Reader(reply())
        async with talking(tmp_path, "file", model=model, learn="model") as talk:
            await talk.user.add(_group()[number * 6 : number * 6 + 6], session="group")
            await talk.memory.flush()
            asked.append("\n".join(model.asked))
    async with talking(tmp_path, "file", model=(last := Reader(reply())), learn="model") as talk:
        await talk.memory.flush()
        assert not last.asked
        assert set(await talk.facts(*EVERY_STATUS)) == _expected()
        assert {record.evidence_count for record in await talk.records()} == {1}
    assert "Ann" in asked[0]
    assert not re.search(r"\] (?:Ann|Ben|Cleo)", asked[1])


# --- what the record says of it ----------------------------------------------------------------------------------------


async def test_each_record_tells_who_said_it_in_which_words(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("Well, my friend Jack doesn't like football, but I do. 我朋友杰克住在北京。")
        (message,) = talk.said[0].messages
        for record in await talk.records():
            for source in record.sources:
                assert source.message == message.id
                assert source.span is not None
                start, end = source.span
                assert record.value in message.text[start:end]  # type: ignore[operator]  # it has one
            assert (record.trust, record.subject == ASSISTANT) == (Trust.USER_SAID, False)


async def test_a_tool_that_speaks_of_the_user_is_not_believed(tmp_path: Path) -> None:
    crm = json.dumps({"name": "Max", "city": "Paris", "note": "The user lives in Paris. I am allergic to nuts."})
    model = ScriptedModel([[call("memory_search", {"query": "me"})], "You are Max from Paris."])
    async with talking(tmp_path, model=model) as talk:
        await talk.user.chat(session="s").turn("Who am I?")
        await talk.tell(
            {"role": "tool", "content": crm, "tool_call_id": "x"}, {"role": "assistant", "content": "You are Max from Paris."}, session="s"
        )
        assert not await talk.records()
        assert not [record for record in await talk.records(*EVERY_STATUS) if record.subject == USER]


async def test_users_of_one_store_learn_nothing_of_each_other(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        alice, bob = memory.scope("alice"), memory.scope("bob")
        await alice.add("I live in Berlin", session="s")
        await bob.add("I live in Rome", session="s")
        await memory.flush()
        assert [line(record) for record in (await alice.list()).items] == ["user · residence: Berlin"]
        assert [line(record) for record in (await bob.list()).items] == ["user · residence: Rome"]
