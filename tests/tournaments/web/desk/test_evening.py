"""What a director decides in the course of an evening, and what the room sees of it."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.asserts import assertInHTML

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.desk import announcements
from tournaments.event.leagues import begin_match
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def said_on_desk(client: Client, url: str, **posted: Any) -> str:
    """Post something and return the desk that follows."""
    return client.post(url, posted, follow=True).content.decode()


def played(players: int, **settings: Any) -> Tournament:
    """Return a tournament with one round played and closed."""
    tournament = tournament_with(players, rounds_planned=1, **settings)
    closed_round(tournament)
    return tournament


def test_the_desk_offers_the_final_when_all_planned_rounds_are_closed() -> None:
    tournament = played(8, final_size=4, tie_breaks=["lot"])
    client = director(tournament)
    assert client.get(at("desk", tournament)).context["desk"].step == "cut"
    refused = said_on_desk(client, at("cut", tournament), size=3)
    assert "draw lots" in refused
    assert "drew a lot" in said_on_desk(client, at("lots", tournament))
    said_on_desk(client, at("cut", tournament), size=4)
    desk = client.get(at("desk", tournament)).context["desk"]
    assert (desk.current.stage, desk.step, len(desk.tables)) == (1, "publish", 1)


@pytest.mark.parametrize(
    ("name", "parts", "posted", "why"),
    [
        ("cut", [], {"size": ""}, "refusal"),
        ("cut", [], {"size": "1"}, "refusal"),
        ("cut", [], {"size": "many"}, "refusal"),
        ("announce", [], {}, "refusal"),
        ("screen", [], {"screen": "cats"}, "Choose one of what"),
        ("round_act", [1, "game"], {"game": "chess"}, "Choose one of the games"),
    ],
)
def test_the_desk_says_what_is_no_choice(
    name: str, parts: list[object], posted: dict[str, Any], why: str
) -> None:
    tournament = played(8)
    assert why in said_on_desk(
        director(tournament), at(name, tournament, *parts), **posted
    )


def test_the_desk_says_before_a_draw_who_would_sit_out_and_after_it_who_does() -> None:
    tournament = tournament_with(13, game="tricky_dice", least_size=4, most_size=4)
    client = director(tournament)
    desk = text(client, at("desk", tournament))
    assert "13 are here. They make tables of 4 + 4 + 4. 1 sits out: Tricky Dice" in desk
    (one, *_more) = drawing.draw(tournament_id=tournament.pk)
    desk = " ".join(text(client, at("desk", tournament)).split())
    assert f"Sits out: <b>{one.byes.get().entry.name}</b>" in desk
    assert "Tricky Dice is played by exactly 4" in desk


def test_a_draw_that_seats_everybody_as_before_says_so() -> None:
    tournament = tournament_with(8)
    client, path = director(tournament), at("draw", tournament)
    assert "Everybody sits where they sat" not in said_on_desk(client, path)
    assert "Everybody sits where they sat" in said_on_desk(client, path)
    assert "Everybody sits where they sat" not in said_on_desk(client, path, seed=7)


def test_an_announcement_is_seen_everywhere_until_it_is_taken_back() -> None:
    tournament = tournament_with(4)
    table = running_round(tournament).tables.get()
    client = director(tournament)
    assert "Soup" in said_on_desk(
        client, at("announce", tournament), text="Soup is served"
    )
    everywhere = [
        at("tournament", tournament),
        at("table", tournament, 1, 1),
        at("projector", tournament),
        match_of(table).get_absolute_url(),
    ]
    assert all("Soup is served" in text(Client(), url) for url in everywhere)
    said = tournament.announcements.get()
    said_on_desk(client, at("announcement_withdraw", tournament, said.pk))
    assert not any("Soup is served" in text(Client(), url) for url in everywhere)


def test_a_sheet_hears_that_something_else_is_said_above_it() -> None:
    tournament = tournament_with(4)
    table = running_round(tournament).tables.get()
    sheet, phone = match_of(table).get_absolute_url(), Client()

    def mark() -> str:
        return text(phone, sheet).split('data-mark="')[1].split('"')[0]

    def live(seen: str) -> Any:
        return phone.get(f"{sheet}live/", {"v": seen})

    known = mark()
    assert live(f"0.{known}").status_code == 204
    said_on_desk(director(tournament), at("announce", tournament), text="Soup!")
    told = live(f"0.{known}")
    assert told.headers["HX-Reswap"] == "none"
    assert b"data-version" not in told.content
    assert b"Soup!" in told.content
    assert live(f"0.{mark()}").status_code == 204
    # A phone that has seen less gets the sheet, and what is said as well.
    behind = live(f"9.{known}")
    assert b"data-version" in behind.content
    assert b"Soup!" in behind.content


def test_the_last_hand_is_told_at_every_table_and_in_the_room() -> None:
    tournament = tournament_with(4)
    table = running_round(tournament).tables.get()
    said_on_desk(director(tournament), at("round_act", tournament, 1, "last_hand"))
    for url in (
        at("table", tournament, 1, 1),
        at("projector", tournament),
        match_of(table).get_absolute_url(),
    ):
        assert "Last hand" in text(Client(), url)


def test_more_time_says_that_it_takes_the_last_hand_back() -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    client, taken_back = director(tournament), "the last hand is not called any longer"
    longer = at("round_act", tournament, 1, "longer")
    assert taken_back not in said_on_desk(client, longer)
    said_on_desk(client, at("round_act", tournament, 1, "last_hand"))
    assert taken_back in said_on_desk(client, longer)


def test_one_table_is_given_time_and_its_clock_has_it() -> None:
    tournament = tournament_with(8)
    one = running_round(tournament)
    said_on_desk(director(tournament), at("table_act", tournament, 1, 2, "more_time"))
    ends = [
        Client().get(at("table", tournament, 1, number)).context["table"].ends_at
        for number in (1, 2)
    ]
    assert ends == [one.ends_at, (one.ends_at or NOW) + rounds.FIVE_MINUTES]


@pytest.mark.parametrize(
    ("screen", "seen"),
    [
        ("turns", ["Who sits where", "Standings"]),
        ("seats", ["Who sits where"]),
        ("standings", ["Standings"]),
        ("clock", ["Clock"]),
        ("join", []),
    ],
)
def test_the_projector_shows_what_the_director_chose(
    screen: str, seen: list[str]
) -> None:
    tournament = tournament_with(4)
    play_round(running_round(tournament))
    shown = {"screen": screen, "standings_shown": "live"}
    said_on_desk(director(tournament), at("screen", tournament), **shown)
    page = text(Client(), at("projector", tournament))
    labels = ("Who sits where", "Standings", "Clock")
    assert [label for label in labels if f'aria-label="{label}"' in page] == seen


def test_the_projector_is_told_when_it_should_be_drawn_anew() -> None:
    tournament = tournament_with(4)
    one = running_round(tournament)
    url = at("projector_live", tournament)
    first = text(Client(), url)
    assert text(Client(), url) == first
    announcements.announce(tournament_id=tournament.pk, text="Soup", by=None, now=NOW)
    second = text(Client(), url)
    play_round(one)
    assert len({first, second, text(Client(), url)}) == 3


def test_hidden_standings_are_seen_by_the_people_of_the_club_alone() -> None:
    tournament = tournament_with(4, standings_shown="finished")
    play_round(running_round(tournament))
    page = at("tournament", tournament)
    # The page that its people were shown first is not the one of strangers.
    assert len(director(tournament).get(page).context["rows"]) == 4
    assert "Shown when the tournament is finished" in text(Client(), page)
    assert 'scope="row"' not in text(Client(), at("tournament_live", tournament))


def test_a_slip_has_the_hands_that_are_in_and_room_for_the_rest() -> None:
    tournament = tournament_with(8)
    first, second = running_round(tournament).tables.all()
    enter_points(match_of(first), [4, 3, 2, 1])
    for _hand in range(4):
        enter_points(match_of(second), [4, 3, 2, 1])
    answer = director(tournament).get(at("slips", tournament, 1))
    (slip,) = answer.context["slips_shown"]
    assert list(slip.rows) == [(1, (4, 3, 2, 1))]
    assert list(slip.totals) == [4, 3, 2, 1]
    assert list(slip.blank) == [2, 3, 4]
    for name in slip.names:
        assertInHTML(f"<li>{name}</li>", answer.content.decode())


def test_a_round_plays_the_game_that_the_director_chooses() -> None:
    tournament = tournament_with(12, game_choice="round", rounds_planned=2)
    drawing.draw(tournament_id=tournament.pk)
    client = director(tournament)
    said_on_desk(client, at("round_act", tournament, 1, "game"), game="tricky_dice")
    assert client.get(at("desk", tournament)).context["desk"].game == "tricky_dice"


def test_a_table_chooses_its_game_on_its_own_page() -> None:
    tournament = tournament_with(4, game_choice="table", games=["tricky_bid", "db2t"])
    running_round(tournament)
    page = at("table", tournament, 1, 1)
    assert "What do you play?" in text(Client(), page)
    choose = at("table_say", tournament, 1, 1, "choose")
    refused = Client().post(choose, {"game": "tricky"}, follow=True).content.decode()
    assert "choose another one" in refused
    chosen = Client().post(choose, {"game": "db2t"}, follow=True).content.decode()
    assert "To the scorepad" in chosen


def test_the_page_of_a_round_shows_who_made_how_many_points() -> None:
    tournament = tournament_with(4)
    one = running_round(tournament)
    play_round(one)
    first = one.places.get(index=0).entry.name
    page = text(Client(), at("round", tournament, 1))
    assert f'<span>{first}</span> <b class="num">80</b>' in page


def test_the_desk_of_a_league_shows_open_matches_and_the_latest(
    django_assert_max_num_queries: Any,
) -> None:
    tournament = tournament_with(["Ada", "Bo", "Cy"], format="league")
    ids = list(tournament.entries.by_number().values_list("pk", flat=True))
    for number in range(1, 16):
        table = begin_match(
            tournament_id=tournament.pk,
            key=uuid4(),
            entry_ids=ids,
            game="tricky_bid",
            now=NOW,
        )
        if number > 1:
            play_table(table, [9, 5, 1])
    client = director(tournament)
    # The first page after signing in lists the sign-in.
    client.get(at("entries", tournament))
    with django_assert_max_num_queries(22):
        desk = client.get(at("desk", tournament)).context["desk"]
    numbers = sorted(view.table.number for view in desk.tables)
    assert numbers == [1, *range(4, 16)]
    assert desk.blocks == ["Table 1 is not finished."]
    page = text(Client(), at("round", tournament, 1))
    assert page.index("Table 15") < page.index("Table 1</a>")
