"""Matches that this process wrote last, so that the next hand need not read the log.

A version of a match has exactly one log, so a cached match is as current as one that is read.
Only committed matches are cached. A standby that took over without the last commits is
recognised by the totals of its seats.
"""

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from uuid import UUID

from django.db import transaction

from scoring.matchlog.commands import MatchSnapshot
from scoring.models import Match, Seat

MOST = 256
"""The number of cached matches, some tens of kilobytes each: the tables of several clubs in one night."""


class RecentMatchCache:
    def __init__(self) -> None:
        self._matches: OrderedDict[UUID, MatchSnapshot] = OrderedDict()
        self._lock = Lock()

    def get(self, match: Match, seats: Sequence[Seat]) -> MatchSnapshot | None:
        """Return the cached match; None if there is none, or if it was written elsewhere since.

        Its match and seats are as old as the cache.
        """
        cached = self._matches.get(match.key)
        if cached is None or cached.version != match.version:
            return None
        totals = [seat.total for seat in seats]
        return cached if totals == list(cached.replayed.state.totals) else None

    def add_after_commit(self, logged: MatchSnapshot) -> None:
        """Cache a match after the commit, if its log has only entries of hands.

        Other entries may contain a name, and a rename edits them in place.
        """
        if not all(entry.hand_number for entry in logged.log):
            return
        key = logged.match.key

        def store() -> None:
            with self._lock:
                self._matches[key] = logged
                self._matches.move_to_end(key)
                if len(self._matches) > MOST:
                    self._matches.popitem(last=False)

        transaction.on_commit(store)


RECENT = RecentMatchCache()
"""The cache of this process."""
