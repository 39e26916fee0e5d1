"""Read lists of past results, with a line for each player of an event or table."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple, Self

from django.utils.formats import date_format, get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from scoring.locales.sentences import translate
from scoring.rules import GAMES, Game
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import find_name_fault, normalize_text, same_name_key
from tournaments.event.setup.entry_lists import first_name_first
from tournaments.event.setup.headings import (
    DATES,
    FAMILY_NAMES,
    FIRST_NAMES,
    NAMES,
    TITLE_LINES,
    heading_key,
    is_name_heading,
    is_totals_heading,
)
from tournaments.event.setup.spreadsheets import find_formula_fault
from tournaments.exact import EXACT_LENGTH
from tournaments.history.imports.columns import (
    ColumnReading,
    DayOrder,
    DecimalSign,
    format_unambiguous_number,
    is_incomplete_day,
    parse_day,
    parse_place,
    read_days,
    read_points,
)
from tournaments.history.imports.crosstables import HEADS as CROSSTABLE_HEADS
from tournaments.history.imports.crosstables import (
    LINE_HEAD,
    PLAYER_CELL,
    unpivot,
)

MOST_LINES = 20_000
MOST_READ = MOST_LINES + TITLE_LINES + 1
"""The most lines read from a file: one more than allowed, so that longer lists are refused."""
MOST_SEATS = 8
MOST_FAULTS = 20
"""The number of faults shown at a time."""
MOST_POINTS = 10**12
LOWEST_WINS = "lowest_wins"
"""The option, and the column, that say that the lowest total wins."""
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "date": DATES,
    "event": ("tournament", "event", "turnier", "tournoi", "torneo"),
    "game": ("game", "spiel", "jeu", "juego"),
    "round": ("round", "runde", "tour", "ronde", "ronda"),
    "table": ("table", "tisch", "mesa"),
    "player": (*NAMES, "who", "wer", "qui", "quién"),
    "first": ("first", *FIRST_NAMES),
    "family": ("family", "last", *FAMILY_NAMES),
    "place": ("place", "rank", "platz", "rang", "pos", "position", "puesto", "#"),
    "score": (
        *("score", "points", "punkte", "result", "pts", "pkt", "ergebnis", "total"),
        *("punktzahl", "gesamtpunkte", "gesamt", "total points", "résultat"),
        *("puntos", "resultado"),
    ),
    "state": ("state", "stand", "zustand", "status", "état", "estado"),
    "lowest_wins": (
        *("lowest wins", "lowest_wins", "lowest total wins"),
        *("niedrigste gewinnt", "le plus bas gagne", "gana el más bajo"),
    ),
    "line": (LINE_HEAD,),
}
"""The headings that are understood, by the name of the column."""


class CellFault(str):
    """A message about a fault in a list, with the place where it can be corrected."""

    __slots__ = ("column", "line")

    def __new__(cls, message: str, line: int | None = None, column: str = "") -> Self:
        """Store the message, the line counted from 1, and the name of the column."""
        fault = super().__new__(cls, message)
        fault.line, fault.column = line, column
        return fault

    line: int | None
    column: str


BLOCK_HEADS = ("date", "event", "game", "round", "table", "lowest_wins")
"""Columns whose value may be given only in the first line of a block."""
YES = frozenset({"yes", "true", "1", "x", "ja", "wahr", "oui", "vrai", "sí", "si"})
NO = frozenset({"", "no", "false", "0", "-", "nein", "falsch", "non", "faux", "falso"})
LABELS = {
    "date": gettext_lazy("date"),
    "event": gettext_lazy("tournament"),
    "game": gettext_lazy("game"),
    "round": gettext_lazy("round"),
    "table": gettext_lazy("table"),
    "player": gettext_lazy("player"),
    "first": gettext_lazy("first name"),
    "family": gettext_lazy("family name"),
    "place": pgettext_lazy("rank", "place"),
    "score": gettext_lazy("points"),
    "state": gettext_lazy("state"),
    "lowest_wins": gettext_lazy("lowest total wins (yes or no)"),
}
"""The labels of the columns; their names are also understood as headings."""


class PastResultRow(NamedTuple):
    """One line: the result of a player in an event, or at one of its tables."""

    line: int
    day: date
    event: str
    game: str
    round: int
    table: int
    """0 if the event has no tables."""
    player: str
    place: int | None
    score: Fraction | None
    is_void: bool = False
    """Whether its table is void, with or without points."""
    line_in_file: str = ""
    """The number of the line in the original file; empty if it is the same as `line`."""
    lowest_wins: bool = False
    """Whether the lowest total wins, in a game with that option."""

    @property
    def options(self) -> dict[str, bool]:
        """Return the options of the game that the line names."""
        return {LOWEST_WINS: True} if self.lowest_wins else {}

    @property
    def rules(self) -> Game:
        return GAMES[self.game].variant_for_options(self.options)

    @property
    def original_line_number(self) -> str:
        """Return the number of the line in the original file."""
        return self.line_in_file or str(self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """A past tournament with its results."""

    day: date
    name: str
    game: str
    rows: Sequence[PastResultRow]

    @property
    def options(self) -> dict[str, bool]:
        """Return the options of its game."""
        return next(row.options for row in self.rows if row.game == self.game)

    @property
    def has_tables(self) -> bool:
        """Return whether the tables are known, not only the final places."""
        return self.rows[0].table > 0

    @property
    def players(self) -> list[str]:
        """Return the names of the players, each once in its first spelling."""
        spellings = {
            same_name_key(row.player): row.player for row in reversed(self.rows)
        }
        return list(
            dict.fromkeys(spellings[same_name_key(row.player)] for row in self.rows)
        )


@dataclass(slots=True)
class PastResultsReading:
    """The events and faults of a list, and the interpretation of its columns."""

    events: list[PastEvent] = field(default_factory=list)
    faults: list[CellFault] = field(default_factory=list)
    """The faults, with their line and column if they have one."""
    columns: dict[str, int] = field(default_factory=dict)
    """The positions of the columns by name; empty if no line has headings."""
    heads: int = 0
    """The line of the headings, counted from 0."""
    days: ColumnReading[DayOrder, date] | None = None
    points: ColumnReading[DecimalSign, Fraction] | None = None
    """The interpretation of the columns of days and points; None until they are read."""
    texts: list[dict[str, str]] = field(default_factory=list)
    """The texts of each line below the headings, by the name of the column."""
    settled: list[list[str]] = field(default_factory=list)
    """The list with its days and points in an unambiguous notation."""

    @property
    def is_unambiguous(self) -> bool:
        """Return whether no day and no number of points is ambiguous."""
        return all(
            column is None or column.is_settled for column in (self.days, self.points)
        )


def read_past_results(
    cells: Sequence[Sequence[str]],
    *,
    game: str,
    today: date,
    decimal: DecimalSign | None = None,
    day_order: DayOrder | None = None,
) -> PastResultsReading:
    """Read the events of a list that has its headings in one of the first lines.

    `game` is the game of lines that do not name one. `decimal` and `day_order` are the user's
    answers for ambiguous columns; without them the notation of the current language is used. A
    list with a fault has no events.
    """
    past = PastResultsReading()
    if not any(any(row) for row in cells):
        past.faults.append(CellFault(_("The list is empty.")))
        return past
    _find_columns_and_add_faults(cells, past)
    rows: list[PastResultRow] = []
    faulty_events: set[str] = set()
    formats: Sequence[str] = get_format("DATE_INPUT_FORMATS")
    numeric_format = next(
        (
            input_format
            for input_format in formats
            if input_format.startswith(("%d", "%m"))
        ),
        "%d",
    )
    first = past.heads + 1
    data_lines = cells[first : first + MOST_LINES] if not past.faults else []
    past.texts = _fill_down(data_lines, past.columns)
    past.days = read_days(
        [texts.get("date", "") for texts in past.texts],
        today=today,
        answer=day_order,
        proposed="mdy" if numeric_format.startswith("%m") else "dmy",
    )
    past.points = read_points(
        [texts.get("score", "") for texts in past.texts],
        answer=decimal,
        proposed="," if get_format("DECIMAL_SEPARATOR") == "," else ".",
    )
    past.settled = _unambiguous_cells(cells, first, past)
    for index, texts in enumerate(past.texts):
        if any(texts.values()) and not past.faults[MOST_FAULTS:]:
            parsed_line = _ListLineParser(first + index + 1, texts, past.faults)
            row = parsed_line.parse(
                game,
                today,
                day=past.days.values[index],
                points=past.points.values[index],
            )
            rows += [row] if row is not None else []
            faulty_events |= {parsed_line.event} if row is None else set()
    if len(cells) > first + MOST_LINES:
        message = _("The list has more than %(n)s lines. Import it in parts.")
        past.faults.append(CellFault(message % {"n": MOST_LINES}))
    rows.sort(key=lambda row: (_event_key(row), row.line))
    events = [
        PastEvent(
            day=day,
            name=event_rows[0].event
            or _("Tournament on %(day)s") % {"day": day.isoformat()},
            game=Counter(row.game for row in event_rows).most_common(1)[0][0],
            rows=event_rows,
        )
        for (day, _name), group in groupby(rows, _event_key)
        if (event_rows := list(group))
    ]
    for event in events:
        # An event with a faulty line is incomplete, so further checks would mislead.
        if event.rows[0].event not in faulty_events:
            past.faults += _find_event_faults(event)
    if not past.faults:
        past.events = events
    return past


def _event_key(row: PastResultRow) -> tuple[date, str]:
    return row.day, row.event.casefold()


def has_list_headings(line: Sequence[str]) -> bool:
    """Return whether a line has the headings of a list: players, and days or results."""
    places = _known_column_indexes(line)
    people = {"player", "first", "family"} & places.keys()
    return bool(people and {"date", "place", "score"} & places.keys())


def count_known_headings(rows: Sequence[Sequence[str]], *, today: date) -> int:
    """Return the number of known headings in the first lines of a sheet."""
    if unpivot(rows, has_list_headings=has_list_headings, today=today)[:1] == [
        CROSSTABLE_HEADS
    ]:
        return len(CROSSTABLE_HEADS)
    return max(
        (len(_known_column_indexes(row)) for row in rows[:TITLE_LINES]), default=0
    )


def move_family_names_last(cells: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the list with family names moved to the end: “Müller Anna” is Anna Müller."""
    if not cells:
        return []
    heads = heading_line_index(cells)
    place = _known_column_indexes(cells[heads]).get("player")
    rows = [list(row) for row in cells]
    if place is None:
        return rows
    for row in rows[heads + 1 :]:
        words = row[place].replace(",", " ").split() if place < len(row) else []
        if len(words) > 1:
            row[place] = " ".join([words[-1], *words[:-1]])
    return rows


