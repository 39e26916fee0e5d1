"""Convert crosstables of past results to lists; players may be in rows or in columns."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import date
from fractions import Fraction
from itertools import product

from tournaments.event.setup.headings import (
    DATES,
    FAMILY_NAMES,
    FIRST_NAMES,
    OTHERS,
    SUMS_AND_NAMES,
    TITLE_LINES,
    find_name_columns,
    has_mostly_names,
    heading_key,
    is_name_heading,
    is_totals_heading,
)
from tournaments.history.imports.columns import (
    DECIMAL_SIGNS,
    parse_day,
    parse_number,
    parse_serial_day,
    read_days,
)

LINE_HEAD = "line in the file"
"""The heading of the file's own line numbers, if they differ from those of the list."""
HEADS = ["date", "player", "score", LINE_HEAD]
ABSENT = {"", "-", "–", "—", "x", "/", "n/a"}
"""Cells of players who were absent."""
PLAYER_CELL = "\u2060"
"""An invisible mark before a name like “Total”, once the user confirms that it is a player."""
LARGE = re.compile(r"^\W*\d{5}")
"""A number that may be a spreadsheet's serial day, of any year."""
DAY_WITHIN = re.compile(r"\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}-\d{1,2}-\d{1,2}")
"""The day in a heading with more text, as in “3rd night 14.3.25”."""
MOST_DAYS = 0.6
"""The least share of headings that are days; the others are sums, ranks and notes."""


def unpivot(
    cells: Sequence[Sequence[str]],
    *,
    has_list_headings: Callable[[Sequence[str]], bool],
    today: date,
) -> list[list[str]]:
    """Return a crosstable as a list with a line for each result; other tables unchanged.

    `has_list_headings` returns whether a line has the headings of a list.
    """
    rows = [list(row) for row in cells]
    # A list never has days as headings, so check this first.
    results = _unpivot_player_rows(rows, has_list_headings, today)
    if results is None and not any(
        has_list_headings(row) for row in rows[:TITLE_LINES]
    ):
        results = _unpivot_day_rows(rows, today)
    return rows if results is None else [HEADS, *_remove_sum_rows(results)]


def _find_day_part(head: str, today: date) -> str:
    """Return the part of a heading that is a day, or an empty text."""
    match = DAY_WITHIN.search(head)
    texts = [head, match[0] if match else ""]
    # A plain number is more likely points than a serial day.
    return next(
        (text for text in texts if not text.isdigit() and _is_day(text, today)), ""
    )


def _serial_days_by_column(heads: Sequence[str]) -> dict[int, str]:
    """Return the serial days among the headings by column, as ISO dates.

    Empty unless there is a heading of names and all large numbers are days.
    """
    keys = map(heading_key, heads)
    if not any(
        key in FIRST_NAMES or key in FAMILY_NAMES or is_name_heading(key)
        for key in keys
    ):
        return {}
    numbers = {at: head.strip() for at, head in enumerate(heads) if LARGE.search(head)}
    days = {at: parse_serial_day(number) for at, number in numbers.items()}
    return {
        at: day.isoformat() for at, day in days.items() if day and all(days.values())
    }


def _name_unless_sum(row: Sequence[str], columns: Sequence[int]) -> str:
    """Return the name in a line; empty for a line of sums, unless people have that name."""
    name = " ".join(row[at].strip() for at in columns if at < len(row)).strip()
    return (
        ""
        if is_totals_heading(name) and name.casefold() not in SUMS_AND_NAMES
        else name
    )


def _remove_sum_rows(results: list[list[str]]) -> list[list[str]]:
    """Return the results without lines of sums.

    Only names that sums have are checked. If the numbers do not add up, the name may be a
    player's.
    """
    players = {name for _day, name, *_ in results}
    sum_names = {name for name in players if is_totals_heading(name)}
    # Of only two players, one may have the same points as the other.
    sums = {
        name
        for name in sum_names
        if len(players) > 2 and _is_mostly_sum_of_others(results, name, sum_names)
    }
    return [result for result in results if result[1] not in sums]


