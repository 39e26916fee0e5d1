"""Who had a seat until which hand, and who has it since."""

from collections.abc import Iterable
from itertools import groupby, pairwise

from django.utils.translation import gettext

from scoring.matchlog.sittings import read_sittings
from scoring.models import LogEntry


def handovers(log: Iterable[LogEntry]) -> list[str]:
    """Return a sentence for each seat that was handed over, by seat."""
    sentences = []
    for _seat, sittings in sorted(read_sittings(log).items()):
        if sittings[0].since > 1:
            # Nobody knows who sat there first.
            words = gettext("%(name)s from hand %(hand)s on")
            parts = [words % {"name": one.name, "hand": one.since} for one in sittings]
            sentences.append(f"{', '.join(parts)}.")
            continue
        words = gettext("%(name)s until hand %(hand)s")
        parts = [
            words % {"name": before.name, "hand": after.since - 1}
            for before, after in pairwise(sittings)
        ]
        values = {"earlier": ", ".join(parts), "name": sittings[-1].name}
        sentences.append(gettext("%(earlier)s, then %(name)s.") % values)
    return sentences


def handovers_by_match(matches: Iterable[int | None]) -> dict[int, list[str]]:
    """Return these sentences by the primary key of their match, in one query."""
    changes = LogEntry.objects.filter(match__in=filter(None, matches)).seat_changes()
    by_match = groupby(
        sorted(changes, key=lambda entry: (entry.match_id, entry.version)),
        key=lambda entry: entry.match_id,
    )
    return {match: handovers(log) for match, log in by_match}
