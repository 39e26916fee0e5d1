"""A club's history counted slowly, from match records and imported lists.

Only seats and merges are read from the database; all figures follow from the records by
the rules.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby, pairwise, permutations
from typing import Any, NamedTuple

from openskill.models import PlackettLuce

from scoring.matchlog.records import export_match
from scoring.rules import MatchRecord, ScoredHand, play, read_record, start
from tests.tournaments.history.slow_figures import Figures
from tournaments.models import Club, Merge, Table, Tournament

MODEL = PlackettLuce()


class Part(NamedTuple):
    """One player's share of one table."""

    rank: int
    points: Fraction
    wins: Fraction
    place: Fraction


def part_of(totals: Sequence[int], seat: int) -> Part:
    """Return the part of a seat: 4 points for first, 1 for last, even steps; ties share."""
    size, own = len(totals), totals[seat]
    above = sum(other > own for other in totals)
    level = sum(other == own for other in totals)
    shared_places = range(above, above + level)
    place_points = [4 - Fraction(3 * place, size - 1) for place in shared_places]
    return Part(
        rank=above + 1,
        points=sum(place_points, Fraction()) / level,
        wins=Fraction(1, level) if above == 0 else Fraction(),
        place=Fraction(sum(place + 1 for place in shared_places), level),
    )


class SlowHand(NamedTuple):
    """A hand that counts."""

    game: str
    raw: dict[str, Any]
    scored: ScoredHand


@dataclass
class SlowTable:
    """A table that counts."""

    tournament: Tournament
    game: str
    entries: list[int]
    """By seat, the entry that the player played for."""
    persons: list[int]
    """By seat, the person."""
    strengths: list[int]
    """By seat, larger is better: points of imported results, ranks of matches."""
    hands: list[SlowHand]
    record: MatchRecord | None

    @property
    def is_open(self) -> bool:
        """Return whether the result still has to be confirmed."""
        asks = self.tournament.quorum != Tournament.Quorum.NONE
        return asks and bool(self.hands)

    def parts(self) -> Iterator[tuple[int, int, Part]]:
        """Yield the person, entry and part of each seat."""
        for seat, person in enumerate(self.persons):
            yield person, self.entries[seat], part_of(self.strengths, seat)


class SlowContract(NamedTuple):
    """A contract that was played."""

    game: str
    bidder: int
    partner: int | None
    bid: int | None
    trump: int | None
    solo: bool
    made: bool


class SlowResult(NamedTuple):
    """A person's result in one tournament."""

    tournament: Tournament
    game: str
    rank: int
    players: int
    place_points: Fraction
    earned_points: Fraction


