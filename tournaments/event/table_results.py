"""Read the results of a tournament for the standings: few queries, no arithmetic."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple, TypedDict, cast

from django.db.models import F, FilteredRelation, OuterRef, Q, Subquery

from scoring.rules import GAMES
from scoring.rules.game import Game, rank_values
from tournaments.models import Bye, Entry, Penalty, Place, Round, Table, Tournament
from tournaments.models.rounds import is_confirmed
from tournaments.standings import (
    ByeKind,
    ByePoints,
    CountingRules,
    PlayerBye,
    PointParts,
    PointPenalty,
    RankedPlayer,
    StandingsInput,
    TableResult,
    Unfinished,
    point_parts,
    ranks_at_table,
    staged_standings,
)


class PlaceRow(TypedDict):
    """The selected columns of a place, its table and its round."""

    table_id: int
    index: int
    entry_id: int
    table__number: int
    table__void: bool
    table__disputed: bool
    table__game: str
    table__match_id: int | None
    table__match__game: str | None
    table__match__options: dict[str, Any] | None
    table__match__finished: bool | None
    table__match__hands_played: int | None
    table__match__version: int | None
    round__number: int
    round__stage: int
    round__state: str
    seat__total: int | None
    seat__rank: int | None
    seat__confirmed_at: datetime | None
    score: int | None


COLUMNS = tuple(PlaceRow.__annotations__)
UNSTARTED_STATES = (Round.State.DRAWN, Round.State.PUBLISHED)


def rank_players(tournament: Tournament) -> tuple[RankedPlayer, ...]:
    """Return the standings computed from the results; see `read_results_by_stage`."""
    return staged_standings(read_results_by_stage(tournament))


class ComputedStandings(NamedTuple):
    rows: tuple[RankedPlayer, ...]
    parts: Mapping[str, PointParts]
    """The parts of each player's points; empty for past results without tables."""
    names: Mapping[str, str]
    """Names of the players, by the text of their entry's primary key."""
    entries: int
    """Number of log entries that count."""
    open_tables: Sequence[int]
    """Primary keys of the tables that count and are disputed, or confirmed by too few."""
    unconfirmed: Mapping[int, int]
    """By player, the number of counting tables that are disputed or unconfirmed; 0 for others."""
    disputed: Mapping[int, int]
    """By player, how many of these are disputed; 0 for others."""

    def serialize_point_parts(self, player: str) -> dict[str, Any]:
        """Return the parts of a player's points as JSON; empty if they aren't known."""
        parts = self.parts.get(player)
        return parts.to_json() if parts else {}


def serialize_values(row: RankedPlayer) -> dict[str, str | None]:
    """Return the values of the tie-breaks as strings, by the key of each."""
    return {
        name: None if value is None else str(value)
        for name, value in row.values.items()
    }


def derive_standings(
    tournament: Tournament, *, as_it_stands: bool = False
) -> ComputedStandings:
    """Return the standings and their sources; see `read_results_by_stage`.

    Past results without tables have the places with which they were imported.
    """
    results = _CountedResults(tournament, as_it_stands=as_it_stands)
    parts: Mapping[str, PointParts] = {}
    if places := results.final_places:
        points = results.final_points
        if points.keys() != places.keys():
            # Not all points are known: count the players behind.
            points = {
                entry: Fraction(
                    sum(other_place > place for other_place in places.values())
                )
                for entry, place in places.items()
            }
        rows = tuple(
            RankedPlayer(
                rank=place,
                player=str(entry),
                points=points[entry],
                tables=0,
                values={},
                reason=None,
            )
            for entry, place in sorted(
                places.items(), key=lambda item: (item[1], item[0])
            )
        )
    else:
        stages = results.results_by_stage()
        rows, parts = staged_standings(stages), point_parts(stages)
    open_tables = results.place_rows_of_unconfirmed_tables()
    open_places = [row for rows in open_tables for row in rows]
    return ComputedStandings(
        rows=rows,
        parts=parts,
        names=results.names,
        entries=sum(results.entries.values()),
        open_tables=[rows[0]["table_id"] for rows in open_tables],
        unconfirmed=Counter(row["entry_id"] for row in open_places),
        disputed=Counter(
            row["entry_id"] for row in open_places if row["table__disputed"]
        ),
    )


