"""Another name for a person in everything that was scored, because the old one was
wrong or is to be forgotten.

The only place that changes the hand log: what was entered stays, who entered it is called
otherwise. The log's triggers stay too, and let nothing but the name through.
"""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import models, transaction
from django.db.models import Q

from scoring.models import Erasure, LogEntry, Match, Player, Seat


@contextmanager
def _log_open_for(name: str) -> Iterator[None]:
    """Let this transaction put a name into the log, and nothing else."""
    erasure = Erasure.objects.create(name=name)
    yield
    erasure.delete()


@transaction.atomic
def rename_players(*, players: Collection[Player], name: str) -> int:
    """Return at how many matches a person is now called `name`, and nothing else.

    Their seats keep every point; the log keeps every entry.
    """
    names = {player.name for player in players}
    seats = Seat.objects.filter(player__in=players)
    names.update(seats.values_list("name", flat=True))
    matches = Match.objects.filter(seats__in=seats)
    addressed = list(matches.values_list("pk", flat=True))
    seats.update(name=name)
    with _log_open_for(name):
        _rename_in_log(addressed, {player.pk for player in players}, names, name)
    for player in players:
        player.name = name
        player.save(update_fields=["name"])
    return len(addressed)


def _rename_in_log(
    matches: Collection[int], players: Collection[int], names: Collection[str], to: str
) -> None:
    entries: models.QuerySet[LogEntry] = models.QuerySet(LogEntry)
    entered = entries.filter(match__in=matches, made_by__in=names)
    entered.update(made_by=to)
    changes = LogEntry.objects.filter(kind=LogEntry.Kind.RESEAT).filter(
        Q(body__player__in=players) | Q(match__in=matches)
    )
    for change in changes:
        body = change.body or {}
        if body.get("player") in players or body.get("name") in names:
            entries.filter(pk=change.pk).update(body={**body, "name": to})
