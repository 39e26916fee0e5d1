"""Charts and highlights of a match: totals, who leads since when, the best hand."""

import re
from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.charts import (
    COLOURS,
    SEATS,
    Chart,
    CountedHand,
    find_match_highlights,
    totals_chart,
)
from scoring.pictures.colours import TOKEN, TOKENS, Oklch, format_hex
from scoring.rules import GAMES
from scoring.rules.game import rank_values

NAMES = ("Ann", "Bo", "Cy", "Di")
ROWS = [[90, 60, 30, 0], [90, 160, 40, 0], [90, 12_345, 40, -20]]


def build_chart(
    rows: Sequence[Sequence[int]] = ROWS,
    leads: Sequence[int] = (1,),
    *,
    names: Sequence[str] = NAMES,
    is_over: bool = False,
) -> Chart:
    return totals_chart(
        names, rows, [rank_values(row) for row in rows], leads, is_over=is_over
    )


def test_downloaded_chart_has_the_pages_colours() -> None:
    tokens: dict[str, str] = {}
    for name, *numbers in TOKEN.findall(TOKENS.read_text()):
        colour = Oklch(*map(float, numbers)).to_rgb()
        tokens.setdefault(name, format_hex(colour))
    assert tuple(tokens[f"seat-{seat}"] for seat in range(8)) == SEATS
    names = {"paper": "sheet", "on_peg": "on-peg"}
    for name, value in COLOURS.items():
        # The quiet colour is a mix of two.
        if name != "quiet":
            assert tokens[names.get(name, name)] == value


def test_leaders_line_is_highlighted() -> None:
    *others, leader_line = build_chart().plot.lines
    assert leader_line.label
    assert leader_line.label.text == "Bo"
    assert leader_line.won
    assert not any(line.won for line in others)


def test_the_table_has_the_totals_of_each_hand() -> None:
    assert build_chart().rows == [
        ("0", [0, 0, 0, 0]),
        *((str(number), row) for number, row in enumerate(ROWS, start=1)),
    ]


@pytest.mark.parametrize(
    ("leads", "is_over", "caption"),
    [
        ([1], False, "Bo has led since hand 2."),
        ([1], True, "Bo led from hand 2 to the end."),
        ([1, 2], False, "Bo and Cy share the lead."),
        ([1, 2], True, "Bo and Cy share the win."),
        ([], False, "No one is ahead."),
        # A game may break ties by something else than points.
        ([0], False, "Ann is ahead."),
    ],
)
def test_caption_names_the_leader_and_since_when(
    leads: list[int],
    is_over: bool,  # noqa: FBT001
    caption: str,
) -> None:
    assert build_chart(leads=leads, is_over=is_over).caption == caption


THREE = ("Ann", "Bo", "Cy")
FEW = st.integers(-1, 2)
"""So few values that ties are common."""


@given(
    st.lists(st.tuples(FEW, FEW, FEW), min_size=2, max_size=8),
    st.booleans(),
    st.sampled_from([1, -1]),
)
def test_sentences_about_a_match_agree_with_its_totals(
    scores: list[tuple[int, int, int]],
    is_over: bool,  # noqa: FBT001
    sign: int,
) -> None:
    totals = list(
        accumulate(
            scores, lambda so_far, hand: tuple(map(sum, zip(so_far, hand, strict=True)))
        )
    )
    # The first hand was left out, so numbers start at 2.
    numbers = range(2, len(scores) + 2)
    ranks = [rank_values([sign * total for total in row]) for row in totals]
    leads = [seat for seat, rank in enumerate(ranks[-1]) if rank == 1]
    chart = totals_chart(THREE, totals, ranks, leads, is_over=is_over, numbers=numbers)
    moments_by_name = dict(
        find_match_highlights(
            GAMES["tricky"],
            list(map(CountedHand, numbers, [THREE] * len(scores), scores, ranks)),
        )
    )
    assert chart.labels == ["0", *map(str, numbers)]
    lead_start = re.search(r" hand (\d+)", chart.caption)
    assert bool(lead_start) == (len(leads) == 1) == ("Lead" in moments_by_name)
    if lead_start:
        name, number = THREE[leads[0]], int(lead_start[1])
        assert chart.caption.startswith(name)
        assert moments_by_name["Lead"].startswith(f"{name} from hand {number} on")
        leads_alone = [
            all(
                sign * (row[leads[0]] - other) > 0
                for other in _other_totals(row, leads[0])
            )
            for row in totals
        ]
        assert all(leads_alone[number - 2 :])
        assert number == 2 or not leads_alone[number - 3]


def _other_totals(row: tuple[int, ...], seat: int) -> list[int]:
    return [total for other, total in enumerate(row) if other != seat]


def counted_hands(*scores: tuple[int, int, int]) -> list[CountedHand]:
    """Return hands with these scores, numbered from one."""
    totals = accumulate(
        scores, lambda so_far, hand: tuple(map(sum, zip(so_far, hand, strict=True)))
    )
    return [
        CountedHand(number, THREE, hand, rank_values(total))
        for number, (hand, total) in enumerate(zip(scores, totals, strict=True), 1)
    ]


def match_moments(*scores: tuple[int, int, int]) -> dict[str, str]:
    return dict(find_match_highlights(GAMES["tricky"], counted_hands(*scores)))


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ([(5, 0, 0), (0, 1092, 3)], "Bo with 1,092 in hand 2"),
        (
            [(9, 0, 0), (0, 4, 0), (0, 0, 9)],
            "Ann with 9 in hand 1; Cy with 9 in hand 3",
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
    assert match_moments(*scores).get("Best hand") == best


def test_contract_success_is_listed_best_first() -> None:
    hands = [
        hand._replace(bidder=bidder)
        for hand, bidder in zip(
            counted_hands((5, 0, 0), (0, 9, 3), (0, 0, 4), (0, 7, 0)),
            (0, 1, 0, 1),
            strict=True,
        )
    ]
    assert (
        dict(find_match_highlights(GAMES["tricky"], hands))["Contracts made"]
        == "Bo 2 of 2, Ann 1 of 2"
    )


def test_best_hand_may_have_the_fewest_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES["tricky"], "fewest_points_win", True, raising=False)
    best = match_moments((3, 2, 5), (1, 9, 3), (4, 4, 2))["Best hand"]
    assert best == "Ann with 1 in hand 2"


def test_lead_is_described_from_its_first_hand() -> None:
    assert match_moments((9, 5, 0), (9, 5, 0))["Lead"] == "Ann from hand 1 on"
    lead = match_moments((9, 5, 0), (0, 9, 0), (0, 0, 1))["Lead"]
    assert lead == "Bo from hand 2 on; the lead changed once"
