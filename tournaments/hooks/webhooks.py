"""Operations of directors on a club's webhooks."""

import secrets
from base64 import b64encode
from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.hooks.outbox import (
    HookEventContent,
    create_event_with_deliveries,
    switch_off_webhook,
)
from tournaments.models import Club, Delivery, Happening, HookEvent, User, Webhook
from tournaments.outgoing import AddressNotAllowedError, resolve_allowed_address
from tournaments.people.languages import override_language

MOST = 20
"""Limit for one club."""
PREFIX = "whsec_"


def make_webhook(
    *,
    club: Club,
    url: str,
    events: Collection[str],
    style: str,
    site: str,
    user: User,
    now: datetime,
) -> Webhook:
    """Create a webhook, which receives events from now on.

    Raises RefusedError if the address is not allowed, or the club has too many.
    """
    if club.webhooks.count() >= MOST:
        raise RefusedError(
            "url",
            _("This club already has %(most)s webhooks. Delete one first.")
            % {"most": MOST},
        )
    _require_allowed_url(url)
    return Webhook.objects.create(
        club=club,
        url=url,
        events=_sorted_event_names(events),
        style=style,
        secret=PREFIX + b64encode(secrets.token_bytes(24)).decode(),
        site=site.rstrip("/"),
        made_by=user,
        made_at=now,
    )


def change_webhook(
    *, hook: Webhook, url: str, events: Collection[str], style: str
) -> Webhook:
    """Change the address, the events or the format of a webhook.

    Raises RefusedError if the address is not allowed.
    """
    _require_allowed_url(url)
    hook.url, hook.events, hook.style = url, _sorted_event_names(events), style
    hook.save(update_fields=["url", "events", "style"])
    return hook


def switch_webhook(*, hook: Webhook, is_on: bool, now: datetime) -> None:
    """Switch a webhook on, with its failures forgotten, or off."""
    if not is_on:
        switch_off_webhook(hook, Webhook.OffReason.DIRECTOR, now)
        return
    hook.off_at, hook.off_because, hook.failing_since = None, "", None
    hook.save(update_fields=["off_at", "off_because", "failing_since"])


@transaction.atomic
def create_test_event(*, hook: Webhook, now: datetime) -> HookEvent:
    """Create an event that is only a test, for this webhook alone."""
    club = hook.club
    with override_language(club.language):
        title = _("Webhook test from %(club)s") % {"club": club.name}
    news = HookEventContent(
        title=title,
        path=club.get_absolute_url(),
        content={"club": {"slug": club.slug, "name": club.name}},
    )
    return create_event_with_deliveries([hook], club.pk, Happening.PING, news, now)


def reschedule_delivery(*, delivery: Delivery, now: datetime) -> Delivery:
    """Schedule a delivery again, with all its attempts.

    Raises RefusedError while the webhook is off.
    """
    if delivery.webhook.off_at is not None:
        raise RefusedError("webhook", _("Turn the webhook on first."))
    delivery.state, delivery.attempts = Delivery.State.WAITING, 0
    delivery.due_at = now
    delivery.save(update_fields=["state", "attempts", "due_at"])
    return delivery


def _require_allowed_url(url: str) -> None:
    try:
        resolve_allowed_address(url)
    except AddressNotAllowedError as refused:
        raise RefusedError("url", str(refused)) from refused


def _sorted_event_names(events: Collection[str]) -> list[str]:
    return [kind.value for kind in Happening if kind in events]
