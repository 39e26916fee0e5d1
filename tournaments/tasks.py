"""Jobs of the tournaments: the standings, as often as needed and no oftener."""

import logging
from datetime import timedelta
from functools import partial
from hashlib import sha256

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.dispatch import receiver
from django.utils import timezone

from scoring.locales.zones import keeping_time
from scoring.models import Match
from scoring.queue import note_sweep, send, send_apart
from scoring.signals import match_changed
from scoring.versions.updates import concerning
from tournaments.event.autopilot import steps
from tournaments.event.outlook import IN_A_REQUEST, store_outlook
from tournaments.event.push.kinds import NoticeKind
from tournaments.event.push.sending import Message, deliver
from tournaments.event.results import count_standings
from tournaments.event.versions import topic_of
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
from tournaments.people.languages import speaking
from tournaments.signals import (
    club_arrived,
    history_fell_behind,
    invited,
    notice_due,
    tournament_changed,
    uploaded,
    webhook_went_off,
    webhooks_have_news,
)
from tournaments.web.notifications.texts import notices_of

logger = logging.getLogger(__name__)

PAUSE = 1
"""Seconds in which further changes are gathered for one computation."""
OUTLOOK_PAUSE = 5
"""Seconds without another result before it is told what is still open: where a round ends, one follows
upon the other, and each would be told for nothing."""
LOST_AFTER = timedelta(seconds=30)
"""A computation that was asked for so long ago is asked for again."""
ONCE_IN = 24 * 60 * 60
"""Seconds in which a device is not told the same again."""
TELLS_WITHIN = 30
"""Seconds for two tries at a service that takes its time."""
LONG = 15 * 60
"""Seconds that a whole history may take: the first of a club with many years."""


@shared_task(acks_late=True)
def recompute_standings(tournament_id: int, **_later: object) -> int:
    """Return the version that the standings now stand at; 0 for no tournament.

    Safe to run at any time and twice at once. Arguments that later releases add are
    ignored.
    """
    with concerning(topic_of(tournament_id)):
        standings = count_standings(tournament_id=tournament_id, now=timezone.now())
        if standings is None:
            return 0
    # Behind the standings that others wait for: where results come one upon another, what is
    # still open is told once they no longer do, so a result that comes meanwhile saves it.
    send(compute_outlook, tournament_id, pause=OUTLOOK_PAUSE)
    for tournament in Tournament.objects.uncounted().filter(pk=tournament_id):
        ask_for_history(tournament.club_id)
    return standings.version


@shared_task(acks_late=True)
def compute_outlook(tournament_id: int, **_later: object) -> bool:
    """Return whether it is told now what is still open, and was not before.

    Safe to run at any time and twice at once. Where a later result came, nothing is: the
    standings that count it ask for a computation of their own.
    """
    # Somebody waits where there is no worker.
    most_ranked = IN_A_REQUEST if settings.CELERY_TASK_ALWAYS_EAGER else None
    with concerning(topic_of(tournament_id)):
        return store_outlook(tournament_id=tournament_id, most_ranked=most_ranked)


@shared_task(acks_late=True, time_limit=LONG)
def derive_history(club_id: int, **_later: object) -> int:
    """Return how many lines of results are new in a club's history, or hold no more.

    Safe to run at any time and twice at once. Arguments that later releases add are
    ignored.
    """
    return derivation.derive_history(club_id=club_id, now=timezone.now())


@shared_task(acks_late=True)
def send_invitation(invitation_id: int, **_later: object) -> bool:
    """Return whether a letter went out; safe to run at any time and twice."""
    return letters.send_invitation(invitation_id=invitation_id, now=timezone.now())


@receiver(invited)
def send_letter(sender: type[Invitation], invitation_id: int, **_told: object) -> None:
    """Send the letter of an invitation; one that fails is sent by the sweep."""
    send(send_invitation, invitation_id)


@shared_task(
    acks_late=True,
    soft_time_limit=READ_WITHIN.seconds,
    time_limit=READ_WITHIN.seconds + 5,
)
def read_upload(upload_id: int, **_later: object) -> bool:
    """Return whether a file was read; safe to run at any time and twice."""
    return uploads.read_upload(upload_id=upload_id, now=timezone.now())


@receiver(uploaded)
def read_later(sender: type[Upload], upload_id: int, **_told: object) -> None:
    """Read a large file."""
    send(read_upload, upload_id)


