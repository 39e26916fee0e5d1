"""Circuits: one leaderboard of several clubs, today and on past days."""

from datetime import UTC, date, datetime
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from tests.factories.circuits import add_to_circuit, new_circuit
from tests.factories.history import counted_tournament, evening
from tests.factories.matches import NOW
from tests.factories.tournaments import ClubFactory
from tournaments.changes import RefusedError
from tournaments.circuits.boards import (
    CircuitBoardQuery,
    circuit_board_lines,
    open_result_counts_by_player,
    season_boards_by_club,
)
from tournaments.circuits.founding import (
    add_tournament,
    invite_club,
    join_circuit,
    leave_circuit_or_decline,
    remove_tournament,
)
from tournaments.circuits.persons import (
    circuit_players,
    declare_same_person,
    suggest_same_people,
    undo_same_person,
)
from tournaments.history.leaderboard import BoardQuery, OpenResultCounts, leaderboard
from tournaments.models import Circuit, SamePerson, Season, StandingsRow, Tournament
from tournaments.ratings import NEWCOMER

pytestmark = pytest.mark.django_db

TODAY = date(2026, 12, 31)


def points(circuit: Circuit, as_of: date | None = None) -> dict[str, list[Fraction]]:
    """Return by name the points of each line with that name."""
    by_name: dict[str, list[Fraction]] = {}
    query = CircuitBoardQuery(circuit=circuit, as_of=as_of)
    for line in circuit_board_lines(query, TODAY):
        by_name.setdefault(line.name, []).append(line.points)
    return by_name


def two_nights(**options: Any) -> tuple[Circuit, Tournament, Tournament]:
    """Return a circuit of two clubs and a night of each; an Ada plays in both."""
    harbour, castle = ClubFactory.create(), ClubFactory.create()
    circuit = new_circuit(harbour, castle, **options)
    harbour_night = counted_tournament("2026-03-05", ["Ada", "Bea", "Cy"], club=harbour)
    castle_night = counted_tournament("2026-03-12", ["Ada", "Dan", "Eva"], club=castle)
    add_to_circuit(circuit, harbour_night, castle_night)
    return circuit, harbour_night, castle_night


def ids(circuit: Circuit, name: str) -> list[int]:
    return [each.player for each in circuit_players(circuit) if each.name == name]


def declare(circuit: Circuit, kept: int, merged: int) -> SamePerson:
    return declare_same_person(
        circuit_id=circuit.pk, kept=kept, merged=merged, user=None, now=NOW
    )


def test_circuit_scores_nights_of_several_clubs_like_a_season() -> None:
    circuit, night, _castle_night = two_nights()
    club_lines = leaderboard(BoardQuery(club=night.club), TODAY)
    circuit_lines = circuit_board_lines(CircuitBoardQuery(circuit=circuit), TODAY)
    by_player = {line.player: line for line in circuit_lines}
    assert len(circuit_lines) == 6
    for line in club_lines:
        circuit_line = by_player[line.player]
        assert (circuit_line.points, circuit_line.attended, circuit_line.won) == (
            line.points,
            line.attended,
            line.won,
        )


def test_same_name_in_two_clubs_counts_separately_until_merged() -> None:
    circuit, _harbour_night, _castle_night = two_nights()
    assert len(points(circuit)["Ada"]) == 2
    suggestions = suggest_same_people(circuit_players(circuit), {})
    assert [each.kept.name for each in suggestions] == ["Ada"]
    kept, merged = suggestions[0].kept.player, suggestions[0].merged.player
    same_person = declare(circuit, kept, merged)
    merged_points = points(circuit)["Ada"]
    assert len(merged_points) == 1
    undo_same_person(same_id=same_person.pk, now=NOW)
    assert sum(points(circuit)["Ada"]) == merged_points[0]
    assert len(points(circuit)["Ada"]) == 2
    bea, cy = ids(circuit, "Bea")[0], ids(circuit, "Cy")[0]
    with pytest.raises(RefusedError, match="can’t be the same person"):
        declare(circuit, bea, cy)


def test_only_best_results_count_if_the_circuit_limits_them() -> None:
    circuit, _harbour_night, _castle_night = two_nights(best_of=1, least_attendance=2)
    kept, merged = ids(circuit, "Ada")
    declare(circuit, kept, merged)
    lines = circuit_board_lines(CircuitBoardQuery(circuit=circuit), TODAY)
    assert [(line.name, line.rank) for line in lines if line.rank] == [("Ada", 1)]
    assert lines[0].points <= 100


