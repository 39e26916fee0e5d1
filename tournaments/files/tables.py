"""The exportable tables of clubs and tournaments."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from operator import itemgetter
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.rules import get_game
from tournaments.event.desk.night_log import NightLog
from tournaments.event.results import ScoredRound, read_scored_rounds
from tournaments.event.teams import team_labels_by_entry, team_lines
from tournaments.files.writing import Cell, FileTable
from tournaments.history.club_records import game_statistics
from tournaments.history.leaderboard import (
    BoardLine,
    BoardQuery,
    with_open_result_counts,
)
from tournaments.history.team_leaderboard import TeamBoardLine
from tournaments.models import (
    Bye,
    Club,
    Place,
    Standings,
    StandingsRow,
    Tournament,
)
from tournaments.models.round_names import round_name
from tournaments.people.identities import PersonSummary, PlayedTournament
from tournaments.standings import ByeKind, PointPart, ranks_at_table
from tournaments.standings.tie_breaks import TIE_BREAKS

Column = tuple[str, Callable[[Any], Cell]]
"""A heading, and the function that returns the cell of an item."""
BYE_CELLS: Mapping[ByeKind, str] = {
    "drawn": "bye",
    "requested": "bye_requested",
    "late": "bye_late",
}
"""The keys of byes in files."""


def _file_table(
    name: str,
    owner: Club | Tournament,
    columns: Mapping[str, str],
    rows: Iterable[Sequence[Cell]],
) -> FileTable:
    return FileTable(
        name=name,
        owner_name=owner.name,
        zone=(owner if isinstance(owner, Club) else owner.club).zone,
        columns=columns,
        rows=rows,
    )


def _table_of_items(
    name: str,
    owner: Club | Tournament,
    items: Iterable[Any],
    /,
    **columns: Column,
) -> FileTable:
    """Return a table with a row for each item."""
    return _file_table(
        name,
        owner,
        {key: head for key, (head, _value) in columns.items()},
        ([value(item) for _head, value in columns.values()] for item in items),
    )


def players_table(club: Club, people: Collection[PersonSummary]) -> FileTable:
    """Return the players of a club, as on the club's page."""
    return _table_of_items(
        "players",
        club,
        people,
        number=(_("Number"), lambda person: person.player.pk),
        name=(_("Name"), lambda person: person.player.name),
        other_names=(_("Other names"), lambda person: ", ".join(person.other_names)),
        tournaments=(_("Tournaments"), lambda person: person.tournaments),
        last_at=(_("Last seen"), lambda person: person.last_at),
    )


def played_tournaments_table(
    club: Club, tournaments: Collection[PlayedTournament]
) -> FileTable:
    """Return the tournaments of a person, as on the player's page."""

    def row_value(column: str) -> Callable[[PlayedTournament], Any]:
        return lambda item: getattr(item.row, column) if item.row else None

    return _table_of_items(
        "played",
        club,
        tournaments,
        day=(_("Date"), lambda item: item.entry.tournament.day),
        tournament=(_("Tournament"), lambda item: item.entry.tournament.name),
        address=(_("Address"), lambda item: item.entry.tournament.address),
        game=(_("Game (key)"), lambda item: item.entry.tournament.game),
        rank=(_("Rank"), row_value("rank")),
        points=(
            _("Points"),
            lambda item: _fraction_or_none(item.row and item.row.points),
        ),
        unconfirmed=(_("Unconfirmed tables"), row_value("unconfirmed")),
        disputed=(_("Disputed tables"), row_value("disputed")),
    )


def _fraction_or_none(value: object) -> Fraction | None:
    return None if value is None else Fraction(str(value))


def leaderboard_table(query: BoardQuery, lines: Collection[BoardLine]) -> FileTable:
    """Return the lines of a leaderboard, with the number of tables that are still open."""
    return _table_of_items(
        "leaderboard",
        query.club,
        with_open_result_counts(query, lines),
        rank=(_("Rank"), lambda row: row.line.rank),
        player=(_("Number"), lambda row: row.line.player),
        name=(_("Name"), lambda row: row.line.name),
        points=(_("Points"), lambda row: row.line.points),
        tournaments=(_("Tournaments"), lambda row: row.line.attended),
        tables=(_("Tables"), lambda row: row.line.tables),
        average=(_("Points per table"), lambda row: row.line.points_per_table),
        wins=(_("Wins"), lambda row: row.line.tables_won),
        place=(_("Average rank"), lambda row: row.line.average_place),
        unconfirmed=(_("Unconfirmed tables"), lambda row: row.unconfirmed),
        disputed=(_("Disputed tables"), lambda row: row.disputed),
    )


