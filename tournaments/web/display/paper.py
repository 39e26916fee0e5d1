"""Layout of printed pages: names on A4, table cards on A5."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tournaments.models import Table
from tournaments.web.display.wall import Seat, ems

ROWS = 18
"""Of a column of a sheet."""
ROOM = {3: 6.4, 2: 11.5, 1: 27.0}
"""By how many columns a sheet has: how wide a line of a name may be, in its size."""
LARGER = {9: (1, 2.0), 18: (2, 1.5)}
"""Up to so many names: in how many columns, and how many times as large, they are seen from afar."""
SMALLER = 1.44
"""By how much a long name is set smaller than the others."""
ON_CARD = 6.2
"""How wide a name may be on a card that has room for large ones, in its size."""
MANY = 5
"""So many sit at a table, and no more, where names are large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCard:
    """What lies on a table: who sits there, and where the table is found."""

    table: Table
    names: Sequence[str]
    code: str
    """The QR code, as an element of a page."""

    @property
    def is_full(self) -> bool:
        """Tell whether so many sit there that all is closer together."""
        return len(self.names) > MANY

    @property
    def is_long(self) -> bool:
        """Tell whether a name is long, and so all of them smaller."""
        return max(map(ems, self.names), default=0) > ON_CARD


class WallLine(NamedTuple):
    """A name on a sheet, and its table."""

    seat: Seat
    is_long: bool
    """Set smaller, so that it fits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WallSheet:
    """One sheet of names."""

    lines: Sequence[WallLine]
    columns: int
    size: float = 1.0
    """How many times as large as on a full sheet."""

    @property
    def is_large(self) -> bool:
        """Tell whether few names have the sheet for themselves."""
        return self.size > 1


def wall_sheets(seats: Sequence[Seat]) -> list[WallSheet]:
    """Return seats on sheets of 54; on more sheets where a word of a name is very wide.

    A name goes on two lines, a long one on three smaller ones. Few names are larger.
    """
    for most, (columns, size) in LARGER.items():
        room = ROOM[columns] / size
        if 0 < len(seats) <= most and all(_fits(seat.name, room, 2) for seat in seats):
            lines = [WallLine(seat, is_long=False) for seat in seats]
            return [WallSheet(lines=lines, columns=columns, size=size)]
    columns = next((count for count in ROOM if _all_fit(seats, ROOM[count])), 1)
    most = ROWS * columns
    lines = [WallLine(seat, not _fits(seat.name, ROOM[columns], 2)) for seat in seats]
    return [
        WallSheet(lines=lines[first : first + most], columns=columns)
        for first in range(0, len(lines), most)
    ]


def _all_fit(seats: Sequence[Seat], room: float) -> bool:
    return all(
        _fits(seat.name, room, 2) or _fits(seat.name, room * SMALLER, 3)
        for seat in seats
    )


def _fits(name: str, room: float, most: int) -> bool:
    """Tell whether a name goes on so many lines and breaks between words alone."""
    lines, used = 1, 0.0
    for word in name.split():
        wide = ems(word)
        if used and used + ems(" ") + wide > room:
            lines, used = lines + 1, 0.0
        used += wide + (ems(" ") if used else 0)
        if wide > room:
            return False
    return lines <= most
