"""Questions about a list of past results, and corrections of its lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from tournaments.event.setup.headings import is_totals_heading
from tournaments.event.setup.spreadsheets import find_formula_fault
from tournaments.history.imports.columns import (
    format_unambiguous_number,
    parse_day,
    parse_number,
)
from tournaments.history.imports.past_results import (
    LABELS,
    MOST_FAULTS,
    CellFault,
    PastResultsReading,
)

SHOWN_LINES = 8
"""Lines shown while the columns are being named."""
Cells = Sequence[Sequence[str]]


class CorrectableCell(NamedTuple):
    """A cell of a line, and the name of the field that corrects it."""

    name: str
    label: str
    value: str
    is_wrong: bool


class FaultyLine(NamedTuple):
    """A line with faults."""

    number: int
    number_in_file: str
    cells: Sequence[CorrectableCell]
    faults: Sequence[CellFault]
    sum_field: str
    """Name of the field that keeps a line that looks like a sum as a player; else empty."""


class ColumnToName(NamedTuple):
    """A column whose meaning the director chooses."""

    place: int
    head: str
    example: str
    meaning: str
    """The meaning that was recognised; empty if none was."""


class ListToCorrect(NamedTuple):
    """A list that cannot be imported as it is."""

    faults: Sequence[CellFault]
    """Faults of the whole list."""
    lines: Sequence[FaultyLine]
    columns: Sequence[ColumnToName]
    """The columns to name; empty if there are lines to correct."""
    line_count: int
    """Number of lines that are not blank, without the headings."""

    @property
    def has_headings(self) -> bool:
        return any(column.meaning for column in self.columns)

    @property
    def known_faultless_line_count(self) -> int | None:
        """Number of lines without faults; None if not all were checked."""
        if len(self.lines) > MOST_FAULTS:
            return None
        return self.line_count - len(self.lines)


def build_list_to_correct(cells: Cells, past: PastResultsReading) -> ListToCorrect:
    """Return the faults of a list by line, and its columns if they are to be named.

    `cells` are the cells that `past` was read from.
    """
    by_line: dict[int, list[CellFault]] = {}
    for fault in past.faults:
        by_line.setdefault(fault.line or 0, []).append(fault)
    faults_of_list = by_line.pop(0, [])
    lines = []
    places = sorted(past.columns.items(), key=itemgetter(1))
    for number, faults in sorted(by_line.items()):
        row = cells[number - 1]
        wrong = {fault.column for fault in faults}
        player_at = past.columns.get("player", len(row))
        number_in_file = _cell_text_or_empty(row, past.columns.get("line", len(row)))
        line = FaultyLine(
            number=number,
            number_in_file=number_in_file or str(number),
            faults=faults,
            sum_field=f"player-{number}-{player_at}"
            if is_totals_heading(_cell_text_or_empty(row, player_at))
            else "",
            cells=[
                CorrectableCell(
                    name=f"cell-{number}-{place}",
                    label=str(LABELS[name]),
                    value=_cell_text_or_empty(row, place),
                    is_wrong=name in wrong,
                )
                for name, place in places
                if name in LABELS
            ],
        )
        lines.append(line)
    columns = []
    if not lines:
        first_lines = cells[past.heads :][:SHOWN_LINES]
        names = {place: name for name, place in past.columns.items()}
        columns = [
            ColumnToName(
                place=place,
                head=_cell_text_or_empty(first_lines[0], place),
                example=_cell_text_or_empty(first_lines[1], place)
                if len(first_lines) > 1
                else "",
                meaning=names.get(place, ""),
            )
            for place in range(max(map(len, first_lines), default=0))
        ]
    return ListToCorrect(
        faults=faults_of_list,
        lines=lines,
        columns=columns,
        line_count=sum(any(texts.values()) for texts in past.texts),
    )


def _cell_text_or_empty(row: Sequence[str], place: int) -> str:
    text = row[place] if place < len(row) else ""
    return "" if find_formula_fault(text) else text


MOST_NAMES = 4
"""Names shown of each reading of a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListReadingQuestion:
    """A choice that has to be made before a list can be read."""

    field: str
    """The name of the field that takes the answer."""
    text: str
    proposed: str = ""
    """The answer that is selected at first."""
    choices: Sequence[tuple[str, str]]
    """The value of each answer, and how the list reads with it."""


