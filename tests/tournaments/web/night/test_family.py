"""One phone with several players of a family: switching between them, and their rights."""

import json
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.test import Client
from django.utils import timezone

from scoring.pages.sheet import load_sheet
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    closed_round,
    match_of,
    own_phone,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.night.test_scoring_rights import (
    deliver,
    phone_write_token,
    table_url,
)
from tests.tournaments.web.pages import text
from tournaments.event import rounds
from tournaments.event.entries import substitute_entry_player
from tournaments.models import Entry, Table, Tournament

pytestmark = pytest.mark.django_db


def test_phone_enters_a_second_player_and_holds_both() -> None:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    base_url, client = tournament.get_absolute_url(), Client()
    client.post(f"{base_url}join/", {"name": "Ann"})
    assert "Add someone else" in text(client, f"{base_url}me/")
    form = text(client, f"{base_url}join/?also=1")
    assert "Who’s coming with you?" in form
    assert f'href="{base_url}me/"' in text(client, f"{base_url}join/")
    client.post(f"{base_url}join/", {"name": "Bo"})
    joined_page = text(client, f"{base_url}join/")
    assert "Bo, you’re in." in joined_page
    assert f'href="{base_url}me/for/2/"' in joined_page
    page = text(client, f"{base_url}me/")
    assert f'href="{base_url}me/for/1/"' in page
    assert f'href="{base_url}me/for/2/"' in page
    # Checking in applies to one player only.
    assert (
        client.post(f"{base_url}me/for/2/here/")["Location"] == f"{base_url}me/for/2/"
    )
    states = tournament.entries.by_number().values_list("state", flat=True)
    assert list(states) == [Entry.State.EXPECTED, Entry.State.PRESENT]
    # Only the first has this as their own phone; the second may still link one.
    assert list(tournament.entries.filter(on_phone=True).names()) == ["Ann"]


def test_phone_of_two_players_shows_scores_and_notifies_for_both_tables() -> None:
    tournament = tournament_with(8, writing=Tournament.Writing.OWN_PHONES)
    round_ = running_round(tournament)
    tables = list(round_.tables.select_related("match").order_by("number"))
    family = [table.places.all()[0].entry for table in tables]
    base_url, client = tournament.get_absolute_url(), own_phone(*family)
    own_url = f"{base_url}me/for/{family[1].number}/"
    page = text(client, own_url)
    assert "Round 1: you’re at table 2." in page
    for table, entry in zip(tables, family, strict=True):
        assert f"<b>{entry.name}</b> <small>table {table.number}</small>" in page
        assert client.post(f"{table_url(table)}call/").status_code == 302
        table.refresh_from_db()
        assert table.called_at is not None
    assert text(client, f"{base_url}rounds/1/?seats").count('<li class="own">') == 2

    def change_key() -> str:
        return text(client, own_url).partition('data-change-key="')[2].partition('"')[0]

    key_before = change_key()
    play_table(tables[0], [20, 12, 5, 1])
    assert change_key() != key_before


def test_player_removed_from_the_phone_disappears_there() -> None:
    tournament = tournament_with(4)
    ann, bo = tournament.entries.by_number()[:2]
    base_url, client = tournament.get_absolute_url(), own_phone(ann, bo)
    # The page of a player of another phone redirects.
    assert client.get(f"{base_url}me/for/3/")["Location"] == f"{base_url}me/"
    assert client.get(f"{base_url}me/for/3/live/").headers["HX-Refresh"] == "true"
    client.post(f"{base_url}me/for/2/forget/")
    assert client.get(f"{base_url}me/for/2/")["Location"] == f"{base_url}me/"
    assert "me/for/" not in text(client, f"{base_url}me/")
    client.post(f"{base_url}me/forget/")
    assert client.get(f"{base_url}me/")["Location"] == f"{base_url}join/"
    bo.refresh_from_db()
    assert bo.is_expected_or_present


def family_at_one_table(**settings: Any) -> tuple[Table, Client, list[Entry]]:
    """Return a table with a finished match, the phone of two of its players, and their entries."""
    tournament = tournament_with(8, quorum="all", rounds_planned=2, **settings)
    round_ = running_round(tournament)
    play_round(round_)
    table = round_.tables.select_related("match").get(number=1)
    entries = Entry.objects.filter(places__table=table).by_number()
    family = [entries[1], entries[3]]
    # Not in the order of their numbers, as after registering one of them again.
    return table, own_phone(*reversed(family)), family


def confirmation_sources(table: Table) -> dict[str, str]:
    """Return how each player confirmed, by name."""
    seats = match_of(table).seats.exclude(confirmed_by="")
    return dict(seats.values_list("name", "confirmed_by"))


