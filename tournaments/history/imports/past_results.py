"""Past results as clubs kept them: a list of who came where, a line for each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _

from scoring.rules import GAMES
from scoring.rules.match_record import LONGEST_NAME

MOST_LINES = 20_000
MOST_SEATS = 8
MOST_POINTS = 10**12
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "date": ("date", "day", "datum"),
    "event": ("tournament", "event", "turnier", "tournoi"),
    "game": ("game", "spiel", "jeu"),
    "round": ("round", "runde", "tour"),
    "table": ("table", "tisch"),
    "player": ("player", "name", "spieler", "joueur"),
    "place": ("place", "rank", "platz", "rang"),
    "score": ("score", "points", "punkte", "result"),
}
"""What stands above a column, by what is in it."""


class PastRow(NamedTuple):
    """One line: what somebody did in an event, or at one of its tables."""

    line: int
    day: date
    event: str
    game: str
    round: int
    table: int
    """0 where the event has no tables."""
    player: str
    place: int | None
    score: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """A tournament of which the results are known."""

    day: date
    name: str
    game: str
    rows: Sequence[PastRow]

    @property
    def tables(self) -> bool:
        """Tell whether its tables are known, not only who came where in the end."""
        return self.rows[0].table > 0

    @property
    def players(self) -> list[str]:
        """Return who played, each once."""
        return list(dict.fromkeys(row.player for row in self.rows))


@dataclass(slots=True)
class Past:
    """What a list says, and what is wrong with it."""

    events: list[PastEvent] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Each names its line, its column and the way out."""


def read_past(cells: Sequence[Sequence[str]], *, game: str, today: date) -> Past:
    """Return the events of a list whose first line names its columns.

    `game` is what was played where a line does not say it. A list with a fault gives no
    event.
    """
    past = Past()
    if not cells:
        past.faults.append(_("The list is empty."))
        return past
    columns = _columns(cells[0], past.faults)
    rows: list[PastRow] = []
    for line, cells_of_line in enumerate(cells[1 : MOST_LINES + 1], start=2):
        if any(cell.strip() for cell in cells_of_line) and not past.faults[20:]:
            row = _Line(line, cells_of_line, columns, past.faults).row(game, today)
            rows += [row] if row is not None else []
    if len(cells) > MOST_LINES + 1:
        message = _("The list has more than %(n)s lines; bring it in in parts.")
        past.faults.append(message % {"n": MOST_LINES})
    events = _events(rows)
    for event in events:
        past.faults += _faults_of(event)
    if not past.faults:
        past.events = events
    return past


def _columns(heads: Sequence[str], faults: list[str]) -> dict[str, int]:
    known = {head: name for name, listed in COLUMNS.items() for head in listed}
    places: dict[str, int] = {}
    for place, head in enumerate(heads):
        name = known.get(head.strip().casefold())
        if name is not None:
            places.setdefault(name, place)
    lacking = [name for name in ("date", "player") if name not in places]
    if lacking:
        message = _("Line 1 names no column “%(names)s”; it has to, as the first line.")
        faults.append(message % {"names": "”, “".join(lacking)})
    elif "place" not in places and "score" not in places:
        faults.append(_("Line 1 names neither a column “place” nor “score”."))
    return places


class _Line:
    """One line of a list, read column by column."""

    def __init__(
        self,
        line: int,
        cells: Sequence[str],
        columns: Mapping[str, int],
        faults: list[str],
    ) -> None:
        self.line = line
        self.faults = faults
        self.texts = {
            name: " ".join(cells[place].split()) if place < len(cells) else ""
            for name, place in columns.items()
        }

    def _fault(self, column: str, message: str) -> None:
        where = _("Line %(line)s, %(column)s: ") % {
            "line": self.line,
            "column": column,
        }
        self.faults.append(where + message)

    def row(self, game: str, today: date) -> PastRow | None:
        """Return the line, or None where something of it is wrong."""
        before = len(self.faults)
        day = self._day(today)
        place, score = self._number("place", 1), self._number("score", -MOST_POINTS)
        if place is None and score is None and len(self.faults) == before:
            self._fault("place", _("there is neither a place nor a score."))
        row = PastRow(
            line=self.line,
            day=day or today,
            event=self.texts.get("event", "")[:80],
            game=self._game(game),
            round=self._number("round", 1) or 1,
            table=self._number("table", 1) or 0,
            player=self._player(),
            place=place,
            score=score,
        )
        return row if len(self.faults) == before else None

    def _day(self, today: date) -> date | None:
        text = self.texts.get("date", "")
        day = day_of(text)
        if day is None:
            message = _("“%(text)s” is no day; write it as in 2025-03-14.")
            self._fault("date", message % {"text": text[:20]})
        elif day > today or day.year < 1950:
            self._fault("date", _("%(day)s is not in the past.") % {"day": day})
        return day

    def _number(self, column: str, least: int) -> int | None:
        text = self.texts.get(column, "").removesuffix(".0")
        if not text:
            return None
        try:
            number = int(text)
        except ValueError:
            number = None
        if number is None or not least <= number <= MOST_POINTS:
            message = _("“%(text)s” is no whole number from %(least)s on.")
            self._fault(column, message % {"text": text[:20], "least": least})
        return number

    def _game(self, game: str) -> str:
        text = self.texts.get("game", "").casefold()
        names = {known.name.casefold(): known.id for known in GAMES.values()}
        if text and text not in GAMES and text not in names:
            message = _("“%(text)s” is none of the games.")
            self._fault("game", message % {"text": text[:20]})
        return names.get(text, text) or game

    def _player(self) -> str:
        name = self.texts.get("player", "")
        if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
            message = _("a name has 1 to %(most)s letters that can be printed.")
            self._fault("player", message % {"most": LONGEST_NAME})
        return name


