"""What a score sheet says of the tournament that its match belongs to."""

from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.models import Match
from scoring.signals import match_shown
from tournaments.models import Table


@receiver(match_shown)
def table_of_match(
    sender: type[Match], match: Match, **_told: object
) -> tuple[str, str] | None:
    """Return the table where the match is played, and its page; None for none."""
    table = (
        Table.objects.filter(match=match).select_related("round__tournament").first()
    )
    if table is None:
        return None
    tournament = table.round.tournament
    words = _("Table %(number)s · %(name)s: agree, or call the director")
    address = reverse(
        "tournaments:table", args=[tournament.code, table.round.number, table.number]
    )
    return words % {"number": table.number, "name": tournament.name}, address
