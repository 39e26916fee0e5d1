"""The projector's pages: seats, clock, standings, podium and how to join."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format, time_format
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.event.desk.holes import ProgressHoles, elapsed_time_lane
from tournaments.event.next_seat import find_step_for_players, step_announcement_text
from tournaments.event.results import read_scored_rounds
from tournaments.exact import PARTS, format_exact_number, format_in_one_notation
from tournaments.models import (
    AutoStep,
    Round,
    Standings,
    StandingsRow,
    Tournament,
)
from tournaments.names import localized_sort_key
from tournaments.people.club_state import page_version
from tournaments.web.access import in_tournament
from tournaments.web.display.page_layout import (
    FEWEST_ROUNDS,
    GAP,
    MOST_ROUNDS,
    NARROWEST_NAMES,
    SMALLEST_FONT,
    SMALLEST_SIZE,
    WIDTH,
    ProjectedSeatsPage,
    ProjectedStandingsLine,
    ProjectedStandingsPage,
    SeatingListRow,
    cells_width_in_pixels,
    count_announcement_rows,
    fits_next_to_name,
    paginate_seats,
    paginate_standings,
    points_width_in_pixels,
    width_in_ems,
)
from tournaments.web.night.pages import latest_published_round
from tournaments.web.night.rounds import BracketColumn, build_bracket_columns
from tournaments.web.standings.lines import (
    PodiumStep,
    after_round_title,
    build_team_table,
    podium,
    previous_ranks_by_entry,
    round_number_or_name,
    stage_headings,
    table_status_sentences,
    winners_headline,
)
from tournaments.web.standings.point_columns import PointGrid, point_grid
from tournaments.web.standings.prospects import (
    contenders_sentence,
)

FRACTIONS = "".join(PARTS.values())
WIDEST_ON_PODIUM = 12
"""Widest names of a podium step in large type, in ems."""
MOST_BRACKET_COLUMNS = 4
BRACKET_HEIGHT = 590
"""Pixels for the tables of a round, below the clock."""
BRACKET_PADDING = 56
"""Pixels left and right of a name in the bracket."""
HOLES = 50
"""Holes in the lane of the clock; a divisor of 100."""


class ProjectorContent(NamedTuple):
    game: str
    """Game whose cloth is the background; empty for the default one."""
    progress_heading: str
    """How far the tournament is, as a title."""
    announcements: Sequence[str]
    round: Round | None
    """The round with a clock; None if no round is running."""
    next_step: AutoStep | None
    """The autopilot's next step, if no round is running until then."""
    time: ProgressHoles | None
    """Elapsed part of that round."""
    seats: Sequence[ProjectedSeatsPage]
    steps: Sequence[PodiumStep]
    """The podium, once the tournament is finished."""
    winners: str
    standings: Sequence[ProjectedStandingsPage]
    bracket: Sequence[BracketColumn]
    """The playoff rounds; empty if they don't fit."""
    standings_note: str
    """The time or round of the standings, and their open results."""
    possible_winners: str
    """A sentence about the players that can still win; empty if unknown."""
    clock_only: bool
    join: bool

    @property
    def page_count(self) -> int:
        """Number of pages in rotation."""
        lists = len(self.seats) + len(self.standings)
        return (
            lists
            + bool(self.bracket)
            + bool(self.steps)
            + self.has_clock_page
            + self.join
        )

    @property
    def has_long_podium_names(self) -> bool:
        names = (", ".join(step.names) for step in self.steps)
        return max(map(width_in_ems, names), default=0) > WIDEST_ON_PODIUM

    @property
    def has_clock_page(self) -> bool:
        return self.clock_only and self.round is not None