def read_results_by_stage(
    tournament: Tournament,
    *,
    as_it_stands: bool = False,
    except_tables: Collection[int] = (),
) -> list[StandingsInput]:
    """Return the input of the standings; players are primary keys of entries, as text.

    One item for each stage. A finished table counts, an unfinished one once its round is
    closed, by the tournament's setting. With `as_it_stands` every table with a hand counts, as
    if all stopped now. Tables in `except_tables`, given by primary key, are left out. Four queries.
    """
    results = _CountedResults(
        tournament, as_it_stands=as_it_stands, except_tables=except_tables
    )
    return results.results_by_stage()


class _CountedResults:
    """All results that count, read once."""

    def __init__(
        self,
        tournament: Tournament,
        *,
        as_it_stands: bool,
        except_tables: Collection[int] = (),
    ) -> None:
        self.tournament = tournament
        self.as_it_stands = as_it_stands
        self.except_tables = except_tables
        self.counting = read_counting_rules(tournament)
        self.reached: dict[int, int] = {}
        """By player, the last stage that has begun for them."""
        self.first_rounds: dict[int, int] = {}
        """By player, the first started round with a seat or a bye."""
        self.started_rounds: set[int] = set()
        """Started rounds of the first stage."""
        self.tables: dict[int, list[PlaceRow]] = {}
        self.entries: dict[int, int] = {}
        """By table, the number of log entries that count; see `Table.objects.finished_or_in_closed_round`."""
        self.seated: dict[int, set[int]] = defaultdict(set)
        """By round, its tables."""
        self.unsettled: set[int] = set()
        """Rounds with a table that is disputed or not finished."""
        self.last_rounds: dict[int, int] = {}
        """By stage, the last round with a result, or with one that is left out."""
        self._read_seats_and_tables()
        byes = Bye.objects.filter(round__tournament=tournament).exclude(
            round__state__in=UNSTARTED_STATES
        )
        bye_rows = list(byes.values_list("round__number", "entry_id"))
        for number, entry in bye_rows:
            first = self.first_rounds.setdefault(entry, number)
            self.first_rounds[entry] = min(first, number)
        # The single round of a league counts as many rounds as it has matches.
        round_number = "number" if tournament.is_league else "round__number"
        started_tables = Table.objects.filter(
            round__tournament=tournament, match__started_at__lte=OuterRef("made_at")
        ).order_by(f"-{round_number}")
        penalties = (
            Penalty.objects.filter(tournament=tournament, cancelled_at=None)
            .annotate(round=Subquery(started_tables.values(round_number)[:1]))
            .values_list("entry_id", "stage", "points", "reason", "round")
        )
        self.penalties = [
            (
                entry,
                stage,
                PointPenalty(
                    player=str(entry),
                    points=Fraction(points),
                    reason=reason,
                    round=round_ or 0,
                ),
            )
            for entry, stage, points, reason, round_ in penalties
        ]
        """Entry, stage and penalty of each penalty."""
        self.playing: list[int] = []
        self.lots: dict[str, int] = {}
        self.names: dict[str, str] = {}
        self.final_places: dict[int, int] = {}
        self.final_points: dict[int, Fraction] = {}
        requested_rounds: dict[int, list[int]] = {}
        columns = (
            *("pk", "name", "state", "lot", "final_place", "final_points"),
            "bye_rounds",
        )
        for entry, *fields in tournament.entries.values_list(*columns):
            name, state, lot, place, points, requested_rounds[entry] = fields
            self.names[str(entry)] = name
            if place is not None:
                self.final_places[entry] = place
            if points:
                self.final_points[entry] = Fraction(points)
            if state == Entry.State.PRESENT:
                self.playing.append(entry)
            if lot is not None:
                self.lots[str(entry)] = lot
        missed_rows = [
            (number, entry)
            for entry, first in self.first_rounds.items()
            for number in sorted(self.started_rounds)
            if number < first
        ]
        kinds: list[tuple[Sequence[tuple[int, int]], ByeKind]] = [
            (bye_rows, "drawn"),
            (missed_rows, "late"),
        ]
        all_byes = [
            PlayerBye(
                round=number,
                player=str(entry),
                kind="requested" if number in requested_rounds[entry] else kind,
            )
            for rows, kind in kinds
            for number, entry in rows
        ]
        # Missed rounds are shown only if they count.
        self.byes = [
            bye
            for bye in all_byes
            if bye.kind != "late" or self.counting.counts_as_table("late")
        ]

    def results_by_stage(self) -> list[StandingsInput]:
        last = max(self.reached.values(), default=0)
        return [self.results_of_stage(stage) for stage in range(1 + last)]

    def results_of_stage(self, stage: int) -> StandingsInput:
        """Return the results of one stage, with its players."""
        stage_entries = [
            entry for entry, last_stage in self.reached.items() if last_stage >= stage
        ]
        # Players that advanced from a table without a hand and then left took part as well.
        advanced_entries = [
            entry for entry, last_stage in self.reached.items() if last_stage > 0
        ]
        all_entries = dict.fromkeys([*self.playing, *advanced_entries])
        # Swiss rounds after the first are seated by ranking, as is a final of one table;
        # several tables of a stage have equal strength.
        last = self.last_rounds.get(stage, 0)
        is_swiss = self.tournament.format == Tournament.Format.SWISS and last > 1
        is_ranked = len(self.seated[last]) == 1 if stage else is_swiss
        matches = [
            rows[0]["table__number"]
            for rows in self.tables.values()
            if not rows[0]["round__stage"]
        ]
        last_match = max(matches, default=0)
        tables = []
        for rows in self.tables.values():
            first_row = rows[0]
            if first_row["round__stage"] != stage:
                continue
            round_number = first_row["round__number"]
            if self.tournament.is_league and stage:
                round_number += last_match - 1
            elif self.tournament.is_league:
                # Each match of a league is a round; its finals come after.
                round_number = first_row["table__number"]
            game = first_row["table__match__game"] or first_row["table__game"]
            tables.append(
                table_result(
                    round_number=round_number,
                    table=first_row["table__number"],
                    game=GAMES[game or self.tournament.game].variant_for_options(
                        first_row["table__match__options"]
                        if first_row["table__match__options"] is not None
                        else self.tournament.options
                    ),
                    entries=[row["entry_id"] for row in rows],
                    points=[
                        past_score_or_seat_total(row["score"], row["seat__total"])
                        for row in rows
                    ],
                    ranks=[row["seat__rank"] for row in rows],
                    finished=first_row["table__match_id"] is None
                    or bool(first_row["table__match__finished"])
                    or self.as_it_stands,
                )
            )
        return StandingsInput(
            tables=tables,
            counting=self.counting,
            byes=self.byes if stage == 0 else (),
            penalties=[
                penalty
                for entry, penalty_stage, penalty in self.penalties
                if min(penalty_stage, self.reached.get(entry, 0)) == stage
            ],
            players=[str(entry) for entry in (stage_entries if stage else all_entries)],
            lots=self.lots,
            has_final_tables=is_ranked and last not in self.unsettled,
        )

    def _read_seats_and_tables(self) -> None:
        places = Place.objects.filter(round__tournament=self.tournament).order_by(
            "round__number", "table__number", "index"
        )
        # The seat of the place's player in the match.
        seat = FilteredRelation(
            "table__match__seats", condition=Q(table__match__seats__index=F("index"))
        )
        rows: Iterable[PlaceRow] = places.annotate(seat=seat).values(*COLUMNS)
        for row in rows:
            if row["round__state"] not in UNSTARTED_STATES:
                # Rounds come in order, and stages only rise.
                self.reached[row["entry_id"]] = row["round__stage"]
                self.first_rounds.setdefault(row["entry_id"], row["round__number"])
                if not row["round__stage"]:
                    self.started_rounds.add(row["round__number"])
            is_closed = row["round__state"] == Round.State.CLOSED
            is_finished = bool(row["table__match__finished"])
            if is_closed or is_finished:
                self.entries[row["table_id"]] = row["table__match__version"] or 0
            number = row["round__number"]
            self.seated[number].add(row["table_id"])
            is_excluded = row["table_id"] in self.except_tables
            if row["table__void"] or is_excluded:
                counts = False
            elif row["table__match_id"] is None:
                counts = row["score"] is not None
            else:
                has_hand = bool(row["table__match__hands_played"])
                counts = is_finished or (has_hand and (is_closed or self.as_it_stands))
            if counts or is_excluded:
                self.last_rounds[row["round__stage"]] = number
            if not (is_excluded or row["table__void"]) and (
                row["table__disputed"] or not is_finished
            ):
                self.unsettled.add(number)
            if counts:
                self.tables.setdefault(row["table_id"], []).append(row)

    def place_rows_of_unconfirmed_tables(self) -> list[list[PlaceRow]]:
        """Return the places of each counting table that too few have confirmed, or that is disputed.

        Unfinished tables have to be confirmed only if they are not void by the tournament's
        setting.
        """
        voids = self.tournament.unfinished == Tournament.UnfinishedTableRule.VOID
        open_tables = []
        for rows in self.tables.values():
            confirmed = [row["seat__confirmed_at"] is not None for row in rows]
            is_enough = is_confirmed(confirmed, self.tournament.quorum)
            has_ended = bool(rows[0]["table__match__finished"]) or self.as_it_stands
            is_required = rows[0]["table__match_id"] and (has_ended or not voids)
            if is_required and (rows[0]["table__disputed"] or not is_enough):
                open_tables.append(rows)
        return open_tables


