"""Entering a list of names says what became of each of them."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.desk.test_settings import SETTINGS
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
    client = signed_in(tournament.club, Role.SCORER)
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
    client = signed_in(tournament.club, Role.DIRECTOR)
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


def pending() -> tuple[Tournament, Client]:
    """Return a tournament with two pending names, of which one is here, and its director."""
    tournament = tournament_with(["Émilie", "Katarina Weiss", "Bo"])
    client = signed_in(tournament.club, Role.DIRECTOR)
    page = reverse("tournaments:entries", args=[tournament.address])
    client.post(page, {"names": "Emilie\nGil", "here": "on"}, follow=True)
    client.post(page, {"names": "Katarina Weis"}, follow=True)
    return tournament, client


def answer(
    tournament: Tournament, client: Client, *answers: tuple[str, str]
) -> list[str]:
    """Return what the page says after answers to questions about names."""
    page = reverse("tournaments:entries", args=[tournament.address])
    data = {
        "asked": [name for name, _answer in answers],
        **{f"who-{n}": given for n, (_name, given) in enumerate(answers)},
    }
    shown = client.post(page, data, follow=True)
    return [message.message for message in shown.context["messages"]]


def waiting(tournament: Tournament) -> list[str]:
    tournament.refresh_from_db()
    return sorted(tournament.pending_names)


def test_pending_names_stay_and_the_desk_counts_them() -> None:
    tournament, client = pending()
    assert waiting(tournament) == ["Emilie", "Katarina Weis"]
    assert states(tournament)["Gil"] == "present"
    desk = reverse("tournaments:desk", args=[tournament.address])
    entries = reverse("tournaments:entries", args=[tournament.address])
    assert "2 names are not entered yet" in client.get(desk).content.decode()
    # Other pages, other people and other lists lose nothing.
    client.post(entries, {"names": "Hal"})
    other = signed_in(tournament.club, Role.SCORER)
    page = other.get(entries).content.decode()
    assert "“Emilie”: who is this?" in page
    assert "“Katarina Weis”: who is this?" in page
    # The same list again asks once.
    client.post(entries, {"names": "emilie\nKatarina Weis"})
    assert waiting(tournament) == ["Emilie", "Katarina Weis"]


def test_answers_may_come_one_by_one() -> None:
    tournament, client = pending()
    said = answer(tournament, client, ("Emilie", "new"), ("Katarina Weis", ""))
    assert said == ["1 player added and checked in."]
    assert waiting(tournament) == ["Katarina Weis"]
    said = answer(tournament, client, ("Katarina Weis", "is:Katarina Weiss"))
    assert said == ["Katarina Weiss was entered before, and is there once."]
    assert waiting(tournament) == []
    desk = reverse("tournaments:desk", args=[tournament.address])
    assert "not entered yet" not in client.get(desk).content.decode()


def test_pending_name_can_be_left_out() -> None:
    tournament, client = pending()
    assert answer(tournament, client, ("Emilie", "none")) == ["Left out: Emilie."]
    assert waiting(tournament) == ["Katarina Weis"]
    assert "Emilie" not in states(tournament)


def test_answer_to_an_answered_name_changes_nothing() -> None:
    tournament, client = pending()
    answer(tournament, client, ("Emilie", "none"))
    said = answer(tournament, client, ("Emilie", "new"))
    assert said == ["Nothing changed. Choose who is meant."]
    assert "Emilie" not in states(tournament)
    # No answer at all is told as well.
    assert answer(tournament, client, ("Katarina Weis", "")) == [
        "Nothing changed. Choose who is meant."
    ]


def test_pending_name_keeps_its_answer_form_after_a_wrong_answer() -> None:
    tournament, client = pending()
    page = reverse("tournaments:entries", args=[tournament.address])
    data = {"asked": ["Emilie"], "who-0": "is:Bo"}
    shown = client.post(page, data).content.decode()
    assert "“Emilie”: who is this?" in shown
    assert waiting(tournament) == ["Emilie", "Katarina Weis"]


def test_refused_list_leaves_no_pending_names() -> None:
    tournament = tournament_with(["Émilie"])
    client = signed_in(tournament.club, Role.DIRECTOR)
    page = reverse("tournaments:entries", args=[tournament.address])
    client.post(page, {"names": "Emilie\n" + "x" * 60})
    assert waiting(tournament) == []


def test_viewer_neither_sees_nor_answers_pending_names() -> None:
    tournament, _client = pending()
    viewer = signed_in(tournament.club, Role.VIEWER)
    page = reverse("tournaments:entries", args=[tournament.address])
    assert "who is this?" not in viewer.get(page).content.decode()
    viewer.post(page, {"asked": ["Emilie"], "who-0": "new"})
    assert waiting(tournament) == ["Emilie", "Katarina Weis"]


def test_finishing_names_pending_names() -> None:
    tournament, client = pending()
    finish = reverse("tournaments:finish", args=[tournament.address])
    assert "2 names are not entered yet" in client.post(finish).content.decode()