def encoding_question(content: bytes, encodings: Sequence[str]) -> ListReadingQuestion:
    """Return the question about the encoding of a text.

    Each answer shows the first lines in which the encodings differ.
    """
    lines_by_encoding = {
        encoding: content.decode(encoding).splitlines() for encoding in encodings
    }
    differing_lines = [
        at
        for at, lines in enumerate(zip(*lines_by_encoding.values(), strict=False))
        if len({*lines}) > 1
    ][:3]
    return ListReadingQuestion(
        field="encoding",
        text=_("Which of these looks right?"),
        choices=[
            (encoding, " · ".join(lines[at] for at in differing_lines))
            for encoding, lines in lines_by_encoding.items()
        ],
    )


def reading_choice_question(
    names_by_reading: Mapping[str, Sequence[str]], *, field: str
) -> ListReadingQuestion:
    """Return the question about which reading of a list has the names.

    Each answer shows its first names; equal readings are one answer.
    """
    distinct: dict[tuple[str, ...], str] = {}
    for key, names in names_by_reading.items():
        distinct.setdefault(tuple(names), key)
    return ListReadingQuestion(
        field=field,
        text=_("Which of these are the names?"),
        choices=[(key, _join_leading_texts(names)) for names, key in distinct.items()],
    )


def _join_leading_texts(names: Sequence[str]) -> str:
    return " · ".join(names[:MOST_NAMES]) + " …" * (len(names) > MOST_NAMES)


def sheet_question(
    sheets: Mapping[int, Sequence[str]], fitting: int
) -> ListReadingQuestion:
    """Return the question about which sheet has the names; each answer shows its beginning."""
    return ListReadingQuestion(
        field="sheet",
        text=_("Which sheet has the names?"),
        proposed=str(fitting),
        choices=[
            (str(at), f"{title}: {_join_leading_texts(cells)}")
            for at, (title, *cells) in sheets.items()
        ],
    )


def ambiguity_questions(
    past: PastResultsReading, *, today: date
) -> list[ListReadingQuestion]:
    """Return the questions about ambiguous days and points of a list."""
    assert past.days is not None
    assert past.points is not None
    questions = []
    if not past.days.is_settled:
        example = past.days.example
        question = ListReadingQuestion(
            field="day_order",
            proposed=past.days.notation or "",
            text=_("Which date is “%(text)s”?") % {"text": example},
            choices=[
                (order, _format_day(parse_day(example, order, today=today)))
                for order in ("dmy", "mdy")
            ],
        )
        questions.append(question)
    if not past.points.is_settled:
        example = past.points.example
        # No proposal: the readings differ by a factor of 1000, and the language proves nothing.
        question = ListReadingQuestion(
            field="decimal",
            text=_("How many points does “%(text)s” mean?") % {"text": example},
            choices=[
                (".", _format_points(parse_number(example, "."))),
                (",", _format_points(parse_number(example, ","))),
            ],
        )
        questions.append(question)
    return questions


MOST_VALUES = 500


class ValueReading(NamedTuple):
    written: str
    read: str
    line_count: int


class ColumnReading(NamedTuple):
    title: str
    values: Sequence[ValueReading]
    further_count: int
    """Number of values that are not shown."""


def describe_date_and_points_readings(past: PastResultsReading) -> list[ColumnReading]:
    """Return how the columns of days and points are read, with their first values."""
    assert past.days is not None
    assert past.points is not None
    days = past.days.count_values(texts.get("date", "") for texts in past.texts)
    scores = past.points.count_values(texts.get("score", "") for texts in past.texts)
    listed = [
        (
            _("How Tricky reads the dates"),
            [ValueReading(text, _format_day(day), lines) for text, day, lines in days],
        ),
        (
            _("How Tricky reads the points"),
            [
                ValueReading(text, _format_points(points), lines)
                for text, points, lines in scores
            ],
        ),
    ]
    return [
        ColumnReading(title, values[:MOST_VALUES], max(0, len(values) - MOST_VALUES))
        for title, values in listed
        if values
    ]


def _format_day(day: date | None) -> str:
    return date_format(day, "DATE_FORMAT") if day else ""


def _format_points(number: Fraction | None) -> str:
    """Return a number with the decimal sign of the language and no thousands separator."""
    if number is None:
        return ""
    text = format_unambiguous_number(number)
    if "/" in text:
        return text
    return str(number_format(Decimal(text).normalize(), use_l10n=True))
