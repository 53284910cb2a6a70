"""Claims against what is known: which one is current afterwards, what is kept as history, and what is only more evidence."""

from __future__ import annotations

from typing import Any

import pytest
from reconciling import Mind, claim, confirmed, day

from pagefile.lifecycle.reconcile import keys_of
from pagefile.records import Trust

# --- one value at a time ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attribute", "old", "new"),
    [
        pytest.param("favourite player", "Messi", "Mbappé", id="favourite"),
        pytest.param("favourite colour", "blue", "red", id="colour"),
        pytest.param("最喜欢的颜色", "蓝色", "红色", id="颜色"),
        pytest.param("residence", "Leeds", "York", id="move"),
        pytest.param("居住地", "上海", "深圳", id="搬家"),
        pytest.param("employer", "腾讯", "字节跳动", id="跳槽"),
        pytest.param("age", "29", "thirty", id="age"),
    ],
)
def test_a_newer_value_replaces_the_older_one_and_leaves_it_in_history(attribute: str, old: str, new: str) -> None:
    mind = Mind()
    (first,) = mind.learn(claim(attribute, old, 0))
    (second,) = mind.learn(claim(attribute, new, 30))
    assert (first.what, second.what, second.replaced) == ("added", "superseded", (first.record,))
    current, gone = mind.only("current"), mind.only("superseded")
    assert (current.value, current.valid_from, current.valid_to, current.supersedes) == (new, day(30), None, gone.id)
    assert (gone.value, gone.valid_from, gone.valid_to) == (old, day(0), day(30))


def test_what_was_replaced_can_become_current_again_as_a_new_record() -> None:
    mind = Mind()
    mind.learn(claim("residence", "Leeds", 0), claim("residence", "York", 10), claim("residence", "Leeds", 20))
    assert [record.value for record in mind.records("current")] == ["Leeds"]
    assert [(record.value, record.valid_from, record.valid_to) for record in mind.records("superseded")] == [
        ("Leeds", day(0), day(10)),
        ("York", day(10), day(20)),
    ]


@pytest.mark.parametrize("attribute", ["residence", "favourite tea"])
def test_an_older_message_that_comes_in_later_becomes_history_up_to_what_followed(attribute: str) -> None:
    mind = Mind()
    mind.learn(claim(attribute, "York", 30))
    (outcome,) = mind.learn(claim(attribute, "Leeds", 10))
    assert outcome.what == "kept as history"
    assert mind.values(attribute) == {"York"}
    gone = mind.only("superseded")
    assert (gone.value, gone.valid_from, gone.valid_to) == ("Leeds", day(10), day(30))


def test_periods_that_were_over_stand_beside_each_other_and_beside_what_goes_on() -> None:
    mind = Mind()
    mind.learn(
        claim("employer", "Acme", 0, valid_from=day(-3000), valid_to=day(-2000)),
        claim("employer", "Bolt", 1, valid_from=day(-2000), valid_to=day(-1000)),
        claim("employer", "Cargo", 2),
    )
    assert [(record.value, record.status) for record in mind.records()] == [("Acme", "current"), ("Bolt", "current"), ("Cargo", "current")]
    assert [record.value for record in mind.records("current") if record.valid_to is None] == ["Cargo"]


def test_two_periods_that_overlap_compete_and_the_newer_word_counts() -> None:
    mind = Mind()
    mind.learn(claim("school", "Hill School", 0, valid_from=day(-900), valid_to=day(-500)))
    mind.learn(claim("school", "Lake School", 9, valid_from=day(-800), valid_to=day(-500)))
    assert mind.values("school") == {"Lake School"}


def test_being_told_that_it_is_over_ends_it_then() -> None:
    mind = Mind()
    mind.learn(claim("employer", "Acme", 0))
    mind.learn(claim("employer", "Acme", 50, valid_from=day(0), valid_to=day(40)))
    assert mind.only("superseded").valid_to == day(40)
    assert mind.only("current").valid_to == day(40)


def test_who_comes_back_to_where_he_was_has_a_new_time_there() -> None:
    mind = Mind()
    mind.learn(claim("employer", "Acme", 0, valid_from=day(-900), valid_to=day(-500)), claim("employer", "Acme", 5))
    assert [(record.valid_from, record.valid_to) for record in mind.records("current")] == [(day(-900), day(-500)), (day(5), None)]


