"""The measures of the pager run, and what they show holds at a small size."""

from __future__ import annotations

from pathlib import Path

from evaluation import nested, soak


def test_a_set_of_pairs_has_a_chain_of_each_level() -> None:
    made = nested.nest(7)
    assert len(made.pairs) == nested.PAIRS
    for level in nested.LEVELS:
        steps, value = 0, made.questions[level]
        while value in made.pairs:
            steps, value = steps + 1, made.pairs[value]
        assert steps == level + 1 and value == made.answer(level)


async def test_chains_of_every_level_are_followed_to_their_end(tmp_path: Path) -> None:
    asked = await nested.run(tmp_path, nests=1, seed=3)
    assert [one.level for one in asked if one.right] == list(nested.LEVELS)


async def test_an_endpoint_that_misbehaves_costs_no_answer_and_no_message(tmp_path: Path) -> None:
    result = await soak.run(tmp_path, turns=60, seed=5)
    assert result.answered == 60
    assert result.lost == []
    assert not result.refused
    assert len(result.faults) > 8
