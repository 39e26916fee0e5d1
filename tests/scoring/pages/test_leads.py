"""Who is in front, and since when: the same wherever a page says it."""

import re
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.pages.charts import totals_chart
from scoring.pages.leads import alone_in_front, led_since
from scoring.pages.moments import CountedHand, moments

NAMES = ("Ann", "Bo", "Cy")
FEW = st.integers(-1, 2)
"""So few numbers that many are level."""


@pytest.mark.parametrize(
    ("numbers", "who"),
    [([3, 1, 2], 0), ([3, 3, 2], None), ([-2, -1], 1), ([0, 0], None), ([], None)],
)
def test_who_is_alone_in_front_leads(numbers: list[int], who: int | None) -> None:
    assert alone_in_front(numbers) == who


@pytest.mark.parametrize(
    ("leaders", "since"),
    [
        ([0, 0, 0], 0),
        ([0, None, 0], 2),
        ([None, 0, 0], 1),
        ([1, 0], 1),
        ([0, 1], None),
        ([0, None], None),
        ([], None),
    ],
)
def test_a_lead_counts_from_after_it_was_shared_or_another_s(
    leaders: list[int | None], since: int | None
) -> None:
    assert led_since(leaders, 0) == since


@given(st.lists(st.tuples(FEW, FEW, FEW), min_size=2, max_size=8), st.booleans())
def test_sentences_about_a_match_agree_with_one_another_and_with_its_totals(
    scores: list[tuple[int, int, int]],
    is_over: bool,  # noqa: FBT001
) -> None:
    totals = list(
        accumulate(
            scores, lambda so_far, hand: tuple(map(sum, zip(so_far, hand, strict=True)))
        )
    )
    # A hand was left out: the numbers do not go from one.
    numbers = range(2, len(scores) + 2)
    most = max(totals[-1])
    leads = [seat for seat, total in enumerate(totals[-1]) if total == most]
    chart = totals_chart(NAMES, totals, leads, is_over=is_over, numbers=numbers)
    told = dict(moments(NAMES, list(map(CountedHand, numbers, scores, totals))))
    assert chart
    assert chart.labels == ["0", *map(str, numbers)]
    since = re.search(r" hand (\d+)", chart.caption)
    assert bool(since) == (len(leads) == 1) == ("In front" in told)
    if since:
        name, number = NAMES[leads[0]], int(since[1])
        assert chart.caption.startswith(name)
        assert told["In front"].startswith(f"{name}, from hand {number} on")
        alone = [
            all(row[leads[0]] > other for other in _others(row, leads[0]))
            for row in totals
        ]
        assert all(alone[number - 2 :])
        assert number == 2 or not alone[number - 3]


def _others(row: tuple[int, ...], seat: int) -> list[int]:
    return [total for other, total in enumerate(row) if other != seat]
