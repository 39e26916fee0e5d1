"""How long exact standings take, beside plain float sums of the same tables.

python -m tests.benchmarks.bench_standings
"""

import timeit
from collections.abc import Callable
from functools import partial
from random import Random

from tournaments.standings import Event, TableResult, standings

GOALS = {(1_000, 10): 0.1, (10_000, 12): 1.5}
"""Seconds, by players and rounds."""
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


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Return the shortest of several runs, without the garbage collector's share."""
    return min(timeit.repeat(work, number=1, repeat=times))


def main() -> None:
    """Print each workload, its time, its ratio to the floor, and the growth."""
    found = {}
    for (players, rounds), goal in GOALS.items():
        event = random_event(players, rounds, Random(1))
        exact = seconds(partial(standings, event))
        floor = seconds(partial(float_floor, event))
        found[players * rounds] = exact
        verdict = "ok" if exact <= goal else "MISSED"
        print(
            f"standings {players:>6} × {rounds}: {exact:.3f} s "
            f"({exact / floor:.0f} × float sums), goal {goal} s: {verdict}"
        )
    small, large = sorted(found)
    print(
        f"growth: {large / small:.0f} × the results take "
        f"{found[large] / found[small]:.1f} × the time"
    )


if __name__ == "__main__":
    main()
