"""Pages of circuits and of followed clubs: who sees what, and who may do what."""

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
from tournaments.web.club.followed import read_clubs_cookie, write_clubs_cookie

pytestmark = pytest.mark.django_db

MINE = reverse("tournaments:my_clubs")


def act(client: Client, name: str, /, *parts: object, **sent: object) -> str:
    """Return the page to which posting leads."""
    url = reverse(f"tournaments:{name}", args=parts)
    answer = client.post(url, sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def to_come(club: Club, **settings: object) -> Tournament:
    night: Tournament = TournamentFactory.create(
        club=club, starts_at=timezone.now() + timedelta(days=2), **settings
    )
    return night


# Following.


def test_a_phone_without_an_account_follows_several_clubs(client: Client) -> None:
    clubs = [ClubFactory.create() for _club in range(3)]
    for club in clubs[:2]:
        to_come(club, name=f"Night of {club.slug}")
        act(client, "club_follow", club.slug, "follow")
    shown = text(client, MINE)
    assert [club.name in shown for club in clubs] == [True, True, False]
    assert f"Night of {clubs[0].slug}" in shown
    act(client, "club_follow", clubs[0].slug, "unfollow")
    assert clubs[0].name not in text(client, MINE)


def test_an_account_follows_on_every_phone(client: Client) -> None:
    club, user = ClubFactory.create(), UserFactory.create()
    client.force_login(user)
    act(client, "club_follow", club.slug, "follow")
    other = Client()
    other.force_login(user)
    assert club.name in text(other, MINE)
    assert "Unfollow" in text(other, club.get_absolute_url())
    assert "Follow this club" in text(Client(), club.get_absolute_url())


def test_following_shows_only_public_data(client: Client) -> None:
    club = ClubFactory.create()
    to_come(club, name="A draft", listing=Tournament.Listing.DRAFT)
    to_come(club, name="By link alone", listing=Tournament.Listing.UNLISTED)
    to_come(club, name="For all")
    other = ClubFactory.create()
    to_come(other, name="Of another")
    for each in (client, signed_in(club)):
        act(each, "club_follow", club.slug, "follow")
        shown = text(each, MINE)
        is_director = each is not client
        assert ("A draft" in shown) is is_director
        assert ("By link alone" in shown) is is_director
        assert "For all" in shown
        assert "Of another" not in shown


def cookie_answer(request: HttpRequest, clubs: list[int]) -> HttpResponse:
    answer = HttpResponse()
    write_clubs_cookie(request, answer, clubs)
    return answer


def phone_with(answer: HttpResponse) -> HttpRequest:
    """Return what a phone sends after an answer."""
    request = RequestFactory().get("/")
    for name, cookie in answer.cookies.items():
        if cookie.value:
            request.COOKIES[name] = cookie.value
    return request


def test_forged_cookie_of_followed_clubs_is_ignored() -> None:
    phone = phone_with(cookie_answer(RequestFactory().get("/"), [3, 5]))
    assert read_clubs_cookie(phone) == [3, 5]
    phone.COOKIES["clubs"] = "3-5-7" + phone.COOKIES["clubs"][3:]
    assert read_clubs_cookie(phone) == []


def test_clubs_of_an_old_cookie_move_to_the_host_cookie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    phone = phone_with(cookie_answer(RequestFactory().get("/"), [3, 5]))
    monkeypatch.setattr(followed, "COOKIE", "__Host-clubs")
    assert read_clubs_cookie(phone) == [3, 5]
    answer = cookie_answer(phone, [*read_clubs_cookie(phone), 7])
    assert answer.cookies["clubs"]["max-age"] == 0
    phone = phone_with(answer)
    assert read_clubs_cookie(phone) == [3, 5, 7]
    # Other hosts of the domain can set the old cookie, which is then ignored and deleted.
    phone.COOKIES["clubs"] = "anything"
    assert read_clubs_cookie(phone) == [3, 5, 7]
    answer = cookie_answer(phone, [])
    assert set(answer.cookies) == {"clubs", "__Host-clubs"}
    assert answer.cookies["__Host-clubs"]["secure"]


@pytest.mark.long(3)
def test_my_clubs_has_constant_query_count(
    client: Client,
) -> None:
    client.force_login(UserFactory.create())
    query_counts = []
    for number in range(6):
        club = ClubFactory.create()
        to_come(club)
        counted_tournament(timezone.localdate().isoformat(), 3, club=club)
        act(client, "club_follow", club.slug, "follow")
        if number in (1, 5):
            with CaptureQueriesContext(connection) as queries:
                shown = text(client, MINE)
            assert shown.count("Full leaderboard") == number + 1
            query_counts.append(len(queries))
    assert query_counts[0] == query_counts[1]


# Circuits.


def test_director_creates_a_circuit_and_another_club_accepts() -> None:
    harbour, castle = ClubFactory.create(), ClubFactory.create(slug="castle")
    ours, theirs = signed_in(harbour), signed_in(castle)
    act(
        ours, "club_circuits", harbour.slug, name="Coast Cup", counts="place",
        best_of=0, least_attendance=1, lasts_days=0,
    )  # fmt: skip
    circuit = Circuit.objects.get(slug="coast-cup")
    unknown = act(ours, "circuit_manage", circuit.slug, act="invite", club="nowhere")
    assert "No club on this server has that address." in unknown
    act(ours, "circuit_manage", circuit.slug, act="invite", club="castle")
    assert theirs.get(reverse("tournaments:circuit_manage", args=["coast-cup"])
        ).status_code == 403  # fmt: skip
    assert "You’re invited" in text(
        theirs, reverse("tournaments:club_circuits", args=["castle"])
    )
    part = circuit.parts.get(club=castle)
    act(theirs, "club_circuit_action", "castle", part.pk, "accept")
    assert castle.name in text(Client(), circuit.get_absolute_url())
    act(theirs, "club_circuit_action", "castle", part.pk, "leave")
    assert castle.name not in text(Client(), circuit.get_absolute_url())


def test_a_director_adds_only_nights_of_their_own_club() -> None:
    harbour, castle = ClubFactory.create(), ClubFactory.create()
    circuit = new_circuit(harbour, castle)
    own = counted_tournament("2026-03-05", 3, club=harbour)
    other = counted_tournament("2026-03-12", 3, club=castle)
    client = signed_in(harbour)
    act(client, "circuit_tournament", circuit.slug, own.address, "add")
    url = "tournaments:circuit_tournament"
    answer = client.post(reverse(url, args=[circuit.slug, other.address, "add"]))
    assert answer.status_code == 404
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
    page = reverse("tournaments:circuit_people", args=[circuit.slug])
    answer = client.get(page)
    (suggestion,) = answer.context["suggestions"]
    pair = {"kept": suggestion.kept.player, "merged": suggestion.merged.player}
    assert "Separate" in act(client, "circuit_people", circuit.slug, **pair)
    assert len(client.get(circuit.get_absolute_url()).context["rows"]) == 5
    assert "These two already count as the same person." in act(
        client, "circuit_people", circuit.slug, **pair
    )
    same = circuit.same_people.get()
    act(client, "circuit_split", circuit.slug, same.pk)
    assert len(client.get(circuit.get_absolute_url()).context["rows"]) == 6
