"""Worked records of every game, with their answers."""

from typing import Any

import pytest

from scoring.rules import score_record, trick_answer
from tests.worked_records import FILES, RECORDS, TRICKS


@pytest.mark.parametrize("game", FILES)
def test_every_game_has_worked_records(game: str) -> None:
    assert FILES[game].exists(), f"python -m tests.worked_records {game} writes some"


@pytest.mark.parametrize(("record", "answer"), RECORDS)
def test_scores_a_worked_record(record: dict[str, Any], answer: dict[str, Any]) -> None:
    scored = score_record(record)
    assert {key: scored[key] for key in answer if key != "hands"} == {
        key: value for key, value in answer.items() if key != "hands"
    }
    for hand, expected in zip(scored["hands"], answer["hands"], strict=True):
        found = [
            {key: finding[key] for key in ("trick", "seat", "clause")}
            for finding in hand["findings"]
        ]
        assert {**expected, "findings": found} == expected
        assert hand["scores"] == expected["scores"]
        assert hand["totals"] == expected["totals"]


@pytest.mark.parametrize("case", TRICKS, ids=lambda case: case["question"]["game"])
def test_a_single_trick_is_won_as_its_answer_says(case: dict[str, Any]) -> None:
    answer = trick_answer(case["question"])
    assert answer.pop("message")
    assert answer == case["answer"]
