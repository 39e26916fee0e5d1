"""A player's place in a running tournament: table, seat, next step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.formats import date_format, time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.pages.sheet import Sheet, sheet_of
from scoring.rules import GAMES
from tournaments.event.desk.holes import Holes, lane_of_time
from tournaments.event.desk.overview import next_step
from tournaments.event.onward import warning_of
from tournaments.event.rounds import is_table_confirmed
from tournaments.event.waiting_list import waiting_position
from tournaments.models import (
    Entry,
    Place,
    Round,
    Standings,
    StandingsRow,
    Table,
    Tournament,
)
from tournaments.models.round_names import round_name, round_subject
from tournaments.web.night.pages import latest_round, own_table
from tournaments.web.standings.lines import StandingsTable, standings_table
from tournaments.web.standings.prospects import OwnProspect, own_prospect

AROUND = 1
"""Lines of the standings that are shown before and after one's own."""
STEPS = 18
"""Of the lane under the clock, between its holes."""
OPPOSITE = 4
"""Players at the table that is drawn with a seat on each side."""


class Moment(StrEnum):
    """What a night is about for a player."""

    COMING = "coming"
    """Nobody is seated yet."""
    SEATED = "seated"
    """They have a table in the round that is on."""
    RESTING = "resting"
    """The round that is on goes without them."""
    BETWEEN = "between"
    """One round is over, and the next is not seated."""
    WAITING = "waiting"
    """They wait for a place while others play."""
    LATE = "late"
    """Others play already, and they have not come yet."""
    PLAYED = "played"
    """All rounds that were planned are in, and the tournament is not finished."""
    OVER = "over"
    LEFT = "left"
    """They went home, or did not come."""


class Neighbour(NamedTuple):
    """Somebody at the table, as whoever looks sees them from their own seat."""

    seat: int
    name: str
    side: str
    """`own`, and at a table of four `left`, `across` or `right`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MyNight:
    """Everything that a player's own page shows."""

    moment: Moment
    entry: Entry
    sentence: str
    hint: str
    round: Round | None
    table: Table | None
    neighbours: Sequence[Neighbour]
    sheet: Sheet | None
    """Of the match at the table, once it has a hand."""
    confirms: bool
    """Whether the table's result waits for its players."""
    prospect: OwnProspect | None
    row: StandingsRow | None
    """Their line of the standings."""
    players: int
    """How many lines there are."""
    around: StandingsTable | None
    """Their line and its neighbours; between two rounds."""
    begins_at: datetime | None
    """In the last hours before it begins: when."""
    time: Holes | None
    """How much of the round has passed at their table; while it runs."""
    warning: str
    """From the last hand on, when their table counts as it stands; empty where it has all the time."""
    waiting: str
    """Their position on the waiting list, in words; empty for an entry with a place."""

    @property
    def has_clock(self) -> bool:
        """Tell whether time is running for them."""
        return (
            self.table is not None
            and self.round is not None
            and self.round.state == Round.State.RUNNING
            and self.table.ends_at is not None
            and not (self.table.match is not None and self.table.match.finished)
        )

    @property
    def may_be_late(self) -> bool:
        """Tell whether their table waits for its first hand, and nobody else's hand is in."""
        return (
            self.moment is Moment.SEATED
            and self.round is not None
            and self.round.state == Round.State.PUBLISHED
            and self.sheet is None
        )

    @property
    def is_late(self) -> bool:
        """Tell whether they said that they come late."""
        places = self.table.places.all() if self.table else ()
        return any(place.late for place in places if place.entry_id == self.entry.pk)

    @property
    def late_others(self) -> str:
        """Return who else of their table comes late, by name; empty for nobody."""
        places = self.table.places.all() if self.table else ()
        return ", ".join(
            place.name
            for place in places
            if place.late and place.entry_id != self.entry.pk
        )

    @property
    def news(self) -> str:
        """Return what differs whenever there is something to look at: a phone sounds then."""
        table = self.table
        at_table = table.call_sentence if table else ""
        state = self.round and self.round.state
        return repr(
            (self.sentence, state, self.confirms, at_table, self.warning, self.waiting)
        )

    @property
    def place_in_words(self) -> str:
        """Return how they stand, as in `2nd of 12`; empty before a result."""
        if self.row is None or not self.row.tables:
            return ""
        words = _("%(place)s of %(n)s")
        return words % {"place": ordinal(self.row.rank), "n": self.players}