def with_headings_and_line_numbers(
    cells: Sequence[Sequence[str]], names: Sequence[str]
) -> list[list[str]]:
    """Return the list below these headings, with a column of the original line numbers."""
    width = max(len(names), *(len(row) for row in cells))
    numbered = [
        [*row, *[""] * (width - len(row)), str(line)] if any(row) else []
        for line, row in enumerate(cells, 1)
    ]
    return [[*names, *[""] * (width - len(names)), LINE_HEAD], *numbered]


def with_column(
    cells: Sequence[Sequence[str]], name: str, text: str
) -> list[list[str]]:
    """Return the list with the same text in a column, if it has headings but not this one."""
    rows = [list(row) for row in cells]
    if not rows:
        return rows
    heads = heading_line_index(rows)
    places = _known_column_indexes(rows[heads])
    if name in places or not places:
        return rows
    width = max(map(len, rows))
    for index, row in enumerate(rows[heads:]):
        if index == 0 or any(row):
            row += [""] * (width - len(row))
            row.append(text if index else name)
    return rows


def clear_lines(
    cells: Sequence[Sequence[str]], lines: Collection[int], *, today: date
) -> list[list[str]]:
    """Return the list with these lines, counted from 1, emptied.

    The first line of a block keeps the columns in `BLOCK_HEADS` for the lines below.
    """
    columns = _known_column_indexes(cells[heading_line_index(cells)]) if cells else {}
    block_columns = [columns[name] for name in BLOCK_HEADS if name in columns]
    rows = [list(row) for row in cells]
    for line in lines:
        row = rows[line - 1]
        day_column = columns.get("date", len(row))
        is_head = day_column < len(row) and any(
            parse_day(row[day_column], order, today=today) for order in ("dmy", "mdy")
        )
        rows[line - 1] = [
            text if is_head and place in block_columns else ""
            for place, text in enumerate(row)
        ]
    return rows


