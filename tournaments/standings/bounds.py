"""Prospects from points alone, where too many outcomes are open to rank each of them.

Each player sits at one open table at most, so how many players can have at least so many
points together is the sum of what each table can do, and all of it can come true at once.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import TypeAlias

from tournaments.standings.event import ByeResult, Event, TableResult
from tournaments.standings.outcomes import (
    LISTED,
    OpenTable,
    Place,
    covering_orders,
    orders,
    place_in,
    placings,
    result_of,
)
from tournaments.standings.prospects import MOST_OTHERS, Condition, Prospect, Reach
from tournaments.standings.tally import tally
from tournaments.standings.tie_breaks import points_of

Worth: TypeAlias = int
"""Points as they compare: how many smaller ones anybody may end with. Whole numbers compare sooner."""
EndPoints: TypeAlias = Mapping[str, Mapping[Place, Worth]]
"""By player at an open table: what the end is worth, by the place there."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of a group can end with so many points; both columns rise."""

    most: Sequence[Worth]
    """The points that one, two, three … of them can have at once, at most."""
    least: Sequence[Worth]
    """The points that one, two, three … of them have in any case."""

    def at_most(self, points: Worth) -> int:
        """Return how many can have at least so many points at once."""
        return len(self.most) - bisect_left(self.most, points)

    def above_in_any_case(self, points: Worth) -> int:
        """Return how many have more points, whatever comes."""
        return len(self.least) - bisect_right(self.least, points)

    @classmethod
    def together(cls, groups: Iterable["Counts"]) -> "Counts":
        """Return the counts of groups that do not touch one another."""
        listed = list(groups)
        return cls(
            sorted(chain.from_iterable(group.most for group in listed)),
            sorted(chain.from_iterable(group.least for group in listed)),
        )


def prospects_by_points(
    stage: Event, tables: Sequence[OpenTable], ranks: Sequence[int]
) -> Iterator[Prospect]:
    """Yield the prospects of who is in the stage; who is level may come in either way.

    What is enough for some ranks hangs on others only where the first is asked for.
    """
    ends, settled = _end_points(stage, tables)
    ways = [_ends_of_table(table, ends) for table in tables]
    counts = [
        _counts_of_table(table, ends, listed)
        for table, listed in zip(tables, ways, strict=True)
    ]
    fixed = sorted(settled.values())
    everybody = Counts.together([*counts, Counts(fixed, fixed)])
    for player, points in settled.items():
        yield Prospect(player=player, reach=_reach(points, points, everybody))
    for table, listed, own in zip(tables, ways, counts, strict=True):
        for player, reaches in _reaches_of_table(table, ends, listed, everybody, own):
            reach = Reach.around(reaches.values())
            by_place = {
                place.rank: reaches[place]
                for place in sorted(reaches)
                if place.holders == 1
            }
            within = {
                rank: _enough(rank, by_place) for rank in ranks if reach.worst > rank
            }
            if 1 in within:
                within[1] = _conditions(player, table, tables, ends, settled)
            yield Prospect(
                player=player,
                reach=reach,
                by_place=by_place,
                within={rank: enough for rank, enough in within.items() if enough},
            )


def prospects_by_extremes(
    stage: Event,
    tables: Sequence[OpenTable],
    rounds_to_come: int,
    sizes: Collection[int],
) -> Iterator[Prospect]:
    """Yield the prospects where whole rounds are not drawn yet.

    Anybody may win whatever is left, or lose it, sit out, or go home, at tables of any of
    the sizes.
    """
    known = {*sizes, *(len(table.scores) for table in stage.tables)}
    known |= {len(table.players) for table in tables}
    if stage.counting.points == "places":
        known &= stage.counting.places.keys()
    first = stage.tables[-1].round + 1 if stage.tables else 1
    coming = range(first, first + rounds_to_come)
    ways = [_points(_without_others(stage, tables, coming, None, win=False))]
    for size in sorted(known):
        for win in (True, False):
            ways.append(_points(_without_others(stage, tables, coming, size, win=win)))
    byes = [
        ByeResult(round=number, player=player)
        for number in coming
        for player in stage.players
    ]
    for win in (True, False):
        alone = _without_others(stage, tables, coming, None, win=win)
        ways.append(_points(replace(alone, byes=[*alone.byes, *byes])))
    for size in sorted(known):
        played = _among_strangers(stage, tables, coming, size)
        ways.append(_points(played))
        ways.append(_points(replace(played, byes=[*played.byes, *byes])))
    worth = _worth(points for way in ways for points in way.values())
    reached = {player: [worth[way[player]] for way in ways] for player in stage.players}
    everybody = Counts(
        sorted(map(max, reached.values())), sorted(map(min, reached.values()))
    )
    for player, points in reached.items():
        yield Prospect(player=player, reach=_reach(max(points), min(points), everybody))


