"""A player's place in a running tournament: table, seat, next step."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import ordinal
from django.urls import reverse
from django.utils.formats import date_format, time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.pages.sheet import Sheet, load_sheet
from tournaments.event.desk.holes import ProgressHoles, elapsed_time_lane
from tournaments.event.next_seat import deadline_notice, last_hand_notice
from tournaments.event.rounds import directors_next_step, is_table_confirmed
from tournaments.event.waiting_list import waiting_position_and_count
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
    latest_published_round,
    own_table,
    seats_drawn_sentence,
    tables_without_final_result,
)
from tournaments.web.standings.lines import StandingsTable, build_standings_table
from tournaments.web.standings.prospects import OwnProspect, own_prospect

NEARBY = 1
"""Lines of the standings shown before and after the player's own."""
STEPS = 18
"""Steps between the holes of the lane under the clock."""
OPPOSITE = 4
"""Players at a table that is drawn with a seat on each side."""


class PlayerPhase(StrEnum):
    COMING = "coming"
    """No round is published yet."""
    SEATED = "seated"
    """The player has a table in the current round."""
    RESTING = "resting"
    """The player sits out the current round."""
    BETWEEN = "between"
    """A round is over, and the next is not published."""
    LEAGUE = "league"
    """The league is open: members begin matches themselves."""
    WAITING = "waiting"
    """The player is on the waiting list while others play."""
    LATE = "late"
    """Others play already, but the player has not checked in."""
    PLAYED = "played"
    """All planned rounds are over, but the tournament is not finished."""
    OVER = "over"
    LEFT = "left"
    """The player dropped out, or did not come."""


SENTENCES = {
    PlayerPhase.LEAGUE: gettext_lazy("No match yet."),
    PlayerPhase.RESTING: gettext_lazy("You’re sitting out this round."),
    PlayerPhase.LATE: gettext_lazy("You’re not checked in yet."),
    PlayerPhase.PLAYED: gettext_lazy("All rounds are over."),
    PlayerPhase.LEFT: gettext_lazy("You’re no longer taking part."),
}


class PlayerAtTable(NamedTuple):
    """A player at the table, as seen from the visitor's own seat."""

    seat: int
    name: str
    side: str
    """`own`; at a table of four `left`, `across` or `right` for the others, else empty."""


