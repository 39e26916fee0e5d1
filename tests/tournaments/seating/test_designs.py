"""Schedules from algebra: whole rounds, nobody twice, and as long as they are known."""

from collections import Counter

import pytest

from tournaments.seating.designs import longest_design, triple_meeting_design
from tournaments.seating.quality import meetings


@pytest.mark.parametrize("size", range(2, 9))
def test_schedule_seats_all_in_each_round_without_repeats(
    size: int,
) -> None:
    for players in range(size, 81, size):
        schedule = longest_design(players, size)
        for tables in schedule:
            assert {len(table) for table in tables} == {size}
            assert sorted(p for table in tables for p in table) == list(range(players))
        assert set(meetings(schedule).values()) == {1}


@pytest.mark.parametrize(
    ("players", "size", "rounds"),
    [(2, 2, 1), (30, 2, 29), (33, 3, 11), (45, 3, 22), (30, 5, 2), (60, 4, 5), (64, 8, 9),
     (140, 4, 35)],
)  # fmt: skip
def test_schedule_has_the_known_length(players: int, size: int, rounds: int) -> None:
    assert len(longest_design(players, size)) == rounds


def test_no_schedule_for_incomplete_tables() -> None:
    for players in (0, 10):
        with pytest.raises(
            ValueError, match=f"{players} players do not fill tables of 4"
        ):
            longest_design(players, 4)


def test_balanced_schedule_has_each_pair_meet_three_times() -> None:
    assert Counter(meetings(triple_meeting_design(8, 4)).values()) == {3: 28}
    assert Counter(meetings(triple_meeting_design(12, 4)).values()) == {3: 66}
    assert triple_meeting_design(16, 4) == []
