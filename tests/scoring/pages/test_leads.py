"""Who is in front, and since when: the same wherever a page says it."""

import re
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.charts import totals_chart
from scoring.pages.moments import CountedHand, moments
from scoring.rules import GAMES
from scoring.rules.game import rank_values

NAMES = ("Ann", "Bo", "Cy")
FEW = st.integers(-1, 2)
"""So few numbers that many are level."""


@given(
    st.lists(st.tuples(FEW, FEW, FEW), min_size=2, max_size=8),
    st.booleans(),
    st.sampled_from([1, -1]),
)
def test_sentences_about_a_match_agree_with_one_another_and_with_its_totals(
    scores: list[tuple[int, int, int]],
    is_over: bool,  # noqa: FBT001
    up: int,
) -> None:
    totals = list(
        accumulate(
            scores, lambda so_far, hand: tuple(map(sum, zip(so_far, hand, strict=True)))
        )
    )
    # A hand was left out: the numbers do not go from one.
    numbers = range(2, len(scores) + 2)
    ranks = [rank_values([up * total for total in row]) for row in totals]
    leads = [seat for seat, rank in enumerate(ranks[-1]) if rank == 1]
    chart = totals_chart(NAMES, totals, ranks, leads, is_over=is_over, numbers=numbers)
    told = dict(
        moments(
            GAMES["tricky"],
            list(map(CountedHand, numbers, [NAMES] * len(scores), scores, ranks)),
        )
    )
    assert chart
    assert chart.labels == ["0", *map(str, numbers)]
    since = re.search(r" hand (\d+)", chart.caption)
    assert bool(since) == (len(leads) == 1) == ("In front" in told)
    if since:
        name, number = NAMES[leads[0]], int(since[1])
        assert chart.caption.startswith(name)
        assert told["In front"].startswith(f"{name}, from hand {number} on")
        alone = [
            all(up * (row[leads[0]] - other) > 0 for other in _others(row, leads[0]))
            for row in totals
        ]
        assert all(alone[number - 2 :])
        assert number == 2 or not alone[number - 3]


def _others(row: tuple[int, ...], seat: int) -> list[int]:
    return [total for other, total in enumerate(row) if other != seat]
