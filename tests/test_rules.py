"""Resident rules: a Markdown file in the fixed part of every window, as it stands when the turn begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagefile import ChatSettings
from pagefile.errors import InputError, SettingsError
from pagefile.memory import AsyncMemory
from pagefile.models.scripted import ScriptedModel
from pagefile.rules import MOST_TOKENS, read_rules, rules_hash
from pagefile.settings import Settings, load_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "RULES.md"
    place.write_text("# House rules\n- Answer in one sentence.\n- 不用敬语。\n", encoding="utf-8")
    return place


async def test_each_turn_reads_the_file_anew_and_logs_which_rules_held(file: Path) -> None:
    model = ScriptedModel(["Yes."] * 3)
    async with await AsyncMemory.open(":memory:", embedder="none", model=model) as memory:
        alice = memory.scope("alice")
        chat = alice.chat(rules=file)
        await chat.turn("May I come in?")
        first = file.read_text(encoding="utf-8")
        file.write_text("- Answer in French.", encoding="utf-8")
        await chat.turn("And my dog Rex, may he come too?")
        await alice.chat(session="without").turn("And what about my cat?")
        logged = [line.parameters.get("rules") for line in (await alice.operations()).items if line.kind == "turn"]
    shown = [str(request.messages[0]["content"]) for request in model.requests]
    assert "- 不用敬语。" in shown[0]
    assert "- Answer in French." in shown[1]
    assert "- 不用敬语。" not in shown[1]
    assert "French" not in shown[2]
    assert logged == [None, rules_hash("- Answer in French."), rules_hash(first.strip())]


async def test_a_file_that_is_gone_is_told_before_anything_is_written(file: Path) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none") as memory:
        chat = memory.scope("alice").chat(rules=str(file))
        file.unlink()
        with pytest.raises(InputError, match="cannot be read"):
            await chat.turn("Hello?")
        assert (await memory.scope("alice").sessions()).total == 0


async def test_rules_of_the_settings_hold_everywhere_and_those_of_a_chat_in_their_place(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("Other rules.", encoding="utf-8")
    model = ScriptedModel(["Yes."] * 3)
    settings = Settings(rules=str(file))
    async with await AsyncMemory.open(":memory:", embedder="none", model=model, settings=settings) as memory:
        alice = memory.scope("alice")
        await alice.chat(settings=ChatSettings(instructions="You are a porter.")).turn("Who are you?")
        await alice.chat(rules=other).turn("And who is that?")
        window = await alice.context("Is my room ready?")
        report = await alice.context_report("default", "Is my room ready?")
    first, second = (str(request.messages[0]["content"]) for request in model.requests)
    assert first.index("porter") < first.index("one sentence")
    assert "Other rules." in second
    assert "one sentence" not in second
    assert "one sentence" in str(window.messages[0]["content"])
    assert report["instructions"].used > 50


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\xff\xfe\x00", "not UTF-8"), (b"word " * 8_000, "at most"), (b"x" * 1_100_000, "bytes")],
    ids=["odd", "long", "huge"],
)
def test_a_file_that_cannot_be_resident_is_told_by_its_name(tmp_path: Path, content: bytes, said: str) -> None:
    place = tmp_path / "RULES.md"
    place.write_bytes(content)
    with pytest.raises(InputError, match=said) as told:
        read_rules(place, 128_000)
    assert "RULES.md" in str(told.value)


def test_in_a_small_window_rules_have_less_room(tmp_path: Path) -> None:
    place = tmp_path / "RULES.md"
    place.write_text("规则。\n" * 500, encoding="utf-8")
    assert read_rules(place, 4 * MOST_TOKENS)
    with pytest.raises(InputError, match="at most 500 tokens are allowed in a window of 2,000"):
        read_rules(place, 2_000)


def test_no_rules_have_no_hash(tmp_path: Path) -> None:
    place = tmp_path / "RULES.md"
    place.write_bytes(b"\xef\xbb\xbf \n")
    assert rules_hash(read_rules(place, 8_192)) == ""
    with pytest.raises(InputError, match="cannot be read"):
        read_rules(tmp_path, 8_192)


def test_the_setting_names_a_file() -> None:
    assert load_settings(environ={"PAGEFILE_RULES": "~/RULES.md", "XDG_CONFIG_HOME": "/nowhere"}).rules == "~/RULES.md"
    with pytest.raises(SettingsError):
        load_settings(environ={}, rules=" ")
