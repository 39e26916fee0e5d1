"""What fits on paper."""

import pytest
from django.test import Client

from tests.factories.tournaments import (
    director,
    enter_points,
    match_of,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.models import Table
from tournaments.web.display.printing import TableCard, wall_sheets
from tournaments.web.display.wall import PosterSeat

LONG = "Wolfgang Amadeus Maximilian Mommsenberg"


def seated(count: int, name: str = "Maximilian Vogel") -> list[PosterSeat]:
    return [PosterSeat(name, 1 + number // 4) for number in range(count)]


@pytest.mark.parametrize(
    ("people", "sheets"), [(0, []), (54, [54]), (55, [54, 1]), (120, [54, 54, 12])]
)
def test_a_sheet_for_the_wall_has_54_names(people: int, sheets: list[int]) -> None:
    made = wall_sheets(seated(people))
    assert [len(sheet.lines) for sheet in made] == sheets
    assert {sheet.columns for sheet in made} <= {3}


def test_a_long_name_is_set_smaller_and_the_others_are_not() -> None:
    (sheet,) = wall_sheets([*seated(30), PosterSeat("Katharina von Hohenstein", 2)])
    assert sheet.columns == 3
    assert [line.is_long for line in sheet.lines] == [False] * 30 + [True]


@pytest.mark.parametrize(
    ("people", "columns", "size"), [(8, 1, 2.0), (12, 2, 1.5), (19, 3, 1.0)]
)
def test_few_names_are_larger_on_the_wall(
    people: int, columns: int, size: float
) -> None:
    (sheet,) = wall_sheets(seated(people))
    assert (sheet.columns, sheet.size) == (columns, size)


@pytest.mark.parametrize(("name", "columns"), [(LONG, 2), ("W" * 40, 1)])
def test_wide_words_have_fewer_columns(name: str, columns: int) -> None:
    assert wall_sheets([PosterSeat(name, 1)] * 20)[0].columns == columns


@pytest.mark.parametrize(
    ("names", "is_full", "is_long"),
    [
        (["Ada", "Bo", "Cy", "Di"], False, False),
        (["Ada"] * 6, True, False),
        (["Ada", LONG], False, True),
    ],
)
def test_a_card_of_many_or_long_names_has_smaller_ones(
    names: list[str], *, is_full: bool, is_long: bool
) -> None:
    card = TableCard(table=Table(), names=names, code="")
    assert (card.is_full, card.is_long) == (is_full, is_long)


@pytest.mark.django_db
def test_what_is_printed_for_a_round_names_it_and_everybody_with_their_table() -> None:
    tournament = tournament_with(9, rounds_planned=3, most_size=4, game="tricky_dice")
    one = running_round(tournament)
    wall = text(Client(), at("wall", tournament, 1))
    assert "Round 1: find your table" in wall
    assert "9 players" in wall
    assert "sits out" in wall
    cards = text(Client(), at("cards", tournament, 1))
    assert "Round 1 of 3" in cards
    for place in one.places.select_related("entry"):
        assert place.entry.name in wall
        assert place.entry.name in cards


@pytest.mark.django_db
def test_a_round_that_is_not_published_is_not_printed() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    running_round(tournament)
    for name in ("wall", "cards"):
        assert Client().get(at(name, tournament, 2)).status_code == 404


@pytest.mark.django_db
def test_a_slip_has_marks_where_names_are_too_long_for_its_columns() -> None:
    tournament = tournament_with(["Ada", "Bo", "Cy", LONG])
    table = running_round(tournament).tables.get()
    page = text(director(tournament), at("slips", tournament, 1))
    assert 'class="mark seat-3"' in page
    assert "So far" not in page, "nothing was played"
    enter_points(match_of(table), [4, 3, 2, 1])
    assert "So far" in text(director(tournament), at("slips", tournament, 1))
