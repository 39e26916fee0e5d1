"""Lines of standings, stored or provisional: ranks, movement and records in a league."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db.models import F, Prefetch
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import ResultState
from scoring.games.words import result_headline
from scoring.locales.sentences import join_names
from tournaments.event.outlook import parse_stored_prospect
from tournaments.event.results import read_scored_rounds
from tournaments.event.table_results import derive_standings, serialize_values
from tournaments.event.tables import early_stop_phrases
from tournaments.event.teams import (
    TeamStandingsLine,
    all_stage_points,
    team_lines,
)
from tournaments.exact import PARTS, format_exact_number, format_in_one_notation
from tournaments.models import (
    Penalty,
    Place,
    Round,
    Standings,
    StandingsRow,
    Table,
    Tournament,
)
from tournaments.models.round_names import round_name
from tournaments.web.standings.point_columns import PointColumn, point_grid
from tournaments.web.standings.prospects import (
    OutlookBadge,
    plan_after_round,
    reachable_ranks_in_words,
)


def round_number_or_name(round_: Round) -> str:
    """Return a round as in `Round 2 of 5`, or its name if it is not one of the planned."""
    planned = round_.tournament.rounds_planned
    open_ended = round_.tournament.format == Tournament.Format.KNOCKOUT
    if round_.stage or open_ended or round_.number > planned:
        return round_name(round_)
    values = {"number": round_.number, "count": planned}
    return _("Round %(number)s of %(count)s") % values


def _playoff_text_or_other(round_: Round, finals: Mapping[int, str], other: str) -> str:
    """Return the text for a playoff with so many tables, or `other` with the round's number."""
    text = finals.get(round_.playoff_table_count or 0, other)
    return text % {"number": round_.number}


def after_round_title(round_: Round) -> str:
    """Return the title of the standings after a closed round."""
    if round_.tournament.is_league and not round_.stage:
        return _("After the league")
    finals = {
        1: _("After the final"),
        2: _("After the semi-final"),
        4: _("After the quarter-final"),
    }
    return _playoff_text_or_other(round_, finals, _("After round %(number)s"))


def _after_round_phrase(round_: Round) -> str:
    finals = {
        1: _("after the final"),
        2: _("after the semi-final"),
        4: _("after the quarter-final"),
    }
    return _playoff_text_or_other(round_, finals, _("after round %(number)s"))


def stage_headings(tournament: Tournament, stages: Collection[int]) -> dict[int, str]:
    """Return the heading of each stage's lines in the standings.

    Players of all stages but the last are out.
    """
    rounds = tournament.rounds.filter(stage__in=stages).order_by("number")
    last_rounds = {round_.stage: round_ for round_ in rounds}
    headings = {}
    for stage in stages:
        round_ = last_rounds.get(stage)
        if round_ is None or not round_.is_playoff:
            headings[stage] = _("Earlier rounds")
        elif stage == max(stages):
            headings[stage] = round_name(round_)
        else:
            headings[stage] = _("Eliminated %(after)s") % {
                "after": _after_round_phrase(round_)
            }
    return headings