class MyNight:
    """The content of a player's own page; `standings` are those the player may see."""

    def __init__(
        self,
        tournament: Tournament,
        entry: Entry,
        standings: Standings | None,
        now: datetime,
    ) -> None:
        self.tournament, self.entry = tournament, entry
        self.standings, self.now = standings, now
        self.round = latest_published_round(tournament)
        own = own_table(tournament, entry.pk)
        self.table = own.table if own else None
        self.phase = self._find_phase()
        if self.phase is PlayerPhase.LEAGUE:
            self.round = self.table = None
        self.rows: Sequence[StandingsRow] = (
            list(standings.rows_with_names()) if standings else []
        )
        self.row = next((row for row in self.rows if row.entry_id == entry.pk), None)
        self.waiting = waiting_list_sentence(entry)

    def _find_phase(self) -> PlayerPhase:
        tournament, entry, current = self.tournament, self.entry, self.round
        is_running = tournament.phase == Tournament.Phase.RUNNING
        has_begun = is_running or current is not None
        if tournament.phase == Tournament.Phase.FINISHED:
            return PlayerPhase.OVER
        if entry.state in (Entry.State.DROPPED, Entry.State.NO_SHOW):
            return PlayerPhase.LEFT
        if (
            tournament.is_league
            and entry.state != Entry.State.WAITING
            and (current is None or current.state == Round.State.RUNNING)
            and not (current and current.is_playoff)
        ):
            return PlayerPhase.LEAGUE
        if self.table is not None:
            return PlayerPhase.SEATED
        if has_begun and entry.state == Entry.State.EXPECTED:
            return PlayerPhase.LATE
        if has_begun and entry.state == Entry.State.WAITING:
            return PlayerPhase.WAITING
        if current is None:
            return PlayerPhase.BETWEEN if is_running else PlayerPhase.COMING
        if current.state != Round.State.CLOSED:
            return PlayerPhase.RESTING
        is_last = self._next_desk_verb == "finish"
        return PlayerPhase.PLAYED if is_last else PlayerPhase.BETWEEN

    @cached_property
    def _next_desk_verb(self) -> str:
        rounds = list(self.tournament.rounds.order_by("number"))
        return directors_next_step(self.tournament, rounds, rounds[-1].tables.count())

    @property
    def _seated_places(self) -> Sequence[Place]:
        return list(self.table.places.all()) if self.table else []

    @property
    def has_clock(self) -> bool:
        return (
            self.table is not None
            and self.round is not None
            and self.round.state == Round.State.RUNNING
            and self.table.ends_at is not None
            and not (self.table.match is not None and self.table.match.finished)
        )

    @cached_property
    def sheet(self) -> Sheet | None:
        """The sheet of the player's match, once it has a hand; else None."""
        match = self.table.match if self.table else None
        return load_sheet(match) if match is not None and match.version > 0 else None

    @property
    def is_table_awaiting_confirmation(self) -> bool:
        """Whether the table's result has to be confirmed by its players."""
        table = self.table
        return (
            table is not None
            and self.sheet is not None
            and self.sheet.state.finished
            and not table.disputed
            and not is_table_confirmed(table, self.tournament.quorum)
        )

    @cached_property
    def open_league_tables(self) -> Sequence[OwnTable]:
        """The player's league matches without a final result, the latest first."""
        if self.phase is not PlayerPhase.LEAGUE:
            return ()
        return tables_without_final_result(self.tournament, self.entry.pk)

    @cached_property
    def prospect(self) -> OwnProspect | None:
        return own_prospect(self.tournament, self.standings, self.entry.pk)

    @property
    def check_in_countdown_end(self) -> datetime | None:
        """The start of the tournament, while check-in is open before it; else None."""
        starts_at = self.tournament.starts_at
        is_soon = self.tournament.is_check_in_open(self.now) and starts_at > self.now
        return starts_at if self.phase is PlayerPhase.COMING and is_soon else None

    @property
    def elapsed_time_holes(self) -> ProgressHoles | None:
        """Elapsed time of the round at the player's table; None without a clock."""
        table = self.table
        if table is None or table.ends_at is None:
            return None
        time_left = table.ends_at - (table.round.paused_at or self.now)
        return elapsed_time_lane(
            remaining=time_left, minutes=self.tournament.minutes, steps=STEPS
        )

    @cached_property
    def last_hand_warning(self) -> str:
        """The last hand's notice, and when the unfinished table is counted; else empty."""
        notice = last_hand_notice(self.table) if self.table else ""
        if self.table is None or not notice:
            return ""
        return " ".join(filter(None, [notice, deadline_notice(self.table, self.now)]))

    @property
    def is_waiting_to_start(self) -> bool:
        """Whether the player has a table, and neither its round nor its match has begun."""
        return (
            self.phase is PlayerPhase.SEATED
            and self.round is not None
            and self.round.state == Round.State.PUBLISHED
            and self.sheet is None
        )

    @property
    def is_running_late(self) -> bool:
        return any(
            place.late
            for place in self._seated_places
            if place.entry_id == self.entry.pk
        )

    @property
    def late_other_names(self) -> str:
        """Names of the other late players at the table, separated by commas."""
        return ", ".join(
            place.name
            for place in self._seated_places
            if place.late and place.entry_id != self.entry.pk
        )

    @property
    def players_clockwise(self) -> Sequence[PlayerAtTable]:
        """The players of the table, clockwise from the player's own seat."""
        places = self._seated_places
        own = [place.index for place in places if place.entry_id == self.entry.pk]
        if not own:
            # No table, or the player was just moved to another one.
            return []
        sides = ["own", *[""] * (len(places) - 1)]
        if len(places) == OPPOSITE:
            sides = ["own", "left", "across", "right"]
        in_order = sorted(
            places, key=lambda place: (place.index - own[0]) % len(places)
        )
        return [
            PlayerAtTable(place.index, place.name, side)
            for place, side in zip(in_order, sides, strict=True)
        ]

    @cached_property
    def nearby_standings_between_rounds(self) -> StandingsTable | None:
        """The player's line of the standings and its neighbours, between rounds; else None."""
        phases = (PlayerPhase.BETWEEN, PlayerPhase.PLAYED, PlayerPhase.LEAGUE)
        if self.standings is None or self.row is None or self.phase not in phases:
            return None
        table = build_standings_table(self.tournament, self.standings)
        first, last = self.row.place - NEARBY, self.row.place + NEARBY
        near = [line for line in table.lines if first <= line.row.place <= last]
        return replace(table, lines=near)

    @cached_property
    def rank_among_players(self) -> str:
        """The player's rank, as in `2nd of 12`, and if it can change; empty before a result."""
        current, row = self.round, self.row
        if row is None or not row.tables:
            return ""
        is_round_running = (
            current is not None
            and current.state == Round.State.RUNNING
            and self.standings is not None
            and not self.standings.frozen_as
            # A final does not change the ranks of players outside it.
            and row.stage >= current.stage
        )
        mark = self._open_rank_mark(row, is_round_running=is_round_running)
        text = _("%(place)s of %(n)s, %(mark)s") if mark else _("%(place)s of %(n)s")
        return text % {
            "place": ordinal(row.rank),
            "n": len(self.rows),
            "mark": mark,
        }

    def _open_rank_mark(self, row: StandingsRow, *, is_round_running: bool) -> str:
        """Return a few words if a rank can still change; empty if it is final.

        It can change while a round is running, and with unconfirmed results of players that got
        no further than this one.
        """
        level = [line for line in self.rows if line.stage <= row.stage]
        is_open = is_round_running or any(line.unconfirmed for line in level)
        return row.open_result_label or (_("for now") if is_open else "")

    def _rank_sentence(self, row: StandingsRow, mark: str) -> str:
        text = _("You’re %(place)s of %(n)s.")
        if mark:
            text = _("You’re %(place)s of %(n)s, %(mark)s.")
        return text % {"place": ordinal(row.rank), "n": len(self.rows), "mark": mark}

    @cached_property
    def heading(self) -> str:
        phase, current, table, row = self.phase, self.round, self.table, self.row
        if self.waiting:
            return self.waiting
        if phase is PlayerPhase.SEATED and table is not None:
            name = round_name(table.round)
            if table.match is not None and table.match.finished:
                return _("%(round)s: your table is done.") % {"round": name}
            text = _("%(round)s: you’re at table %(number)s.")
            return text % {"round": name, "number": table.number}
        if phase is PlayerPhase.BETWEEN and current is not None:
            return self._round_over_sentence(current)
        if phase is PlayerPhase.LEAGUE and row is not None and row.tables:
            # Only the player's own open results: other matches are always open, and the phone
            # sounds whenever this sentence changes.
            return self._rank_sentence(row, row.open_result_label)
        if (
            phase is PlayerPhase.RESTING
            and current
            and current.playoff_table_count is not None
        ):
            text = _("%(round)s is only for players who advanced.")
            return text % {"round": round_subject(current)}
        if phase is PlayerPhase.COMING:
            at = localtime(self.tournament.starts_at)
            if at.date() == localtime(self.now).date():
                time = time_format(at, "TIME_FORMAT")
                return _("You play at %(time)s.") % {"time": time}
            return _("You play on %(day)s.") % {"day": date_format(at, "DATE_FORMAT")}
        if phase is PlayerPhase.OVER:
            return self._tournament_over_sentence()
        return str(SENTENCES.get(phase, _("The next seats will appear here.")))

    def _round_over_sentence(self, current: Round) -> str:
        text = _("%(round)s is over. The next seats will appear here.")
        has_played = current.places.filter(entry=self.entry).exists
        if current.is_playoff and not has_played():
            text = _("%(round)s is over. The players who advance are next.")
        elif self._next_desk_verb == "cut":
            text = _("%(round)s is over. The seats for the final will appear here.")
        return text % {"round": round_subject(current)}

    def _tournament_over_sentence(self) -> str:
        row = self.row
        if row is None:
            return _("The night is over.")
        is_alone = sum(line.rank == 1 for line in self.rows) == 1
        if row.rank == 1 and is_alone and not row.standings.is_first_open:
            return _("You won!")
        return self._rank_sentence(
            row, self._open_rank_mark(row, is_round_running=False)
        )

    @property
    def hint(self) -> str:
        """The text below the heading."""
        tournament, current = self.tournament, self.round
        in_club = (PlayerPhase.OVER, PlayerPhase.LEFT, PlayerPhase.LEAGUE)
        if self.phase in in_club:
            return tournament.club.name
        if current is None:
            text = ngettext(
                "%(game)s, %(rounds)s round of %(minutes)s minutes",
                "%(game)s, %(rounds)s rounds of %(minutes)s minutes",
                tournament.rounds_planned,
            )
            if tournament.final_size:
                text = ngettext(
                    "%(game)s, %(rounds)s round of %(minutes)s minutes, then a final "
                    "with %(final)s players",
                    "%(game)s, %(rounds)s rounds of %(minutes)s minutes, then a final "
                    "with %(final)s players",
                    tournament.rounds_planned,
                )
            return text % {
                "game": tournament.game_title,
                "rounds": tournament.rounds_planned,
                "minutes": tournament.minutes,
                "final": tournament.final_size,
            }
        if self.phase is PlayerPhase.PLAYED:
            return _("The result will appear here once the tournament is finished.")
        is_published = current.state == Round.State.PUBLISHED
        if is_published and self.table is not None and self.table.match:
            return _("Start as soon as everyone is at the table.")
        if current.playoff_table_count is not None:
            return _("This round decides the top ranks.")
        if is_published:
            return seats_drawn_sentence(current)
        if tournament.is_league:
            return tournament.club.name
        planned = max(tournament.rounds_planned, current.number)
        text = _("Round %(number)s of %(n)s")
        return text % {"number": current.number, "n": planned}

    @property
    def alert_key(self) -> str:
        """A text that changes with every event worth a look; the phone sounds then."""
        at_table = self.table.dispute_or_call_status if self.table else ""
        state = self.round and self.round.state
        return repr(
            (
                self.heading,
                state,
                self.is_table_awaiting_confirmation,
                at_table,
                self.last_hand_warning,
                self.waiting,
            )
        )


