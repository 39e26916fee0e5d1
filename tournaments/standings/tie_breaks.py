"""Tie-breaks: each an exact value a player, None where it is undefined.

The better value is the higher one, but for `final_table` and `lot`. Head-to-head
depends on who is level, so the ranking asks for it group by group.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import TypeAlias

from tournaments.standings.event import Event
from tournaments.standings.tally import PlayerTally, Tally

Values: TypeAlias = dict[str, Fraction | None]
"""A tie-break's value by player."""

LOWER_IS_BETTER = frozenset({"final_table", "final_place", "lot"})


def points_of(event: Event, tally: Tally) -> dict[str, Fraction]:
    """Return the points of each player: tables, byes, less penalties."""
    return {
        name: _total(event, tally, one) - one.penalty
        for name, one in tally.players.items()
    }


def _total(event: Event, tally: Tally, one: PlayerTally) -> Fraction:
    if not one.byes:
        return Fraction(sum(one.points), tally.scale.points)
    return sum(table_points(event, tally, one), Fraction())


def table_points(event: Event, tally: Tally, one: PlayerTally) -> list[Fraction]:
    """Return the points of each of a player's tables, byes at the end.

    A bye counts what was fixed, else the mean of the player's own tables; without
    any, the mean of all seats.
    """
    scale = tally.scale.points
    made = [Fraction(points, scale) for points in one.points]
    if not one.byes:
        return made
    worth = event.counting.bye
    if worth is None:
        worth = sum(made, Fraction()) / len(made) if made else tally.mean() / scale
    return made + [worth] * one.byes


def wins(event: Event, tally: Tally) -> Values:
    """Return the tables won; a shared first place counts its share."""
    return _shares(tally, rank=1)


def seconds(event: Event, tally: Tally) -> Values:
    """Return the second places; a shared one counts its share."""
    return _shares(tally, rank=2)


