"""Clocks as the server renders them, readable without scripts."""

from datetime import UTC, datetime, timedelta

import pytest

from scoring.templatetags.parts import format_countdown

NOW = datetime(2026, 5, 1, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (2942, "49:02"),
        (60, "1:00"),
        (9.6, "0:10"),
        (0.4, "Time"),
        (-90, "Time"),
    ],
)
def test_clock_shows_the_remaining_time(seconds: float, expected: str) -> None:
    assert format_countdown(NOW + timedelta(seconds=seconds), NOW) == expected


def test_paused_clock_does_not_run() -> None:
    ends_at, paused_at = NOW + timedelta(minutes=9), NOW - timedelta(minutes=1)
    assert format_countdown(ends_at, NOW, paused_at) == "10:00 ⏸"
