"""Speed of exact standings, compared to plain float sums of the same tables.

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
    CountingRules,
    OpenTable,
    StandingsInput,
    TableResult,
    outlook,
    standings,
)

GOALS = {(1_000, 10): 0.1, **({} if SHORT else {(10_000, 12): 1.5})}
"""Seconds with the usual tie-breaks, by players and rounds."""
OPEN = ((64, 5, 2.0), (200, 12, 5.0), *(() if SHORT else ((8, 3, 5.0),)))
"""Players, rounds, and seconds to compute possible results of the last round."""
GROWING = (1_000, 10_000) if SHORT else (1_000, 10_000, 100_000)
"""Numbers of players with few rounds, to measure the growth."""
MOST_FLOORS = 8
"""Most time of exact standings, as a multiple of plain float sums."""
SEATS = 4


def random_event(players: int, rounds: int, rng: Random) -> StandingsInput:
    """Return an event with random tables of four and random scores."""
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
    return StandingsInput(tables=tables)


def float_floor(event: StandingsInput) -> list[tuple[float, str]]:
    """Return ranked sums of place points as floats: the minimum of work."""
    sums: dict[str, float] = {}
    for table in event.tables:
        ordered = sorted(table.scores, key=table.scores.__getitem__, reverse=True)
        for place, name in enumerate(ordered):
            sums[name] = sums.get(name, 0.0) + SEATS - place
    return sorted(((points, name) for name, points in sums.items()), reverse=True)


def seconds(work: Callable[[], object], times: int = 15) -> float:
    """Return the shortest of several runs, without the garbage collector's share.

    Many runs, because other programs use the machine too.
    """
    return min(timeit.repeat(work, number=1, repeat=times))


def report(name: str, event: StandingsInput, goal: float | None = None) -> float:
    exact = seconds(partial(standings, event), times=15 if goal else 2)
    floor = seconds(partial(float_floor, event))
    verdict = ""
    if goal is not None:
        meets_goal, meets_ratio = exact <= goal, exact <= MOST_FLOORS * floor
        verdict = (
            f", goal {goal} s: {'ok' if meets_goal else 'MISSED'}"
            f", {MOST_FLOORS} ×: {'ok' if meets_ratio else 'MISSED'}"
        )
    print(f"{name:<44} {exact:>7.3f} s ({exact / floor:>4.1f} × float sums){verdict}")
    return exact


def report_growth(rounds: int = 5) -> None:
    times = [
        seconds(partial(standings, random_event(players, rounds, Random(1))), times=2)
        for players in GROWING
    ]
    for few, many, few_seconds, many_seconds in zip(
        GROWING, GROWING[1:], times, times[1:], strict=False
    ):
        expected_growth = many * log(many) / (few * log(few))
        print(
            f"growth from {few:,} to {many:,} players: {many_seconds / few_seconds:.1f} × the time "
            f"(n log n: {expected_growth:.1f})"
        )


def report_outlook(players: int, rounds: int, goal: float) -> None:
    """Print how long it takes to compute possible results of the last round."""
    event = random_event(players, rounds, Random(1))
    played = [table for table in event.tables if table.round < rounds]
    open_tables = [
        OpenTable(round=rounds, table=table.table, players=list(table.scores))
        for table in event.tables
        if table.round == rounds
    ]
    seconds_taken = seconds(
        partial(outlook, [replace(event, tables=played)], open_tables), times=2
    )
    verdict = "ok" if seconds_taken <= goal else "MISSED"
    name = f"what is open, {len(open_tables)} of {players} × {rounds}"
    print(f"{name:<44} {seconds_taken:>7.3f} s, goal {goal} s: {verdict}")


def main() -> None:
    for (players, rounds), goal in GOALS.items():
        event = random_event(players, rounds, Random(1))
        report(f"standings {players:,} × {rounds}", event, goal)
        everything = replace(event, counting=CountingRules(tie_breaks=list(TIE_BREAKS)))
        report(f"standings {players:,} × {rounds}, every tie-break", everything)
    report("standings 40 × 250, all meet again", random_event(40, 250, Random(1)))
    report_growth()
    for players, rounds, goal in OPEN:
        report_outlook(players, rounds, goal)


if __name__ == "__main__":
    main()