def my_night(
    tournament: Tournament, entry: Entry, shown: Standings | None, now: datetime
) -> MyNight:
    """Return what a player's own page shows; `shown` are the standings that are public."""
    current = None if tournament.is_league else latest_round(tournament)
    own = own_table(tournament, entry.pk)
    table = own.table if own else None
    moment = _moment(tournament, entry, current, table)
    places = list(table.places.all()) if table else []
    lines = list(shown.lines()) if shown else []
    row = next((line for line in lines if line.entry_id == entry.pk), None)
    begun = table is not None and table.match is not None and table.match.version > 0
    sheet = sheet_of(table.match) if begun and table and table.match else None
    is_over = sheet is not None and sheet.state.finished
    waiting = waiting_words(entry)
    return MyNight(
        moment=moment,
        entry=entry,
        sentence=waiting
        or _sentence(tournament, moment, current, table, row, lines, now),
        hint=_hint(tournament, moment, current, table),
        round=current,
        table=table,
        neighbours=_neighbours(places, entry),
        sheet=sheet,
        confirms=is_over
        and table is not None
        and not table.disputed
        and not is_table_confirmed(table, tournament.quorum),
        prospect=own_prospect(tournament, shown, entry.pk),
        row=row,
        players=len(lines),
        around=_around(tournament, shown, row)
        if moment in (Moment.BETWEEN, Moment.PLAYED)
        else None,
        begins_at=tournament.starts_at
        if moment is Moment.COMING
        and tournament.takes_check_in(now)
        and tournament.starts_at > now
        else None,
        time=_time_passed(tournament, table, now),
        warning=_warning(table, now),
        waiting=waiting,
    )


def _warning(table: Table | None, now: datetime) -> str:
    if table is None or (table.match is not None and table.match.finished):
        return ""
    is_last = table.round.last_hand_at is not None
    goes_on = table.round.state == Round.State.RUNNING
    return warning_of(table, now) if is_last and goes_on else ""


def _time_passed(
    tournament: Tournament, table: Table | None, now: datetime
) -> Holes | None:
    if table is None or table.ends_at is None:
        return None
    left = table.ends_at - (table.round.paused_at or now)
    return lane_of_time(left=left, minutes=tournament.minutes, steps=STEPS)


def _moment(
    tournament: Tournament, entry: Entry, current: Round | None, table: Table | None
) -> Moment:
    if tournament.phase == Tournament.Phase.FINISHED:
        return Moment.OVER
    if entry.state in (Entry.State.DROPPED, Entry.State.NO_SHOW):
        return Moment.LEFT
    if table is not None:
        return Moment.SEATED
    is_running = tournament.phase == Tournament.Phase.RUNNING
    has_begun = is_running or current is not None
    if has_begun and entry.state == Entry.State.EXPECTED:
        return Moment.LATE
    if has_begun and entry.state == Entry.State.WAITING:
        return Moment.WAITING
    if current is None:
        return Moment.BETWEEN if is_running else Moment.COMING
    if current.state != Round.State.CLOSED:
        return Moment.RESTING
    return Moment.BETWEEN if _goes_on(tournament) else Moment.PLAYED


def _goes_on(tournament: Tournament) -> bool:
    """Tell whether another round follows those that are closed."""
    rounds = list(tournament.rounds.order_by("number"))
    return next_step(tournament, rounds, rounds[-1].tables.count()) != "finish"


def _sentence(
    tournament: Tournament,
    moment: Moment,
    current: Round | None,
    table: Table | None,
    row: StandingsRow | None,
    lines: Sequence[StandingsRow],
    now: datetime,
) -> str:
    match moment:
        case Moment.COMING:
            return _begins(tournament, now)
        case Moment.SEATED if table is not None:
            return _sits(tournament, table)
        case Moment.RESTING if current is not None and current.tables_left is not None:
            words = _("%(round)s is played by those who go on.")
            return words % {"round": round_subject(current)}
        case Moment.RESTING:
            return _("You sit this round out.")
        case Moment.BETWEEN if current is not None:
            words = _("%(round)s is over. The next seats appear here.")
            return words % {"round": round_subject(current)}
        case Moment.LATE:
            return _("You are not here yet.")
        case Moment.PLAYED:
            return _("All rounds are in.")
        case Moment.OVER:
            return _ended(row, lines)
        case Moment.LEFT:
            return _("You do not play any more.")
        case _:
            return _("The next seats appear here.")


