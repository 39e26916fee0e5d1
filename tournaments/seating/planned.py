"""Plan all rounds of a night at once, with as few repeated meetings as possible."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import NamedTuple

from tournaments.seating.annealing import (
    SEPARATION_MEETINGS,
    AnnealingState,
    anneal,
    cost_above_lower_bound,
)
from tournaments.seating.designs import longest_design, triple_meeting_design
from tournaments.seating.quality import (
    SeatingQuality,
    Tables,
    count_meetings,
    measure_quality,
)
from tournaments.seating.seats import seat_rounds
from tournaments.seating.tables import (
    TableSizeLimits,
    choose_table_sizes,
    split_tables,
)

ATTEMPTS = ((30_000, 0.4), (60_000, 0.4), (120_000, 0.25), (240_000, 0.01))
"""Annealing attempts: steps and the weight of evenness. They stop when there are no flaws; the
last is for nights that still have repeats."""
STEPS_A_PLACE = 1_000
"""The most steps for each place: more do not improve small nights."""
POLISH = 15_000
"""Steps that balance the turns at smaller tables of a schedule without repeats."""
WARM = 0.1
PREFERENCE_TURNS = 1_000
"""Turns at smaller tables that a player who is to sit at a full one starts with."""
TRIES = 300
"""Random choices of the players to remove from a larger schedule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The result of a draw."""

    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    """New rounds: their tables, each with its players in seat order."""
    byes: tuple[tuple[int, ...], ...]
    """By round: the players sitting out."""
    quality: SeatingQuality
    """Of the whole night, played rounds included."""
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawRequest:
    """The input of a draw."""

    players: Sequence[int]
    """The players present, as arbitrary distinct numbers."""
    sizing: TableSizeLimits = field(default_factory=TableSizeLimits)
    sizings: Sequence[TableSizeLimits] = ()
    """One for each new round if they differ; if empty, `sizing` applies to all."""
    played: Sequence[Tables] = ()
    """The rounds already played, which the draw does not change."""
    apart: Collection[tuple[int, int]] = ()
    """Pairs that must not share a table if that can be avoided."""
    resting: Sequence[Collection[int]] = ()
    """By new round, the players that asked to sit out; missing rounds have none."""
    full_table_players: Collection[int] = ()
    """Players that sit at smaller tables only if the others do not fill them."""
    seed: int = 1

    def resting_in_round(self, index: int) -> frozenset[int]:
        """Return the players that asked to sit out in a new round, counted from 0."""
        if index >= len(self.resting):
            return frozenset()
        return frozenset(self.resting[index]).intersection(self.players)


def plan_night(
    request: DrawRequest, rounds: int, *, balance_small_tables: bool = True
) -> Draw:
    """Return a plan for so many further rounds.

    The same request gives the same plan. Without `balance_small_tables` it is faster and has as
    many repeats, but the same players may sit at smaller tables again. Raises SeatingRefusal if
    there are too few players for a table.
    """
    rng = Random(request.seed)
    index = _PlayerIndex(request)
    sizings = request.sizings or [request.sizing] * rounds
    # The players with the fewest byes sit out; equal ones by lot.
    counts = count_missed_rounds(request)
    byes: list[list[int]] = []
    for index_of_round, sizing in enumerate(sizings):
        resting = request.resting_in_round(index_of_round)
        available = [player for player in request.players if player not in resting]
        bye_count = len(available) - sum(choose_table_sizes(len(available), sizing))
        keys = {player: (counts[player], rng.random()) for player in request.players}
        drawn = sorted(available, key=keys.__getitem__)[:bye_count]
        byes.append(sorted([*drawn, *resting]))
        for player in drawn:
            counts[player] += 1
    seated = [
        [player for player in request.players if player not in bye_players]
        for bye_players in byes
    ]
    sizes = [
        choose_table_sizes(len(players), sizing)
        for players, sizing in zip(seated, sizings, strict=True)
    ]
    # Prefer a schedule from algebra. If none fits, keep the best night that annealing finds.
    night = _night_from_design(
        index, sizes, rng, balance_small_tables=balance_small_tables
    )
    for steps, evenness in ATTEMPTS:
        last = (steps, evenness) == ATTEMPTS[-1]
        flaws = 2 if balance_small_tables and not last else 1
        if night is not None and not any(_measure_flaws(night)[:flaws]):
            break
        orders = [[index.number[player] for player in players] for players in seated]
        for order in orders:
            rng.shuffle(order)
        attempt = index.build_annealing_state(orders, sizes)
        places = sum(map(len, seated))
        anneal(attempt, rng, min(steps, places * STEPS_A_PLACE), evenness=evenness)
        if night is None or _measure_flaws(attempt) < _measure_flaws(night):
            night = attempt
    assert night is not None
    tables = [
        [
            [index.players[i] for i in table]
            for table in split_tables(order, round_sizes)
        ]
        for order, round_sizes in zip(night.rounds, sizes, strict=True)
    ]
    return build_seated_draw(request, tables, byes)


def build_seated_draw(
    request: DrawRequest, rounds: Sequence[Tables], byes: Sequence[Collection[int]]
) -> Draw:
    """Return the draw of these rounds, each table in seat order."""
    seated_rounds = seat_rounds(rounds, request.played)
    return Draw(
        rounds=tuple(tuple(map(tuple, tables)) for tables in seated_rounds),
        byes=tuple(map(tuple, byes)),
        quality=measure_quality([*request.played, *seated_rounds], request.apart),
        seed=request.seed,
    )


def count_missed_rounds(request: DrawRequest) -> dict[int, int]:
    """Return how many rounds each player missed or asked to sit out, late arrivals included."""
    seated = [set(chain.from_iterable(tables)) for tables in request.played]
    return {
        player: sum(player not in seated_players for seated_players in seated)
        + sum(player in resting for resting in request.resting)
        for player in request.players
    }


def count_turns_at_smaller_tables(request: DrawRequest) -> Counter[int]:
    """Return how often each player sat at a smaller table in the played rounds.

    With `PREFERENCE_TURNS` more for those that are to sit at full tables.
    """
    counts = Counter(
        player
        for tables in request.played
        for table in tables
        if len(table) < max(map(len, tables))
        for player in table
    )
    counts.update(dict.fromkeys(request.full_table_players, PREFERENCE_TURNS))
    return counts


def count_meetings_with_separations(
    request: DrawRequest, separation_weight: int
) -> Counter[tuple[int, int]]:
    """Return the meetings of each pair in the played rounds, with `separation_weight` for a pair to keep apart."""
    counts = count_meetings(request.played)
    for pair in {(min(pair), max(pair)) for pair in request.apart}:
        counts[pair] += separation_weight
    return counts


class _PlayerIndex:
    """The players numbered from 0, and their meetings and smaller tables of played rounds."""

    def __init__(self, request: DrawRequest) -> None:
        earlier_players = {
            p for tables in request.played for table in tables for p in table
        }
        self.players = [
            *request.players,
            *sorted(earlier_players - set(request.players)),
        ]
        self.number = {player: i for i, player in enumerate(self.players)}
        self.request = request

    def build_annealing_state(
        self, orders: list[list[int]], sizes: list[list[int]]
    ) -> AnnealingState:
        """Return a night of these rounds, counted in."""
        rows = [[0] * len(self.players) for _player in self.players]
        counts = count_meetings_with_separations(self.request, SEPARATION_MEETINGS)
        separated = {
            (min(pair), max(pair))
            for pair in self.request.apart
            if pair[0] in self.number and pair[1] in self.number
        }
        for pair, count in counts.items():
            if pair[0] in self.number and pair[1] in self.number:
                first, second = self.number[pair[0]], self.number[pair[1]]
                rows[first][second] = rows[second][first] = count
        short = count_turns_at_smaller_tables(self.request)
        night = AnnealingState(
            orders,
            sizes,
            rows,
            [short[player] for player in self.players],
            separated_count=len(separated),
        )
        night.add_rounds_to_counts()
        return night


class _NightFlaws(NamedTuple):
    """The flaws of a night, compared in this order."""

    repeat_cost: int
    small_table_imbalance: int
    """How many turns at smaller tables players differ by, beyond one."""


def _measure_flaws(night: AnnealingState) -> _NightFlaws:
    players = {player for order in night.rounds for player in order}
    counts = [night.short[player] for player in players]
    return _NightFlaws(
        cost_above_lower_bound(night),
        max(max(counts, default=0) - min(counts, default=0) - 1, 0),
    )


def _night_from_design(
    index: _PlayerIndex,
    sizes: list[list[int]],
    rng: Random,
    *,
    balance_small_tables: bool,
) -> AnnealingState | None:
    """Return a night from a schedule of full tables; None if no schedule fits.

    No pair meets twice, unless only a schedule in which all pairs meet equally often is long
    enough. If not all tables are full, players are removed from a larger schedule; they must
    not meet each other, so that no table loses two.
    """
    request = index.request
    full, size = len(sizes[0]) * sizes[0][0], sizes[0][0]
    spare = full - sum(sizes[0])
    is_uniform = all(round_sizes == sizes[0] for round_sizes in sizes)
    if request.played or not is_uniform or sum(sizes[0]) != len(request.players):
        return None
    design = longest_design(full, size)[: len(sizes)]
    if len(design) < len(sizes) == len(level := triple_meeting_design(full, size)):
        design = level
    if len(design) < len(sizes):
        return None
    removed = _players_who_never_meet(design, full, spare, rng)
    if removed is None:
        return None
    names = [player for player in range(full) if player not in removed]
    rng.shuffle(names)
    index_by_name = {player: i for i, player in enumerate(names)}
    orders = []
    for tables in design:
        remaining = [
            [index_by_name[p] for p in table if p in index_by_name] for table in tables
        ]
        remaining.sort(key=len, reverse=True)
        orders.append([player for table in remaining for player in table])
    night = index.build_annealing_state(orders, sizes)
    if balance_small_tables and any(_measure_flaws(night)):
        anneal(night, rng, POLISH, evenness=ATTEMPTS[0][1], hot=WARM)
    return night


def _players_who_never_meet(
    design: Sequence[Tables], players: int, count: int, rng: Random
) -> set[int] | None:
    """Return `count` players of the design without a common table; None if none are found.

    Prefers a choice that leaves the other players about equally often at smaller tables.
    """
    opponents: list[set[int]] = [set() for _player in range(players)]
    for tables in design:
        for table in tables:
            for player in table:
                opponents[player].update(table)
    best: set[int] | None = None
    least = players
    for _attempt in range(TRIES if count else 1):
        chosen: set[int] = set()
        free = list(range(players))
        while len(chosen) < count and free:
            chosen.add(rng.choice(free))
            free = [p for p in free if not opponents[p] & chosen]
        if len(chosen) < count:
            continue
        loss_counts = [
            len(opponents[p] & chosen) for p in range(players) if p not in chosen
        ]
        if max(loss_counts) - min(loss_counts) < least:
            best, least = chosen, max(loss_counts) - min(loss_counts)
        if least <= 1:
            break
    return best
