"""The outbox: what is to be told, written in the transaction of what it tells."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments.models import Delivery, Happening, HookEvent, Webhook
from tournaments.people.languages import club_locale
from tournaments.signals import webhook_went_off, webhooks_have_news

MOST_AN_HOUR = 3000
"""Deliveries to one webhook. An evening of 200 players makes 1,000: more is a receiver that
answers what it is told by doing it once more."""
AN_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookNews:
    """What happened, in words for people and in JSON for programs."""

    title: str
    path: str
    lines: list[str] = field(default_factory=list)
    content: dict[str, Any] = field(default_factory=dict)
    about: str = ""
    """By which later news takes the place of what nobody was told yet; else empty."""


def write(club_id: int, kind: Happening, news: Callable[[], HookNews | None]) -> None:
    """Write what happened, for every webhook of the club that wants to know.

    To be called in the transaction of what it tells: rolled back with it, or there with it.
    `news` is only asked where somebody wants it, in the club's language and by its clocks, and
    returns None for nothing to tell.
    """
    listed = Webhook.objects.active().filter(club=club_id)
    hooks = [hook for hook in listed if kind in hook.events]
    if not hooks:
        return
    with club_locale(club_id):
        told = news()
    if told is not None:
        with transaction.atomic():
            create_event(hooks, club_id, kind, told, timezone.now())


def create_event(
    hooks: list[Webhook], club_id: int, kind: Happening, news: HookNews, now: datetime
) -> HookEvent:
    """Return the event, written for these webhooks; one that has too much goes off."""
    if news.about:
        untold = HookEvent.objects.filter(club=club_id, kind=kind, about=news.about)
        Delivery.objects.filter(
            event__in=untold,
            state=Delivery.State.WAITING,
            attempts=0,
            due_at__lte=now,  # What is being sent is due later again.
        ).delete()
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
        lately = hook.deliveries.filter(written_at__gt=now - AN_HOUR).count()
        if lately >= MOST_AN_HOUR:
            switch_off(hook, Webhook.Because.LOOP, now)
        else:
            fresh.append(
                Delivery(webhook=hook, event=event, written_at=now, due_at=now)
            )
    Delivery.objects.bulk_create(fresh)
    transaction.on_commit(lambda: webhooks_have_news.send_robust(Delivery))
    return event


def switch_off(hook: Webhook, because: str, now: datetime) -> None:
    """Tell a webhook nothing any more; what waits is given up, and can be sent again."""
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
        if because != Webhook.Because.DIRECTOR:
            transaction.on_commit(
                lambda: webhook_went_off.send_robust(Webhook, webhook_id=hook.pk)
            )