LAST_TABLES = 5
"""Last tables with their ranks in the standings of a league."""
OPEN_TABLES = 3
"""Open tables with their numbers in the caption; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueRecord:
    match_count: int
    """Finished matches, including those with an open result."""
    won: int
    last: Sequence[int]
    """Ranks at the player's last tables with a final result, the latest at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsLine:
    """A line of the standings, with its heading, movement, league record and possible ranks."""

    row: StandingsRow
    points: str
    heading: str
    """The heading above the line: a stage, or the cut to the final; mostly empty."""
    moved: int | None
    """Ranks gained since the previous round; None before the second."""
    cells: Sequence[str]
    """The points in each column of `StandingsTable.columns`."""
    sum_of_points: str
    """The same as one sum, as in `3 + (2) + bye 2½ − 1`; empty if it is just the points."""
    league_record: LeagueRecord | None
    """None in formats other than a league."""
    reach: str
    """The ranks still possible, in words; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    lines: Sequence[StandingsLine]
    columns: Sequence[PointColumn]
    """Rounds, byes and penalties, which add up to the points."""
    notes: Sequence[str]
    """Sentences about brackets and byes in the cells."""
    has_parts: bool
    """Whether some points have a fraction, so that all need room for one."""
    is_league: bool
    has_begun: bool
    """Whether any table counts; before that there are no ranks."""

    @property
    def column_count(self) -> int:
        """Number of columns in all."""
        other_columns = 2 if self.is_league else not self.columns
        return 3 + len(self.columns) + other_columns


class TeamTableLine(NamedTuple):
    line: TeamStandingsLine
    points: str
    members: Sequence[tuple[str, str]]
    """The names and points of the members, in the order of the standings."""


class TeamTable(NamedTuple):
    """The standings of teams; without lines if there are none to show."""

    lines: Sequence[TeamTableLine]
    has_parts: bool = False
    """Whether some points have a fraction, so that all need room for one."""


def build_team_table(tournament: Tournament, rows: Sequence[StandingsRow]) -> TeamTable:
    """Return the standings of teams that follow from the rows; no lines before the first result."""
    if not any(row.tables for row in rows):
        return TeamTable([])
    lines = team_lines(tournament, rows)
    column = format_in_one_notation([str(line.points) for line in lines])
    return TeamTable(
        lines=[
            TeamTableLine(
                line,
                points,
                [
                    (row.names, format_exact_number(str(all_stage_points(row))))
                    for row in line.member_rows
                ],
            )
            for line, points in zip(lines, column, strict=True)
        ],
        has_parts=any(points[-1] in PARTS.values() for points in column),
    )


def build_standings_table(
    tournament: Tournament, standings: Standings
) -> StandingsTable:
    return _build_table_from_rows(
        tournament,
        standings.rows_with_names(),
        previous_ranks_by_entry(standings),
        standings.outlook,
    )


def _build_table_from_rows(
    tournament: Tournament,
    rows: Sequence[StandingsRow],
    previous_ranks: Mapping[int, int],
    outlook: Mapping[str, Any] | None = None,
) -> StandingsTable:
    """Return the standings for the template.

    `previous_ranks` are the previous ranks by entry, `outlook` the stored prospects.
    """
    unplayed = LeagueRecord(match_count=0, won=0, last=())
    league_records = (
        league_records_by_entry(tournament) if tournament.is_league else None
    )
    headings = _headings_by_place(tournament, rows)
    plan = plan_after_round(tournament) if outlook else None
    column = format_in_one_notation([row.points for row in rows])
    grid = point_grid(read_scored_rounds(tournament, rows), rows)
    return StandingsTable(
        columns=grid.columns,
        notes=grid.notes,
        lines=[
            StandingsLine(
                row=row,
                points=points,
                cells=cells,
                sum_of_points=sum_of_points if sum_of_points != points else "",
                heading=headings.get(row.place, ""),
                moved=previous_ranks[row.entry_id] - row.rank
                if row.entry_id in previous_ranks
                else None,
                league_record=None
                if league_records is None
                else league_records.get(row.entry_id, unplayed),
                reach=reachable_ranks_in_words(
                    parse_stored_prospect(outlook, row.entry_id),
                    plan,
                    last_rank=len(rows),
                )
                if plan
                else "",
            )
            for row, points, cells, sum_of_points in zip(
                rows, column, grid.cells, grid.sums, strict=True
            )
        ],
        has_parts=any(points[-1] in PARTS.values() for points in column),
        is_league=tournament.is_league,
        has_begun=any(row.tables for row in rows),
    )


def previous_ranks_by_entry(standings: Standings) -> Mapping[int, int]:
    """Return the previous standings' ranks by entry; empty if there are none."""
    previous = Standings.objects.all().find_previous_round_standings(standings)
    return dict(previous.rows.values_list("entry", "rank")) if previous else {}


def _headings_by_place(
    tournament: Tournament, rows: Sequence[StandingsRow]
) -> dict[int, str]:
    """Return headings by the place of the line below them."""
    stages = {row.stage for row in rows}
    if len(stages) > 1:
        first = {row.stage: row.place for row in reversed(rows)}
        stage_names = stage_headings(tournament, stages)
        return {place: stage_names[stage] for stage, place in first.items()}
    is_over = tournament.phase == Tournament.Phase.FINISHED
    if stages != {0} or is_over or not any(row.tables for row in rows):
        return {}
    size = tournament.final_size
    if not 0 < size < len(rows):
        return {}
    in_final = Place.objects.filter(round__tournament=tournament, round__stage__gt=0)
    finalists = set(in_final.values_list("entry", flat=True))
    if finalists:
        # After a drop-out or a correction the finalists may not be the first: no headings then.
        if {row.entry_id for row in rows[: len(finalists)]} != finalists:
            return {}
        return {
            1: _advance_heading(len(finalists)),
            len(finalists) + 1: _("Not in the final"),
        }
    out = _("Not in the final, for now")
    cut = rows[size].rank
    sure = size
    headings = {size + 1: out}
    if rows[size - 1].rank == cut:
        level = [row.place for row in rows if row.rank == cut]
        sure = level[0] - 1
        heading = ngettext(
            "Tied for %(n)s place in the final",
            "Tied for %(n)s places in the final",
            size - sure,
        )
        headings = {level[-1] + 1: out, level[0]: heading % {"n": size - sure}}
    if sure:
        headings[1] = _advance_heading(sure)
    return headings