def past_score_or_seat_total(score: int | None, total: int | None) -> int:
    """Return the points of a place: those of past results, else of its seat; 0 without either."""
    return next((points for points in (score, total) if points is not None), 0)


def table_result(
    *,
    round_number: int,
    table: int,
    game: Game,
    entries: Sequence[int],
    points: Sequence[int],
    ranks: Sequence[int | None],
    finished: bool,
) -> TableResult:
    """Return a table as the standings count it; see `ranks_at_table`."""
    players = list(map(str, entries))
    scores = list(map(game.comparable_points, points))
    ranks_by_player = ranks_at_table(game, points, ranks)
    follows_points = ranks_by_player == rank_values(scores)
    return TableResult(
        round=round_number,
        table=table,
        scores=dict(zip(players, scores, strict=True)),
        ranks={}
        if follows_points
        else dict(zip(players, ranks_by_player, strict=True)),
        finished=finished,
    )


BYE_SHARES: Mapping[str, ByePoints] = {"average": "average", "half": "half"}


def _read_bye_points(text: str) -> ByePoints:
    return BYE_SHARES.get(text) or Fraction(text)


def read_counting_rules(tournament: Tournament) -> CountingRules:
    points: Any = tournament.points
    places = {}
    if isinstance(points, Mapping):
        places = {
            int(size): [Fraction(worth) for worth in vector]
            for size, vector in points["places"].items()
        }
    return CountingRules(
        points="places" if places else points or "linear",
        places=places,
        tie_breaks=tuple(tournament.tie_breaks),
        best=tournament.best_tables,
        bye=_read_bye_points(tournament.bye),
        requested_bye=_read_bye_points(tournament.requested_bye),
        late_bye=_read_bye_points(tournament.late_bye),
        unfinished=cast("Unfinished", tournament.unfinished),
        deduction=Fraction(tournament.deduction),
    )
