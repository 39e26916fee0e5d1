"""Renaming a person in all their matches, to correct or to erase the old name.

The only code that changes stored log entries: it replaces names and nothing else. The log's
triggers stay active and allow only that.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import models, transaction
from django.db.models import Q

from scoring.models import Erasure, LogEntry, Match, Player, Seat
from scoring.models.log import LONGEST_REASON


@contextmanager
def _allow_log_edits(new_name: str) -> Iterator[None]:
    """Allow this transaction to write `new_name` into the log, and nothing else."""
    erasure = Erasure.objects.create(name=new_name)
    yield
    erasure.delete()


@transaction.atomic
def rename_players_and_count_matches(*, players: Collection[Player], name: str) -> int:
    """Rename a person everywhere; return the number of their matches.

    Their seats keep every point; the log keeps every entry.
    """
    names = {player.name for player in players}
    seats = Seat.objects.filter(player__in=players)
    names.update(seats.values_list("name", flat=True))
    matches = list(Match.objects.filter(seats__in=seats).values_list("pk", flat=True))
    seats.update(name=name)
    entries: models.QuerySet[LogEntry] = models.QuerySet(LogEntry)
    keys = {player.pk for player in players}
    with _allow_log_edits(name):
        entries.filter(match__in=matches, made_by__in=names).update(made_by=name)
        changes = LogEntry.objects.filter(kind=LogEntry.Kind.RESEAT).filter(
            Q(body__player__in=keys) | Q(match__in=matches)
        )
        for change in changes:
            body = change.body or {}
            if body.get("player") in keys or body.get("name") in names:
                entries.filter(pk=change.pk).update(body={**body, "name": name})
    for player in players:
        player.name = name
        player.save(update_fields=["name"])
    return len(matches)


@transaction.atomic
def replace_names_in_reasons(
    *, matches: models.QuerySet[Match], names: Collection[str], replacement: str
) -> None:
    """Replace names in the reasons that were given for changes by `replacement`."""
    entries: models.QuerySet[LogEntry] = models.QuerySet(LogEntry)
    with _allow_log_edits(replacement):
        for entry in entries.filter(match__in=matches).exclude(reason=""):
            reason = replace_names_within_json(entry.reason, names, replacement)[
                :LONGEST_REASON
            ]
            if reason != entry.reason:
                # A long reason may have lost the new name at its end.
                reason = reason if replacement in reason else replacement
                entries.filter(pk=entry.pk).update(reason=reason)


def replace_names_within_json(
    value: Any, names: Collection[str], replacement: str
) -> Any:
    """Return a JSON value with whole-word occurrences of the names replaced by `replacement`."""
    if isinstance(value, str):
        for name in sorted(names, key=len, reverse=True):
            whole = rf"(?<!\w){re.escape(name)}(?!\w)"
            value = re.sub(whole, lambda _match: replacement, value)
        return value
    if isinstance(value, dict):
        return {
            key: replace_names_within_json(item, names, replacement)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [replace_names_within_json(item, names, replacement) for item in value]
    return value
