"""The command line in pipes, and imports of files that are not what they should be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pagefile.errors import InputError
from pagefile.importers import read_conversations

from .homes import opened


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAGEFILE_", "OPENAI_", "LC_", "LANG"))}
    return kept | {"HOME": str(folder), "PAGEFILE_DATA": str(folder / "m.db"), "PAGEFILE_EMBEDDER": "none", "PAGEFILE_MODEL": "offline"}


async def test_a_reader_that_leaves_early_is_no_error_worth_a_word(tmp_path: Path) -> None:
    async with await opened("file", tmp_path) as memory:
        await memory.scope("me").add([f"tea {number} " + "x" * 2_000 for number in range(300)])
    listing = [sys.executable, "-m", "pagefile", "list", "--messages", "--limit", "300"]
    with subprocess.Popen(listing, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        assert b"tea 0" in program.stdout.readline()
        program.stdout.close()
        assert b"Traceback" not in program.stderr.read()


async def test_commands_at_once_on_one_new_file_lose_nothing(tmp_path: Path) -> None:
    add = [sys.executable, "-m", "pagefile", "add", "--session", "s"]
    programs = [
        subprocess.Popen([*add, f"tea {number}"], env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for number in range(2)
    ]
    assert [program.communicate(timeout=60) and program.returncode for program in programs] == [0] * 2
    async with await opened("file", tmp_path) as memory:
        found = await memory.scope("me").messages("s")
    assert sorted(one.text for one in found.items) == ["tea 0", "tea 1"]
    assert [one.seq for one in found.items] == [1, 2]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.jsonl", b'{"role": "user", "content": "x"}\n{"role": "us'),
        ("null.jsonl", b'{"role": "user", "content": "x"}\nnull\n'),
        ("cut.json", b'[{"role": "user", "content": "x"}'),
        ("noise.bin", bytes(range(128, 256)) * 40),
        ("gbk.txt", "小明：你好".encode("gbk")),
        ("wide.txt", "Alice: hi".encode("utf-16")),
        ("strings.jsonl", b'{"messages": ["hello"], "session": "s"}'),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_named(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=f"{name}|'s'"):
        list(read_conversations(tmp_path / name))


@pytest.mark.parametrize("name", ["empty.jsonl", "empty.txt", "blank.txt", "empty.json"])
def test_a_file_with_nothing_in_it_gives_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("\n \n" if name.startswith("blank") else "", encoding="utf-8")
    assert not [message for conversation in read_conversations(tmp_path / name) for message in conversation.messages]


def test_a_byte_order_mark_and_the_line_ends_of_windows_are_no_content(tmp_path: Path) -> None:
    (tmp_path / "w.jsonl").write_bytes(b'\xef\xbb\xbf{"role": "user", "content": "one"}\r\n{"role": "user", "content": "two"}\r\n')
    (tmp_path / "w.txt").write_bytes("\ufeffAlice: one\r\n小明：two\r\n".encode())
    for name in ("w.jsonl", "w.txt"):
        (conversation,) = read_conversations(tmp_path / name)
        assert [message["content"] for message in conversation.messages] == ["one", "two"]


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.txt"):
        with pytest.raises(InputError, match="cannot be read"):
            list(read_conversations(path))
