"""A player whom the director entered gets My night on their phone, by the card of their table."""

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
    Phone,
    account,
    at_table,
    card,
    entry_at,
    joined,
)
from tests.tournaments.web.night.test_scoring_rights import card_of
from tests.tournaments.web.pages import at, submit, text
from tournaments.event.entries import add_entries, remove_entry, substitute
from tournaments.event.rights import release_phone
from tournaments.event.unplayed_players import delete_player
from tournaments.models import Entry, Table, Tournament

pytestmark = pytest.mark.django_db


def table_of_four(**settings: Any) -> Table:
    """Return a table that plays, whose players the director entered by hand."""
    tournament = tournament_with(4, **{"writing": "card", **settings})
    return running_round(tournament).tables.select_related("match").get()


def page_of(table: Table, phone: Client) -> str:
    return text(phone, at("table", table.round.tournament, 1, 1))


def claim(phone: Client, table: Table, entry: Entry) -> str:
    """Tap somebody's name, and return the page that follows."""
    place = table.places.get(entry=entry)
    url = at("table_action", table.round.tournament, 1, 1, "mine")
    return phone.post(url, {"place": place.pk}, follow=True).content.decode()


@pytest.mark.parametrize("writing", ["card", "open", "own"])
def test_phone_with_the_card_becomes_the_phone_of_a_player(writing: str) -> None:
    table = table_of_four(writing=writing)
    entry, phone = entry_at(table, 1), at_table(table)
    shown = page_of(table, phone)
    assert "Is this you?" in shown
    assert f"I’m {entry.name}" in shown
    page = claim(phone, table, entry)
    assert "you’re at table 1." in page
    assert entry.name in page
    entry.refresh_from_db()
    assert entry.on_phone
    assert "Is this you?" not in page_of(table, phone)
    assert f"I’m {entry.name}" not in page_of(table, at_table(table))


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


@pytest.mark.parametrize("holder", [joined, account, card])
def test_player_with_a_phone_cannot_be_claimed(holder: Phone) -> None:
    table = table_of_four()
    entry = entry_at(table, 1)
    own, other = holder(table), at_table(table)
    assert f"I’m {entry.name}" not in page_of(table, other)
    assert "This player is already registered on another phone." in claim(
        other, table, entry
    )
    assert other.get(at("me", table.round.tournament)).status_code == 302
    if holder is card:
        assert f"I’m {entry.name}" in page_of(table, own)
        assert "you’re at table 1." in claim(own, table, entry)


def test_phone_of_a_player_cannot_claim_another_by_card() -> None:
    table = table_of_four()
    own = own_phone(entry_at(table, 0))
    own.get(card_of(table))
    assert "Is this you?" not in page_of(table, own)
    claim(own, table, entry_at(table, 1))
    assert not entry_at(table, 1).on_phone
    substitute(entry_id=entry_at(table, 0).pk, name="Zoe", now=NOW)
    assert "Is this you?" not in page_of(table, own)


def entered_by_phone(tournament: Tournament, name: str = "Ann") -> Client:
    """Return the phone by which somebody entered."""
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
    lost = at_table(table)
    claim(lost, table, entry)
    question = release(table, entry)
    assert f"Release {entry.name}’s phone?" in question
    assert "you’re at table 1." in text(lost, at("me", tournament))
    with caplog.at_level("INFO", "tricky.security"):
        released = release(table, entry, sure="1")
    assert f"{entry.name}’s phone is released." in released
    assert "phone_released" in caplog.text
    assert lost.get(at("me", tournament))["Location"] == at("join", tournament)
    for phone in (at_table(table), lost):
        release(table, entry, sure="1")
        assert "you’re at table 1." in claim(phone, table, entry)
    assert f"I’m {entry.name}" not in page_of(table, at_table(table))


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
    before = competition().confirmation_rules(table.match)
    release_phone(entry_id=entry.pk)
    after = competition().confirmation_rules(table.match)
    assert before is not None
    assert after is not None
    differing = {
        seat for seat, holder in after.holders.items() if before.holders[seat] != holder
    }
    assert differing == {1}


def test_phone_of_a_released_substitute_has_no_player() -> None:
    tournament = tournament_with(["Bo", "Cy", "Di"], capacity=3, writing="card")
    phone = entered_by_phone(tournament)
    substitute(entry_id=tournament.entries.get(name="Bo").pk, name="Ann", now=NOW)
    assert phone.get(at("me", tournament)).status_code == 200
    release_phone(entry_id=tournament.entries.get(name="Ann").pk)
    assert phone.get(at("me", tournament)).status_code == 302


@pytest.mark.parametrize("is_known", [False, True])
def test_reentered_player_keeps_their_phone(*, is_known: bool) -> None:
    tournament = tournament_with(["Bo", "Cy", "Di"], writing="card")
    if is_known:
        other = tournament_with(["Ann"], club=tournament.club)
        assert other.entries.get().name == "Ann"
    phone, page = entered_by_phone(tournament), at("me", tournament)
    remove_entry(entry_id=tournament.entries.get(name="Ann").pk)
    add_entries(tournament_id=tournament.pk, names=["Anne"], now=NOW)
    assert phone.get(page).status_code == 302
    add_entries(tournament_id=tournament.pk, names=["ann"], now=NOW)
    phone.post(f"{page}here/")
    again = tournament.entries.get(name__iexact="ann")
    assert again.state == Entry.State.PRESENT
    assert again.on_phone
    assert again.name in text(phone, page)
    remove_entry(entry_id=again.pk)
    new = entered_by_phone(tournament)
    assert new.get(page).status_code == 200
    assert phone.get(page).status_code == 302


def test_released_phone_stays_released_and_the_next_one_is_linked() -> None:
    tournament = tournament_with(["Bo", "Cy", "Di"], writing="card")
    lost = entered_by_phone(tournament)
    entry = tournament.entries.get(name="Ann")
    release_phone(entry_id=entry.pk)
    new = own_phone(entry)
    session = new.session
    known = {str(entry.pk): [entry.player_id, 1, "Ann"]}
    session["joined_players"] = {tournament.address: known}
    session.save()
    for _time in range(2):
        remove_entry(entry_id=tournament.entries.get(name="Ann").pk)
        add_entries(tournament_id=tournament.pk, names=["Ann"], now=NOW)
        assert new.get(at("me", tournament)).status_code == 200
        assert lost.get(at("me", tournament)).status_code == 302


def test_deleted_player_leaves_no_trace_of_a_removed_entry() -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di"])
    other = tournament_with(["Ann"], club=tournament.club)
    entry = tournament.entries.get(name="Ann")
    release_phone(entry_id=entry.pk)
    remove_entry(entry_id=entry.pk)
    assert tournament.removed_entries.count() == 1
    delete_player(club=tournament.club, player_id=other.entries.get().player_id)
    assert not tournament.removed_entries.exists()
