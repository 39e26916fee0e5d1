"""Writes docs/figures.md from what the benchmarks print: `script/figures`, or with names some parts.

PostgreSQL and Redis have to answer, and nothing else should use the machine.
"""

import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.machine import speed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/figures.md"
HEAD = """\
# Figures

What the benchmarks under `tests/benchmarks` printed when `script/figures` ran last. It writes this page anew, and nothing in it is
changed by hand. Each line says what was done, how fast, and what it is held to or stands beside: a goal, or somebody else's work on the same.

The machine's speed before and after each says how fast it added up 1,000 × 10 floats, where the one has 1 on which the goals were set.
"""


class Benchmark(NamedTuple):
    """A benchmark, and what stands above its lines."""

    name: str
    about: str
    peer: str


BENCHMARKS = (
    Benchmark("rules", "Scoring matches", "Nobody else scores these games."),
    Benchmark(
        "standings",
        "Standings",
        "Beside them stand plain float sums of the same tables, ranked: the least that can be done.",
    ),
    Benchmark(
        "seating",
        "Who sits where",
        "Beside its repeats stands the least that is possible.",
    ),
    Benchmark(
        "requests",
        "Pages and results",
        "Beside them stand an empty view of Django without middleware, served alike in the same run, and what "
        "Tabbycat, a well-known tournament server, was measured to answer.",
    ),
    Benchmark("live", "Live", "Nobody else's is measured."),
)


def lines_of(benchmark: Benchmark) -> str:
    """Return what a benchmark prints; raises CalledProcessError where it fails."""
    command = [sys.executable, "-m", f"tests.benchmarks.bench_{benchmark.name}"]
    return subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def section(benchmark: Benchmark) -> str:
    """Return the part of the page that a benchmark has."""
    before = speed()
    lines = lines_of(benchmark)
    after = speed()
    return (
        f"\n## {benchmark.about}\n\n`python -m tests.benchmarks.bench_{benchmark.name}`, "
        f"at {before:.2f} of the speed before and {after:.2f} after. {benchmark.peer}\n\n"
        f"```text\n{lines}```\n"
    )


def as_it_stands(benchmark: Benchmark) -> str:
    """Return the part of the page as it was written last; empty for none."""
    opening = f"\n## {benchmark.about}\n"
    _before, _opening, rest = PAGE.read_text().partition(opening)
    return opening + rest.partition("\n## ")[0] if rest else ""


def main(wanted: Collection[str]) -> None:
    """Run the benchmarks of these names, all for none, and write the page if they came through."""
    parts = [
        section(benchmark)
        if not wanted or benchmark.name in wanted
        else as_it_stands(benchmark)
        for benchmark in BENCHMARKS
    ]
    PAGE.write_text(HEAD + "".join(parts))


if __name__ == "__main__":
    main(sys.argv[1:])