def day_of(text: str) -> date | None:
    """Return the day that is written in one of the usual ways; None for none.

    >>> day_of("2025-03-14 00:00:00") == day_of("14.3.2025") == date(2025, 3, 14)
    True
    """
    first = text.split(" ")[0].split("T")[0]
    try:
        if "." in first:
            day, month, year = (int(part) for part in first.split("."))
            return date(year, month, day)
        return date.fromisoformat(first)
    except ValueError:
        return None


def _events(rows: Sequence[PastRow]) -> list[PastEvent]:
    ordered = sorted(rows, key=lambda row: (row.day, row.event, row.line))
    return [
        PastEvent(
            day=day,
            name=name or _("Evening of %(day)s") % {"day": day.isoformat()},
            game=Counter(row.game for row in listed).most_common(1)[0][0],
            rows=listed,
        )
        for (day, name), group in groupby(ordered, lambda row: (row.day, row.event))
        if (listed := list(group))
    ]


def _faults_of(event: PastEvent) -> list[str]:
    """Return what does not fit together in an event."""
    named = {"event": event.name, "line": event.rows[0].line}
    if len({row.table > 0 for row in event.rows}) > 1:
        message = _("“%(event)s”, from line %(line)s: a table is told for some only.")
        return [message % named]
    if not event.tables:
        return _faults_of_places(event, named)
    return _faults_of_tables(event)


def _faults_of_places(event: PastEvent, named: Mapping[str, object]) -> list[str]:
    twice = _twice(row.player.casefold() for row in event.rows)
    faults = []
    if twice:
        message = _("“%(event)s”, from line %(line)s: “%(player)s” stands there twice.")
        faults.append(message % {**named, "player": twice})
    if len({row.place is None for row in event.rows}) > 1:
        message = _(
            "“%(event)s”, from line %(line)s: some have a place and some do not."
        )
        faults.append(message % named)
    return faults


def _faults_of_tables(event: PastEvent) -> list[str]:
    faults = []
    for number in sorted({row.round for row in event.rows}):
        rows = [row for row in event.rows if row.round == number]
        twice = _twice(row.player.casefold() for row in rows)
        if twice:
            message = _("“%(event)s”, round %(round)s: “%(player)s” sits there twice.")
            faults.append(
                message % {"event": event.name, "round": number, "player": twice}
            )
        for table, seats in sorted(Counter(row.table for row in rows).items()):
            if not 2 <= seats <= MOST_SEATS:
                message = _(
                    "“%(event)s”, round %(round)s, table %(table)s: %(n)s players"
                )
                where = {"event": event.name, "round": number, "table": table}
                faults.append(
                    message % {**where, "n": seats} + _("; a table has 2 to 8.")
                )
    return faults


def _twice(names: Iterable[str]) -> str:
    """Return a name that stands there more than once; empty for none."""
    return next((name for name, times in Counter(names).items() if times > 1), "")


def scores_of(rows: Sequence[PastRow]) -> dict[str, int]:
    """Return what each player of a table scored; from places the last has 1 point."""
    if all(row.score is not None for row in rows):
        return {row.player: row.score or 0 for row in rows}
    return {row.player: len(rows) + 1 - (row.place or len(rows)) for row in rows}


def places_of(event: PastEvent) -> dict[str, int]:
    """Return the final place of each player of an event without tables."""
    if all(row.place is not None for row in event.rows):
        return {row.player: row.place or 0 for row in event.rows}
    scores = {row.player: row.score or 0 for row in event.rows}
    return {
        player: 1 + sum(other > score for other in scores.values())
        for player, score in scores.items()
    }
