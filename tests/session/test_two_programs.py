"""Two programs that talk in one session at once."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from pagefile import AsyncMemory

TALKER = Path(__file__).parent / "talker.py"
TIMES = 6


async def test_turns_of_two_programs_in_one_session_never_interleave(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    async with await AsyncMemory.open(path, embedder="none", learn="off") as memory:
        programs = [
            await asyncio.create_subprocess_exec(sys.executable, str(TALKER), str(path), name, str(TIMES)) for name in ("one", "two")
        ]
        assert [await program.wait() for program in programs] == [0, 0]
        said = (await memory.scope("alice").messages("shared", limit=100)).items
    assert [message.role for message in said] == ["user", "assistant"] * 2 * TIMES
    for question, answer in zip(said[::2], said[1::2], strict=True):
        assert answer.text == f"You said: {question.text}"
