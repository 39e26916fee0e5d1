"""Matches as this process left them: whoever enters the next hand there need not read the log again.

A version of a match is one log and no other, so what is kept under it is as true as what would be
read. Only what is committed is kept; and a standby that took over without the last of it tells by
how its seats stand.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from scoring.matchlog.commands import LoggedMatch
from scoring.matchlog.replay import ReplayedMatch
from scoring.models import LogEntry, Match, Seat

MOST = 256
"""Matches that a process keeps, some tens of kilobytes each: the tables of several clubs in one night."""


class Left(NamedTuple):
    """A log, and the match that it tells."""

    version: int
    log: list[LogEntry]
    replayed: ReplayedMatch


class RecentMatches:
    """What a process keeps of the matches in which it wrote last."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._left: OrderedDict[UUID, Left] = OrderedDict()
        self._alone = Lock()

    def of(self, match: Match, seats: Sequence[Seat]) -> Left | None:
        """Return a match as it was left, where nobody else has written there since."""
        left = self._left.get(match.key)
        if left is None or left.version != match.version:
            return None
        stands = [seat.total for seat in seats]
        return left if stands == list(left.replayed.state.totals) else None

    def keep(self, logged: LoggedMatch) -> None:
        """Keep a match once it is committed, where its log is of hands alone.

        The body of another entry may hold a name, which is put right in a log as it is.
        """
        log = list(logged.log)
        if all(entry.hand_number for entry in log):
            left = Left(logged.version, log, logged.replayed)
            transaction.on_commit(partial(self._keep, logged.match.key, left))

    def _keep(self, match: UUID, left: Left) -> None:
        with self._alone:
            self._left[match] = left
            self._left.move_to_end(match)
            if len(self._left) > MOST:
                self._left.popitem(last=False)


RECENT = RecentMatches()
"""Of this process."""
