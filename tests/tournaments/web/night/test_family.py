"""One phone that holds several people of a family: a switch, and the rights of all of them."""

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
    page_of,
    write_token,
)
from tests.tournaments.web.pages import text
from tournaments.event import rounds
from tournaments.event.entries import substitute
from tournaments.models import Entry, Table, Tournament

pytestmark = pytest.mark.django_db


def test_phone_enters_a_second_player_and_holds_both() -> None:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    at, client = tournament.get_absolute_url(), Client()
    client.post(f"{at}join/", {"name": "Ann"})
    assert "Add someone else" in text(client, f"{at}me/")
    form = text(client, f"{at}join/?also=1")
    assert "Who’s coming with you?" in form
    assert f'href="{at}me/"' in text(client, f"{at}join/")
    client.post(f"{at}join/", {"name": "Bo"})
    entered = text(client, f"{at}join/")
    assert "Bo, you’re in." in entered
    assert f'href="{at}me/for/2/"' in entered
    shown = text(client, f"{at}me/")
    assert f'href="{at}me/for/1/"' in shown
    assert f'href="{at}me/for/2/"' in shown
    # What one of them says is said for that one alone.
    assert client.post(f"{at}me/for/2/here/")["Location"] == f"{at}me/for/2/"
    states = tournament.entries.by_number().values_list("state", flat=True)
    assert list(states) == [Entry.State.EXPECTED, Entry.State.PRESENT]
    # It is the phone of the first alone; the other may still have one.
    assert list(tournament.entries.filter(on_phone=True).names()) == ["Ann"]


def test_phone_of_two_players_shows_scores_and_notifies_for_both_tables() -> None:
    tournament = tournament_with(8, writing=Tournament.Writing.OWN_PHONES)
    round_ = running_round(tournament)
    tables = list(round_.tables.select_related("match").order_by("number"))
    family = [table.places.all()[0].entry for table in tables]
    at, client = tournament.get_absolute_url(), own_phone(*family)
    own_page = f"{at}me/for/{family[1].number}/"
    shown = text(client, own_page)
    assert "Round 1: you’re at table 2." in shown
    for table, entry in zip(tables, family, strict=True):
        assert f"<b>{entry.name}</b> <small>table {table.number}</small>" in shown
        assert client.post(f"{page_of(table)}call/").status_code == 302
        table.refresh_from_db()
        assert table.called_at is not None
    assert text(client, f"{at}rounds/1/?seats").count('<li class="own">') == 2

    def news() -> str:
        return (
            text(client, own_page).partition('data-change-key="')[2].partition('"')[0]
        )

    before = news()
    play_table(tables[0], [20, 12, 5, 1])
    assert news() != before


def test_player_removed_from_the_phone_disappears_there() -> None:
    tournament = tournament_with(4)
    ann, bo = tournament.entries.by_number()[:2]
    at, client = tournament.get_absolute_url(), own_phone(ann, bo)
    # The page of somebody else is shown to nobody.
    assert client.get(f"{at}me/for/3/")["Location"] == f"{at}me/"
    assert client.get(f"{at}me/for/3/live/").headers["HX-Refresh"] == "true"
    client.post(f"{at}me/for/2/forget/")
    assert client.get(f"{at}me/for/2/")["Location"] == f"{at}me/"
    assert "me/for/" not in text(client, f"{at}me/")
    client.post(f"{at}me/forget/")
    assert client.get(f"{at}me/")["Location"] == f"{at}join/"
    bo.refresh_from_db()
    assert bo.has_place


def family_at_one_table(**settings: Any) -> tuple[Table, Client, list[Entry]]:
    """Return a table whose match is over, the phone of two who sat there, and these."""
    tournament = tournament_with(8, quorum="all", rounds_planned=2, **settings)
    round_ = running_round(tournament)
    play_round(round_)
    table = round_.tables.select_related("match").get(number=1)
    entries = Entry.objects.filter(places__table=table).by_number()
    two = [entries[1], entries[3]]
    # In another order than they entered: a phone that was told of one once more.
    return table, own_phone(*reversed(two)), two


def ways(table: Table) -> dict[str, str]:
    """Return by which way who agreed."""
    seats = match_of(table).seats.exclude(confirmed_by="")
    return dict(seats.values_list("name", "confirmed_by"))


