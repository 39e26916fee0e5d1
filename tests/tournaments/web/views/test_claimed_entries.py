"""A player whom the director entered gets My night on their phone, by the card of their table."""

from typing import Any

import pytest
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import own_phone, running_round, tournament_with
from tests.tournaments.web.views.pages import at, text
from tests.tournaments.web.views.test_who_agrees import (
    entry_at,
    joined_phone,
    name_at,
    seated_by_card,
    signed_in_as,
)
from tests.tournaments.web.views.test_who_writes import card_of
from tournaments.event.entries import substitute
from tournaments.models import Entry, Table

pytestmark = pytest.mark.django_db(transaction=True)


def table_of_four(**settings: Any) -> Table:
    """Return a table that plays, whose players the director entered by hand."""
    tournament = tournament_with(4, **{"writing": "card", **settings})
    return running_round(tournament).tables.select_related("match").get()


def at_table(table: Table) -> Client:
    phone = Client()
    phone.get(card_of(table))
    return phone


def page_of(table: Table, phone: Client) -> str:
    return text(phone, at("table", table.round.tournament, 1, 1))


def claim(phone: Client, table: Table, entry: Entry) -> str:
    """Tap somebody's name, and return the page that follows."""
    place = table.places.get(entry=entry)
    url = at("table_say", table.round.tournament, 1, 1, "mine")
    return phone.post(url, {"place": place.pk}, follow=True).content.decode()


@pytest.mark.parametrize("writing", ["card", "open", "own"])
def test_phone_with_the_card_becomes_the_phone_of_a_player(writing: str) -> None:
    table = table_of_four(writing=writing)
    entry, phone = entry_at(table, 1), at_table(table)
    shown = page_of(table, phone)
    assert "Is this you?" in shown
    assert f"I’m {entry.name}" in shown
    page = claim(phone, table, entry)
    assert "you sit at table 1." in page
    assert entry.name in page
    entry.refresh_from_db()
    assert entry.on_phone
    assert "Is this you?" not in page_of(table, phone)
    assert f"I’m {entry.name}" not in page_of(table, at_table(table))


@pytest.mark.parametrize("writing", ["card", "open", "own"])
def test_phone_without_the_card_becomes_nobodys(writing: str) -> None:
    table = table_of_four(writing=writing)
    phone, entry = Client(), entry_at(table, 1)
    assert "Is this you?" not in page_of(table, phone)
    assert "Another phone has this player." in claim(phone, table, entry)
    entry.refresh_from_db()
    assert not entry.on_phone
    assert phone.get(at("me", table.round.tournament)).status_code == 302


@pytest.mark.parametrize("holds", [joined_phone, signed_in_as])
def test_player_with_a_phone_is_not_taken_over(holds: Any) -> None:
    table = table_of_four()
    entry = entry_at(table, 1)
    holds(entry)
    phone = at_table(table)
    assert f"I’m {entry.name}" not in page_of(table, phone)
    assert "Another phone has this player." in claim(phone, table, entry)
    assert phone.get(at("me", table.round.tournament)).status_code == 302


def test_seat_that_another_phone_took_is_not_taken_over() -> None:
    table = table_of_four()
    entry = entry_at(table, 1)
    own = seated_by_card(table, 1)
    other = at_table(table)
    assert f"I’m {entry.name}" not in page_of(table, other)
    assert "Another phone has this player." in claim(other, table, entry)
    shown = page_of(table, own)
    assert f"I’m {name_at(table, 1)}" in shown
    assert f"I’m {name_at(table, 2)}" not in shown
    assert "you sit at table 1." in claim(own, table, entry)


def test_phone_of_somebody_becomes_nobody_else_by_a_card() -> None:
    table = table_of_four()
    own = own_phone(entry_at(table, 0))
    own.get(card_of(table))
    assert "Is this you?" not in page_of(table, own)
    claim(own, table, entry_at(table, 1))
    assert not entry_at(table, 1).on_phone
    substitute(entry_id=entry_at(table, 0).pk, name="Zoe", now=NOW)
    assert "Is this you?" not in page_of(table, own)


def test_old_card_opens_nothing() -> None:
    table = table_of_four()
    phone = Client()
    phone.get(card_of(table, "x" * 20))
    assert "Is this you?" not in page_of(table, phone)


def test_page_to_register_says_how_an_entered_player_gets_their_page() -> None:
    table = table_of_four()
    joining = text(Client(), at("join", table.round.tournament))
    assert "Scan the card on your table" in joining
