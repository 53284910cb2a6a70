"""A fact said early in a long conversation, and asked for at its end: it has left the window long ago, and must be paged back.

The user says one fact in the third turn, then talks of everything and nothing through a small window, and asks for the fact in the last
turn. The whole conversation runs through ``session.stream``, with the offline model (which answers from memory alone) or with a reader that
says all that it is shown: with it the measure is what stands before a model. Each fact is asked for in its own words, in other words and in
the other language, each from the same state of the memory.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from rich.table import Table

from evaluation.chatter import LANGUAGES, Chatter, Language
from evaluation.metrics import mean
from pagefile import AsyncMemory
from pagefile.events import Recalled, TextDelta, TurnFinished, Usage
from pagefile.language.text import fold
from pagefile.models.offline import OfflineModel
from pagefile.ports import Model, ModelEvent, ModelFinished, ModelRequest
from pagefile.session import Session

WINDOW = 4_000
TURNS = 500
#: The turn in which the fact is said.
SAID_IN = 3
SESSION = "long"

Asker: TypeAlias = Literal["offline", "reader"]
Way: TypeAlias = Literal["own words", "other words", "other language"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is said, the word that answers, and how it is asked for."""

    language: Language
    said: str
    answer: str
    own: str
    other: str
    foreign: str

    def questions(self) -> Iterator[tuple[Way, str]]:
        yield "own words", self.own
        yield "other words", self.other
        yield "other language", self.foreign


