"""How far the graph reaches where very much is told of somebody, or somebody has several names."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pagefile import graph
from pagefile.errors import ConflictError, InputError
from pagefile.language.entities import possible_keys
from pagefile.memory import AsyncMemory
from pagefile.queries import Where
from pagefile.retrieval.graph import graph_hits
from pagefile.stores.memory import MemoryStore

pytestmark = pytest.mark.anyio

DAY = datetime(2021, 1, 1, 9, tzinfo=UTC)


@pytest.fixture(params=[":memory:", "a file"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    location = tmp_path / "m.db" if request.param == "a file" else ":memory:"
    async with await AsyncMemory.open(location, embedder="none", learn="off") as opened:
        yield opened


@pytest.mark.parametrize(("name", "said"), [("Marta", "Marta rang, call {}, about the boat"), ("小周", "小周来过电话，第{}次，谈了船的事")])
async def test_of_very_many_messages_the_newest_within_the_times_are_told(
    memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch, name: str, said: str
) -> None:
    monkeypatch.setattr(graph, "_MESSAGES_AT_ONCE", 7)
    mine = memory.scope("zoe")
    await mine.remember(f"{name}: Oslo", subject=name, attribute="city", value="Oslo", valid_from="2030-01-01T00:00:00Z")
    times = [DAY + timedelta(days=number) for number in range(450)]
    await mine.add([{"role": "user", "content": said.format(place), "said_at": time} for place, time in enumerate(times)])
    await mine.flush()
    told = await mine.entity_timeline(name, limit=1000)
    assert [each.at for each in told if each.kind == "message"] == times
    assert [each.at for each in (await mine.entity_timeline(name, limit=10)) if each.kind == "message"] == times[-9:]
    for begin, end in ((0, 20), (430, 450)):
        asked = {"since": times[begin].isoformat(), "until": (times[end - 1] + timedelta(hours=1)).isoformat()}
        assert [each.at for each in await mine.entity_timeline(name, **asked)] == times[begin:end]
        assert [each.at for each in await mine.entity_timeline(name, limit=3, **asked)] == times[end - 3 : end]


@pytest.mark.parametrize("names", [("Liz", "Elizabeth", "Betty", "Libby"), ("阿丽", "陈丽", "丽丽", "小丽")])
async def test_names_that_are_merged_once_more_give_the_change_that_joined_them(memory: AsyncMemory, names: tuple[str, ...]) -> None:
    mine = memory.scope("zoe")
    one, chief, two, three = names
    first = await mine.merge_entities(one, chief)
    second = await mine.merge_entities(two, chief)
    third = await mine.merge_entities(three, two)
    assert await mine.merge_entities(one, chief) == await mine.merge_entities(chief, one) == first
    assert await mine.merge_entities(two, chief) == await mine.merge_entities(one, two) == second
    assert await mine.merge_entities(three, chief) == await mine.merge_entities(one, three) == third
    with pytest.raises(ConflictError):
        await mine.merge_entities(one, one)
    await mine.undo((await mine.merge_entities(one, chief)).id)
    assert set((await mine.entity(chief)).entity.aliases) == {two, three}


@pytest.mark.parametrize(("name", "alias", "other"), [("Rupert", "Rupe", "Nora"), ("赵敏", "敏敏", "孙悦")])
async def test_a_record_with_two_names_of_one_counts_once(memory: AsyncMemory, name: str, alias: str, other: str) -> None:
    mine = memory.scope("zoe")
    for number in range(2):
        await mine.remember(f"x {number}", subject=name, attribute=f"x{number}", value="1", entities=[alias])
    for number in range(3):
        await mine.remember(f"y {number}", subject=other, attribute=f"x{number}", value="1")
    await mine.merge_entities(alias, name)
    listed = (await mine.entities()).items
    assert [(each.name, each.records) for each in listed] == [(other, 3), (name, 2)]
    assert listed[1] == (await mine.entity(name)).entity == (await mine.entity(name, limit=1)).entity


@pytest.mark.parametrize(("name", "place"), [("Viktor", "Acme"), ("吴涛", "华光")])
async def test_a_path_is_found_from_both_ends_behind_very_many_newer_records(
    memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    monkeypatch.setattr(graph, "_MOST_RECORDS", 3)
    monkeypatch.setattr(graph, "_MOST_ON_A_PATH", 3)
    mine = memory.scope("zoe")
    await mine.remember(f"{name}: {place}", subject=name, attribute="employer", value=place, valid_from="2020-01-01T00:00:00Z")
    await mine.remember(f"{place}: Kiel", subject=place, attribute="city", value="Kiel", valid_from="2020-01-01T00:00:00Z")
    for year in range(2022, 2027):
        await mine.remember(f"{name} {year}", subject=name, attribute=f"x{year}", value=f"Tea{year}", valid_from=f"{year}-01-01T00:00:00Z")
    there, back = await mine.path(name, "Kiel"), await mine.path("Kiel", name)
    assert [edge.text for edge in there] == [f"{name}: {place}", f"{place}: Kiel"] == [edge.text for edge in reversed(back)]
    assert len(await mine.path(name, place, max_hops=1)) == len(await mine.path(place, name, max_hops=1)) == 1
    assert await mine.path(name, "Kiel", max_hops=1) == ()
    with pytest.raises(InputError):
        await mine.path(name, name, max_hops=0)


BOSSES = [
    ("Where does Otto's boss live?", "Otto's boss is {}", "{} lives in {}", ("Greta", "Malmo"), ("Ines", "Turin")),
    ("小马的老板住在哪里？", "小马的老板是{}", "{}住在{}", ("林峰", "大连"), ("何洁", "桂林")),
]


@pytest.mark.parametrize(("question", "link", "fact", "old", "new"), BOSSES)
async def test_a_question_goes_on_from_what_held_and_was_known_then_and_has_not_expired(
    question: str, link: str, fact: str, old: tuple[str, str], new: tuple[str, str]
) -> None:
    store = MemoryStore()
    async with await AsyncMemory.open(store=store, embedder="none", learn="off") as memory:
        mine = memory.scope("zoe")
        before, after = [await mine.remember(fact.format(*pair), valid_from="2019-01-01T00:00:00Z") for pair in (old, new)]
        await mine.remember(link.format(old[0]), expires_at=DAY, valid_from="2020-01-01T00:00:00Z", valid_to="2024-01-01T00:00:00Z")
        await mine.remember(link.format(new[0]), valid_from="2024-01-01T00:00:00Z")
        then, now = DAY - timedelta(days=1), datetime.now(UTC)

        async def reached(**times: datetime) -> set[str]:
            return set(await graph_hits(store, mine.scope, question, {}, where=Where(**times))) & {before.id, after.id}  # type: ignore[arg-type]

        assert await reached() == {before.id, after.id}
        assert await reached(alive_at=now) == {after.id}
        assert await reached(as_of=then, alive_at=then) == {before.id}
        assert await reached(as_of=now) == {after.id}
        assert await reached(known_at=then) == set()


@pytest.mark.parametrize(
    ("long", "asked", "key"),
    [("The weather was mild. ", "Where does Wilma's boss live?", "wilma"), ("今天天气不错。", "小马的老板住在哪里？", "小马")],
)
def test_a_name_is_found_at_either_end_of_a_long_question(long: str, asked: str, key: str) -> None:
    assert key in possible_keys(asked + long * 200)
    assert key in possible_keys(long * 200 + asked)
    assert key not in possible_keys(long * 200 + asked + long * 200)