def leaderboard_teams_table(
    query: BoardQuery, teams: Collection[TeamBoardLine]
) -> FileTable:
    """Return the lines of a leaderboard of teams."""
    return _table_of_items(
        "leaderboard-teams",
        query.club,
        teams,
        rank=(_("Rank"), lambda line: line.rank),
        team=(_("Team"), lambda line: line.label),
        members=(_("Players"), lambda line: ", ".join(line.members)),
        points=(_("Points"), lambda line: line.points),
        tournaments=(_("Tournaments"), lambda line: line.attended),
    )


def statistics_table(club: Club) -> FileTable:
    """Return the statistics of a club by game."""
    return _table_of_items(
        "statistics",
        club,
        game_statistics(club),
        game=(_("Game (key)"), itemgetter("game")),
        game_name=(_("Game"), lambda row: get_game(row["game"]).name),
        matches=(_("Matches"), itemgetter("matches")),
        hands=(_("Hands"), itemgetter("hands")),
        findings=(_("Rule violations"), itemgetter("findings")),
        contracts=(_("Contracts"), lambda row: row["contracts"] or None),
        set=(
            _("Missed contracts"),
            lambda row: row["set"] if row["contracts"] else None,
        ),
    )


def entries_table(tournament: Tournament) -> FileTable:
    """Return the entries of a tournament, in the order of their numbers."""
    teams = team_labels_by_entry(tournament)
    return _table_of_items(
        "entries",
        tournament,
        tournament.entries.by_number(),
        number=(_("Number"), lambda entry: entry.number),
        name=(_("Name"), lambda entry: entry.name),
        state=(_("State (key)"), lambda entry: entry.state),
        state_words=(_("State"), lambda entry: str(entry.get_state_display())),
        team=(_("Team"), lambda entry: teams.get(entry.pk, "")),
    )


def teams_table(tournament: Tournament, standings: Standings | None) -> FileTable:
    """Return the standings of teams, with a line for each; no rows if there are none yet."""
    rows: list[StandingsRow] = standings.rows_with_names() if standings else []
    return _table_of_items(
        "teams",
        tournament,
        team_lines(tournament, rows),
        rank=(_("Rank"), lambda line: line.rank),
        team=(_("Team"), lambda line: line.team.label),
        members=(
            _("Players"),
            lambda line: ", ".join(row.names for row in line.member_rows),
        ),
        points=(_("Points"), lambda line: line.points),
        missing=(
            _("Players missing"),
            lambda line: line.team.missing_count,
        ),
        reason=(_("Reason for rank"), lambda line: line.reason),
        unconfirmed=(_("Unconfirmed tables"), lambda line: line.unconfirmed),
    )


def night_log_table(tournament: Tournament) -> FileTable:
    """Return the log of a night, newest first."""
    log = NightLog(tournament)
    return _table_of_items(
        "log",
        tournament,
        log.read_lines(list(log.keys)),
        at=(_("When"), lambda line: line.at),
        who=(_("Done by"), lambda line: line.who),
        subject=(_("Subject"), lambda line: line.subject),
        what=(_("What"), lambda line: line.what),
        reason=(_("Reason"), lambda line: line.reason),
    )


