"""The page of a tournament is cached for each state and never out of date."""

import re
from fractions import Fraction
from itertools import pairwise
from typing import Any
from unicodedata import numeric

import pytest
from django.core.cache import caches
from django.test import Client

from scoring.matchlog.commands import CommandAuthor
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    NAMES,
    closed_round,
    member,
    play_and_close,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin, league
from tests.tournaments.web.pages import text
from tournaments.changes import mark_changed
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.results import (
    add_penalty,
    read_scored_rounds,
    store_current_standings,
)
from tournaments.files.tables import standings_table as standings_file
from tournaments.models import Bye, Role, Round, Tournament, User
from tournaments.web.charts import race_chart
from tournaments.web.standings.lines import (
    LeagueRecord,
    PodiumStep,
    StandingsTable,
    build_standings_table,
    league_records_by_entry,
    podium,
    previous_ranks_by_entry,
)
from tournaments.web.standings.point_columns import point_grid

pytestmark = pytest.mark.django_db


def main_content(page: str) -> str:
    """Return the content of a page without the server's time."""
    return re.sub(r'data-server-time="[^"]*"', "", page.partition("<main")[2])


@pytest.mark.django_db(transaction=True)
def test_repeated_standings_request_takes_one_query(
    client: Client, django_assert_num_queries: Any
) -> None:
    tournament = tournament_with(8)
    play_round(running_round(tournament))
    first = text(client, tournament.get_absolute_url())
    with django_assert_num_queries(1):
        second = text(client, tournament.get_absolute_url())
    assert main_content(second) == main_content(first)


ELIMINATED, TIED = "Not in the final, for now", "Tied for 1 place in the final"


@pytest.mark.parametrize(
    ("points", "expected", "unexpected"),
    [
        (None, ['<span class="num">–</span>'], "Not in the final"),
        ([20, 12, 5, 5], ["2 players advance", TIED], "Not in the final"),
        ([20, 12, 5, 1], ["3 players advance", ELIMINATED], "Tied for"),
    ],
    ids=["no table counts", "level at the cut", "parted"],
)
def test_standings_before_a_final_mark_the_finalists(
    client: Client, points: list[int] | None, expected: list[str], unexpected: str
) -> None:
    tournament = tournament_with(4, final_size=3)
    table = running_round(tournament).tables.get()
    if points:
        play_table(table, points)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert [sentence for sentence in expected if sentence not in page] == []
    assert unexpected not in page
    assert page.count('<span class="num">–</span>') == (0 if points else 4)


def test_player_not_seated_in_the_final_is_eliminated(client: Client) -> None:
    tournament = tournament_with(8, rounds_planned=1)
    closed_round(tournament)
    drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert "4 players advance" in page
    assert "Not in the final" in page
    assert "for now" not in page


def play_reversed_round(tournament: Tournament) -> Round:
    """Play and close a second round in which the last player of the first scores most."""
    second = running_round(tournament)
    last = (
        tournament.standings.unfrozen_latest_first()[0]
        .rows.order_by("-place")[0]
        .entry_id
    )
    table = second.tables.get()
    points = [
        20 if place.entry_id == last else 1 for place in table.places.order_by("index")
    ]
    play_table(table, points)
    return rounds.close(round_id=second.pk, now=NOW)


@pytest.mark.parametrize("is_closed_again", [False, True])
def test_rank_changes_compare_with_the_last_closed_round(
    client: Client, *, is_closed_again: bool
) -> None:
    tournament = tournament_with(4, rounds_planned=3)
    closed_round(tournament)
    assert 'class="moved' not in text(client, tournament.get_absolute_url())
    first = tournament.standings.exclude(frozen_as="").get()
    last = first.rows.latest("place").entry_id
    second = play_reversed_round(tournament)
    ranks_gained = (
        4 - tournament.standings.unfrozen_latest_first()[0].rows.get(entry=last).rank
    )
    page = " ".join(text(client, tournament.get_absolute_url()).split())
    assert f'</svg> {ranks_gained}<span class="visually-hidden"> up' in page
    rounds.reopen_round(round_id=second.pk)
    if is_closed_again:
        rounds.close(round_id=second.pk, now=NOW)
    standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
    assert previous_ranks_by_entry(standings) == dict(
        first.rows.values_list("entry", "rank")
    )


