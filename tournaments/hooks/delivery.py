"""Delivery of the outbox: signed, retried for a day, and switched off if it keeps failing."""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256

from django.core.cache import cache
from django.db.models import F, Max, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.hooks.formats import serialize_event
from tournaments.hooks.outbox import switch_off_webhook
from tournaments.hooks.webhooks import PREFIX
from tournaments.models import Delivery, HookEvent, Role, Webhook
from tournaments.outgoing import AddressNotAllowedError, NoResponseError, post
from tournaments.people.languages import override_language
from tournaments.people.letters import EmailContent

SECONDS, BYTES = 10, 16 * 1024
"""Seconds that a response may take, and how many bytes of it are read."""
LEASE = timedelta(seconds=90)
"""A delivery that a process has not finished by then is sent by another."""
RATE_PERIOD, MOST_IN_PERIOD = timedelta(minutes=1), 60
"""Limit for one webhook; further deliveries wait."""
PAUSES = [
    timedelta(seconds=5),
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=8),
    timedelta(hours=8, minutes=24),
]
"""Pauses before further attempts: a day in all."""
LONG = timedelta(days=3)
"""A webhook that accepts nothing for so long is switched off."""
LONGEST_ANSWER = 300
TURN = timedelta(seconds=20)
"""How long deliveries to one webhook go on before others have their turn."""
BRIEF_FAILURE, REST = timedelta(minutes=1), timedelta(seconds=5)
"""A webhook that failed just now rests, and after failing for a minute rests for a minute: one
that never answers would block a worker for ten seconds with each of its deliveries.
"""


def deliver_and_check_for_more(
    *, webhook_id: int, clock: Callable[[], datetime]
) -> bool:
    """Send the due deliveries of a webhook, one after the other; return whether more are due.

    Stops at the first failure, and after `TURN`. Only one process at a time sends to a
    webhook; for the others nothing is due meanwhile.
    """
    lock_key = f"webhook-{webhook_id}-busy"
    if not cache.add(lock_key, 1, timeout=(TURN + LEASE).seconds):
        return False
    try:
        deadline = clock() + TURN
        while (now := clock()) < deadline:
            due = Delivery.objects.due(now).filter(webhook=webhook_id)
            delivery_id = due.values_list("pk", flat=True).first()
            if delivery_id is None or not send_delivery(
                delivery_id=delivery_id, now=now
            ):
                break
    finally:
        cache.delete(lock_key)
    return webhook_id in due_webhook_ids(now=clock())


def due_webhook_ids(*, now: datetime) -> list[int]:
    """Return the ids of the webhooks with due deliveries that are not resting."""
    due = Delivery.objects.due(now).order_by()
    hooks = Webhook.objects.filter(pk__in=due.values("webhook")).annotate(
        last_at=Max("deliveries__last_at", filter=Q(deliveries__last_at__lte=now))
    )
    webhook_ids = []
    for hook in hooks.order_by("pk"):
        pause = timedelta()
        if hook.failing_since is not None:
            is_brief = now - hook.failing_since < BRIEF_FAILURE
            pause = REST if is_brief else BRIEF_FAILURE
        last_at: datetime | None = hook.last_at  # type: ignore[attr-defined]
        if last_at is None or last_at + pause <= now:
            webhook_ids.append(hook.pk)
    return webhook_ids


