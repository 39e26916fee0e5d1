"""Which tournament's version a hand or a computation renews (`scoring.versions`)."""

from functools import lru_cache

from django.dispatch import receiver

from scoring.models import Match
from scoring.signals import match_written, notices_changed
from scoring.versions import SITE, renew_versions, tournament_topic
from tournaments.models import Table, Tournament

MAX_KNOWN = 10_000


@lru_cache(MAX_KNOWN)
def topic_of(tournament_id: int) -> str:
    """Return the topic of a tournament, whose address never changes."""
    tournaments = Tournament.objects.filter(pk=tournament_id)
    address = tournaments.values_list("address", flat=True).first()
    return tournament_topic(address) if address else SITE


@lru_cache(MAX_KNOWN)
def _tournament_of(match_id: int) -> int | None:
    """Return the tournament of a match, which never changes; None for a match of its own."""
    tables = Table.objects.filter(match=match_id)
    return tables.values_list("round__tournament", flat=True).first()


@receiver([match_written, notices_changed])
def renew_tournament(sender: type[Match], match_id: int, **_later: object) -> None:
    """Renew the version of the tournament at one of whose tables something was entered."""
    tournament_id = _tournament_of(match_id)
    if tournament_id is not None:
        renew_versions(topic_of(tournament_id))
