"""Matches as this process last wrote them, so that the next hand needs no reading of the log.

A version of a match is one log and no other, so what is kept under it is as true as what would be
read. Only what is committed is kept; and a standby that took over without the last of it tells by
how its seats stand.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from scoring.matchlog.commands import LoggedMatch
from scoring.matchlog.replay import ReplayedMatch
from scoring.models import LogEntry, Match, Seat

MOST = 256
"""Matches that a process keeps, some tens of kilobytes each: the tables of several clubs in one night."""


class RecentMatch(NamedTuple):
    """A log, and the match replayed from it."""

    version: int
    log: list[LogEntry]
    replayed: ReplayedMatch


class RecentMatches:
    """The matches that a process wrote last."""

    def __init__(self) -> None:
        self._left: OrderedDict[UUID, RecentMatch] = OrderedDict()
        self._alone = Lock()

    def get(self, match: Match, seats: Sequence[Seat]) -> RecentMatch | None:
        """Return a match as it was left, where nobody else has written there since."""
        left = self._left.get(match.key)
        if left is None or left.version != match.version:
            return None
        stands = [seat.total for seat in seats]
        return left if stands == list(left.replayed.state.totals) else None

    def keep(self, logged: LoggedMatch) -> None:
        """Keep a match once it is committed, if its log has entries of hands only.

        The body of another entry may hold a name, which is put right in a log as it is.
        """
        log, match = list(logged.log), logged.match.key
        if not all(entry.hand_number for entry in log):
            return
        left = RecentMatch(logged.version, log, logged.replayed)

        def store() -> None:
            with self._alone:
                self._left[match] = left
                self._left.move_to_end(match)
                if len(self._left) > MOST:
                    self._left.popitem(last=False)

        transaction.on_commit(store)


RECENT = RecentMatches()
"""Of this process."""
