"""Actions on players and clubs say what they changed, and a second time that nothing changed."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, NamedTuple

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

Said = tuple[str, str]
DONE_BEFORE: Said = ("info", "Nothing has changed: this was done before.")


class Act(NamedTuple):
    """An action of a director, and what its page says of it, once and once more."""

    route: str
    args: tuple[object, ...]
    data: dict[str, Any]
    said: Said
    again: Said | None = DONE_BEFORE
    """None where there is nothing left to do it to."""


def done(words: str) -> Said:
    return ("success", words)


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def of_players(club: Club) -> Iterator[Act]:
    slug, ann, annie = club.slug, player("Ann").pk, player("Annie").pk
    yield Act("player_edit", (slug, ann), {"act": "restore"}, DONE_BEFORE)
    for act, words in (
        ("archive", "Ann is in the archive."),
        ("restore", "Ann is back from the archive."),
    ):
        yield Act("player_edit", (slug, ann), {"act": act}, done(words))
    hidden = done("This page is hidden from others.")
    yield Act("player_show", (slug, ann), {"public": "0"}, hidden)
    for _time in range(2):
        one = ("error", "They are one person already.")
        merged = done("Annie goes on as Ann.")
        yield Act("player_merge", (slug, annie, ann), {}, merged, one)
        merge = club.merges.latest("pk").pk
        two = done("Annie and Ann are two players again.")
        yield Act("player_unmerge", (slug, merge), {}, two)
    # From the page as it was before: the first of them was undone long ago.
    first = club.merges.earliest("pk").pk
    yield Act("player_unmerge", (slug, first), {}, DONE_BEFORE)
    circuit = circuit_of(club)
    same = circuit.same_people.create(
        kept=player("Ann"), merged=player("Annie"), made_at=NOW
    )
    two = done("They are two people again.")
    yield Act("circuit_apart", (circuit.slug, same.pk), {}, two)
    renamed = done("“Ann” is “Anna” now.")
    known = ("info", "Nothing has changed: this is the name already.")
    yield Act("player_edit", (slug, ann), {"name": "Anna"}, renamed, known)
    gone = done("Di is deleted.")
    yield Act("player_edit", (slug, player("Di").pk), {"act": "delete"}, gone, None)


def of_claims(club: Club) -> Iterator[Act]:
    confirmed = done("The claim to be Ann is confirmed.")
    withdrawn = done("The claim to be Ann is withdrawn.")
    for verbs in (["confirm", "refuse"], ["refuse"]):
        user = UserFactory.create()
        claim = claim_player(
            club=club, user=user, player=player("Ann"), proven=False, now=NOW
        )
        for verb in verbs:
            said = confirmed if verb == "confirm" else withdrawn
            yield Act("claim_settle", (club.slug, claim.pk, verb), {}, said)


def of_a_club(club: Club) -> Iterator[Act]:
    slug = club.slug
    for what in ("no_logo", "no_colour"):
        yield Act("club_edit", (slug,), {"act": what}, DONE_BEFORE)
    Club.objects.update(colour="#123456")
    taken = done("It is taken away.")
    yield Act("club_edit", (slug,), {"act": "no_colour"}, taken)
    season = club.seasons.create(
        slug="spring",
        name="Spring",
        starts_on=date(2024, 1, 1),
        ends_on=date(2024, 6, 30),
    )
    for verb, words in (("close", "is closed."), ("reopen", "is open again.")):
        said = done(f"Spring {words}")
        yield Act("season_act", (slug, season.slug, verb), {}, said)
    said = done("Spring is deleted. Its tournaments stay.")
    yield Act("season_act", (slug, season.slug, "remove"), {}, said, None)
    past = bring(club, PLACES)
    for verb, words in (("undo", "taken out"), ("redo", "brought in")):
        said = done(f"The past results are {words} again.")
        yield Act("import_act", (slug, past.pk, verb), {"sure": "1"}, said)
    invitation = club.invitations.create(
        email="ann@example.org", role=Role.SCORER, made_at=NOW
    )
    withdrawn = done("The invitation is withdrawn.")
    yield Act("invitation_withdraw", (slug, invitation.pk), {}, withdrawn)
    circuit = circuit_of(ClubFactory.create())
    part = invite_club(circuit_id=circuit.pk, club=club, by=None, now=NOW)
    for verb, words in (
        ("accept", "The club plays in Coast now."),
        ("leave", "The club no longer plays in Coast."),
    ):
        yield Act("club_circuit_act", (slug, part.pk, verb), {}, done(words))


@pytest.mark.parametrize("acts", [of_players, of_claims, of_a_club])
def test_says_what_it_did_and_a_second_time_that_nothing_changed(
    acts: Callable[[Club], Iterator[Act]],
) -> None:
    club = tournament_with(["Ann", "Bo", "Cy", "Di"]).club
    tournament_with(["Annie", "Bo", "Cy"], club=club)
    client = signed_in(club, Role.DIRECTOR)
    for act in acts(club):
        url = reverse(f"tournaments:{act.route}", args=act.args)
        for expected in filter(None, (act.said, act.again)):
            answer = client.post(url, act.data, follow=True)
            shown = answer.context["messages"]
            assert [(one.level_tag, one.message) for one in shown] == [expected], act
