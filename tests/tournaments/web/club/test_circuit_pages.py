"""Pages of circuits and followed clubs: visibility and permissions."""

from datetime import timedelta

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories.circuits import add_to_circuit, new_circuit
from tests.factories.history import counted_tournament
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    UserFactory,
    signed_in,
)
from tests.tournaments.web.pages import text
from tournaments.models import Circuit, Club, Tournament
from tournaments.web.club import followed
from tournaments.web.club.followed import (
    read_followed_clubs_cookie,
    write_followed_clubs_cookie,
)

pytestmark = pytest.mark.django_db

MY_CLUBS = reverse("tournaments:my_clubs")


def act(client: Client, name: str, /, *parts: object, **data: object) -> str:
    """Post form data and return the page that follows."""
    url = reverse(f"tournaments:{name}", args=parts)
    response = client.post(url, data, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def upcoming_night(club: Club, **settings: object) -> Tournament:
    night: Tournament = TournamentFactory.create(
        club=club, starts_at=timezone.now() + timedelta(days=2), **settings
    )
    return night


# Following.


def test_a_phone_without_an_account_follows_several_clubs(client: Client) -> None:
    clubs = [ClubFactory.create() for _club in range(3)]
    for club in clubs[:2]:
        upcoming_night(club, name=f"Night of {club.slug}")
        act(client, "club_follow", club.slug, "follow")
    page = text(client, MY_CLUBS)
    assert [club.name in page for club in clubs] == [True, True, False]
    assert f"Night of {clubs[0].slug}" in page
    act(client, "club_follow", clubs[0].slug, "unfollow")
    assert clubs[0].name not in text(client, MY_CLUBS)


def test_an_account_follows_on_every_phone(client: Client) -> None:
    club, user = ClubFactory.create(), UserFactory.create()
    client.force_login(user)
    act(client, "club_follow", club.slug, "follow")
    other_phone = Client()
    other_phone.force_login(user)
    assert club.name in text(other_phone, MY_CLUBS)
    assert "Unfollow" in text(other_phone, club.get_absolute_url())
    assert "Follow this club" in text(Client(), club.get_absolute_url())


def test_following_shows_only_public_data(client: Client) -> None:
    club = ClubFactory.create()
    upcoming_night(club, name="A draft", listing=Tournament.Listing.DRAFT)
    upcoming_night(club, name="By link alone", listing=Tournament.Listing.UNLISTED)
    upcoming_night(club, name="For all")
    other_club = ClubFactory.create()
    upcoming_night(other_club, name="Of another")
    for visitor in (client, signed_in(club)):
        act(visitor, "club_follow", club.slug, "follow")
        page = text(visitor, MY_CLUBS)
        is_director = visitor is not client
        assert ("A draft" in page) is is_director
        assert ("By link alone" in page) is is_director
        assert "For all" in page
        assert "Of another" not in page


def response_with_cookie(request: HttpRequest, clubs: list[int]) -> HttpResponse:
    response = HttpResponse()
    write_followed_clubs_cookie(request, response, clubs)
    return response


def request_with_cookies(response: HttpResponse) -> HttpRequest:
    """Return a request with the cookies of a response."""
    request = RequestFactory().get("/")
    for name, cookie in response.cookies.items():
        if cookie.value:
            request.COOKIES[name] = cookie.value
    return request


def test_forged_cookie_of_followed_clubs_is_ignored() -> None:
    request = request_with_cookies(
        response_with_cookie(RequestFactory().get("/"), [3, 5])
    )
    assert read_followed_clubs_cookie(request) == [3, 5]
    request.COOKIES["clubs"] = "3-5-7" + request.COOKIES["clubs"][3:]
    assert read_followed_clubs_cookie(request) == []


def test_clubs_of_an_old_cookie_move_to_the_host_cookie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request = request_with_cookies(
        response_with_cookie(RequestFactory().get("/"), [3, 5])
    )
    monkeypatch.setattr(followed, "COOKIE", "__Host-clubs")
    assert read_followed_clubs_cookie(request) == [3, 5]
    response = response_with_cookie(request, [*read_followed_clubs_cookie(request), 7])
    assert response.cookies["clubs"]["max-age"] == 0
    request = request_with_cookies(response)
    assert read_followed_clubs_cookie(request) == [3, 5, 7]
    # Other hosts of the domain can set the old cookie, which is then ignored and deleted.
    request.COOKIES["clubs"] = "anything"
    assert read_followed_clubs_cookie(request) == [3, 5, 7]
    response = response_with_cookie(request, [])
    assert set(response.cookies) == {"clubs", "__Host-clubs"}
    assert response.cookies["__Host-clubs"]["secure"]


@pytest.mark.long(3)
def test_my_clubs_has_constant_query_count(
    client: Client,
) -> None:
    client.force_login(UserFactory.create())
    query_counts = []
    for number in range(6):
        club = ClubFactory.create()
        upcoming_night(club)
        counted_tournament(timezone.localdate().isoformat(), 3, club=club)
        act(client, "club_follow", club.slug, "follow")
        if number in (1, 5):
            with CaptureQueriesContext(connection) as queries:
                page = text(client, MY_CLUBS)
            assert page.count("Full leaderboard") == number + 1
            query_counts.append(len(queries))
    assert query_counts[0] == query_counts[1]


# Circuits.


def test_director_creates_a_circuit_and_another_club_accepts() -> None:
    harbour, castle = ClubFactory.create(), ClubFactory.create(slug="castle")
    harbour_client, castle_client = signed_in(harbour), signed_in(castle)
    act(
        harbour_client, "club_circuits", harbour.slug, name="Coast Cup", counts="place",
        best_of=0, least_attendance=1, lasts_days=0,
    )  # fmt: skip
    circuit = Circuit.objects.get(slug="coast-cup")
    page = act(
        harbour_client, "circuit_manage", circuit.slug, act="invite", club="nowhere"
    )
    assert "No club on this server has that address." in page
    act(harbour_client, "circuit_manage", circuit.slug, act="invite", club="castle")
    assert castle_client.get(reverse("tournaments:circuit_manage", args=["coast-cup"])
        ).status_code == 403  # fmt: skip
    assert "You’re invited" in text(
        castle_client, reverse("tournaments:club_circuits", args=["castle"])
    )
    part = circuit.parts.get(club=castle)
    act(castle_client, "club_circuit_action", "castle", part.pk, "accept")
    assert castle.name in text(Client(), circuit.get_absolute_url())
    act(castle_client, "club_circuit_action", "castle", part.pk, "leave")
    assert castle.name not in text(Client(), circuit.get_absolute_url())


def test_a_director_adds_only_nights_of_their_own_club() -> None:
    harbour, castle = ClubFactory.create(), ClubFactory.create()
    circuit = new_circuit(harbour, castle)
    own = counted_tournament("2026-03-05", 3, club=harbour)
    other = counted_tournament("2026-03-12", 3, club=castle)
    client = signed_in(harbour)
    act(client, "circuit_tournament", circuit.slug, own.address, "add")
    url = "tournaments:circuit_tournament"
    response = client.post(reverse(url, args=[circuit.slug, other.address, "add"]))
    assert response.status_code == 404
    assert [c.tournament for c in circuit.tournaments.current()] == [own]
    act(client, "circuit_tournament", circuit.slug, own.address, "remove")
    assert not circuit.tournaments.current().exists()


def test_players_of_two_clubs_are_suggested_merged_and_split() -> None:
    harbour, castle = ClubFactory.create(), ClubFactory.create()
    circuit = new_circuit(harbour, castle)
    add_to_circuit(
        circuit,
        counted_tournament("2026-03-05", ["Zoë", "Bea", "Cy"], club=harbour),
        counted_tournament("2026-03-12", ["zoe", "Dan", "Eva"], club=castle),
    )
    client = signed_in(harbour)
    url = reverse("tournaments:circuit_people", args=[circuit.slug])
    response = client.get(url)
    (suggestion,) = response.context["suggestions"]
    pair = {"kept": suggestion.kept.player, "merged": suggestion.merged.player}
    assert "Undo merge" in act(client, "circuit_people", circuit.slug, **pair)
    assert len(client.get(circuit.get_absolute_url()).context["rows"]) == 5
    assert "These two already count as the same person." in act(
        client, "circuit_people", circuit.slug, **pair
    )
    same_person = circuit.same_people.get()
    act(client, "circuit_split", circuit.slug, same_person.pk)
    assert len(client.get(circuit.get_absolute_url()).context["rows"]) == 6