def _without_others(
    stage: Event,
    tables: Sequence[OpenTable],
    coming: range,
    size: int | None,
    *,
    win: bool,
) -> Event:
    """Return the stage as if everybody won, or lost, all that is left to be played.

    Each does so against nobodies, at tables of a size; without a size nobody plays the
    rounds to come.
    """
    left = [
        (table.round, player, len(table.players))
        for table in tables
        for player in table.players
    ]
    left += [
        (number, player, size)
        for number in coming
        for player in stage.players
        if size is not None
    ]
    results = [
        TableResult(
            round=number,
            scores={
                player: 1 if win else -1,
                **{f"{number}:{seat}:{player}": 0 for seat in range(1, seats)},
            },
        )
        for number, player, seats in left
    ]
    return replace(stage, tables=[*stage.tables, *results])


def _among_strangers(
    stage: Event, tables: Sequence[OpenTable], coming: range, size: int
) -> Event:
    """Return the stage as if nobodies filled the rounds to come, at tables of a size.

    So the mean of all seats, which a bye may be worth to who never sat at one, comes as far as it can.
    """
    results = [
        result_of(table, covering_orders(len(table.players))[0]) for table in tables
    ]
    for number in coming:
        results += [
            TableResult(
                round=number,
                scores={f"{number}:{table}:{seat}": seat for seat in range(size)},
            )
            for table in range(-(-len(stage.players) // size))
        ]
    return replace(stage, tables=[*stage.tables, *results])


def _reach(highest: Worth, lowest: Worth, everybody: Counts) -> Reach:
    """Return between which ranks somebody ends who is counted among everybody."""
    return Reach(1 + everybody.above_in_any_case(highest), everybody.at_most(lowest))


def _points(stage: Event) -> dict[str, Fraction]:
    """Return by player the points of the stage as it is."""
    counted = tally(stage)
    points = points_of(stage, counted).values()
    return {
        name: worth or Fraction()
        for name, worth in zip(counted.names, points, strict=True)
    }


def _end_points(
    stage: Event, tables: Sequence[OpenTable]
) -> tuple[EndPoints, Mapping[str, Worth]]:
    """Return what the end is worth to everybody who still plays, and what to all others.

    The one hangs on their own table alone. The other hangs on none: but the mean of all seats, which
    a bye may be worth, is another once a table of another size is over.

    All tables end at once, each in one order after the other, until every seat has come
    to every place.
    """
    settled = _points(stage)
    ends: dict[str, dict[Place, Fraction]] = {
        player: {} for table in tables for player in table.players
    }
    coverings = [covering_orders(len(table.players)) for table in tables]
    for turn in range(max(map(len, coverings), default=0)):
        chosen = [covering[turn % len(covering)] for covering in coverings]
        results = map(result_of, tables, chosen)
        settled = _points(replace(stage, tables=[*stage.tables, *results]))
        for table, order in zip(tables, chosen, strict=True):
            for seat, player in enumerate(table.players):
                ends[player][place_in(order, seat)] = settled[player]
    worth = _worth(chain(settled.values(), *(by.values() for by in ends.values())))
    return (
        {
            player: {place: worth[points] for place, points in by_place.items()}
            for player, by_place in ends.items()
        },
        {
            player: worth[points]
            for player, points in settled.items()
            if player not in ends
        },
    )


def _worth(points: Iterable[Fraction]) -> Mapping[Fraction, Worth]:
    """Return what each of some numbers of points is worth among them."""
    return {each: below for below, each in enumerate(sorted(set(points)))}


def _ends_of_table(table: OpenTable, ends: EndPoints) -> Sequence[Sequence[Worth]]:
    """Return what the end is worth to each seat, for each of the `placings` of the table.

    Nothing where they are too many to list.
    """
    if len(table.players) > LISTED:
        return []
    by_seat = [ends[player] for player in table.players]
    return [
        [by_place[place] for by_place, place in zip(by_seat, placing, strict=True)]
        for placing in placings(len(by_seat))
    ]


def _counts_of_table(
    table: OpenTable, ends: EndPoints, ways: Sequence[Sequence[Worth]]
) -> Counts:
    """Return how many of a table can end with how many points.

    Where its ways are too many to list, each player counts by themselves: then it may
    be that not all of it can come true at once.
    """
    if not ways:
        reached = [ends[player].values() for player in table.players]
        return Counts(sorted(map(max, reached)), sorted(map(min, reached)))
    columns = list(zip(*map(sorted, ways), strict=True))
    return Counts([*map(max, columns)], [*map(min, columns)])


def _reaches_of_table(
    table: OpenTable,
    ends: EndPoints,
    ways: Sequence[Sequence[Worth]],
    everybody: Counts,
    own: Counts,
) -> Iterator[tuple[str, Mapping[Place, Reach]]]:
    """Yield the players with what each of their places leads to, whatever others make of theirs."""
    for seat, player in enumerate(table.players):
        beside = (
            _beside_by_order(seat, ways)
            if ways
            else _beside_by_extremes(player, table, ends)
        )
        yield (
            player,
            {
                place: Reach(
                    1
                    + least
                    + everybody.above_in_any_case(ends[player][place])
                    - own.above_in_any_case(ends[player][place]),
                    1
                    + most
                    + everybody.at_most(ends[player][place])
                    - own.at_most(ends[player][place]),
                )
                for place, (least, most) in beside.items()
            },
        )


def _beside_by_order(
    seat: int, ways: Sequence[Sequence[Worth]]
) -> Mapping[Place, tuple[int, int]]:
    """Return by place of a seat how many of its table come above at least, and are level at most."""
    beside: dict[Place, tuple[int, int]] = {}
    size = len(ways[0])
    for placing, worths in zip(placings(size), ways, strict=True):
        points, ordered = worths[seat], sorted(worths)
        above = size - bisect_right(ordered, points)
        # One of those with as many points is the player.
        level = size - bisect_left(ordered, points) - 1
        least, most = beside.get(placing[seat], (above, level))
        beside[placing[seat]] = min(least, above), max(most, level)
    return beside


def _beside_by_extremes(
    player: str, table: OpenTable, ends: EndPoints
) -> Mapping[Place, tuple[int, int]]:
    """Return the same where the orders are too many to list."""
    others = [
        (min(ends[other].values()), max(ends[other].values()))
        for other in table.players
        if other != player
    ]
    return {
        place: (
            sum(least > points for least, _most in others),
            sum(most >= points for _least, most in others),
        )
        for place, points in ends[player].items()
    }


def _enough(rank: int, by_place: Mapping[int, Reach]) -> tuple[Condition, ...]:
    """Return the lowest place that is enough for a rank, whatever others do."""
    places = [place for place, reach in by_place.items() if reach.worst <= rank]
    return (Condition(place=max(places)),) if places else ()


def _conditions(
    player: str,
    table: OpenTable,
    tables: Sequence[OpenTable],
    ends: EndPoints,
    settled: Mapping[str, Worth],
) -> tuple[Condition, ...]:
    """Return the lowest place that is enough to be first, and what the next one wants."""
    conditions: list[Condition] = []
    for rank in range(len(table.players), 0, -1):
        others = _limits(player, Place(rank, 1), table, tables, ends, settled)
        if others is None:
            continue
        if not others:
            return (Condition(place=rank), *conditions[-1:])
        if len(others) <= MOST_OTHERS:
            conditions.append(Condition(place=rank, others=others))
    return tuple(conditions[-1:])


def _limits(
    player: str,
    place: Place,
    table: OpenTable,
    tables: Sequence[OpenTable],
    ends: EndPoints,
    settled: Mapping[str, Worth],
) -> dict[str, int] | None:
    """Return by others the best place that leaves them behind; None where nothing does.

    Whom no place brings that far is not in it.
    """
    points = ends[player][place]
    if any(other >= points for other in settled.values()):
        return None
    limits: dict[str, int] = {}
    for other_table in tables:
        for other in other_table.players:
            if other == player:
                continue
            possible = [
                (its_place.rank, worth)
                for its_place, worth in ends[other].items()
                if other_table is not table or _beside(place, its_place)
            ]
            too_good = [rank for rank, worth in possible if worth >= points]
            if not too_good:
                continue
            limits[other] = max(too_good) + 1
            if limits[other] > max(rank for rank, _worth in possible):
                return None
    return limits if _possible(limits, player, place, table, tables) else None


def _beside(place: Place, other: Place) -> bool:
    """Return whether two players can come to two places of one table, the first alone."""
    return other.rank > place.rank or other.rank + other.holders <= place.rank


def _possible(
    limits: Mapping[str, int],
    player: str,
    place: Place,
    table: OpenTable,
    tables: Sequence[OpenTable],
) -> bool:
    """Return whether all of it can come true at once."""
    for other_table in tables:
        if len(other_table.players) > LISTED or limits.keys().isdisjoint(
            other_table.players
        ):
            continue
        if not any(
            all(
                order[seat] >= limits.get(other, 1)
                for seat, other in enumerate(other_table.players)
            )
            and (
                other_table is not table
                or place_in(order, table.players.index(player)) == place
            )
            for order in orders(len(other_table.players))
        ):
            return False
    return True