def with_replaced_names(
    cells: Sequence[Sequence[str]],
    past: PastResultsReading,
    new_names: Mapping[str, str],
) -> list[list[str]]:
    """Return the list with names replaced; `new_names` has the new name by the old one."""
    rows = [list(row) for row in cells]
    for row in (row for event in past.events for row in event.rows):
        name = new_names.get(row.player, row.player)
        if name == row.player:
            continue
        texts = rows[row.line - 1]
        if "player" in past.columns:
            texts[past.columns["player"]] = name
        else:
            texts[past.columns["first"]], texts[past.columns["family"]] = name, ""
    return rows


def _known_column_indexes(heads: Sequence[str]) -> dict[str, int]:
    """Return the positions of the known headings in a line, by the name of the column."""
    column_names = {
        head: name for name, headings in COLUMNS.items() for head in headings
    }
    keys = [heading_key(head) for head in heads]
    places: dict[str, int] = {}
    # “Game (key)” is accepted as well if there is no “Game”.
    for headings in (keys, [key.partition(" (")[0] for key in keys]):
        for place, key in enumerate(headings):
            if name := column_names.get(key) or (
                "player" if is_name_heading(key) else ""
            ):
                places.setdefault(name, place)
    if "player" in places and "name" in keys:
        # “Player” is a number if there is also a “Name”.
        places["player"] = keys.index("name")
    if "place" in keys and "rang" in keys:
        # French “Place” is a seat if there is also a “Rang”.
        places["place"] = keys.index("rang")
    if "place" in places and keys[places["place"]] == "#" and "score" in places:
        # “#” numbers the lines if there are also points.
        del places["place"]
    if "first" in places and "player" in places:
        # “Name” is the family name if there is also a “Vorname”.
        places.setdefault("family", places.pop("player"))
    elif "player" not in places and ("first" in places) != ("family" in places):
        # “Nombre” or “Nom” alone is the whole name.
        places["player"] = places.pop("first" if "first" in places else "family")
    return places


