"""What cannot be in Tricky Bid, and the clause that each fault breaks."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.scoring.rules.scoring_hands import (
    changed,
    contract_refused,
    options_refused,
    refused,
    trick_refused,
)

CASES = Path(__file__).parents[3] / "cases" / "tricky_bid.json"
PLAYED: dict[str, Any] = json.loads(CASES.read_text())[1]["record"]["hands"][0]


def tricks(path: list[str | int], value: object) -> Any:
    return changed(PLAYED, ["tricks", *path], value)


@pytest.mark.parametrize(
    ("raw", "field", "clause"),
    [
        ({"points": [100, 100, 26]}, "points", "tricky_bid.score"),
        ({"points": [1, 2, 3], "dealer": 3}, "dealer", "record.format"),
        ({"points": [1, 2, 3], "bids": []}, "bids", "record.format"),
        (changed(PLAYED, ["trump"], "Y16"), "trump", "tricky_bid.pieces"),
        (changed(PLAYED, ["trump"], "B13"), "tricks[0].antes[2]", "tricky_bid.trump"),
        (
            changed(PLAYED, ["tricks"], PLAYED["tricks"][:5]),
            "tricks",
            "tricky_bid.deal",
        ),
        (tricks([0, "antes"], ["Y3"]), "tricks[0].antes", "record.format"),
        (tricks([0, "plays", 0], 2), "tricks[0].plays[0]", "record.format"),
        (tricks([0, "plays", 0], "P16"), "tricks[0].plays[0]", "tricky_bid.pieces"),
        (tricks([0, "plays", 0], "P8"), "tricks[0].plays[0]", "tricky_bid.pieces"),
        (tricks([0, "turned"], "P8"), "tricks[0].turned", "tricky_bid.pieces"),
        (tricks([0, "turned"], "R4"), "tricks", "tricky_bid.deal"),
        (tricks([0, "winner"], 1), "tricks[0].winner", "record.format"),
        ({**PLAYED, "points": [0, 0, 0]}, "points", "tricky_bid.score"),
    ],
)
def test_it_refuses(raw: object, field: str, clause: str) -> None:
    assert refused("tricky_bid", 3, raw)[0] == (field, clause)


def test_there_is_no_contract_to_note() -> None:
    assert contract_refused("tricky_bid", 3, {}) == [("contract", "record.format")]
    assert contract_refused("tricky_bid", 3, 7) == [("", "record.format")]


@pytest.mark.parametrize("multiple", [0, "2", None])
def test_options_are_checked(multiple: object) -> None:
    assert options_refused("tricky_bid", 3, {"multiple": multiple}) == [
        ("options.multiple", "record.format")
    ]


TRICK = {
    "game": "tricky_bid",
    "players": 4,
    "leader": 0,
    "trump": "G",
    "antes": ["Y6", "B11", "Y3", "B0"],
    "plays": ["P15", "P2", "P4", "G1"],
}


@pytest.mark.parametrize(
    ("changes", "field", "clause"),
    [
        ({"antes": ["Y6"]}, "antes", "record.format"),
        ({"plays": ["Y6", "P2", "P4", "G1"]}, "plays[0]", "tricky_bid.pieces"),
        ({"dealer": 1}, "dealer", "record.format"),
    ],
)
def test_a_trick_is_refused(changes: dict[str, Any], field: str, clause: str) -> None:
    assert trick_refused({**TRICK, **changes})[0] == (field, clause)
