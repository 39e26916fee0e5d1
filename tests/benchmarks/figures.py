"""Writes docs/figures.md from what the benchmarks print: `script/figures`, or with names some parts.

PostgreSQL and Redis have to answer, Chromium and WebKitGTK to be installed, and nothing else should use
the machine.
"""

import os
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
    extent: str = "usual"
    """As in `tests.benchmarks.extent`."""

    @property
    def command(self) -> str:
        """Return what runs it by itself."""
        asked = "" if self.extent == "usual" else f"BENCHMARKS={self.extent} "
        return f"{asked}python -m {self.module}"

    @property
    def module(self) -> str:
        """Return where it is."""
        return f"tests.benchmarks.bench_{self.name}"


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
    Benchmark(
        "phone",
        "A slow phone, alone",
        "Each line has its goal; the first visit of all, when the phone fetches and compiles everything, has none.",
    ),
    Benchmark(
        "night",
        "A night of a thousand tables",
        "Phones, desks and screens are of the same machine as what they ask. Each line has its goal.",
        "whole",
    ),
)


def lines_of(benchmark: Benchmark) -> str:
    """Return what a benchmark prints; raises CalledProcessError where it fails."""
    command = [sys.executable, "-m", benchmark.module]
    extent = {**os.environ, "BENCHMARKS": benchmark.extent}
    return subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, env=extent
    ).stdout


def section(benchmark: Benchmark) -> str:
    """Return the part of the page that a benchmark has."""
    before = speed()
    lines = lines_of(benchmark)
    after = speed()
    return (
        f"\n## {benchmark.about}\n\n`{benchmark.command}`, "
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
