"""A director's own seating instead of a draw."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.factories.tournaments import signed_in, tournament_with
from tests.tournaments.web.pages import at
from tournaments.event import draw as drawing
from tournaments.event.draw import read_seating
from tournaments.event.entries import set_state
from tournaments.event.requested_byes import set_requested_byes
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hana", "Ida"]


@pytest.fixture
def night() -> Tournament:
    return tournament_with(NAMES, rounds_planned=3)


def send(client: Client, night: Tournament, text: str = "", **fields: Any) -> str:
    response = client.post(
        at("own_seating", night), {"seating": text, **fields}, follow=True
    )
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def names_by_table(night: Tournament, number: int) -> list[list[str]]:
    names = dict(night.entries.values_list("pk", "name"))
    seating = read_seating(night.rounds.get(number=number))
    return [[names[entry] for entry in table] for table in seating]


def test_own_seating_is_shown_before_it_replaces_the_drawn_rounds(
    night: Tournament,
) -> None:
    drawing.draw(tournament_id=night.pk)
    before = names_by_table(night, 1)
    client = signed_in(night.club)
    text = (
        "Table 1;ann;Bo;Cy;Di\n2. Ed, Flo, Gus, Hana\n\nAnn;Ed;Cy;Gus\nBo;Flo;Di;Hana"
    )
    text = text.replace(", ", ";")
    page = send(client, night, text)
    assert "Sitting out: Ida" in page
    assert "4 repeats" in page
    assert names_by_table(night, 1) == before
    assert "2 rounds seated." in send(client, night, text, confirm="1")
    assert names_by_table(night, 1) == [NAMES[:4], NAMES[4:8]]
    assert names_by_table(night, 2)[0] == ["Ann", "Ed", "Cy", "Gus"]
    assert night.rounds.get(number=1).byes.get().entry.name == "Ida"
    assert "Your own seating." in client.get(at("desk", night)).content.decode()


def test_every_wrong_line_is_named_and_nothing_is_stored(night: Tournament) -> None:
    client = signed_in(night.club)
    text = "Ann;Bo;Cy;Dora\nEd;Flo;Gus;Ann\nPlayer 10;Hana"
    page = send(client, night, text, confirm="1")
    assert "Line 1: no one called Dora is on the list." in page
    assert "Line 2: Ann already has a seat in this round." in page
    assert "Line 3: no one called Player 10 is on the list." in page
    assert "Ed;Flo;Gus;Ann" in page
    assert not night.rounds.exists()


def test_lines_with_people_who_sit_out_say_what_to_do(night: Tournament) -> None:
    for name, state in (("Bo", "dropped"), ("Cy", "expected"), ("Di", "no_show")):
        entry = night.entries.get(name=name)
        set_state(entry_id=entry.pk, state=Entry.State(state))
    set_requested_byes(entry_id=night.entries.get(name="Ed").pk, numbers=[2])
    table, other = "Ann;Ed;Flo;Gus", "Ann;Flo;Gus;Hana"
    client = signed_in(night.club)
    page = send(client, night, f"Bo;{table}\nCy;Di\n\n{table}", confirm="1")
    assert "Line 1: Bo has left. Check them in again under Players" in page
    assert "Line 2: Cy isn’t checked in. Check them in under Players" in page
    assert "Line 2: Di isn’t checked in." in page
    assert "Line 4: Ed asked to sit out round 2. Undo that under Players" in page
    assert not night.rounds.exists()
    assert "Sitting out: Ed" in send(client, night, f"{table}\n\n{other}")


def test_own_seating_names_teammates_at_one_table_before_it_is_taken() -> None:
    night = tournament_with(NAMES[:8], team_size=2)
    night.entries.filter(name__in=["Ann", "Bo"]).update(team="1")
    client = signed_in(night.club)
    page = send(client, night, "Ann;Bo;Cy;Di\nEd;Flo;Gus;Hana")
    assert "Kept apart, but at one table: Ann – Bo" in page
    assert "Kept apart" not in send(client, night, "Ann;Ed;Cy;Di\nBo;Flo;Gus;Hana")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("Ann;Bo", "table 1 has 2 players"),
        ("", "Enter at least one table."),
        ("\n\n".join(["Ann;Bo;Cy;Di"] * 4), "More rounds than planned (3)."),
    ],
)
def test_rejects_seating_that_the_tournament_does_not_allow(
    night: Tournament, text: str, refusal: str
) -> None:
    assert refusal in send(signed_in(night.club), night, text, confirm="1")
    assert not night.rounds.exists()


def test_results_decide_the_seating_of_a_knockout() -> None:
    knockout = tournament_with(NAMES[:8], format="knockout")
    page = send(signed_in(knockout.club), knockout, "Ann;Bo;Cy;Di", confirm="1")
    assert "the results decide who plays whom" in page


def test_seating_is_read_from_a_file(night: Tournament) -> None:
    file = SimpleUploadedFile("seats.csv", b"Ann;Bo;Cy;Di\nEd;Flo;Gus;Hana\n")
    assert "Sitting out: Ida" in send(signed_in(night.club), night, file=file)
