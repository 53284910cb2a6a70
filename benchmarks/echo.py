"""The loop that fills other memories with junk: what was recalled goes into the prompt, and the whole prompt is added again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.measure import Cell, Setting, Table, at_most
from benchmarks.texts import LANGUAGES, Language
from pagefile.memory import AsyncMemory
from pagefile.queries import Hit
from pagefile.records import Record, Status
from pagefile.scoped import AsyncScopedMemory

TURNS = 50
#: A new session begins after so many turns, in which what was said before is found in the notes.
_SESSION = 10
_ALL: Sequence[Status] = ("pending", "current", "superseded", "retired")
_NAMES = {"en": "English", "zh": "Chinese"}

#: Facts, each in the user's first words for it, and what is said in the turns that follow.
_FACTS: Mapping[Language, Sequence[str]] = {
    "en": ("I live in Lisbon.", "I'm allergic to peanuts.", "I work at Grunwald Press.", "My dog is called Biscuit.", "I like kayaking."),
    "zh": ("我住在杭州。", "我对花生过敏。", "我在云帆出版社上班。", "我的狗叫豆豆。", "我喜欢皮划艇。"),
}
_LATER: Mapping[Language, Sequence[str]] = {
    "en": ("Where do I live?", "What must I not eat?", "Tell me about my job.", "How is my dog called?", "Thanks!", "What now?"),
    "zh": ("我住在哪里？", "我不能吃什么？", "说说我的工作。", "我的狗叫什么？", "谢谢！", "今天做点什么好呢？"),
}
_ANSWERS: Mapping[Language, str] = {"en": "As you told me: {}", "zh": "你告诉过我：{}"}


async def echo(setting: Setting) -> Table:
    turns = setting.size(TURNS, least=12)
    rows: list[tuple[Cell, ...]] = []
    for language in LANGUAGES:
        for title, turn in (("the whole prompt is added again", _prompt_added), ("chat()", _chatted)):
            async with await AsyncMemory.open(":memory:", embedder="none") as memory:
                scope = memory.scope("ann")
                first, evidence = 0, 0
                for place in range(turns):
                    await turn(scope, language, _said(language, place), f"session {place // _SESSION}")
                    if place == len(_FACTS[language]) - 1:
                        first = len(await _known(scope))
                known = await _known(scope)
                evidence = max((record.evidence_count for record in known), default=0)
                messages = (await scope.stats()).messages
            added = len(known) - first
            rows.append((_NAMES[language], title, len(_FACTS[language]), first, added, at_most(0, added), evidence, messages))
    columns = ("language", "each turn", "facts stated", "records then", "added later", "target", "most evidence", "messages")
    note = (
        f"{turns} turns: the user states each fact once, then asks, chats, and states one again now and then. The assistant repeats "
        "all that was recalled. Records of any status."
    )
    return Table("learn: notes in the prompt", columns, tuple(rows), note)


def _said(language: Language, place: int) -> str:
    facts, later = _FACTS[language], _LATER[language]
    if place < len(facts):
        return facts[place]
    return facts[place % len(facts)] if place % 7 == 0 else later[place % len(later)]


async def _prompt_added(scope: AsyncScopedMemory, language: Language, said: str, session: str) -> None:
    window = await scope.context(said, session=session)
    await scope.add([*window.messages, _parroted(language, window.hits)], session=session)


async def _chatted(scope: AsyncScopedMemory, language: Language, said: str, session: str) -> None:
    async for _ in scope.chat(session=session).stream(said):
        pass


def _parroted(language: Language, hits: Sequence[Hit]) -> dict[str, Any]:
    return {"role": "assistant", "content": _ANSWERS[language].format("\n".join(hit.text for hit in hits) or "–")}


async def _known(scope: AsyncScopedMemory) -> Sequence[Record]:
    return (await scope.list(statuses=_ALL, limit=1_000)).items
