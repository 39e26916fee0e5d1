"""What fits on the wall of a room."""

import pytest

from tournaments.web.display.wall import (
    PosterLine,
    PosterSeat,
    announcement_rows,
    fits_on_line,
    line_pages,
    seat_pages,
)

LONG = "Wolfgang Amadeus Maximilian Mommsenberg"


def seated(count: int, name: str = "Ada Berg") -> list[PosterSeat]:
    return [PosterSeat(name, 1 + number // 4) for number in range(count)]


@pytest.mark.parametrize(
    ("people", "types", "rows"),
    [
        (0, [], []),
        (1, ["huge"], [[1]]),
        (8, ["huge"], [[4, 4]]),
        (12, ["large"], [[6, 6]]),
        (24, ["medium"], [[8, 8, 8]]),
        (36, ["small"], [[12, 12, 12]]),
        (37, ["small", "small"], [[7, 7, 5], [6, 6, 6]]),
    ],
)
def test_fewer_names_are_larger_and_pages_are_even(
    people: int, types: list[str], rows: list[list[int]]
) -> None:
    pages = seat_pages(seated(people))
    assert [page.type for page in pages] == types
    assert [[len(column) for column in page.columns] for page in pages] == rows


def test_long_names_have_fewer_columns_and_no_name_is_left_out() -> None:
    seats = seated(36, LONG)
    pages = seat_pages(seats)
    assert [len(page.columns) for page in pages] == [1, 1, 1]
    shown = [seat for page in pages for column in page.columns for seat in column]
    assert shown == seats


def test_no_page_has_more_than_twelve_rows_and_announcements_take_theirs() -> None:
    free = seat_pages(seated(36))
    fewer = seat_pages(seated(36), taken=announcement_rows(["Soup is served"]))
    assert len(free[0].columns[0]) == 12
    assert max(len(page.columns[0]) for page in fewer) <= 10


@pytest.mark.parametrize(
    ("lines", "pages"), [(5, [5]), (12, [12]), (13, [7, 6]), (64, [11] * 5 + [9])]
)
def test_standings_have_even_pages_of_twelve_at_most(
    lines: int, pages: list[int]
) -> None:
    made = line_pages(
        [PosterLine(f"Player {number}", rank=1) for number in range(lines)]
    )
    assert [len(page.lines) for page in made] == pages


def test_a_heading_never_stands_last_on_a_page() -> None:
    lines = [PosterLine(f"Player {number}", rank=1) for number in range(19)]
    lines[9:9] = [PosterLine("Out after the semi-final")]
    first, *_more = line_pages(lines)
    assert len(first.lines) == 9


def test_a_name_that_breaks_takes_two_rows() -> None:
    made = line_pages([PosterLine("W" * 40, rank=1)] * 8)
    assert [len(page.lines) for page in made] == [4, 4]


def test_what_does_not_fit_beside_a_name_is_left_to_the_phones() -> None:
    why = "equal with Bo on 4 points; margin 51¼ against 46¾"
    assert fits_on_line("Ada", why)
    assert not fits_on_line(LONG, why)
