"""The points of standings in columns, which add up to the total."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.rules.wording import MINUS
from tournaments.event.results import names_of_scored_rounds
from tournaments.exact import format_column
from tournaments.models import StandingsRow, Tournament
from tournaments.standings import PointPart, PointParts

MOST_COLUMNS = 8
"""Most columns next to the names; more are only shown as a sum."""


class PointColumn(NamedTuple):
    head: str
    title: str
    """The head in full."""


class PointGrid(NamedTuple):
    columns: Sequence[PointColumn]
    """Empty if there are more than fit."""
    cells: Sequence[Sequence[str]]
    """By row, a text for each column."""
    sums: Sequence[str]
    """By row, the same as one sum, as in `3 + (2) + bye 2½ − 1`."""
    has_brackets: bool


def point_grid(tournament: Tournament, rows: Sequence[StandingsRow]) -> PointGrid:
    """Return the points of rounds, byes and penalties; no columns if they aren't known.

    Points in brackets don't count: those of earlier stages, or of tables that aren't among the best.
    """
    names = names_of_scored_rounds(tournament, rows)
    if not names:
        return PointGrid([], [()] * len(rows), [""] * len(rows), has_brackets=False)
    all_parts = [row.point_parts for row in rows]
    numbers = [
        abs(number)
        for parts in all_parts
        for number in (*(part.points for part in parts.parts), parts.penalty)
    ]
    # All in the same notation.
    texts = dict(zip(numbers, format_column(numbers), strict=True))
    bye = pgettext("in a table", "bye")

    def format_part(part: PointPart) -> str:
        text = f"{MINUS if part.points < 0 else ''}{texts[abs(part.points)]}"
        return text if part.counts else f"({text})"

    def format_round(number: int, parts: PointParts) -> str:
        own = parts.in_round(number)
        return " ".join(bye if part.is_bye else format_part(part) for part in own)

    def format_byes(parts: PointParts) -> str:
        return " + ".join(format_part(part) for part in parts.parts if part.is_bye)

    def format_penalty(parts: PointParts) -> str:
        return f"{MINUS}{texts[parts.penalty]}" if parts.penalty else ""

    columns: list[tuple[PointColumn, Callable[[PointParts], str]]] = [
        (
            PointColumn(_short_round_heading(name, number), name),
            partial(format_round, number),
        )
        for number, name in names.items()
    ]
    if any(part.is_bye and part.points for parts in all_parts for part in parts.parts):
        head = pgettext("head of a column", "Bye")
        title = _("Points for sitting out")
        columns.append((PointColumn(head, title), format_byes))
    if any(parts.penalty for parts in all_parts):
        head = pgettext("head of a column", "Penalty")
        columns.append((PointColumn(head, head), format_penalty))
    if len(columns) > MOST_COLUMNS:
        columns = []

    def sum_line(parts: PointParts) -> str:
        summands = [
            f"{bye} {format_part(part)}" if part.is_bye else format_part(part)
            for part in parts.parts
        ]
        shown = " + ".join(filter(None, [*summands, format_penalty(parts)]))
        return shown.replace(f"+ {MINUS}", f"{MINUS} ")

    return PointGrid(
        [column for column, _format_cell in columns],
        [
            [format_cell(parts) for _column, format_cell in columns]
            for parts in all_parts
        ],
        [sum_line(parts) for parts in all_parts],
        has_brackets=any(
            not part.counts for parts in all_parts for part in parts.parts
        ),
    )


def _short_round_heading(name: str, number: int) -> str:
    """Return the number of a round as in `R2`, or its name if that has no number."""
    is_numbered = name == _("Round %(number)s") % {"number": number}
    return _("R%(number)s") % {"number": number} if is_numbered else name