def heading_line_index(cells: Sequence[Sequence[str]]) -> int:
    """Return the index of the line of headings, which may be below titles.

    It is the one with the most known headings or, if there are none, the first one that is
    nearly as wide as the widest.
    """
    first = cells[:TITLE_LINES]
    counts = [len(_known_column_indexes(line)) for line in first]
    if not any(counts):
        widths = [sum(map(bool, line)) for line in first]
        counts = [3 * width >= 2 * max(widths) for width in widths]
    return counts.index(max(counts))


def _find_columns_and_add_faults(
    cells: Sequence[Sequence[str]], past: PastResultsReading
) -> None:
    """Find the line of headings and its columns, and add faults for missing or unclear ones."""
    past.heads = heading_line_index(cells)
    heads = cells[past.heads]
    past.columns = places = _known_column_indexes(heads)
    names_people = "player" in places or {"first", "family"} <= {*places}
    missing = ["date"] * ("date" not in places) + ["player"] * (not names_people)
    parts = [head for head in heads if is_incomplete_day(head)]
    if missing == ["date"] and len(parts) > 1:
        message = _(
            "The columns “%(heads)s” don’t contain full dates. Put day, month and year "
            "in one column, like 2025-03-14."
        )
        past.faults.append(CellFault(message % {"heads": "”, “".join(parts[:3])}))
    elif missing == ["date"]:
        message = _(
            "No column contains a date. Choose the date column, or enter one date for "
            "all lines."
        )
        past.faults.append(CellFault(message))
    elif missing:
        message = _("No column has the heading “%(names)s”. Choose the right column.")
        past.faults.append(CellFault(message % {"names": "”, “".join(missing)}))
    elif "place" not in places and "score" not in places:
        past.faults.append(
            CellFault(
                _(
                    "No column has the heading “place” or “score”. Choose which "
                    "column has the places or the scores."
                )
            )
        )
    # Several columns with different values may have a heading of points.
    points: dict[tuple[str, ...], str] = {}
    for place, head in enumerate(heads):
        if heading_key(head) in COLUMNS["score"] and "score" in places:
            below = tuple(
                row[place] if place < len(row) else ""
                for row in cells[past.heads + 1 :]
            )
            if any(below):
                points.setdefault(below, head)
    if len(points) > 1:
        message = _(
            "Several columns could contain the points: “%(heads)s”. Choose the right "
            "one."
        )
        past.faults.append(CellFault(message % {"heads": "”, “".join(points.values())}))
    if past.faults:
        # A formula without a value may hide the missing heading.
        faults = (
            find_formula_fault(text) for row in cells[:TITLE_LINES] for text in row
        )
        past.faults += [CellFault(fault) for fault in faults if fault][:1]


