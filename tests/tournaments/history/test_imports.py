"""Imports of past results: reading, preview, import, and undo without a trace."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from scoring.models import Player
from tests.factories.history import (
    counted_tournament,
    evening,
    merge_by_name,
    update_history,
)
from tests.factories.tournaments import signed_in
from tests.tournaments.history.test_derivation import current_results
from tests.tournaments.web.pages import submit
from tournaments.changes import RefusedError
from tournaments.event.setup.spreadsheets import parse_first_rows
from tournaments.history.derivation import history_differences
from tournaments.history.imports.imports import import_results, redo_import, undo_import
from tournaments.history.imports.past_results import (
    MOST_LINES,
    PastResultsReading,
    read_past_results,
)
from tournaments.history.leaderboard import BoardQuery, leaderboard
from tournaments.models import Club, Import, Role, Tournament

TODAY = date(2026, 6, 20)
NOW = evening("2026-06-20")
PLACES = """date,tournament,player,place
2024-03-01,March,Ann,1
2024-03-01,March,Bo,2
2024-03-01,March,Cy,2
2024-03-01,March,Di,4
"""
TABLES = """Datum;Turnier;Runde;Tisch;Spieler;Punkte
1.3.2024;March;1;1;Ann;40
1.3.2024;March;1;1;Bo;31
1.3.2024;March;1;2;Cy;31
1.3.2024;March;1;2;Di;12
1.3.2024;March;2;1;Ann;5
1.3.2024;March;2;1;Cy;9
"""


def parse_list(text: str) -> PastResultsReading:
    return read_past_results(
        parse_first_rows(text, max_rows=MOST_LINES), game="tricky", today=TODAY
    )


def import_list(
    club: Club, text: str, key: UUID | None = None, game: str = "tricky"
) -> Import:
    return import_results(
        club_id=club.pk,
        key=key or uuid4(),
        name="old.csv",
        game=game,
        cells=parse_first_rows(text, max_rows=MOST_LINES),
        user=None,
        now=NOW,
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("name\nAnn", "No column contains a date"),
        ("date,name\n2024-03-01,Ann", "No column has the heading “place” or “score”"),
        ("date,name,place\nlast week,Ann,1", "Line 2, date: “last week” isn’t a date"),
        ("date,name,place\n2031-03-01,Ann,1", "1 Mar 2031 is in the future"),
        (
            "date,name,place\n2024-03-01,Ann,first",
            "Line 2, place: “first” isn’t a valid place",
        ),
        ("date,name,place\n2024-03-01,Ann,", "enter a place or a score"),
        ("date,name,place\n2024-03-01,,1", "Line 2, player: a name needs 1 to"),
        (
            "date,name,place,game\n2024-03-01,Ann,1,chess",
            "“chess” isn’t one of the games",
        ),
        (
            "date,round,table,name,state,points\n2024-03-01,1,1,Ann,running,3",
            "Line 2, state: this table is still being played.",
        ),
        (PLACES + "2024-03-01,March,ann,5\n", "“ann” is listed twice"),
        (TABLES + "1.3.2024;March;2;1;ANN;5\n", "is listed twice in round 2"),
        (TABLES + "1.3.2024;March;2;2;Eve;5\n", "has 1 player. A table needs 2"),
        (TABLES + "1.3.2024;March;2;;Eve;5\n", "have a table and some don’t"),
        (
            "date,name,place,score\n2024-03-01,A,1,\n2024-03-01,B,,3",
            "have a place and some don’t",
        ),
    ],
)
def test_unreadable_values_are_reported_by_line_and_nothing_is_imported(
    text: str, message: str
) -> None:
    past = parse_list(text)
    assert any(message.casefold() in fault.casefold() for fault in past.faults), (
        past.faults
    )
    assert past.events == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("A,1,,\nB,2,,\nC,,7,", [("place", 4)]),
        ("A,,9,\nB,,8,\nC,3,7,", [("place", 4)]),
        ("A,1,9,1\nB,2,8,1\nC,3,7,", [("table", 4)]),
        ("A,,7.5,1\nB,,5,1", [("score", 2)]),
    ],
)
def test_error_marks_lines_that_differ_from_the_majority(
    lines: str, expected: list[tuple[str, int]]
) -> None:
    rows = "".join(f"2024-03-01,{line}\n" for line in lines.splitlines())
    past = parse_list(f"date,name,place,score,table\n{rows}")
    assert [(fault.column, fault.line) for fault in past.faults] == expected


@given(st.lists(st.lists(st.text(max_size=12), max_size=6), max_size=6))
def test_no_list_crashes_the_reader(cells: list[list[str]]) -> None:
    heads = ["date", "player", "place", "score", "table", "round"]
    past = read_past_results([heads, *cells], game="tricky", today=TODAY)
    assert not (past.events and past.faults)


@pytest.mark.django_db
class TestImport:
    def test_final_places_create_a_tournament_and_season_points(
        self, club: Club, client: Client
    ) -> None:
        import_ = import_list(club, PLACES)
        update_history(club, NOW)
        tournament = import_.tournaments.get()
        assert tournament.held_on == date(2024, 3, 1)
        lines = leaderboard(BoardQuery(club=club), TODAY)
        assert [(line.name, float(line.points)) for line in lines] == [
            ("Ann", 100),
            ("Bo", 50),
            ("Cy", 50),
            ("Di", 0),
        ]
        assert {line.tables for line in lines} == {0}
        assert history_differences(club) == []
        lines_in_march = leaderboard(
            BoardQuery(club=club, as_of=date(2024, 3, 1)), TODAY
        )
        assert [line.name for line in lines_in_march] == ["Ann", "Bo", "Cy", "Di"]
        day_before = BoardQuery(club=club, as_of=date(2024, 2, 29))
        assert leaderboard(day_before, TODAY) == []
        for player in Player.objects.filter(entries__tournament__club=club):
            page = client.get(
                reverse("tournaments:player", args=[club.slug, player.pk])
            )
            assert "since 2024" in page.content.decode()

    @pytest.mark.parametrize(
        ("points", "expected"),
        [
            (["1.234,5", "820", "0"], ["2469/2", "820", "0"]),
            # If one is missing, points are the number of players ranked below.
            (["1.234,5", "", "0"], ["2", "1", "0"]),
        ],
    )
    def test_final_places_show_the_points_of_their_list(
        self, club: Club, points: list[str], expected: list[str]
    ) -> None:
        lines = [
            f"Spring;2024-03-01;tricky_bid;{name};{place};{points_text}"
            for place, (name, points_text) in enumerate(
                zip("ABC", points, strict=True), 1
            )
        ]
        text = "\n".join(["event;date;game;player;place;points", *lines])
        import_ = import_list(club, text)
        update_history(club, NOW)
        standings = import_.tournaments.get().standings.unfrozen_latest_first().get()
        assert [row.points for row in standings.rows_with_names()] == expected
        assert history_differences(club) == []

    def test_undone_import_restores_the_club_and_can_be_repeated(
        self, club: Club
    ) -> None:
        counted_tournament("2026-05-12", ["Ann", "Bo", "Zoe", "Yan"], club=club)
        before = current_results(club)
        players = set(Player.objects.values_list("name", flat=True))
        import_ = import_list(club, TABLES)
        update_history(club, NOW)
        after = current_results(club)
        assert after != before
        for _twice in range(2):
            undo_import(import_id=import_.pk, now=NOW)
        update_history(club, NOW)
        assert current_results(club) == before
        assert set(Player.objects.values_list("name", flat=True)) == players
        assert history_differences(club) == []
        for _twice in range(2):
            redo_import(import_id=import_.pk, now=NOW)
        update_history(club, NOW)
        assert [line[4:] for line in current_results(club)[-4:]] != []
        assert len(current_results(club)) == len(after)

    def test_rejects_one_person_under_two_names(self, club: Club) -> None:
        counted_tournament("2026-05-12", ["Ann", "Bo", "Cy", "Di"], club=club)
        counted_tournament("2026-05-19", ["Annie", "Bo", "Cy", "Di"], club=club)
        merge_by_name(club, "Ann", "Annie", NOW)
        with pytest.raises(
            RefusedError, match="“Annie” in “March” is the same person as another"
        ):
            import_list(club, PLACES + "2024-03-01,March,Annie,5\n")
        assert not Import.objects.exists()

    def test_import_matches_players_regardless_of_case(self, club: Club) -> None:
        counted_tournament("2026-05-12", ["Ann", "Bo", "Cy", "Di"], club=club)
        text = PLACES.replace("Ann", "ANN").replace("Di", "Eva")
        import_list(club, text + "2024-04-01,April,eva,1\n2024-04-01,April,ann,2\n")
        assert Player.objects.filter(name__iexact="ann").count() == 1
        assert Player.objects.filter(name__iexact="eva").count() == 1
        april = Tournament.objects.get(name="April")
        places = april.entries.order_by("final_place")
        assert list(places.values_list("name", flat=True)) == ["Eva", "Ann"]
        tables = TABLES.replace("Ann;5", "ann;5").replace("March", "Cup")
        import_list(club, tables)
        assert Player.objects.filter(name__iexact="ann").count() == 1


@pytest.mark.django_db
def test_new_player_is_counted_once_regardless_of_case(
    send: Callable[..., str],
) -> None:
    text = PLACES + "2024-04-01,April,ann,1\n2024-04-01,April,BO,2\n"
    assert "4 new players" in send(text=text)
    error_page = send(text=text + "2024-04-01,April,Ann,3\n")
    assert "“ann” is listed twice" in error_page


@pytest.mark.django_db
def test_director_previews_a_list_before_import(
    club: Club, send: Callable[..., str]
) -> None:
    client = signed_in(club, Role.DIRECTOR)
    url = reverse("tournaments:imports", args=[club.slug])
    preview = send(text=PLACES)
    assert "Check your list" in preview
    assert "4 new players" in preview
    assert not Import.objects.exists()
    success_page = send(text=PLACES, confirm="1")
    assert "1 tournament imported" in success_page
    manage_url = reverse("tournaments:club_manage", args=[club.slug])
    assert url in client.get(manage_url).content.decode()
    import_ = Import.objects.get()
    assert "1 tournament" in client.get(url).content.decode()
    assert "March is already here" in send(text=PLACES)
    repeated_form = {"text": PLACES, "confirm": "1", "again-0": "leave"}
    assert "nothing to import" in send(**repeated_form)
    assert Import.objects.count() == 1
    undo_url = reverse(
        "tournaments:import_action", args=[club.slug, import_.pk, "undo"]
    )
    confirmation_page = submit(client, undo_url)
    assert "Undo the import of A pasted list?" in confirmation_page
    assert "1 tournament will be removed." in confirmation_page
    assert import_.tournaments.exists()
    assert "Import undone." in submit(client, undo_url, sure=1)
    assert not import_.tournaments.exists()
    error_page = send(text="date,player\nx,y")
    assert "No column has the heading" in error_page
    assert "date,player" in error_page


@pytest.mark.django_db
def test_page_lists_each_file_once_with_its_imports(club: Club) -> None:
    import_list(club, PLACES)
    longer_list = (
        PLACES + PLACES.replace("2024-03-01,March", "2024-05-03,May").partition("\n")[2]
    )
    import_list(club, longer_list.replace("March", "Early"))
    undone_import = undo_import(import_id=import_list(club, TABLES).pk, now=NOW)
    path = reverse("tournaments:imports", args=[club.slug])
    client = signed_in(club, Role.DIRECTOR)
    page = " ".join(client.get(path).content.decode().split())
    assert page.count("<h3>old.csv</h3>") == 1
    assert "1 tournament (1 Mar 2024)" in page
    assert "2 tournaments (1 Mar 2024 – 3 May 2024)" in page
    assert page.count("· undone") == 1
    assert (
        reverse("tournaments:import_action", args=[club.slug, undone_import.pk, "redo"])
        in page
    )


@pytest.mark.django_db
def test_imports_page_has_constant_query_count(
    club: Club, django_assert_max_num_queries: Any
) -> None:
    for number in range(5):
        import_list(club, PLACES.replace("March", f"Night {number}"))
    client = signed_in(club, Role.DIRECTOR)
    path = reverse("tournaments:imports", args=[club.slug])
    client.get(path)
    with django_assert_max_num_queries(12):
        client.get(path)


@pytest.mark.django_db
@pytest.mark.parametrize("columns", ["round,table,", ""], ids=["tables", "totals"])
@pytest.mark.parametrize(
    ("word", "winner"), [("yes", "Bo"), ("no", "Ann"), ("", "Ann")]
)
def test_any_game_ranks_the_lowest_total_first_if_the_list_says_so(
    club: Club, columns: str, word: str, winner: str
) -> None:
    cells = "1,1," if columns else ""
    lines = [f"date,tournament,{columns}player,score,lowest wins"]
    for name, score in (("Ann", 74), ("Bo", 12), ("Cy", 30)):
        lines.append(f"2024-03-01,Hearts,{cells}{name},{score},{word}")
    import_list(club, "\n".join(lines), game="any_game")
    update_history(club, NOW)
    assert club.results.current().get(rank=1).player.name == winner
    tournament = club.tournaments.get()
    assert tournament.options == ({"lowest_wins": True} if word == "yes" else {})
    assert history_differences(club) == []


def test_lines_of_an_event_agree_on_the_total_that_wins() -> None:
    past = read_past_results(
        parse_first_rows(
            "date,player,score,lowest wins\n2024-03-01,Ann,1,yes\n2024-03-01,Bo,2,no",
            max_rows=MOST_LINES,
        ),
        game="any_game",
        today=TODAY,
    )
    assert "the lowest total wins, in others the highest" in past.faults[0]
    past = parse_list("date,player,score,lowest wins\n2024-03-01,Ann,1,maybe")
    assert "Enter yes or no" in past.faults[0]
