"""Names that may mean somebody known: programs are asked as people on pages are."""

from typing import Any

import pytest

from tests.api.caller import Caller
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    tournament_with,
)
from tournaments.models import Club, Entry, Role, Tournament

pytestmark = pytest.mark.django_db

TWINS = [
    ("Karl Strauß", "Karl Strauss"),
    ("Pat O’Brien", "Pat OBrien"),
    ("Émilie", "Emilie"),
    ("Anna", "\u0410nna"),
]


@pytest.fixture
def club() -> Club:
    return ClubFactory.create()


@pytest.fixture
def director(club: Club) -> Caller:
    return Caller(member(club, Role.DIRECTOR))


def asked(caller: Caller, method: str, path: str, body: Any) -> list[Any]:
    """Return field and choices of each question that an operation asks."""
    answer: Any = caller.ask(method, path, body)
    assert answer.status_code == 409, answer.content
    assert answer.json()["type"].endswith("doubtful")
    faults = answer.json()["faults"]
    assert all(fault["message"] for fault in faults)
    return [(fault["field"], fault["choices"]) for fault in faults]


def entered(tournament: Tournament) -> list[tuple[str, str]]:
    entries = tournament.entries.order_by("number").select_related("player")
    return [(entry.name, entry.player.name) for entry in entries]


@pytest.mark.parametrize(("known", "twin"), TWINS)
def test_entering_asks_who_is_meant_before_anyone_is_entered(
    club: Club, director: Caller, known: str, twin: str
) -> None:
    tournament_with([known], club=club)
    tonight = tournament_with([], club=club)
    path, names = f"/tournaments/{tonight.address}/entries", ["Zed", twin]
    assert asked(director, "POST", path, {"names": names}) == [("names.1", [known])]
    assert entered(tonight) == []
    director.told("POST", path, {"names": names, "meant": {twin: known}})
    assert entered(tonight) == [("Zed", "Zed"), (known, known)]


@pytest.mark.parametrize(("known", "twin"), TWINS)
def test_entering_takes_a_name_that_is_said_to_be_another_persons(
    club: Club, director: Caller, known: str, twin: str
) -> None:
    tournament_with([known], club=club)
    tonight = tournament_with([], club=club)
    path = f"/tournaments/{tonight.address}/entries"
    director.told("POST", path, {"names": [twin], "meant": {twin: None}})
    assert entered(tonight) == [(twin, twin)]
    again = director.told("POST", path, {"names": [twin]})
    assert again["known"] == [twin]


def test_two_names_of_one_list_are_asked_about(club: Club, director: Caller) -> None:
    tonight = tournament_with([], club=club)
    path = f"/tournaments/{tonight.address}/entries"
    names = ["Karl Strauß", "Karl Strauss"]
    questions = asked(director, "POST", path, {"names": names})
    assert questions == [("names.1", ["Karl Strauß"])]


def test_an_answer_that_names_nobody_is_asked_again(
    club: Club, director: Caller
) -> None:
    tonight = tournament_with(["Émilie"], club=club)
    path = f"/tournaments/{tonight.address}/entries"
    given = {"names": ["Emilie"], "meant": {"Emilie": "Bo"}}
    assert asked(director, "POST", path, given) == [("names.0", ["Émilie"])]


@pytest.mark.parametrize("meant", [{"Zed": "Ann"}, {"Bo": None}])
def test_refuses_answers_that_nothing_asked_for(
    club: Club, director: Caller, meant: dict[str, str | None]
) -> None:
    tonight = tournament_with(["Ann"], club=club)
    given = {"names": ["Zed"], "meant": meant}
    answer: Any = director.ask("POST", f"/tournaments/{tonight.address}/entries", given)
    assert answer.status_code == 422
    assert answer.json()["faults"][0]["field"] == f"meant.{next(iter(meant))}"
    assert entered(tonight) == [("Ann", "Ann")]


def test_registering_asks_who_is_meant(club: Club) -> None:
    tournament_with(["Karl Strauß"], club=club)
    tonight = tournament_with([], club=club)
    caller = Caller(UserFactory.create())
    path, name = f"/tournaments/{tonight.address}/registrations", "Karl Strauss"
    assert asked(caller, "POST", path, {"name": name}) == [("name", ["Karl Strauß"])]
    told = caller.told("POST", path, {"name": name, "meant": {name: "karl strauß"}})
    assert told["name"] == "Karl Strauß"


def test_a_substitute_is_asked_about(club: Club, director: Caller) -> None:
    tournament_with(["Karl Strauß"], club=club)
    tonight = tournament_with(["Bo", "Cy"], club=club)
    path = f"/tournaments/{tonight.address}/entries/1/substitute"
    name = "Karl Strauss"
    assert asked(director, "POST", path, {"name": name}) == [("name", ["Karl Strauß"])]
    director.told("POST", path, {"name": name, "meant": {name: None}})
    assert entered(tonight)[0] == (name, name)


@pytest.mark.parametrize("renamed", ["player", "entry"])
def test_a_rename_asks_whether_it_is_another_person(
    club: Club, director: Caller, renamed: str
) -> None:
    tournament_with(["Karl Strauß"], club=club)
    tonight = tournament_with(["Charles"], club=club)
    player = tonight.entries.get().player_id
    path = (
        f"/clubs/{club.slug}/players/{player}"
        if renamed == "player"
        else f"/tournaments/{tonight.address}/entries/1"
    )
    name = "Karl Strauss"
    assert asked(director, "PATCH", path, {"name": name}) == [("name", ["Karl Strauß"])]
    assert entered(tonight) == [("Charles", "Charles")]
    director.told("PATCH", path, {"name": name, "is_another": True})
    assert Entry.objects.filter(name=name).count() == 1
    # A name that only changes its capitals was asked about before.
    director.told("PATCH", path, {"name": "Karl STRAUSS"})


def test_a_persons_own_name_is_corrected_without_a_question(
    club: Club, director: Caller
) -> None:
    tonight = tournament_with(["Katrina", "Bo"], club=club)
    path = f"/tournaments/{tonight.address}/entries/1"
    assert director.told("PATCH", path, {"name": "Katarina"})["name"] == "Katarina"