def _advance_heading(count: int) -> str:
    return ngettext("%(n)s player advances", "%(n)s players advance", count) % {
        "n": count
    }


def league_records_by_entry(tournament: Tournament) -> dict[int, LeagueRecord]:
    """Return the record of each entry of a league, in two queries.

    A rank counts once the result of its table is final.
    """
    finished_places = Place.objects.filter(
        round__tournament=tournament,
        table__void=False,
        table__match__finished=True,
        table__match__seats__index=F("index"),
    )
    tables = Table.objects.filter(round__tournament=tournament)
    still_open = set(
        tables.without_final_result(tournament.quorum).values_list("pk", flat=True)
    )
    rows = finished_places.order_by("round__number", "table__number").values_list(
        "entry", "table", "table__match__seats__rank"
    )
    match_counts: Counter[int] = Counter()
    places: dict[int, list[int]] = {}
    for entry, table, rank in rows:
        match_counts[entry] += 1
        if table not in still_open:
            places.setdefault(entry, []).append(rank)
    return {
        entry: LeagueRecord(
            match_count=number,
            won=(ranks := places.get(entry, [])).count(1),
            last=ranks[-LAST_TABLES:],
        )
        for entry, number in match_counts.items()
    }


def standings_status_line(
    tournament: Tournament, standings: Standings, current: Round | None
) -> str:
    """Return the time and round of the standings, and their open results."""
    time = time_format(localtime(standings.computed_at), "TIME_FORMAT")
    text = _("As of %(time)s") % {"time": time}
    if current is not None and not tournament.is_league:
        last = _last_closed_round(tournament)
        finished = current.tables.filter(void=False, match__finished=True)
        is_running = current.state == Round.State.RUNNING
        if is_running and finished.exists() and not standings.frozen_as:
            # Its finished tables count already.
            finals = {
                1: _("in the final"),
                2: _("in the semi-final"),
                4: _("in the quarter-final"),
            }
            text += ", " + _playoff_text_or_other(
                current, finals, _("in round %(number)s")
            )
        elif tournament.phase != Tournament.Phase.FINISHED and last is not None:
            text += ", " + _after_round_phrase(last)
    return "; ".join([text, *table_status_sentences(tournament, current)])


def _last_closed_round(tournament: Tournament) -> Round | None:
    closed = tournament.rounds.filter(state=Round.State.CLOSED)
    last = closed.order_by("number").last()
    if last is not None:
        last.tournament = tournament
    return last


def table_status_sentences(tournament: Tournament, current: Round | None) -> list[str]:
    """Return sentences about tables that are disputed, still open, or stopped early.

    Tables that stopped are those of the last closed round. A round other than the current one
    is named.
    """
    sentences = disputed_table_sentences(tournament, current)
    is_running = current is not None and current.state == Round.State.RUNNING
    if current is not None and is_running and not tournament.is_league:
        playing = current.tables.filter(void=False).exclude(match__finished=True)
        numbers = playing.order_by("number").values_list("number", flat=True)
        if len(numbers) > OPEN_TABLES:
            sentence = _("%(n)s tables are still open") % {"n": len(numbers)}
            sentences.append(sentence)
        elif numbers and current.playoff_table_count == 1:
            sentences.append(_("the final is still open"))
        elif numbers:
            sentence = ngettext(
                "table %(numbers)s is still open",
                "tables %(numbers)s are still open",
                len(numbers),
            )
            sentences.append(sentence % {"numbers": ", ".join(map(str, numbers))})
    last = _last_closed_round(tournament)
    if last is not None:
        name = "" if last == current else f"{round_name(last)}: "
        stopped = early_stop_phrases(list(last.tables.cut_off().order_by("number")))
        sentences += [f"{name}{sentence}" for sentence in stopped]
    return sentences


def disputed_table_sentences(
    tournament: Tournament, current: Round | None
) -> list[str]:
    """Return a sentence about the disputed tables of each round; the current one is not named."""
    tables = Table.objects.filter(
        round__tournament=tournament, void=False, disputed=True
    )
    in_order = tables.select_related("round").order_by("round__number", "number")
    sentences = []
    for round_, disputed in groupby(in_order, attrgetter("round")):
        round_.tournament = tournament
        numbers = [str(table.number) for table in disputed]
        text = ngettext(
            "table %(numbers)s is disputed",
            "tables %(numbers)s are disputed",
            len(numbers),
        )
        sentence = text % {"numbers": ", ".join(numbers)}
        if round_ != current:
            sentence = f"{round_name(round_)}: {sentence}"
        sentences.append(sentence)
    return sentences


LAST_PODIUM_RANK = 3


class PodiumStep(NamedTuple):
    """A step of the podium, with all players of its rank."""

    rank: int
    names: tuple[str, ...]
    worth: str