def _is_mostly_sum_of_others(
    results: Sequence[Sequence[str]], name: str, sum_names: Collection[str]
) -> bool:
    """Return whether on most days the points of a name are the sum of the others.

    The sum is tried both with and without the other names in `sum_names`.
    """
    for sign, excluded_names in product(DECIMAL_SIGNS, ({name}, sum_names)):
        totals, sums = dict[str, Fraction](), defaultdict[str, Fraction](Fraction)
        for day, player, text, _line in results:
            number = parse_number(text, sign) or Fraction(0)
            if player == name:
                totals[day] = number
            elif player not in excluded_names:
                sums[day] += number
        if 2 * sum(total == sums[day] for day, total in totals.items()) > len(totals):
            return True
    return False


def _is_day(text: str, today: date) -> bool:
    return any(parse_day(text, order, today=today) for order in ("dmy", "mdy"))


def _unpivot_player_rows(
    rows: Sequence[Sequence[str]],
    has_list_headings: Callable[[Sequence[str]], bool],
    today: date,
) -> list[list[str]] | None:
    """Return the results of a table with days as headings; None if they are not days.

    A single day counts only if there is a heading of names and no line has headings of a list.
    """
    has_list = any(has_list_headings(row) for row in rows[:TITLE_LINES])
    for line, heads in enumerate(rows[:TITLE_LINES]):
        # Numbers below the headings of a list are not days.
        serials = (
            {}
            if any(map(has_list_headings, rows[:line]))
            else _serial_days_by_column(heads)
        )
        days = {
            column: day
            for column, head in enumerate(heads)
            if column
            and (day := _find_day_part(head, today) or serials.get(column, ""))
        }
        heading_count = sum(
            head.strip() != ""
            and not is_totals_heading(head)
            and heading_key(head) not in OTHERS
            for head in heads[min(days, default=0) :]
        )
        if len(days) < max(1, MOST_DAYS * heading_count):
            continue
        below = {n: row for n, row in enumerate(rows[line + 1 :], line + 2) if any(row)}
        name_columns = find_name_columns(heads[: min(days)], [*below.values()])
        if len(days) == 1 and (has_list or not name_columns):
            continue
        # Ranks and numbers may come before the names.
        columns_with_letters = (
            column
            for column in range(min(days))
            if has_mostly_names(below.values(), column)
        )
        columns = list(name_columns) or [next(columns_with_letters, 0)]
        return [
            [day, name, row[column], f"{number} ({day})"]
            for column, day in days.items()
            for number, row in below.items()
            if (name := _name_unless_sum(row, columns))
            and column < len(row)
            and row[column].strip() not in ABSENT
        ]
    return None


def _unpivot_day_rows(
    rows: Sequence[Sequence[str]], today: date
) -> list[list[str]] | None:
    """Return the results of a table with a day at the start of each line; None if there are none."""
    for line, heads in enumerate(rows[:TITLE_LINES]):
        players = {
            at: name
            for at, head in enumerate(heads)
            if at
            and (name := _name_unless_sum([head], [0]))
            and heading_key(name) not in OTHERS
        }
        below = {
            number: row
            for number, row in enumerate(rows[line + 1 :], line + 2)
            if row and row[0].strip()
        }
        firsts = [row[0] for row in below.values()]
        # Plain numbers are days only below a heading of days.
        days: Sequence[object] = [_is_day(text, today) for text in firsts]
        if heading_key(heads[0] if heads else "") in DATES:
            days = read_days(firsts, today=today, proposed="dmy").values
        nights = {
            number: row
            for (number, row), day in zip(below.items(), days, strict=True)
            if day
        }
        # A day among the headings means a list without headings.
        is_named = not any(
            _is_day(name, today) or is_name_heading(heading_key(name))
            for name in [*heads[:1], *players.values()]
        )
        if (
            len(players) < 2
            or not is_named
            or len(nights) < max(2, MOST_DAYS * len(below))
        ):
            continue
        # A column of names means a list with unknown headings.
        if any(
            name[0].isdigit() or has_mostly_names(nights.values(), at)
            for at, name in players.items()
        ):
            continue
        return [
            [row[0], name, row[at], f"{number} ({name})"]
            for number, row in nights.items()
            for at, name in players.items()
            if at < len(row) and row[at].strip() not in ABSENT
        ]
    return None