@shared_task(acks_late=True, time_limit=LONG)
def bring_in_club(arrival_id: int, **_later: object) -> bool:
    """Return whether a club was brought in; safe to run at any time and twice at once."""
    return arrivals.bring_in_arrival(arrival_id=arrival_id, now=timezone.now())


@receiver(club_arrived)
def bring_in_later(sender: type[Arrival], arrival_id: int, **_told: object) -> None:
    """Bring in a club, by a worker where there is one."""
    send(bring_in_club, arrival_id)


@receiver(history_fell_behind)
def derive_later(sender: type[Tournament], club_id: int, **_told: object) -> None:
    """Derive the history of a club after something in it changed."""
    ask_for_history(club_id)


def ask_for_history(club_id: int) -> None:
    """Ask for one derivation; where nothing is behind it does nothing."""
    send(derive_history, club_id)


@receiver(match_changed)
def tell_tournament(sender: type[Match], match_id: int, **_later: object) -> None:
    """Let the tournament of a changed match count it, and ask the players of one that is over to agree.

    What is asked for and has not begun will count this too: it was committed before. Players
    are asked where anybody wants to be told. One question for both: each match that ends asks it.
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
            ask_for_standings(tournament_id)
        if is_to_agree:
            send(tell_devices, NoticeKind.OVER.value, table_id)


@receiver(tournament_changed)
def count_tournament(
    sender: type[Tournament], tournament_id: int, **_told: object
) -> None:
    """Compute standings after a change of the tournament itself."""
    ask_for_standings(tournament_id)


def ask_for_standings(tournament_id: int) -> None:
    """Ask for one computation, unless one is asked for that has not begun."""
    now = timezone.now()
    unasked = Tournament.objects.filter(pk=tournament_id).filter(
        # In the future it lies where the clock was put back since.
        Q(asked_at=None)
        | Q(asked_at__lt=now - LOST_AFTER)
        | Q(asked_at__gt=now + LOST_AFTER)
    )
    since = Coalesce("waiting_since", now)
    with concerning(topic_of(tournament_id)):
        is_new = unasked.update(asked_at=now, waiting_since=since)
    if is_new:
        transaction.on_commit(partial(_ask, tournament_id))


def _ask(tournament_id: int) -> None:
    pause = 0 if settings.CELERY_TASK_ALWAYS_EAGER else PAUSE
    send(recompute_standings, tournament_id, pause=pause)


@shared_task
def deliver_due(**_later: object) -> int:
    """Return to how many webhooks something is due; a task of its own delivers to each.

    Runs every few seconds: what waits for a further attempt, and without a worker everything.
    """
    due = delivery.webhooks_with_due(now=timezone.now())
    for webhook_id in due:
        send_apart(deliver_to_webhook, webhook_id)
    return len(due)


@shared_task
def deliver_to_webhook(webhook_id: int, **_later: object) -> None:
    """Deliver what is due to a webhook; safe to run at any time and twice at once."""
    if delivery.deliver_in_turn(webhook_id=webhook_id, clock=timezone.now):
        send_apart(deliver_to_webhook, webhook_id)


@receiver(webhooks_have_news)
def deliver_soon(sender: type[Delivery], **_told: object) -> None:
    """Tell webhooks what is new, by a worker; without one the next look does, not who saved."""
    if not settings.CELERY_TASK_ALWAYS_EAGER:
        send(deliver_due)


@shared_task(acks_late=True)
def say_webhook_off(webhook_id: int, **_later: object) -> bool:
    """Return whether letters went out; safe to run at any time and twice."""
    return delivery.send_off_letter(webhook_id=webhook_id, now=timezone.now())


@receiver(webhook_went_off)
def send_off_letter(sender: type[Webhook], webhook_id: int, **_told: object) -> None:
    """Write to the directors; a letter that fails is sent by the sweep."""
    send(say_webhook_off, webhook_id)


@shared_task
def tell_devices(kind: str, subject: int, **_later: object) -> int:
    """Return how many devices are told what happened; each once, however often it runs.

    Told anew is who was told something else of it before.
    """
    sent = 0
    for notice in notices_of(NoticeKind(kind), subject, timezone.now()):
        occasion = f"notice-{notice.subscription_id}-{notice.occasion}"
        if _is_new(sha256(occasion.encode()).hexdigest(), notice.says):
            send_apart(tell_device, notice.subscription_id, list(notice.message))
            sent += 1
    return sent


def _is_new(occasion: str, says: str) -> bool:
    """Tell whether nothing was said of an occasion yet, or something else; from now on this was."""
    if cache.add(occasion, says, ONCE_IN):
        return True
    if cache.get(occasion) == says:
        return False
    cache.set(occasion, says, ONCE_IN)
    return True


@shared_task(time_limit=TELLS_WITHIN)
def tell_device(subscription_id: int, message: list[str], **_later: object) -> str:
    """Return what the service of a device made of a message; see `deliver`."""
    return deliver(
        subscription_id=subscription_id, message=Message(*message), now=timezone.now()
    )


@receiver(notice_due)
def tell_later(
    sender: type[Tournament], kind: str, subject: int, **_later: object
) -> None:
    """Tell those who asked for it what happened; a message that is lost is told no more."""
    if Subscription.objects.exists():
        send(tell_devices, kind, subject)


@shared_task
def run_nights(**_later: object) -> int:
    """Return how many tournaments run by themselves now; each does what is due.

    Runs every few seconds. One that fails is logged, and holds up no other.
    """
    running = Tournament.objects.running_by_themselves(timezone.now())
    listed = running.values_list("pk", "club__language", "club__time_zone")
    for tournament_id, language, time_zone in listed:
        try:
            with speaking(language), keeping_time(time_zone):
                steps.run(tournament_id=tournament_id, now=timezone.now())
            _tell_what_blocks(tournament_id)
        except Exception:
            logger.exception("Tournament %s did not go on by itself.", tournament_id)
    return len(listed)


def _tell_what_blocks(tournament_id: int) -> None:
    desks = Subscription.objects.of_desk().filter(tournament=tournament_id)
    if desks.exists():
        tell_devices(NoticeKind.BLOCKED.value, tournament_id)


@shared_task
def forget_sessions(**_later: object) -> None:
    """Delete expired sessions and old events of accounts; safe at any time."""
    SessionStore.clear_expired()
    there = Session.objects.values("session_key")
    UserSession.objects.exclude(session_key__in=there).delete()
    SecurityEvent.objects.outdated(timezone.now()).delete()


@shared_task(acks_late=True)
def sweep(*, whole: bool = False, anew: bool = False, **_later: object) -> int:
    """Return how many tournaments had standings behind; each is asked for again.

    So is the history of every club that lacks one, and the letter of an invitation that
    did not go out.

    Runs every minute where there is a beat: a message that a broker lost means late
    standings, never wrong ones. A tournament that is finished is looked at where a
    computation was asked for, after a late correction, and never began; each night as
    a whole, because a site that dies at that moment has not even asked. `anew` asks for what
    was asked for just now as well, which a broker may have lost.
    """
    current = Standings.objects.up_to_date().filter(tournament=OuterRef("pk"))
    looked_at = Tournament.objects.all()
    if not whole:
        looked_at = looked_at.exclude(phase=Tournament.Phase.FINISHED, asked_at=None)
    behind = looked_at.exclude(Exists(current)).values_list("pk", flat=True)
    if anew:
        Tournament.objects.exclude(asked_at=None).update(asked_at=None)
    for tournament_id in behind:
        ask_for_standings(tournament_id)
    untold = Standings.objects.up_to_date().filter(outlook__isnull=True)
    running = untold.filter(tournament__rounds__state=Round.State.RUNNING)
    for tournament_id in running.values_list("tournament", flat=True).distinct():
        send(compute_outlook, tournament_id)
    uncounted = Tournament.objects.uncounted().values_list("club", flat=True)
    for club_id in uncounted.distinct():
        ask_for_history(club_id)
    now = timezone.now()
    for upload_id in Upload.objects.unread(now).values_list("pk", flat=True):
        send(read_upload, upload_id)
    Upload.objects.outdated(now).delete()
    for arrival_id in Arrival.objects.waiting(now).values_list("pk", flat=True):
        send(bring_in_club, arrival_id)
    Arrival.objects.outdated(now).delete()
    Subscription.objects.outdated(now).delete()
    unsent = Invitation.objects.unsent(now)
    for invitation_id in unsent.values_list("pk", flat=True):
        send(send_invitation, invitation_id)
    for webhook_id in Webhook.objects.unsaid(now).values_list("pk", flat=True):
        send(say_webhook_off, webhook_id)
    Delivery.objects.outdated(now).delete()
    HookEvent.objects.filter(deliveries=None).delete()
    note_sweep()
    return len(behind)
