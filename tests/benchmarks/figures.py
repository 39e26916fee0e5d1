"""Writes docs/reference/figures.md from what the benchmarks print: `script/figures`, or with names some parts.

PostgreSQL and Redis have to answer, Chromium and WebKitGTK to be installed, and nothing else should use
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
"""Their modules, what stands above their lines, and beside what these stand."""
WHOLE = {"night"}
"""Those that are asked for in whole (`tests.benchmarks.extent`)."""


def section(name: str) -> str:
    """Return the part of the page that a benchmark has; raises CalledProcessError where it fails."""
    (about, peer), module = BENCHMARKS[name], f"tests.benchmarks.bench_{name}"
    extent = "whole" if name in WHOLE else "usual"
    command = f"{'BENCHMARKS=whole ' if name in WHOLE else ''}python -m {module}"
    before = speed()
    lines = subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BENCHMARKS": extent},
    ).stdout
    return (
        f"\n## {about}\n\n`{command}`, at {before:.2f} of the speed before and "
        f"{speed():.2f} after. {peer}\n\n```text\n{lines}```\n"
    )


def as_it_stands(name: str) -> str:
    """Return the part of the page as it was written last; empty for none."""
    opening = f"\n## {BENCHMARKS[name][0]}\n"
    _before, _opening, rest = PAGE.read_text().partition(opening)
    return opening + rest.partition("\n## ")[0] if rest else ""


def main(wanted: Collection[str]) -> None:
    """Run the benchmarks of these names, all for none, and write the page if they came through."""
    asked = wanted or BENCHMARKS
    parts = [
        section(name) if name in asked else as_it_stands(name) for name in BENCHMARKS
    ]
    PAGE.write_text(HEAD + "".join(parts))


if __name__ == "__main__":
    main(sys.argv[1:])
