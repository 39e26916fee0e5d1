"""Read names from JSON: exported tables of players, and plain lists."""

import json
import re
from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.names import normalize_text
from tournaments.event.setup.spreadsheets import (
    LONGEST_CELL,
    MOST_COLUMNS,
    UnreadableListError,
    cell_text,
)

TABLES = ("entries", "players")
"""The exported tables that have a line for each name."""


def names_in_json(text: str, *, limit: int) -> list[str]:
    """Return the names in an exported table, a list of names or a list of objects with a name.

    At most `most` names. Raises UnreadableListError for all other text.

    >>> names_in_json('["Ann", {"name": "Bo  Lee"}]', limit=9)
    ['Ann', 'Bo Lee']
    """
    match _load(text, _names_error()):
        case list(rows):
            pass
        case {"format": "table", "version": 1, "table": table, "rows": list(rows)} if (
            table in TABLES
        ):
            pass
        case _:
            raise _names_error()
    names = []
    for row in rows[:limit]:
        name = row.get("name") if isinstance(row, dict) else row
        if not isinstance(name, str) or _is_unfit(name):
            raise _names_error()
        names.append(normalize_text(name))
    return [name for name in names if name]


def read_json_rows(text: str, *, limit: int) -> list[list[str]]:
    """Return the cells of a JSON list of objects, below a row with their keys.

    At most `most` objects. Raises UnreadableListError for all other text.

    >>> read_json_rows('[{"name": "Ann", "points": "43/4"}, {"points": 2}]', limit=9)
    [['name', 'points'], ['Ann', '43/4'], ['', '2']]
    """
    content = _load(text, _table_error())
    rows = content.get("rows") if isinstance(content, dict) else content
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise _table_error()
    rows = rows[:limit]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    if not keys or len(keys) > MOST_COLUMNS:
        raise _table_error()
    table = [keys]
    for row in rows:
        values = [row.get(key) for key in keys]
        cells = [cell_text(value) for value in values]
        is_nested = any(isinstance(value, dict | list) for value in values)
        if is_nested or any(_is_unfit(cell) for cell in cells):
            raise _table_error()
        table.append(cells)
    return table


def _load(text: str, fault: UnreadableListError) -> Any:
    try:
        return json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        raise fault from None


def _is_unfit(text: str) -> bool:
    """Return whether a text is too long, or has escapes that cannot be encoded in UTF-8."""
    return len(text) > LONGEST_CELL or bool(re.search("[\0\ud800-\udfff]", text))


def _table_error() -> UnreadableListError:
    return UnreadableListError(
        _("This JSON has no table. Export it as a list of objects, or as CSV or XLSX.")
    )


def _names_error() -> UnreadableListError:
    return UnreadableListError(
        _(
            "This JSON isn’t a list of names. Use a players table exported from "
            "Tricky, a JSON list of names, or a CSV or XLSX file."
        )
    )