def waiting_words(entry: Entry | None) -> str:
    """Return the position on the waiting list in words; empty for an entry with a place."""
    if entry is None or entry.state != Entry.State.WAITING:
        return ""
    position, count = waiting_position(entry)
    words = _("You are %(place)s of %(n)s on the waiting list.")
    return words % {"place": ordinal(position), "n": count}


def _begins(tournament: Tournament, now: datetime) -> str:
    at = localtime(tournament.starts_at)
    if at.date() == localtime(now).date():
        time = time_format(at, "TIME_FORMAT")
        return _("You play at %(time)s.") % {"time": time}
    return _("You play on %(day)s.") % {"day": date_format(at, "DATE_FORMAT")}


def _sits(tournament: Tournament, table: Table) -> str:
    name = round_name(table.round)
    if table.match is not None and table.match.finished:
        return _("%(round)s: your table is over.") % {"round": name}
    words = _("%(round)s: you sit at table %(number)s.")
    return words % {"round": name, "number": table.number}


def _ended(row: StandingsRow | None, lines: Sequence[StandingsRow]) -> str:
    if row is None:
        return _("The night is over.")
    if row.rank == 1 and sum(line.rank == 1 for line in lines) == 1:
        return _("You won!")
    words = _("You are %(place)s of %(n)s.")
    return words % {"place": ordinal(row.rank), "n": len(lines)}


def _hint(
    tournament: Tournament, moment: Moment, current: Round | None, table: Table | None
) -> str:
    if moment is Moment.OVER or moment is Moment.LEFT:
        return tournament.club.name
    if current is None:
        words = ngettext(
            "%(game)s, %(rounds)s round of %(minutes)s minutes",
            "%(game)s, %(rounds)s rounds of %(minutes)s minutes",
            tournament.rounds_planned,
        )
        if tournament.final_size:
            words = ngettext(
                "%(game)s, %(rounds)s round of %(minutes)s minutes, then a final of "
                "%(final)s",
                "%(game)s, %(rounds)s rounds of %(minutes)s minutes, then a final of "
                "%(final)s",
                tournament.rounds_planned,
            )
        one_game = tournament.game_choice == Tournament.GameChoice.TOURNAMENT
        return words % {
            "game": GAMES[tournament.game].name if one_game else _("Several games"),
            "rounds": tournament.rounds_planned,
            "minutes": tournament.minutes,
            "final": tournament.final_size,
        }
    if moment is Moment.PLAYED:
        return _("The result is here once the tournament is finished.")
    if current.state == Round.State.PUBLISHED and table is not None and table.match:
        return _("Begin as soon as your table is complete.")
    if current.tables_left is not None:
        return _("It decides the first places.")
    if current.state == Round.State.PUBLISHED:
        return _("The seats are published; the round begins soon.")
    planned = max(tournament.rounds_planned, current.number)
    words = _("Round %(number)s of %(n)s")
    return words % {"number": current.number, "n": planned}


def _neighbours(places: Sequence[Place], entry: Entry) -> list[Neighbour]:
    """Return who sits at a table, clockwise from one's own seat."""
    own = next((place.index for place in places if place.entry_id == entry.pk), None)
    if own is None:
        # No table, or they were seated elsewhere just now.
        return []
    sides = ["own", *[""] * (len(places) - 1)]
    if len(places) == OPPOSITE:
        sides = ["own", "left", "across", "right"]
    in_order = sorted(places, key=lambda place: (place.index - own) % len(places))
    return [
        Neighbour(place.index, place.name, side)
        for place, side in zip(in_order, sides, strict=True)
    ]


def _around(
    tournament: Tournament, shown: Standings | None, row: StandingsRow | None
) -> StandingsTable | None:
    """Return one's line of the standings, with those before and after it."""
    if shown is None or row is None:
        return None
    table = standings_table(tournament, shown)
    places = range(row.place - AROUND, row.place + AROUND + 1)
    near = [line for line in table.lines if line.row.place in places]
    return replace(table, lines=near)
