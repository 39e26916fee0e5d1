"""The pace board: predicts the end of each table of a round from the times of its hands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

from django.db.models import Min
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.registry import table_game
from scoring.models import LogEntry
from scoring.rules import GAMES
from tournaments.models import Round, Table

RECENT = 0.7
"""Weight of a hand relative to the one after it."""
PRIOR = 2.0
"""Weight of the room's pace and of usual numbers, counted in hands of the table."""
MOST_TIMES_USUAL = 3
"""Most hands that a match is expected to still have, as a multiple of the usual number."""
LONGEST_PAUSE = 45.0
"""Minutes; longer gaps between hands are breaks, and are cut to this."""
SILENCE_MINUTES = 15
"""Minutes without a hand after which a table is silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProgress:
    """The progress of a match."""

    game: str
    seats: int
    options: Mapping[str, Any]
    started_at: datetime
    hands_at: Sequence[datetime]
    """When each hand first came in, in order."""
    best: int
    """The highest total."""
    finished: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EndPrediction:
    """The predicted end of a match."""

    ends_at: datetime
    remaining_hands: float
    minutes_a_hand: float


def minutes_by_hand(progress: MatchProgress) -> list[float]:
    """Return the minutes of each hand, between 0 and `LONGEST_PAUSE`."""
    moments = [progress.started_at, *sorted(progress.hands_at)]
    waits = [
        (later - earlier) / timedelta(minutes=1) for earlier, later in pairwise(moments)
    ]
    return [min(max(wait, 0.0), LONGEST_PAUSE) for wait in waits]


def median_hand_minutes_by_game(tables: Sequence[MatchProgress]) -> dict[str, float]:
    """Return the median minutes of a hand over all tables, by game."""
    minutes_by_game: dict[str, list[float]] = {}
    for progress in tables:
        minutes_by_game.setdefault(progress.game, []).extend(minutes_by_hand(progress))
    return {game: median(waits) for game, waits in minutes_by_game.items() if waits}


def predict_end(
    progress: MatchProgress, minutes_by_game: Mapping[str, float], now: datetime
) -> EndPrediction:
    """Return when a match will be over; never before `now` while it goes on.

    The minutes of a hand are a weighted mean of the table's hands, the latest weighing most,
    and the room's pace (or the usual one). The fewer hands the table has, the more the room
    counts.
    """
    hand_count = len(progress.hands_at)
    prior = minutes_by_game.get(
        progress.game, float(table_game(progress.game).minutes_a_hand)
    )
    weight, total = PRIOR, PRIOR * prior
    for age, minutes in enumerate(reversed(minutes_by_hand(progress))):
        weight += RECENT**age
        total += RECENT**age * minutes
    minutes_a_hand = total / weight
    remaining = 0.0 if progress.finished else estimate_remaining_hands(progress)
    last = max(progress.hands_at) if hand_count else progress.started_at
    ends_at = last
    if remaining:
        # An overdue hand is expected at any moment.
        hand_ends_at = max(
            now, last + timedelta(minutes=minutes_a_hand * min(remaining, 1.0))
        )
        ends_at = hand_ends_at + timedelta(
            minutes=minutes_a_hand * max(remaining - 1.0, 0.0)
        )
    return EndPrediction(
        ends_at=ends_at, remaining_hands=remaining, minutes_a_hand=minutes_a_hand
    )


def estimate_remaining_hands(progress: MatchProgress) -> float:
    """Return how many hands an unfinished match is expected to still have; at least one.

    Exact if the game has a fixed number of hands. With a target, the estimate follows the
    leader's points per hand, the more closely the more hands are in; otherwise the usual
    number.
    """
    hand_count = len(progress.hands_at)
    usual = table_game(progress.game).usual_hand_count(progress.seats)
    defaults = GAMES[progress.game].option_defaults(progress.seats)
    options = {**defaults, **progress.options}
    fixed = table_game(progress.game).fixed_hand_count(progress.seats, options)
    if fixed is not None:
        return float(max(fixed - hand_count, 1))
    expected = float(usual - hand_count)
    target = options.get("target")
    if target and progress.best > 0 and hand_count:
        by_points = hand_count * (target - progress.best) / progress.best
        expected = (by_points * hand_count + expected * PRIOR) / (hand_count + PRIOR)
    return min(max(expected, 1.0), float(MOST_TIMES_USUAL * usual))


@dataclass(frozen=True, slots=True, kw_only=True)
class PaceLine:
    """One line of the board."""

    table: Table
    hand: int
    """The number of the hand being played."""
    prediction: EndPrediction
    is_late: bool
    label: str


def pace_board(round_: Round, now: datetime) -> list[PaceLine]:
    """Return a line for each unfinished table of a round, the last to finish first; three queries."""
    # The first entry of each hand: corrections come later.
    entries = LogEntry.objects.filter(
        match__table__round=round_, kind=LogEntry.Kind.ENTER
    ).values_list("match", "hand_number")
    hands_at: dict[int, list[datetime]] = {}
    for pk, _number, at in entries.annotate(first=Min("made_at")).order_by("first"):
        hands_at.setdefault(pk, []).append(at)
    progress_by_table: dict[Table, MatchProgress] = {}
    for table in round_.tables.with_places_and_entries().filter(void=False):
        if (match := table.match) is None:
            continue
        table.round = round_
        totals = [seat.total for seat in match.seats.all()]
        progress_by_table[table] = MatchProgress(
            game=match.game,
            seats=len(totals),
            options=match.options,
            started_at=match.started_at,
            hands_at=hands_at.get(match.pk, []),
            best=max(totals, default=0),
            finished=match.finished,
        )
    # Finished tables also show how fast the room plays.
    room = median_hand_minutes_by_game(list(progress_by_table.values()))
    lines = []
    for table, progress in progress_by_table.items():
        if progress.finished:
            continue
        prediction = predict_end(progress, room, now)
        excess_minutes = None
        if (ends_at := table.ends_at) is not None:
            pause = now - (round_.paused_at or now)
            excess_minutes = round(
                (prediction.ends_at - ends_at - pause) / timedelta(minutes=1)
            )
        label = _("on time")
        if excess_minutes is not None and excess_minutes > 0:
            label = ngettext(
                "%(over)s minute over", "%(over)s minutes over", excess_minutes
            ) % {"over": excess_minutes}
        last = max(progress.hands_at, default=progress.started_at)
        silent_minutes = int((now - last) / timedelta(minutes=1))
        if silent_minutes >= SILENCE_MINUTES:
            silence_label = ngettext(
                "no hand for %(minutes)s minute",
                "no hand for %(minutes)s minutes",
                silent_minutes,
            )
            label += " · " + silence_label % {"minutes": silent_minutes}
        lines.append(
            PaceLine(
                table=table,
                hand=len(progress.hands_at) + 1,
                prediction=prediction,
                is_late=excess_minutes is not None and excess_minutes > 0,
                label=label,
            )
        )
    return sorted(lines, key=lambda line: line.prediction.ends_at, reverse=True)
