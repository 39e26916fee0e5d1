"""A changed seat at a tournament's table asks whom a doubtful name means."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories.tournaments import running_round, tournament_with
from tournaments.models import Club, Table

pytestmark = pytest.mark.django_db(transaction=True)


def table_of_club() -> Table:
    """Return a table that plays in a club where Strauß and Anne played before."""
    before = tournament_with(["Strauß", "Anne", "Bo", "Cy"])
    club: Club = before.club
    tonight = tournament_with(["Di", "Ed", "Flo", "Gus"], club=club)
    return running_round(tonight).tables.select_related("match").get()


def change(table: Table, name: str, **answers: str) -> str:
    assert table.match is not None
    url = reverse("scoring:match_seats", args=[table.match.address])
    entry = {"key": str(uuid4()), "seat": "1", "name": name}
    posted = {**entry, "reason": "plays on for somebody", **answers}
    return Client().post(url, posted, follow=True).content.decode()


@pytest.mark.parametrize(
    ("typed", "known"), [("Strauss", "Strauß"), ("strauss", "Strauß"), ("Änne", "Anne")]
)
def test_name_like_one_of_the_club_is_asked_about(typed: str, known: str) -> None:
    table = table_of_club()
    assert table.match is not None
    page = change(table, typed)
    assert f"“{typed}”: who is this?" in page
    assert f"{known}, who has not played here yet" in page
    assert not table.match.log.seat_changes().exists()
    change(table, typed, asked=typed, meant=f"is:{known}")
    seat = table.match.seats.get(index=1)
    assert seat.name == known
    assert seat.player.entries.get().name == known


def test_somebody_else_is_a_new_person() -> None:
    table = table_of_club()
    assert table.match is not None
    change(table, "Strauss", asked="Strauss", meant="new")
    seat = table.match.seats.get(index=1)
    assert (seat.name, seat.player.entries.count()) == ("Strauss", 0)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("Strauss", ""), ("Strauss", "is:Bo"), ("Anne", "is:Strauß"), ("", "new")],
)
def test_no_other_answer_is_taken(asked: str, meant: str) -> None:
    table = table_of_club()
    assert table.match is not None
    assert "Choose who is meant." in change(table, "Strauss", asked=asked, meant=meant)
    assert not table.match.log.seat_changes().exists()


def test_name_as_the_club_writes_it_is_that_person() -> None:
    table = table_of_club()
    assert table.match is not None
    change(table, "anne")
    assert table.match.seats.get(index=1).player.entries.get().name == "Anne"


def test_new_name_is_not_asked_about() -> None:
    table = table_of_club()
    assert table.match is not None
    change(table, "Zoe")
    assert table.match.seats.get(index=1).name == "Zoe"