def read_projector_screen(tournament: Tournament, now: datetime) -> ProjectorContent:
    """Return the projector's content: all pages in turn, or those that the director chose."""
    kind = Tournament.Screen
    current = latest_published_round(tournament)
    pages = {tournament.screen}
    if tournament.screen == kind.TURNS:
        # Before the first seating the room needs the link to join; later the seats and the
        # standings too.
        pages = {kind.SEATS, kind.STANDINGS} if current else set()
        pages.add(kind.JOIN)
    # If each table chooses its game, the screen has the default cloth.
    game = ""
    if tournament.game_choice != Tournament.GameChoice.TABLE:
        game = tournament.game
        if current is not None:
            game = current.game or tournament.default_round_game(current.number)
    announcements = [
        announcement.text for announcement in tournament.announcements.active()
    ]
    if current and current.last_hand_at and current.state == Round.State.RUNNING:
        announcements.append(_("Last hand. Finish this one and don’t start another."))
    step = find_step_for_players(tournament)
    if step is not None:
        announcements.append(step_announcement_text(step))
    used_rows = count_announcement_rows(announcements)
    standings = tournament.standings.all().find_public(tournament)
    lines = standings.rows_with_names() if standings and kind.STANDINGS in pages else []
    possible_winners = contenders_sentence(standings) if lines else ""
    if tournament.screen == kind.TURNS and not any(row.tables for row in lines):
        # Before the first result all players share the lead: leave the standings out.
        lines = []
    seats = []
    if current and current.state != Round.State.CLOSED and kind.SEATS in pages:
        seats = list_seats_and_byes_by_name(current)
    running = (
        current
        if current and current.state == Round.State.RUNNING and current.ends_at
        else None
    )
    time = None
    if running and running.ends_at:
        time_left = running.ends_at - (running.paused_at or now)
        time = elapsed_time_lane(
            remaining=time_left, minutes=tournament.minutes, steps=HOLES
        )
    steps = (
        podium((row.rank, row.names, format_exact_number(row.points)) for row in lines)
        if tournament.phase == Tournament.Phase.FINISHED
        else []
    )
    return ProjectorContent(
        game=game,
        progress_heading=_progress_heading(tournament, current),
        announcements=announcements,
        round=running,
        next_step=None if running else step,
        time=time,
        seats=paginate_seats(seats, used_rows=used_rows),
        steps=steps,
        winners=winners_headline(lines) if steps else "",
        standings=[
            *_standings_pages(tournament, standings, lines, used_rows),
            *_team_pages(tournament, lines, used_rows),
        ]
        if standings
        else [],
        bracket=_fitting_bracket_columns(tournament, used_rows) if lines else [],
        standings_note=_standings_note(tournament, current, standings),
        possible_winners=possible_winners,
        clock_only=kind.CLOCK in pages,
        join=kind.JOIN in pages or not (seats or lines),
    )


def _progress_heading(tournament: Tournament, current: Round | None) -> str:
    if tournament.phase == Tournament.Phase.FINISHED:
        return _("The result")
    if current is None or (tournament.is_league and not current.is_playoff):
        return date_format(tournament.day, "DATE_FORMAT")
    if current.state == Round.State.CLOSED:
        return after_round_title(current)
    return round_number_or_name(current)


def _standings_note(
    tournament: Tournament, current: Round | None, standings: Standings | None
) -> str:
    """Return the round or time of the standings, if the title lacks it, and the open results."""
    if standings is None:
        return ""
    note = ""
    runs = current is not None and current.state != Round.State.CLOSED
    if standings.frozen_as and current and runs:
        previous = tournament.rounds.filter(number=current.number - 1).first()
        note = after_round_title(previous) if previous else ""
    elif runs or tournament.is_league:
        time = time_format(localtime(standings.computed_at), "TIME_FORMAT")
        note = _("As of %(time)s") % {"time": time}
    open_results = table_status_sentences(tournament, current)
    return capfirst("; ".join(filter(None, [note, *open_results])))


def list_seats_and_byes_by_name(round_: Round) -> list[SeatingListRow]:
    """Return the seats of a round by name, then its byes; empty for the matches of a league."""
    if round_.tournament.is_league and not round_.is_playoff:
        return []
    tables = round_.tables.with_places_and_entries()
    seated = [
        (place.name, place.entry_id, table.number)
        for table in tables
        for place in table.places.all()
    ]
    byes = round_.byes.select_related("entry")
    resting = [(bye.entry.name, bye.entry_id, None) for bye in byes]
    label = _("sits out")

    def order(seat: tuple[str, int, int | None]) -> tuple[bool, object, int]:
        name, entry, number = seat
        return number is None, localized_sort_key(name), entry

    return [
        SeatingListRow(name, number, "" if number else label)
        for name, _entry, number in sorted([*seated, *resting], key=order)
    ]


def _fitting_bracket_columns(
    tournament: Tournament, used_rows: int
) -> list[BracketColumn]:
    """Return the latest playoff rounds whose players fit on one page; none if there is only one."""
    columns = build_bracket_columns(tournament)[-MOST_BRACKET_COLUMNS:]
    while columns and _bracket_height_in_pixels(columns[0]) > BRACKET_HEIGHT:
        del columns[0]
    if used_rows or len(columns) < 2:
        return []
    room = (WIDTH + GAP) / len(columns) - GAP - BRACKET_PADDING
    names_fit = all(
        width_in_ems(seat.place.name) * SMALLEST_SIZE <= room
        for column in columns
        for table in column.tables
        for seat in table.seats
    )
    return columns if names_fit else []


def _bracket_height_in_pixels(column: BracketColumn) -> int:
    seat_count = sum(len(table.seats) for table in column.tables)
    return 38 * seat_count + 24 * len(column.tables)


