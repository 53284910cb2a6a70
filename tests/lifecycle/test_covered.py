"""When a message is hidden from recall because what it said no longer holds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from reconciling import Mind, claim, day

from pagefile.lifecycle.reconcile import covered
from pagefile.messages import Message
from pagefile.records import Record, Source, Status
from pagefile.testing.fakes import make_record

TEXT = "I live in Leeds. My dog is Rex!"
LEEDS, REX = (0, 16), (17, 31)


def message(text: str = TEXT) -> Message:
    return Message(id="m", session="s", seq=1, role="user", text=text, said_at=day(0), recorded_at=day(0), tokens=9)


def citing(status: Status, *spans: tuple[int, int] | None, of: str = "m") -> Record:
    sources = tuple(Source(message=of, span=span) for span in spans)
    return make_record("x", status=status, sources=sources, valid_from=day(0), valid_to=day(1) if status == "superseded" else None)


@pytest.mark.parametrize(
    ("records", "hidden"),
    [
        pytest.param([], False, id="nothing was learnt from it"),
        pytest.param([citing("superseded", LEEDS)], True, id="most of it was replaced"),
        pytest.param([citing("retired", LEEDS)], True, id="most of it was forgotten"),
        pytest.param([citing("superseded", LEEDS), citing("current", REX)], False, id="something in it still holds"),
        pytest.param([citing("superseded", LEEDS), citing("pending", REX)], False, id="something in it may hold"),
        pytest.param([citing("superseded", (0, 6))], False, id="little of it"),
        pytest.param([citing("superseded", (0, 6)), citing("retired", (0, 6), (7, 16))], True, id="parts that overlap count once"),
        pytest.param([citing("superseded", None)], True, id="the whole message"),
        pytest.param([citing("superseded", LEEDS, of="another")], False, id="another message"),
    ],
)
def test_a_message_is_hidden_if_half_of_it_no_longer_holds_and_nothing_of_it_does(records: Sequence[Record], hidden: bool) -> None:
    assert covered(message(), records) is hidden


def test_blanks_and_marks_are_no_letters() -> None:
    assert covered(message("我住在上海。       ！！！！！！"), [citing("superseded", (0, 6))])
    assert not covered(message("……"), [citing("superseded", None)])


def test_a_move_hides_the_old_statement_and_leaves_a_denial_that_is_kept_as_history() -> None:
    mind = Mind()
    old = claim("residence", "Leeds", 0, sources=(Source(message="m", span=(0, 31)),))
    mind.learn(old)
    assert not covered(message(), mind.records())
    mind.learn(claim("residence", "York", 5))
    assert covered(message(), [record for record in mind.records() if record.value == "Leeds"])
    denial = Mind()
    denial.learn(claim("occupation", "doctor", 0, polarity="negative", sources=(Source(message="m", span=(0, 31)),)))
    assert not covered(message(), denial.records())
