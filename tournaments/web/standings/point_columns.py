"""The points of standings in columns, which add up to the total."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.rules.wording import MINUS
from tournaments.event.results import ScoredRound
from tournaments.exact import format_in_one_notation
from tournaments.models import StandingsRow
from tournaments.standings import ByeKind, PointPart, PointParts


class PointColumn(NamedTuple):
    head: str
    title: str
    """The head in full."""


class PointGrid(NamedTuple):
    columns: Sequence[PointColumn]
    cells: Sequence[Sequence[str]]
    """By row, a text for each column."""
    sums: Sequence[str]
    """By row, the same as one sum, as in `3 + (2) + bye 2½ − 1`."""
    notes: Sequence[str]
    """Sentences about brackets and byes in the cells."""


class _PartsColumn(NamedTuple):
    column: PointColumn
    by_row: Sequence[Sequence[PointPart]]
    """By row, the points to show; they count once in all columns."""


def point_grid(
    scored_rounds: Sequence[ScoredRound],
    rows: Sequence[StandingsRow],
    *,
    most_rounds: int | None = None,
) -> PointGrid:
    """Return the points of rounds, byes and penalties; no columns if they aren't known.

    Points in brackets don't count: those of earlier stages, or of tables that aren't among the
    best. Of more than `most_rounds` rounds, the first ones share a column.
    """
    all_parts = [row.point_parts for row in rows]
    all_rounds = [
        _PartsColumn(
            PointColumn(_short_heading(scored), scored.name),
            [scored.select_parts(parts) for parts in all_parts],
        )
        for scored in scored_rounds
    ]
    if not all_rounds:
        return PointGrid([], [()] * len(rows), [""] * len(rows), [])
    rounds = _join_first_columns(all_rounds, most_rounds or len(all_rounds))
    shown = [
        part
        for column in [*all_rounds, *rounds]
        for parts in column.by_row
        for part in parts
    ]
    numbers = [abs(part.points) for part in shown]
    numbers += [parts.penalty for parts in all_parts]
    # All in the same notation.
    texts = dict(zip(numbers, format_in_one_notation(numbers), strict=True))
    words: dict[ByeKind, str] = {
        "drawn": pgettext("in a table", "bye"),
        "requested": pgettext("in a table", "away"),
        "late": pgettext("in a table", "late"),
    }

    def format_part(part: PointPart) -> str:
        text = f"{MINUS if part.points < 0 else ''}{texts[abs(part.points)]}"
        return text if part.counts else f"({text})"

    def format_penalty(parts: PointParts) -> str:
        return f"{MINUS}{texts[parts.penalty]}" if parts.penalty else ""

    columns = [column for column, _by_row in rounds]
    cells_by_column = [
        [
            " ".join(
                words[part.bye] if part.bye else format_part(part) for part in parts
            )
            for parts in by_row
        ]
        for _column, by_row in rounds
    ]
    if any(part.bye and part.points for part in shown):
        head, title = pgettext("head of a column", "Bye"), _("Points for sitting out")
        columns.append(PointColumn(head, title))
        cells_by_column.append(
            [
                " + ".join(format_part(part) for part in parts.parts if part.bye)
                for parts in all_parts
            ]
        )
    if any(parts.penalty for parts in all_parts):
        head = pgettext("head of a column", "Penalty")
        columns.append(PointColumn(head, head))
        cells_by_column.append(list(map(format_penalty, all_parts)))
    sums = []
    for row, parts in enumerate(all_parts):
        summands = [
            f"{words[part.bye]} {format_part(part)}" if part.bye else format_part(part)
            for _column, by_row in all_rounds
            for part in by_row[row]
        ]
        shown_sum = " + ".join(filter(None, [*summands, format_penalty(parts)]))
        sums.append(shown_sum.replace(f"+ {MINUS}", f"{MINUS} "))
    explanations = {
        "requested": _("“%(word)s” means sitting out on request."),
        "late": _("“%(word)s” means not there yet."),
    }
    kinds = {part.bye for part in shown}
    notes = [
        text % {"word": words[kind]}
        for kind, text in explanations.items()
        if kind in kinds
    ]
    if any(not part.counts for part in shown):
        notes.append(_("Points in brackets don’t count."))
    return PointGrid(
        columns,
        list(map(list, zip(*cells_by_column, strict=True))) or [()] * len(rows),
        sums,
        notes,
    )


def _join_first_columns(
    columns: Sequence[_PartsColumn], most: int
) -> Sequence[_PartsColumn]:
    """Return at most so many columns, in which the first ones are summed without byes."""
    if len(columns) <= most:
        return columns
    last = columns[len(columns) - most + 1 :]
    first = columns[: len(columns) - len(last)]
    by_row = zip(*(column.by_row for column in first), strict=True)
    joined = _PartsColumn(
        PointColumn(pgettext("head of a column", "Earlier"), _("Earlier rounds")),
        [_sum_of_tables([part for parts in row for part in parts]) for row in by_row],
    )
    return [joined, *last]


def _sum_of_tables(parts: Sequence[PointPart]) -> list[PointPart]:
    """Return the sum of the tables that count, and that of the others, if there are any."""
    groups = {
        counts: [
            part.points for part in parts if part.counts is counts and not part.bye
        ]
        for counts in (True, False)
    }
    return [
        PointPart(0, sum(points, Fraction()), counts=counts)
        for counts, points in groups.items()
        if points
    ]


def _short_heading(scored: ScoredRound) -> str:
    """Return the number of a round or match as in `R2` or `M2`, or its name if that has no number."""
    values = {"number": scored.number}
    if scored.is_match:
        return _("M%(number)s") % values
    is_numbered = scored.name == _("Round %(number)s") % values
    return _("R%(number)s") % values if is_numbered else scored.name
