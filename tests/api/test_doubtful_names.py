"""Names that may mean somebody known: programs are asked as people on pages are."""

from typing import Any, NamedTuple

import pytest

from tests.api.caller import Caller
from tests.factories.tournaments import ClubFactory, member, tournament_with
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db

KNOWN, TWIN = "Karl Strauß", "Karl Strauss"


class Night(NamedTuple):
    """A tournament of a club that knows Karl Strauß from another one."""

    tournament: Tournament
    director: Caller

    def request(self, method: str, path: str, body: Any) -> Any:
        """Return the answer below the address of the tournament or of the club."""
        entry = self.tournament.entries.get(number=1)
        addresses = {
            "at": f"/tournaments/{self.tournament.address}",
            "player": f"/clubs/{self.tournament.club.slug}/players/{entry.player_id}",
        }
        return self.director.request(method, path.format(**addresses), body)

    def questions(self, method: str, path: str, body: Any) -> list[Any]:
        answer = self.request(method, path, body)
        assert answer.status_code == 409, answer.content
        assert answer.json()["type"].endswith("doubtful")
        faults = answer.json()["faults"]
        assert all(fault["message"] for fault in faults)
        return [(fault["field"], fault["choices"]) for fault in faults]

    @property
    def names(self) -> set[tuple[str, str]]:
        return set(self.tournament.entries.values_list("name", "player__name"))


@pytest.fixture
def night() -> Night:
    club = ClubFactory.create()
    tournament_with([KNOWN], club=club)
    tonight = tournament_with(["Bo", "Cy"], club=club)
    return Night(tonight, Caller(member(club, Role.DIRECTOR)))


ENTER = ("POST", "{at}/entries", {"names": ["Zed", TWIN]}, "names.1")
NAME_GIVERS = {
    "entries": ENTER,
    "registration": ("POST", "{at}/registrations", {"name": TWIN}, "name"),
    "substitute": ("POST", "{at}/entries/1/substitute", {"name": TWIN}, "name"),
    "player": ("PATCH", "{player}", {"name": TWIN}, "name"),
    "entry": ("PATCH", "{at}/entries/1", {"name": TWIN}, "name"),
}
"""Operations that take names, with the field of the one that is asked about."""


@pytest.mark.parametrize(
    ("method", "path", "body", "field"), NAME_GIVERS.values(), ids=NAME_GIVERS
)
@pytest.mark.parametrize("is_known", [True, False])
def test_asks_about_a_doubtful_name_before_anything_changes(
    night: Night, method: str, path: str, body: Any, field: str, *, is_known: bool
) -> None:
    before = night.names
    assert night.questions(method, path, body) == [(field, [KNOWN])]
    assert night.names == before
    if method == "POST":
        answer: Any = {"meant": {TWIN: KNOWN.lower() if is_known else None}}
    else:
        answer = {"name": KNOWN} if is_known else {"is_another": True}
    status = night.request(method, path, {**body, **answer}).status_code
    if method == "PATCH" and is_known:
        # Two names of one person are merged instead.
        assert (status, night.names) == (422, before)
    else:
        name = KNOWN if is_known else TWIN
        assert status in {200, 201}
        assert (name, name) in night.names


@pytest.mark.parametrize(
    ("body", "question"),
    [
        ({"names": ["Émilie", "Emilie"]}, ("names.1", ["Émilie"])),
        ({"names": [TWIN], "meant": {TWIN: "Bo"}}, ("names.0", [KNOWN])),
    ],
    ids=["twins in one list", "answer names nobody"],
)
def test_asks_again_without_a_possible_answer(
    night: Night, body: Any, question: Any
) -> None:
    method, path, *_rest = ENTER
    assert night.questions(method, path, body) == [question]


@pytest.mark.parametrize("meant", [{"Zed": "Ann"}, {"Bo": None}])
def test_refuses_answers_that_nothing_asked_for(
    night: Night, meant: dict[str, str | None]
) -> None:
    before = night.names
    answer = night.request("POST", "{at}/entries", {"names": ["Zed"], "meant": meant})
    assert answer.status_code == 422
    assert answer.json()["faults"][0]["field"] == f"meant.{next(iter(meant))}"
    assert night.names == before