def round_seating_table(tournament: Tournament) -> FileTable:
    """Return the seating of all published rounds; each has its byes after its tables."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        for round_ in tournament.rounds.published():
            name = round_name(round_)
            for table in round_.tables.with_places_and_entries():
                for place in table.places.all():
                    seat = place.index + 1
                    yield round_.number, table.number, seat, place.name, name, None
            byes = round_.byes.select_related("entry", "round")
            for bye in byes.order_by("entry__number"):
                kind = BYE_CELLS[bye.kind]
                yield round_.number, None, None, bye.entry.name, name, kind

    columns = {
        "round": _("Round"),
        "table": _("Table"),
        "seat": pgettext("head of a column", "Seat"),
        "name": _("Name"),
        "round_name": _("Round name"),
        "bye": _("Bye (key)"),
    }
    return _file_table("seating", tournament, columns, rows())


def entry_seating_table(tournament: Tournament) -> FileTable:
    """Return the seating of all published rounds, with a line for each entry.

    Each round has a column for the table, which has the kind of a bye, and one for the seat. JSON
    also has a column with both, as in `4.2`, which a spreadsheet would take for a number.
    """
    rounds = tournament.rounds.published()
    numbers = {round_.number: round_name(round_) for round_ in rounds}
    places = Place.objects.filter(table__round__in=rounds)
    seat_cells: dict[tuple[int, int], tuple[str, int | str, int | None]] = {
        (entry, round_): (f"{table}.{index + 1}", table, index + 1)
        for entry, round_, table, index in places.values_list(
            "entry", "table__round__number", "table__number", "index"
        )
    }
    byes = Bye.objects.filter(round__in=rounds).select_related("entry", "round")
    for bye in byes:
        text = BYE_CELLS[bye.kind]
        seat_cells[bye.entry_id, bye.round.number] = (text, text, None)
    columns = {"number": _("Number"), "name": _("Name")}
    for number, name in numbers.items():
        columns |= {
            f"round_{number}": "",
            f"round_{number}_table": _("%(round)s: table") % {"round": name},
            f"round_{number}_seat": _("%(round)s: seat") % {"round": name},
        }
    rows = (
        (
            entry.number,
            entry.name,
            *chain.from_iterable(
                seat_cells.get((entry.pk, n), (None, None, None)) for n in numbers
            ),
        )
        for entry in tournament.entries.by_number()
    )
    return _file_table("seats", tournament, columns, rows)


def results_table(tournament: Tournament) -> FileTable:
    """Return the results of all players at the tables of published rounds."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        for round_ in tournament.rounds.published():
            name = round_name(round_)
            for table in round_.tables.with_places_and_entries():
                totals = table.places_with_totals()
                game = table.match.game if table.match else table.game
                game = game or tournament.game
                options = table.match.options if table.match else tournament.options
                rules = get_game(game).variant_for_options(options)
                # There are no ranks until all players at the table have points.
                ranks: Sequence[int | None] = [None] * len(totals)
                points = [total for _place, total in totals if total is not None]
                if len(points) == len(totals):
                    seats = [place.match_seat for place, _total in totals]
                    own = [seat.rank if seat else None for seat in seats]
                    ranks = ranks_at_table(rules, points, own)
                if table.void:
                    state = "void"
                elif table.match is None or table.match.finished:
                    state = "finished"
                else:
                    state = "running"
                for (place, total), rank in zip(totals, ranks, strict=True):
                    yield (
                        round_.number,
                        table.number,
                        place.index + 1,
                        place.name,
                        game,
                        state,
                        total,
                        rank,
                        name,
                        table.result_state_or_open,
                        "yes" if options.get("lowest_wins") else "",
                    )

    columns = {
        "round": _("Round"),
        "table": _("Table"),
        "seat": pgettext("head of a column", "Seat"),
        "name": _("Name"),
        "game": _("Game (key)"),
        "state": _("State (key)"),
        "points": _("Points"),
        "rank": _("Rank"),
        "round_name": _("Round name"),
        "result_state": _("Confirmation (key)"),
        "lowest_wins": _("Lowest wins"),
    }
    return _file_table("results", tournament, columns, rows())


def _round_points_or_bye(parts: Sequence[PointPart]) -> Cell:
    """Return the points of the tables of a round, or the kind of a bye.

    The points of byes are a column of their own.
    """
    for part in parts:
        if part.bye:
            return BYE_CELLS[part.bye]
    return sum((part.points for part in parts), Fraction()) if parts else None


def standings_table(tournament: Tournament, standings: Standings | None) -> FileTable:
    """Return the standings with their tie-breaks in order; no rows if there are none yet.

    Rounds, byes, penalties and what isn't counted add up to the points.
    """
    lines: list[StandingsRow] = standings.rows_with_names() if standings else []
    all_parts = [row.point_parts for row in lines]
    rounds = read_scored_rounds(tournament, lines)

    optional: dict[str, Column] = {}
    if rounds and any(parts.counted_bye_points for parts in all_parts):
        optional["byes"] = _("Byes"), lambda row: row.point_parts.counted_bye_points
    if rounds and any(parts.penalty for parts in all_parts):
        optional["penalties"] = _("Penalties"), lambda row: -row.point_parts.penalty
    if rounds and any(parts.uncounted_table_points for parts in all_parts):
        optional["not_counted"] = (
            _("Not counted"),
            lambda row: -row.point_parts.uncounted_table_points,
        )

    def round_column(scored: ScoredRound) -> Column:
        return scored.name, lambda row: _round_points_or_bye(
            scored.select_parts(row.point_parts)
        )

    def tie_break(name: str) -> Column:
        head = capfirst(pgettext(*TIE_BREAKS[name].label))
        return head, lambda row: _fraction_or_none(row.values.get(name))

    return _table_of_items(
        "standings",
        tournament,
        lines,
        rank=(_("Rank"), lambda row: row.rank),
        number=(_("Number"), lambda row: row.entry.number),
        name=(_("Name"), lambda row: row.names),
        **{
            f"{'match' if scored.is_match else 'round'}_{scored.number}": round_column(
                scored
            )
            for scored in rounds
        },
        **optional,
        points=(_("Points"), lambda row: _fraction_or_none(row.points)),
        tables=(_("Tables"), lambda row: row.tables),
        **{
            name: tie_break(name)
            for name in tournament.tie_breaks
            if any(name in row.values for row in lines)
        },
        reason=(_("Reason for rank"), lambda row: row.tie_reason_text),
        unconfirmed=(_("Unconfirmed tables"), lambda row: row.unconfirmed),
        disputed=(_("Disputed tables"), lambda row: row.disputed),
    )
