"""Does once, before the first request needs it, what takes long the first time: loads the embedder, and reads a few sentences.

A request that came first would wait for all of it: the weights of the embedder, the sentences that similarities are measured against, the
patterns of the rules of both languages. It is done on a memory that ends with it, beside the server's own and on a thread of its own, so
that nothing of it is ever seen and the server answers meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from dataclasses import replace

from pagefile.memory import AsyncMemory
from pagefile.models.offline import OfflineModel
from pagefile.ports import Embedder, Vectors
from pagefile.settings import Settings

logger = logging.getLogger(__name__)

#: After so long the server is taken for ready all the same.
LONGEST_SECONDS = 60
#: How long a server that ends waits for what it has begun to make ready.
_ENDING_SECONDS = 5.0
#: What people say and ask, in the languages that there are rules for. Only that it is read matters, not what comes of it.
_TALKS: tuple[tuple[str, ...], ...] = (
    (
        "Hi, my name is Kim and I live in Oslo with my sister Anna. I moved here from Bergen last year.",
        "I used to love spicy food, but I can't eat it any more. Please answer briefly from now on.",
        "My birthday is on 3 May 1990. I have a meeting with Tom next Tuesday at 10:00, remind me of it.",
        "Where does my sister live, and what did I say about food last week?",
    ),
    (
        "你好，我叫小雨，我和妹妹住在上海，去年从北京搬过来的。",
        "我以前喜欢吃辣，现在不再吃了。以后请回答得简短一些。",
        "我的生日是1990年5月3日。下周二上午十点我要和王明开会。",
        "我妹妹住在哪里？上周我说过喜欢吃什么？",
    ),
)


async def warm_up(memory: AsyncMemory, settings: Settings) -> None:
    """Make everything ready. What fails is told in the log: it fails again when it is needed, and is answered then."""
    embedder = memory.embedder
    # What is sent elsewhere costs, and is the business of its owner alone.
    borrowed = _Borrowed(embedder) if embedder is not None and embedder.sends_to is None else None
    enough = threading.Event()
    practising = asyncio.create_task(asyncio.to_thread(lambda: asyncio.run(_practise(borrowed, settings, enough))))
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            await asyncio.shield(practising)
    except TimeoutError:
        enough.set()
        logger.warning("making ready was given up after %d seconds; the first requests may be slow", LONGEST_SECONDS)
    except asyncio.CancelledError:
        # A thread cannot be cancelled, and should not be left behind: it would work on while the program ends around it.
        enough.set()
        await asyncio.wait([practising], timeout=_ENDING_SECONDS)
        raise
    except Exception as error:
        logger.warning("making ready failed: %s", error, exc_info=error)


async def _practise(embedder: Embedder | None, settings: Settings, enough: threading.Event) -> None:
    given = replace(settings, rules=None, learn="off" if settings.learn == "off" else "rules", warnings=())
    async with await AsyncMemory.open(":memory:", embedder=embedder or "none", model=OfflineModel(), settings=given) as memory:
        for user, talk in enumerate(_TALKS):
            mine = memory.scope(f"user {user}")
            history: list[dict[str, str]] = []
            for said in talk:
                if enough.is_set():
                    return
                history.append({"role": "user", "content": said})
                exchange = mine.exchange(history)
                await exchange.begin()
                await exchange.reply({"role": "assistant", "content": "…"})
                history.append({"role": "assistant", "content": "…"})
            await memory.flush()
            if enough.is_set():
                return
            await mine.search(talk[-1])


class _Borrowed:
    """Somebody else's embedder. It is not closed with the memory that has it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.id = embedder.id
        self.sends_to = embedder.sends_to

    async def dimension(self) -> int:
        return await self._embedder.dimension()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return await self._embedder.embed(texts, query=query)
