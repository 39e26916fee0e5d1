"""Decisions of a director during a night, and what the room sees of them."""

import re
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertInHTML

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_and_close,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.results import store_current_standings
from tournaments.models import Tournament
from tournaments.web.display.page_layout import SeatingListRow
from tournaments.web.display.printing import seating_poster_sheets

pytestmark = pytest.mark.django_db


def tournament_after_one_round(players: int, **settings: Any) -> Tournament:
    """Return a tournament with one round played and closed."""
    tournament = tournament_with(players, rounds_planned=1, **settings)
    closed_round(tournament)
    return tournament


def test_the_desk_offers_the_final_when_all_planned_rounds_are_closed() -> None:
    tournament = tournament_after_one_round(8, final_size=4, tie_breaks=["lot"])
    client = director(tournament)
    assert client.get(at("desk", tournament)).context["desk"].step == "cut"
    assert "tie-break draw" in submit(client, at("cut", tournament), size=3)
    assert "Tie-break draw done" in submit(client, at("tie_break_draw", tournament))
    assert "The final is drawn." in submit(client, at("cut", tournament), size=4)
    desk = client.get(at("desk", tournament)).context["desk"]
    assert (desk.current.stage, desk.step, len(desk.tables)) == (1, "publish", 1)


@pytest.mark.parametrize(("format_", "final_size"), [("planned", 0), ("swiss", 4)])
def test_early_final_is_refused_if_impossible_else_confirmed(
    format_: str, final_size: int
) -> None:
    settings = {"format": format_, "final_size": final_size, "least_size": 3}
    tournament = tournament_with(8, rounds_planned=3, **settings)
    round_ = running_round(tournament)
    client, cut_url = director(tournament), at("cut", tournament)
    question = "Draw the final now?"
    assert question not in submit(client, cut_url, size=4)
    play_and_close(round_)
    for size, message in (
        (40, "Only 8 players are here, so the final can’t be bigger."),
        (2, "A final of 2 players can’t be split into tables of 3 to 5"),
    ):
        page = submit(client, cut_url, size=size)
        assert message in page
        assert question not in page
        if format_ == "swiss":
            # A planned night has no form for a final while its next round is drawn.
            assert re.search(f'id="id_size_error"[^>]*>{message}', page)
            (field,) = re.findall('<input[^>]* name="size"[^>]*>', page)
            assert f'value="{size}"' in field
    confirmation = submit(client, cut_url, size=4)
    assert question in confirmation
    assert "Rounds 2, 3 haven’t been played." in confirmation
    assert not tournament.rounds.filter(stage=1).exists()
    tournament.refresh_from_db()
    assert tournament.final_size == final_size
    assert "The final is drawn." in submit(client, cut_url, size=4, sure=1)


def test_desk_rejects_invalid_choices() -> None:
    tournament = tournament_after_one_round(8)
    client = director(tournament)
    invalid_requests: list[tuple[str, list[object], dict[str, str], str]] = [
        ("cut", [], {"size": ""}, "refusal"),
        ("cut", [], {"size": "1"}, "refusal"),
        ("cut", [], {"size": "many"}, "refusal"),
        ("announce", [], {}, "refusal"),
        ("screen", [], {"screen": "cats"}, "Choose an option from the list"),
        ("round_action", [1, "game"], {"game": "chess"}, "Choose one of the games"),
    ]
    for name, parts, data, message in invalid_requests:
        assert message in submit(client, at(name, tournament, *parts), **data), name


def test_desk_lists_expected_byes_before_and_actual_byes_after_a_draw() -> None:
    tournament = tournament_with(13, game="tricky_dice", least_size=4, most_size=4)
    client = director(tournament)
    page = text(client, at("desk", tournament))
    assert (
        "13 players are here. That makes tables of 4 + 4 + 4. 1 player sits out. "
        "In this tournament, each Tricky Dice" in page
    )
    (round_, *_more) = drawing.draw(tournament_id=tournament.pk)
    page = " ".join(text(client, at("desk", tournament)).split())
    assert f"Sitting out: <b>{round_.byes.get().entry.name}</b>" in page
    assert "each Tricky Dice table has exactly 4" in page


def test_announcement_and_last_hand_show_everywhere_until_withdrawn() -> None:
    tournament = tournament_with(4)
    table = running_round(tournament).tables.get()
    client = director(tournament)
    urls = [
        at("tournament", tournament),
        at("table", tournament, 1, 1),
        at("projector", tournament),
        match_of(table).get_absolute_url(),
    ]

    def visibility(message: str) -> set[bool]:
        return {message in text(Client(), url) for url in urls}

    announcement_text = "Soup is served"
    assert announcement_text in submit(
        client, at("announce", tournament), text=announcement_text
    )
    assert visibility(announcement_text) == {True}
    announcement = tournament.announcements.get()
    submit(client, at("announcement_withdraw", tournament, announcement.pk))
    assert visibility(announcement_text) == {False}
    cancelled_message = "The last-hand call was cancelled"
    longer_url = at("round_action", tournament, 1, "longer")
    assert cancelled_message not in submit(client, longer_url)
    submit(client, at("round_action", tournament, 1, "last_hand"))
    assert visibility("Last hand") == {True}
    assert cancelled_message in submit(client, longer_url)
    assert visibility("Last hand") == {False}