def test_phone_of_two_at_one_table_is_passed_on_to_confirm() -> None:
    table, client, (first, second) = family_at_one_table()
    sheet = text(client, match_of(table).get_absolute_url())
    names = re.findall(r"Pass the phone to (\w+)", sheet)
    assert (names[0], len(names), first.name in names) == (second.name, 3, False)
    page = text(client, table_url(table))
    assert f"Confirm as {first.name}" in page
    assert f"Confirm as {second.name}" not in page
    place = table.places.get(entry=first)
    form_data = {
        "place": place.pk,
        "words": load_sheet(match_of(table)).checksum_words_line,
    }
    client.post(f"{table_url(table)}agree/", form_data)
    assert confirmation_sources(table) == {first.name: "own"}
    page = text(client, table_url(table))
    (action,) = re.findall(r'(?s)<div class="action.*?</div>', page)
    assert f"Pass the phone to {second.name}" in action


def test_confirming_from_a_players_page_asks_by_name() -> None:
    table, client, (first, second) = family_at_one_table()
    base_url = table.round.tournament.get_absolute_url()
    page = text(client, f"{base_url}me/for/{second.number}/")
    assert page.count(f'href="{table_url(table)}?for={second.number}"') == 2
    response = client.get(f"{table_url(table)}?for={second.number}", follow=True)
    assert f"{second.name}, is this right?" in response.content.decode()
    seat = table.places.get(entry=second).index
    body = {
        "seat": seat,
        "words": load_sheet(match_of(table)).checksum_words_line,
        "by": "own",
    }
    form_data = {"key": str(uuid4()), "body": json.dumps(body)}
    client.post(f"{match_of(table).get_absolute_url()}confirm/", form_data)
    assert confirmation_sources(table) == {second.name: "own"}
    # The first to confirm on this phone and players who confirmed see the table itself.
    for entry in (first, second):
        response = client.get(f"{table_url(table)}?for={entry.number}")
        assert f"Confirm as {first.name}" in response.content.decode()


def test_players_sharing_a_phone_see_both_next_seats() -> None:
    table, client, family = family_at_one_table()
    rounds.close(round_id=table.round_id, now=NOW, override="it is late")
    next_round = running_round(table.round.tournament)
    base_url = table.round.tournament.get_absolute_url()
    for url in (table_url(table), match_of(table).get_absolute_url()):
        page = text(client, url)
        for entry in family:
            place = next_round.places.select_related("table").get(entry=entry)
            seat = f"table {place.table.number}, seat {place.index + 1}"
            assert f"{entry.name}: {seat}" in page
        assert f'href="{base_url}me/for/{family[0].number}/"' in page


def test_family_confirms_on_its_phone_and_others_on_the_table_phone() -> None:
    table, client, (first, second) = family_at_one_table()
    match = table.match
    assert match is not None
    other_entry = Entry.objects.filter(places__table=table).exclude(
        pk__in=[first.pk, second.pk]
    )[0]
    token = phone_write_token(client, match)
    for entry, by in ((second, "table"), (first, "own"), (other_entry, "table")):
        seat = table.places.get(entry=entry).index
        body = {"seat": seat, "words": load_sheet(match).checksum_words_line, "by": by}
        # As a phone sends it after it was offline.
        status = deliver(Client(), match, token, kind="confirm", number=None, body=body)
        assert status == 200
    expected = {first.name: "own", second.name: "own", other_entry.name: "table"}
    assert confirmation_sources(table) == expected


def test_token_of_a_replaced_player_gives_no_access() -> None:
    table, client, (first, second) = family_at_one_table()
    match = table.match
    assert match is not None
    token = phone_write_token(client, match)
    substitute_entry_player(entry_id=second.pk, name="Zoe", now=NOW)
    body = {"seat": table.places.get(entry=second).index, "by": "own"}
    body["words"] = load_sheet(match).checksum_words_line
    status = deliver(Client(), match, token, kind="confirm", number=None, body=body)
    assert status == 422
    assert confirmation_sources(table) == {}
    for parts in (token.split("+")[1:], ["0" * 32] * 9):
        assert deliver(Client(), match, "+".join(parts)) == 401
    assert first.name not in confirmation_sources(table)


def test_page_of_a_leaver_is_not_stored_offline() -> None:
    tournament = tournament_with(4)
    entry = tournament.entries.get(number=1)
    base_url, client = tournament.get_absolute_url(), own_phone(entry)
    assert "no-store" not in client.get(f"{base_url}me/").get("Cache-Control", "")
    running_round(tournament)
    client.post(f"{base_url}me/leave/")
    assert client.get(f"{base_url}me/")["Cache-Control"] == "no-store"


def test_final_places_are_shown_for_each_player_of_the_phone() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    closed_round(tournament)
    family = list(tournament.entries.by_number()[:2])
    url = f"{tournament.get_absolute_url()}me/for/{family[1].number}/"
    assert "now</small>" in text(own_phone(*family), url)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    page = text(own_phone(*family), url)
    assert "now</small>" not in page
    for entry in family:
        rank = (
            tournament.standings.unfrozen_latest_first()[0].rows.get(entry=entry).rank
        )
        assert f"<b>{entry.name}</b> <small>{ordinal(rank)}</small>" in page
