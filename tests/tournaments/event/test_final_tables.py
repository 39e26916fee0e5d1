"""The tie-break “final table”: which rounds give one, and what follows where none do."""

import pytest
from django.test import Client

from scoring.matchlog.append import replay_match
from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import play_table, running_round, tournament_with
from tests.tournaments.web.pages import text
from tournaments.event import rounds
from tournaments.event.competition import TournamentCompetition
from tournaments.event.outlook import read_outlook
from tournaments.event.results import compute_standings, draw_lots
from tournaments.event.table_results import rank_players
from tournaments.files.tables import standings_table
from tournaments.models import Round, Tournament
from tournaments.standings import Outlook

pytestmark = pytest.mark.django_db


def play_each(one: Round, *tables: list[int], close: bool = True) -> None:
    """Play the tables of a round in order; those without points stay unplayed."""
    for table, points in zip(one.tables.order_by("number"), tables, strict=False):
        play_table(table, points)
    if close:
        rounds.close(round_id=one.pk, now=NOW, override="late")


def swiss_night(**settings: object) -> Tournament:
    """Return a Swiss night in its last round of two; all are level after the first."""
    tournament = tournament_with(
        8, format="swiss", rounds_planned=2, tie_breaks=["final_table"], **settings
    )
    play_each(running_round(tournament), [5, 5, 5, 5], [5, 5, 5, 5])
    running_round(tournament)
    return tournament


def ranks(tournament: Tournament) -> list[int]:
    return [row.rank for row in rank_players(tournament)]


def final_tables(tournament: Tournament) -> list[int | None]:
    values = [row.values["final_table"] for row in rank_players(tournament)]
    return [None if value is None else int(value) for value in values]


def outlook(tournament: Tournament) -> Outlook:
    statements = read_outlook(tournament)
    assert statements is not None
    return statements


@pytest.mark.parametrize(
    "format_", ["planned", "heats", "round_robin", "knockout", "swiss"]
)
def test_tables_not_seated_by_rank_break_no_ties(format_: str) -> None:
    players = 16 if format_ == "round_robin" else 8
    tournament = tournament_with(
        players, format=format_, rounds_planned=1, tie_breaks=["final_table"]
    )
    level = [[20, 12, 5, 1]] * (players // 4)
    play_each(running_round(tournament), *level)
    count = players // 4
    expected = [1 + place * count for place in range(4) for _table in range(count)]
    assert ranks(tournament) == expected
    assert set(final_tables(tournament)) == {None}


def test_only_the_last_table_of_a_knockout_is_a_final_table() -> None:
    tournament = tournament_with(
        16,
        format="knockout",
        advance=2,
        tie_breaks=["final_table", "lot"],
        points={"places": {"4": ["2", "1", "1", "0"]}},
    )
    each = [20, 12, 5, 1]
    play_each(running_round(tournament), each, each, each, each)
    play_each(running_round(tournament), each, each)
    semifinal = [row for row in rank_players(tournament) if row.stage == 1]
    assert {row.values["final_table"] for row in semifinal} == {None}
    last = running_round(tournament)
    assert outlook(tournament).decides == "final_table"
    play_each(last, each)
    final = rank_players(tournament)[:4]
    assert [row.rank for row in final] == [1, 2, 3, 4]
    assert "at the last table" in str(final[1].reason)


@pytest.mark.parametrize(
    ("close", "as_it_stands"), [(False, False), (True, False), (False, True)]
)
def test_unfinished_table_of_the_last_round_decides_nothing(
    *, close: bool, as_it_stands: bool
) -> None:
    tournament = swiss_night()
    play_each(tournament.rounds.get(number=2), [20, 12, 5, 1], close=close)
    rows = rank_players(tournament, as_it_stands=as_it_stands)
    assert {row.values["final_table"] for row in rows} == {None}


def test_table_of_the_last_round_decides_nothing_while_it_is_disputed_or_void() -> None:
    tournament = swiss_night()
    last = tournament.rounds.get(number=2)
    play_each(last, [20, 12, 5, 1], [20, 12, 5, 1])
    second = last.tables.filter(number=2)
    second.update(disputed=True)
    assert ranks(tournament) == [1, 1, 3, 3, 5, 5, 7, 7]
    second.update(disputed=False)
    # Players are parted by table first, then by place.
    assert ranks(tournament) == list(range(1, 9))
    assert final_tables(tournament) == [1, 2, 1, 2, 1, 2, 1, 2]
    second.update(void=True)
    assert set(final_tables(tournament)) == {1, None}


def test_tie_after_a_planned_night_is_decided_by_lot_on_every_page(
    client: Client,
) -> None:
    tournament = tournament_with(8, rounds_planned=1, tie_breaks=["final_table", "lot"])
    one = running_round(tournament)
    play_each(one, [20, 12, 5, 1], close=False)
    assert outlook(tournament).decides is None
    play_table(one.tables.get(number=2), [20, 12, 5, 1])
    rounds.close(round_id=one.pk, now=NOW)
    standings = compute_standings(tournament_id=tournament.pk, now=NOW)
    first = standings.rows.get(place=1)
    assert "and every tie-break" in first.reason
    exported = standings_table(tournament, standings)
    column = list(exported.columns).index("final_table")
    assert {row[column] for row in exported.rows} == {None}
    page = text(client, tournament.get_absolute_url())
    assert "and every tie-break" in page
    assert "in the last round" not in page
    draw_lots(tournament_id=tournament.pk, shuffle=list.reverse)
    assert "in the tie-break draw (" in str(rank_players(tournament)[0].reason)


def test_preview_of_the_last_hand_uses_the_final_table_tie_break() -> None:
    tournament = swiss_night()
    last = tournament.rounds.get(number=2)
    play_each(last, [20, 12, 5, 1], [20, 12, 5, 1], close=False)
    table = last.tables.with_people().select_related("round__tournament").get(number=2)
    assert table.match is not None
    state = replay_match(table.match).state
    table.match.refresh_from_db()
    Match.objects.filter(pk=table.match.pk).update(finished=False)
    names = [place.entry.name for place in table.places.all()]
    assert (
        f"{names[0]} moves from rank 5 to 2 in the standings."
        in TournamentCompetition().consequences(table.match, state)
    )
    Tournament.objects.update(standings_shown=Tournament.Visibility.FINISHED)
    assert TournamentCompetition().consequences(table.match, state) == []


@pytest.mark.parametrize("played", [0, 1])
def test_unfinished_final_table_breaks_ties(played: int) -> None:
    tournament = swiss_night()
    play_each(tournament.rounds.get(number=2), *[[20, 12, 5, 1]] * played, close=False)
    statements = outlook(tournament)
    assert statements.decides == "final_table"
    assert statements.prospects[0].reach.best == 1
    assert statements.prospects[0].reach.worst > 1
