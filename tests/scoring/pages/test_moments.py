"""What a table talks about when its match is over."""

from itertools import accumulate

import pytest

from scoring.pages.moments import CountedHand, moments
from scoring.rules import GAMES
from scoring.rules.game import rank_values

NAMES = ("Ann", "Bo", "Cy")


def played(*scores: tuple[int, int, int]) -> list[CountedHand]:
    """Return hands with these scores, numbered from one."""
    totals = accumulate(
        scores, lambda so_far, hand: tuple(map(sum, zip(so_far, hand, strict=True)))
    )
    return [
        CountedHand(number, NAMES, hand, rank_values(total))
        for number, (hand, total) in enumerate(zip(scores, totals, strict=True), 1)
    ]


def told(*scores: tuple[int, int, int]) -> dict[str, str]:
    return dict(moments(GAMES["tricky"], played(*scores)))


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ([(5, 0, 0), (0, 1092, 3)], "Bo, 1\u202f092 in hand 2"),
        (
            [(9, 0, 0), (0, 4, 0), (0, 0, 9)],
            "Ann, 9 in hand 1; Cy, 9 in hand 3",
        ),
        # Many have reached it, or each hand is won with as much.
        ([(2, 2, 0), (2, 0, 1), (1, 0, 0)], None),
        ([(0, 0, 0)], None),
        ([(1, 0, 0), (0, 0, 0), (0, 1, 0)], None),
        ([(-4, 3, 0)], None),
    ],
)
def test_names_the_best_hand_of_one_or_two(
    scores: list[tuple[int, int, int]], best: str | None
) -> None:
    assert told(*scores).get("Best hand") == best


def test_who_made_how_many_of_their_contracts_is_told_best_first() -> None:
    hands = [
        hand._replace(bidder=bidder)
        for hand, bidder in zip(
            played((5, 0, 0), (0, 9, 3), (0, 0, 4), (0, 7, 0)),
            (0, 1, 0, 1),
            strict=True,
        )
    ]
    assert dict(moments(GAMES["tricky"], hands))["Bids made"] == "Bo 2 of 2, Ann 1 of 2"


def test_a_game_without_contracts_tells_of_none() -> None:
    assert "Bids made" not in told((5, 0, 0))


def test_best_hand_may_have_the_fewest_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES["tricky"], "fewest_points_win", True, raising=False)
    best = told((3, 2, 5), (1, 9, 3), (4, 4, 2))["Best hand"]
    assert best == "Ann, 1 in hand 2"


def test_the_lead_is_told_from_where_it_was_kept() -> None:
    assert told((9, 5, 0), (9, 5, 0))["In front"] == "Ann, from hand 1 on"
    kept = told((9, 5, 0), (0, 9, 0), (0, 0, 1))["In front"]
    assert kept == "Bo, from hand 2 on; the lead changed once"


def test_where_two_are_level_at_the_end_nobody_is_in_front() -> None:
    assert "In front" not in told((9, 9, 0))
    assert moments(GAMES["tricky"], []) == []
