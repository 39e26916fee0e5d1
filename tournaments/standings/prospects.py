"""The ranks that players can still reach, and conditions for them.

They follow from the standings after every possible outcome of the open tables: every order of
places, ties included.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from scoring.rules.game import rank_values
from tournaments.standings.event import StandingsInput, TableResult
from tournaments.standings.points import Ranks
from tournaments.standings.ranking import RankedPlayer, standings
from tournaments.standings.stages import rank_latest_stage_first

MOST_OTHERS = 2
"""The most other players in one condition."""
REPORTED_RANKS = (1, 3)
"""The ranks to give conditions for by default: the win and the podium."""


@dataclass(frozen=True, slots=True)
class RankRange:
    """The range of ranks still possible."""

    best: int
    worst: int

    @classmethod
    def covering(cls, reaches: Iterable["RankRange"]) -> "RankRange":
        """Return the smallest range that covers all the ranges; there must be at least one."""
        all_reaches = list(reaches)
        return cls(
            min(reach.best for reach in all_reaches),
            max(reach.worst for reach in all_reaches),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankCondition:
    """A sufficient condition for a rank or better."""

    place: int
    """The player's own place at the open table, not shared."""
    others: Mapping[str, int] = field(default_factory=dict)
    """By other player: the best place they may take at their table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """The ranks still possible for a player, and conditions for some of them."""

    player: str
    reach: RankRange
    within: Mapping[int, Sequence[RankCondition]] = field(default_factory=dict)
    """By rank: conditions each of which suffices for that rank or better.

    A rank is missing if it is already certain, or if no condition is simple enough.
    """


LISTED = 6
"""The largest table whose orders are listed: six players have 4,683, seven 47,293."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """A table without a result yet."""

    round: int
    table: int | None = None
    players: Sequence[str]


class RankAndHolders(NamedTuple):
    """The place of a player at a table."""

    rank: int
    holders: int
    """The number of players at this rank, at least 1."""


@cache
def list_possible_orders(size: int) -> tuple[Ranks, ...]:
    """Return every order in which a table of this size can end.

    >>> list_possible_orders(2)
    ((1, 1), (1, 2), (2, 1))
    """
    score_lists = product(range(size), repeat=size)
    return tuple(sorted({rank_values(scores) for scores in score_lists}))


def result_from_order(table: OpenTable, order: Ranks) -> TableResult:
    """Return the result of a table that ended in an order.

    Its scores express the order only, not the margins.
    """
    return TableResult(
        round=table.round,
        table=table.table,
        scores={
            player: len(order) - rank
            for player, rank in zip(table.players, order, strict=True)
        },
    )


@dataclass(frozen=True, slots=True)
class RankedOutcome:
    """One possible outcome of all open tables."""

    places: Mapping[str, RankAndHolders]
    reaches: Mapping[str, RankRange]
    """By player: the range of ranks that this outcome leaves open."""


def iterate_prospects(
    stage: StandingsInput,
    tables: Sequence[OpenTable],
    standings_before: Sequence[RankedPlayer],
    decides: str | None,
    ranks: Sequence[int],
    *,
    level_is_open: bool,
) -> Iterator[Prospect]:
    """Yield the prospects of every player of the stage, with conditions for `ranks`.

    `standings_before` are the standings of the earlier stages. `decides` is the first tie-break that
    places alone do not determine: players level before it may end in any order. So may players
    level in everything if `level_is_open`.
    """
    counting = stage.counting
    if decides is not None:
        determined = counting.tie_breaks[: [*counting.tie_breaks].index(decides)]
        counting = replace(counting, tie_breaks=determined)

    def rank_outcome(orders_of_tables: Sequence[Ranks | None]) -> dict[str, RankRange]:
        """Return the ranks after an outcome, by player; a table with None does not count."""
        results = [
            result_from_order(table, order)
            for table, order in zip(tables, orders_of_tables, strict=True)
            if order is not None
        ]
        rows = standings(
            replace(stage, tables=[*stage.tables, *results], counting=counting)
        )
        if standings_before and decides is None:
            rows = rank_latest_stage_first(standings_before, rows, 1)[: len(rows)]
        # Level players can end in any order, unless their tie is final.
        is_open = level_is_open or decides is not None
        level = Counter(row.rank for row in rows if is_open)
        return {
            row.player: RankRange(row.rank, row.rank + max(level[row.rank] - 1, 0))
            for row in rows
        }

    sizes = [len(table.players) for table in tables]
    outcomes = [
        RankedOutcome(
            {
                player: RankAndHolders(rank, order.count(rank))
                for table, order in zip(tables, orders_of_tables, strict=True)
                for player, rank in zip(table.players, order, strict=True)
            },
            rank_outcome(orders_of_tables),
        )
        for orders_of_tables in product(*[list_possible_orders(size) for size in sizes])
    ]
    # Outcomes in which some of the tables do not count.
    reaches_with_void = [
        rank_outcome(orders_of_tables)
        for orders_of_tables in product(
            *[(None, *list_possible_orders(size)) for size in sizes]
        )
        if None in orders_of_tables
    ]
    for player in outcomes[0].reaches:
        yield Prospect(
            player=player,
            reach=RankRange.covering(
                reaches[player]
                for reaches in (
                    *(outcome.reaches for outcome in outcomes),
                    *reaches_with_void,
                )
            ),
            within={
                rank: conditions
                for rank in ranks
                if (conditions := _find_conditions(player, rank, outcomes))
            },
        )


def _find_conditions(
    player: str, wanted_rank: int, all_outcomes: Sequence[RankedOutcome]
) -> tuple[RankCondition, ...]:
    """Return the lowest place that suffices alone, and conditions for the place below it.

    Empty if no condition is needed, or if none is simple enough. Sets of outcomes are bits of
    an int, so that a condition is tested with one `&`.
    """
    wanted = _pack_bits(
        [outcome.reaches[player].worst <= wanted_rank for outcome in all_outcomes]
    )
    if player not in all_outcomes[0].places or wanted == (1 << len(all_outcomes)) - 1:
        return ()
    ranks = {
        place[player].rank for place in (outcome.places for outcome in all_outcomes)
    }
    outcomes_by_rank = {
        rank: _pack_bits(
            [outcome.places[player] == (rank, 1) for outcome in all_outcomes]
        )
        for rank in sorted(ranks)
    }
    sufficient_ranks = [
        rank for rank, outcomes in outcomes_by_rank.items() if outcomes & ~wanted == 0
    ]
    conditions = (
        [RankCondition(place=max(sufficient_ranks))] if sufficient_ranks else []
    )
    next_rank = max(sufficient_ranks, default=0) + 1
    if next_rank in outcomes_by_rank:
        conditions += _find_condition_on_others(
            player, next_rank, outcomes_by_rank[next_rank], wanted, all_outcomes
        )
    return tuple(conditions)


def _find_condition_on_others(
    player: str, place: int, own: int, wanted: int, outcomes: Sequence[RankedOutcome]
) -> list[RankCondition]:
    """Return the condition that limits the places of the fewest other players.

    Of several, the one that most outcomes fulfil; none if it takes more than `MOST_OTHERS`
    players.
    """
    limits = {
        (opponent, best): _pack_bits(
            [outcome.places[opponent].rank >= best for outcome in outcomes]
        )
        for opponent, _place in outcomes[0].places.items()
        if opponent != player
        for best in sorted(
            {outcome.places[opponent].rank for outcome in outcomes} - {1}
        )
    }
    for count in range(1, MOST_OTHERS + 1):
        sufficient = {}
        for chosen_limits in combinations(limits, count):
            if len({opponent for opponent, _best in chosen_limits}) < count:
                continue
            fulfilled = own
            for limit in chosen_limits:
                fulfilled &= limits[limit]
            if fulfilled and fulfilled & ~wanted == 0:
                sufficient[chosen_limits] = fulfilled.bit_count()
        if sufficient:
            likeliest = max(sufficient, key=sufficient.__getitem__)
            return [RankCondition(place=place, others=dict(likeliest))]
    return []


def _pack_bits(truths: Sequence[bool]) -> int:
    return sum(1 << position for position, truth in enumerate(truths) if truth)
