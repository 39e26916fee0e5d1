"""A player's place in a running tournament: table, seat, next step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import ordinal
from django.urls import reverse
from django.utils.formats import date_format, time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.pages.sheet import Sheet, load_sheet
from scoring.rules import GAMES
from tournaments.event.desk.holes import Holes, lane_of_time
from tournaments.event.next_seat import lag_warning, last_hand_notice
from tournaments.event.rounds import is_table_confirmed, next_step
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
from tournaments.web.night.pages import (
    OwnTable,
    begins_soon,
    latest_round,
    open_tables,
    own_table,
)
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
    LEAGUE = "league"
    """Matches of a league are begun whenever members meet."""
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
    open_tables: Sequence[OwnTable]
    """Where their matches in a league are not over, or their results wait for somebody; the latest first."""
    prospect: OwnProspect | None
    row: StandingsRow | None
    """Their line of the standings."""
    place_in_words: str
    """How they stand, as in `2nd of 12`, and how that can change; empty before a result."""
    around: StandingsTable | None
    """Their line and its neighbours; between two rounds."""
    begins_at: datetime | None
    """In the last hours before it begins: when."""
    time: Holes | None
    """How much of the round has passed at their table; while it runs."""
    warning: str
    """From the last hand on, what their table does, and when it counts as it stands; else empty."""
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


def my_night(
    tournament: Tournament, entry: Entry, shown: Standings | None, now: datetime
) -> MyNight:
    """Return what a player's own page shows; `shown` are the standings that are public."""
    current = latest_round(tournament)
    own = own_table(tournament, entry.pk)
    table = own.table if own else None
    moment = _moment(tournament, entry, current, table)
    if moment is Moment.LEAGUE:
        current = table = None
    places = list(table.places.all()) if table else []
    lines = list(shown.lines()) if shown else []
    row = next((line for line in lines if line.entry_id == entry.pk), None)
    begun = table is not None and table.match is not None and table.match.version > 0
    sheet = load_sheet(table.match) if begun and table and table.match else None
    is_over = sheet is not None and sheet.state.finished
    waiting = waiting_words(entry)
    place = ""
    if row is not None and row.tables:
        runs = current is not None and current.state == Round.State.RUNNING
        plays_on = runs and shown is not None and not shown.frozen_as
        # A final moves nobody who is not in it.
        plays_on = plays_on and current is not None and row.stage >= current.stage
        mark = _open_place_mark(row, lines, plays_on=plays_on)
        words = _("%(place)s of %(n)s, %(mark)s") if mark else _("%(place)s of %(n)s")
        place = words % {"place": ordinal(row.rank), "n": len(lines), "mark": mark}
    return MyNight(
        moment=moment,
        entry=entry,
        sentence=waiting
        or _sentence(tournament, moment, entry, current, table, row, lines, now),
        hint=_hint(tournament, moment, current, table),
        round=current,
        table=table,
        neighbours=_neighbours(places, entry),
        sheet=sheet,
        confirms=is_over
        and table is not None
        and not table.disputed
        and not is_table_confirmed(table, tournament.quorum),
        open_tables=open_tables(tournament, entry.pk)
        if moment is Moment.LEAGUE
        else (),
        prospect=own_prospect(tournament, shown, entry.pk),
        row=row,
        place_in_words=place,
        around=_around(tournament, shown, row)
        if moment in (Moment.BETWEEN, Moment.PLAYED, Moment.LEAGUE)
        else None,
        begins_at=tournament.starts_at
        if moment is Moment.COMING
        and tournament.is_check_in_open(now)
        and tournament.starts_at > now
        else None,
        time=_time_passed(tournament, table, now),
        warning=_warning(table, now),
        waiting=waiting,
    )


def _warning(table: Table | None, now: datetime) -> str:
    notice = "" if table is None else last_hand_notice(table)
    if table is None or not notice:
        return ""
    return " ".join(filter(None, [notice, lag_warning(table, now)]))


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
    if (
        tournament.is_league
        and entry.state != Entry.State.WAITING
        and (current is None or current.state == Round.State.RUNNING)
        and not (current and current.plays_off)
    ):
        return Moment.LEAGUE
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
    return Moment.PLAYED if _next_step(tournament) == "finish" else Moment.BETWEEN


def _next_step(tournament: Tournament) -> str:
    rounds = list(tournament.rounds.order_by("number"))
    return next_step(tournament, rounds, rounds[-1].tables.count())