def waiting_list_sentence(entry: Entry | None) -> str:
    """Return the position on the waiting list in words; empty for an entry with a place."""
    if entry is None or entry.state != Entry.State.WAITING:
        return ""
    position, count = waiting_position_and_count(entry)
    text = _("You’re %(place)s of %(n)s on the waiting list.")
    return text % {"place": ordinal(position), "n": count}


class SharedPhonePlayer(NamedTuple):
    """A player of a shared phone, as a line of its switch."""

    entry: Entry
    status: str
    """The player's table, rank or state."""
    next_address: str
    """URL of the player's match, or of its result to confirm; empty without a match."""
    next_label: str

    @property
    def alert_key(self) -> str:
        """A text that changes when the player has to look; not with ranks, which change often."""
        return repr((self.entry.pk, self.next_address, self.next_label))


def build_shared_phone_players(
    tournament: Tournament, family: Sequence[Entry], standings: Standings | None
) -> list[SharedPhonePlayer]:
    """Return a line for each player of a phone; `standings` are those it may see."""
    current = latest_published_round(tournament)
    tables: dict[int, Table] = {}
    if current is not None and tournament.is_league and not current.is_playoff:
        current = None
    if current is not None and current.state != Round.State.CLOSED:
        places = current.places.filter(entry__in=family)
        tables = {
            place.entry_id: place.table
            for place in places.select_related("table__match")
        }
    rows = (
        {line.entry_id: line for line in standings.rows_with_names()}
        if standings
        else {}
    )
    lines = []
    for entry in family:
        table, row = tables.get(entry.pk), rows.get(entry.pk)
        address = label = ""
        if current is not None and table is not None and table.match is not None:
            address, label = table.match.get_absolute_url(), _("Open scorepad")
            if table.match.finished:
                place = [tournament.address, current.number, table.number]
                at_table = reverse("tournaments:table", args=place)
                address = f"{at_table}?for={entry.number}"
                label = _("Check the result")
        status = _player_status_in_words(
            tournament, entry, table, row if row and row.tables else None
        )
        lines.append(SharedPhonePlayer(entry, status, address, label))
    return lines


def _player_status_in_words(
    tournament: Tournament,
    entry: Entry,
    table: Table | None,
    row: StandingsRow | None,
) -> str:
    if tournament.phase == Tournament.Phase.FINISHED and row is not None:
        place = str(ordinal(row.rank))
        return f"{place}, {row.open_result_label}" if row.open_result_label else place
    if entry.state in (Entry.State.DROPPED, Entry.State.NO_SHOW):
        return entry.get_state_display()
    if entry.state == Entry.State.WAITING:
        return waiting_list_sentence(entry)
    if table is not None and table.match is not None and table.match.finished:
        return _("table %(number)s is done") % {"number": table.number}
    if table is not None:
        return _("table %(number)s") % {"number": table.number}
    if row is not None:
        return _("%(place)s now") % {"place": ordinal(row.rank)}
    return entry.get_state_display()
