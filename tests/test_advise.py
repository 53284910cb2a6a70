"""`pagefile advise`: what chat logs show, and which way of remembering is worth it for them."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from pagefile.advise.advice import Advice, advise
from pagefile.advise.logs import Log, logs_of
from pagefile.advise.ways import WAYS
from pagefile.cli import app
from pagefile.commands.advising import _chart
from pagefile.errors import InputError
from pagefile.importers import Conversation
from pagefile.settings import Settings
from pagefile.terminal import Terminal

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def talk(*said: str, system: str = "", session: str | None = None) -> Conversation:
    """A user's messages, each answered."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for text in said:
        messages += [{"role": "user", "content": text}, {"role": "assistant", "content": "Yes. " * 10}]
    return Conversation(session=session, messages=tuple(messages))


def logs(*conversations: Conversation) -> list[Log]:
    return logs_of(conversations, now=NOW, zone=UTC)


def advice(*conversations: Conversation, window: int = 8_192) -> Advice:
    return advise(logs(*conversations), window=window)


CHORES = ("Translate “good morning” into French.", "把“早上好”翻译成法语。", "What is 17 * 3?", "写一首关于雪的俳句。")
BACK = ("What did I tell you about my dog last time?", "我上次说的那家餐厅叫什么？", "As I told you before, I can't eat spicy food.")


def test_short_talks_that_need_nothing_of_the_past_need_no_memory() -> None:
    found = advice(talk(*CHORES), talk(*CHORES[:1]))
    assert found.way == "full history"
    assert (found.signs.turns, found.signs.conversations, found.signs.past) == (5, 2, 0)
    assert found.signs.searched <= 1


@pytest.mark.parametrize("said", BACK)
def test_who_speaks_of_other_conversations_needs_paging(said: str) -> None:
    found = advice(talk(*CHORES), talk(said, "Thanks."), talk(said))
    assert found.signs.past == 2
    assert found.way == "paging"
    assert found.signs.past_examples[0] == said


REFERENCES = (
    *("As I told you, I'm vegetarian.", "Like we agreed, only on Mondays.", "What did I order last week?", "What was his name again?"),
    *("Do you remember the red car?", "Let's pick up where we left off.", "Remind me what the plan was.", "You said it would be cheap."),
    *(
        "I already gave you the numbers.",
        "Show me the itinerary you mentioned.",
        "Is it the one we discussed?",
        "Use your previous answer.",
    ),
    *(
        "我上次说的那家餐厅叫什么？",
        "你之前推荐的书我看完了。",
        "你还记得我的狗叫什么吗？",
        "我们刚才讨论的方案再发一遍。",
        "我跟你说过我不吃辣。",
    ),
    *("我跟你说过我不吃辣。", "我上周点了什么？", "接着上次的聊。", "那个人叫什么来着？", "按你上次的办法做。", "我不是告诉过你嘛"),
)
NONE = (
    *("How have you been?", "Hey Mel! Good to see you! How have you been?", "What have you been up to lately?", "Long time no see!"),
    *("Last weekend we went hiking with the kids.", "I had a great time at the museum last month.", "I talked to my boss about it."),
    *("Remind me to call Tom at five.", "What made you decide to run again?", "I remember my grandmother's garden.", "He told me a joke."),
    *("What's a favourite book you remember from your childhood?", "Have you seen that film?", "I've been busy since our last chat."),
    *(
        "你最近怎么样？",
        "最近过得好吗？",
        "好久不见，近来可好？",
        "昨天我们去爬山了，特别累。",
        "上周我和老婆去了北京。",
        "我之前在腾讯上班。",
    ),
    *("上次提交的代码有错误。", "提醒我明天给妈妈打电话。", "记得给我带瓶水。", "我昨天买了一双鞋。", "他说过他会来。"),
)


@pytest.mark.parametrize("said", REFERENCES)
def test_a_reference_to_what_was_said_before_is_counted(said: str) -> None:
    assert advice(talk(said)).signs.past == 1


