"""Actions on players and clubs say what they changed, or that nothing changed."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Player
from tests.factories.matches import NOW
from tests.factories.tournaments import UserFactory, member, tournament_with
from tournaments.models import Club, Role
from tournaments.people.merges import claim_player

pytestmark = pytest.mark.django_db

DONE_BEFORE = [("info", "Nothing has changed: this was done before.")]


@pytest.fixture
def club() -> Club:
    """Return a club with Ann in one tournament and Annie in another."""
    first = tournament_with(["Ann", "Bo", "Cy", "Di"])
    tournament_with(["Annie", "Bo", "Cy", "Di"], club=first.club)
    return first.club


def act(club: Club, route: str, /, *args: object, **data: Any) -> list[tuple[str, str]]:
    """Return what the page says after an action of a director."""
    client = Client()
    client.force_login(member(club, Role.DIRECTOR))
    at = reverse(f"tournaments:{route}", args=[club.slug, *args])
    answer = client.post(at, data, follow=True)
    return [(said.level_tag, said.message) for said in answer.context["messages"]]


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def test_merging_and_taking_apart_say_what_they_did(club: Club) -> None:
    pair = (player("Annie").pk, player("Ann").pk)
    assert act(club, "player_merge", *pair) == [("success", "Annie goes on as Ann.")]
    assert act(club, "player_merge", *pair) == [
        ("error", "They are one person already.")
    ]
    merge = club.merges.get()
    said = [("success", "Annie and Ann are two players again.")]
    assert act(club, "player_unmerge", merge.pk) == said
    assert act(club, "player_unmerge", merge.pk) == DONE_BEFORE


@pytest.mark.parametrize(
    ("verbs", "said"),
    [
        (["confirm"], "The claim to be Ann is confirmed."),
        (["refuse"], "The claim to be Ann is withdrawn."),
        (["confirm", "refuse"], "The claim to be Ann is withdrawn."),
    ],
)
def test_settling_a_claim_says_what_it_did(
    club: Club, verbs: list[str], said: str
) -> None:
    user = UserFactory.create()
    claim = claim_player(
        club=club, user=user, player=player("Ann"), proven=False, now=NOW
    )
    answers = [act(club, "claim_settle", claim.pk, verb) for verb in verbs]
    assert answers[-1] == [("success", said)]
    assert act(club, "claim_settle", claim.pk, verbs[-1]) == DONE_BEFORE


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("player_edit", {"act": "archive"}, "Ann is in the archive."),
        ("player_show", {"public": "0"}, "This page is hidden from others."),
    ],
)
def test_archiving_and_hiding_say_what_they_did(
    club: Club, name: str, data: dict[str, str], said: str
) -> None:
    pk = player("Ann").pk
    assert act(club, name, pk, **data) == [("success", said)]
    assert act(club, name, pk, **data) == DONE_BEFORE


def test_restoring_says_what_it_did(club: Club) -> None:
    pk = player("Ann").pk
    assert act(club, "player_edit", pk, act="restore") == DONE_BEFORE
    act(club, "player_edit", pk, act="archive")
    said = [("success", "Ann is back from the archive.")]
    assert act(club, "player_edit", pk, act="restore") == said


def test_renaming_to_the_same_name_says_that_nothing_changed(club: Club) -> None:
    pk = player("Ann").pk
    said = [("success", "“Ann” is “Anna” now.")]
    assert act(club, "player_edit", pk, name="Anna") == said
    nothing = [("info", "Nothing has changed: this is the name already.")]
    assert act(club, "player_edit", pk, name="Anna") == nothing


def test_deleting_says_who_is_gone(club: Club) -> None:
    pk = player("Annie").pk
    assert act(club, "player_edit", pk, act="delete") == [
        ("success", "Annie is deleted.")
    ]


@pytest.mark.parametrize("what", ["no_logo", "no_colour"])
def test_taking_away_a_look_that_is_not_there_says_so(club: Club, what: str) -> None:
    assert act(club, "club_edit", act=what) == DONE_BEFORE


def test_taking_a_colour_away_says_what_it_did(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(colour="#123456")
    assert act(club, "club_edit", act="no_colour") == [("success", "It is taken away.")]