def _fill_down(
    listed: Sequence[Sequence[str]], columns: Mapping[str, int]
) -> list[dict[str, str]]:
    """Return the texts of each line by column, filled down from the first line of its block.

    Only the first of several merged cells has a text.
    """
    filled: list[dict[str, str]] = []
    above: Mapping[str, str] = {}
    for cells in listed:
        texts = {
            name: " ".join(cells[place].split()) if place < len(cells) else ""
            for name, place in columns.items()
        }
        if {*texts} & {*BLOCK_HEADS} and not any(
            text for name, text in texts.items() if name not in (*BLOCK_HEADS, "line")
        ):
            # The heading of a block, without a result of its own.
            earlier = {} if texts.get("date") else above
            above = {
                name: text or earlier.get(name, "") for name, text in texts.items()
            }
            texts = dict.fromkeys(texts, "")
        if any(texts.values()):
            if not texts.get("date") and above.get("date"):
                for name in BLOCK_HEADS:
                    if name in texts:
                        texts[name] = texts[name] or above.get(name, "")
            elif texts.get("date") == above.get("date") and "event" in texts:
                texts["event"] = texts["event"] or above.get("event", "")
            above = texts
        filled.append(texts)
    return filled


def _unambiguous_cells(
    cells: Sequence[Sequence[str]], first_line: int, past: PastResultsReading
) -> list[list[str]]:
    settled = [list(row) for row in cells]
    assert past.days is not None
    assert past.points is not None
    for at, texts in enumerate(past.texts):
        if not any(texts.values()):
            continue
        row = settled[first_line + at]
        row += [""] * (max(past.columns.values()) + 1 - len(row))
        for name in BLOCK_HEADS:
            if name != "date" and name in texts:
                row[past.columns[name]] = texts[name]
        if (day := past.days.values[at]) and "date" in past.columns:
            row[past.columns["date"]] = day.isoformat()
        points = past.points.values[at]
        if points is not None and "score" in past.columns:
            row[past.columns["score"]] = format_unambiguous_number(points)
    return settled


