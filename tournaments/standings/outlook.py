"""What is settled and what is open: who can still come where before the last tables end.

Every outcome of the open tables is ranked by `standings`, if they are few enough. Nothing is
guessed: if a tie-break depends on scores that are not played yet, its name is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod

from tournaments.standings.event import Event, Scheme
from tournaments.standings.outcome_prospects import prospects_by_outcome
from tournaments.standings.outcomes import LISTED, OpenTable, orders, result_from_order
from tournaments.standings.prospects import ASKED_FOR, Prospect, Reach
from tournaments.standings.ranking import standings
from tournaments.standings.stages import add_stage, staged_standings
from tournaments.standings.tie_breaks import BY_SCORES

UNBOUNDED: frozenset[Scheme] = frozenset({"raw", "margin"})
"""Ways to count whose points no place can tell."""
MOST_RANKED = 6_000
"""Outcomes, at most, that are ranked: two tables of four have 5,776."""
MOST_LINES = 240_000
"""Lines that all of these have together: with more than forty players fewer outcomes are ranked. A night of a
thousand tables would else think for minutes about who can still come in 87th."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What everybody can still come to."""

    prospects: Sequence[Prospect]
    """In the order of the standings as they are."""
    decides: str | None
    """The tie-break between who is level that no place can tell, where there is one."""


def outlook(
    stages: Sequence[Event],
    tables: Sequence[OpenTable],
    *,
    ranks: Sequence[int] = ASKED_FOR,
    level_is_open: bool = False,
    most_ranked: int = MOST_RANKED,
) -> Outlook | None:
    """Return what everybody can come to once the open tables have ended.

    `stages` are as `staged_standings` takes them, without the open tables, which are all
    of the last stage and its last round. `ranks` are those for which it is said what is
    enough. A table can end in any order, or not count at all. `level_is_open` says that players
    who are level in everything can still be parted, by lots or a cut.
    None if more than `most_ranked` outcomes are open or they have more than `MOST_LINES`
    lines (some five seconds), and if points are scores, which have no bound. Raises what
    `staged_standings` does.
    """
    seated = {player for table in tables for player in table.players}
    stage = replace(stages[-1], players=sorted({*stages[-1].players, *seated}))
    if stage.counting.points in UNBOUNDED:
        return None
    before = staged_standings(stages[:-1]) if len(stages) > 1 else ()
    rows = standings(stage)
    stage = replace(stage, players=sorted(row.player for row in rows))
    most = min(most_ranked, MOST_LINES // len(rows)) if rows else 0
    sizes = [len(table.players) for table in tables]
    if max(sizes, default=0) > LISTED:
        return None
    # A table may not count, too.
    if prod(len(orders(size)) + 1 for size in sizes) > most:
        return None
    undetermined = BY_SCORES
    if tables and stage.has_final_tables:
        # A table that is stopped or void leaves nobody a final table.
        undetermined |= {"final_table"}
    decides = next(
        (name for name in stage.counting.tie_breaks if name in undetermined), None
    )
    reached = prospects_by_outcome(
        stage, tables, before, decides, ranks, level_is_open=level_is_open
    )
    by_player = {prospect.player: prospect for prospect in reached}
    gone = add_stage(before, rows, len(stages) - 1)[len(rows) :] if before else ()
    return Outlook(
        prospects=[
            *[by_player[row.player] for row in rows],
            *[
                Prospect(player=row.player, reach=Reach(row.rank, row.rank))
                for row in gone
            ],
        ],
        decides=decides,
    )


def can_first_change(
    stages: Sequence[Event],
    tables: Sequence[OpenTable],
    *,
    level_is_open: bool = False,
    most_ranked: int = MOST_RANKED,
) -> bool:
    """Return whether the open tables can change the first place; see `outlook`.

    They may be of any round of the last stage. Too many outcomes to rank are judged by points alone: somebody has to
    be ahead with the fewest that are possible.
    """
    computed = outlook(
        stages,
        tables,
        ranks=(),
        level_is_open=level_is_open,
        most_ranked=most_ranked,
    )
    if computed is None:
        return not _leads_in_every_case(stages[-1], tables)
    reaches = [prospect.reach for prospect in computed.prospects]
    return any(reach.best == 1 < reach.worst for reach in reaches)


def _leads_in_every_case(stage: Event, tables: Sequence[OpenTable]) -> bool:
    """Return whether a player has most points, however the tables end.

    Who shares places has points between those of the places alone, so each seat comes in
    at each place once. Two open tables of one player are not added up.
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
