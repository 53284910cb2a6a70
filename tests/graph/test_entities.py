"""Entities from the front door: what is known of somebody, who is near, how things hang together, and names that are one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagefile import graph
from pagefile.errors import ConflictError, InputError, NotFound
from pagefile.memory import AsyncMemory
from pagefile.scoped import AsyncScopedMemory

pytestmark = pytest.mark.anyio

FACTS = (
    "Tom's sister is Anna", "Anna works at Siemens", "Anna sings in a choir", "小李的老板是王强", "王强住在深圳", "小李喜欢喝茶",
)  # fmt: skip


@pytest.fixture(params=[":memory:", "a file"])
async def memory(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AsyncMemory]:
    location = tmp_path / "m.db" if request.param == "a file" else ":memory:"
    async with await AsyncMemory.open(location, embedder="none") as opened:
        yield opened


@pytest.fixture
async def alice(memory: AsyncMemory) -> AsyncScopedMemory:
    mine = memory.scope("alice")
    for fact in FACTS:
        await mine.remember(fact)
    return mine


async def names(mine: AsyncScopedMemory, query: str | None = None) -> list[str]:
    return [entity.name for entity in (await mine.entities(query)).items]


async def test_entities_are_listed_those_most_often_named_first_in_pages(alice: AsyncScopedMemory) -> None:
    assert await names(alice) == ["Anna", "小李", "王强", "Siemens", "Tom", "深圳", "茶"]
    page = await alice.entities(limit=4)
    rest = await alice.entities(limit=4, after=page.cursor)
    assert [each.name for each in (*page.items, *rest.items)] == await names(alice)
    assert (page.total, rest.cursor) == (7, None)
    assert await names(alice, "ANN") == ["Anna"]
    assert await names(alice, "小") == ["小李"]
    assert await names(alice, "nobody") == []


async def test_a_card_has_what_holds_and_what_held(alice: AsyncScopedMemory) -> None:
    await alice.correct("Anna works at Bosch", query="where Anna works")
    card = await alice.entity("anna")
    assert card.entity.name == "Anna"
    assert {fact.text for fact in card.current} == {"Tom's sister is Anna", "Anna sings in a choir", "Anna works at Bosch"}
    assert [fact.text for fact in card.past] == ["Anna works at Siemens"]
    assert card.entity.records == 4
    assert [fact.text for fact in (await alice.entity("王强")).current] == ["王强住在深圳", "小李的老板是王强"]


async def test_what_was_forgotten_or_waits_is_not_known(alice: AsyncScopedMemory) -> None:
    await alice.forget(query="Anna works at Siemens")
    assert "Siemens" not in await names(alice)
    for name in ("Siemens", "nobody", "谁"):
        with pytest.raises(NotFound):
            await alice.entity(name)
    with pytest.raises(InputError):
        await alice.entity("...")


@pytest.mark.parametrize("name", ["user", "me", "我"])
async def test_the_user_is_known_before_anything_is_told_of_them(memory: AsyncMemory, name: str) -> None:
    mine = memory.scope("nobody yet")
    card = await mine.entity(name)
    assert (card.entity.name, card.entity.records, card.current, card.past, card.history) == ("user", 0, (), (), ())
    assert await mine.neighbours(name) == await mine.entity_timeline(name) == await mine.path(name, "user") == ()


async def test_a_card_shows_so_many_facts_and_counts_all(alice: AsyncScopedMemory) -> None:
    await alice.correct("Anna works at Bosch", query="where Anna works")
    card = await alice.entity("Anna", limit=1)
    assert (len(card.current), len(card.past), card.entity.records) == (1, 1, 4)
    assert card.current == (await alice.entity("Anna")).current[:1]
    assert card.entity.first == (await alice.entity("Anna")).entity.first
    with pytest.raises(InputError):
        await alice.entity("Anna", limit=0)


async def test_neighbours_are_reached_step_by_step(alice: AsyncScopedMemory) -> None:
    assert [near.name for near in await alice.neighbours("Tom")] == ["Anna"]
    far = await alice.neighbours("Tom", hops=2)
    assert [(near.name, near.hops) for near in far] == [("Anna", 1), ("Siemens", 2)]
    (edge,) = far[1].edges
    assert (edge.start, edge.attribute, edge.end, edge.text, edge.holds) == ("Anna", "employer", "Siemens", "Anna works at Siemens", True)
    assert [near.name for near in await alice.neighbours("小李", hops=3)] == ["王强", "茶", "深圳"]
    assert len(await alice.neighbours("Tom", hops=2, limit=1)) == 1
    for hops in (0, 7, True):
        with pytest.raises(InputError):
            await alice.neighbours("Tom", hops=hops)


async def test_a_path_is_the_fewest_facts_from_one_to_the_other(alice: AsyncScopedMemory) -> None:
    path = await alice.path("Siemens", "Tom")
    assert [edge.text for edge in path] == ["Anna works at Siemens", "Tom's sister is Anna"]
    assert [edge.text for edge in await alice.path("小李", "深圳")] == ["小李的老板是王强", "王强住在深圳"]
    assert await alice.path("小李", "Tom") == ()
    assert await alice.path("小李", "小李") == ()
    assert await alice.path("Siemens", "Tom", max_hops=1) == ()
    await alice.remember("Tom met Siemens people at Siemens")
    assert len(await alice.path("Siemens", "Tom")) == 1
    with pytest.raises(NotFound):
        await alice.path("Tom", "nobody")


async def test_the_graph_is_asked_for_as_it_was(memory: AsyncMemory) -> None:
    mine = memory.scope("zoe")
    await mine.remember("Anna lives in Lyon", valid_from="2024-01-01T00:00:00+00:00")
    await mine.remember("Anna lives in Rome", valid_from="2025-01-01T00:00:00+00:00")
    assert [near.name for near in await mine.neighbours("Anna")] == ["Rome"]
    assert [near.name for near in await mine.neighbours("Anna", as_of="2024-06-01")] == ["Lyon"]
    assert await mine.neighbours("Anna", as_of="2023-06-01") == ()
    (edge,) = await mine.path("Lyon", "Anna", as_of="2024-06-01")
    assert (edge.since, edge.until, edge.holds) == (datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC), False)
    assert await mine.path("Lyon", "Anna") == ()


@pytest.mark.parametrize(("name", "place"), [("Anna", "Lyon"), ("小李", "成都")])
async def test_an_old_fact_is_found_behind_very_many_newer_ones(
    memory: AsyncMemory, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    monkeypatch.setattr(graph, "_MOST_RECORDS", 3)
    mine = memory.scope("zoe")
    await mine.remember(
        f"{name}: {place}", subject=name, attribute="city", value=place, valid_from="2020-01-01T00:00:00Z", valid_to="2021-01-01T00:00:00Z"
    )
    for year in range(2022, 2026):
        await mine.remember(f"{name} {year}", subject=name, attribute=f"x{year}", value=f"Tea{year}", valid_from=f"{year}-01-01T00:00:00Z")
    assert [near.name for near in await mine.neighbours(name, as_of="2020-06-01")] == [place]
    assert len(await mine.path(name, place, as_of="2020-06-01")) == 1


async def test_an_edge_cites_the_message_it_was_learnt_from(memory: AsyncMemory) -> None:
    mine = memory.scope("zoe")
    receipt = await mine.add(["My sister Anna works at Siemens.", "我姐姐叫小红，她住在上海。"])
    await mine.flush()
    (edge,) = await mine.path("me", "Anna")
    assert (edge.start, edge.attribute, edge.end) == ("user", "sibling", "Anna")
    assert [source.message for source in edge.sources] == [receipt.messages[0].id]
    assert [edge.end for edge in await mine.path("我", "上海")] == ["小红", "上海"]


async def test_a_time_line_tells_of_records_and_messages_in_order(alice: AsyncScopedMemory) -> None:
    day = datetime(2020, 5, 1, 12, tzinfo=UTC)
    said = [{"role": "user", "content": text, "said_at": day + timedelta(days=number)} for number, text in enumerate(TEXTS)]
    await alice.add(said)
    told = await alice.entity_timeline("Anna")
    assert [each.text for each in told if each.kind == "message"] == ["Did I tell you that Anna called?", "ANNA again!"]
    assert [each.at for each in told] == sorted(each.at for each in told)
    assert {each.text for each in told if each.kind == "record"} == set(FACTS[:3])
    assert [each.text for each in await alice.entity_timeline("anna", since="2020-05-02", until="2020-06-01")] == ["ANNA again!"]
    assert [each.text for each in await alice.entity_timeline("小李", until="2021-01-01")] == ["昨天看到小李了吗？"]
    assert len(await alice.entity_timeline("Anna", limit=2)) == 2


async def test_of_a_long_time_line_the_newest_is_told(alice: AsyncScopedMemory) -> None:
    for year in (2019, 2018):
        await alice.remember(f"Anna {year}", subject="Anna", attribute=f"x{year}", value="1", valid_from=f"{year}-01-01T00:00:00+00:00")
    told = await alice.entity_timeline("Anna", limit=2, until="2020-01-01")
    assert [each.text for each in told] == ["Anna 2018", "Anna 2019"]
    assert [each.text for each in await alice.entity_timeline("Anna", limit=1, until="2020-01-01")] == ["Anna 2019"]


async def test_a_message_is_not_told_beside_the_record_that_it_was_learnt_as(memory: AsyncMemory) -> None:
    mine = memory.scope("zoe")
    await mine.add([{"role": "user", "content": "My sister Anna works at Siemens.", "said_at": datetime(2024, 5, 1, tzinfo=UTC)}])
    await mine.flush()
    for limit in (1, 200):
        assert {each.kind for each in await mine.entity_timeline("Anna", limit=limit)} == {"record"}


TEXTS = ("Did I tell you that Anna called?", "Annabel wrote, too?", "ANNA again!", "昨天看到小李了吗？")


# --- names that are one ---------------------------------------------------------------------------------------------------


async def test_two_names_of_one_are_merged_and_split_exactly(alice: AsyncScopedMemory) -> None:
    before = await alice.entities(), [record.text for record in (await alice.list()).items]
    done = await alice.merge_entities("Tom", "王强", reason="the same man")
    assert (done.target, done.cause.reason) == ("entity:tom", "the same man")
    card = await alice.entity("tom")
    assert (card.entity.name, card.entity.aliases, card.entity.records) == ("王强", ("Tom",), 3)
    assert [edge.end for edge in await alice.path("小李", "Siemens")] == ["王强", "Anna", "Siemens"]
    assert (await alice.entity("王强")).history == (done,)
    assert await alice.merge_entities("王强", "tom") == done
    with pytest.raises(ConflictError):
        await alice.merge_entities("tom", "Tom!")
    await alice.split_entity("TOM")
    assert (await alice.entities(), [record.text for record in (await alice.list()).items]) == before
    with pytest.raises(NotFound):
        await alice.split_entity("Tom")
    assert [entry.change for entry in await alice.history("entity:tom")] == ["merge", "split"]


async def test_a_merge_and_a_split_are_undone_by_their_ids(alice: AsyncScopedMemory) -> None:
    done = await alice.merge_entities("Tom", "Anna")
    (back,) = await alice.undo(done.id)
    assert back.change == "split"
    await alice.undo(back.id)
    assert (await alice.entity("Tom")).entity.name == "Anna"
    assert await alice.undo(back.id) == ()


async def test_a_merge_that_was_made_otherwise_since_is_not_undone(alice: AsyncScopedMemory) -> None:
    done = await alice.merge_entities("乌丽", "Ulrika")
    back = await alice.split_entity("乌丽")
    assert await alice.undo(done.id) == ()
    await alice.merge_entities("乌丽", "Nina")
    for change in (done, back):
        with pytest.raises(ConflictError, match="Nina"):
            await alice.undo(change.id)
    assert (await alice.entity("乌丽")).entity.name == "Nina"


async def test_the_user_is_nobodys_alias(alice: AsyncScopedMemory) -> None:
    await alice.remember("I like tea")
    await alice.merge_entities("me", "小李")
    assert (await alice.entity("小李")).entity.name == "user"
    assert "I like tea" in [fact.text for fact in (await alice.entity("小李")).current]
    await alice.split_entity("小李")
    assert "I like tea" not in [fact.text for fact in (await alice.entity("小李")).current]


async def test_names_may_be_merged_before_anybody_speaks_of_them(alice: AsyncScopedMemory) -> None:
    await alice.merge_entities("老王", "王强")
    await alice.remember("老王会修车")
    assert "老王会修车" in [fact.text for fact in (await alice.entity("王强")).current]
    with pytest.raises(InputError):
        await alice.merge_entities("sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD", "Tom")


@settings(max_examples=25, deadline=None)
@given(pairs=st.lists(st.tuples(st.sampled_from("ABCDEF"), st.sampled_from("ABCDEF")), max_size=7), data=st.data())
async def test_splits_in_any_order_leave_what_was_there_before_the_merges(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    async with await AsyncMemory.open(":memory:", embedder="none", learn="off") as memory:
        mine = memory.scope("x")
        for letter in "ABCDEF":
            await mine.remember(f"{letter} is known", subject=letter, attribute="x", value="1")
        before, done = await mine.entities(), []
        for name, into in pairs:
            if name != into and (entry := await mine.merge_entities(name, into)) not in done:
                done.append(entry)
        assert sum(1 for _ in (await mine.entities()).items) == 6 - len(done)
        for entry in data.draw(st.permutations(done)):
            await mine.split_entity(entry.after["name"])
        assert await mine.entities() == before


# --- scopes, erasing, carrying ----------------------------------------------------------------------------------------------


async def test_nothing_of_another_user_is_known(memory: AsyncMemory, alice: AsyncScopedMemory) -> None:
    await alice.merge_entities("Tom", "Anna")
    bob = memory.scope("bob")
    await bob.remember("Anna plays chess with Otto")
    assert await names(bob) == ["Anna", "Otto"]
    assert [near.name for near in await bob.neighbours("Anna", hops=6)] == ["Otto"]
    assert (await bob.entity("Anna")).entity.aliases == ()
    with pytest.raises(NotFound):
        await bob.split_entity("Tom")


@pytest.mark.parametrize(
    ("said", "name", "other", "later"),
    [("Clara Voss lives in Leeds.", "Clara Voss", "Clarissa", "She lives in Leeds."), ("王小娟住在成都", "王小娟", "阿娟", "她住在成都")],
)
async def test_a_name_that_was_edited_away_is_erased_too(memory: AsyncMemory, said: str, name: str, other: str, later: str) -> None:
    mine = memory.scope("zoe")
    record = await mine.remember(said, subject=name)
    await mine.merge_entities(name, other)
    await mine.edit(record.id, text=later, subject="Nell")
    await mine.erase(record.id)
    assert await memory.occurrences([name, name.casefold(), other, other.casefold()]) == (0, 0, 0, 0)


async def test_names_that_are_one_are_erased_together(memory: AsyncMemory) -> None:
    mine = memory.scope("zoe")
    record = await mine.remember("Quentin lives in Leeds")
    await mine.remember("Birgit lives in Leeds")
    await mine.merge_entities("Quentin", "Doc Q")
    await mine.merge_entities("Old Doc Q", "Doc Q")
    await mine.merge_entities("Doc Q", "Birgit")
    await mine.merge_entities("Gitta", "Birgit")
    await mine.erase(record.id)
    assert await memory.occurrences(["Quentin", "quentin", "Doc Q", "doc q"]) == (0, 0, 0, 0)
    assert (await mine.entity("Birgit")).entity.aliases == ("Gitta",)


async def test_what_is_erased_leaves_no_name_and_does_not_come_back(memory: AsyncMemory) -> None:
    mine, other = memory.scope("zoe"), memory.scope("other")
    record = await mine.remember("Quetzal lives in Lyon")
    await mine.remember("Lyon is rainy")
    await mine.merge_entities("Quetzy", "Quetzal")
    lines = [line async for line in mine.export()]
    await mine.erase(record.id)
    assert await memory.occurrences(["Quetz", "quetz"]) == (0, 0)
    assert await names(mine) == ["Lyon"]
    assert (await mine.load(lines)).aliases == 0
    assert await memory.occurrences(["Quetz", "quetz"]) == (0, 0)
    assert (await other.load(lines)).aliases == 1
    await other.erase()
    assert await memory.occurrences(["Quetz", "quetz"]) == (0, 0)


async def test_an_export_carries_aliases_and_loading_twice_adds_nothing(memory: AsyncMemory, alice: AsyncScopedMemory) -> None:
    await alice.merge_entities("老王", "王强")
    await alice.merge_entities("Tommy", "Tom")
    lines = [line async for line in alice.export()]
    assert [(line["name"], line["into"]) for line in lines if line["type"] == "alias"] == [("Tommy", "Tom"), ("老王", "王强")]
    assert lines[-1]["aliases"] == 2
    bob = memory.scope("bob")
    assert (await bob.load(lines)).aliases == 2
    again = await bob.load(lines)
    assert (again.aliases, again.failed) == (0, 0)
    await bob.split_entity("Tommy")
    assert (await bob.load(lines)).aliases == 0
    for record in (await bob.list(statuses=("pending",))).items:
        await bob.confirm(record.id)
    assert (await bob.entity("老王")).entity.name == "王强"
    with pytest.raises(NotFound):
        await bob.entity("Tommy")


@pytest.mark.parametrize("name", ["Anna", "王强", "user", "me", "我", "Annie"])
async def test_loaded_lines_do_not_say_who_somebody_is_that_is_known_here(alice: AsyncScopedMemory, name: str) -> None:
    await alice.merge_entities("Annie", "Anna")
    stood = await alice.entity(name)
    given = [
        {"type": "scope", "format": "pagefile scope", "version": 1},
        {"type": "alias", "name": "Mallory", "into": name},
        {"type": "alias", "name": name, "into": "马洛里"},
        {"type": "alias", "name": "Zed", "into": "Zach"},
        {"type": "alias", "name": "Zach", "into": "zed"},
        {"type": "alias", "name": "...", "into": "Zach"},
        {"type": "end"},
    ]
    done = await alice.load(given)
    assert (done.aliases, done.left_out, done.failed, [each.index for each in done.refused]) == (1, 3, 1, [5])
    assert await alice.entity(name) == stood
    assert (await alice.entity("Zed")).entity.name == "Zach"


async def test_very_many_names_are_loaded_at_once(alice: AsyncScopedMemory) -> None:
    given = [{"type": "alias", "name": f"n{place}", "into": f"n{place + 1}"} for place in range(700)]
    done = await alice.load([{"type": "scope", "format": "pagefile scope", "version": 1}, *given, {"type": "end"}])
    assert (done.aliases, done.left_out, done.failed, done.complete) == (700, 0, 0, True)
    assert (await alice.entity("n0")).entity.name == "n700"
