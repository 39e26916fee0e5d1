"""What an input is to the test that sends it, and what is a fault."""

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

ROOT = Path(__file__).parents[2]
OURS = ("backups", "scoring", "tournaments", "tricky_site")


@dataclass(frozen=True)
class Fault:
    what: str
    """The same for the same fault, whatever the input is."""
    more: str = ""


class Attempt(Protocol):
    @property
    def kind(self) -> str:
        """Return what it is called in the figures."""

    def play(self, site: Any) -> Fault | None:
        """Send it; return what went wrong."""


def describe_fault(error: BaseException, of: str) -> Fault:
    at = ""
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OURS:
            at = f" at {path.relative_to(ROOT)}:{frame.lineno}"
    more = "".join(traceback.format_exception(error))
    return Fault(f"{type(error).__name__}{at} ({of})", more[-6_000:])
