"""Readings of a list: how days and points were understood, and questions about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from tournaments.history.imports.columns import day_in, number_in, written_number
from tournaments.history.imports.past_results import Past

MOST_SHOWN = 4
"""Names of each reading of a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What somebody has to choose before a list is read."""

    field: str
    """The name of the field that takes the answer."""
    text: str
    proposed: str = ""
    """The answer that is chosen until another one is."""
    choices: Sequence[tuple[str, str]]
    """The value of each answer, and what the list says with it."""


def encoding_question(content: bytes, encodings: Sequence[str]) -> Question:
    """Return the question in which of these encodings a text is written.

    Each answer shows the first lines that it reads in its own way.
    """
    read = {encoding: content.decode(encoding).splitlines() for encoding in encodings}
    differing = [
        at
        for at, lines in enumerate(zip(*read.values(), strict=False))
        if len({*lines}) > 1
    ][:3]
    return Question(
        field="encoding",
        text=_("Which of these looks right?"),
        choices=[
            (encoding, " · ".join(lines[at] for at in differing))
            for encoding, lines in read.items()
        ],
    )


def names_question(readings: Mapping[str, Sequence[str]], *, field: str) -> Question:
    """Return the question which of these readings of a list are the names.

    Each answer shows the first names that it reads; equal readings are one answer.
    """
    distinct: dict[tuple[str, ...], str] = {}
    for key, names in readings.items():
        distinct.setdefault(tuple(names), key)
    return Question(
        field=field,
        text=_("Which of these are the names?"),
        choices=[
            (key, " · ".join(names[:MOST_SHOWN]) + " …" * (len(names) > MOST_SHOWN))
            for names, key in distinct.items()
        ],
    )


MOST_VALUES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadValue:
    """A text of a column, and what it means."""

    text: str
    value: str
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReadings:
    """What a preview shows of the columns of days and points."""

    questions: Sequence[Question]
    columns: Sequence[tuple[str, Sequence[ReadValue], int]]
    """By column its title, its first values, and how many further ones there are."""


def column_readings(
    past: Past, *, today: date, encodings: Sequence[str] = (), text: str = ""
) -> ColumnReadings:
    """Return how the days and points of a list are read, and what has to be asked.

    `encodings` are those in which `text` can be read; it is read in the first of them.
    """
    assert past.days is not None
    assert past.points is not None
    questions = []
    if len(encodings) > 1:
        questions.append(encoding_question(text.encode(encodings[0]), encodings))
    if not past.days.is_settled:
        questions.append(
            Question(
                field="day_order",
                proposed=past.days.way or "",
                text=_("Which day is “%(text)s”?") % {"text": past.days.example},
                choices=[
                    (order, _written_day(day_in(past.days.example, order, today=today)))
                    for order in ("dmy", "mdy")
                ],
            )
        )
    if not past.points.is_settled:
        questions.append(
            Question(
                field="decimal",
                proposed=past.points.way or "",
                text=_("How many points is “%(text)s”?")
                % {"text": past.points.example},
                choices=[
                    (sign, _written_points(number_in(past.points.example, sign)))
                    for sign in (".", ",")
                ],
            )
        )
    days = past.days.count_values(texts.get("date", "") for texts in past.texts)
    scores = past.points.count_values(texts.get("score", "") for texts in past.texts)
    listed = [
        (
            _("Days, as Tricky reads them"),
            [
                ReadValue(text=text, value=_written_day(value), lines=lines)
                for text, value, lines in days
            ],
        ),
        (
            _("Points, as Tricky reads them"),
            [
                ReadValue(text=text, value=_written_points(value), lines=lines)
                for text, value, lines in scores
            ],
        ),
    ]
    return ColumnReadings(
        questions=questions,
        columns=[
            (title, values[:MOST_VALUES], max(0, len(values) - MOST_VALUES))
            for title, values in listed
            if values
        ],
    )


def _written_day(day: date | None) -> str:
    return date_format(day, "DATE_FORMAT") if day else ""


def _written_points(number: Fraction | None) -> str:
    """Return a number with the decimal sign of the language and nothing between thousands."""
    if number is None:
        return ""
    text = written_number(number)
    if "/" in text:
        return text
    return str(number_format(Decimal(text).normalize(), use_l10n=True))
