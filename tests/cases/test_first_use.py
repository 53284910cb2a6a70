"""The first minute with an empty memory: everything answers, nothing wants a key, and what is added is seen."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pagefile.cli import main
from pagefile.errors import NotFound

from .homes import STORES, opened


@pytest.mark.parametrize("store", STORES)
async def test_an_empty_memory_answers_on_every_route_and_stays_empty(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        found = await alice.search("anything", floor=0.0)
        assert (len(found), found.filtered_out, found.below_floor) == (0, 0, 0)
        assert [page.total for page in (await alice.list(), await alice.messages(), await alice.messages("s"), await alice.sessions())] == [
            0
        ] * 4
        assert not await alice.blocks()
        assert (await alice.stats()).messages == 0
        assert not (await alice.context("hello")).hits
        with pytest.raises(NotFound):
            await alice.get("never-was")
        assert (await alice.erase()).messages == 0
        assert (await memory.reindex()).left == 0
        assert await memory.flush() == 0
        assert (await memory.scopes()).total == 0


@pytest.mark.parametrize("store", STORES)
async def test_the_first_thing_added_is_seen_at_once_and_a_thing_not_kept_says_why(store: str, tmp_path: Path) -> None:
    async with await opened(store, tmp_path) as memory:
        alice = memory.scope("alice")
        receipt = await alice.add([{"role": "user", "content": "My dog is called Rex"}, {"role": "user", "content": ""}])
        assert (receipt.stored, len(receipt.refused)) == (1, 1)
        assert "content" in receipt.refused[0].reason
        assert "1 stored" in str(receipt)
        assert [hit.text for hit in await alice.search("dog")] == ["My dog is called Rex"]
        assert "Rex" in await alice.chat(session="later").turn("What is my dog called?")


Run = Callable[..., tuple[str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line of a user with no settings, in this process; gives what it writes on standard output and error."""
    for name in [name for name in os.environ if name.startswith(("PAGEFILE_", "OPENAI_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name, value in {"HOME": str(tmp_path), "PAGEFILE_EMBEDDER": "none", "PAGEFILE_MODEL": "offline"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    # The command line keeps the library's log to itself; the tests after this one want it back.
    monkeypatch.setattr(logging.getLogger("pagefile"), "propagate", True)

    def run(*arguments: str, stdin: str = "", fails: bool = False, **environment: str) -> tuple[str, str]:
        with monkeypatch.context() as patch, pytest.raises(SystemExit) as ended:
            for name, value in environment.items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["pagefile", *arguments])
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
            main()
        said = capsys.readouterr()
        assert bool(ended.value.code) == fails, said.err
        return said.out, said.err

    return run


def test_without_any_setting_the_data_is_in_a_lasting_place_of_the_user_which_the_chat_names(run: Run, tmp_path: Path) -> None:
    said, _ = run("chat", stdin="My dog is called Rex\n")
    (made,) = [path for path in tmp_path.rglob("*.db") if path.is_file()]
    assert str(made) in said
    assert not {"tmp", "cache", ".cache", "site-packages"} & set(made.relative_to(tmp_path).parts)
    assert "Rex" in run("search", "dog")[0]


def test_a_relative_place_is_where_the_command_runs_and_a_home_is_the_users(run: Run, tmp_path: Path) -> None:
    run("add", "hello", PAGEFILE_DATA="notes/here.db")
    assert (tmp_path / "notes" / "here.db").is_file()
    run("add", "hello", PAGEFILE_DATA="~/there.db")
    assert (tmp_path / "there.db").is_file()
    assert not (tmp_path / "~").exists()


def test_a_misspelt_setting_is_told_of_with_the_name_that_was_meant_and_the_default_is_used(run: Run, tmp_path: Path) -> None:
    _, errors = run("stats", PAGEFILE_DAAT="elsewhere.db")
    assert "PAGEFILE_DAAT" in errors
    assert "PAGEFILE_DATA" in errors
    assert not (tmp_path / "elsewhere.db").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [("PAGEFILE_EMBEDDER", "nope"), ("PAGEFILE_DATA", "redis://nope")],
)
def test_a_setting_that_cannot_be_used_is_told_in_one_line_that_names_it(name: str, value: str, run: Run) -> None:
    _, errors = run("chat", stdin="hello\n", fails=True, **{name: value})
    assert value.split("://")[0] in errors
    assert len(errors.strip().splitlines()) == 1
