"""Webhooks for tests."""

from collections.abc import Sequence

from tests.factories.matches import NOW
from tournaments.models import Club, Happening, Webhook


def new_webhook(
    club: Club,
    url: str = "https://example.org/hook",
    *,
    events: Sequence[str] = tuple(Happening),
    style: str = Webhook.Style.STANDARD,
) -> Webhook:
    """Return a webhook of a club for these events, by default all."""
    return Webhook.objects.create(
        club=club,
        url=url,
        events=list(events),
        style=style,
        secret="whsec_" + "c2VjcmV0" * 4,
        site="https://tricky.example",
        made_at=NOW,
    )