def test_what_begins_later_does_not_replace_what_holds_now() -> None:
    mind = Mind()
    mind.learn(claim("residence", "Leeds", 0))
    (outcome,) = mind.learn(claim("residence", "Berlin", 1, valid_from=day(60)))
    assert outcome.what == "pending"
    assert mind.values("residence") == {"Leeds"}
    (outcome,) = mind.learn(claim("residence", "Berlin", 61))
    assert outcome.what == "confirmed"
    assert mind.values("residence") == {"Berlin"}
    assert mind.only("superseded").valid_to == day(61)


def test_a_pin_moves_on_to_what_takes_the_place() -> None:
    mind = Mind(confirmed("residence", "Leeds", 0, trust=Trust.USER_SAID, pinned=True))
    mind.learn(claim("residence", "York", 5))
    assert mind.only("current").pinned


# --- tastes ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "left"),
    [
        pytest.param(("Chinese food", "positive"), ("Chinese food", "negative"), {"not Chinese food"}, id="love then hate"),
        pytest.param(("周杰伦的歌", "negative"), ("周杰伦的歌", "positive"), {"周杰伦的歌"}, id="不喜欢然后喜欢"),
        pytest.param(("coffee", "positive"), ("咖啡", "negative"), {"not 咖啡"}, id="in the other language"),
        pytest.param(("spicy food", "positive"), ("spicy foods", "negative"), {"not spicy foods"}, id="other number"),
        pytest.param(("tea", "positive"), ("coffee", "negative"), {"tea", "not coffee"}, id="another taste"),
        pytest.param(("tea", "positive"), ("green tea", "negative"), {"tea", "not green tea"}, id="one sort of it"),
        pytest.param(("红茶", "positive"), ("绿茶", "negative"), {"红茶", "not 绿茶"}, id="红茶和绿茶"),
        pytest.param(("coffee", "negative"), ("coffee at breakfast", "positive"), {"not coffee", "coffee at breakfast"}, id="but"),
    ],
)
def test_a_taste_flips_by_its_value_and_touches_no_other(first: tuple[str, Any], second: tuple[str, Any], left: set[str]) -> None:
    mind = Mind()
    mind.learn(claim("likes", first[0], 0, polarity=first[1]))
    mind.learn(claim("likes", second[0], 1, polarity=second[1]))
    assert mind.values("likes") == left


def test_a_flip_flop_in_one_batch_leaves_the_last_word() -> None:
    mind = Mind()
    flips = [claim("likes", "running", number, polarity="positive" if number % 2 else "negative") for number in (3, 1, 4, 2)]
    mind.learn(*flips)
    assert mind.values("likes") == {"not running"}
    assert len(mind.records("superseded")) == 3


@pytest.mark.parametrize("name", ["dislikes", "hates", "讨厌", "不喜欢"])
def test_a_name_that_says_no_makes_the_fact_negative(name: str) -> None:
    mind = Mind()
    mind.learn(claim("likes", "mushrooms", 0))
    mind.learn(claim(name, "mushrooms", 1))
    assert mind.values("likes") == {"not mushrooms"}


# --- many values -----------------------------------------------------------------------------------------------------------


def test_values_of_an_attribute_that_has_many_stand_beside_each_other() -> None:
    mind = Mind()
    mind.learn(claim("pet", "Rex", 0, tags=("dog",)), claim("pet", "Tom", 1, tags=("cat",)), claim("allergy", "peanuts", 2))
    mind.learn(claim("allergy", "peanut butter", 3))
    assert mind.values("pet") == {"Rex", "Tom"}
    assert mind.values("allergy") == {"peanuts", "peanut butter"}