def test_public_sees_no_standings_of_a_round_that_was_opened_again() -> None:
    tournament = tournament_with(
        4, rounds_planned=3, standings_shown=Tournament.Visibility.CLOSED
    )
    closed_round(tournament)
    first = tournament.standings.exclude(frozen_as="").get()
    second = play_reversed_round(tournament)
    assert tournament.standings.find_public(tournament) != first
    rounds.reopen_round(round_id=second.pk)
    assert tournament.standings.find_public(tournament) == first


@pytest.mark.parametrize(
    ("points", "settings", "message"),
    [
        ([20, 12, 5, 1], {}, "Ada leads Amir by"),
        ([20, 20, 5, 1], {"tie_breaks": []}, "Ada and Amir share the lead."),
    ],
)
def test_league_shows_the_leader_and_each_players_record(
    client: Client, points: list[int], settings: dict[str, Any], message: str
) -> None:
    league = tournament_with(4, format="league", **settings)
    for _number in range(2):
        play_table(begin(league, NAMES[:4]), points)
    store_current_standings(tournament_id=league.pk, now=NOW)
    page = " ".join(text(client, league.get_absolute_url()).split())
    assert message in page
    assert "2 played, 2 won" in page
    assert '<li class="won">1</li>' in page


def test_penalties_show_reason_and_author_publicly(
    client: Client,
) -> None:
    tournament = tournament_with(8)
    play_round(running_round(tournament))
    director = member(tournament.club, Role.DIRECTOR)
    User.objects.filter(pk=director.pk).update(first_name="Rolf", last_name="Meier")
    director.refresh_from_db()
    entry = tournament.entries.by_number()[0]
    results.add_penalty(
        entry=entry, points="1/2", reason="came late", user=director, now=NOW
    )
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert "penalty −½: came late (Rolf Meier)" in " ".join(page.split())
    User.objects.filter(pk=director.pk).update(first_name="", last_name="")
    caches["drawn"].clear()
    page = text(client, tournament.get_absolute_url())
    assert "came late (the director)" in " ".join(page.split())
    assert director.email not in page
    results.cancel_penalty(penalty_id=tournament.penalties.get().pk, now=NOW)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    assert "came late" not in text(client, tournament.get_absolute_url())


def form_of(tournament: Tournament, name: str) -> LeagueRecord:
    return league_records_by_entry(tournament)[tournament.entries.get(name=name).pk]


def test_league_win_counts_once_confirmed_and_undisputed() -> None:
    tournament, author = league(quorum="all"), CommandAuthor(name="Di")
    first, second = (begin(tournament, ["Ada", "Bo", "Cy"]) for _number in range(2))
    for table in (first, second):
        play_table(table, [9, 5, 1])
    assert form_of(tournament, "Ada") == LeagueRecord(match_count=2, won=0, last=[])
    results.confirm_table_as_director(table_id=first.pk, author=author, now=NOW)
    results.dispute(table_id=second.pk, now=NOW)
    assert form_of(tournament, "Ada") == LeagueRecord(match_count=2, won=1, last=[1])
    assert form_of(tournament, "Bo") == LeagueRecord(match_count=2, won=0, last=[2])
    results.confirm_disputed_result_or_end_call(
        table_id=second.pk, author=author, now=NOW
    )
    assert form_of(tournament, "Ada") == LeagueRecord(match_count=2, won=2, last=[1, 1])


def test_race_of_a_league_ends_with_its_final() -> None:
    tournament = league()
    for _number in range(2):
        play_table(begin(tournament, ["Ada", "Bo", "Cy", "Di"]), [9, 5, 3, 1])
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    play_and_close(running_round(tournament))
    lines = store_current_standings(
        tournament_id=tournament.pk, now=NOW
    ).rows_with_names()
    chart = race_chart(tournament, {str(row.entry_id): row.names for row in lines})
    assert chart is not None
    assert chart.labels == ["1", "2", "Final"]