def podium(lines: Iterable[tuple[int | None, str, str]]) -> list[PodiumStep]:
    """Return a step for each occupied rank from 1 to 3.

    `lines` are (rank, name, points) in order; those without a rank are left out.
    """
    ranked = ((rank, name, worth) for rank, name, worth in lines if rank)
    steps = []
    for rank, level in groupby(ranked, lambda line: line[0]):
        if rank > LAST_PODIUM_RANK:
            break
        people = list(level)
        names = tuple(name for _rank, name, _worth in people)
        steps.append(PodiumStep(rank=rank, names=names, worth=people[0][2]))
    return steps


def winners_headline(rows: Sequence[StandingsRow]) -> str:
    """Return the winners as a sentence, or as ahead while unconfirmed; empty without ranks."""
    names = [row.names for row in rows if row.rank == 1]
    if not names:
        return ""
    is_open = rows[0].standings.is_first_open
    state = ResultState.UNCONFIRMED if is_open else ResultState.FINAL
    return result_headline(names, state)


class ProvisionalStandings(NamedTuple):
    """Standings as of now, with badges for settled and open results."""

    sentence: str
    claims: Sequence[OutlookBadge]
    table: StandingsTable
    team_table: TeamTable


def provisional_standings(tournament: Tournament) -> ProvisionalStandings:
    """Return the standings that would result if every table stopped now."""
    computed = derive_standings(tournament, as_it_stands=True)
    penalties = Prefetch(
        "penalties", Penalty.objects.effective(), to_attr="counted_penalties"
    )
    entries = {
        str(entry.pk): entry for entry in tournament.entries.prefetch_related(penalties)
    }
    names = Place.objects.filter(
        round__tournament=tournament
    ).all_player_names_by_entry()
    rows = [
        StandingsRow(
            place=place,
            rank=line.rank,
            stage=line.stage,
            entry=entries[line.player],
            points=str(line.points),
            earlier_points=str(line.earlier_points),
            values=serialize_values(line),
            tables=line.tables,
            parts=computed.serialize_point_parts(line.player),
            unconfirmed=computed.unconfirmed[int(line.player)],
            disputed=computed.disputed[int(line.player)],
        )
        for place, line in enumerate(computed.rows, start=1)
    ]
    for row in rows:
        row.names = names.get(row.entry_id, row.entry.name)
    current = tournament.standings.unfrozen_latest_first().first()
    previous_ranks = dict(current.rows.values_list("entry", "rank")) if current else {}
    sentence = _("Nothing has been played yet.")
    if level := [row.names for row in rows if row.rank == 1 and row.tables]:
        text = ngettext(
            "%(names)s would win.", "%(names)s would share first place.", len(level)
        )
        sentence = text % {"names": join_names(level)}
    return ProvisionalStandings(
        sentence,
        claims=_round_progress_badges(
            tournament, unconfirmed_count=sum(row.unconfirmed > 0 for row in rows)
        ),
        table=_build_table_from_rows(tournament, rows, previous_ranks),
        team_table=build_team_table(tournament, rows),
    )


def _round_progress_badges(
    tournament: Tournament, *, unconfirmed_count: int
) -> list[OutlookBadge]:
    """Return badges for the settled and open results of the running round.

    `unconfirmed_count` is the number of players with an unconfirmed result.
    """
    running_tables = Table.objects.filter(
        round__tournament=tournament, round__state=Round.State.RUNNING, void=False
    )
    finished = running_tables.filter(match__finished=True).count()
    playing = running_tables.exclude(match__finished=True).order_by("number")
    open_numbers = playing.values_list("number", flat=True)
    claims = []
    if finished or not open_numbers:
        text = ngettext("%(n)s table is done", "%(n)s tables are done", finished)
        label = text % {"n": finished} if finished else _("No open tables")
        claims.append(
            OutlookBadge("ok", "check", label, _("Finished tables already count."))
        )
    if open_numbers:
        text = ngettext(
            "Table %(numbers)s is still open",
            "Tables %(numbers)s are still open",
            len(open_numbers),
        )
        values = {"numbers": ", ".join(map(str, open_numbers))}
        because = _("The score so far counts. Every hand can still change the result.")
        claims.append(OutlookBadge("wait", "hourglass", text % values, because))
    for sentence in disputed_table_sentences(tournament, None):
        because = _("The result counts until you settle the dispute.")
        claims.append(OutlookBadge("wait", "triangle-alert", sentence, because))
    if unconfirmed_count:
        text = ngettext(
            "%(n)s player has an unconfirmed result",
            "%(n)s players have an unconfirmed result",
            unconfirmed_count,
        )
        because = _("The result counts, but can still be disputed.")
        label = text % {"n": unconfirmed_count}
        claims.append(OutlookBadge("wait", "users", label, because))
    return claims
