"""Tournaments, seasons and records of a game in which the fewest points win."""

from collections.abc import Iterator
from fractions import Fraction
from importlib import import_module
from random import Random
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection

from scoring.games.random_match import generate_match
from scoring.models import Seat
from scoring.rules import GAMES, score_match
from scoring.rules.registry import add_game, remove_game
from tests.factories.history import counted_tournament, evening, update_history
from tests.factories.tournaments import enter_points, running_round, tournament_with
from tournaments.event.competition import TournamentCompetition
from tournaments.event.results import standings_differences
from tournaments.event.table_results import rank_players, table_result
from tournaments.files.tables import results_table
from tournaments.history import club_records, player_stats
from tournaments.history.derivation import (
    history_differences,
    recompute_after_listed_migrations,
)
from tournaments.history.imports.imports import import_results
from tournaments.history.leaderboard import BoardQuery, compute_leaderboard
from tournaments.models import Placing, Result, Table, Tournament
from tournaments.standings import (
    SCHEMES,
    TIE_BREAKS,
    CountingRules,
    StandingsInput,
    TableResult,
    standings,
)
from tournaments.standings.event import Scheme

HANDS = ([0, 3, 7], [1, 2, 7], [0, 4, 6], [0, 0, 10], [0, 0, 10], [0, 0, 10])
"""The seats get 1, 9 and 50 points: the first one wins."""


@pytest.fixture
def fifty() -> Iterator[str]:
    """Add the game of the test suite, in which the fewest points win."""
    yield add_game("tests.toy_game.rules").id
    remove_game("fifty")


@pytest.fixture
def night(fifty: str, monkeypatch: pytest.MonkeyPatch) -> Tournament:
    """Return a night of three tables and two rounds in the history of its club."""
    monkeypatch.setattr("tests.factories.history.play_table", play_fifty)
    return counted_tournament("2026-03-06", 9, game=fifty, played=2)


def play_fifty(table: Table, points: object = None) -> None:
    """Play a table to its end; the first seat wins with the fewest points."""
    assert table.match is not None
    for hand in HANDS:
        enter_points(table.match, hand)


@pytest.mark.django_db
@pytest.mark.parametrize("points", [scheme for scheme in SCHEMES if scheme != "places"])
@pytest.mark.parametrize("lowest_wins", [True, False])
def test_option_of_a_tournament_decides_which_total_ranks_first(
    points: Scheme,
    *,
    lowest_wins: bool,
) -> None:
    options = {"hands": 2, "lowest_wins": lowest_wins}
    night = tournament_with(3, game="any_game", points=points, options=options)
    table = running_round(night).tables.get()
    assert table.match is not None
    enter_points(table.match, (-4, 3, 7))
    enter_points(table.match, (2, 1, 9))
    entry = table.places.get(index=0 if lowest_wins else 2).entry_id
    assert rank_players(night)[0].player == str(entry)
    assert standings_differences(night) == []


@pytest.mark.django_db
def test_hands_of_any_game_are_no_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.factories.history.play_table", play_one_hand)
    night = counted_tournament(
        "2026-03-06", 3, game="any_game", played=1, options={"hands": 1}
    )
    assert Placing.objects.count() == 3
    assert club_records.hand_records(night.club).best == []
    players = list(Placing.objects.values_list("player", flat=True))
    assert player_stats.best_hand_of_each_game(night.club, players) == []
    assert history_differences(night.club) == []


def play_one_hand(table: Table, points: object = None) -> None:
    assert table.match is not None
    enter_points(table.match, (1, 2, 3))


@pytest.mark.parametrize("name", [name for name in TIE_BREAKS if name != "seconds"])
def test_fewest_points_beat_every_tie_break(fifty: str, name: str) -> None:
    table = new_table_result("fifty", [1, 9, 50], [1, 2, 3])
    counting = CountingRules(
        points="places", places={3: [Fraction()] * 3}, tie_breaks=(name,)
    )
    rows = standings(StandingsInput(tables=[table], counting=counting))
    ranks = {row.player: row.rank for row in rows}
    assert ranks["0"] <= ranks["1"] <= ranks["2"]


@pytest.mark.django_db
def test_fewest_points_lead_the_season(night: Tournament) -> None:
    placings = list(Placing.objects.order_by("order", "seat"))
    assert [placing.rank for placing in placings] == [1, 2, 3] * 6
    assert [placing.score for placing in placings] == [1, 9, 50] * 6
    first_round = [placing for placing in placings if placing.order < 20_000]
    assert all(
        (placing.mu > placing.mu_before) == (placing.rank == 1)
        for placing in first_round
        if placing.rank != 2
    )
    best = {int(row.player) for row in rank_players(night) if row.rank == 1}
    results = Result.objects.filter(rank=1)
    assert {result.player.entries.get().pk for result in results} == best
    lines = compute_leaderboard(
        BoardQuery(club=night.club), evening("2026-03-07").date()
    )
    assert lines[0].player in {result.player_id for result in results}
    assert lines[0].tables_won == max(line.tables_won for line in lines)
    assert history_differences(night.club) == []