def _standings_pages(
    tournament: Tournament,
    standings: Standings,
    rows: Sequence[StandingsRow],
    used_rows: int,
) -> list[ProjectedStandingsPage]:
    """Return the standings with the points of rounds, and a heading before each further stage."""
    reasons = [row.open_result_label or row.short_tie_reason for row in rows]
    points_column = [
        _split_fraction(points)
        for points in format_in_one_notation([row.points for row in rows])
    ]
    points_width = points_width_in_pixels(points_column)
    grid = _fitting_point_grid(
        tournament,
        rows,
        [(row.names, reason) for row, reason in zip(rows, reasons, strict=True)],
        points_width,
    )
    heads = [column.head for column in grid.columns]
    side_width = cells_width_in_pixels([heads, *grid.cells]) + points_width
    previous_ranks = previous_ranks_by_entry(standings) if rows else {}
    stages = {row.stage for row in rows}
    headings = stage_headings(tournament, stages) if len(stages) > 1 else {}
    lines = []
    for number, (row, (whole, part), cells, why) in enumerate(
        zip(rows, points_column, grid.cells, reasons, strict=True)
    ):
        if number and row.stage != rows[number - 1].stage:
            lines.append(ProjectedStandingsLine(name=headings[row.stage]))
        previous_rank = previous_ranks.get(row.entry_id)
        lines.append(
            ProjectedStandingsLine(
                name=row.names,
                rank=row.rank,
                moved=None if previous_rank is None else previous_rank - row.rank,
                why=why,
                is_reason_below=not fits_next_to_name(
                    row.names, why, side_width=side_width
                ),
                cells=cells,
                points=whole,
                part=part,
            )
        )
    return paginate_standings(lines, heads=heads, used_rows=used_rows)


def _fitting_point_grid(
    tournament: Tournament,
    rows: Sequence[StandingsRow],
    names_and_reasons: Sequence[tuple[str, str]],
    points_width: float,
) -> PointGrid:
    """Return the points of the last rounds that fit next to the names; the others are one sum.

    Few rounds and all reasons beside the names are better than more rounds.
    """
    scored_rounds = read_scored_rounds(tournament, rows)
    most = min(len(scored_rounds), MOST_ROUNDS)
    grids = [
        point_grid(scored_rounds, rows, most_rounds=count)
        for count in range(most, 0, -1)
    ]
    widths = [
        points_width
        + cells_width_in_pixels([[column.head for column in grid.columns], *grid.cells])
        for grid in grids
    ]
    preferred_count = max(most - FEWEST_ROUNDS, 0) + 1
    for grid, width in zip(grids[:preferred_count], widths, strict=False):
        if all(
            fits_next_to_name(*texts, side_width=width) for texts in names_and_reasons
        ):
            return grid
    for grid, width in zip(grids, widths, strict=True):
        if WIDTH - SMALLEST_FONT.side_width - width >= NARROWEST_NAMES:
            return grid
    return point_grid([], rows)


def _split_fraction(points: str) -> tuple[str, str]:
    """Return the whole part of formatted points, and their fraction."""
    whole = points.rstrip(FRACTIONS)
    return whole, points.removeprefix(whole)


def _team_pages(
    tournament: Tournament, rows: Sequence[StandingsRow], used_rows: int
) -> list[ProjectedStandingsPage]:
    """Return the standings of teams below a heading; no pages before the first result."""
    team_lines = build_team_table(tournament, rows).lines
    points_column = [_split_fraction(line.points) for line in team_lines]
    points_width = points_width_in_pixels(points_column)
    lines = []
    for (line, _points, _members), (whole, part) in zip(
        team_lines, points_column, strict=True
    ):
        why = line.team.missing_text or line.reason
        lines.append(
            ProjectedStandingsLine(
                name=line.team.label,
                rank=line.rank,
                why=why,
                is_reason_below=not fits_next_to_name(
                    line.team.label, why, side_width=points_width
                ),
                points=whole,
                part=part,
            )
        )
    if not lines:
        return []
    heading = ProjectedStandingsLine(name=_("Teams"))
    return paginate_standings([heading, *lines], used_rows=used_rows)


@require_safe
@in_tournament(None)
def projector_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    now = timezone.now()
    # In the club's time zone, regardless of the visitor's.
    timezone.activate(tournament.club.zone)
    context = {
        "tournament": tournament,
        "screen": read_projector_screen(tournament, now),
        "now": now,
    }
    return render(request, "tournaments/display/projector.html", context)


@require_safe
@in_tournament(None)
def poll_projector_version(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    """Return a version of the projector's content as text; 204 if it is `v`.

    The part after a dot is the version of the standings, which may wait for the next page.
    """
    standings = tournament.standings.all().find_public(tournament)
    current = latest_published_round(tournament)
    mark = page_version(
        tournament.club,
        tournament.screen,
        tournament.phase,
        (current.number, current.state, current.ends_at, current.paused_at)
        if current
        else None,
        current.last_hand_at if current else None,
        list(tournament.announcements.active().values_list("pk", flat=True)),
        (step.pk, step.due_at) if (step := find_step_for_players(tournament)) else None,
    )
    if standings:
        mark += f".{standings.pk}" if standings.outlook is None else f".{standings.pk}+"
    if request.GET.get("v") == mark:
        return HttpResponse(status=204)
    return HttpResponse(mark, content_type="text/plain; charset=utf-8")