class SlowClub:
    """All figures of a club's pages, recomputed slowly from the results."""

    def __init__(self, club: Club) -> None:
        merges = Merge.objects.active().filter(club=club)
        self.merged = dict(merges.values_list("merged", "kept"))
        finished = club.tournaments.filter(phase=Tournament.Phase.FINISHED)
        self.tournaments = sorted(
            finished, key=lambda tournament: (tournament.held_on, tournament.pk)
        )
        self.tables = [
            table
            for tournament in self.tournaments
            for table in self._tables(tournament)
        ]

    def person(self, player: int) -> int:
        while player in self.merged:
            player = self.merged[player]
        return player

    def _tables(self, tournament: Tournament) -> Iterator[SlowTable]:
        tables = Table.objects.filter(round__tournament=tournament, void=False)
        for table in tables.order_by("round__number", "number"):
            places = list(table.places.order_by("index").select_related("entry"))
            entries = [place.entry_id for place in places]
            if table.match is None:
                players = [place.entry.player_id for place in places]
                strengths = [place.score for place in places if place.score is not None]
                hands: list[SlowHand] = []
                record = None
            else:
                players = [
                    seat.player_id for seat in table.match.seats.order_by("index")
                ]
                record = read_record(export_match(table.match))
                strengths, hands = play_record(record)
                voided = tournament.unfinished == Tournament.UnfinishedTableRule.VOID
                if not hands or (voided and not table.match.finished):
                    continue
            persons = list(map(self.person, players))
            game = table.match.game if table.match else table.game or tournament.game
            yield SlowTable(
                tournament, game, entries, persons, strengths, hands, record
            )

    @cached_property
    def persons(self) -> set[int]:
        at_tables = {person for table in self.tables for person in table.persons}
        return at_tables | {person for person, _result in self.results}

    def tables_of(self, person: int) -> list[tuple[SlowTable, Part]]:
        """Return a person's tables in order of play."""
        return [
            (table, part)
            for table in self.tables
            for player, _entry, part in table.parts()
            if player == person
        ]

    def runs(self, person: int) -> list[int]:
        """Return the lengths of a person's runs of won and confirmed tables."""
        runs = groupby(
            part.rank == 1 and not table.is_open
            for table, part in self.tables_of(person)
        )
        return [len(list(run)) for won, run in runs if won]

    def unconfirmed(self, person: int) -> int:
        """Return at how many of a person's tables the result has to be confirmed."""
        return sum(table.is_open for table, _part in self.tables_of(person))

    @cached_property
    def figures(self) -> Figures:
        """Return the figures of bids and tricks, by person instead of by name."""
        figures = Figures()
        for table in self.tables:
            if table.record is not None:
                names = tuple(map(str, table.persons))
                figures.count(replace(table.record, players=names))
        return figures

    @cached_property
    def meetings(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """Return by pair how often they met, the first was ahead, and they were level."""
        counts: dict[tuple[int, int], tuple[int, int, int]] = {}
        for table in self.tables:
            seats = list(zip(table.persons, table.strengths, strict=True))
            for (first, own), (second, other) in permutations(seats, 2):
                met, ahead, level = counts.get((first, second), (0, 0, 0))
                counts[first, second] = (
                    met + 1,
                    ahead + (own > other),
                    level + (own == other),
                )
        return counts

    @cached_property
    def hands(self) -> list[tuple[SlowTable, SlowHand]]:
        return [(table, hand) for table in self.tables for hand in table.hands]

    @cached_property
    def contracts(self) -> list[SlowContract]:
        return [
            make_contract(table, hand)
            for table, hand in self.hands
            if hand.raw.get("contract") is not None
        ]

    @cached_property
    def results(self) -> list[tuple[int, SlowResult]]:
        """Return each person's results, in order of play."""
        results: list[tuple[int, SlowResult]] = []
        for tournament in self.tournaments:
            results += self._best_results(tournament).items()
        return results

    def _best_results(self, tournament: Tournament) -> dict[int, SlowResult]:
        """Return each person's result: that of the entry they played most tables for."""
        best: dict[int, tuple[int, int, SlowResult]] = {}
        for person, entry, result in self._results_of(tournament):
            tables = sum(
                (person, entry) == (player, played_for)
                for table in self.tables
                if table.tournament == tournament
                for player, played_for, _part in table.parts()
            )
            candidate = (tables, -result.rank, result)
            best[person] = max(
                best.get(person, candidate), candidate, key=lambda known: known[:2]
            )
        return {person: result for person, (*_worth, result) in best.items()}

    def results_of(self, person: int) -> list[SlowResult]:
        return [result for player, result in self.results if player == person]

    def _results_of(
        self, tournament: Tournament
    ) -> Iterator[tuple[int, int, SlowResult]]:
        """Yield each person, the entry they played for, and its result."""
        played_for: dict[int, set[int]] = {}
        for table in self.tables:
            if table.tournament == tournament:
                for entry, person in zip(table.entries, table.persons, strict=True):
                    played_for.setdefault(entry, set()).add(person)
        past_entries = tournament.entries.exclude(final_place=None)
        if past_entries:
            # An imported list: its points are the number of players ranked below.
            points = {
                entry.pk: Fraction(-(entry.final_place or 0)) for entry in past_entries
            }
            played_for = {
                entry.pk: {self.person(entry.player_id)} for entry in past_entries
            }
        else:
            points = self.points(tournament)
        games = {table.game for table in self.tables if table.tournament == tournament}
        game = "" if len(games) > 1 else next(iter(games), tournament.game)
        for entry, persons in played_for.items():
            above = sum(points[other] > points[entry] for other in played_for)
            level = sum(points[other] == points[entry] for other in played_for)
            below = sum(points[other] < points[entry] for other in played_for)
            count = len(played_for)
            shared = [
                Fraction(100 * (count - 1 - place), count - 1)
                if count > 1
                else Fraction()
                for place in range(above, above + level)
            ]
            for person in persons:
                yield (
                    person,
                    entry,
                    SlowResult(
                        tournament=tournament,
                        game=game,
                        rank=above + 1,
                        players=count,
                        place_points=sum(shared, Fraction()) / level,
                        earned_points=Fraction(below)
                        if past_entries
                        else points[entry],
                    ),
                )

    def points(self, tournament: Tournament) -> dict[int, Fraction]:
        """Return each entry's points: tables, plus byes at its own mean, less penalties."""
        table_points: dict[int, list[Fraction]] = {
            entry.pk: [] for entry in tournament.entries.all()
        }
        for table in self.tables:
            if table.tournament == tournament:
                for _person, played_for, part in table.parts():
                    table_points[played_for].append(part.points)
        all_table_points = [
            worth for listed in table_points.values() for worth in listed
        ]
        mean = (
            sum(all_table_points, Fraction()) / len(all_table_points)
            if all_table_points
            else Fraction()
        )
        points = {}
        for entry in tournament.entries.all():
            own_points = table_points[entry.pk]
            bye_points = (
                sum(own_points, Fraction()) / len(own_points) if own_points else mean
            )
            points[entry.pk] = (
                sum(own_points, Fraction()) + bye_points * entry.byes.count()
            )
            for penalty in entry.penalties.filter(cancelled_at=None):
                points[entry.pk] -= Fraction(penalty.points)
        return points

    @cached_property
    def ratings(self) -> dict[tuple[int, str], tuple[float, float]]:
        """Return each person's μ and σ after all tables, over all games and by game."""
        return self._rate_tables(self.tables)

    @cached_property
    def rating_courses(self) -> dict[int, list[float]]:
        """Return by person μ after each tournament in which they played."""
        courses: dict[int, list[float]] = {}
        before: list[SlowTable] = []
        for _tournament, tournament_tables in groupby(
            self.tables, lambda table: table.tournament
        ):
            tables = list(tournament_tables)
            before += tables
            rated = self._rate_tables(before)
            for person in {person for table in tables for person in table.persons}:
                courses.setdefault(person, []).append(rated[person, ""][0])
        return courses

    def _rate_tables(
        self, tables: Sequence[SlowTable]
    ) -> dict[tuple[int, str], tuple[float, float]]:
        ratings: dict[tuple[int, str], tuple[float, float]] = {}
        newcomer = MODEL.mu, MODEL.sigma
        for table in tables:
            for game in ("", table.game):
                keys = [(person, game) for person in table.persons]
                before = [ratings.get(key, newcomer) for key in keys]
                ranks = [part.rank for _person, _entry, part in table.parts()]
                ratings |= dict(zip(keys, rate_slowly(before, ranks), strict=True))
        return ratings


def rate_slowly(
    before: Sequence[tuple[float, float]], ranks: Sequence[int]
) -> list[tuple[float, float]]:
    """Return μ and σ after a table: the mean of all orders in which ties are cyclically sorted."""
    sums, count = [[0.0, 0.0] for _seat in ranks], 0
    for order in permutations(range(len(ranks))):
        if [ranks[seat] for seat in order] != sorted(ranks):
            continue
        ties = [[seat for seat in order if ranks[seat] == rank] for rank in set(ranks)]
        if not all(
            is_cyclically_sorted([before[seat] for seat in tie]) for tie in ties
        ):
            continue
        rated = MODEL.rate([[MODEL.rating(*before[seat])] for seat in order])
        for seat, [after] in zip(order, rated, strict=True):
            sums[seat][0] += after.mu
            sums[seat][1] += after.sigma
        count += 1
    return [(mu / count, sigma / count) for mu, sigma in sums]


def is_cyclically_sorted(ratings: Sequence[tuple[float, float]]) -> bool:
    """Return whether ratings rise or fall all the way round, from any starting point."""
    circle = [*ratings, ratings[0]]
    falls = [one > other for one, other in pairwise(circle)]
    rises = [one < other for one, other in pairwise(circle)]
    return sum(falls) <= 1 or sum(rises) <= 1


def play_record(record: MatchRecord) -> tuple[list[int], list[SlowHand]]:
    """Return the strengths by seat, and the hands as the rules score them."""
    state = start(record.game, len(record.players), record.options)
    hands = []
    for raw in record.hands:
        state, scored = play(state, raw)
        hands.append(SlowHand(record.game, dict(raw), scored))
    return [-rank for rank in state.ranks], hands


def make_contract(table: SlowTable, hand: SlowHand) -> SlowContract:
    contract = hand.raw["contract"]
    bidder, partner = contract["bidder"], contract.get("partner")
    trump = contract.get("trump")
    return SlowContract(
        game=hand.game,
        bidder=table.persons[bidder],
        partner=None if partner is None else table.persons[partner],
        bid=contract.get("bid", contract.get("tricks")),
        trump=trump if isinstance(trump, int) else None,
        solo=bool(contract.get("solo")),
        made=hand.scored.scores[bidder] > 0,
    )
