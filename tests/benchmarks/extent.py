"""The extent of a benchmark: `BENCHMARKS=short` only checks that it runs, `whole` measures most.

Runs of all tests use `short`; published figures come from the usual or the whole extent. Each
benchmark prints its workload.
"""

import os

EXTENT = os.environ.get("BENCHMARKS", "usual")
SHORT, WHOLE = EXTENT == "short", EXTENT == "whole"
if EXTENT not in {"short", "usual", "whole"}:
    raise ValueError(f"BENCHMARKS is short, usual or whole, not {EXTENT!r}")
