"""When tables will be done, from the moments at which their hands came in; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

from scoring.games.registry import table_game
from scoring.rules import GAMES
from tournaments.event.estimates import minutes_a_hand, usual_hands

RECENT = 0.7
"""What a hand weighs against the one after it."""
PRIOR = 2.0
"""Hands that a table has to play until its own pace counts as much as the room's."""
MOST_TIMES_USUAL = 3
"""A match is not expected to take more than so many times the usual hands."""
LONGEST_PAUSE = 45.0
"""Minutes; a longer wait for a hand says nothing about its game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a match is."""

    game: str
    seats: int
    options: Mapping[str, Any]
    started_at: datetime
    hands_at: Sequence[datetime]
    """When each hand came in first, in order."""
    best: int
    """The highest total."""
    finished: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """When a match will be over, as far as can be told."""

    ends_at: datetime
    hands_left: float
    minutes_a_hand: float


def minutes_of_hands(progress: Progress) -> list[float]:
    """Return how long each hand took, breaks cut to what a hand can take."""
    moments = [progress.started_at, *sorted(progress.hands_at)]
    waits = [
        (after - before) / timedelta(minutes=1) for before, after in pairwise(moments)
    ]
    return [min(max(wait, 0.0), LONGEST_PAUSE) for wait in waits]


def pace_of_room(tables: Sequence[Progress]) -> dict[str, float]:
    """Return by game the median minutes of a hand, over all tables that play it."""
    minutes_by_game: dict[str, list[float]] = {}
    for progress in tables:
        minutes_by_game.setdefault(progress.game, []).extend(minutes_of_hands(progress))
    return {game: median(waits) for game, waits in minutes_by_game.items() if waits}


def predict(progress: Progress, room: Mapping[str, float], now: datetime) -> Prediction:
    """Return when a match will be over; never before now while it goes on.

    A hand takes what the table's hands took, the latest weighing most; the fewer there
    are, the more the room's pace counts, or else what is usual.
    """
    played = len(progress.hands_at)
    prior = room.get(progress.game, float(minutes_a_hand(progress.game)))
    weight, total = PRIOR, PRIOR * prior
    for age, minutes in enumerate(reversed(minutes_of_hands(progress))):
        weight += RECENT**age
        total += RECENT**age * minutes
    each = total / weight
    left = 0.0 if progress.finished else hands_left(progress)
    last = max(progress.hands_at) if played else progress.started_at
    ends_at = last
    if left:
        # Who has waited longer than a hand takes will have it in any moment.
        this_hand = max(now, last + timedelta(minutes=each * min(left, 1.0)))
        ends_at = this_hand + timedelta(minutes=each * max(left - 1.0, 0.0))
    return Prediction(ends_at=ends_at, hands_left=left, minutes_a_hand=each)


def hands_left(progress: Progress) -> float:
    """Return how many hands an unfinished match is expected to have still; one at least.

    Known where the game has a number of hands; towards a target the leader's points a
    hand tell it, the more the more hands there were; else what is usual.
    """
    played = len(progress.hands_at)
    usual = usual_hands(progress.game, progress.seats)
    fixed = _fixed_hands(progress)
    if fixed is not None:
        return float(max(fixed - played, 1))
    expected = float(usual - played)
    target = _options(progress).get("target")
    if target and progress.best > 0 and played:
        by_points = played * (target - progress.best) / progress.best
        expected = (by_points * played + expected * PRIOR) / (played + PRIOR)
    return min(max(expected, 1.0), float(MOST_TIMES_USUAL * usual))


def _fixed_hands(progress: Progress) -> int | None:
    """Return the hands of a match that are settled before it begins; None for others."""
    return table_game(progress.game).fixed_hands(progress.seats, _options(progress))


def _options(progress: Progress) -> Mapping[str, Any]:
    """Return the options of a match, those that it did not say included."""
    defaults = GAMES[progress.game].option_defaults(progress.seats)
    return {**defaults, **progress.options}
