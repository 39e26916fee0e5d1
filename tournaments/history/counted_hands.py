"""Filters for the hands that count in a club's history: those of finished tournaments."""

from collections.abc import Collection
from typing import Any

from django.db.models import BigIntegerField, Case, F, Q, When

from scoring.models import Hand, HandScore
from scoring.rules import GAMES
from tournaments.models import Club, Tournament


def filter_counted_hands(club: Club, rows: Any, hand_prefix: str = "hand__") -> Any:
    """Return the rows whose hand counts; `hand_prefix` is the lookup from a row to its hand.

    A hand counts if it is played and its table is neither void nor unfinished in a tournament
    that voids unfinished tables.
    """
    match, tournament = (
        f"{hand_prefix}match__",
        f"{hand_prefix}match__table__round__tournament__",
    )
    is_finished = Q(**{f"{match}finished": True})
    counts_unfinished = ~Q(
        **{f"{tournament}unfinished": Tournament.UnfinishedTableRule.VOID}
    )
    return rows.filter(
        is_finished | counts_unfinished,
        **{
            f"{hand_prefix}state": Hand.State.PLAYED,
            f"{tournament}club": club,
            f"{tournament}phase": Tournament.Phase.FINISHED,
            f"{match}table__void": False,
        },
    )


def played_by_condition(players: Collection[int], score_prefix: str = "") -> Q:
    """Return the condition for scores of hands that these players played.

    Hands from before a substitution count for the player at that time. `score_prefix` is
    the lookup from a row to the score.
    """
    has_seat = {
        f"{score_prefix}played_by": None,
        f"{score_prefix}seat__player__in": players,
    }
    return Q(**has_seat) | Q(**{f"{score_prefix}played_by__in": players})


def counted_hand_scores(club: Club, players: Collection[int]) -> Any:
    """Return the players' scores of the hands that count in a club."""
    return filter_counted_hands(
        club, HandScore.objects.filter(played_by_condition(players))
    )


def calls_or_tricks_condition(players: Collection[int], seat_lookup: str) -> Q:
    """Return the condition for calls or tricks of these players.

    `seat_lookup` leads from a row to the seat that made it.
    """
    has_seat = Q(
        hand__scores__played_by=None, **{f"{seat_lookup}__player__in": players}
    )
    is_theirs = has_seat | Q(hand__scores__played_by__in=players)
    return Q(hand__scores__seat=F(seat_lookup)) & is_theirs


def games_with_comparable_hands() -> list[str]:
    """Return the ids of the games whose hands can be compared across matches."""
    return [game.id for game in GAMES.values() if game.has_comparable_hands]


def points_sort_value(game_lookup: str) -> Case:
    """Return the points of a row as `Game.comparable_points` does; `game_lookup` leads to its game."""
    fewest = [item.id for item in GAMES.values() if item.fewest_points_win]
    return Case(
        When(**{f"{game_lookup}__in": fewest}, then=-F("points")),
        default=F("points"),
        output_field=BigIntegerField(),
    )
