"""Which fault an exception is: the same for the same line, whatever the input was."""

import traceback
from pathlib import Path

from tests.fuzz.attempt import Fault

ROOT = Path(__file__).parents[2]
OURS = ("backups", "scoring", "tournaments", "tricky_site")


def fault_of(error: BaseException, of: str) -> Fault:
    """Return what broke, named by its type and the last line of ours that it passed."""
    at = ""
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OURS:
            at = f" at {path.relative_to(ROOT)}:{frame.lineno}"
    more = "".join(traceback.format_exception(error))
    return Fault(f"{type(error).__name__}{at} ({of})", more[-6_000:])
