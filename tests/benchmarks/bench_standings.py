"""How long exact standings take, beside plain float sums of the same tables.

python -m tests.benchmarks.bench_standings
"""

import timeit
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import log
from random import Random

from tests.benchmarks.extent import SHORT
from tournaments.standings import (
    TIE_BREAKS,
    Counting,
    Event,
    OpenTable,
    TableResult,
    outlook,
    standings,
)

GOALS = {(1_000, 10): 0.1, **({} if SHORT else {(10_000, 12): 1.5})}
"""Seconds with the usual tie-breaks, by players and rounds."""
OPEN = ((64, 5, 2.0), (200, 12, 5.0), *(() if SHORT else ((8, 3, 5.0),)))
"""Players, rounds, and seconds to say what the last round can still bring."""
GROWING = (1_000, 10_000) if SHORT else (1_000, 10_000, 100_000)
"""Players, of a few rounds, to see the growth."""
MOST_FLOORS = 8
"""What exact standings may take, where plain float sums take one."""
SEATS = 4


def random_event(players: int, rounds: int, rng: Random) -> Event:
    """Return an event of tables of four, seated and scored by chance."""
    tables = []
    for number in range(1, rounds + 1):
        order = [f"P{player}" for player in range(players)]
        rng.shuffle(order)
        tables += [
            TableResult(
                round=number,
                table=1 + first // SEATS,
                scores={
                    name: rng.randint(-50, 300) for name in order[first : first + SEATS]
                },
            )
            for first in range(0, players, SEATS)
        ]
    return Event(tables=tables)


def float_floor(event: Event) -> list[tuple[float, str]]:
    """Return sums of place points as floats, ranked: the least that can be done."""
    sums: dict[str, float] = {}
    for table in event.tables:
        ordered = sorted(table.scores, key=table.scores.__getitem__, reverse=True)
        for place, name in enumerate(ordered):
            sums[name] = sums.get(name, 0.0) + SEATS - place
    return sorted(((points, name) for name, points in sums.items()), reverse=True)


def seconds(work: Callable[[], object], times: int = 15) -> float:
    """Return the shortest of several runs, without the garbage collector's share.

    Many, because other programs run beside them.
    """
    return min(timeit.repeat(work, number=1, repeat=times))


def report(name: str, event: Event, goal: float | None = None) -> float:
    exact = seconds(partial(standings, event), times=15 if goal else 2)
    floor = seconds(partial(float_floor, event))
    verdict = ""
    if goal is not None:
        in_time, in_floors = exact <= goal, exact <= MOST_FLOORS * floor
        verdict = (
            f", goal {goal} s: {'ok' if in_time else 'MISSED'}"
            f", {MOST_FLOORS} ×: {'ok' if in_floors else 'MISSED'}"
        )
    print(f"{name:<44} {exact:>7.3f} s ({exact / floor:>4.1f} × float sums){verdict}")
    return exact


def report_growth(rounds: int = 5) -> None:
    found = [
        seconds(partial(standings, random_event(players, rounds, Random(1))), times=2)
        for players in GROWING
    ]
    for less, more, before, after in zip(
        GROWING, GROWING[1:], found, found[1:], strict=False
    ):
        allowed = more * log(more) / (less * log(less))
        print(
            f"growth from {less:,} to {more:,} players: {after / before:.1f} × the time "
            f"(n log n: {allowed:.1f})"
        )


def report_outlook(players: int, rounds: int, goal: float) -> None:
    """Print how long it takes to say what the last round can still bring."""
    event = random_event(players, rounds, Random(1))
    before = [table for table in event.tables if table.round < rounds]
    last = [
        OpenTable(round=rounds, table=table.table, players=list(table.scores))
        for table in event.tables
        if table.round == rounds
    ]
    taken = seconds(partial(outlook, [replace(event, tables=before)], last), times=2)
    verdict = "ok" if taken <= goal else "MISSED"
    name = f"what is open, {len(last)} of {players} × {rounds}"
    print(f"{name:<44} {taken:>7.3f} s, goal {goal} s: {verdict}")


def main() -> None:
    for (players, rounds), goal in GOALS.items():
        event = random_event(players, rounds, Random(1))
        report(f"standings {players:,} × {rounds}", event, goal)
        everything = replace(event, counting=Counting(tie_breaks=list(TIE_BREAKS)))
        report(f"standings {players:,} × {rounds}, every tie-break", everything)
    report("standings 40 × 250, all meet again", random_event(40, 250, Random(1)))
    report_growth()
    for players, rounds, goal in OPEN:
        report_outlook(players, rounds, goal)


if __name__ == "__main__":
    main()
