"""Crosstables of past results: players down and nights across, or the other way round."""

from collections.abc import Callable, Sequence
from datetime import date

from tournaments.history.imports.columns import day_in

TITLE_LINES = 15
HEADS = ["date", "player", "score"]
ABSENT = {"", "-", "–", "—", "x", "/", "n/a"}
"""What stands in the cell of a player who was not there."""
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


def _is_day(text: str, today: date) -> bool:
    return any(day_in(text, order, today=today) for order in ("dmy", "mdy"))


def _players_down(rows: Sequence[Sequence[str]], today: date) -> list[list[str]]:
    """Return the results of a table whose heads are days; nothing if they are not."""
    for line, heads in enumerate(rows[:TITLE_LINES]):
        days = {
            at: head for at, head in enumerate(heads) if at and _is_day(head, today)
        }
        written = sum(bool(head.strip()) for head in heads[1:])
        if len(days) < 2 or len(days) < MOST_DAYS * written:
            continue
        return [
            HEADS,
            *(
                [day, row[0], row[at]]
                for at, day in days.items()
                for row in rows[line + 1 :]
                if at < len(row) and row[0].strip() and row[at].strip() not in ABSENT
            ),
        ]
    return []


def _nights_down(rows: Sequence[Sequence[str]], today: date) -> list[list[str]]:
    """Return the results of a table whose lines begin with days; nothing if they do not."""
    for line, heads in enumerate(rows[:TITLE_LINES]):
        players = {
            at: head.strip() for at, head in enumerate(heads) if at and head.strip()
        }
        below = [row for row in rows[line + 1 :] if row and row[0].strip()]
        nights = [row for row in below if _is_day(row[0], today)]
        is_named = not any(_is_day(name, today) for name in players.values())
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
                [row[0], name, row[at]]
                for row in nights
                for at, name in players.items()
                if at < len(row) and row[at].strip() not in ABSENT
            ),
        ]
    return []
