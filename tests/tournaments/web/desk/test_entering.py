"""Adding a list of names reports the outcome for each of them."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.api.caller import Caller
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    closed_round,
    member,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.desk.test_settings import SETTINGS
from tests.tournaments.web.pages import at, messages, submit
from tournaments.event import autopilot
from tournaments.event.entries import add_entries, set_state
from tournaments.models import Entry, Role, Tournament

pytestmark = pytest.mark.django_db

State = Entry.State
NAMES = ["Ada", "Bea", "Cleo", "Dora", "Emil"]


def night(**settings: object) -> Tournament:
    """Return a tournament with an entry in each state."""
    tournament: Tournament = TournamentFactory.create(**settings)
    add_entries(tournament_id=tournament.pk, names=NAMES, now=NOW)
    for name, state in (
        ("Bea", State.DROPPED),
        ("Cleo", State.NO_SHOW),
        ("Dora", State.PRESENT),
    ):
        set_state(entry_id=tournament.entries.get(name=name).pk, state=state)
    return tournament


def paste(
    tournament: Tournament, *names: str, checked_in: bool = True
) -> dict[str, list[str]]:
    """Paste a list of names and return the messages by level."""
    client = signed_in(tournament.club, Role.SCORER)
    data = {"names": "\n".join(names), **({"here": "on"} if checked_in else {})}
    response = client.post(at("entries", tournament), data, follow=True)
    messages_by_level: dict[str, list[str]] = {}
    for message in response.context["messages"]:
        messages_by_level.setdefault(message.level_tag, []).append(message.message)
    return messages_by_level


def states(tournament: Tournament) -> dict[str, str]:
    return dict(tournament.entries.values_list("name", "state"))


def test_checks_in_everyone_on_the_list() -> None:
    tournament = night()
    messages_by_level = paste(tournament, "ada", "BEA", "Cleo", "Dora", "Gil", "gil")
    assert messages_by_level == {
        "success": [
            " ".join(
                [
                    "1 player added and checked in.",
                    "Ada is checked in.",
                    "Back again: Bea.",
                    "Checked in after being marked absent: Cleo.",
                ]
            )
        ],
        "info": ["Already checked in: Dora."],
    }
    assert set(states(tournament).values()) == {"present", "expected"}
    assert states(tournament)["Emil"] == "expected"
    expected = {"info": ["Emil was already on the list."]}
    assert paste(tournament, "Emil", checked_in=False) == expected
    assert sorted(states(tournament)) == sorted([*NAMES, "Gil"])
    assert states(tournament)["Emil"] == "expected"


def listed_names(page: str) -> list[str]:
    """Return the names in the list of players that are not hidden, in order."""
    rows = re.findall(r'<li id="player-\d+"(.*?)</li>', page, re.DOTALL)
    shown = [row for row in rows if "hidden" not in row.partition(">")[0].split()]
    return [re.findall(r"<b>(.*?)</b>", row)[0] for row in shown]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["Anna Berg", "Émilie", "Søren Ek", "Zoë O’Hara"]),
        ("emi", ["Émilie"]),
        ("OREN", ["Søren Ek"]),
        ("ohara zoe", ["Zoë O’Hara"]),
        ("e", ["Anna Berg", "Émilie", "Søren Ek", "Zoë O’Hara"]),
        ("4", ["Anna Berg"]),
        ("nobody", []),
    ],
)
def test_players_are_listed_by_name_and_found_by_any_part(
    query: str, found: list[str]
) -> None:
    tournament = tournament_with(["Zoë O’Hara", "Émilie", "Søren Ek", "Anna Berg"])
    client = signed_in(tournament.club, Role.VIEWER)
    response = client.get(at("entries", tournament), {"q": query})
    assert listed_names(response.content.decode()) == found


def test_tap_returns_only_the_changed_lines_and_the_counter() -> None:
    tournament = night(capacity=3)
    add_entries(tournament_id=tournament.pk, names=["Fay"], now=NOW)
    client = signed_in(tournament.club, Role.SCORER)
    script = {"HX-Request": "true"}
    url = at("entry_action", tournament, 1)
    page = client.post(url, {"state": "present"}, headers=script).content.decode()
    assert listed_names(page) == ["Ada"]
    assert "2 of 3 checked in" in page
    assert "Ada: here." in page
    page = client.post(url, {"state": "no_show"}, headers=script).content.decode()
    assert listed_names(page) == ["Ada", "Fay"]
    assert "Fay moves up from the waiting list." in page
    # A message is shown once.
    response = client.get(at("entries", tournament))
    assert list(response.context["messages"]) == []
    Tournament.objects.filter(pk=tournament.pk).update(phase="finished")
    response = client.post(url, {"state": "present"}, headers=script)
    assert response.headers["HX-Refresh"] == "true"


def test_tap_without_scripts_returns_to_the_line() -> None:
    tournament = night()
    client = signed_in(tournament.club, Role.SCORER)
    response = client.post(at("entry_action", tournament, 5), {"state": "present"})
    assert response.headers["Location"] == f"{at('entries', tournament)}#player-5"
    assert states(tournament)["Emil"] == "present"


def test_list_updates_only_after_a_change() -> None:
    tournament = night()
    client = signed_in(tournament.club, Role.VIEWER)
    page = client.get(at("entries", tournament)).content.decode()
    poll = re.findall(r'hx-get="([^"]+)"', page)[0]
    assert client.get(poll).status_code == 204
    set_state(entry_id=tournament.entries.get(name="Emil").pk, state=State.PRESENT)
    page = client.get(poll).content.decode()
    assert "2 of 3 checked in" in page
    assert listed_names(page) == sorted(NAMES)


def test_everyone_expected_is_checked_in_after_a_question_with_their_number() -> None:
    tournament = night()
    client = signed_in(tournament.club, Role.SCORER)
    url = at("check_in_expected", tournament)
    question = client.post(url).content.decode()
    assert "Check in 2 players?" in question
    assert "Ada and Emil" in question
    assert states(tournament)["Ada"] == "expected"
    assert messages(client, url, sure="1") == ["2 players checked in."]
    assert states(tournament) == {
        **dict.fromkeys(["Ada", "Dora", "Emil"], "present"),
        "Bea": "dropped",
        "Cleo": "no_show",
    }
    kept = "Everyone expected is here"
    assert kept not in client.get(at("entries", tournament)).content.decode()
    assert "Nothing changed" in messages(client, url)[0]


def test_desk_names_registered_players_that_are_not_checked_in_until_seats_are_shown() -> (
    None
):
    tournament = tournament_with([])
    names = ["Zoe", *(f"Guest {number}" for number in range(1, 6))]
    add_entries(tournament_id=tournament.pk, names=names, now=NOW)
    client = signed_in(tournament.club, Role.DIRECTOR)
    desk = at("desk", tournament)
    # The forecast of tables says already that no one is checked in.
    assert "checked in:" not in client.get(desk).content.decode()
    paste(tournament, "Ann", "Bo", "Cy", "Di")
    sentence = (
        "6 registered players aren’t checked in: Guest 1, Guest 2, Guest 3, Guest 4 "
        "and 2 more."
    )
    assert sentence in client.get(desk).content.decode()
    client.post(at("draw", tournament))
    assert sentence in client.get(desk).content.decode()
    client.post(at("round_action", tournament, 1, "publish"))
    assert "checked in:" not in client.get(desk).content.decode()


@pytest.mark.parametrize(
    ("name", "parts", "data"),
    [
        ("entry_action", [1], {"state": "no_show"}),
        ("entry_edit", [1], {"remove": "1", "sure": "1"}),
        ("settings", [], {**SETTINGS, "capacity": "4"}),
    ],
)
def test_desk_names_players_who_move_up(
    name: str, parts: list[int], data: dict[str, Any]
) -> None:
    tournament = night(capacity=3)
    add_entries(tournament_id=tournament.pk, names=["Fay", "Gil"], now=NOW)
    client = signed_in(tournament.club, Role.DIRECTOR)
    shown_messages = messages(client, at(name, tournament, *parts), **data)
    assert "Fay moves up from the waiting list." in shown_messages
    assert states(tournament)["Fay"] == "expected"
    assert states(tournament)["Gil"] == "waiting"


def tournament_with_pending_names() -> tuple[Tournament, Client]:
    """Return a tournament with two pending names, one of them checked in, and its director."""
    tournament = tournament_with(["Émilie", "Katarina Weiss", "Bo"])
    client = signed_in(tournament.club, Role.DIRECTOR)
    page = at("entries", tournament)
    submit(client, page, names="Emilie\nGil", here="on")
    submit(client, page, names="Katarina Weis")
    return tournament, client


def submit_answers(
    tournament: Tournament, client: Client, *answers: tuple[str, str]
) -> list[str]:
    """Answer the questions about names and return the messages."""
    fields = {f"who-{n}": given for n, (_name, given) in enumerate(answers)}
    names = [name for name, _answer in answers]
    return messages(client, at("entries", tournament), asked=names, **fields)


def pending_names(tournament: Tournament) -> list[str]:
    tournament.refresh_from_db()
    return sorted(tournament.pending_names)


def test_pending_names_remain_and_are_counted_at_the_desk() -> None:
    tournament, client = tournament_with_pending_names()
    assert pending_names(tournament) == ["Emilie", "Katarina Weis"]
    assert states(tournament)["Gil"] == "present"
    desk_url = at("desk", tournament)
    entries_url = at("entries", tournament)
    assert "2 names need your answer before" in client.get(desk_url).content.decode()
    finish_url = at("finish", tournament)
    assert "2 names need your answer before" in client.post(finish_url).content.decode()
    # Other pages, other people and other lists lose nothing.
    client.post(entries_url, {"names": "Hal"})
    other_scorer = signed_in(tournament.club, Role.SCORER)
    page = other_scorer.get(entries_url).content.decode()
    assert "Who is “Emilie”?" in page
    assert "Who is “Katarina Weis”?" in page
    # Names that are listed again are asked about once.
    client.post(entries_url, {"names": "emilie\nKatarina Weis"})
    assert pending_names(tournament) == ["Emilie", "Katarina Weis"]


def test_answers_can_be_given_one_by_one_and_count_once() -> None:
    tournament, client = tournament_with_pending_names()
    shown_messages = submit_answers(
        tournament, client, ("Emilie", "new"), ("Katarina Weis", "")
    )
    assert shown_messages == ["1 player added and checked in."]
    assert pending_names(tournament) == ["Katarina Weis"]
    for late_answer in (("Emilie", "none"), ("Katarina Weis", "")):
        shown_messages = submit_answers(tournament, client, late_answer)
        assert shown_messages == ["Nothing changed. Choose who you mean."]
    assert states(tournament)["Emilie"] == "present"
    shown_messages = submit_answers(
        tournament, client, ("Katarina Weis", "is:Katarina Weiss")
    )
    assert shown_messages == ["Katarina Weiss was already on the list."]
    assert pending_names(tournament) == []
    desk_url = at("desk", tournament)
    assert "answer before" not in client.get(desk_url).content.decode()


@pytest.mark.parametrize("channel", ["desk", "api", "autopilot"])
def test_pending_names_remain_after_the_finish_until_answered(channel: str) -> None:
    tournament, client = tournament_with_pending_names()
    if channel == "desk":
        client.post(at("finish", tournament), {"sure": "1"})
    elif channel == "api":
        director = Caller(member(tournament.club, Role.DIRECTOR))
        director.call("post", f"/tournaments/{tournament.address}/finish")
    else:
        settings = {"autopilot": "run", "rounds_planned": 1, "starts_at": NOW}
        Tournament.objects.update(**settings)
        tournament.refresh_from_db()
        closed_round(tournament)
        for minute in range(10):
            now = NOW + timedelta(minutes=minute)
            autopilot.run_autopilot(tournament_id=tournament.pk, now=now)
    tournament.refresh_from_db()
    assert tournament.phase == Tournament.Phase.FINISHED
    desk_url = at("desk", tournament)
    entries_url = at("entries", tournament)
    assert "2 names from a list weren’t added." in client.get(desk_url).content.decode()
    page = client.get(entries_url).content.decode()
    assert "“Emilie” wasn’t added." in page
    form = page.split("Names not added")[1].split("</form>")[0]
    assert re.findall(r'name="who-\d" value="(\w+)"', form) == ["none", "none"]
    assert "Save answers" not in page
    # A finished tournament accepts no players, but pending names can be left out.
    assert submit_answers(tournament, client, ("Emilie", "new")) == [
        "The tournament is finished. Reopen it at the desk first."
    ]
    assert pending_names(tournament) == ["Emilie", "Katarina Weis"]
    assert submit_answers(tournament, client, ("Emilie", "none")) == [
        "Left out: Emilie."
    ]
    assert pending_names(tournament) == ["Katarina Weis"]
    assert "1 name from a list wasn’t added." in client.get(desk_url).content.decode()
    assert submit_answers(tournament, client, ("Katarina Weis", "")) == [
        "Nothing changed. Choose the names to leave out."
    ]
    response = client.post(entries_url, {"asked": ["Katarina Weis"], "who-0": "new"})
    assert "already registered" not in response.content.decode()