def test_extra_time_for_one_table_shows_on_its_clock() -> None:
    tournament = tournament_with(8)
    round_ = running_round(tournament)
    submit(director(tournament), at("desk_table_action", tournament, 1, 2, "more_time"))
    end_times = [
        Client().get(at("table", tournament, 1, number)).context["table"].ends_at
        for number in (1, 2)
    ]
    assert end_times == [round_.ends_at, (round_.ends_at or NOW) + rounds.FIVE_MINUTES]


@pytest.mark.django_db(transaction=True)
def test_the_projector_shows_what_the_director_chose() -> None:
    tournament = tournament_with(4)
    play_round(running_round(tournament))
    client = director(tournament)
    labels = ("Who sits where", "Standings", "Clock")
    for screen, expected in (
        ("turns", ["Who sits where", "Standings"]),
        ("seats", ["Who sits where"]),
        ("standings", ["Standings"]),
        ("clock", ["Clock"]),
        ("join", []),
    ):
        settings = {"screen": screen, "standings_shown": "live"}
        submit(client, at("screen", tournament), **settings)
        page = text(Client(), at("projector", tournament))
        shown_labels = [label for label in labels if f'aria-label="{label}"' in page]
        assert shown_labels == expected, screen


def test_result_slip_has_entered_hands_and_room_for_the_rest() -> None:
    tournament = tournament_with(8)
    first, second = running_round(tournament).tables.all()
    enter_points(match_of(first), [4, 3, 2, 1])
    for _hand in range(4):
        enter_points(match_of(second), [4, 3, 2, 1])
    response = director(tournament).get(at("slips", tournament, 1))
    (slip,) = response.context["slips_shown"]
    assert list(slip.rows) == [(1, (4, 3, 2, 1))]
    assert list(slip.totals) == [4, 3, 2, 1]
    assert list(slip.blank_numbers) == [2, 3, 4]
    for name in slip.names:
        assertInHTML(f"<li>{name}</li>", response.content.decode())


def test_round_printouts_list_all_players_with_their_tables() -> None:
    tournament = tournament_with(9, rounds_planned=3, most_size=4, game="tricky_dice")
    round_ = running_round(tournament)
    wall = text(Client(), at("wall", tournament, 1))
    assert "Round 1: find your table" in wall
    assert "9 players" in wall
    assert "sits out" in wall
    cards = text(Client(), at("cards", tournament, 1))
    assert "Round 1 of 3" in cards
    for place in round_.places.select_related("entry"):
        assert place.entry.name in wall
        assert place.entry.name in cards


def test_no_wall_sheet_has_a_single_name() -> None:
    for count in range(2, 170):
        sheets = seating_poster_sheets(
            [SeatingListRow(f"P{n}", n) for n in range(count)]
        )
        assert sum(len(sheet.lines) for sheet in sheets) == count
        assert min(len(sheet.lines) for sheet in sheets) > 1


def test_first_three_of_a_finished_night_get_certificates() -> None:
    tournament = tournament_with(8, rounds_planned=1, quorum="none")
    closed_round(tournament)
    url = at("night_certificates", tournament)
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    assert 'class="award"' not in text(Client(), url)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
    certificates = text(Client(), url)
    top_rows = [row for row in standings.rows_with_names() if row.rank <= 3]
    assert certificates.count('class="award"') == len(top_rows)
    assert all(row.names in certificates for row in top_rows)
    everyone = text(Client(), f"{url}?everyone")
    assert everyone.count('class="award"') == 8


def test_an_unconfirmed_result_at_any_table_holds_back_all_certificates() -> None:
    tournament = tournament_with(8, rounds_planned=1, quorum="none")
    closed_round(tournament)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
    standings.rows.filter(place=8).update(unconfirmed=1)
    page = text(Client(), at("night_certificates", tournament))
    assert 'class="award"' not in page
    assert "Confirm them first" in page


@pytest.mark.django_db(transaction=True)
def test_the_desk_of_a_league_shows_open_matches_and_the_latest(
    django_assert_max_num_queries: Any,
) -> None:
    tournament = tournament_with(["Ada", "Bo", "Cy"], format="league")
    for number in range(1, 16):
        table = begin(tournament, ["Ada", "Bo", "Cy"])
        if number > 1:
            play_table(table, [9, 5, 1])
    client = director(tournament)
    # The first page after signing in lists the sign-in.
    client.get(at("entries", tournament))
    with django_assert_max_num_queries(25):
        desk = client.get(at("desk", tournament)).context["desk"]
    numbers = sorted(view.table.number for view in desk.tables)
    assert numbers == [1, *range(4, 16)]
    assert desk.blocks == ["Table 1 isn’t finished."]
    page = text(Client(), at("round", tournament, 1))
    assert page.index("Table 15") < page.index("Table 1</a>")


def test_a_table_chooses_its_game_on_its_own_page() -> None:
    tournament = tournament_with(4, game_choice="table", games=["tricky_bid", "db2t"])
    running_round(tournament)
    url = at("table", tournament, 1, 1)
    assert "What are you playing?" in text(Client(), url)
    choose_url = at("table_action", tournament, 1, 1, "choose")
    rejected_page = (
        Client().post(choose_url, {"game": "tricky"}, follow=True).content.decode()
    )
    assert "Choose another" in rejected_page
    chosen_page = (
        Client().post(choose_url, {"game": "db2t"}, follow=True).content.decode()
    )
    assert "Open scorepad" in chosen_page
