"""Actions on players and clubs say what they changed, or that nothing changed."""

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from scoring.models import Player
from tests.factories.circuits import circuit_of
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    signed_in,
    tournament_with,
)
from tests.tournaments.history.test_imports import PLACES, bring
from tournaments.circuits.founding import invite_club
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
    client = signed_in(club, Role.DIRECTOR)
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


def test_merging_again_after_taking_apart_says_what_it_did(club: Club) -> None:
    pair = (player("Annie").pk, player("Ann").pk)
    for _time in range(2):
        assert act(club, "player_merge", *pair) == [
            ("success", "Annie goes on as Ann.")
        ]
        merge = club.merges.latest("pk")
        assert act(club, "player_unmerge", merge.pk) == [
            ("success", "Annie and Ann are two players again.")
        ]
    # From the page as it was before: the first of them was undone long ago.
    assert act(club, "player_unmerge", club.merges.earliest("pk").pk) == DONE_BEFORE


def test_closing_and_reopening_a_season_say_what_they_did() -> None:
    club: Club = ClubFactory.create()
    season = club.seasons.create(
        slug="spring",
        name="Spring",
        starts_on=date(2024, 1, 1),
        ends_on=date(2024, 6, 30),
    )
    for verb, words in (("close", "is closed."), ("reopen", "is open again.")):
        said = [("success", f"Spring {words}")]
        assert act(club, "season_act", season.slug, verb) == said
        assert act(club, "season_act", season.slug, verb) == DONE_BEFORE
    said = [("success", "Spring is deleted. Its tournaments stay.")]
    assert act(club, "season_act", season.slug, "remove") == said


def test_taking_an_import_out_and_in_again_say_what_they_did() -> None:
    club: Club = ClubFactory.create()
    made = bring(club, PLACES)
    for verb, words in (("undo", "taken out"), ("redo", "brought in")):
        said = [("success", f"The past results are {words} again.")]
        assert act(club, "import_act", made.pk, verb) == said
        assert act(club, "import_act", made.pk, verb) == DONE_BEFORE


def test_withdrawing_an_invitation_says_what_it_did(club: Club) -> None:
    invitation = club.invitations.create(
        email="ann@example.org", role=Role.SCORER, made_at=NOW
    )
    said = [("success", "The invitation is withdrawn.")]
    assert act(club, "invitation_withdraw", invitation.pk) == said
    assert act(club, "invitation_withdraw", invitation.pk) == DONE_BEFORE


def test_leaving_a_circuit_says_what_it_did(club: Club) -> None:
    circuit = circuit_of(ClubFactory.create())
    part = invite_club(circuit_id=circuit.pk, club=club, by=None, now=NOW)
    for verb, words in (("accept", "now"), ("leave", "")):
        (first,) = act(club, "club_circuit_act", part.pk, verb)
        assert first[0] == "success"
        assert "Coast" in first[1]
        assert words in first[1]
        assert act(club, "club_circuit_act", part.pk, verb) == DONE_BEFORE


def test_taking_two_apart_in_a_circuit_says_what_it_did(club: Club) -> None:
    circuit = circuit_of(club)
    same = circuit.same_people.create(
        kept=player("Ann"), merged=player("Annie"), made_at=NOW
    )
    client = signed_in(club, Role.DIRECTOR)
    at = reverse("tournaments:circuit_apart", args=[circuit.slug, same.pk])
    said = []
    for _tap in range(2):
        answer = client.post(at, follow=True)
        said += [str(one) for one in answer.context["messages"]]
    assert said == ["They are two people again.", DONE_BEFORE[0][1]]
