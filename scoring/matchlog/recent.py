"""Matches that this process wrote last, so that the next hand need not read the log.

A version of a match has exactly one log, so a cached match is as current as one that is read.
Only committed matches are cached. A standby that took over without the last commits is
recognised by the totals of its seats.
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
"""The number of cached matches, some tens of kilobytes each: the tables of several clubs in one night."""


class RecentMatch(NamedTuple):
    """A log, and the match replayed from it."""

    version: int
    log: list[LogEntry]
    replayed: ReplayedMatch


class RecentMatches:
    def __init__(self) -> None:
        self._left: OrderedDict[UUID, RecentMatch] = OrderedDict()
        self._alone = Lock()

    def get(self, match: Match, seats: Sequence[Seat]) -> RecentMatch | None:
        """Return the cached match; None if there is none, or if it was written elsewhere since."""
        left = self._left.get(match.key)
        if left is None or left.version != match.version:
            return None
        stands = [seat.total for seat in seats]
        return left if stands == list(left.replayed.state.totals) else None

    def keep(self, logged: LoggedMatch) -> None:
        """Cache a match after the commit, if its log has only entries of hands.

        Other entries may contain a name, and a rename edits them in place.
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
"""The cache of this process."""