def test_top_three_ranks_have_podium_steps_shared_by_ties() -> None:
    lines = [
        (None, "Ada", "9"),
        (1, "Bea", "9"),
        (1, "Fleur", "9"),
        (3, "Sami", "7"),
        (4, "Emil", "6"),
    ]
    assert podium(lines) == [
        PodiumStep(1, ("Bea", "Fleur"), "9"),
        PodiumStep(3, ("Sami",), "7"),
    ]


def test_rows_add_up_to_their_points() -> None:
    tournament = tournament_with(9, bye="1/2", rounds_planned=3, best_tables=2)
    for _round in range(3):
        closed_round(tournament)
    entry = tournament.entries.get(number=9)
    for round_ in tournament.rounds.all():
        round_.places.filter(entry=entry).delete()
        Bye.objects.create(round=round_, entry=entry)
    add_penalty(entry=entry, points="1/3", reason="Late", user=None, now=NOW)
    standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
    table = build_standings_table(tournament, standings)
    headers = [column.head for column in table.columns]
    assert headers == ["R1", "R2", "R3", "Bye", "Penalty"]
    (own_line,) = (line for line in table.lines if line.row.entry_id == entry.pk)
    assert own_line.cells == ["bye", "bye", "bye", "½ + ½ + (½)", "−⅓"]
    assert own_line.sum_of_points == "bye ½ + bye ½ + bye (½) − ⅓"
    file = standings_file(tournament, standings)
    keys = list(file.columns)
    for row in (dict(zip(keys, row, strict=True)) for row in file.rows):
        summands = [
            row[key]
            for key in keys
            if key.startswith("round_") or key in ("byes", "penalties", "not_counted")
        ]
        numbers = [number for number in summands if isinstance(number, Fraction)]
        assert sum(numbers) == row["points"]
    assert [row.tie_reason_text for row in standings.rows_with_names()][-1] == ""


def parse_cell(cell: str) -> Fraction:
    """Return the number of a cell such as `2½`, or 0 if it is empty."""
    whole = cell.rstrip("¼½¾")
    part = sum(map(numeric, cell.removeprefix(whole)))
    return int(whole or 0) + Fraction(part)


def test_first_rounds_share_a_column_if_there_is_no_room_for_all() -> None:
    tournament = tournament_with(9, bye="1/2", rounds_planned=4)
    for _round in range(4):
        closed_round(tournament)
    entry = tournament.entries.get(number=9)
    first_round = tournament.rounds.get(number=1)
    first_round.places.filter(entry=entry).delete()
    Bye.objects.create(round=first_round, entry=entry)
    mark_changed(tournament.pk)
    rows = store_current_standings(
        tournament_id=tournament.pk, now=NOW
    ).rows_with_names()
    grid = point_grid(read_scored_rounds(tournament, rows), rows, most_rounds=2)
    assert [column.head for column in grid.columns] == ["Earlier", "R4", "Bye"]
    for row, cells in zip(rows, grid.cells, strict=True):
        assert sum(map(parse_cell, cells)) == Fraction(row.points)


def test_reason_is_written_only_for_equal_points() -> None:
    tournament = tournament_with(8)
    closed_round(tournament)
    rows = store_current_standings(
        tournament_id=tournament.pk, now=NOW
    ).rows_with_names()
    for row, following in pairwise(rows):
        assert bool(row.tie_reason_text) == (row.points == following.points)


def test_league_has_a_column_for_each_of_a_players_matches_and_its_final() -> None:
    tournament = league()

    def play_matches(count: int) -> StandingsTable:
        for _match in range(count):
            play_table(begin(tournament, ["Ada", "Bo", "Cy", "Di"]), [9, 5, 3, 1])
        standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
        return build_standings_table(tournament, standings)

    table = play_matches(2)
    assert [column.head for column in table.columns] == ["M1", "M2"]
    assert table.lines[0].cells == ["4", "4"]
    table = play_matches(7)
    heads = [column.head for column in table.columns]
    assert heads == [f"M{number}" for number in range(1, 10)]
    assert table.lines[0].cells == ["4"] * 9
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    play_and_close(running_round(tournament))
    standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
    table = build_standings_table(tournament, standings)
    assert table.columns[-1].head == "Final"
    assert table.lines[0].cells[-1] == "4"
    assert table.lines[0].cells[0].startswith("(")