def send_delivery(*, delivery_id: int, now: datetime) -> bool:
    """Send a delivery if it is due, and return whether the receiver accepted it.

    Safe to run at any time and twice at once. Each is sent at least once: a process that dies
    between sending and storing the outcome leaves it to be sent again, under the same id.
    """
    due = Delivery.objects.due(now).select_related("webhook", "event")
    delivery = due.filter(pk=delivery_id).first()
    if delivery is None:
        return False
    stored = Delivery.objects.filter(pk=delivery_id)
    unchanged = stored.filter(state=Delivery.State.WAITING, due_at=delivery.due_at)
    if not unchanged.update(due_at=now + LEASE):
        return False
    hook = delivery.webhook
    recent_period = (now - RATE_PERIOD, now + RATE_PERIOD)
    if hook.deliveries.filter(last_at__range=recent_period).count() >= MOST_IN_PERIOD:
        stored.update(due_at=now + RATE_PERIOD / 4)
        return False
    body = serialize_event(delivery.event, hook)
    headers = build_headers(delivery.event, hook.secret, body, now)
    try:
        answer = post(hook.url, body, headers, seconds=SECONDS, max_bytes=BYTES)
    except (AddressNotAllowedError, NoResponseError) as error:
        is_accepted, answer_text = False, str(error)
    else:
        is_accepted = answer.is_success
        beginning = answer.body.decode("utf-8", "replace").replace("\x00", "")
        answer_text = f"{answer.status} {beginning}".strip()
    attempts = delivery.attempts + 1
    hooks = Webhook.objects.filter(pk=hook.pk)
    update = {
        "attempts": attempts,
        "last_at": now,
        "answer": answer_text[:LONGEST_ANSWER],
    }
    if is_accepted:
        stored.update(**update, state=Delivery.State.DELIVERED)
        hooks.update(failing_since=None)
    elif attempts > len(PAUSES):
        stored.update(**update, state=Delivery.State.FAILED)
    else:
        stored.update(**update, due_at=now + PAUSES[attempts - 1])
    if not is_accepted:
        hooks.update(failing_since=Coalesce(F("failing_since"), now))
        if hooks.filter(failing_since__lte=now - LONG).exists():
            switch_off_webhook(hook, Webhook.OffReason.FAILING, now)
    return is_accepted


def build_headers(
    event: HookEvent, secret: str, body: bytes, now: datetime
) -> dict[str, str]:
    """Return the headers of Standard Webhooks: id, timestamp, and the signature over both and the body."""
    message_id, moment = f"msg_{event.key.hex}", str(int(now.timestamp()))
    signed_content = f"{message_id}.{moment}.".encode() + body
    key = b64decode(secret.removeprefix(PREFIX))
    signature = b64encode(hmac.digest(key, signed_content, sha256)).decode()
    return {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "Tricky-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{signature}",
    }


def webhook_off_email(hook: Webhook) -> EmailContent:
    """Return the e-mail to the directors about a webhook that switched itself off."""
    club = hook.club
    why = {
        Webhook.OffReason.FAILING: _("All deliveries failed for three days."),
        Webhook.OffReason.LOOP: _(
            "The webhook got more events in an hour than any club can "
            "produce. It may be triggering itself."
        ),
    }
    return EmailContent(
        subject=_("A webhook of %(club)s was turned off") % {"club": club.name},
        paragraphs=[
            _("The webhook to %(host)s no longer gets any events.")
            % {"host": hook.host},
            why[Webhook.OffReason(hook.off_because)],
        ],
        act=_("See responses"),
        link=hook.site + reverse("tournaments:webhook", args=[club.slug, hook.pk]),
        further=[
            _(
                "On the same page, you can turn the webhook on again and resend "
                "failed deliveries."
            )
        ],
        sender=club.name,
    )


def send_webhook_off_email(*, webhook_id: int, now: datetime) -> bool:
    """Send the club's directors an e-mail about a webhook that is off, once; return whether it was sent now.

    Raises OSError if the mail server cannot be reached or refuses it.
    """
    unsaid = Webhook.objects.with_unsent_switch_off_email(now).select_related("club")
    hook = unsaid.filter(pk=webhook_id).first()
    if hook is None:
        return False
    directors = hook.club.memberships.filter(role=Role.DIRECTOR)
    for user in [
        membership.user
        for membership in directors.select_related("user").order_by("pk")
    ]:
        with override_language(user.language, hook.club.language):
            webhook_off_email(hook).build_message(user.email).send()
    Webhook.objects.filter(pk=hook.pk).update(letter_at=now)
    return True
