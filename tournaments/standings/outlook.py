"""The outlook: the ranks that each player can still reach while tables are open.

`standings` ranks every outcome of the open tables, if there are few enough. Nothing is guessed:
if a tie-break depends on scores that are not played yet, the outlook names it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from tournaments.standings.event import Scheme, StandingsInput
from tournaments.standings.prospects import (
    LISTED,
    REPORTED_RANKS,
    OpenTable,
    Prospect,
    RankRange,
    iterate_prospects,
    list_possible_orders,
    result_from_order,
)
from tournaments.standings.ranking import standings
from tournaments.standings.stages import rank_latest_stage_first, staged_standings
from tournaments.standings.tie_breaks import TIE_BREAKS

UNBOUNDED: frozenset[Scheme] = frozenset({"raw", "margin"})
"""Schemes in which a place does not determine the points."""
MOST_OUTCOMES = 6_000
"""The most outcomes to rank: two tables of four have 5,776."""
MOST_LINES = 240_000
"""The most lines to rank in all outcomes together: with more than forty players fewer outcomes
are ranked. Otherwise a night of a thousand tables would take minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """The prospects of all players."""

    prospects: Sequence[Prospect]
    """In the order of the current standings."""
    decides: str | None
    """The first tie-break that places alone do not determine; None if there is none."""


def outlook(
    stages: Sequence[StandingsInput],
    tables: Sequence[OpenTable],
    *,
    ranks: Sequence[int] = REPORTED_RANKS,
    level_is_open: bool = False,
    most_outcomes: int = MOST_OUTCOMES,
) -> Outlook | None:
    """Return the ranks that each player can reach once the open tables have ended.

    `stages` are those of `staged_standings`, without the open tables, which all belong to the
    last round of the last stage. Prospects have conditions for each of `ranks`. A table can end
    in any order, or not count at all. `level_is_open` means that lots or a cut can still
    separate players level in everything.
    None if there are more than `most_outcomes` outcomes, or more than `MOST_LINES` lines (about
    five seconds), if a table has more than `LISTED` players, or if points are scores, which have
    no bound. Raises the exceptions of `staged_standings`.
    """
    seated = {player for table in tables for player in table.players}
    stage = replace(stages[-1], players=sorted({*stages[-1].players, *seated}))
    if stage.counting.points in UNBOUNDED:
        return None
    standings_before = staged_standings(stages[:-1]) if len(stages) > 1 else ()
    rows = standings(stage)
    stage = replace(stage, players=sorted(row.player for row in rows))
    most = min(most_outcomes, MOST_LINES // len(rows)) if rows else 0
    sizes = [len(table.players) for table in tables]
    if max(sizes, default=0) > LISTED:
        return None
    # One more for each table: it may not count at all.
    if prod(len(list_possible_orders(size)) + 1 for size in sizes) > most:
        return None
    undetermined = {
        name for name, tie_break in TIE_BREAKS.items() if tie_break.open_note
    }
    if not (tables and stage.has_final_tables):
        # Already undefined for everyone, or already known.
        undetermined.remove("final_table")
    decides = next(
        (name for name in stage.counting.tie_breaks if name in undetermined), None
    )
    prospects = iterate_prospects(
        stage, tables, standings_before, decides, ranks, level_is_open=level_is_open
    )
    by_player = {prospect.player: prospect for prospect in prospects}
    eliminated = (
        rank_latest_stage_first(standings_before, rows, len(stages) - 1)[len(rows) :]
        if standings_before
        else ()
    )
    return Outlook(
        prospects=[
            *[by_player[row.player] for row in rows],
            *[
                Prospect(player=row.player, reach=RankRange(row.rank, row.rank))
                for row in eliminated
            ],
        ],
        decides=decides,
    )


def can_first_place_change(
    stages: Sequence[StandingsInput],
    tables: Sequence[OpenTable],
    *,
    level_is_open: bool = False,
    most_outcomes: int = MOST_OUTCOMES,
) -> bool:
    """Return whether the open tables can change the first place; see `outlook`.

    The tables may be of any round of the last stage. If there are too many outcomes to rank, points
    alone decide: the first place is safe if a player's fewest possible points beat all others'.
    """
    computed = outlook(
        stages,
        tables,
        ranks=(),
        level_is_open=level_is_open,
        most_outcomes=most_outcomes,
    )
    if computed is None:
        return not _has_certain_leader(stages[-1], tables)
    reaches = [prospect.reach for prospect in computed.prospects]
    return any(reach.best == 1 < reach.worst for reach in reaches)


def _has_certain_leader(stage: StandingsInput, tables: Sequence[OpenTable]) -> bool:
    """Return whether a player has the most points in every outcome.

    Each seat takes each place once; shared places need no outcome of their own, as their points
    are between those of single places. False if a player sits at two open tables.
    """
    seated = [player for table in tables for player in table.players]
    is_unbounded = bool(tables) and stage.counting.points in UNBOUNDED
    if is_unbounded or len(set(seated)) < len(seated):
        return False
    ends = [stage]
    for turn in range(max((len(table.players) for table in tables), default=0)):
        results = [
            result_from_order(
                table, tuple((seat + turn) % size + 1 for seat in range(size))
            )
            for table in tables
            for size in [len(table.players)]
        ]
        ends.append(replace(stage, tables=[*stage.tables, *results]))
    stage_players = sorted({*stage.players, *seated})
    points: dict[str, list[Fraction]] = {}
    for end in ends:
        for row in standings(replace(end, players=stage_players)):
            points.setdefault(row.player, []).append(row.points)
    leader = max(points, key=lambda player: min(points[player]))
    return all(
        max(possible) < min(points[leader])
        for player, possible in points.items()
        if player != leader
    )
