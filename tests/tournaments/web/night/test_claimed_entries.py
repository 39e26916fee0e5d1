"""A phone with the table's card can claim a player whom the director added."""

from typing import Any

import pytest
from django.test import Client

from scoring.competition import competition
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    director,
    own_phone,
    running_round,
    tournament_with,
)
from tests.tournaments.web.night.test_confirmation_rights import (
    PhoneFactory,
    entry_at,
    phone_with_claim,
    phone_with_seat,
    registered_phone,
    scanned_phone,
)
from tests.tournaments.web.night.test_scoring_rights import card_of
from tests.tournaments.web.pages import at, submit, text
from tournaments.event.entries import add_entries, remove_entry, substitute_entry_player
from tournaments.event.rights import release_phone
from tournaments.event.unplayed_players import delete_unplayed_player
from tournaments.models import Entry, Table, Tournament

pytestmark = pytest.mark.django_db


def table_of_four(**settings: Any) -> Table:
    """Return a running table whose players the director added."""
    tournament = tournament_with(4, **{"writing": "card", **settings})
    return running_round(tournament).tables.select_related("match").get()


def page_of(table: Table, phone: Client) -> str:
    return text(phone, at("table", table.round.tournament, 1, 1))


def claim(phone: Client, table: Table, entry: Entry) -> str:
    """Claim a player's name and return the page that follows."""
    place = table.places.get(entry=entry)
    url = at("table_action", table.round.tournament, 1, 1, "mine")
    return phone.post(url, {"place": place.pk}, follow=True).content.decode()


@pytest.mark.parametrize("writing", ["card", "open", "own"])
def test_phone_with_the_card_becomes_the_phone_of_a_player(writing: str) -> None:
    table = table_of_four(writing=writing)
    entry, phone = entry_at(table, 1), scanned_phone(table)
    table_page = page_of(table, phone)
    assert "Is this you?" in table_page
    assert f"I’m {entry.name}" in table_page
    page = claim(phone, table, entry)
    assert "you’re at table 1." in page
    assert entry.name in page
    entry.refresh_from_db()
    assert entry.on_phone
    assert "Is this you?" not in page_of(table, phone)
    assert f"I’m {entry.name}" not in page_of(table, scanned_phone(table))


@pytest.mark.parametrize("writing", ["card", "open", "own"])
def test_phone_without_the_card_cannot_claim_a_player(writing: str) -> None:
    table = table_of_four(writing=writing)
    entry, guesser = entry_at(table, 1), Client()
    guesser.get(card_of(table, "x" * 20))
    for phone in (Client(), guesser):
        assert "Is this you?" not in page_of(table, phone)
        assert "This player is already registered on another phone." in claim(
            phone, table, entry
        )
        entry.refresh_from_db()
        assert not entry.on_phone
        assert phone.get(at("me", table.round.tournament)).status_code == 302


@pytest.mark.parametrize(
    "holder", [registered_phone, phone_with_claim, phone_with_seat]
)
def test_player_with_a_phone_cannot_be_claimed(holder: PhoneFactory) -> None:
    table = table_of_four()
    entry = entry_at(table, 1)
    holder_phone, other_phone = holder(table), scanned_phone(table)
    assert f"I’m {entry.name}" not in page_of(table, other_phone)
    assert "This player is already registered on another phone." in claim(
        other_phone, table, entry
    )
    assert other_phone.get(at("me", table.round.tournament)).status_code == 302
    if holder is phone_with_seat:
        assert f"I’m {entry.name}" in page_of(table, holder_phone)
        assert "you’re at table 1." in claim(holder_phone, table, entry)


def test_phone_of_a_player_cannot_claim_another_by_card() -> None:
    table = table_of_four()
    phone = own_phone(entry_at(table, 0))
    phone.get(card_of(table))
    assert "Is this you?" not in page_of(table, phone)
    claim(phone, table, entry_at(table, 1))
    assert not entry_at(table, 1).on_phone
    substitute_entry_player(entry_id=entry_at(table, 0).pk, name="Zoe", now=NOW)
    assert "Is this you?" not in page_of(table, phone)


def register_by_phone(tournament: Tournament, name: str = "Ann") -> Client:
    """Register a player with a phone and return the phone."""
    phone = Client()
    phone.post(at("join", tournament), {"name": name})
    return phone


def release(table: Table, entry: Entry, **answers: str) -> str:
    tournament = table.round.tournament
    url = at("entry_edit", tournament, entry.number)
    return submit(director(tournament), url, release="1", **answers)


