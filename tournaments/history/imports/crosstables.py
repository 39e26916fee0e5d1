"""Crosstables of past results: players down and nights across, or the other way round."""

import re
from collections.abc import Callable, Sequence
from datetime import date

from tournaments.event.setup.headings import (
    TITLE_LINES,
    find_name_columns,
    has_names,
)
from tournaments.history.imports.columns import day_in

LINE_HEAD = "line in the file"
"""Above the numbers of lines, for a list whose lines the file numbers otherwise."""
HEADS = ["date", "player", "score", LINE_HEAD]
ABSENT = {"", "-", "–", "—", "x", "/", "n/a"}
"""What stands in the cell of a player who was not there."""
SUMS = {
    "total",
    "totals",
    "sum",
    "summe",
    "gesamt",
    "somme",
    "suma",
    "average",
    "schnitt",
}
"""Heads of lines and columns that are nobody's."""
DAY_WITHIN = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}-\d{1,2}-\d{1,2}")
"""The day in a head that numbers its night as well: “3rd night 14.3.25”."""
MOST_DAYS = 0.6
"""The part of the heads that are days, at least: others are sums, ranks and notes."""


def unpivot(
    cells: Sequence[Sequence[str]],
    *,
    is_list: Callable[[Sequence[str]], bool],
    today: date,
) -> list[list[str]]:
    """Return a crosstable as a list with a line for each result; anything else as it is.

    `is_list` says of a line whether it names the columns of a list.
    """
    rows = [list(row) for row in cells]
    # Days as heads are in no list, whatever else its line names.
    if listed := _players_down(rows, today):
        return listed
    if any(is_list(row) for row in rows[:TITLE_LINES]):
        return rows
    return _nights_down(rows, today) or rows


def _day_text(head: str, today: date) -> str:
    """Return the part of a head that is a day; empty for none."""
    found = DAY_WITHIN.search(head)
    texts = [head, found[0] if found else ""]
    # A mere number is more likely points than the number of a day in a spreadsheet.
    return next(
        (text for text in texts if not text.isdigit() and _is_day(text, today)), ""
    )


def _names(row: Sequence[str], columns: Sequence[int]) -> str:
    """Return the name in a line; empty for a line of sums."""
    name = " ".join(row[at].strip() for at in columns if at < len(row)).strip()
    return "" if name.strip(":").casefold() in SUMS else name


def _name_columns(
    heads: Sequence[str], below: Sequence[Sequence[str]], before: int
) -> list[int]:
    """Return the columns of the names: two if first and family names stand apart.

    Ranks and numbers may stand before them.
    """
    named = find_name_columns(heads[:before], below)
    lettered = (at for at in range(before) if has_names(below, at))
    return list(named) or [next(lettered, 0)]


def _is_day(text: str, today: date) -> bool:
    return any(day_in(text, order, today=today) for order in ("dmy", "mdy"))


def _players_down(rows: Sequence[Sequence[str]], today: date) -> list[list[str]]:
    """Return the results of a table whose heads are days; nothing if they are not."""
    for line, heads in enumerate(rows[:TITLE_LINES]):
        days = {
            at: day
            for at, head in enumerate(heads)
            if at and (day := _day_text(head, today))
        }
        written = sum(
            bool(_names([head], [0])) for head in heads[min(days, default=0) :]
        )
        if len(days) < 2 or len(days) < MOST_DAYS * written:
            continue
        below = {n: row for n, row in enumerate(rows[line + 1 :], line + 2) if any(row)}
        columns = _name_columns(heads, [*below.values()], min(days))
        return [
            HEADS,
            *(
                [day, name, row[at], f"{number} ({day})"]
                for at, day in days.items()
                for number, row in below.items()
                if (name := _names(row, columns))
                and at < len(row)
                and row[at].strip() not in ABSENT
            ),
        ]
    return []


def _nights_down(rows: Sequence[Sequence[str]], today: date) -> list[list[str]]:
    """Return the results of a table whose lines begin with days; nothing if they do not."""
    for line, heads in enumerate(rows[:TITLE_LINES]):
        players = {
            at: name
            for at, head in enumerate(heads)
            if at and (name := _names([head], [0]))
        }
        below = {
            number: row
            for number, row in enumerate(rows[line + 1 :], line + 2)
            if row and row[0].strip()
        }
        nights = {n: row for n, row in below.items() if _is_day(row[0], today)}
        # A day at the front is of a list without headings.
        is_named = not any(
            _is_day(name, today) for name in [*heads[:1], *players.values()]
        )
        if (
            len(players) < 2
            or not is_named
            or len(nights) < max(2, MOST_DAYS * len(below))
        ):
            continue
        if any(name[0].isdigit() for name in players.values()):
            continue
        return [
            HEADS,
            *(
                [row[0], name, row[at], f"{number} ({name})"]
                for number, row in nights.items()
                for at, name in players.items()
                if at < len(row) and row[at].strip() not in ABSENT
            ),
        ]
    return []