@pytest.mark.parametrize("said", NONE)
def test_who_tells_of_yesterday_or_asks_how_one_is_refers_to_nothing_that_was_said(said: str) -> None:
    assert advice(talk(said)).signs.past == 0


def test_a_long_message_refers_to_the_past_at_its_beginning_or_its_end_and_not_in_what_was_pasted() -> None:
    pasted = "The quick brown fox jumps over the lazy dog. " * 20
    inside = f"Translate this: {pasted} As I told you, the dog is lazy. {pasted}"
    assert advice(talk(inside)).signs.past == 0
    assert advice(talk(f"As I told you: {pasted}"), talk(f"{pasted} 跟上次说的一样，翻译一下，你还记得吗？")).signs.past == 2


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["Hello"], "no turn needs what was said elsewhere"),
        ([*CHORES, *CHORES[1:], "Do you remember my dog?"], "1 of 8 turns needs what was said elsewhere"),
        (["Do you remember my dog?"], "the only turn needs what was said elsewhere"),
    ],
)
def test_the_reason_is_a_sentence_whatever_the_numbers(said: list[str], why: str) -> None:
    assert advice(talk(*said)).why.endswith(why)


def test_the_reason_for_paging_is_one_too() -> None:
    found = advice(talk(BACK[0]), talk(BACK[1]), talk(CHORES[0]))
    assert found.why.startswith("2 of 3 turns refer to what was said before, and none asks again what was asked in an earlier conversation")


@pytest.mark.parametrize("question", ["When does the Rome office open on Fridays?", "公司的报销流程是什么？"], ids=["en", "zh"])
def test_questions_that_are_asked_again_are_counted_by_where_they_were_asked_before(question: str) -> None:
    found = advice(talk(question, "Which room is free?", question.upper()), talk(question), talk("Where is the key?"))
    assert (found.signs.repeated_here, found.signs.repeated_elsewhere) == (1, 1)
    assert found.signs.questions == 5


def test_a_long_talk_without_a_past_needs_a_summary_and_one_with_a_past_paging() -> None:
    long = [f"Describe plank {number} of the boat in a few words, and {'so on ' * 20}" for number in range(120)]
    plain = advice(talk(*long), window=4_096)
    assert plain.way == "running summary"
    assert any(cost.way == "full history" and cost.too_long > 50 for cost in plain.costs)
    assert advice(talk(*long, *BACK * 3), window=4_096).way == "paging"


def test_paging_stays_flat_where_the_history_grows() -> None:
    costs = {
        cost.way: cost for cost in advice(talk(*[f"Plank {number} is in its place. {'And so on. ' * 12}" for number in range(600)])).costs
    }
    assert tuple(costs) == WAYS[1:], "of one conversation there is no more than all of it"
    paging, history = costs["paging"].course, costs["full history"].course
    assert max(paging[300:]) <= 8_192
    assert sum(paging[500:]) / 100 == pytest.approx(sum(paging[200:300]) / 100, rel=0.1)
    assert history[-1] > 5 * history[100]
    assert costs["sliding window"].seen < 0.5 < costs["full history"].seen == 1.0
    assert costs["sliding window"].course[-1] <= 8_192


def test_instructions_that_come_again_are_worth_resident_rules_and_tools_task_state() -> None:
    rules = "You are the porter of a hotel. Answer in one sentence, and never tell a guest's room number."
    at_work = Conversation(
        session="work",
        messages=(
            {"role": "user", "content": "Book the room."},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "function": {"name": "book", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "booked"}]},
        ),
    )
    found = advice(talk("Hello.", system=rules), talk("Good evening.", system=rules), at_work)
    worth = {verdict.what: verdict.worth for verdict in found.beside}
    assert worth["resident rules"]
    assert found.signs.same_instructions == 2
    assert worth["status block, task state, checkpoints"]
    assert not any(verdict.worth for verdict in advice(talk("Hello."), talk("Good evening.")).beside if "rules" in verdict.what)


def test_what_costs_more_than_it_can_is_told() -> None:
    with pytest.raises(InputError, match="nobody says anything"):
        advise([], window=8_192)
    with pytest.raises(InputError, match="larger --window"):
        advice(talk("Hello."), window=200)


