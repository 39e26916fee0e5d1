"""What the rest of the site wants to say on the pages of a match."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.models import Match
from scoring.signals import match_shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """One line above the score sheet."""

    words: str
    address: str = ""
    """Where the words lead; empty for nowhere."""
    urgent: bool = False
    ends_at: datetime | None = None
    """Where time is running: until when."""
    paused_at: datetime | None = None


def notices_of(match: Match) -> list[Notice]:
    """Return what is to be said of a match now, in the order of who says it."""
    told: list[tuple[Any, Any]] = match_shown.send(Match, match=match)
    return [notice for _says, notices in told for notice in notices or ()]
