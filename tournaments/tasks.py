"""Tasks of tournaments, and the signals that send them.

Tasks may run at any time and twice at once. They ignore arguments that later releases add.
"""

import logging
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias

from allauth.usersessions.models import UserSession
from celery import Task, shared_task
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.dispatch import Signal, receiver
from django.utils import timezone

from scoring.locales.zones import use_time_zone
from scoring.queue import (
    record_sweep_time,
    send_task_or_run_in_thread,
    send_task_or_run_now,
)
from scoring.signals import match_changed
from scoring.versions.updates import renew_only
from tournaments.event import autopilot
from tournaments.event.outlook import IN_A_REQUEST, store_outlook_with_standings
from tournaments.event.push import NoticeKind, PushMessage, send_push_message
from tournaments.event.results import clear_request_and_store_standings
from tournaments.event.versions import cached_tournament_topic
from tournaments.files.archive import arrivals
from tournaments.history import derivation
from tournaments.history.imports import uploads
from tournaments.hooks import delivery
from tournaments.models import (
    Arrival,
    Delivery,
    HookEvent,
    Invitation,
    Round,
    SecurityEvent,
    Standings,
    Subscription,
    Table,
    Tournament,
    Upload,
    Webhook,
)
from tournaments.models.imports import READ_WITHIN
from tournaments.people import letters
from tournaments.people.languages import override_language
from tournaments.signals import (
    club_arrived,
    history_outdated,
    invited,
    notice_due,
    tournament_changed,
    uploaded,
    webhook_disabled,
    webhooks_have_news,
)
from tournaments.web.notifications.texts import build_push_notices

logger = logging.getLogger(__name__)

PAUSE = 1
"""Seconds in which further changes are gathered for one computation."""
OUTLOOK_PAUSE = 5
"""Seconds without another result before open results are computed: at the end of a round, results
follow one another.
"""
LOST_AFTER = timedelta(seconds=30)
"""A computation that was requested longer ago than this is requested again."""
NOTICE_MEMORY = 24 * 60 * 60
"""Seconds in which a device is not notified of the same event again."""
NOTICE_TIMEOUT = 30
"""Seconds for two attempts at a slow push service."""
HISTORY_TIMEOUT = 15 * 60
"""Seconds that a whole history may take: the first of a club with many years."""

StandingsVersion: TypeAlias = int


@shared_task(name="tournaments.tasks.recompute_standings")
def recompute_standings_and_follow_up(
    tournament_id: int, **_later: object
) -> StandingsVersion:
    """Return the new version of the standings; 0 if there is no tournament."""
    with renew_only(cached_tournament_topic(tournament_id)):
        standings = clear_request_and_store_standings(
            tournament_id=tournament_id, now=timezone.now()
        )
        if standings is None:
            return 0
    # Standings are needed sooner, and another result meanwhile makes this computation unnecessary.
    send_task_or_run_now(compute_outlook, tournament_id, delay_seconds=OUTLOOK_PAUSE)
    for tournament in Tournament.objects.with_outdated_history().filter(
        pk=tournament_id
    ):
        send_task_or_run_now(derive_history, tournament.club_id)
    return standings.version


@shared_task
def compute_outlook(tournament_id: int, **_later: object) -> bool:
    """Return whether the open results were stored now.

    They are not after a later result: the standings that include it request their own computation.
    """
    # Without a worker, the response waits for this.
    most_outcomes = IN_A_REQUEST if settings.CELERY_TASK_ALWAYS_EAGER else None
    with renew_only(cached_tournament_topic(tournament_id)):
        return store_outlook_with_standings(
            tournament_id=tournament_id, most_outcomes=most_outcomes
        )


@shared_task(time_limit=HISTORY_TIMEOUT)
def derive_history(club_id: int, **_later: object) -> int:
    """Return how many lines of a club's history are new, or no longer valid."""
    return derivation.derive_history(club_id=club_id, now=timezone.now())


@shared_task
def send_invitation(invitation_id: int, **_later: object) -> bool:
    """Return whether an e-mail was sent."""
    return letters.send_invitation(invitation_id=invitation_id, now=timezone.now())


@shared_task(
    soft_time_limit=READ_WITHIN.seconds,
    time_limit=READ_WITHIN.seconds + 5,
)
def read_upload(upload_id: int, **_later: object) -> bool:
    """Return whether a file was read."""
    return uploads.read_pending_upload(upload_id=upload_id, now=timezone.now())


