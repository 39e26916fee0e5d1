"""What an input is to the test that sends it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Fault:
    """What must not be, and where it came from."""

    what: str
    """The same for the same fault, whatever the input is."""
    more: str = ""


class Attempt(Protocol):
    """One input, ready to be sent any number of times."""

    @property
    def kind(self) -> str:
        """Return what it is called in the figures."""

    @property
    def content(self) -> bytes:
        """Return what is hostile about it, to be made shorter."""

    def with_content(self, content: bytes) -> "Attempt":
        """Return the same with something else in it."""

    def play(self, site: Any) -> Fault | None:
        """Send it; return what went wrong."""


def shortest_run(
    before: list[Attempt], fails: Callable[[list[Attempt]], bool]
) -> list[Attempt]:
    """Return as few of the attempts as the failure needs before it."""
    size = len(before)
    while size:
        start = 0
        while start < len(before):
            fewer = before[:start] + before[start + size :]
            if fails(fewer):
                before = fewer
            else:
                start += size
        size //= 2
    return before


def shortest_content(
    attempt: Attempt, fails: Callable[[Attempt], bool], most: int = 300
) -> Attempt:
    """Return the attempt with as little in it as still fails, after so many tries."""
    size = len(attempt.content) // 2
    while size and most > 0:
        start = 0
        while start < len(attempt.content) and most > 0:
            content = attempt.content
            shorter = attempt.with_content(content[:start] + content[start + size :])
            most -= 1
            if fails(shorter):
                attempt = shorter
            else:
                start += size
        size //= 2
    return attempt