def _shares(tally: Tally, *, rank: int) -> Values:
    whole = lcm(*range(1, tally.largest + 1))
    return {
        name: Fraction(
            sum(whole // shared for at, shared in one.places if at == rank), whole
        )
        for name, one in tally.players.items()
    }


def opponents(event: Event, tally: Tally) -> Values:
    """Return the mean of the opponents' average points at tables without the player.

    Encounters with somebody who has no such table are left out; without any encounter
    it is the mean of all seats.
    """
    neutral = tally.mean() / tally.scale.points
    sums = {name: sum(one.points) for name, one in tally.players.items()}
    counts = {name: len(one.points) for name, one in tally.players.items()}
    whole = lcm(*range(1, max(counts.values(), default=0) + 1))
    parts = [
        0,
        *(whole // count for count in range(1, max(counts.values(), default=0) + 1)),
    ]
    values: Values = {}
    for name, one in tally.players.items():
        total = encounters = 0
        for other, met in one.met.items():
            elsewhere = counts[other] - met
            if elsewhere:
                left = sums[other] - one.conceded[other]
                total += met * left * parts[elsewhere]
                encounters += met
        scale = whole * encounters * tally.scale.points
        values[name] = Fraction(total, scale) if encounters else neutral
    return values


def opponents_all(event: Event, tally: Tally) -> Values:
    """Return the mean of the opponents' average points, common tables included."""
    averages = _averages(tally)
    neutral = tally.mean() / tally.scale.points
    values: Values = {}
    for name, one in tally.players.items():
        encounters = sum(one.met.values())
        total = sum(
            (met * averages[other] for other, met in one.met.items()), Fraction()
        )
        values[name] = total / encounters if encounters else neutral
    return values


def sonneborn_berger(event: Event, tally: Tally) -> Values:
    """Return the results against each opponent times the opponent's average points."""
    averages = _averages(tally)
    return {
        name: sum(
            (
                Fraction(halves, 2) * averages[other]
                for other, halves in one.halves.items()
            ),
            Fraction(),
        )
        for name, one in tally.players.items()
    }


def _averages(tally: Tally) -> dict[str, Fraction]:
    """Return each player's mean points of a table."""
    return {
        name: Fraction(sum(one.points), len(one.points) * tally.scale.points)
        for name, one in tally.players.items()
        if one.points
    }


def beaten(event: Event, tally: Tally) -> Values:
    """Return the opponents beaten; who was level counts a half."""
    return {
        name: Fraction(sum(one.halves.values()), 2)
        for name, one in tally.players.items()
    }


def margin(event: Event, tally: Tally) -> Values:
    """Return the sum of differences to the mean score of the table."""
    scale = tally.scale.scores
    return {
        name: Fraction(sum(one.margins), scale) for name, one in tally.players.items()
    }


def best_table(event: Event, tally: Tally) -> Values:
    """Return the best difference to the mean score of a table."""
    scale = tally.scale.scores
    return {
        name: Fraction(max(one.margins), scale) if one.margins else None
        for name, one in tally.players.items()
    }


def cut_one(event: Event, tally: Tally) -> Values:
    """Return the points without the worst table."""
    values: Values = {}
    for name, one in tally.players.items():
        made = table_points(event, tally, one)
        values[name] = sum(made, Fraction()) - min(made) if made else None
    return values


def median(event: Event, tally: Tally) -> Values:
    """Return the points without the best and the worst of three tables or more."""
    values: Values = {}
    for name, one in tally.players.items():
        made = table_points(event, tally, one)
        rest = sum(made, Fraction()) - min(made) - max(made) if len(made) > 2 else None
        values[name] = rest
    return values


def raw(event: Event, tally: Tally) -> Values:
    """Return the sum of scores."""
    scale = tally.scale.scores
    return {name: Fraction(one.raw, scale) for name, one in tally.players.items()}


def percentage(event: Event, tally: Tally) -> Values:
    """Return the sum of scores as parts of the winner's.

    Where the winner has nothing, or less, the winner counts one and all others nothing.
    """
    return {
        name: sum((_of_winner(table.scores, name) for table in one.tables), Fraction())
        for name, one in tally.players.items()
    }


def _of_winner(scores: Mapping[str, int | Fraction], name: str) -> Fraction:
    best = max(scores.values())
    if best > 0:
        return Fraction(scores[name]) / best
    return Fraction(scores[name] == best)


def share(event: Event, tally: Tally) -> Values:
    """Return the sum of scores as parts of the table's.

    Undefined for who sat at a table with a score below nothing, or with nothing at all.
    """
    return {name: _shared(one, name) for name, one in tally.players.items()}


def _shared(one: PlayerTally, name: str) -> Fraction | None:
    total = Fraction()
    for table in one.tables:
        together = sum(table.scores.values())
        if min(table.scores.values()) < 0 or together == 0:
            return None
        total += Fraction(table.scores[name]) / together
    return total


def final_table(event: Event, tally: Tally) -> Values:
    """Return the number of the table in the last round; the lower is the better."""
    return {
        name: next(
            (
                Fraction(table.table)
                for table in one.tables
                if table.round == tally.last_round
            ),
            None,
        )
        for name, one in tally.players.items()
    }


def final_place(event: Event, tally: Tally) -> Values:
    """Return the place at the table of the last round; the lower is the better."""
    return {
        name: next(
            (
                Fraction(place.rank)
                for table, place in zip(one.tables, one.places, strict=True)
                if table.round == tally.last_round
            ),
            None,
        )
        for name, one in tally.players.items()
    }


def lot(event: Event, tally: Tally) -> Values:
    """Return the lots that were drawn; None for who drew none."""
    return {
        name: Fraction(event.lots[name]) if name in event.lots else None
        for name in tally.players
    }


TIE_BREAKS: Mapping[str, Callable[[Event, Tally], Values]] = {
    "wins": wins,
    "seconds": seconds,
    "opponents": opponents,
    "opponents_all": opponents_all,
    "sonneborn_berger": sonneborn_berger,
    "beaten": beaten,
    "margin": margin,
    "best_table": best_table,
    "cut_one": cut_one,
    "median": median,
    "raw": raw,
    "percentage": percentage,
    "share": share,
    "final_table": final_table,
    "lot": lot,
}
"""How each is computed, but for head-to-head."""

HEAD_TO_HEAD = "head_to_head"
NAMES = (*TIE_BREAKS, HEAD_TO_HEAD)


def head_to_head(tally: Tally, level: Sequence[str]) -> Values | None:
    """Return the results among those who are level, a meeting a point at most.

    None unless every two of them have met.
    """
    players = tally.players
    for one, other in combinations(level, 2):
        if other not in players[one].met:
            return None
    return {
        name: sum(
            (
                Fraction(players[name].halves[other], 2 * players[name].met[other])
                for other in level
                if other != name
            ),
            Fraction(),
        )
        for name in level
    }