@pytest.mark.django_db
def test_fewest_points_are_the_best_hand(night: Tournament) -> None:
    assert {feat.number for feat in club_records.hand_records(night.club).best} == {0}
    for placing in Placing.objects.filter(seat=2):
        least = 0 if placing.player_id in winners() else 6
        hands = player_stats.best_hand_of_each_game(night.club, [placing.player_id])
        assert {hand.points for hand in hands} == {least}


def winners() -> set[int]:
    """Return the players who had a seat other than the third at least once."""
    return set(Placing.objects.exclude(seat=2).values_list("player", flat=True))


@pytest.mark.django_db
def test_rank_changes_of_a_correction_count_fewest_points(fifty: str) -> None:
    night = tournament_with(3, game=fifty)
    table = running_round(night).tables.get()
    play_fifty(table)
    table.refresh_from_db()
    match = table.match
    assert match is not None
    record = generate_match(fifty, 3, None, Random(1))
    state = score_match(record).state
    reversed_state = state._replace(totals=(50, 9, 1), ranks=(3, 2, 1))
    changes = TournamentCompetition().describe_consequences(match, reversed_state)
    first = table.places.get(index=0).entry.name
    assert f"{first} moves from rank 1 to 3 in the standings." in changes


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("head", "values"),
    [
        ("score", ("1", "9", "50")),
        ("place", ("1", "2", "3")),
        ("score", ("0", "1", "2")),
    ],
)
@pytest.mark.parametrize("table", ["", "1"])
def test_past_results_take_fewest_points_first(
    night: Tournament, head: str, values: tuple[str, ...], table: str
) -> None:
    cells = [["date", "player", head, "table"]]
    for name, value in zip(("Ada", "Bo", "Cy"), values, strict=True):
        cells.append(["2025-01-03", name, value, table])
    import_ = import_results(
        club_id=night.club_id,
        key=uuid4(),
        name="old.csv",
        game="fifty",
        cells=cells,
        user=None,
        now=evening("2026-03-07"),
    )
    past = import_.tournaments.get()
    update_history(past.club, evening("2026-03-07"))
    results = Result.objects.filter(tournament=past).order_by("rank")
    assert [(result.rank, result.player.name) for result in results] == [
        (1, "Ada"),
        (2, "Bo"),
        (3, "Cy"),
    ]
    if table:
        rows = list(results_table(past).rows)
        assert [(row[4], row[7]) for row in rows] == [
            ("fifty", 1),
            ("fifty", 2),
            ("fifty", 3),
        ]


def new_table_result(game: str, points: list[int], ranks: list[int]) -> TableResult:
    return table_result(
        round_number=1,
        table=1,
        game=GAMES[game],
        entries=range(len(points)),
        points=points,
        ranks=ranks,
        finished=True,
    )


@pytest.mark.parametrize("game_id", [*GAMES, "fifty"])
@pytest.mark.parametrize("points", ["linear", "pairwise"])
def test_standings_keep_the_order_of_ranks_in_every_game(
    fifty: str, game_id: str, points: Scheme
) -> None:
    game, rng = GAMES[game_id], Random(11)
    for number in range(40):
        seats = rng.choice([size for size in game.seats if size > 1])
        record = generate_match(
            game.id, seats, None, rng, most_hands=rng.choice([3, 60])
        )
        state = score_match(record).state
        table = new_table_result(game.id, list(state.totals), list(state.ranks))
        counting = CountingRules(points=points, tie_breaks=())
        rows = standings(StandingsInput(tables=[table], counting=counting))
        ranks = {int(row.player): row.rank for row in rows}
        assert tuple(ranks[seat] for seat in range(seats)) == state.ranks, number


@pytest.mark.django_db
def test_migration_counts_ranks_that_differ_from_points() -> None:
    night, other = (
        counted_tournament("2026-03-06", 4),
        counted_tournament("2026-03-13", ["Ada", "Gus", "Hal"]),
    )
    seats = list(
        Seat.objects.filter(match__table__round__tournament=night).order_by("-total")
    )
    for seat, rank in zip(seats, (2, 1, 3, 4), strict=True):
        Seat.objects.filter(pk=seat.pk).update(rank=rank)
    migration = import_module("tournaments.migrations.0035_count_ranks_again")
    migration.count_again(apps, SimpleNamespace(connection=connection))
    step = migration.Migration("0035_count_ranks_again", "tournaments")
    recompute_after_listed_migrations(plan=[(step, False)])

    first = seats[1].player_id
    assert Result.objects.current().get(tournament=night, rank=1).player_id == first
    assert Placing.objects.get(tournament=night, player=first).rank == 1
    assert history_differences(night.club) == []
    assert standings_differences(night) == []
    assert Tournament.objects.get(pk=other.pk).version == other.version
    night.refresh_from_db()
