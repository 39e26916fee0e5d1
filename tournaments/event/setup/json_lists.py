"""Names in JSON: the tables of players that the site itself gives, and plain lists."""

import json
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.names import normalize_text
from tournaments.event.setup.spreadsheets import LONGEST_CELL, UnreadableListError

TABLES = ("entries", "players")
"""Those of the site's tables that have a line for each name."""


def names_in_json(text: str, *, most: int) -> list[str]:
    """Return the names in a table of the site, a list of names or one of objects with a name.

    So many at most. Raises UnreadableListError for all other text.

    >>> names_in_json('["Ann", {"name": "Bo  Lee"}]', most=9)
    ['Ann', 'Bo Lee']
    """
    try:
        found = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        raise _no_names() from None
    names = (normalize_text(_name(row)) for row in islice(_rows(found), most))
    return [name for name in names if name]


def _rows(found: Any) -> list[Any]:
    match found:
        case list(rows):
            return rows
        case {"format": "table", "version": 1, "table": table, "rows": list(rows)} if (
            table in TABLES
        ):
            return rows
        case _:
            raise _no_names()


def _name(row: Any) -> str:
    """Return the name of a line; refuse what no list of a club has, and no database takes."""
    name = row.get("name") if isinstance(row, dict) else row
    if not isinstance(name, str) or len(name) > LONGEST_CELL:
        raise _no_names()
    # Escapes write what no file in UTF-8 holds.
    if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in name):
        raise _no_names()
    return name


def _no_names() -> UnreadableListError:
    return UnreadableListError(
        _(
            "This looks like JSON, but is no list of names: bring a table of players as "
            "this site gives it, a JSON list of names, or a CSV or XLSX file."
        )
    )
