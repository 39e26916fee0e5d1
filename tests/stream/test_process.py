"""Listening to the process that streams, while this one enters hands."""

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from uuid import uuid4

import pytest
from pytest_django import Settings

from scoring.models import Match
from stream.channel import hang_up
from tests.api.caller import Caller
from tests.factories.commands import author, enter_hand
from tests.factories.matches import NOW, new_match
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    enter_points,
    member,
    running_round,
    tournament_with,
)
from tests.stream.streaming import Heard, Listening, refused, streaming
from tournaments.event.desk.announcements import announce
from tournaments.event.results import count_standings
from tournaments.models import Role, Tournament
from tournaments.people.origins import allow_origin
from tournaments.people.programs import end_token

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.long(6),
]


@pytest.fixture(scope="module")
def live(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("stream")
    with streaming(folder, LIVE_LISTENERS_A_NETWORK="3") as url:
        yield url
    hang_up()


def enter(match: Match) -> None:
    """Enter a further hand of a match of Tricky."""
    match.refresh_from_db()
    enter_hand(
        match_id=match.pk,
        key=uuid4(),
        number=match.hands_played + 1,
        raw={"passed_out": True},
        author=author(),
    )


def test_each_hand_of_a_match_is_told_with_the_address_where_it_is_read(
    live: str,
) -> None:
    match = new_match()
    link = f"/api/v1/matches/{match.address}"
    with Listening(f"{live}/matches/{match.address}") as listening:
        assert listening.next() == Heard("match", 0, link, "0")
        enter(match)
        assert listening.next() == Heard("match", 1, link, "1")
        enter(match)
        assert listening.next() == Heard("match", 2, link, "2")
    read = Caller().told("GET", link.removeprefix("/api/v1"))
    assert read["version"] == 2


def test_a_sheet_hears_of_each_hand_and_of_what_is_said_in_the_room(live: str) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    match = running_round(tournament).tables.get().match
    assert match is not None
    with Listening(f"{live}/sheets/{match.address}") as listening:
        heard = [listening.next()]
        enter_points(match, [9, 5, 3, 1])
        heard.append(listening.next())
        announce(tournament_id=tournament.pk, text="Soup is ready", by=None, now=NOW)
        heard.append(listening.next())
    assert {event.event for event in heard} == {"sheet"}
    assert len({event.version for event in heard}) == len(heard)


def test_who_was_away_hears_what_is_new_since_and_who_was_not_hears_nothing(
    live: str,
) -> None:
    match = new_match()
    url = f"{live}/matches/{match.address}"
    with Listening(url) as listening:
        last = listening.next().id
    enter(match)
    with Listening(url, **{"Last-Event-ID": last}) as listening:
        assert listening.next().version == 1
        last = listening.last_id
    with Listening(url, **{"Last-Event-ID": last}) as listening:
        assert listening.block() == ["retry: 3000"]
        enter(match)
        assert listening.next().version == 2


def test_a_tournament_tells_of_itself_and_of_its_standings(live: str) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    with Listening(f"{live}/tournaments/{tournament.address}") as listening:
        assert [listening.next().event for _part in range(2)] == [
            *("tournament", "standings")
        ]
        round_ = running_round(tournament)
        before = listening.next()
        assert before.event == "tournament"
        table = round_.tables.get()
        assert table.match is not None
        enter_points(table.match, [9, 5, 3, 1])
        stored = count_standings(tournament_id=tournament.pk, now=NOW)
        assert stored is not None
        heard = listening.next()
        while (heard.event, heard.version) != ("standings", stored.version):
            heard = listening.next()
    told = Caller().told("GET", heard.link.removeprefix("/api/v1"))
    assert told["version"] == heard.version


def test_a_club_tells_which_of_its_tournaments_changed(live: str) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    with Listening(f"{live}/clubs/{tournament.club.slug}") as listening:
        assert [listening.next().event for _part in range(2)] == [
            *("history", "tournaments")
        ]
        running_round(tournament)
        heard = listening.next()
    assert (heard.event, heard.link) == (
        "tournament",
        f"/api/v1/tournaments/{tournament.address}",
    )


def test_a_draft_is_heard_by_its_people_alone(live: str) -> None:
    draft = TournamentFactory.create(listing=Tournament.Listing.DRAFT)
    url = f"{live}/tournaments/{draft.address}"
    assert refused(url)[0] == 404
    stranger = Caller(member(ClubFactory.create(), Role.DIRECTOR))
    assert refused(url, **stranger.headers)[0] == 404
    director = Caller(member(draft.club, Role.VIEWER))
    with Listening(url, **director.headers) as listening:
        assert listening.next().event == "tournament"
    end_token(token=director.token, now=NOW)
    assert refused(url, **director.headers)[0] == 401


def test_what_becomes_a_draft_is_gone_for_a_stranger(live: str) -> None:
    tournament = TournamentFactory.create()
    with Listening(f"{live}/tournaments/{tournament.address}") as listening:
        listening.next()
        listening.next()
        tournament.listing = Tournament.Listing.DRAFT
        tournament.save()
        # Nobody announced it: everything is looked at now and then.
        assert listening.next().event == "gone"
        with pytest.raises(EOFError):
            listening.next()


@pytest.mark.parametrize(
    "path", ["/matches/none", "/tournaments/none", "/clubs/none", "/circuits/x", "/"]
)
def test_what_is_not_there_is_a_problem(live: str, path: str) -> None:
    status, problem = refused(live + path)
    assert (status, problem["status"]) == (404, 404)
    assert problem["type"].endswith("#problem-not-there")


def test_of_one_network_so_many_listen_and_no_more(live: str) -> None:
    url = f"{live}/matches/{new_match().address}"
    with Listening(url), Listening(url), Listening(url):
        status, problem = refused(url)
    assert (status, problem["type"].rpartition("-")[2]) == (429, "often")
    until_heard(url)


def until_heard(url: str) -> None:
    """Wait until there is room for who listens there: who hung up makes it, before long."""
    deadline = time.monotonic() + 5
    while True:
        try:
            with Listening(url) as listening:
                listening.next()
                return
        except HTTPError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_pages_of_a_site_that_a_club_allows_may_listen(live: str) -> None:
    tournament = TournamentFactory.create()
    allow_origin(club=tournament.club, origin="https://club.example", now=NOW)
    url = f"{live}/tournaments/{tournament.address}"
    allowed = {}
    for origin in ("https://club.example", "https://other.example"):
        with Listening(url, Origin=origin) as listening:
            answer = listening.answer.headers
            allowed[origin] = answer["Access-Control-Allow-Origin"]
    assert allowed == {
        "https://club.example": "https://club.example",
        "https://other.example": None,
    }


@pytest.mark.services
def test_without_redis_postgresql_carries_it(
    django_db_setup: None, tmp_path: Path, settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = "memory://localhost/"
    match = new_match()
    with (
        streaming(tmp_path, CELERY_BROKER_URL="") as url,
        Listening(f"{url}/matches/{match.address}") as listening,
    ):
        assert listening.next().version == 0
        enter(match)
        assert listening.next().version == 1
    hang_up()
