"""Write docs/reference/figures.md from the output of the benchmarks: `script/figures`, with names for some parts.

PostgreSQL and Redis must run, Chromium and WebKitGTK must be installed, and no other program should use
the machine.
"""

import os
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from tests.benchmarks.machine import speed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/figures.md"
HEAD = """\
# Figures

Output of the benchmarks in `tests/benchmarks`. `script/figures` writes this page; don't edit it. Each line has a figure and its goal, or a comparison.

Machines differ, so each part gives the speed before and after: the time to add up 1,000 × 10 floats, where 1 is the machine on which the goals were set.
"""


BENCHMARKS = {
    "rules": ("Scoring matches", "No other program scores these games."),
    "standings": (
        "Standings",
        "The comparison is with plain float sums of the same tables, ranked.",
    ),
    "seating": (
        "Seating",
        "The bound is the least number of repeats that is possible.",
    ),
    "requests": (
        "Pages and results",
        "The comparison is with an empty Django view without middleware in the same run, and with Tabbycat, a well-known tournament server.",
    ),
    "phone": (
        "An offline phone",
        "Each line has its goal, except the first visit, when the phone downloads and compiles everything.",
    ),
    "night": (
        "A night of a thousand tables",
        "Phones, desks and screens run on the same machine as the server. Each line has its goal.",
    ),
}
"""Headings and notes by module."""
WHOLE = {"night"}
"""Benchmarks that run in whole (`tests.benchmarks.extent`)."""


def run_benchmark(name: str) -> str:
    """Return the section of a benchmark. Raises CalledProcessError if it fails."""
    (heading, note), module = BENCHMARKS[name], f"tests.benchmarks.bench_{name}"
    extent = "whole" if name in WHOLE else "usual"
    command = f"{'BENCHMARKS=whole ' if name in WHOLE else ''}python -m {module}"
    speed_before = speed()
    lines = subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BENCHMARKS": extent},
    ).stdout
    return (
        f"\n## {heading}\n\n`{command}`, at {speed_before:.2f} of the speed before and "
        f"{speed():.2f} after. {note}\n\n```text\n{lines}```\n"
    )


def current_section(name: str) -> str:
    """Return the current section of a benchmark; empty if there is none."""
    heading = f"\n## {BENCHMARKS[name][0]}\n"
    _before, _opening, rest = PAGE.read_text().partition(heading)
    return heading + rest.partition("\n## ")[0] if rest else ""


def main(names: Collection[str]) -> None:
    """Run the named benchmarks, by default all, and write the page if they succeed."""
    selected = names or BENCHMARKS
    sections = [
        run_benchmark(name) if name in selected else current_section(name)
        for name in BENCHMARKS
    ]
    PAGE.write_text(HEAD + "".join(sections))


if __name__ == "__main__":
    main(sys.argv[1:])
