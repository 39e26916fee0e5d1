"""What is settled and what is open: who can still come where before the last tables end.

Where few outcomes are open, each of them is ranked by `standings`. Where many are, points
alone are compared, and it is said. Nothing is guessed: where a tie-break wants scores
that nobody has played yet, its name is told.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import inf, prod

from tournaments.standings.bounds import prospects_by_extremes, prospects_by_points
from tournaments.standings.event import Event, Scheme
from tournaments.standings.every_outcome import prospects_by_outcome
from tournaments.standings.outcomes import LISTED, OpenTable, orders
from tournaments.standings.prospects import ASKED_FOR, Prospect, Reach
from tournaments.standings.ranking import standings
from tournaments.standings.stages import add_stage, staged_standings

BY_SCORE = frozenset({"margin", "best_table", "raw", "percentage", "share"})
"""Tie-breaks whose values no place can tell, for scores have no bound."""
UNBOUNDED: frozenset[Scheme] = frozenset({"raw", "margin"})
"""Ways to count whose points no place can tell."""
MOST_RANKED = 6_000
"""Outcomes, at most, that are ranked one by one: two tables of four have 5,625."""
MOST_LINES = 240_000
"""Lines that all of these have together: with more than forty players fewer outcomes are ranked. A night of a
thousand tables would else think for minutes about who can still come in 87th."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What everybody can still come to."""

    prospects: Sequence[Prospect]
    """In the order of the standings as they are."""
    every_outcome: bool
    """Whether every outcome was ranked; else points were compared."""
    decides: str | None
    """The tie-break between who is level that no place can tell, where there is one."""


def outlook(
    stages: Sequence[Event],
    tables: Sequence[OpenTable],
    *,
    rounds_to_come: int = 0,
    sizes: Collection[int] = (),
    ranks: Sequence[int] = ASKED_FOR,
    most_ranked: int = MOST_RANKED,
) -> Outlook | None:
    """Return what everybody can come to once the open tables have ended.

    `stages` are as `staged_standings` takes them, without the open tables, which are all
    of the last stage. `rounds_to_come` is how many more of that stage are not drawn yet,
    `sizes` are those that their tables may have beside those of tables that there are, `ranks` are those for which it is said what is enough. No more than `most_ranked`
    outcomes are ranked one by one, and no more than come to `MOST_LINES`: some five seconds.
    It is taken that every table is played to its end, and that nothing else changes.
    None where points are scores, which have no bound. Raises what `staged_standings` does.
    """
    seated = {player for table in tables for player in table.players}
    stage = replace(stages[-1], players=sorted({*stages[-1].players, *seated}))
    if stage.counting.points in UNBOUNDED:
        return None
    before = staged_standings(stages[:-1]) if len(stages) > 1 else ()
    rows = standings(stage)
    stage = replace(stage, players=sorted(row.player for row in rows))
    decides = next(
        (name for name in stage.counting.tie_breaks if name in BY_SCORE), None
    )
    most = min(most_ranked, MOST_LINES // len(rows)) if rows else 0
    every_outcome = not rounds_to_come and _outcomes(tables) <= most
    if every_outcome:
        reached = prospects_by_outcome(stage, tables, before, decides, ranks)
    elif rounds_to_come:
        reached = prospects_by_extremes(stage, tables, rounds_to_come, sizes)
    else:
        reached = prospects_by_points(stage, tables, ranks)
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
        every_outcome=every_outcome,
        decides=decides,
    )


def _outcomes(tables: Sequence[OpenTable]) -> float:
    """Return in how many ways all tables can end; infinity where it is not counted."""
    sizes = [len(table.players) for table in tables]
    if max(sizes, default=0) > LISTED:
        return inf
    return prod(len(orders(size)) for size in sizes)
