"""One phone that holds several people of a family: a switch, and the rights of all of them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories.tournaments import (
    TournamentFactory,
    own_phone,
    running_round,
    tournament_with,
)
from tournaments.models import Entry, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_a_phone_enters_a_second_person_and_holds_both() -> None:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    at, client = tournament.get_absolute_url(), Client()
    client.post(f"{at}join/", {"name": "Ann"})
    assert "Also for somebody else" in page(client, f"{at}me/")
    assert "Who comes with you?" in page(client, f"{at}join/?also=1")
    client.post(f"{at}join/", {"name": "Bo"})
    assert "Bo, you are in." in page(client, f"{at}join/")
    shown = page(client, f"{at}me/")
    assert f'href="{at}me/for/1/"' in shown
    assert f'href="{at}me/for/2/"' in shown


def test_the_switch_tells_where_each_of_them_sits() -> None:
    tournament = tournament_with(8)
    running_round(tournament)
    family = list(tournament.entries.filter(number__in=[1, 2]).by_number())
    shown = page(own_phone(*family), f"{tournament.get_absolute_url()}me/for/2/")
    for entry in family:
        table = Table.objects.get(places__entry=entry, round__number=1)
        assert f"<b>{entry.name}</b> <small>table {table.number}</small>" in shown
    seat = Table.objects.get(places__entry=family[1], round__number=1).number
    assert f"Round 1: you sit at table {seat}." in shown


def test_the_phone_writes_at_the_tables_of_both() -> None:
    tournament = tournament_with(8, writing=Tournament.Writing.OWN_PHONES)
    running_round(tournament)
    tables = list(Table.objects.filter(round__tournament=tournament, round__number=1))
    family = [table.places.all()[0].entry for table in tables]
    client = own_phone(*family)
    for table in tables:
        at = f"{tournament.get_absolute_url()}rounds/1/tables/{table.number}/"
        assert client.post(f"{at}call/").status_code == 302
        table.refresh_from_db()
        assert table.called_at is not None


def test_what_one_of_them_says_is_said_for_that_one_alone() -> None:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    at, client = tournament.get_absolute_url(), Client()
    for name in ("Ann", "Bo"):
        client.post(f"{at}join/", {"name": name})
    answer = client.post(f"{at}me/for/2/here/")
    assert answer["Location"] == f"{at}me/for/2/"
    states = tournament.entries.by_number().values_list("state", flat=True)
    assert list(states) == [Entry.State.EXPECTED, Entry.State.PRESENT]


def test_somebody_who_is_taken_off_the_phone_is_shown_there_no_more() -> None:
    tournament = tournament_with(4)
    ann, bo = tournament.entries.by_number()[:2]
    at, client = tournament.get_absolute_url(), own_phone(ann, bo)
    client.post(f"{at}me/for/2/forget/")
    assert client.get(f"{at}me/for/2/")["Location"] == f"{at}me/"
    assert "me/for/" not in page(client, f"{at}me/")
    client.post(f"{at}me/forget/")
    assert client.get(f"{at}me/")["Location"] == f"{at}join/"
    bo.refresh_from_db()
    assert bo.takes_a_place


def test_a_phone_of_an_earlier_release_still_knows_whom_it_entered() -> None:
    tournament = tournament_with(4)
    client = Client()
    session = client.session
    session["joined"] = {tournament.address: tournament.entries.get(number=2).pk}
    session.save()
    shown = page(client, f"{tournament.get_absolute_url()}me/")
    assert tournament.entries.get(number=2).name in shown


def test_another_number_leads_to_nobody_elses_page() -> None:
    tournament = tournament_with(4)
    client = own_phone(*tournament.entries.by_number()[:2])
    at = tournament.get_absolute_url()
    assert client.get(f"{at}me/for/3/")["Location"] == f"{at}me/"
    assert client.get(f"{at}me/for/3/live/").status_code == 204


def test_the_page_of_one_who_left_is_not_to_be_kept() -> None:
    tournament = tournament_with(4)
    entry = tournament.entries.get(number=1)
    at, client = tournament.get_absolute_url(), own_phone(entry)
    assert "no-store" not in client.get(f"{at}me/").get("Cache-Control", "")
    running_round(tournament)
    client.post(f"{at}me/leave/")
    assert client.get(f"{at}me/")["Cache-Control"] == "no-store"