@shared_task(time_limit=HISTORY_TIMEOUT)
def bring_in_club(arrival_id: int, **_later: object) -> bool:
    """Return whether a club was imported."""
    return arrivals.import_arrival(arrival_id=arrival_id, now=timezone.now())


@receiver(match_changed)
def follow_up_changed_match(match_id: int, **_signal: object) -> None:
    """Count a changed match in its tournament, and ask the players of a finished one to confirm.

    A requested computation that has not begun will include it as well. One query serves both, because it runs for
    each match that ends.
    """
    followed = Subscription.objects.filter(tournament=OuterRef("round__tournament"))
    table = Table.objects.filter(match=match_id).values_list(
        "pk",
        "round__tournament",
        "round__tournament__asked_at",
        Q(match__finished=True) & Exists(followed),
    )
    for table_id, tournament_id, asked_at, is_to_agree in table:
        if asked_at is None or not -LOST_AFTER < timezone.now() - asked_at < LOST_AFTER:
            request_standings(tournament_id)
        if is_to_agree:
            send_task_or_run_now(tell_devices, NoticeKind.MATCH_OVER.value, table_id)


@receiver(tournament_changed)
def request_standings(tournament_id: int, **_signal: object) -> None:
    """Request one computation, unless one is requested that has not begun."""
    now = timezone.now()
    unrequested = Tournament.objects.filter(pk=tournament_id).filter(
        # A time in the future is from before the clock was set back.
        Q(asked_at=None)
        | Q(asked_at__lt=now - LOST_AFTER)
        | Q(asked_at__gt=now + LOST_AFTER)
    )
    since = Coalesce("waiting_since", now)
    with renew_only(cached_tournament_topic(tournament_id)):
        is_new = unrequested.update(asked_at=now, waiting_since=since)
    if is_new:
        request = partial(
            send_task_or_run_now,
            recompute_standings_and_follow_up,
            tournament_id,
            delay_seconds=PAUSE,
        )
        transaction.on_commit(request)


@shared_task
def queue_due_webhooks(**_later: object) -> int:
    """Start a task for each webhook with due deliveries, and return how many there are.

    Runs every few seconds: sends further attempts, and without a worker everything.
    """
    due = delivery.due_webhook_ids(now=timezone.now())
    for webhook_id in due:
        send_task_or_run_in_thread(deliver_to_webhook, webhook_id)
    return len(due)


@shared_task
def deliver_to_webhook(webhook_id: int, **_later: object) -> None:
    """Send the due deliveries of a webhook."""
    if delivery.deliver_and_check_for_more(webhook_id=webhook_id, clock=timezone.now):
        send_task_or_run_in_thread(deliver_to_webhook, webhook_id)


