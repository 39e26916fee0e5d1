"""Crosstables of past results: players down and nights across, or the other way round."""

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
    has_names,
    heading_key,
    is_name_heading,
    is_sum,
)
from tournaments.history.imports.columns import (
    DECIMAL_SIGNS,
    parse_day,
    parse_number,
    read_days,
)
from tournaments.history.imports.day_words import serial_day

LINE_HEAD = "line in the file"
"""Above the numbers of lines, for a list whose lines the file numbers otherwise."""
HEADS = ["date", "player", "score", LINE_HEAD]
ABSENT = {"", "-", "–", "—", "x", "/", "n/a"}
"""What stands in the cell of a player who was not there."""
PLAYER_CELL = "\u2060"
"""Invisible, before a name that sums have too, once somebody says that it is a player's."""
LARGE = re.compile(r"^\W*\d{5}")
"""A number that can be the day of a spreadsheet, of any time."""
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
    if listed := _players_down(rows, is_list, today):
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


def _serial_days(heads: Sequence[str]) -> dict[int, str]:
    """Return the days that a spreadsheet counts as numbers, if a heading of names stands there."""
    keys = map(heading_key, heads)
    if not any(
        key in FIRST_NAMES or key in FAMILY_NAMES or is_name_heading(key)
        for key in keys
    ):
        return {}
    numbers = {at: head.strip() for at, head in enumerate(heads) if LARGE.search(head)}
    days = {at: serial_day(number) for at, number in numbers.items()}
    return {
        at: day.isoformat() for at, day in days.items() if day and all(days.values())
    }


def _names(row: Sequence[str], columns: Sequence[int]) -> str:
    """Return the name in a line; empty for a line of sums that nobody is called like."""
    name = " ".join(row[at].strip() for at in columns if at < len(row)).strip()
    return "" if is_sum(name) and name.casefold() not in SUMS_AND_NAMES else name


def _without_sums(results: list[list[str]]) -> list[list[str]]:
    """Return results without the sums of those of the same day.

    Only those of a name that sums have are looked at. If they do not add up, it may be a player.
    """
    players = {name for _day, name, *_ in results}
    named = {name for name in players if is_sum(name)}
    # Of two players one may well have the points of the other.
    sums = {
        name for name in named if len(players) > 2 and _adds_up(results, name, named)
    }
    return [result for result in results if result[1] not in sums]


def _adds_up(
    results: Sequence[Sequence[str]], name: str, named: Collection[str]
) -> bool:
    """Return whether on most days a name has the sum of the others, with or without those `named`."""
    for sign, left_out in product(DECIMAL_SIGNS, ({name}, named)):
        totals, sums = dict[str, Fraction](), defaultdict[str, Fraction](Fraction)
        for day, player, text, _line in results:
            number = parse_number(text, sign) or Fraction(0)
            if player == name:
                totals[day] = number
            elif player not in left_out:
                sums[day] += number
        if 2 * sum(total == sums[day] for day, total in totals.items()) > len(totals):
            return True
    return False


def _is_day(text: str, today: date) -> bool:
    return any(parse_day(text, order, today=today) for order in ("dmy", "mdy"))


def _players_down(
    rows: Sequence[Sequence[str]],
    is_list: Callable[[Sequence[str]], bool],
    today: date,
) -> list[list[str]]:
    """Return the results of a table whose heads are days; nothing if they are not.

    A single day is one only beside a heading of names, and if no line names columns of a list.
    """
    has_list = any(is_list(row) for row in rows[:TITLE_LINES])
    for line, heads in enumerate(rows[:TITLE_LINES]):
        # Below the headings of a list a number is no day.
        serials = {} if any(map(is_list, rows[:line])) else _serial_days(heads)
        days = {
            at: day
            for at, head in enumerate(heads)
            if at and (day := _day_text(head, today) or serials.get(at, ""))
        }
        written = sum(
            head.strip() != "" and not is_sum(head) and heading_key(head) not in OTHERS
            for head in heads[min(days, default=0) :]
        )
        if len(days) < max(1, MOST_DAYS * written):
            continue
        below = {n: row for n, row in enumerate(rows[line + 1 :], line + 2) if any(row)}
        named = find_name_columns(heads[: min(days)], [*below.values()])
        if len(days) == 1 and (has_list or not named):
            continue
        # Ranks and numbers may stand before the names.
        lettered = (at for at in range(min(days)) if has_names(below.values(), at))
        columns = list(named) or [next(lettered, 0)]
        return [
            HEADS,
            *_without_sums(
                [
                    [day, name, row[at], f"{number} ({day})"]
                    for at, day in days.items()
                    for number, row in below.items()
                    if (name := _names(row, columns))
                    and at < len(row)
                    and row[at].strip() not in ABSENT
                ]
            ),
        ]
    return []


def _nights_down(rows: Sequence[Sequence[str]], today: date) -> list[list[str]]:
    """Return the results of a table whose lines begin with days; nothing if they do not."""
    for line, heads in enumerate(rows[:TITLE_LINES]):
        players = {
            at: name
            for at, head in enumerate(heads)
            if at and (name := _names([head], [0])) and heading_key(name) not in OTHERS
        }
        below = {
            number: row
            for number, row in enumerate(rows[line + 1 :], line + 2)
            if row and row[0].strip()
        }
        firsts = [row[0] for row in below.values()]
        # Mere numbers are days only below a heading of days.
        days: Sequence[object] = [_is_day(text, today) for text in firsts]
        if heading_key(heads[0] if heads else "") in DATES:
            days = read_days(firsts, today=today, proposed="dmy").values
        nights = {
            number: row
            for (number, row), day in zip(below.items(), days, strict=True)
            if day
        }
        # A day at the front is of a list without headings.
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
        # Below “Who” are names: a list whose headings are not all known.
        if any(
            name[0].isdigit() or has_names(nights.values(), at)
            for at, name in players.items()
        ):
            continue
        return [
            HEADS,
            *_without_sums(
                [
                    [row[0], name, row[at], f"{number} ({name})"]
                    for number, row in nights.items()
                    for at, name in players.items()
                    if at < len(row) and row[at].strip() not in ABSENT
                ]
            ),
        ]
    return []