@pytest.mark.parametrize(
    ("attribute", "value", "tags", "denied"),
    [
        pytest.param("pet", "cat", (), "a cat", id="no cat any more"),
        pytest.param("pet", "Mimi", ("cat",), "cat", id="by what it was"),
        pytest.param("pet", "Mimi", ("cat",), "pets", id="no pets any more"),
        pytest.param("pet", "咪咪", ("猫",), "宠物", id="不养宠物了"),
        pytest.param("habit", "run every morning", (), "run", id="no longer runs"),
        pytest.param("diet", "vegetarian", (), "吃素", id="不吃素了"),
        pytest.param("allergy", "nuts", (), "nut", id="not allergic after all"),
        pytest.param("partner", "Sarah", ("girlfriend",), "girlfriend", id="broke up"),
        pytest.param("employer", "Acme in Leeds", (), "Acme", id="left"),
    ],
)
def test_what_no_longer_holds_is_replaced_by_its_denial(attribute: str, value: str, tags: tuple[str, ...], denied: str) -> None:
    mind = Mind()
    mind.learn(claim(attribute, value, 0, tags=tags))
    (outcome,) = mind.learn(claim(attribute, denied, 8, polarity="negative", ended=True))
    assert outcome.what == "ended"
    assert mind.values(attribute) == {f"not {denied}"}
    assert mind.only("superseded").valid_to == day(8)


def test_all_of_them_end_when_none_is_left() -> None:
    mind = Mind()
    mind.learn(claim("pet", "Rex", 0, tags=("dog",)), claim("pet", "Tom", 1, tags=("cat",)))
    (outcome,) = mind.learn(claim("pet", "pets", 5, polarity="negative", ended=True))
    assert len(outcome.replaced) == 2
    assert mind.values("pet") == {"not pets"}


@pytest.mark.parametrize(
    ("attribute", "value", "what"),
    [
        pytest.param("likes", "mushrooms", "added", id="taste"),
        pytest.param("diet", "香菜", "added", id="忌口"),
        pytest.param("allergy", "nuts", "added", id="allergy"),
        pytest.param("pet", "pets", "added", id="no pets"),
        pytest.param("occupation", "doctor", "kept as history", id="no doctor"),
        pytest.param("residence", "北京", "kept as history", id="不住北京"),
    ],
)
def test_a_denial_of_what_is_not_known_is_current_only_if_it_says_something(attribute: str, value: str, what: str) -> None:
    mind = Mind()
    (outcome,) = mind.learn(claim(attribute, value, 0, polarity="negative"))
    assert outcome.what == what
    assert bool(mind.records("current")) == (what == "added")


def test_older_words_do_not_come_back_after_their_denial() -> None:
    mind = Mind()
    mind.learn(claim("employer", "Acme", 10, polarity="negative", ended=True))
    mind.learn(claim("employer", "Acme", 2))
    assert mind.values("employer") == set()


def test_a_denial_of_another_value_leaves_the_current_one() -> None:
    mind = Mind()
    mind.learn(claim("occupation", "nurse", 0))
    mind.learn(claim("occupation", "doctor", 5, polarity="negative"))
    assert mind.values("occupation") == {"nurse"}


def test_leaving_and_arriving_in_one_message_is_one_replacement() -> None:
    mind = Mind()
    mind.learn(claim("residence", "Paris", 0))
    left, arrived = mind.learn(
        claim("residence", "Paris", 9, polarity="negative", ended=True, message="moved"),
        claim("residence", "Berlin", 9, message="moved"),
    )
    assert (left.what, arrived.what) == ("passed over", "superseded")
    assert [(record.value, record.status) for record in mind.records()] == [("Paris", "superseded"), ("Berlin", "current")]


# --- corrections -----------------------------------------------------------------------------------------------------------


def test_a_corrected_value_never_held_and_the_right_one_takes_its_beginning() -> None:
    mind = Mind()
    mind.learn(claim("birthday", "May 4", 0))
    mind.learn(claim("birthday", "May 5", 3, correction=True))
    current, gone = mind.only("current"), mind.only("superseded")
    assert (current.value, current.valid_from) == ("May 5", day(0))
    assert gone.valid_from == gone.valid_to == day(0)


def test_a_correction_among_many_values_replaces_what_was_said_last_in_the_session() -> None:
    mind = Mind()
    mind.learn(claim("pet", "Tom", 0, tags=("cat",)), claim("pet", "Rex", 5, session="s"))
    mind.learn(claim("pet", "Max", 5.01, session="s", correction=True))
    assert mind.values("pet") == {"Tom", "Max"}


def test_a_correction_that_denies_a_value_replaces_that_one_and_keeps_no_denial() -> None:
    mind = Mind()
    mind.learn(claim("allergy", "花生", 0, session="s"), claim("allergy", "虾", 0.01, session="s"))
    mind.learn(
        claim("allergy", "花生", 0.02, session="s", polarity="negative", correction=True, message="m"),
        claim("allergy", "核桃", 0.02, session="s", correction=True, message="m"),
    )
    assert mind.values("allergy") == {"虾", "核桃"}


