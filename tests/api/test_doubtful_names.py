"""Names that may mean a known player: the API asks, as pages do."""

from typing import Any, NamedTuple

import pytest

from tests.api.caller import Caller
from tests.factories.tournaments import ClubFactory, member, tournament_with
from tournaments.models import Role, Tournament

pytestmark = pytest.mark.django_db

KNOWN_NAME, SIMILAR_NAME = "Karl Strauß", "Karl Strauss"


class Night(NamedTuple):
    """A tournament of a club that knows Karl Strauß from another one."""

    tournament: Tournament
    director: Caller

    def request(self, method: str, path: str, body: Any) -> Any:
        """Return the response to a request for the tournament or its player."""
        entry = self.tournament.entries.get(number=1)
        addresses = {
            "at": f"/tournaments/{self.tournament.address}",
            "player": f"/clubs/{self.tournament.club.slug}/players/{entry.player_id}",
        }
        return self.director.request(method, path.format(**addresses), body)

    def questions(self, method: str, path: str, body: Any) -> list[Any]:
        response = self.request(method, path, body)
        assert response.status_code == 409, response.content
        assert response.json()["type"].endswith("doubtful")
        faults = response.json()["faults"]
        assert all(fault["message"] for fault in faults)
        return [(fault["field"], fault["choices"]) for fault in faults]

    @property
    def names(self) -> set[tuple[str, str]]:
        return set(self.tournament.entries.values_list("name", "player__name"))


@pytest.fixture
def night() -> Night:
    club = ClubFactory.create()
    tournament_with([KNOWN_NAME], club=club)
    tournament = tournament_with(["Bo", "Cy"], club=club)
    return Night(tournament, Caller(member(club, Role.DIRECTOR)))


ENTER = ("POST", "{at}/entries", {"names": ["Zed", SIMILAR_NAME]}, "names.1")
NAMING_OPERATIONS = {
    "entries": ENTER,
    "registration": ("POST", "{at}/registrations", {"name": SIMILAR_NAME}, "name"),
    "substitute": ("POST", "{at}/entries/1/substitute", {"name": SIMILAR_NAME}, "name"),
    "player": ("PATCH", "{player}", {"name": SIMILAR_NAME}, "name"),
    "entry": ("PATCH", "{at}/entries/1", {"name": SIMILAR_NAME}, "name"),
}
"""Operations that take names, with the field of the doubtful one."""


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    NAMING_OPERATIONS.values(),
    ids=NAMING_OPERATIONS,
)
@pytest.mark.parametrize("is_known", [True, False])
def test_asks_about_a_doubtful_name_before_anything_changes(
    night: Night, method: str, path: str, body: Any, field: str, *, is_known: bool
) -> None:
    names_before = night.names
    assert night.questions(method, path, body) == [(field, [KNOWN_NAME])]
    assert night.names == names_before
    if method == "POST":
        answer: Any = {
            "meant": {SIMILAR_NAME: KNOWN_NAME.lower() if is_known else None}
        }
    else:
        answer = {"name": KNOWN_NAME} if is_known else {"is_another": True}
    status = night.request(method, path, {**body, **answer}).status_code
    if method == "PATCH" and is_known:
        # Two names of one person are merged instead.
        assert (status, night.names) == (422, names_before)
    else:
        name = KNOWN_NAME if is_known else SIMILAR_NAME
        assert status in {200, 201}
        assert (name, name) in night.names


@pytest.mark.parametrize(
    ("body", "question"),
    [
        ({"names": ["Émilie", "Emilie"]}, ("names.1", ["Émilie"])),
        (
            {"names": [SIMILAR_NAME], "meant": {SIMILAR_NAME: "Bo"}},
            ("names.0", [KNOWN_NAME]),
        ),
    ],
    ids=["twins in one list", "answer names nobody"],
)
def test_asks_again_if_the_answer_is_impossible(
    night: Night, body: Any, question: Any
) -> None:
    method, path, *_rest = ENTER
    assert night.questions(method, path, body) == [question]


@pytest.mark.parametrize("meant", [{"Zed": "Ann"}, {"Bo": None}])
def test_refuses_answers_to_unasked_questions(
    night: Night, meant: dict[str, str | None]
) -> None:
    names_before = night.names
    response = night.request("POST", "{at}/entries", {"names": ["Zed"], "meant": meant})
    assert response.status_code == 422
    assert response.json()["faults"][0]["field"] == f"meant.{next(iter(meant))}"
    assert night.names == names_before
