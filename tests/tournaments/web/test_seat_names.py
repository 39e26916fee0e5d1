"""Changing a seat at a tournament's table asks who an ambiguous name is."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.matchlog.tokens import match_write_token
from tests.factories.phones import deliver, entry
from tests.factories.tournaments import (
    director,
    match_of,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.models import Club, Table

pytestmark = pytest.mark.django_db


def table_of_club() -> Table:
    """Return a table that plays in a club where Strauß and Anne played before."""
    earlier = tournament_with(["Strauß", "Anne", "Bo", "Cy"])
    club: Club = earlier.club
    tonight = tournament_with(["Di", "Ed", "Flo", "Gus"], club=club)
    return running_round(tonight).tables.select_related("match").get()


def change(table: Table, name: str, **answers: str) -> str:
    url = reverse("scoring:match_seats", args=[match_of(table).address])
    entry = {"key": str(uuid4()), "seat": "1", "name": name}
    form_data = {**entry, "reason": "plays on for somebody", **answers}
    return Client().post(url, form_data, follow=True).content.decode()


@pytest.mark.parametrize(
    ("typed_name", "known_name"),
    [("Strauss", "Strauß"), ("strauss", "Strauß"), ("Änne", "Anne")],
)
def test_similar_name_needs_an_answer(typed_name: str, known_name: str) -> None:
    table = table_of_club()
    page = change(table, typed_name)
    assert f"Who is “{typed_name}”?" in page
    assert f"{known_name} (hasn’t played here yet)" in page
    assert not match_of(table).log.seat_changes().exists()
    change(table, typed_name, asked=typed_name, meant=f"is:{known_name}")
    seat = match_of(table).seats.get(index=1)
    assert seat.name == known_name
    assert seat.player.entries.get().name == known_name


@pytest.mark.parametrize(
    ("asked_name", "meant"),
    [("Strauss", ""), ("Strauss", "is:Bo"), ("Anne", "is:Strauß"), ("", "new")],
)
def test_rejects_invalid_answer_about_a_name(asked_name: str, meant: str) -> None:
    table = table_of_club()
    match = match_of(table)
    assert "Choose who you mean." in change(
        table, "Strauss", asked=asked_name, meant=meant
    )
    assert not match.log.seat_changes().exists()


@pytest.mark.parametrize(
    ("name", "answers", "entries"),
    [
        ("Strauss", {"asked": "Strauss", "meant": "new"}, 0),
        ("anne", {}, 1),
        ("Zoe", {}, 0),
    ],
)
def test_certain_or_answered_name_is_accepted(
    name: str, answers: dict[str, str], entries: int
) -> None:
    table = table_of_club()
    change(table, name, **answers)
    seat = match_of(table).seats.get(index=1)
    assert seat.name.lower() == name.lower()
    assert seat.player.entries.count() == entries


def send_from_phone(table: Table, name: str) -> None:
    """Send twice, from a phone, that a person with this name took seat 2 while it was offline."""
    seat_entry = entry("seats", number=None, body={"seat": 1, "name": name})
    for _time in range(2):
        status, payload = deliver(
            match_of(table).address, seat_entry, match_write_token(match_of(table))
        )
        assert (status, payload["faults"]) == (200, [])


def question_url(table: Table) -> str:
    """Return the URL that asks who sits at seat 2, or an empty string if the desk has no link to it."""
    tournament = table.round.tournament
    desk = text(director(tournament), at("desk", tournament))
    page = f"{reverse('scoring:match_seats', args=[match_of(table).address])}?seat=1"
    return page if page in desk else ""


@pytest.mark.parametrize(
    ("meant", "name", "entries"), [("is:Strauß", "Strauß", 1), ("new", "Strauss", 0)]
)
def test_desk_asks_about_an_ambiguous_offline_name_until_answered(
    meant: str, name: str, entries: int
) -> None:
    table = table_of_club()
    send_from_phone(table, "Strauss")
    player_id_before = match_of(table).seats.get(index=1).player_id
    page = text(Client(), question_url(table))
    assert "Who is “Strauss”?" in page
    assert "Strauß (hasn’t played here yet)" in page
    change(table, "Strauss", asked="Strauss", meant=meant)
    assert not question_url(table)
    seat = match_of(table).seats.get(index=1)
    assert (seat.name, seat.player.entries.count()) == (name, entries)
    assert (seat.player_id == player_id_before) is (meant == "new")


@pytest.mark.parametrize(("name", "entries"), [("anne", 1), ("Zoe", 0)])
def test_desk_does_not_ask_about_a_certain_name(name: str, entries: int) -> None:
    table = table_of_club()
    send_from_phone(table, name)
    assert match_of(table).seats.get(index=1).player.entries.count() == entries
    assert not question_url(table)
