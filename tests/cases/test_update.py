"""People change their minds: what they say last is what holds, by whatever way they say it, and nothing else is touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pagefile.cli import app
from pagefile.errors import InputError, NotFound

from .homes import STORES
from .talks import EVERY_STATUS, WAYS, Reader, fact, line, reply, talking

#: What is said, what is said later, what holds then.
CHANGES = {
    "loves and hates": ("I love Chinese food", "I hate Chinese food", "user · likes: not Chinese food"),
    "hates and loves": ("I can't stand mornings", "I love mornings", "user · likes: mornings"),
    "no longer": ("I like coffee", "I don't like coffee any more", "user · likes: not coffee"),
    "favourite": ("My favourite player is Messi", "My favourite player is Ronaldo", "user · favourite player: Ronaldo"),
    "favorite now": ("My favorite color is blue", "My favorite color is red now", "user · favourite colour: red"),
    "employer": ("I work at Acme", "I work at Beta Corp now", "user · employer: Beta Corp"),
    "residence": ("I live in Berlin", "I moved to Munich", "user · residence: Munich"),
    "allergy": ("I'm allergic to peanuts", "I'm not allergic to peanuts", "user · allergy: not peanuts"),
    "diet": ("I am vegetarian", "I'm not vegetarian anymore", "user · diet: not vegetarian"),
    "age": ("I'm 30 years old", "I'm 31 years old", "user · age: 31"),
    "married": ("I'm single", "I'm married", "user · marital status: married"),
    "不喜欢 and 喜欢": ("我不喜欢周杰伦的歌", "我喜欢周杰伦的歌", "user · likes: 周杰伦的歌"),
    "喜欢 and 不喜欢": ("我喜欢喝咖啡", "我不喜欢喝咖啡了", "user · likes: not 咖啡"),
    "爱 and 讨厌": ("我爱吃川菜", "我讨厌川菜", "user · likes: not 川菜"),
    "最喜欢": ("我最喜欢的颜色是蓝色", "我最喜欢的颜色是红色", "user · favourite colour: 红色"),
    "跳槽": ("我在腾讯上班", "我跳槽到阿里巴巴了", "user · employer: 阿里巴巴"),
    "搬家": ("我住在北京", "我搬到上海了", "user · residence: 上海"),
    "过敏": ("我对花生过敏", "我对花生不过敏了", "user · allergy: not 花生"),
    "能吃了": ("我不能吃辣", "我现在能吃辣了", "user · diet: 辣"),
    "岁数": ("我今年30岁", "我今年31岁", "user · age: 31岁"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("change", CHANGES)
async def test_after_a_change_of_mind_only_the_new_holds_and_the_old_is_history(change: str, way: str, tmp_path: Path) -> None:
    before, after, holds = CHANGES[change]
    async with talking(tmp_path) as talk:
        await talk.tell(before, after, by=way)
        (new,), (old,) = await talk.records(), await talk.records("superseded")
        assert (line(new), new.text.endswith(after), new.supersedes) == (holds, True, old.id)
        assert [entry.change for entry in await talk.user.history(old.id)] == ["add", "supersede"]
        assert before not in await talk.found(before)
        assert before not in await talk.window(f"{after}?")
        assert before in await talk.found(before, history=True)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    ("first", "then"), [("add", "remember"), ("remember", "add"), ("chat", "correct"), ("import", "chat"), ("correct", "import")]
)
async def test_what_was_told_in_one_way_is_superseded_by_what_is_told_in_another(store: str, first: str, then: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        for before, after, holds in (CHANGES["loves and hates"], CHANGES["搬家"]):
            await talk.tell(before, by=first)
            await talk.tell(after, by=then)
            assert holds in await talk.facts()
        assert len(await talk.records()) == 2
        assert len(await talk.records("superseded")) == 2


@pytest.mark.parametrize(
    ("before", "after", "holds"),
    [
        ("User loves Chinese food", "User hates Chinese food", "user · likes: not Chinese food"),
        ("The user works at Acme", "The user works at Beta Corp", "user · employer: Beta Corp"),
        ("The user's favourite colour is blue", "The user's favourite colour is red", "user · favourite colour: red"),
        ("likes coffee", "doesn't like coffee", "user · likes: not coffee"),
        ("works at Acme", "works at Beta Corp", "user · employer: Beta Corp"),
        ("lives in Berlin", "The user moved to Munich", "user · residence: Munich"),
        ("allergic to nuts", "not allergic to nuts", "user · allergy: not nuts"),
        ("用户喜欢咖啡", "用户不喜欢咖啡了", "user · likes: not 咖啡"),
        ("用户住在北京", "用户搬到了上海", "user · residence: 上海"),
        ("喜欢咖啡", "不喜欢咖啡", "user · likes: not 咖啡"),
        ("用户最喜欢的颜色是蓝色", "我最喜欢的颜色是红色", "user · favourite colour: 红色"),
    ],
)
async def test_what_applications_write_of_the_user_is_kept_true_like_what_he_says(
    before: str, after: str, holds: str, tmp_path: Path
) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(before, after, by="remember")
        assert await talk.facts() == [holds]
        assert [record.text for record in await talk.records("superseded")] == [before]


async def test_a_change_that_a_model_reads_supersedes_as_one_that_rules_read(tmp_path: Path) -> None:
    def found(prompt: str) -> str:
        if "tea is my thing now" in prompt:
            return reply(fact("tea is my thing now, coffee isn't", "likes", "coffee", polarity="negative"))
        return reply(fact("coffee is what keeps me going", "likes", "coffee"))

    async with talking(tmp_path, model=Reader(found), learn="model") as talk:
        await talk.tell("Honestly, coffee is what keeps me going", "Well, tea is my thing now, coffee isn't")
        assert "user · likes: not coffee" in await talk.facts()
        assert await talk.facts("superseded") == ["user · likes: coffee"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "text",
    ["I like cats", "i like cats", "My favourite player is Messi", "我喜欢猫", "The deploy key lives in the vault", "部署密钥在保险库里"],
)
async def test_the_very_same_again_is_one_row_that_stays(text: str, way: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(text, text, text, by=way)
        records = await talk.records(*EVERY_STATUS)
        if records:  # a sentence that states nothing of the user is only kept if somebody writes it down
            assert [record.status for record in records] == ["current"]
            assert records[0].evidence_count == 3
        else:
            assert way not in ("remember", "correct")
        assert text in (await talk.found(text))[0]


async def test_the_same_in_one_session_stays_one_row_and_counts_once(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I like cats", "i like cats", "I like cats!", session="one")
        (record,) = await talk.records(*EVERY_STATUS)
        assert (record.evidence_count, len(record.sources)) == (1, 3)


#: Pairs that have much in common and contradict each other in nothing.
BESIDE = [
    ("My favourite player is Messi", "My brother's favourite player is Ronaldo"),
    ("My favourite food is sushi", "My favourite drink is sake"),
    ("I like green tea", "I like black tea"),
    ("I like cats", "I don't like dogs"),
    ("I love jazz", "My wife hates jazz"),
    ("I'm allergic to peanuts", "I love walnuts"),
    ("I work at Acme", "My sister works at Beta Corp"),
    ("I live in Berlin", "My parents live in Munich"),
    ("I have a dog called Rex", "I have a cat called Tom"),
    ("I speak French", "I speak German"),
    ("I don't eat pork", "I love fish"),
    ("我最喜欢的球员是梅西", "我哥哥最喜欢的球员是C罗"),
    ("我喜欢绿茶", "我不喜欢红茶"),
    ("我住在北京", "我爸妈住在上海"),
    ("我在腾讯上班", "我老婆在阿里巴巴上班"),
    ("我对花生过敏", "我喜欢核桃"),
    ("我养了一只猫", "我养了一条狗"),
    ("我不吃猪肉", "我不吃香菜"),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pair", BESIDE, ids=lambda pair: " / ".join(pair))
async def test_what_only_looks_alike_stands_side_by_side(pair: tuple[str, str], way: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(*pair, by=way)
        assert len(await talk.records()) == 2
        assert not await talk.records("superseded", "retired", "pending")


@pytest.mark.parametrize("way", ["remember", "correct"])
async def test_notes_on_other_subjects_are_no_contradictions(way: str, tmp_path: Path) -> None:
    notes = [
        "Vector search needs an index",
        "Word search needs postings",
        "向量检索需要索引",
        "Tomatoes need sun, not shade",
        "番茄不需要索引",
    ]
    async with talking(tmp_path) as talk:
        await talk.tell(*notes, by=way)
        assert await talk.facts() == sorted(notes)
        assert not await talk.records("superseded", "retired", "pending")
        correction = await talk.user.correct("Tomatoes need shade in July")
        assert correction.superseded == ()


# --- ids -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
async def test_an_id_shown_anywhere_is_taken_everywhere(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I like coffee", "我住在北京")
        user = talk.user
        listed, found = (
            {record.id for record in await talk.records()},
            {hit.id for hit in await user.search("coffee 北京", kinds=["fact"], floor=0.0)},
        )
        window = await user.context("do I like coffee? 我住在哪里？", session="new")
        assert listed == found
        assert {hit.id for hit in window.hits} <= listed | {message.id for receipt in talk.said for message in receipt.messages}
        for place, id in enumerate(sorted(listed)):
            assert (await user.get(id)).id == id
            assert (await user.why(id)).record.id == id
            assert (await user.history(id))[0].target == id
            (entry,) = (await user.forget(id)).entries
            assert entry.target == id
            assert (await user.restore(id)).target == id
            await user.undo((await user.history(id))[-1].id)
            assert (await user.get(id)).status == "retired"  # type: ignore[union-attr]  # a record
            await user.restore(id)
            assert (await user.confirm(id)).id == id
            assert (await user.edit(id, tags=["seen"])).id == id
            replaced = await user.correct(["I like tea", "我住在上海"][place], id=id)
            assert replaced.superseded == (id,)
            assert (await user.get(replaced.record.id)).id == replaced.record.id


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("I like coffee", "coffee"), ("I like coffee", "that I like coffee"), ("My favourite player is Messi", "favourite player"),
        ("I work at Acme", "where I work"), ("我喜欢咖啡", "咖啡"), ("我住在北京", "我住在哪里"), ("我对花生过敏", "花生过敏"),
    ],
)  # fmt: skip
async def test_what_a_query_means_is_forgotten_and_nothing_else(text: str, query: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(text, "My sister is called Anna", "我女儿叫小雨")
        before = await talk.facts()
        would = await talk.user.forget(query=query, dry_run=True)
        assert await talk.facts() == before
        assert not would.entries
        forgotten = await talk.user.forget(query=query)
        assert {item.id for item in would.items} <= {item.id for item in forgotten.items}
        assert len(await talk.facts()) == 2
        assert text not in await talk.found(text)
        assert text not in (await talk.window(query)).removesuffix(query)


# --- corrections ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("way", ["id", "query", "text alone"])
async def test_a_correction_does_the_same_however_it_names_what_is_wrong(way: str, store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I live in Berlin", "I like tea")
        (old,) = [record for record in await talk.records() if record.attribute == "residence"]
        asked = {"id": {"id": old.id}, "query": {"query": "where do I live, Berlin?"}, "text alone": {}}[way]
        correction = await talk.user.correct("I live in Munich", **asked)
        assert correction.superseded == (old.id,)
        assert (correction.record.supersedes, correction.record.status) == (old.id, "current")
        assert await talk.facts() == ["user · likes: tea", "user · residence: Munich"]
        assert await talk.facts("superseded") == ["user · residence: Berlin"]


async def test_a_correction_of_nothing_is_told_and_changes_nothing(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I like tea")
        with pytest.raises(NotFound, match="no record is meant"):
            await talk.user.correct("I live in Munich", query="zeppelins")
        with pytest.raises(NotFound):
            await talk.user.correct("I live in Munich", id="nothing")
        with pytest.raises(InputError):
            await talk.user.correct("I live in Munich", id="nothing", query="tea")
        assert await talk.facts() == ["user · likes: tea"]


@pytest.mark.parametrize(
    ("said", "corrected", "holds"),
    [
        ("I live in Berlin", "No, that's wrong, I live in Munich", "user · residence: Munich"),
        ("I live in Berlin", "Sorry, I meant Munich", "user · residence: Munich"),
        ("My sister's name is Anna", "Actually it's Hannah", "user · sibling: Hannah"),
        ("我住在北京", "不对，是南京", "user · residence: 南京"),
        ("我住在北京", "说错了，我住在南京", "user · residence: 南京"),
    ],
)
async def test_a_slip_that_is_put_right_in_the_talk_never_held(said: str, corrected: str, holds: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(said, {"role": "assistant", "content": "Noted! 好的"}, corrected, session="one")
        assert await talk.facts() == [holds]
        (wrong,) = await talk.records("superseded")
        assert wrong.valid_from == wrong.valid_to


# --- edits ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("store", STORES)
async def test_an_edit_keeps_the_id_the_history_and_the_counters(store: str, tmp_path: Path) -> None:
    async with talking(tmp_path, store) as talk:
        await talk.tell("I work at Acme", "I work at Acme")
        (before,) = await talk.records()
        after = await talk.user.edit(before.id, text="I work at Beta Corp", reason="a typo")
        assert (after.id, after.evidence_count, after.sources, after.learned_at) == (before.id, 2, before.sources, before.learned_at)
        assert line(after) == "user · employer: Beta Corp"
        history = await talk.user.history(before.id)
        assert [entry.change for entry in history] == ["add", "reinforce", "edit"]
        assert (history[-1].before["text"], history[-1].cause.reason) == ("I work at Acme", "a typo")
        assert await talk.found("Beta", kinds=["fact"]) == ["I work at Beta Corp"]
        assert not await talk.found("Acme", kinds=["fact"])


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize(
    ("fact_one", "fact_two", "edited", "holds"),
    [
        ("I live in Berlin", "I live near the sea in summer", "I live in Munich", "user · residence: Munich"),
        ("I like coffee", "I like tea", "I don't like coffee", "user · likes: not coffee"),
        ("我喜欢咖啡", "我喜欢茶", "我不喜欢咖啡", "user · likes: not 咖啡"),
        ("My favourite colour is blue", "My favourite food is red lentils", "My favourite colour is red", "user · favourite colour: red"),
        ("用户住在北京", "用户喜欢北京", "用户住在上海", "user · residence: 上海"),
    ],
)  # fmt: skip
async def test_an_edit_into_a_contradiction_supersedes_as_a_new_statement_does(
    store: str, fact_one: str, fact_two: str, edited: str, holds: str, tmp_path: Path
) -> None:
    async with talking(tmp_path, store) as talk:
        rival = await talk.user.remember(fact_one)
        other = await talk.user.remember(fact_two)
        await talk.user.edit(other.id, text=edited)
        assert await talk.facts() == [holds]
        assert [record.id for record in await talk.records("superseded")] == [rival.id]
        await talk.user.undo((await talk.user.history(other.id))[-1].id)
        assert {record.text for record in await talk.records()} == {fact_one, fact_two}


async def test_restoring_and_confirming_supersede_what_contradicts_them_too(tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell("I live in Berlin", "I live in Munich")
        (old,) = await talk.records("superseded")
        await talk.user.restore(old.id)
        assert await talk.facts() == ["user · residence: Berlin"]
        await talk.tell("I think I may live in Rome", by="add", origin="web")
        for record in await talk.records("pending"):
            await talk.user.confirm(record.id)
        assert len([record for record in await talk.records() if record.attribute == "residence"]) == 1


# --- in the prompt -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("said", "asked"), [("I live in Berlin", "where do I live?"), ("我住在北京", "我住在哪里？")])
async def test_what_is_remembered_is_shown_as_dated_notes_that_the_current_message_outranks(said: str, asked: str, tmp_path: Path) -> None:
    async with talking(tmp_path) as talk:
        await talk.tell(said)
        window = await talk.user.context(asked, session="new")
        *before, last = window.messages
        (notes,) = [message for message in window.messages if said in str(message["content"])]
        assert notes["role"] == "user"
        assert "2026-05-25" in str(notes["content"])
        assert "<memory_notes>" in str(notes["content"]) or "notes" in str(notes["content"]).lower()
        assert asked in str(last["content"])
        system = str(before[0]["content"]) + str(notes["content"])
        assert any(word in system for word in ("outrank", "newer", "current message", "为准", "现在说的", "新"))


# --- from a terminal ---------------------------------------------------------------------------------------------------------


def test_the_command_line_keeps_facts_true_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"DATA": tmp_path / "m.db", "EMBEDDER": "none", "MODEL": "offline", "USER": "alice"}.items():
        monkeypatch.setenv(f"PAGEFILE_{name}", str(value))

    def run(*arguments: str, text: str | None = None) -> str:
        done = CliRunner().invoke(app, list(arguments), input=text)
        assert done.exit_code == 0, done.output
        return done.stdout

    def held() -> list[str]:
        return sorted(str(one["text"]) for one in json.loads(run("list", "--json"))["items"])

    run("add", "I live in Berlin", "我喜欢咖啡")
    run("remember", "User likes jazz")
    assert held() == ["I live in Berlin", "User likes jazz", "我喜欢咖啡"]
    run("chat", text="I moved to Munich\n我不喜欢咖啡了\n")
    (tmp_path / "old.txt").write_text("[2020-01-01 10:00] me: I live in Oslo\n", encoding="utf-8")
    run("import", str(tmp_path / "old.txt"))
    run("remember", "The user hates jazz")
    assert held() == ["I moved to Munich", "The user hates jazz", "我不喜欢咖啡了"]
