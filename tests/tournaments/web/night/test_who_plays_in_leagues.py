"""A league's page is public, and its matches are of those who enter there."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import UserFactory, member, own_phone, tournament_with
from tests.tournaments.web.night.test_who_writes import (
    deliver,
    match_of,
    page_of,
    posts_of,
    state_of,
    token_for,
)
from tests.tournaments.web.pages import at
from tournaments.event import leagues
from tournaments.models import Claim, Entry, Role, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ["Ada", "Bo", "Cy", "Di", "Eve"]


def league(writing: str = "card") -> Tournament:
    return tournament_with(NAMES, format="league", writing=writing)


def begun(tournament: Tournament, *names: str) -> Table:
    """Return the table of a match that these members play."""
    by_name = dict(tournament.entries.values_list("name", "pk"))
    return leagues.begin_match(
        tournament_id=tournament.pk,
        key=uuid4(),
        entry_ids=[by_name[name] for name in names or NAMES[:4]],
        game="tricky_bid",
        now=NOW,
    )


def begin(client: Client, tournament: Tournament, *names: str) -> Any:
    by_name = dict(tournament.entries.values_list("name", "pk"))
    seats = {
        f"seat_{seat}": by_name[name]
        for seat, name in enumerate(names or NAMES[:3], start=1)
    }
    posted = {"game": "tricky_bid", "key": str(uuid4()), **seats}
    return client.post(at("league_match", tournament), posted)


def account(client: Client, tournament: Tournament, who: str) -> Client:
    """Let a browser be of a role in the club, of a player there, or of nobody there."""
    known = who not in ("stranger", "player")
    user = member(tournament.club, Role[who.upper()]) if known else UserFactory.create()
    if who == "player":
        claimed = tournament.entries.get(name="Eve").player
        Claim.objects.create(
            club=tournament.club,
            user=user,
            player=claimed,
            made_at=NOW,
            confirmed_at=NOW,
        )
    client.force_login(user)
    return client


def test_members_who_entered_by_themselves_begin_a_match() -> None:
    tournament = league()
    tournament.entries.update(state=Entry.State.EXPECTED)
    tournament.entries.filter(name="Di").update(state=Entry.State.DROPPED)
    phone = own_phone(tournament.entries.get(name="Ada"))
    page = phone.get(at("league_match", tournament)).content.decode()
    assert [name for name in NAMES if f">{name}</option>" in page] == [
        "Ada",
        "Bo",
        "Cy",
        "Eve",
    ]
    assert begin(phone, tournament).status_code == 302


def test_desk_says_that_a_league_takes_entries_until_its_first_match() -> None:
    for format_, until in (("league", "first match"), ("planned", "first round")):
        tournament = tournament_with(NAMES, format=format_)
        director = account(Client(), tournament, "director")
        page = director.get(at("entries", tournament)).content.decode()
        assert f"open until the {until}" in page


@pytest.mark.parametrize("writing", ["card", "own"])
def test_a_stranger_neither_begins_nor_writes_a_match_of_a_league(writing: str) -> None:
    tournament = league(writing)
    table = begun(tournament)
    before, matches = state_of(table), Match.objects.count()
    for stranger in (Client(), account(Client(), tournament, "stranger")):
        answer = begin(stranger, tournament)
        assert answer.status_code == 403
        assert "You follow this league" in answer.content.decode()
        assert token_for(stranger, match_of(table)) == ""
        for token in ("", "0" * 32):
            assert deliver(stranger, match_of(table), token) == 401
        for url, posted in posts_of(table).items():
            answer = stranger.post(url, posted)
            assert answer.status_code == 403, url
            assert "You follow this league" in answer.content.decode(), url
        page = stranger.get(page_of(table)).content.decode()
        assert "You follow this league" in page
    assert state_of(table) == before
    assert Match.objects.count() == matches


def test_who_plays_begins_and_writes_their_own_matches_and_no_others() -> None:
    tournament = league()
    phone = own_phone(tournament.entries.get(name="Ada"))
    refused = begin(phone, tournament, "Bo", "Cy", "Di")
    assert "Take a seat yourself" in refused.content.decode()
    twice = begin(phone, tournament, "Bo", "Ada", "Bo")
    assert "two seats" in twice.content.decode()
    assert not Match.objects.exists()
    assert begin(phone, tournament, "Cy", "Ada", "Bo").status_code == 302
    match = Match.objects.get()
    seats = match.seats.order_by("index").values_list("name", flat=True)
    assert list(seats) == ["Cy", "Ada", "Bo"]
    for browser, plays in ((phone, True), (Client(), False)):
        shown = browser.get(tournament.get_absolute_url()).content.decode()
        assert (match.get_absolute_url() in shown) == plays
    assert (
        deliver(phone, match, token_for(phone, match), body={"points": [9, 5, 3]})
        == 200
    )
    other = match_of(begun(tournament, "Bo", "Cy", "Di"))
    assert token_for(phone, other) == ""


@pytest.mark.parametrize("who", ["viewer", "scorer", "director", "player"])
def test_accounts_of_the_club_begin_and_write_for_others(who: str) -> None:
    tournament = league()
    browser = account(Client(), tournament, who)
    assert begin(browser, tournament).status_code == 302
    match = Match.objects.get()
    assert (
        deliver(browser, match, token_for(browser, match), body={"points": [9, 5, 3]})
        == 200
    )


def test_a_league_that_is_open_is_begun_and_written_by_whoever_has_the_link() -> None:
    tournament = league("open")
    assert begin(Client(), tournament).status_code == 302
    match = Match.objects.get()
    assert match.secret == ""
    assert (
        deliver(Client(), match, token_for(Client(), match), body={"points": [9, 5, 3]})
        == 200
    )