def test_phone_of_two_at_one_table_is_passed_on_to_confirm() -> None:
    table, client, (first, second) = family_at_one_table()
    sheet = text(client, match_of(table).get_absolute_url())
    given = re.findall(r"Pass the phone to (\w+)", sheet)
    assert (given[0], len(given), first.name in given) == (second.name, 3, False)
    shown = text(client, page_of(table))
    assert f"Confirm as {first.name}" in shown
    assert f"Confirm as {second.name}" not in shown
    place = table.places.get(entry=first)
    fields = {"place": place.pk, "words": load_sheet(match_of(table)).result_words}
    client.post(f"{page_of(table)}agree/", fields)
    assert ways(table) == {first.name: "own"}
    shown = text(client, page_of(table))
    (action,) = re.findall(r'(?s)<div class="action.*?</div>', shown)
    assert f"Pass the phone to {second.name}" in action


def test_confirming_from_a_players_page_asks_by_name() -> None:
    table, client, (first, second) = family_at_one_table()
    at = table.round.tournament.get_absolute_url()
    shown = text(client, f"{at}me/for/{second.number}/")
    assert shown.count(f'href="{page_of(table)}?for={second.number}"') == 2
    led = client.get(f"{page_of(table)}?for={second.number}", follow=True)
    assert f"{second.name}, is this right?" in led.content.decode()
    seat = table.places.get(entry=second).index
    body = {
        "seat": seat,
        "words": load_sheet(match_of(table)).result_words,
        "by": "own",
    }
    confirmed = {"key": str(uuid4()), "body": json.dumps(body)}
    client.post(f"{match_of(table).get_absolute_url()}confirm/", confirmed)
    assert ways(table) == {second.name: "own"}
    # The first to confirm on this phone and players who confirmed see the table itself.
    for entry in (first, second):
        own = client.get(f"{page_of(table)}?for={entry.number}")
        assert f"Confirm as {first.name}" in own.content.decode()


def test_players_sharing_a_phone_see_both_next_seats() -> None:
    table, client, family = family_at_one_table()
    rounds.close(round_id=table.round_id, now=NOW, override="it is late")
    second = running_round(table.round.tournament)
    at = table.round.tournament.get_absolute_url()
    for address in (page_of(table), match_of(table).get_absolute_url()):
        shown = text(client, address)
        for entry in family:
            place = second.places.select_related("table").get(entry=entry)
            seat = f"table {place.table.number}, seat {place.index + 1}"
            assert f"{entry.name}: {seat}" in shown
        assert f'href="{at}me/for/{family[0].number}/"' in shown


def test_family_confirms_on_its_phone_and_others_on_the_table_phone() -> None:
    table, client, (first, second) = family_at_one_table()
    match = table.match
    assert match is not None
    other = Entry.objects.filter(places__table=table).exclude(
        pk__in=[first.pk, second.pk]
    )[0]
    token = write_token(client, match)
    for entry, by in ((second, "table"), (first, "own"), (other, "table")):
        seat = table.places.get(entry=entry).index
        body = {"seat": seat, "words": load_sheet(match).result_words, "by": by}
        # As a phone delivers it that kept it without a network.
        sent = deliver(Client(), match, token, kind="confirm", number=None, body=body)
        assert sent == 200
    expected = {first.name: "own", second.name: "own", other.name: "table"}
    assert ways(table) == expected


def test_token_of_a_replaced_player_gives_no_access() -> None:
    table, client, (first, second) = family_at_one_table()
    match = table.match
    assert match is not None
    token = write_token(client, match)
    substitute(entry_id=second.pk, name="Zoe", now=NOW)
    body = {"seat": table.places.get(entry=second).index, "by": "own"}
    body["words"] = load_sheet(match).result_words
    sent = deliver(Client(), match, token, kind="confirm", number=None, body=body)
    assert sent == 422
    assert ways(table) == {}
    for parts in (token.split("+")[1:], ["0" * 32] * 9):
        assert deliver(Client(), match, "+".join(parts)) == 401
    assert first.name not in ways(table)


def test_page_of_a_leaver_is_not_stored_offline() -> None:
    tournament = tournament_with(4)
    entry = tournament.entries.get(number=1)
    at, client = tournament.get_absolute_url(), own_phone(entry)
    assert "no-store" not in client.get(f"{at}me/").get("Cache-Control", "")
    running_round(tournament)
    client.post(f"{at}me/leave/")
    assert client.get(f"{at}me/")["Cache-Control"] == "no-store"


def test_final_places_are_shown_for_each_player_of_the_phone() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    closed_round(tournament)
    family = list(tournament.entries.by_number()[:2])
    address = f"{tournament.get_absolute_url()}me/for/{family[1].number}/"
    assert "now</small>" in text(own_phone(*family), address)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    shown = text(own_phone(*family), address)
    assert "now</small>" not in shown
    for entry in family:
        rank = (
            tournament.standings.unfrozen_latest_first()[0].rows.get(entry=entry).rank
        )
        assert f"<b>{entry.name}</b> <small>{ordinal(rank)}</small>" in shown