@pytest.mark.parametrize("removed", ["night", "club"])
def test_removed_night_still_counts_on_past_days(removed: str) -> None:
    circuit, _harbour_night, night = two_nights()
    circuit.tournaments.update(added_at=evening("2026-04-01"))
    now = evening("2026-05-01")
    if removed == "night":
        remove_tournament(circuit_id=circuit.pk, tournament=night, now=now)
    else:
        leave_circuit_or_decline(part_id=circuit.parts.get(club=night.club).pk, now=now)
        with pytest.raises(RefusedError, match="isn’t in this circuit"):
            add_tournament(circuit_id=circuit.pk, tournament=night, user=None, now=NOW)
    assert points(circuit, date(2026, 3, 20)) == {}
    assert len(points(circuit, date(2026, 4, 15))) == 5
    assert set(points(circuit)) == {"Ada", "Bea", "Cy"}


def test_club_joins_once_one_of_its_directors_accepts() -> None:
    circuit, club = new_circuit(), ClubFactory.create()
    night = counted_tournament("2026-03-12", ["Ada", "Dan", "Eva"], club=club)
    part = invite_club(circuit_id=circuit.pk, club=club, user=None, now=NOW)
    with pytest.raises(RefusedError):
        add_tournament(circuit_id=circuit.pk, tournament=night, user=None, now=NOW)
    with pytest.raises(RefusedError, match="already invited"):
        invite_club(circuit_id=circuit.pk, club=club, user=None, now=NOW)
    join_circuit(part_id=part.pk, now=NOW)
    add_to_circuit(circuit, night, night)
    assert circuit.tournaments.count() == 1
    Tournament.objects.filter(pk=night.pk).update(phase=Tournament.Phase.RUNNING)
    night.refresh_from_db()
    with pytest.raises(RefusedError, match="isn’t finished"):
        add_tournament(circuit_id=circuit.pk, tournament=night, user=None, now=NOW)
    leave_circuit_or_decline(part_id=part.pk, now=NOW)
    with pytest.raises(RefusedError, match="no longer valid"):
        join_circuit(part_id=part.pk, now=NOW)


@pytest.mark.long(2)
@pytest.mark.parametrize("counts", Season.TournamentWorth.values)
def test_leaders_of_many_clubs_match_each_club_page(
    counts: str,
) -> None:
    clubs = [ClubFactory.create() for _club in range(3)]
    for number, club in enumerate(clubs):
        counted_tournament("2026-03-05", 4 + number, club=club)
        counted_tournament("2026-03-19", 5, club=club, points=[1, 20, 5, 12, 0])
    Season.objects.update(counts=counts, best_of=1, least_attendance=2, lasts_days=300)
    now = datetime(2026, 5, 4, 12, tzinfo=UTC)
    today = now.date()
    boards = season_boards_by_club(clubs, now)
    for club in clubs:
        board = boards[club.pk]
        club_lines = leaderboard(BoardQuery(club=club, season=board.season), today)
        lines = [line._replace(rating=NEWCOMER) for line in board.lines]
        assert lines == [line._replace(rating=NEWCOMER) for line in club_lines]


def test_leaderboards_of_several_clubs_count_open_tables() -> None:
    circuit, first_night, second_night = two_nights()
    kept, merged = ids(circuit, "Ada")
    declare(circuit, kept, merged)
    query = CircuitBoardQuery(circuit=circuit)
    assert not any(open_result_counts_by_player(query).values())
    rows = StandingsRow.objects.filter(entry__name="Ada")
    rows.update(unconfirmed=1, disputed=1)
    assert open_result_counts_by_player(query) == {kept: OpenResultCounts(2, 2)}
    page = Client().get(circuit.get_absolute_url()).content.decode()
    assert "disputed" in page
    boards = season_boards_by_club([first_night.club, second_night.club], NOW)
    for tournament in (first_night, second_night):
        marked_names = [
            row.line.name for row in boards[tournament.club_id].rows if row.open.label
        ]
        assert marked_names == ["Ada"]


def test_circuit_leaderboard_has_constant_query_count(
    django_assert_num_queries: Any,
) -> None:
    circuit, night, _castle_night = two_nights()
    kept, merged = ids(circuit, "Ada")
    declare(circuit, kept, merged)
    with django_assert_num_queries(3):
        circuit_board_lines(CircuitBoardQuery(circuit=circuit), TODAY)
    add_to_circuit(circuit, counted_tournament("2026-03-26", 5, club=night.club))
    with django_assert_num_queries(3):
        circuit_board_lines(CircuitBoardQuery(circuit=circuit), TODAY)
