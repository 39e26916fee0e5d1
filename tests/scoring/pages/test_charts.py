"""The totals over the hands as a picture: one line lit, a sentence, the same numbers as a table."""

from collections.abc import Sequence

import pytest

from scoring.pages.charts import COLOURS, SEATS, Chart, totals_chart
from scoring.pictures.colours import TOKEN, TOKENS, Oklch, format_hex
from scoring.rules.game import rank_values

NAMES = ("Ann", "Bo", "Cy", "Di")
ROWS = [[90, 60, 30, 0], [90, 160, 40, 0], [90, 12_345, 40, -20]]


def chart_of(
    rows: Sequence[Sequence[int]] = ROWS,
    leads: Sequence[int] = (1,),
    *,
    names: Sequence[str] = NAMES,
    is_over: bool = False,
) -> Chart:
    chart = totals_chart(
        names, rows, [rank_values(row) for row in rows], leads, is_over=is_over
    )
    assert chart is not None
    return chart


def test_before_two_hands_there_is_nothing_to_draw() -> None:
    assert totals_chart(NAMES, ROWS[:1], [(1, 2, 3, 4)], [0], is_over=False) is None


@pytest.mark.parametrize("leads", [(), (1,), (0, 2)])
def test_one_line_is_lit_and_the_others_are_quiet(leads: tuple[int, ...]) -> None:
    styles = [line.style for line in chart_of(leads=leads).plot.lines]
    assert styles == ["quiet", "quiet", "quiet", "lit"]


def test_each_line_has_the_shape_of_its_seat_on_it_and_before_its_name() -> None:
    rows = [[90, 60, 30, 0], [190, 160, 40, 0], [190, 345, 40, -20]]
    for line in chart_of(rows).plot.lines:
        assert line.label
        assert line.sign
        seat = NAMES.index(line.label.words)
        assert (line.shape, line.seat) == (seat, seat)
        assert line.stops
        assert line.sign[0] < line.label.x


def test_a_picture_to_keep_has_the_colours_of_the_page() -> None:
    tokens: dict[str, str] = {}
    for name, *numbers in TOKEN.findall(TOKENS.read_text()):
        colour = Oklch(*map(float, numbers)).rgb()
        tokens.setdefault(name, format_hex(colour))
    assert tuple(tokens[f"seat-{seat}"] for seat in range(8)) == SEATS
    names = {"paper": "sheet", "on_peg": "on-peg"}
    for name, said in COLOURS.items():
        # The quiet one is mixed of two.
        if name != "quiet":
            assert tokens[names.get(name, name)] == said


def test_who_leads_is_lit_and_ends_in_brass() -> None:
    *others, lit = chart_of().plot.lines
    assert lit.label
    assert lit.label.words == "Bo"
    assert lit.won
    assert not any(line.won for line in others)


def test_the_table_has_the_totals_of_each_hand() -> None:
    assert chart_of().rows == [
        ("0", [0, 0, 0, 0]),
        *((str(number), row) for number, row in enumerate(ROWS, start=1)),
    ]


@pytest.mark.parametrize(
    ("leads", "is_over", "said"),
    [
        ([1], False, "Bo has led since hand 2."),
        ([1], True, "Bo led from hand 2 to the end."),
        ([1, 2], False, "Bo and Cy share the lead."),
        ([1, 2], True, "Bo and Cy share the win."),
        ([], False, "Nobody is in front."),
        # A game may break ties by something else than points.
        ([0], False, "Ann is in front."),
    ],
)
def test_a_sentence_says_since_when_somebody_leads(
    leads: list[int],
    is_over: bool,  # noqa: FBT001
    said: str,
) -> None:
    assert chart_of(leads=leads, is_over=is_over).caption == said


def test_thousands_stand_apart_at_the_grid() -> None:
    assert [mark.words for mark in chart_of().plot.grid] == [
        "0",
        "5\u202f000",
        "10\u202f000",
    ]
