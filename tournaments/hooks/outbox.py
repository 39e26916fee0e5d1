"""The outbox: events for webhooks, stored in the transaction of the change that caused them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments.models import Delivery, Happening, HookEvent, Webhook
from tournaments.people.languages import override_club_locale
from tournaments.signals import webhook_disabled, webhooks_have_news

MOST_IN_PERIOD = 3000
"""Limit of deliveries to one webhook. An evening of 200 players makes 1,000: more comes from a
receiver that answers events by causing them again.
"""
RATE_PERIOD = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEventContent:
    """An event, as text for people and as JSON for programs."""

    title: str
    path: str
    lines: list[str] = field(default_factory=list)
    content: dict[str, Any] = field(default_factory=dict)
    about: str = ""
    """Later news replaces news with the same value that was not sent yet; empty for no replacement."""


def store_hook_event(
    club_id: int, kind: Happening, news: Callable[[], HookEventContent | None]
) -> None:
    """Store an event for every webhook of the club that subscribes to this kind.

    Must be called in the transaction of the change, so that both are committed or neither is.
    `news` is called only if there is such a webhook, in the club's language and time zone, and
    returns None if there is nothing to report.
    """
    webhooks = Webhook.objects.active().filter(club=club_id)
    hooks = [hook for hook in webhooks if kind in hook.events]
    if not hooks:
        return
    with override_club_locale(club_id):
        hook_news = news()
    if hook_news is not None:
        now = timezone.now()
        with transaction.atomic():
            if hook_news.about:
                _delete_superseded_deliveries(club_id, kind, hook_news.about, now)
            create_event_with_deliveries(hooks, club_id, kind, hook_news, now)


def _delete_superseded_deliveries(
    club_id: int, kind: Happening, about: str, now: datetime
) -> None:
    """Delete the deliveries of earlier news about the same that were not sent yet."""
    earlier_events = HookEvent.objects.filter(club=club_id, kind=kind, about=about)
    Delivery.objects.filter(
        event__in=earlier_events,
        state=Delivery.State.WAITING,
        attempts=0,
        due_at__lte=now,  # Those being sent are due later.
    ).delete()


def create_event_with_deliveries(
    hooks: list[Webhook],
    club_id: int,
    kind: Happening,
    news: HookEventContent,
    now: datetime,
) -> HookEvent:
    """Store an event for these webhooks, and return it; a webhook with too many deliveries is switched off."""
    event = HookEvent.objects.create(
        club_id=club_id,
        kind=kind,
        about=news.about,
        title=news.title[:300],
        lines=news.lines,
        path=news.path,
        content=news.content,
        at=now,
    )
    fresh = []
    for hook in hooks:
        recent_count = hook.deliveries.filter(written_at__gt=now - RATE_PERIOD).count()
        if recent_count >= MOST_IN_PERIOD:
            switch_off_webhook(hook, Webhook.OffReason.LOOP, now)
        else:
            fresh.append(
                Delivery(webhook=hook, event=event, written_at=now, due_at=now)
            )
    Delivery.objects.bulk_create(fresh)
    transaction.on_commit(lambda: webhooks_have_news.send_robust(Delivery))
    return event


def switch_off_webhook(hook: Webhook, because: str, now: datetime) -> None:
    """Switch off a webhook; waiting deliveries are given up, and can be sent again."""
    with transaction.atomic():
        if (
            not Webhook.objects.active()
            .filter(pk=hook.pk)
            .update(off_at=now, off_because=because, letter_at=None)
        ):
            return
        hook.off_at, hook.off_because = now, because
        hook.deliveries.filter(state=Delivery.State.WAITING).update(
            state=Delivery.State.FAILED
        )
        if because != Webhook.OffReason.DIRECTOR:
            transaction.on_commit(
                lambda: webhook_disabled.send_robust(Webhook, webhook_id=hook.pk)
            )