def test_director_releases_a_lost_phone(caplog: pytest.LogCaptureFixture) -> None:
    table = table_of_four()
    tournament, entry = table.round.tournament, entry_at(table, 1)
    lost_phone = scanned_phone(table)
    claim(lost_phone, table, entry)
    question = release(table, entry)
    assert f"Disconnect {entry.name}’s phone?" in question
    assert "you’re at table 1." in text(lost_phone, at("me", tournament))
    with caplog.at_level("INFO", "tricky.security"):
        released_page = release(table, entry, sure="1")
    assert f"{entry.name}’s phone is disconnected." in released_page
    assert "phone_released" in caplog.text
    assert lost_phone.get(at("me", tournament))["Location"] == at("join", tournament)
    for phone in (scanned_phone(table), lost_phone):
        release(table, entry, sure="1")
        assert "you’re at table 1." in claim(phone, table, entry)
    assert f"I’m {entry.name}" not in page_of(table, scanned_phone(table))


def test_releasing_a_phone_of_an_old_session_keeps_its_family() -> None:
    table = table_of_four()
    parent, child = entry_at(table, 0), entry_at(table, 1)
    phone = own_phone(parent, child)
    Entry.objects.filter(pk=child.pk).update(on_phone=True)
    release(table, child, sure="1")
    page = text(phone, at("me", table.round.tournament))
    assert parent.name in page
    assert "/me/for/" not in page
    release(table, parent, sure="1")
    assert phone.get(at("me", table.round.tournament)).status_code == 302


def test_queued_agreement_of_a_released_phone_does_not_count() -> None:
    table = table_of_four()
    assert table.match is not None
    entry = entry_at(table, 1)
    rules_before = competition().confirmation_rules(table.match)
    release_phone(entry_id=entry.pk)
    rules_after = competition().confirmation_rules(table.match)
    assert rules_before is not None
    assert rules_after is not None
    differing = {
        seat
        for seat, holder in rules_after.holders.items()
        if rules_before.holders[seat] != holder
    }
    assert differing == {1}


def test_phone_of_a_released_substitute_has_no_player() -> None:
    tournament = tournament_with(["Bo", "Cy", "Di"], capacity=3, writing="card")
    phone = register_by_phone(tournament)
    substitute_entry_player(
        entry_id=tournament.entries.get(name="Bo").pk, name="Ann", now=NOW
    )
    assert phone.get(at("me", tournament)).status_code == 200
    release_phone(entry_id=tournament.entries.get(name="Ann").pk)
    assert phone.get(at("me", tournament)).status_code == 302


@pytest.mark.parametrize("is_known", [False, True])
def test_reentered_player_keeps_their_phone(*, is_known: bool) -> None:
    tournament = tournament_with(["Bo", "Cy", "Di"], writing="card")
    if is_known:
        other = tournament_with(["Ann"], club=tournament.club)
        assert other.entries.get().name == "Ann"
    phone, url = register_by_phone(tournament), at("me", tournament)
    remove_entry(entry_id=tournament.entries.get(name="Ann").pk)
    add_entries(tournament_id=tournament.pk, names=["Anne"], now=NOW)
    assert phone.get(url).status_code == 302
    add_entries(tournament_id=tournament.pk, names=["ann"], now=NOW)
    phone.post(f"{url}here/")
    new_entry = tournament.entries.get(name__iexact="ann")
    assert new_entry.state == Entry.State.PRESENT
    assert new_entry.on_phone
    assert new_entry.name in text(phone, url)
    remove_entry(entry_id=new_entry.pk)
    new_phone = register_by_phone(tournament)
    assert new_phone.get(url).status_code == 200
    assert phone.get(url).status_code == 302


def test_released_phone_stays_released_and_the_next_one_is_linked() -> None:
    tournament = tournament_with(["Bo", "Cy", "Di"], writing="card")
    lost_phone = register_by_phone(tournament)
    entry = tournament.entries.get(name="Ann")
    release_phone(entry_id=entry.pk)
    new_phone = own_phone(entry)
    session = new_phone.session
    joined_players = {str(entry.pk): [entry.player_id, 1, "Ann"]}
    session["joined_players"] = {tournament.address: joined_players}
    session.save()
    for _time in range(2):
        remove_entry(entry_id=tournament.entries.get(name="Ann").pk)
        add_entries(tournament_id=tournament.pk, names=["Ann"], now=NOW)
        assert new_phone.get(at("me", tournament)).status_code == 200
        assert lost_phone.get(at("me", tournament)).status_code == 302


def test_deleted_player_leaves_no_trace_of_a_removed_entry() -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di"])
    other = tournament_with(["Ann"], club=tournament.club)
    entry = tournament.entries.get(name="Ann")
    release_phone(entry_id=entry.pk)
    remove_entry(entry_id=entry.pk)
    assert tournament.removed_entries.count() == 1
    delete_unplayed_player(
        club=tournament.club, player_id=other.entries.get().player_id
    )
    assert not tournament.removed_entries.exists()