@dataclass(frozen=True, slots=True)
class _ListLineParser:
    """One line of a list, read column by column."""

    line: int
    texts: Mapping[str, str]
    faults: list[CellFault]

    @property
    def event(self) -> str:
        """Return the normalized name of the event; empty if the line has none."""
        return normalize_text(self.texts.get("event", ""))[:80]

    def _add_fault(self, column: str, message: str) -> None:
        prefix = _("Line %(line)s, %(column)s: ") % {
            "line": self.texts.get("line") or self.line,
            "column": column,
        }
        self.faults.append(CellFault(prefix + message, self.line, column))

    def parse(
        self, game: str, today: date, *, day: date | None, points: Fraction | None
    ) -> PastResultRow | None:
        """Return the parsed line; None if it has a fault, which is added to `faults`."""
        faults_before = len(self.faults)
        for column, text in self.texts.items():
            if fault := find_formula_fault(text):
                self._add_fault(column, fault)
        if len(self.faults) > faults_before:
            return None
        self._add_day_faults(day, today)
        self._add_points_faults(points)
        if self.event and (unfit := find_name_fault(self.event)):
            self._add_fault("event", translate(unfit))
        place_text = self.texts.get("place", "")
        place = parse_place(place_text) if place_text else None
        if place_text and place is None:
            message = _("“%(text)s” isn’t a valid place. Enter 1 or more.")
            self._add_fault("place", message % {"text": place_text[:20]})
        state = self.texts.get("state", "") if self.texts.get("table") else ""
        if state == "running":
            self._add_fault("state", _("this table is still being played."))
        is_void = state == "void"
        is_placed = place is not None or bool(self.texts.get("table"))
        if not is_placed and is_totals_heading(self.texts.get("player", "")):
            message = _(
                "“%(name)s” looks like a line of totals. Leave it out, or mark it as a "
                "player."
            )
            self._add_fault("player", message % {"name": self.texts["player"][:20]})
        is_empty = place is None and points is None and not is_void
        if is_empty and len(self.faults) == faults_before:
            self._add_fault("place", _("enter a place or a score."))
        game_text = self.texts.get("game", "").casefold()
        names = {
            known_game.name.casefold(): known_game.id for known_game in GAMES.values()
        }
        if game_text and game_text not in GAMES and game_text not in names:
            message = _("“%(text)s” isn’t one of the games.")
            self._add_fault("game", message % {"text": game_text[:20]})
        game_id = names.get(game_text, game_text) or game
        row = PastResultRow(
            line=self.line,
            day=day or today,
            event=self.event,
            game=game_id,
            round=self._parse_positive_number("round") or 1,
            table=self._parse_positive_number("table") or 0,
            player=self._parse_player_name(),
            place=place,
            score=points,
            is_void=is_void,
            line_in_file=self.texts.get("line", ""),
            lowest_wins=self._parse_lowest_wins(game_id),
        )
        return row if len(self.faults) == faults_before else None

    def _add_day_faults(self, day: date | None, today: date) -> None:
        text = self.texts.get("date", "")
        if day is None:
            message = _("“%(text)s” isn’t a date. Enter a date like 2025-03-14.")
            self._add_fault("date", message % {"text": text[:20]})
        elif day > today or day.year < 1950:
            message = (
                _("%(day)s is in the future.")
                if day > today
                else _("%(day)s is before 1950. Enter the year with four digits.")
            )
            day_text = date_format(day, "DATE_FORMAT")
            self._add_fault("date", message % {"day": day_text})

    def _parse_positive_number(self, column: str) -> int | None:
        text = self.texts.get(column, "").removesuffix(".0")
        if not text:
            return None
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
        if not number:
            message = _("“%(text)s” isn’t valid. Enter a whole number, 1 or more.")
            self._add_fault(column, message % {"text": text[:20]})
        return number

    def _parse_lowest_wins(self, game: str) -> bool:
        """Return whether the lowest total wins; False in games without that option."""
        text = self.texts.get(LOWEST_WINS, "").casefold()
        if text not in YES | NO:
            message = _("“%(text)s” isn’t valid. Enter yes or no.")
            self._add_fault(LOWEST_WINS, message % {"text": text[:20]})
        return text in YES and game in GAMES and LOWEST_WINS in GAMES[game].options

    def _add_points_faults(self, points: Fraction | None) -> None:
        text = self.texts.get("score", "")
        if text and (
            points is None
            or abs(points) > MOST_POINTS
            or len(str(points)) > EXACT_LENGTH
        ):
            message = _("“%(text)s” isn’t a valid number of points.")
            self._add_fault("score", message % {"text": text[:20]})
        elif points is not None and points.denominator > 1 and self.texts.get("table"):
            message = _(
                "“%(text)s” isn’t a whole number. Points at a table must be whole "
                "numbers."
            )
            self._add_fault("score", message % {"text": text[:20]})

    def _parse_player_name(self) -> str:
        name = self.texts.get("player", "")
        if "family" in self.texts and "first" in self.texts:
            name = f"{self.texts['first']} {self.texts['family']}".strip()
        else:
            # Lists sorted by family names have “Müller, Anna”.
            name = first_name_first(name.lstrip(PLAYER_CELL))
        name = normalize_text(name)
        fault = find_name_fault(name)
        if not 1 <= len(name) <= LONGEST_NAME:
            message = _("a name needs 1 to %(most)s printable characters.")
            self._add_fault("player", message % {"most": LONGEST_NAME})
        elif fault:
            self._add_fault("player", translate(fault))
        return name


