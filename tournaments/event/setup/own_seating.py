"""A director's own seating: a table on each line, rounds separated by empty lines."""

import re
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from scoring.rules.names import same_name_key
from tournaments.changes import RefusedError
from tournaments.event.setup.spreadsheets import parse_first_rows
from tournaments.models import Entry, Round, Tournament

MOST_LINES = 2_000
TABLE_LABEL = re.compile(
    r"(?:(?:table|tisch|mesa)\s*)?\d{1,4}\s*[.:)]?(?:\s+|$)", re.IGNORECASE
)
"""The number of a table before its first name, as in `3`, `3.` or `Table 3`."""

Seating = Sequence[Sequence[Sequence[int]]]
"""By round and table: the primary keys of the entries, in seat order."""


def first_seatable_number(tournament: Tournament) -> int:
    """Return the number of the first round whose seats are not published."""
    return tournament.rounds.exclude(state=Round.State.DRAWN).count() + 1


def parse_own_seating(tournament: Tournament, text: str) -> Seating:
    """Return the typed seating with the present entries of a tournament.

    Raises RefusedError with all lines that name somebody who cannot be seated in that round, or
    somebody twice. Raises UnreadableListError for text that is no list.
    """
    entries = {same_name_key(entry.name): entry for entry in tournament.entries.all()}
    first = first_seatable_number(tournament)
    rounds: list[list[list[int]]] = [[]]
    faults: list[str] = []
    seated: set[int] = set()
    for line, cells in enumerate(parse_first_rows(text, max_rows=MOST_LINES), start=1):
        names = _names_without_table_label(cells, entries)
        if not names:
            if rounds[-1]:
                rounds.append([])
                seated = set()
            continue
        table: list[int] = []
        for name in names:
            entry = entries.get(same_name_key(name))
            if entry is None:
                fault = _(
                    "Line %(line)s: no one called %(name)s is on the list. Check the "
                    "spelling, or add them under Players."
                )
                faults.append(fault % {"line": line, "name": name})
            elif entry.pk in seated:
                fault = _("Line %(line)s: %(name)s already has a seat in this round.")
                faults.append(fault % {"line": line, "name": name})
            elif fault := _seat_obstacle(entry, number := first + len(rounds) - 1):
                values = {"line": line, "name": entry.name, "number": number}
                faults.append(fault % values)
            else:
                seated.add(entry.pk)
                table.append(entry.pk)
        rounds[-1].append(table)
    if faults:
        raise RefusedError("seating", "\n".join(faults))
    return [tables for tables in rounds if tables]


def _seat_obstacle(entry: Entry, number: int) -> str:
    """Return why a player cannot be seated in a round, with placeholders; empty if they can."""
    if entry.state == Entry.State.DROPPED:
        return _(
            "Line %(line)s: %(name)s has left. Check them in again under Players, or "
            "remove the name."
        )
    if entry.state != Entry.State.PRESENT:
        return _(
            "Line %(line)s: %(name)s isn’t checked in. Check them in under Players, or "
            "remove the name."
        )
    if number in entry.bye_rounds:
        return _(
            "Line %(line)s: %(name)s asked to sit out round %(number)s. Undo that under "
            "Players, or remove the name."
        )
    return ""


def _names_without_table_label(
    cells: Iterable[str], known_keys: Iterable[str]
) -> list[str]:
    names = [cell.strip() for cell in cells if cell.strip()]
    if names and same_name_key(names[0]) not in set(known_keys):
        label = TABLE_LABEL.match(names[0])
        if label:
            names[0] = names[0][label.end() :].strip()
    return [name for name in names if name]


def name_seating(
    tournament: Tournament, seating: Seating
) -> list[tuple[list[list[str]], list[str]]]:
    """Return, for each round, the names at each table and of those that sit out."""
    names = dict(tournament.entries.present().by_number().values_list("pk", "name"))
    return [
        (
            [[names[entry] for entry in table] for table in tables],
            [
                name
                for entry, name in names.items()
                if not any(entry in table for table in tables)
            ],
        )
        for tables in seating
    ]
