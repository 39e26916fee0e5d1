"""How much a benchmark measures: `BENCHMARKS=short` shows that it runs, `whole` asks for most.

Short is what every run of all tests has; figures that are cited come from the usual extent,
or the whole. Each benchmark prints the workload that it had.
"""

import os

EXTENT = os.environ.get("BENCHMARKS", "usual")
SHORT, WHOLE = EXTENT == "short", EXTENT == "whole"
if EXTENT not in {"short", "usual", "whole"}:
    raise ValueError(f"BENCHMARKS is short, usual or whole, not {EXTENT!r}")