def _find_event_faults(event: PastEvent) -> list[CellFault]:
    event_labels = {"event": event.name, "line": event.rows[0].original_line_number}
    lowest, highest = _partition(
        [row for row in event.rows if row.game == event.game],
        lambda row: row.lowest_wins,
    )
    if lowest and highest:
        message = _(
            "In some lines of “%(event)s” (from line %(line)s) the lowest total wins, "
            "in others the highest."
        )
        return [
            CellFault(message % event_labels, row.line, LOWEST_WINS)
            for row in min(lowest, highest, key=len)[: MOST_FAULTS + 1]
        ]
    seated, unseated = _partition(event.rows, lambda row: row.table > 0)
    if seated and unseated:
        message = _(
            "Some players in “%(event)s” (from line %(line)s) have a table and some "
            "don’t."
        )
        return [
            CellFault(message % event_labels, row.line, "table")
            for row in min(unseated, seated, key=len)[: MOST_FAULTS + 1]
        ]
    faults = []
    if event.has_tables:
        for number in sorted({row.round for row in event.rows}):
            rows = [row for row in event.rows if row.round == number]
            if duplicate := _find_first_and_last_duplicate(rows):
                message = _(
                    "“%(player)s” is listed twice in round %(round)s of “%(event)s”."
                )
                labels = {
                    "event": event.name,
                    "round": number,
                    "player": duplicate[0].player,
                }
                faults.append(CellFault(message % labels, duplicate[1].line, "player"))
            for table, seats in sorted(Counter(row.table for row in rows).items()):
                if not 2 <= seats <= MOST_SEATS:
                    message = ngettext(
                        "Table %(table)s in round %(round)s of “%(event)s” has %(n)s "
                        "player. A table needs 2 to 8.",
                        "Table %(table)s in round %(round)s of “%(event)s” has %(n)s "
                        "players. A table needs 2 to 8.",
                        seats,
                    )
                    labels_of_table = {
                        "event": event.name,
                        "round": number,
                        "table": table,
                        "n": seats,
                    }
                    line = next(row.line for row in rows if row.table == table)
                    faults.append(CellFault(message % labels_of_table, line, "table"))
        return faults
    if duplicate := _find_first_and_last_duplicate(event.rows):
        message = _("“%(player)s” is listed twice in “%(event)s” (from line %(line)s).")
        player_labels = {**event_labels, "player": duplicate[0].player}
        faults.append(CellFault(message % player_labels, duplicate[1].line, "player"))
    with_place, without_place = _partition(
        event.rows, lambda row: row.place is not None
    )
    if with_place and without_place:
        message = _(
            "Some players in “%(event)s” (from line %(line)s) have a place and some "
            "don’t."
        )
        faults += [
            CellFault(message % event_labels, row.line, "place")
            for row in min(without_place, with_place, key=len)[: MOST_FAULTS + 1]
        ]
    return faults


def _partition(
    rows: Sequence[PastResultRow], has: Callable[[PastResultRow], bool]
) -> tuple[list[PastResultRow], list[PastResultRow]]:
    """Return the rows for which `has` is true, and the others."""
    return [row for row in rows if has(row)], [row for row in rows if not has(row)]


def _find_first_and_last_duplicate(
    rows: Sequence[PastResultRow],
) -> tuple[PastResultRow, PastResultRow] | None:
    """Return the first and last line of a person with several lines; None if there is none."""
    by_person: dict[str, list[PastResultRow]] = {}
    for row in rows:
        by_person.setdefault(same_name_key(row.player), []).append(row)
    return next(((own[0], own[-1]) for own in by_person.values() if own[1:]), None)


def scores_or_place_points(rows: Sequence[PastResultRow]) -> dict[str, int | None]:
    """Return the score of each player of a table; None at a void table without points.

    If only places are known, the first of n players has n points and the last has 1, or the
    other way round if the fewest points win.
    """
    if all(row.score is not None for row in rows):
        return {row.player: int(row.score or 0) for row in rows}
    if any(row.is_void for row in rows):
        return {
            row.player: None if row.score is None else int(row.score) for row in rows
        }
    places: dict[str, int | None] = {row.player: row.place or len(rows) for row in rows}
    if rows[0].rules.fewest_points_win:
        return places
    return {row.player: len(rows) + 1 - (row.place or len(rows)) for row in rows}


def final_places(event: PastEvent) -> dict[str, int]:
    """Return the final place of each player of an event without tables."""
    if all(row.place is not None for row in event.rows):
        return {row.player: row.place or 0 for row in event.rows}
    rules = GAMES[event.game].variant_for_options(event.options)
    ranks = rules.rank_points([Fraction(row.score or 0) for row in event.rows])
    return {row.player: rank for row, rank in zip(event.rows, ranks, strict=True)}