FACTS = (
    Fact(
        language="en",
        said="The spare key to the house lies under the blue flowerpot by the gate.",
        answer="flowerpot",
        own="Where does the spare key to the house lie?",
        other="I locked myself out. Where did I say the spare key was?",
        foreign="我家的备用钥匙放在哪里？",
    ),
    Fact(
        language="en",
        said="By the way, my sister Mirela is allergic to cashews.",
        answer="cashew",
        own="What is my sister Mirela allergic to?",
        other="Mirela comes to dinner. Which food must I keep away from her?",
        foreign="我妹妹Mirela对什么过敏？",
    ),
    Fact(
        language="en",
        said="I keep my passport in the old biscuit box on top of the wardrobe.",
        answer="biscuit box",
        own="Where do I keep my passport?",
        other="I need my passport for the trip. Where have I put it?",
        foreign="我的护照放在哪里？",
    ),
    Fact(
        language="en",
        said="We have named our boat Halcyon.",
        answer="halcyon",
        own="What have we named our boat?",
        other="What is the name of our boat?",
        foreign="我们家的船叫什么名字？",
    ),
    Fact(
        language="en",
        said="I gave the violin to Mr. Okafor, he is to mend the bridge.",
        answer="okafor",
        own="Whom did I give the violin to?",
        other="Who has my violin for repair?",
        foreign="我的小提琴交给谁修了？",
    ),
    Fact(
        language="zh",
        said="家里的备用钥匙放在大门边的石狮子下面。",
        answer="石狮子",
        own="家里的备用钥匙放在哪里？",
        other="我被锁在门外了，之前说备用钥匙在哪儿来着？",
        foreign="Where is the spare key to the house?",
    ),
    Fact(
        language="zh",
        said="对了，我妹妹小禾对腰果过敏。",
        answer="腰果",
        own="我妹妹小禾对什么过敏？",
        other="小禾要来吃饭，什么东西不能给她吃？",
        foreign="What is my sister 小禾 allergic to?",
    ),
    Fact(
        language="zh",
        said="我的护照放在衣柜顶上的旧饼干盒里。",
        answer="饼干盒",
        own="我的护照放在哪里？",
        other="出门要用护照，我把它放哪儿了？",
        foreign="Where do I keep my passport?",
    ),
    Fact(
        language="zh",
        said="我们给家里的船取名听涛号。",
        answer="听涛",
        own="我们给家里的船取了什么名？",
        other="我家的船叫什么名字？",
        foreign="What is the name of our boat?",
    ),
    Fact(
        language="zh",
        said="小提琴我交给陆师傅修琴马了。",
        answer="陆师傅",
        own="小提琴我交给谁修了？",
        other="现在谁拿着我的小提琴？",
        foreign="Who has my violin for repair?",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One fact asked for in one way."""

    asker: Asker
    language: Language
    way: Way
    question: str
    #: Whether the reply has the answer.
    found: bool
    #: Place of the first note that has it, from 1; None: no note has.
    place: int | None
    #: Whether the fact still stood in the window: then nothing was proven.
    in_window: bool
    #: Tokens of the whole window.
    tokens: int
    recall_seconds: float
    reply: str


def first_of_each_language(number: int | None) -> list[Fact]:
    """The first so many facts of each language; None: all."""
    return [fact for language in LANGUAGES for fact in [one for one in FACTS if one.language == language][:number]]


async def run(
    folder: Path,
    *,
    asker: Asker,
    facts: Sequence[Fact] = FACTS,
    turns: int = TURNS,
    seed: int = 1,
    embedder: str | None = None,
    progress: Callable[[str], object] = lambda text: None,
) -> list[Asked]:
    """Hold a conversation for each fact, and ask for it at the end. ``embedder``: as PAGEFILE_EMBEDDER; "none" for words alone."""
    asked: list[Asked] = []
    for number, fact in enumerate(facts):
        file = folder / f"{asker}-{seed}-{number}.db"
        chatter = Chatter(1_000 * seed + number)
        texts = chatter.said(turns - 1)
        texts[SAID_IN - 1] = fact.said
        _check(fact, texts)
        async with await AsyncMemory.open(file, embedder=embedder, model=_model(asker, chatter)) as memory:
            session = memory.scope("talker").chat(session=SESSION)
            for place, text in enumerate(texts):
                await session.turn(text)
                progress(f"fact {number + 1} of {len(facts)}, turn {place + 1} of {turns}")
            await memory.flush()
        for way, question in fact.questions():
            # Asked of a copy: what one question was answered must not help the next.
            copy = Path(shutil.copy(file, folder / f"{file.stem} {way}.db"))
            async with await AsyncMemory.open(copy, embedder=embedder, model=_model(asker, None)) as memory:
                asked.append(await _ask(memory.scope("talker").chat(session=SESSION), fact, way, question, asker))
    return asked


def _check(fact: Fact, texts: Sequence[str]) -> None:
    """Only the fact itself may tell the answer, or finding it would prove nothing."""
    telling = [text for text in texts if fact.answer in fold(text)]
    if telling != [fact.said]:
        raise ValueError(f"the answer {fact.answer!r} stands in other messages too: {telling}")


async def _ask(session: Session, fact: Fact, way: Way, question: str, asker: Asker) -> Asked:
    window = await session.parts.store.window(session.scope, session.session)
    recalled, finished = None, None
    async for event in session.stream(question):
        if isinstance(event, Recalled):
            recalled = event
        elif isinstance(event, TurnFinished):
            finished = event
    assert recalled is not None and finished is not None
    places = (place for place, hit in enumerate(recalled.hits, 1) if fact.answer in fold(hit.text))
    return Asked(
        asker=asker,
        language=fact.language,
        way=way,
        question=question,
        found=fact.answer in fold(finished.text),
        place=next(places, None),
        in_window=any(message.text == fact.said for message in window),
        tokens=sum(finished.window.values()) - finished.window["reply"],
        recall_seconds=recalled.seconds,
        reply=finished.text,
    )


def _model(asker: Asker, chatter: Chatter | None) -> Model:
    return _Offline() if asker == "offline" else _Reader(chatter)


class _Offline(OfflineModel):
    """The offline model with a small window."""

    context_window = WINDOW


class _Reader:
    """Chats while there is a chatter; then says all that it is shown besides the question: summary, messages, notes."""

    name = "reader"
    context_window = WINDOW
    supports_tools = True
    echoes_memory = False

    def __init__(self, chatter: Chatter | None) -> None:
        self._chatter = chatter

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        shown = [str(message["content"]) for message in request.messages if message["role"] != "system"][:-1]
        yield TextDelta(text=self._chatter.answer() if self._chatter else "\n".join(shown) or "Nothing.")
        yield ModelFinished(reason="stop", usage=Usage())

    async def close(self) -> None:
        pass


def table(asked: Sequence[Asked]) -> Table:
    """Found of asked, by who answers, language and way of asking, for people."""
    made = Table(title=f"a fact said in turn {SAID_IN}, asked for at the end, window {WINDOW:,}", title_justify="left")
    for column in ("answered by", "fact in", "asked in"):
        made.add_column(column)
    for column in ("asked", "found", "in the window", "among the notes", "mean place", "tokens at most", "recall ms"):
        made.add_column(column, justify="right")
    for key in dict.fromkeys((one.asker, one.language, one.way) for one in asked):
        group = [one for one in asked if (one.asker, one.language, one.way) == key]
        places = [float(one.place) for one in group if one.place is not None]
        made.add_row(
            *key,
            str(len(group)),
            str(sum(one.found for one in group)),
            str(sum(one.in_window for one in group)),
            str(len(places)),
            f"{mean(places):.1f}" if places else "",
            f"{max(one.tokens for one in group):,}",
            f"{mean(one.recall_seconds for one in group) * 1_000:.1f}",
        )
    return made


def missed(asked: Sequence[Asked]) -> list[str]:
    """What was not found, and what was answered instead."""
    return [
        f"{one.asker}, {one.way}: {one.question} → {one.reply[:300]!r}" + ("" if one.place is None else f" (note {one.place} has it)")
        for one in asked
        if not one.found
    ]
