"""A league's page is public; its matches belong to its players and its club."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db.models import F
from django.test import Client

from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    member,
    own_phone,
    play_table,
    tournament_with,
)
from tests.tournaments.web.night.test_scoring_rights import (
    deliver,
    match_of,
    phone_write_token,
    posts_of,
    state_of,
    table_url,
)
from tests.tournaments.web.pages import at, text
from tournaments.event import rounds
from tournaments.event.tables import begin_league_match
from tournaments.models import Claim, Entry, Role, Table, Tournament

pytestmark = pytest.mark.django_db

NAMES = ["Ada", "Bo", "Cy", "Di", "Eve"]


def league(writing: str = "card") -> Tournament:
    return tournament_with(NAMES, format="league", writing=writing)


def start_league_match(tournament: Tournament, *names: str) -> Table:
    """Start a match of these players and return its table."""
    by_name = dict(tournament.entries.values_list("name", "pk"))
    return begin_league_match(
        tournament_id=tournament.pk,
        key=uuid4(),
        entry_ids=[by_name[name] for name in names or NAMES[:4]],
        game="tricky_bid",
        now=NOW,
    )


def begin(
    client: Client,
    tournament: Tournament,
    *names: str,
    key: UUID | None = None,
    **extra_fields: str,
) -> Any:
    by_name = dict(tournament.entries.values_list("name", "pk"))
    seats = {
        f"seat_{seat}": by_name[name]
        for seat, name in enumerate(names or NAMES[:3], start=1)
    }
    match = {"game": "tricky_bid", "key": str(key or uuid4()), **seats}
    return client.post(at("league_match", tournament), {**match, **extra_fields})


def sign_in(client: Client, tournament: Tournament, visitor: str) -> Client:
    """Sign a browser in with a role in the club, as a player there, or as a stranger."""
    has_role = visitor not in ("stranger", "player")
    user = (
        member(tournament.club, Role[visitor.upper()])
        if has_role
        else UserFactory.create()
    )
    if visitor == "player":
        player = tournament.entries.get(name="Eve").player
        Claim.objects.create(
            club=tournament.club,
            user=user,
            player=player,
            made_at=NOW,
            confirmed_at=NOW,
        )
    client.force_login(user)
    return client


def test_newcomer_joins_a_running_league_and_starts_a_match() -> None:
    tournament = league()
    start_league_match(tournament)
    tournament.entries.filter(name="Di").update(state=Entry.State.DROPPED)
    tournament.refresh_from_db()
    phone = Client()
    assert at("join", tournament) in text(phone, tournament.get_absolute_url())
    phone.post(at("join", tournament), {"name": "Flo"})
    assert tournament.entries.get(name="Flo").state == Entry.State.EXPECTED
    page = text(phone, at("league_match", tournament))
    offered_names = [name for name in (*NAMES, "Flo") if f">{name}</option>" in page]
    assert offered_names == ["Ada", "Bo", "Cy", "Eve", "Flo"]
    assert begin(phone, tournament, "Flo", "Ada", "Bo").status_code == 302
    Tournament.objects.update(capacity=5)
    Client().post(at("join", tournament), {"name": "Gil"})
    assert tournament.entries.get(name="Gil").state == Entry.State.WAITING


def test_closed_or_ended_league_cannot_be_joined() -> None:
    tournament = league()
    table = start_league_match(tournament)
    director = sign_in(Client(), tournament, "director")
    close_url, open_url = (
        at("registration", tournament, verb) for verb in ("close", "open")
    )

    def assert_closed(message: str) -> None:
        page = text(Client(), at("join", tournament))
        assert message in page
        assert "has begun" not in page
        Client().post(at("join", tournament), {"name": "Flo"})
        assert set(tournament.entries.names()) == set(NAMES)
        assert "I’m coming" not in text(Client(), tournament.get_absolute_url())

    assert close_url in text(director, at("entries", tournament))
    director.post(close_url)
    assert_closed("Registration is closed.")
    director.post(open_url)
    assert 'name="name"' in text(Client(), at("join", tournament))
    play_table(table, [9, 5, 3, 1])
    rounds.close(round_id=table.round_id, now=NOW)
    for phase, message in (
        ("running", "league is over"),
        ("finished", "tournament is over"),
    ):
        Tournament.objects.update(phase=phase, version=F("version") + 1)
        assert_closed(message)
        assert close_url not in text(director, at("entries", tournament))


def test_second_open_match_of_the_same_players_needs_confirmation() -> None:
    tournament = league()
    phone = own_phone(tournament.entries.get(name="Ada"))
    first = begin(phone, tournament, "Ada", "Bo", "Cy")["Location"]
    page = begin(phone, tournament, "Cy", "Ada", "Bo").content.decode()
    assert "unfinished match at table 1" in page
    assert f'href="{first}"' in page
    second = begin(phone, tournament, "Cy", "Ada", "Bo", another="1")["Location"]
    assert second != first
    for table in Table.objects.all():
        play_table(table, [9, 5, 1])
    assert begin(phone, tournament, "Ada", "Bo", "Cy").status_code == 302


@pytest.mark.parametrize("writing", ["card", "own"])
def test_visitor_cannot_start_or_score_league_matches(writing: str) -> None:
    tournament = league(writing)
    table = start_league_match(tournament)
    state_before, match_count = state_of(table), Match.objects.count()
    for stranger in (Client(), sign_in(Client(), tournament, "stranger")):
        response = begin(stranger, tournament)
        assert response.status_code == 403
        refusal = response.content.decode()
        assert "You’re watching this league" in refusal
        assert refusal.partition("<main")[2].count("Your clubs") == 1
        assert phone_write_token(stranger, match_of(table)) == ""
        for token in ("", "0" * 32):
            assert deliver(stranger, match_of(table), token) == 401
        for url, form_data in posts_of(table).items():
            response = stranger.post(url, form_data)
            assert response.status_code == 403, url
            assert "You’re watching this league" in response.content.decode(), url
        page = stranger.get(table_url(table)).content.decode()
        assert "You’re watching this league" in page
    assert state_of(table) == state_before
    assert Match.objects.count() == match_count


def test_player_can_start_and_score_own_league_matches_only() -> None:
    tournament = league()
    phone = own_phone(tournament.entries.get(name="Ada"))
    response = begin(phone, tournament, "Bo", "Cy", "Di")
    assert "Take a seat yourself" in response.content.decode()
    response = begin(phone, tournament, "Bo", "Ada", "Bo")
    assert "two seats" in response.content.decode()
    assert not Match.objects.exists()
    assert begin(phone, tournament, "Cy", "Ada", "Bo").status_code == 302
    match = Match.objects.get()
    seats = match.seats.order_by("index").values_list("name", flat=True)
    assert list(seats) == ["Cy", "Ada", "Bo"]
    for browser, plays in ((phone, True), (Client(), False)):
        page = browser.get(tournament.get_absolute_url()).content.decode()
        assert (match.get_absolute_url() in page) == plays
    hand = {"points": [9, 5, 3]}
    assert deliver(phone, match, phone_write_token(phone, match), body=hand) == 200
    other = match_of(start_league_match(tournament, "Bo", "Cy", "Di"))
    assert phone_write_token(phone, other) == ""


@pytest.mark.parametrize(
    "visitor", ["viewer", "scorer", "director", "player", "anyone"]
)
def test_club_accounts_and_anyone_in_an_open_league_score_for_others(
    visitor: str,
) -> None:
    is_open = visitor == "anyone"
    tournament = league("open" if is_open else "card")
    browser = Client() if is_open else sign_in(Client(), tournament, visitor)
    assert begin(browser, tournament).status_code == 302
    match = Match.objects.get()
    assert (match.secret == "") == is_open
    hand = {"points": [9, 5, 3]}
    assert deliver(browser, match, phone_write_token(browser, match), body=hand) == 200