def _sentence(
    tournament: Tournament,
    moment: Moment,
    entry: Entry,
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
        case Moment.LEAGUE:
            return _stands(row, lines)
        case Moment.RESTING if current is not None:
            return _rests(current)
        case Moment.BETWEEN if current is not None:
            return _is_over(current, entry)
        case Moment.LATE:
            return _("You are not here yet.")
        case Moment.PLAYED:
            return _("All rounds are in.")
        case Moment.OVER:
            return _ended(row, lines)
        case Moment.LEFT:
            return _("You no longer take part.")
        case _:
            return _("The next seats appear here.")


def _stands(row: StandingsRow | None, lines: Sequence[StandingsRow]) -> str:
    if row is None or not row.tables:
        return _("No match yet.")
    # Matches of others are always open, and a phone sounds when this changes.
    return _ranked(row, lines, row.open_mark)


def _rests(current: Round) -> str:
    if current.playoff_tables is None:
        return _("You sit this round out.")
    words = _("%(round)s is played by those who go on.")
    return words % {"round": round_subject(current)}


def _is_over(current: Round, entry: Entry) -> str:
    words = _("%(round)s is over. The next seats appear here.")
    if current.plays_off and not current.places.filter(entry=entry).exists():
        words = _("%(round)s is over. Those who go on play next.")
    elif _next_step(current.tournament) == "cut":
        words = _("%(round)s is over. Seats of the final appear here.")
    return words % {"round": round_subject(current)}


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
    is_alone = sum(line.rank == 1 for line in lines) == 1
    if row.rank == 1 and is_alone and not row.standings.is_first_open:
        return _("You won!")
    return _ranked(row, lines, _open_place_mark(row, lines, plays_on=False))


def _ranked(row: StandingsRow, lines: Sequence[StandingsRow], mark: str) -> str:
    words = _("You are %(place)s of %(n)s.")
    if mark:
        words = _("You are %(place)s of %(n)s, %(mark)s.")
    return words % {"place": ordinal(row.rank), "n": len(lines), "mark": mark}


def _open_place_mark(
    row: StandingsRow, lines: Sequence[StandingsRow], *, plays_on: bool
) -> str:
    """Return that a place can still change, in a few words; empty where it is final.

    Open results of others can change it, unless they went further, and so can a round that
    `plays_on`.
    """
    level = [line for line in lines if line.stage <= row.stage]
    is_open = plays_on or any(line.unconfirmed for line in level)
    return row.open_mark or (_("as it stands") if is_open else "")


def _hint(
    tournament: Tournament, moment: Moment, current: Round | None, table: Table | None
) -> str:
    if moment in (Moment.OVER, Moment.LEFT, Moment.LEAGUE):
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
    if current.playoff_tables is not None:
        return _("It decides the first places.")
    if current.state == Round.State.PUBLISHED:
        return begins_soon(current)
    if tournament.is_league:
        return tournament.club.name
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


GONE = (Entry.State.DROPPED, Entry.State.NO_SHOW)


class FamilyLine(NamedTuple):
    """One of those who share a phone, as the switch names them."""

    entry: Entry
    words: str
    """Where they have to be, or how they stand."""
    onward: str
    """Where the next tap for them is done: at their pad, or the result of their table."""
    onward_words: str

    @property
    def news(self) -> str:
        """Return what differs whenever they have to look: places change with every hand elsewhere."""
        return repr((self.entry.pk, self.onward, self.onward_words))


def family_lines(
    tournament: Tournament, family: Sequence[Entry], shown: Standings | None
) -> list[FamilyLine]:
    """Return what each of a family has to know first; `shown` are the public standings."""
    current = latest_round(tournament)
    tables: dict[int, Table] = {}
    if current is not None and tournament.is_league and not current.plays_off:
        current = None
    if current is not None and current.state != Round.State.CLOSED:
        places = current.places.filter(entry__in=family)
        tables = {
            place.entry_id: place.table
            for place in places.select_related("table__match")
        }
    lines = list(shown.lines()) if shown else []
    rows = {line.entry_id: line for line in lines if line.tables}
    return [
        FamilyLine(
            entry,
            _words(tournament, entry, tables.get(entry.pk), rows.get(entry.pk)),
            *_onward(tournament, current, entry, tables.get(entry.pk)),
        )
        for entry in family
    ]


def _onward(
    tournament: Tournament, current: Round | None, entry: Entry, table: Table | None
) -> tuple[str, str]:
    """Return the address and the words of the next tap; both empty where there is none."""
    if current is None or table is None or table.match is None:
        return "", ""
    if not table.match.finished:
        return table.match.get_absolute_url(), _("To the pad")
    place = [tournament.address, current.number, table.number]
    at_table = reverse("tournaments:table", args=place)
    return f"{at_table}?for={entry.number}", _("Look at the result")


def _words(
    tournament: Tournament,
    entry: Entry,
    table: Table | None,
    row: StandingsRow | None,
) -> str:
    if tournament.phase == Tournament.Phase.FINISHED and row is not None:
        place = str(ordinal(row.rank))
        return f"{place}, {row.open_mark}" if row.open_mark else place
    if entry.state in GONE:
        return entry.get_state_display()
    if entry.state == Entry.State.WAITING:
        return waiting_words(entry)
    if table is not None and table.match is not None and table.match.finished:
        return _("table %(number)s is over") % {"number": table.number}
    if table is not None:
        return _("table %(number)s") % {"number": table.number}
    if row is not None:
        return _("%(place)s now") % {"place": ordinal(row.rank)}
    return entry.get_state_display()
