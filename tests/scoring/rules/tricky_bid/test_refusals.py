"""What cannot be in Tricky Bid, and the clause that each fault breaks."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.rules.scoring_hands import (
    changed,
    refused,
)

CASES = Path(__file__).parents[3] / "cases" / "tricky_bid.json"
PLAYED_KEY: dict[str, Any] = json.loads(CASES.read_text())[1]["record"]["hands"][0]


def tricks(path: list[str | int], value: object) -> Any:
    return changed(PLAYED_KEY, ["tricks", *path], value)


@pytest.mark.parametrize(
    ("raw", "field", "clause"),
    [
        ({"points": [100, 100, 26]}, "points", "tricky_bid.score"),
        (changed(PLAYED_KEY, ["trump"], "Y16"), "trump", "tricky_bid.pieces"),
        (
            changed(PLAYED_KEY, ["trump"], "B13"),
            "tricks[0].antes[2]",
            "tricky_bid.trump",
        ),
        (
            changed(PLAYED_KEY, ["tricks"], PLAYED_KEY["tricks"][:5]),
            "tricks",
            "tricky_bid.deal",
        ),
        (tricks([0, "plays", 0], "P16"), "tricks[0].plays[0]", "tricky_bid.pieces"),
        (tricks([0, "plays", 0], "P8"), "tricks[0].plays[0]", "tricky_bid.pieces"),
        (tricks([0, "turned"], "P8"), "tricks[0].turned", "tricky_bid.pieces"),
        (tricks([0, "turned"], "R4"), "tricks", "tricky_bid.deal"),
        ({**PLAYED_KEY, "points": [0, 0, 0]}, "points", "tricky_bid.score"),
    ],
)
def test_refuses_invalid_hand(raw: object, field: str, clause: str) -> None:
    assert refused("tricky_bid", 3, raw)[0] == (field, clause)
