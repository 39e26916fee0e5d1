"""Lists of players as clubs keep them: pasted, or a file from a spreadsheet."""

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from scoring.rules.names import is_visible
from tournaments.event.setup.json_lists import names_in_json
from tournaments.event.setup.spreadsheets import (
    UnreadableListError,
    looks_like_json,
    rows_in_file,
    rows_of,
    text_in_file,
    uncomputed_fault,
)

MOST_ROWS = 1_000
LONGEST_READING = 5
"""Seconds, in which a director waits for the answer."""
HEADS = ("name", "player", "players", "spieler", "joueur")
"""What stands above a column of names; without it the first column is taken."""
FIRST_NAMES = (
    "first name",
    "firstname",
    "given name",
    "vorname",
    "prénom",
    "prenom",
    "nombre",
)
FAMILY_NAMES = (
    "last name",
    "lastname",
    "surname",
    "family name",
    "nachname",
    "nom",
    "apellido",
    "apellidos",
)
NAME_SUFFIXES = {"jr", "junior", "sr", "senior", "ii", "iii", "iv", "phd", "md", "esq"}
"""Words after a comma that are no first name: “Cal Ripken, Jr.”"""
TITLE_LINES = 15
"""In which heads are looked for: clubs put a title above them."""
LISTED = re.compile(
    r"""
    [0-9.)\-•*\s]*  # what a list puts before a name
    (?: "(?P<quoted> (?: [^"] | "" )* )" \s* (?= ; | $ )
      | (?P<plain> [^;]* ) )
    """,
    re.VERBOSE,
)
"""A name in a line; between quotation marks it may have semicolons, and doubles its own marks."""


def read_names(text: str) -> list[str]:
    """Return the names of a pasted list: one a line, or separated by semicolons.

    Numbers and dots that a list puts before a name are left out, and quotation marks
    around the whole of one, and so are names without a visible character. Where heads say which column of a pasted table has the names,
    those are taken. Raises UnreadableListError for JSON without names.

    >>> read_names("1. Ann\\n2) Bo Lee;Cy")
    ['Ann', 'Bo Lee', 'Cy']
    >>> read_names('Nr;Name;Club\\n1;"Bo Lee";West\\n2;Cy;East')
    ['Bo Lee', 'Cy']
    >>> read_names('"Karl, der Große"\\n"Bo ""Bobby"" Lee"; Cy "the Eye"')
    ['Karl, der Große', 'Bo "Bobby" Lee', 'Cy "the Eye"']
    >>> read_names("Ann\\n\\u3164\\u200b\\nBo")
    ['Ann', 'Bo']
    """
    if looks_like_json(text):
        return _names_in_json(text)
    if _is_headed(table := _rows(text)):
        return _names(table)
    names = (
        first_name_first(" ".join(_unquoted(listed).split()))
        for line in text.splitlines()
        for listed in LISTED.finditer(line)
    )
    return [name for name in names if is_visible(name)]


def first_name_first(name: str) -> str:
    """Return a name with its first name in front if a comma says that the family name is.

    >>> first_name_first("Größe, Jürgen"), first_name_first("Cal Ripken, Jr.")
    ('Jürgen Größe', 'Cal Ripken, Jr.')
    >>> first_name_first("Karl, der Große")
    'Karl, der Große'
    """
    family, comma, first = name.partition(", ")
    is_suffix = first.rstrip(".").replace(".", "").casefold() in NAME_SUFFIXES
    is_epithet = first[:1].islower() and not family[:1].islower()
    # As in “Klaus, Zoe (round 3)”.
    is_list = "," in first or any(map(str.isdigit, first))
    if not comma or not family or not first or is_list or is_suffix or is_epithet:
        return name
    return f"{first} {family}"


def _names_in_json(text: str) -> list[str]:
    return [first_name_first(name) for name in names_in_json(text, most=MOST_ROWS)]


def _unquoted(listed: re.Match[str]) -> str:
    """Return a name as it was meant before it was put between quotation marks."""
    quoted: str | None = listed["quoted"]
    return str(listed["plain"]) if quoted is None else quoted.replace('""', '"')


def _rows(text: str) -> list[list[str]]:
    """Return a pasted text as the cells of a table; none where it cannot be one."""
    try:
        return rows_of(text, most=MOST_ROWS)
    except UnreadableListError:
        return []


def _is_headed(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether one of the first lines has heads, of several columns or of the only one."""
    return any(
        _columns(row) and (len(row) > 1 or line == 0)
        for line, row in enumerate(rows[:TITLE_LINES])
    )


def names_in_file(filename: str, content: bytes, encoding: str = "") -> list[str]:
    """Return the names in a file, a text in this encoding; raises as `rows_in_file`."""
    text = text_in_file(filename, content, encoding)
    if text is not None and looks_like_json(text):
        return _names_in_json(text)
    if text is not None:
        return _names(rows_of(text, most=MOST_ROWS))
    rows = rows_in_file(filename, content, most=MOST_ROWS, seconds=LONGEST_READING)
    return _names(rows)


def _names(rows: Iterable[list[str]]) -> list[str]:
    """Return the names of the column that is headed so, else of the first.

    Titles may stand above the heads. Where first and family names have columns of their
    own, they are put together.
    """
    listed = [row for row in islice(rows, MOST_ROWS) if any(map(str.strip, row))]
    columns: tuple[int, ...] = (0,)
    for line, row in enumerate(listed[:TITLE_LINES]):
        if named := _columns(row):
            columns, listed = named, listed[line + 1 :]
            break
    for cell in (row[c] for row in listed for c in columns if c < len(row)):
        if fault := uncomputed_fault(cell):
            raise UnreadableListError(fault)
    names = (
        first_name_first(
            " ".join(" ".join(row[c] for c in columns if c < len(row)).split())
        )
        for row in listed
    )
    return [name for name in names if is_visible(name)]


def _columns(heads: Sequence[str]) -> tuple[int, ...]:
    """Return where names stand: one column, or the first and the family name; none for no heads."""
    known = [head.strip().casefold() for head in heads]
    first, family, whole = (
        [place for place, head in enumerate(known) if head in words]
        for words in (FIRST_NAMES, FAMILY_NAMES, HEADS)
    )
    if first and (family or whole):
        return first[0], (family or whole)[0]
    return tuple((whole or family or first)[:1])
