"""Hands with two versions: somebody has to choose one before their table is done."""

from collections.abc import Iterable, Mapping, Sequence

from scoring.matchlog.append import replay_match
from scoring.models import LogEntry, Match
from scoring.versions import match_topic
from scoring.versions.cache import VersionedCache
from tournaments.models import Table

UNDECIDED = VersionedCache[str, int](lambda address: [match_topic(address)])
"""By the address of a match, its first hand with two versions; 0 for none."""


def undecided_hands(tables: Iterable[Table]) -> Mapping[int, int]:
    """Return by table the first hand that has two versions; tables without one are left out.

    A log is replayed only if it has a conflict, and only once until it changes.
    """
    table_by_address = {
        table.match.address: table.pk
        for table in tables
        if table.match is not None and not (table.match.finished or table.void)
    }

    def read(addresses: Sequence[str]) -> dict[str, int]:
        conflicts = LogEntry.objects.filter(
            kind=LogEntry.Kind.CONFLICT, match__address__in=addresses
        )
        numbers = dict.fromkeys(addresses, 0)
        for match in Match.objects.filter(pk__in=conflicts.values("match")):
            for hand in replay_match(match).undecided[:1]:
                numbers[match.address] = hand.number
        return numbers

    if not table_by_address:
        return {}
    numbers = UNDECIDED.get_or_load_many(list(table_by_address), read)
    return {
        table_by_address[address]: number
        for address, number in numbers.items()
        if number
    }
