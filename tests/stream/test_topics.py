"""What can be listened to, who may, and at which versions it is."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.api.problems import ProblemError
from stream.kinds import Kind
from stream.topics import Part, State, Topic, find, read_states
from tests.api.caller import Caller
from tests.factories.matches import NOW, new_match
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    enter_points,
    member,
    running_round,
    tournament_with,
)
from tournaments.event.results import count_standings
from tournaments.models import Club, Role, Tournament

pytestmark = pytest.mark.django_db


def secret_of(club: Club) -> str:
    """Return a token of somebody who helps there."""
    return Caller(member(club, Role.VIEWER)).headers["Authorization"].split()[1]


def state_of(topic: Topic) -> State:
    state = read_states([topic])[topic]
    assert state is not None
    return state


def test_a_match_is_found_by_its_address() -> None:
    match = new_match()
    found = find(Kind.MATCH, match.address, secret="")
    assert found.topic == Topic(Kind.MATCH, match.pk)
    assert state_of(found.topic).parts == (
        Part("match", 0, f"/api/v1/matches/{match.address}"),
    )


def test_a_sheet_is_announced_as_its_match_and_is_another_each_time() -> None:
    match = new_match()
    sheet = find(Kind.SHEET, match.address, secret="").topic
    assert sheet == Topic(Kind.SHEET, match.pk)
    assert sheet.name == Topic(Kind.MATCH, match.pk).name
    first, second = state_of(sheet), state_of(sheet)
    assert [part.event for part in first.parts] == ["sheet"]
    assert second.since(first) == list(second.parts)


def test_people_of_a_club_hear_more_than_strangers() -> None:
    hidden = TournamentFactory.create(listing=Tournament.Listing.UNLISTED)
    club = hidden.club
    inside = find(Kind.CLUB, club.slug, secret=secret_of(club)).topic
    outside = find(Kind.CLUB, club.slug, secret="").topic
    link = f"/api/v1/tournaments/{hidden.address}"
    assert link in {part.link for part in state_of(inside).parts}
    assert link not in {part.link for part in state_of(outside).parts}


def test_a_role_in_another_club_opens_no_draft() -> None:
    draft = TournamentFactory.create(listing=Tournament.Listing.DRAFT)
    other = secret_of(ClubFactory.create())
    with pytest.raises(ProblemError):
        find(Kind.TOURNAMENT, draft.address, secret=other)
    own = find(Kind.TOURNAMENT, draft.address, secret=secret_of(draft.club))
    assert own.topic == Topic(Kind.TOURNAMENT, draft.pk, inside=True)


def test_standings_that_are_hidden_are_hidden_here() -> None:
    tournament = tournament_with(
        4, rounds_planned=1, standings_shown=Tournament.Shown.FINISHED
    )
    match = running_round(tournament).tables.get().match
    assert match is not None
    enter_points(match, [9, 5, 3, 1])
    stored = count_standings(tournament_id=tournament.pk, now=NOW)
    assert stored is not None
    versions = {
        inside: state_of(Topic(Kind.TOURNAMENT, tournament.pk, inside)).parts[1].version
        for inside in (True, False)
    }
    assert versions == {True: stored.version, False: 0}


def test_what_is_there_no_more_has_no_state() -> None:
    topics = [Topic(kind, 10**6) for kind in Kind if kind is not Kind.SHEET]
    assert read_states(topics) == dict.fromkeys(topics)


def test_what_is_other_is_told_and_nothing_else() -> None:
    first = State([Part("a", 1, "/a"), Part("b", 1, "/b")])
    then = State([Part("a", 1, "/a"), Part("b", 2, "/b"), Part("c", 1, "/c")])
    assert [part.event for part in then.since(first)] == ["b", "c"]
    assert [part.event for part in then.since(None)] == ["a", "b", "c"]
    assert first.id != then.id


def test_many_matches_are_read_by_one_question(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    topics = [Topic(Kind.MATCH, new_match().pk) for _number in range(5)]
    with django_assert_num_queries(1):
        assert len(read_states(topics)) == 5


def test_every_link_of_an_event_is_an_address_of_the_api() -> None:
    tournament = tournament_with(4)
    table = running_round(tournament).tables.get()
    assert table.match is not None
    topics = [
        Topic(Kind.CLUB, tournament.club_id),
        Topic(Kind.TOURNAMENT, tournament.pk),
        Topic(Kind.MATCH, table.match.pk),
    ]
    links = {part.link for topic in topics for part in state_of(topic).parts}
    links |= {part.link for topic in topics for part in state_of(topic).whole}
    assert any(link.endswith("/leaderboards/all") for link in links)
    for link in links:
        assert Client().get(link).status_code == 200, link