@receiver(webhooks_have_news)
def start_webhook_deliveries(**_signal: object) -> None:
    """Have a worker deliver news to webhooks; without one the next beat does it, not the current request."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        send_task_or_run_now(queue_due_webhooks)


@shared_task
def say_webhook_off(webhook_id: int, **_later: object) -> bool:
    """Return whether e-mails were sent."""
    return delivery.send_webhook_off_email(webhook_id=webhook_id, now=timezone.now())


TASK_BY_SIGNAL: dict[Signal, Task[..., Any]] = {
    invited: send_invitation,
    uploaded: read_upload,
    club_arrived: bring_in_club,
    history_outdated: derive_history,
    webhook_disabled: say_webhook_off,
}
"""The task that each signal sends, with its argument. The sweep sends again those that failed."""


def send_task_for_signal(signal: Signal, sender: object, **arguments: Any) -> None:
    send_task_or_run_now(TASK_BY_SIGNAL[signal], *arguments.values())


for signal in TASK_BY_SIGNAL:
    signal.connect(send_task_for_signal)


@shared_task
def tell_devices(kind: str, subject: int, **_later: object) -> int:
    """Notify devices of an event, and return how many.

    Each is notified once, however often this runs, and again only if its message has changed.
    """
    sent_count = 0
    for notice in build_push_notices(NoticeKind(kind), subject, timezone.now()):
        occasion = f"notice-{notice.subscription_id}-{notice.occasion}"
        key = sha256(occasion.encode()).hexdigest()
        if not cache.add(key, notice.says, NOTICE_MEMORY):
            if cache.get(key) == notice.says:
                continue
            cache.set(key, notice.says, NOTICE_MEMORY)
        send_task_or_run_in_thread(
            tell_device, notice.subscription_id, list(notice.message)
        )
        sent_count += 1
    return sent_count


@shared_task(time_limit=NOTICE_TIMEOUT)
def tell_device(subscription_id: int, message: list[str], **_later: object) -> str:
    """Send a message to a device, and return the outcome; see `send_push_message`."""
    return send_push_message(
        subscription_id=subscription_id,
        message=PushMessage(*message),
        now=timezone.now(),
    )


@receiver(notice_due)
def send_notices_task(kind: str, subject: int, **_signal: object) -> None:
    """Notify subscribed devices. A notification that is lost is not sent again."""
    if Subscription.objects.exists():
        send_task_or_run_now(tell_devices, kind, subject)


@shared_task(name="tournaments.tasks.run_nights")
def run_autopilot_nights_and_notify_desks(**_later: object) -> int:
    """Take the due steps of automatic tournaments, and return how many of these are running.

    Runs every few seconds. A failure is logged, and does not hold up the others.
    """
    tournaments = Tournament.objects.on_autopilot_tonight(timezone.now())
    rows = tournaments.values_list("pk", "club__language", "club__time_zone")
    for tournament_id, language, time_zone in rows:
        try:
            with override_language(language), use_time_zone(time_zone):
                autopilot.run_autopilot(tournament_id=tournament_id, now=timezone.now())
            desks = Subscription.objects.for_desk().filter(tournament=tournament_id)
            if desks.exists():
                tell_devices(NoticeKind.BLOCKED.value, tournament_id)
        except Exception:
            logger.exception("Tournament %s did not go on by itself.", tournament_id)
    return len(rows)


@shared_task(name="tournaments.tasks.forget_sessions")
def delete_expired_sessions_and_security_events(**_later: object) -> None:
    """Delete expired sessions and old events of accounts; safe at any time."""
    SessionStore.clear_expired()
    existing_keys = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=existing_keys).delete()
    SecurityEvent.objects.outdated(timezone.now()).delete()


@shared_task(name="tournaments.tasks.sweep")
def resend_lost_tasks_and_delete_outdated_rows(
    *, whole: bool = False, anew: bool = False, **_later: object
) -> int:
    """Send again every task that may have been lost; return how many tournaments had outdated standings.

    Runs every minute, so that a message that a broker lost means late standings, never wrong ones. Of finished
    tournaments it checks those with a requested computation that never began, and each night all of them: a process
    may have died before it requested one. `anew` also repeats recent requests.
    """
    current = Standings.objects.up_to_date().filter(tournament=OuterRef("pk"))
    checked = Tournament.objects.all()
    if not whole:
        checked = checked.exclude(phase=Tournament.Phase.FINISHED, asked_at=None)
    outdated = checked.exclude(Exists(current)).values_list("pk", flat=True)
    if anew:
        Tournament.objects.exclude(asked_at=None).update(asked_at=None)
    for tournament_id in outdated:
        request_standings(tournament_id)
    standings_without_outlook = Standings.objects.up_to_date().filter(
        outlook__isnull=True
    )
    running = standings_without_outlook.filter(
        tournament__rounds__state=Round.State.RUNNING
    )
    for tournament_id in running.values_list("tournament", flat=True).distinct():
        send_task_or_run_now(compute_outlook, tournament_id)
    uncounted = Tournament.objects.with_outdated_history().values_list(
        "club", flat=True
    )
    for club_id in uncounted.distinct():
        send_task_or_run_now(derive_history, club_id)
    now = timezone.now()
    pending: tuple[tuple[Task[..., Any], QuerySet[Any]], ...] = (
        (read_upload, Upload.objects.awaiting_reading(now)),
        (bring_in_club, Arrival.objects.awaiting_import(now)),
        (send_invitation, Invitation.objects.with_unsent_email(now)),
        (say_webhook_off, Webhook.objects.with_unsent_switch_off_email(now)),
    )
    for task, subjects in pending:
        for pk in subjects.values_list("pk", flat=True):
            send_task_or_run_now(task, pk)
    for model in (Upload, Arrival, Subscription, Delivery):
        model.objects.outdated(now).delete()
    HookEvent.objects.filter(deliveries=None).delete()
    record_sweep_time()
    return len(outdated)