def test_odd_messages_change_no_advice() -> None:
    odd = Conversation(
        session=None, messages=({"role": "user"}, {"content": "Hi", "time": "soon"}, {"role": "x", "content": [None, "y", 3]})
    )
    assert [len(log.messages) for log in logs(odd, Conversation(session="s", messages=()))] == [2]


@pytest.mark.parametrize(
    "said",
    [
        "Well, all of that took a while, and I would say it is what we agreed on at last, even though it is longer than a line.",
        "今天从早上开始一直忙到晚上，终于把店里的事情都做完了，现在想请你把上次说的那个方案再发一遍，顺便把供应商的名单也一起整理出来给我看看，辛苦了。",
    ],
)
def test_what_refers_to_the_past_is_shown_around_the_reference_on_one_line(said: str) -> None:
    (example,) = advice(talk(said)).signs.past_examples
    assert "we agreed on" in example or "上次说的" in example
    assert example[0] == example[-1] == "…"
    assert cell_len(example) <= 76


@pytest.mark.parametrize("prices", [False, True])
@pytest.mark.parametrize("columns", [80, 100, 120, 200])
def test_the_chart_fits_the_terminal(columns: int, prices: bool) -> None:
    long = [f"Plank {number} is in its place. {'And so on. ' * 12}" for number in range(200)]
    found = advice(talk(*long), talk(*long[:50]), talk("把第三块木板刷成蓝色。"), window=4_096)
    terminal, out = Terminal(as_json=False, zone=UTC), StringIO()
    terminal.out = Console(file=out, width=columns, force_terminal=True, no_color=True, highlight=False)
    _chart(found, Settings(price_input=1.5) if prices else Settings(), terminal)
    lines = [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()).splitlines()]
    assert [line.split("  ")[0] for line in lines] == ["way", *WAYS], "a line for each way, and none is wrapped"
    assert max(map(cell_len, lines)) <= columns
    assert "█" * (20 if columns >= 120 else 5) in lines[1]


# --- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PAGEFILE_DATA", str(tmp_path / "nothing.db"))
    monkeypatch.chdir(tmp_path)
    Path("我的对话.txt").write_text("我：我上次说的餐厅叫什么？\n助手：海底捞。\n我：谢谢\n", encoding="utf-8")
    Path("talk.jsonl").write_text("\n".join(json.dumps({"role": "user", "content": text}) for text in (*BACK, *CHORES)), encoding="utf-8")
    return CliRunner()


def test_people_see_figures_a_chart_and_what_is_enough_and_nothing_is_stored(run: CliRunner) -> None:
    done = run.invoke(app, ["advise", "我的对话.txt", "talk.jsonl"])
    assert done.exit_code == 0, done.output
    assert "9 turns in 2 conversations" in done.stdout
    assert "我上次说的餐厅叫什么" in done.stdout
    assert "enough: paging" in done.stdout
    charted = {line.split("\t")[0]: line.split("\t") for line in done.stdout.splitlines() if "\t" in line}
    assert tuple(charted) == WAYS
    assert "█" in charted["paging"][2]
    assert "▁" in charted["full history"][4]
    assert not Path("nothing.db").exists()


def test_programs_get_json_and_a_pipe_is_read(run: CliRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGEFILE_PRICE_INPUT", "2")
    done = run.invoke(app, ["advise", "-", "--json", "--window", "16000"], input="我：我住在哪里？\n助手：北京。\n")
    found = json.loads(done.stdout)
    assert (found["signs"]["turns"], found["window"], found["signs"]["questions"]) == (1, 16_000, 1)
    priced = run.invoke(app, ["advise", "talk.jsonl"]).stdout
    assert all(float(line.split("\t")[-1]) > 0 for line in priced.splitlines() if "\t" in line)


def test_files_that_cannot_be_read_are_told(run: CliRunner) -> None:
    assert isinstance(run.invoke(app, ["advise", "missing.txt"]).exception, InputError)
