"""Entering a list of names says what became of each of them."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    member,
    running_round,
    tournament_with,
)
from tests.tournaments.web.views.test_settings import SETTINGS
from tournaments.event.entries import enter, set_state
from tournaments.models import Entry, Role, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

State = Entry.State


def night(**settings: object) -> Tournament:
    """Return a tournament with an entry in each state."""
    tournament: Tournament = TournamentFactory.create(**settings)
    names = ["Ada", "Bea", "Cleo", "Dora", "Emil"]
    enter(tournament_id=tournament.pk, names=names, now=NOW)
    for name, state in (
        ("Bea", State.DROPPED),
        ("Cleo", State.NO_SHOW),
        ("Dora", State.PRESENT),
    ):
        set_state(entry_id=tournament.entries.get(name=name).pk, state=state)
    return tournament


def paste(
    tournament: Tournament, *names: str, here: bool = True
) -> dict[str, list[str]]:
    """Return what the page says after a list was pasted, by level."""
    client = Client()
    client.force_login(member(tournament.club, Role.SCORER))
    data = {"names": "\n".join(names), **({"here": "on"} if here else {})}
    page = reverse("tournaments:entries", args=[tournament.address])
    answer = client.post(page, data, follow=True)
    shown: dict[str, list[str]] = {}
    for message in answer.context["messages"]:
        shown.setdefault(message.level_tag, []).append(message.message)
    return shown


def states(tournament: Tournament) -> dict[str, str]:
    return dict(tournament.entries.values_list("name", "state"))


def test_checks_in_everyone_on_the_list() -> None:
    tournament = night()
    shown = paste(tournament, "ada", "BEA", "Cleo", "Dora", "Gil")
    assert shown == {
        "success": [
            " ".join(
                [
                    "1 player added and checked in.",
                    "Ada is checked in.",
                    "Back after leaving: Bea.",
                    "Marked absent before, and checked in now: Cleo.",
                ]
            )
        ],
        "info": ["Checked in already: Dora."],
    }
    assert set(states(tournament).values()) == {"present", "expected"}
    assert states(tournament)["Emil"] == "expected"


def test_checks_in_from_the_waiting_list_as_room_allows() -> None:
    tournament = night(capacity=3)
    # Ada, Dora and Emil have the places.
    shown = paste(tournament, "Bea", "Gil")
    assert shown == {
        "success": ["All places are taken: Gil and Bea are on the waiting list."]
    }
    assert states(tournament)["Bea"] == "waiting"
    shown = paste(tournament, "Gil", "Bea")
    assert shown == {
        "info": ["No place is free: Gil and Bea are still on the waiting list."]
    }
    Tournament.objects.filter(pk=tournament.pk).update(capacity=4)
    shown = paste(tournament, "Gil", "Bea")
    assert states(tournament)["Bea"] == "present"
    assert states(tournament)["Gil"] == "waiting"


def test_says_when_nothing_changed() -> None:
    tournament = night()
    assert paste(tournament, "Dora") == {"info": ["Checked in already: Dora."]}
    assert paste(tournament, "Ada", here=False) == {
        "info": ["Ada was entered before, and is there once."]
    }
    assert states(tournament)["Ada"] == "expected"


def test_checks_in_during_a_running_round() -> None:
    tournament = tournament_with(4, rounds_planned=3)
    enter(tournament_id=tournament.pk, names=["Zed"], now=NOW)
    running_round(tournament)
    shown = paste(tournament, "zed")
    assert shown == {"success": ["Zed is checked in."]}
    assert states(tournament)["Zed"] == "present"


def test_name_twice_in_a_list_is_entered_once() -> None:
    tournament = night()
    shown = paste(tournament, "Gil", "gil")
    assert shown == {"success": ["1 player added and checked in."]}
    assert tournament.entries.filter(name="Gil").count() == 1


@pytest.mark.parametrize("act", ["state", "remove", "settings"])
def test_desk_names_players_that_move_up(act: str) -> None:
    tournament = night(capacity=3)
    enter(tournament_id=tournament.pk, names=["Fay", "Gil"], now=NOW)
    client = Client()
    client.force_login(member(tournament.club, Role.DIRECTOR))
    if act == "state":
        page = reverse("tournaments:entry_act", args=[tournament.address, 1])
        answer = client.post(page, {"state": "no_show"}, follow=True)
    elif act == "remove":
        page = reverse("tournaments:entry_correct", args=[tournament.address, 1])
        answer = client.post(page, {"remove": "1", "sure": "1"}, follow=True)
    else:
        page = reverse("tournaments:settings", args=[tournament.address])
        data = {**SETTINGS, "capacity": "4"}
        answer = client.post(page, data, follow=True)
    said = [message.message for message in answer.context["messages"]]
    assert "Fay moves up from the waiting list." in said
    assert states(tournament)["Fay"] == "expected"
    assert states(tournament)["Gil"] == "waiting"
