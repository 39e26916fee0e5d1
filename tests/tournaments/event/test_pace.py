"""The pace board: when tables will be done."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules import GAMES
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    match_of,
    running_round,
    signed_in,
    tournament_with,
)
from tournaments.event.desk.pace import (
    MatchProgress,
    estimate_remaining_hands,
    median_hand_minutes_by_game,
    pace_board,
    predict_end,
)
from tournaments.models import Role


def at_minute(minutes: float) -> datetime:
    return NOW + timedelta(minutes=minutes)


def progress(hands: Sequence[float] = (), **changes: Any) -> MatchProgress:
    """Return a match of Tricky Bid whose hands came in after these minutes."""
    return MatchProgress(
        **{
            "game": "tricky_bid",
            "seats": 4,
            "options": {},
            "started_at": NOW,
            "hands_at": [at_minute(minutes) for minutes in hands],
            "best": 0,
            **changes,
        }
    )


def test_pace_is_estimated_from_hands_of_the_table_and_the_room() -> None:
    slow, quick = progress([10, 20, 30]), progress([5, 10, 15])
    room = median_hand_minutes_by_game([slow, quick])
    assert room == {"tricky_bid": 7.5}
    assert predict_end(slow, room, at_minute(30)).minutes_a_hand == pytest.approx(
        8.8, abs=0.1
    )
    assert predict_end(quick, room, at_minute(30)).minutes_a_hand == pytest.approx(
        6.2, abs=0.1
    )


def test_table_without_recent_hands_uses_the_typical_pace() -> None:
    prediction = predict_end(progress(), {}, NOW)
    assert (prediction.remaining_hands, prediction.minutes_a_hand) == (4, 7)
    assert prediction.ends_at == at_minute(28)
    assert predict_end(progress([5, 300]), {}, at_minute(300)).minutes_a_hand < 25


TO_52 = {"game": "tricky_dice", "options": {"target": 52}}


@pytest.mark.parametrize(
    ("hands", "changes", "expected"),
    [
        ([5], {"seats": 5}, 4),
        ([5], {"game": "db2t", "options": {"contests": 8}}, 7),
        ([5], {"game": "db2t"}, 9),
        ([5], {"game": "tricks_and_treats"}, 3),
        # The leader's pace towards the target is weighed against the usual pace.
        ([5, 10, 15], TO_52 | {"best": 26}, (3 * 3 + 3 * 2) / 5),
        ([5, 10, 15], TO_52 | {"best": 51}, (3 * 3 / 51 + 3 * 2) / 5),
    ],
)
def test_remaining_hands_depend_on_the_game(
    hands: list[float], changes: dict[str, Any], expected: float
) -> None:
    assert estimate_remaining_hands(progress(hands, **changes)) == pytest.approx(
        expected
    )


@given(
    game=st.sampled_from([*GAMES]),
    hands=st.lists(st.floats(0, 200), max_size=12),
    now=st.floats(0, 400),
    best=st.integers(-50, 3000),
)
def test_unfinished_match_never_ends_in_the_past(
    game: str, hands: list[float], now: float, best: int
) -> None:
    seats = GAMES[game].seats[0]
    match_progress = progress(hands, game=game, seats=seats, best=best)
    prediction = predict_end(match_progress, {}, at_minute(now))
    assert prediction.ends_at >= at_minute(now)
    assert prediction.remaining_hands >= 1
    assert (
        predict_end(
            progress(hands[::-1], game=game, seats=seats, best=best), {}, at_minute(now)
        )
        == prediction
    )


@pytest.mark.django_db
def test_board_lists_the_slowest_table_first_with_its_delay(
    django_assert_max_num_queries: Any,
) -> None:
    tournament = tournament_with(12, minutes=30)
    client = signed_in(tournament.club, Role.VIEWER)
    url = reverse("tournaments:pace", args=[tournament.address])
    assert "No tables are playing" in client.get(url).content.decode()
    round_ = running_round(tournament)
    slow, quick, _waiting = round_.tables.all()
    enter_points(match_of(slow), [4, 3, 2, 1], minutes=15)
    for number in (1, 2):
        enter_points(match_of(quick), [4, 3, 2, 1], minutes=3 * number)
    with django_assert_max_num_queries(6):
        lines = pace_board(round_, at_minute(16))
    assert [line.table.number for line in lines[-1:]] == [quick.number]
    labels = {line.table.number: line.label for line in lines}
    assert "minutes over" in labels[slow.number]
    assert labels[quick.number] == "on time"
    board = client.get(url, {"board": ""}).content.decode()
    assert "Table 2" in board
    assert "<html" not in board
