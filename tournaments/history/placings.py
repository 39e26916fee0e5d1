"""The placings of all players at the tables of finished tournaments."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, TypedDict

from django.db.models import F, FilteredRelation, Q

from scoring.rules import GAMES
from tournaments.event.table_results import past_score_or_seat_total
from tournaments.models import Place, Placing, Round, Tournament
from tournaments.people.identities import root_player
from tournaments.ratings import leaderboard_table_shares
from tournaments.standings import ranks_at_table

ROUND_STEP = 10_000
"""The distance in `order` between tables of the same number in consecutive rounds."""


FACTS = (
    "tournament_id",
    "table_id",
    "seat",
    "player_id",
    "entry_id",
    "game",
    "held_on",
    "order",
    "size",
    "score",
    "rank",
    "points",
    "wins",
    "place",
)
"""All fields of a placing except its ratings."""


placing_facts: Callable[[Placing], tuple[Any, ...]] = attrgetter(*FACTS)
"""Return the values of a placing, without its ratings."""


class SeatRow(TypedDict):
    """The columns selected for a seat, its table and its round."""

    table_id: int
    index: int
    entry_id: int
    table__number: int
    table__game: str
    table__match__game: str | None
    table__match__finished: bool | None
    table__match__hands_played: int | None
    entry__player_id: int
    score: int | None
    round__number: int
    round__tournament_id: int
    seat__player: int | None
    seat__total: int | None
    seat__rank: int | None


COLUMNS = tuple(SeatRow.__annotations__)


def compute_placings(
    tournaments: Sequence[Tournament], merged_into: Mapping[int, int]
) -> list[Placing]:
    """Return the unsaved placings at every table that counts, without ratings. One query.

    Tables count as in the standings: void tables do not, unfinished ones as their tournament
    is set. Past results have their own scores.
    """
    by_id = {tournament.pk: tournament for tournament in tournaments}
    places = Place.objects.filter(
        round__tournament__in=by_id, table__void=False
    ).exclude(round__state__in=[Round.State.DRAWN, Round.State.PUBLISHED])
    seat = FilteredRelation(
        "table__match__seats", condition=Q(table__match__seats__index=F("index"))
    )
    seats: Iterable[SeatRow] = (
        places.annotate(seat=seat)
        .filter(Q(seat__isnull=False) | Q(score__isnull=False))
        .order_by("round__tournament", "round__number", "table__number", "index")
        .values(*COLUMNS)
    )
    unsaved: list[Placing] = []
    for _table, group in groupby(seats, key=lambda row: row["table_id"]):
        rows = list(group)
        first, tournament = rows[0], by_id[rows[0]["round__tournament_id"]]
        if first["score"] is None and not first["table__match__finished"]:
            is_void = tournament.unfinished == Tournament.UnfinishedTableRule.VOID
            if is_void or not first["table__match__hands_played"]:
                continue
        game = first["table__match__game"] or first["table__game"] or tournament.game
        scores = [
            past_score_or_seat_total(row["score"], row["seat__total"]) for row in rows
        ]
        ranks = ranks_at_table(GAMES[game], scores, [row["seat__rank"] for row in rows])
        unsaved += [
            Placing(
                club_id=tournament.club_id,
                tournament=tournament,
                table_id=row["table_id"],
                player_id=root_player(
                    row["seat__player"] or row["entry__player_id"], merged_into
                ),
                entry_id=row["entry_id"],
                game=game,
                held_on=tournament.held_on,
                order=ROUND_STEP * row["round__number"] + row["table__number"],
                seat=row["index"],
                size=len(rows),
                score=score,
                rank=part.rank,
                points=part.points,
                wins=part.wins,
                place=part.place,
            )
            for row, score, part in zip(
                rows, scores, leaderboard_table_shares(ranks), strict=True
            )
        ]
    return unsaved
