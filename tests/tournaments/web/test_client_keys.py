"""A client's key identifies only what the same client created."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4, uuid5

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.matchlog.tokens import match_write_token
from scoring.models import LogEntry, Match
from scoring.models.matches import new_address
from tests.api.caller import Caller
from tests.factories import HAND, OTHER, new_match
from tests.factories.phones import deliver, entry, start
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    running_round,
    tournament_with,
)
from tournaments.event import draw
from tournaments.event.push import subscribe
from tournaments.files.archive.arrivals import store_arrival
from tournaments.history.imports.imports import import_results
from tournaments.history.imports.uploads import store_or_replace_upload
from tournaments.models import Arrival, Role, Table, Tournament

pytestmark = pytest.mark.django_db
FORMER_TABLE_KEYS = UUID("7f0b3c1e-5c53-4b52-9d3d-6f2a4f0f6a11")
"""Namespace from which releases up to 0.1.0 derived the key of a table's match."""
NEW_MATCH = reverse("scoring:match_new")
HAND_OF_TWO = {**HAND, "points": [180, 120]}
DEVICE_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"


class Browser:
    """A browser with its own cookies and CSRF checks."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)

    def begin_match(self, key: UUID, *names: str) -> Match:
        """Post the form for a new match and return the match."""
        page = self.client.get(NEW_MATCH, {"game": "tricky"}).content.decode()
        (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page))
        players = dict(zip(("name_1", "name_2"), names, strict=True))
        response = self.client.post(
            NEW_MATCH,
            {
                "csrfmiddlewaretoken": token,
                "key": str(key),
                "game": "tricky",
                **players,
            },
        )
        assert response.status_code == 302, response.content.decode()
        return Match.objects.get(address=response.url.split("/")[2])  # type: ignore[attr-defined]


def test_visitor_cannot_take_over_a_table_before_its_start() -> None:
    stranger, program = Browser(), Caller(UserFactory.create())
    tournament = tournament_with(
        4, game="tricky_bid", rounds_planned=1, writing=Tournament.Writing.CARD
    )
    draw.draw(tournament_id=tournament.pk)
    table = Table.objects.get(round__tournament=tournament)
    key = uuid5(FORMER_TABLE_KEYS, f"{table.pk} {tournament.game}")
    browser_match = stranger.begin_match(key, "Eve", "Mallory")
    payload = {"key": str(key), "game": "tricky", "players": ["Eve", "Mallory"]}
    program_address = program.call("post", "/matches", payload)["address"]
    address = new_address()
    status, _payload = deliver(
        address, start("tricky", "Eve", "Bo") | {"key": str(key)}, ""
    )
    assert status == 200
    # These matches have hands before the round starts.
    other_addresses = [browser_match.address, program_address, address]
    for match_address in other_addresses:
        assert deliver(match_address, entry(body=HAND_OF_TWO))[0] == 200
    director = Caller(member(tournament.club, Role.DIRECTOR))
    for verb in ("publish", "start"):
        director.call("post", f"/tournaments/{tournament.address}/rounds/1/{verb}")
    table.refresh_from_db()
    assert table.match is not None
    assert table.match.address not in other_addresses
    assert (table.match.version, table.match.secret != "") == (0, True)
    # Tokens of those matches don't open this one.
    for match_address in other_addresses:
        token = match_write_token(Match(address=match_address))
        new_entry = entry(body={"points": [20, 12, 5, 1]})
        assert deliver(table.match.address, new_entry, token)[0] == 401
    assert not LogEntry.objects.filter(match=table.match).exists()
    names = table.match.seats.order_by("index").values_list("name", flat=True)
    assert list(names) == [
        place.entry.name
        for place in table.places.select_related("entry").order_by("index")
    ]


def test_start_stored_by_an_earlier_release_is_answered_as_before() -> None:
    address, key = new_address(), uuid4()
    start_entry = start("tricky", "Ann", "Bo") | {"key": str(key)}
    deliver(address, start_entry, "")
    Match.objects.update(key=key)
    assert deliver(address, start_entry, "")[0] == 200
    assert Match.objects.count() == 1


def test_entry_key_of_another_match_counts_as_new() -> None:
    first, second = new_match(), new_match()
    sent_entry = entry(body=HAND)
    assert deliver(first.address, sent_entry)[0] == 200
    assert deliver(second.address, sent_entry)[0] == 200
    assert LogEntry.objects.filter(key=sent_entry["key"]).count() == 2


@pytest.mark.parametrize("sender", ["phone", "program"])
def test_entry_key_used_by_another_author_is_ignored(sender: str) -> None:
    """An entry that someone else stored under a key isn't replaced, and isn't confirmed to the sender."""
    match = new_match()
    sent_entry = entry(body=HAND, made_by="Ann")
    assert deliver(match.address, sent_entry)[0] == 200
    other_entry = {**sent_entry, "body": OTHER, "made_by": "Bo"}
    if sender == "phone":
        assert deliver(match.address, other_entry)[0] == 422
    else:
        caller = Caller(UserFactory.create())
        path = f"/matches/{match.address}/entries"
        assert caller.request("post", path, other_entry).status_code == 422
    stored_entry = match.log.get()
    assert (stored_entry.body, stored_entry.made_by) == (HAND, "Ann")


def test_seats_key_used_by_another_director_moves_no_player() -> None:
    round_ = running_round(tournament_with(4, table_size=4, game="tricky_bid"))
    club = round_.tournament.club
    first = Caller(member(club, Role.DIRECTOR))
    second = Caller(member(club, Role.DIRECTOR))
    path = f"/tournaments/{round_.tournament.address}/rounds/1/tables/1/seats"
    places = round_.places.order_by("index").values_list("entry__number", flat=True)
    fields = {"key": str(uuid4()), "from_hand": 1, "reason": "mixed up"}
    rotated = [*places[1:], places[0]]
    first.call("put", path, {**fields, "entries": rotated})
    response = second.request(
        "put", path, {**fields, "entries": list(reversed(rotated))}
    )
    assert response.status_code == 422
    assert list(places.all()) == rotated


def test_devices_of_two_players_can_share_an_endpoint() -> None:
    tournament = tournament_with(2)
    device: dict[str, Any] = {
        "endpoint": "https://push.example.org/1",
        "p256dh": DEVICE_KEY,
    }
    for entry_ in tournament.entries.order_by("number"):
        subscription = subscribe(
            tournament=tournament,
            entry=entry_,
            **device,
            auth="c2l4dGVlbiBsZXR0ZXJzLg",
            site="testserver",
            now=timezone.now(),
        )
        assert subscription.entry == entry_
    assert tournament.subscriptions.count() == 2


def browser_sender(key: UUID) -> Callable[[], Any]:
    browser = Browser()
    return lambda: browser.begin_match(key, "Ann", "Bo")


def program_sender(key: UUID) -> Callable[[], Any]:
    program = Caller(UserFactory.create())
    payload = {"key": str(key), "game": "tricky", "players": ["Ann", "Bo"]}
    return lambda: program.call("post", "/matches", payload)["address"]


def league_sender(key: UUID) -> Callable[[], Any]:
    settings = {"name": "League", "writing": Tournament.Writing.OPEN}
    league = Tournament.objects.filter(name="League").first() or tournament_with(
        4, format=Tournament.Format.LEAGUE, **settings
    )
    director = Caller(member(league.club, Role.DIRECTOR))
    payload = {"key": str(key), "game": league.game, "entries": [1, 2, 3, 4]}
    path = f"/tournaments/{league.address}/matches"
    return lambda: director.call("post", path, payload)["address"]


def import_sender(key: UUID) -> Callable[[], Any]:
    cells = [["day", "table", "player", "points"]]
    cells += [["2025-03-14", "1", *result] for result in (("A", "1"), ("B", "2"))]
    club_id = ClubFactory.create().pk
    options: dict[str, Any] = {
        "key": key,
        "name": "list",
        "game": "tricky",
        "now": timezone.now(),
    }
    return lambda: import_results(club_id=club_id, cells=cells, user=None, **options).pk


def upload_sender(key: UUID) -> Callable[[], Any]:
    file: dict[str, Any] = {
        "name": "list.csv",
        "content": b"day,player,points",
        "game": "tricky",
    }
    options: dict[str, Any] = {
        "club": ClubFactory.create(),
        "key": key,
        "now": timezone.now(),
    }
    return lambda: store_or_replace_upload(family_first=False, **file, **options).pk


def arrival_sender(key: UUID) -> Callable[[], Any]:
    file: dict[str, Any] = {"name": "club.zip", "content": b"", "slug": ""}
    options: dict[str, Any] = {
        "user": UserFactory.create(),
        "key": key,
        "now": timezone.now(),
    }
    return lambda: store_arrival(**file, **options).pk


@pytest.mark.parametrize(
    "make_sender",
    [
        browser_sender,
        program_sender,
        league_sender,
        import_sender,
        upload_sender,
        arrival_sender,
    ],
)
def test_key_used_by_another_browser_account_or_club_counts_as_new(
    make_sender: Callable[[UUID], Callable[[], Any]],
) -> None:
    key = uuid4()
    send, send_as_another = make_sender(key), make_sender(key)
    assert send() == send() != send_as_another() == send_as_another()
    assert Arrival.objects.count() in {0, 2}