def test_a_correction_can_take_a_detail_back() -> None:
    mind = Mind()
    mind.learn(claim("employer", "Google in London", 0), claim("employer", "Google", 0.1, correction=True))
    assert mind.values("employer") == {"Google"}


def test_a_record_under_other_names_is_the_same_property() -> None:
    mind = Mind(confirmed("Favourite_Player", "Messi", 0, trust=Trust.USER_SAID))
    mind.learn(claim("favourite player", "Mbappé", 3))
    assert [record.value for record in mind.records("current")] == ["Mbappé"]


def test_a_correction_long_after_replaces_none_of_many() -> None:
    mind = Mind()
    mind.learn(claim("pet", "Tom", 0))
    mind.learn(claim("pet", "Max", 90, correction=True))
    assert mind.values("pet") == {"Tom", "Max"}


# --- events ----------------------------------------------------------------------------------------------------------------


def test_the_same_words_about_another_time_are_another_event() -> None:
    mind = Mind()
    mind.learn(
        claim("visited", "Paris", 0, valid_from=day(-30), valid_to=day(-29)),
        claim("visited", "Paris", 90, valid_from=day(80), valid_to=day(81)),
    )
    assert len(mind.records("current")) == 2


def test_the_same_event_told_again_is_one_record_with_its_time() -> None:
    mind = Mind()
    mind.learn(claim("visited", "冰岛", 0))
    mind.learn(
        claim("visited", "冰岛", 2, valid_from=day(-7), valid_to=day(0)), claim("visited", "冰岛", 3, valid_from=day(-7), valid_to=day(0))
    )
    assert (mind.only("current").valid_from, mind.only("current").evidence_count) == (day(-7), 3)


def test_a_deadline_moves_while_it_is_still_ahead_and_a_plan_when_it_is_corrected() -> None:
    mind = Mind()
    mind.learn(
        claim("deadline", "report", 0, valid_from=day(20), valid_to=day(21)),
        claim("plan", "meeting", 0, valid_from=day(5), valid_to=day(6)),
    )
    mind.learn(
        claim("deadline", "report", 3, valid_from=day(22), valid_to=day(23)),
        claim("plan", "meeting", 3, valid_from=day(7), valid_to=day(8)),
    )
    assert [record.valid_from for record in mind.records("current") if record.attribute == "deadline"] == [day(22)]
    assert len([record for record in mind.records("current") if record.attribute == "plan"]) == 2
    mind.learn(claim("deadline", "report", 60, valid_from=day(80), valid_to=day(81)))
    assert [record.valid_from for record in mind.records("current") if record.attribute == "deadline"] == [day(22), day(80)]


def test_nothing_has_happened_in_the_future() -> None:
    mind = Mind()
    mind.learn(claim("experience", "ran a marathon", 0, valid_from=day(50), valid_to=day(51)))
    assert (mind.only().valid_from, mind.only().valid_to) == (day(0), None)


# --- keys ------------------------------------------------------------------------------------------------------------------


def test_facts_of_others_are_never_touched() -> None:
    mind = Mind()
    mind.learn(claim("favourite player", "Messi", 0), claim("favourite player", "Pelé", 1, subject="my brother"))
    mind.learn(claim("favourite player", "Mbappé", 2), claim("likes", "football", 3, subject="Jack", polarity="negative"))
    assert mind.values("favourite player") == {"Mbappé"}
    assert mind.values("favourite player", subject="user's brother") == {"Pelé"}
    assert mind.values("likes", subject="Jack") == {"not football"}
    assert mind.values("likes") == set()


def test_unrelated_notes_are_not_even_looked_at() -> None:
    claims = [claim("note", "", text="Vector search needs an index."), claim("note", "", text="Tomatoes need sun.")]
    first, second = (set(keys_of([each])) for each in claims)
    assert first.isdisjoint(second)
    mind = Mind()
    assert [outcome.what for outcome in mind.learn(*claims)] == ["added", "added"]


def test_other_names_of_subject_and_attribute_are_looked_up_under_the_same_key() -> None:
    assert set(keys_of([claim("works_at", "Acme", subject="the user")])) & set(keys_of([claim("公司", "Acme", subject="我")]))
