"""Webhooks of a club, their events and deliveries."""

from datetime import datetime, timedelta
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club

LOG_RETENTION = timedelta(days=14)
"""How long the log of deliveries goes back."""
CLOCK_TOLERANCE = timedelta(minutes=2)
"""First attempts are due at once and last attempts are past: times further ahead show that the clock was set back."""
LETTER_WITHIN = timedelta(days=3)
"""For how long sending the e-mail about a webhook that switched itself off is tried."""
TAIL_LENGTH = 4
"""Characters of a URL that are shown: too few to use it, enough to tell two on one host apart."""


class Happening(models.TextChoices):
    """A kind of event that webhooks send. Values are part of the wire format."""

    MATCH_FINISHED = "match.finished", _("a match finishes")
    RESULT_CONFIRMED = "result.confirmed", _("a result is confirmed")
    ROUND_SEATED = "round.seated", _("a round’s seating is published")
    STANDINGS_CHANGED = "standings.changed", _("the standings change")
    TOURNAMENT_FINISHED = "tournament.finished", _("a tournament finishes")
    DIRECTOR_CALLED = "director.called", _("a player calls the director")
    PING = "ping", _("a test")


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def active(self) -> Self:
        """Return the webhooks that are switched on."""
        return self.filter(off_at=None)

    def with_unsent_switch_off_email(self, now: datetime) -> Self:
        """Return the webhooks that switched themselves off, with an e-mail about it still to send."""
        automatic_reasons = [Webhook.OffReason.FAILING, Webhook.OffReason.LOOP]
        return self.filter(
            off_because__in=automatic_reasons,
            letter_at=None,
            off_at__gt=now - LETTER_WITHIN,
        )


class Webhook(models.Model):
    """A URL to which events of a club are sent."""

    class Style(models.TextChoices):
        """The message format."""

        STANDARD = "standard", _("JSON, for your own program")
        DISCORD = "discord", _("Discord, as a card")
        DISCORD_TEXT = "discord-text", _("Discord, as plain text")
        SLACK = "slack", _("Slack, as a card")
        SLACK_TEXT = "slack-text", _("Slack, as plain text")
        MATRIX = "matrix", _("Matrix (hookshot), as a card")
        MATRIX_TEXT = "matrix-text", _("Matrix (hookshot), as plain text")

    class OffReason(models.TextChoices):
        DIRECTOR = "director", _("turned off by a director")
        FAILING = "failing", _("turned off after failing for three days")
        LOOP = (
            "loop",
            _("turned off after too many events in an hour"),
        )

    club = models.ForeignKey(Club, models.CASCADE, related_name="webhooks")
    url = models.URLField(_("address"), max_length=500)
    events = models.JSONField(_("events"), default=list)
    style = models.CharField(
        _("format"), max_length=20, choices=Style.choices, default=Style.STANDARD
    )
    secret = models.CharField(_("secret"), max_length=60)
    """Signs what is sent; stored as it is, because signing needs it."""
    site = models.CharField(_("address of this server"), max_length=200)
    """The site as the creator of the webhook reached it: links begin with it."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    """Time of the first failure since the last success."""
    off_at = models.DateTimeField(_("turned off at"), null=True, blank=True)
    off_because = models.CharField(
        _("reason for turning off"),
        max_length=20,
        choices=OffReason.choices,
        blank=True,
    )
    letter_at = models.DateTimeField(_("e-mail sent at"), null=True, blank=True)

    objects = WebhookQuerySet.as_manager()

    def __str__(self) -> str:
        return self.url

    @property
    def host(self) -> str:
        """Return the host; the rest of the URL is often a secret."""
        return self.url.partition("://")[2].partition("/")[0]

    @property
    def url_tail(self) -> str:
        """Return the last characters of the URL, to tell several on one host apart; empty for a short URL."""
        path = self.url.partition("://")[2].partition("/")[2]
        return path[-TAIL_LENGTH:] if len(path) >= 3 * TAIL_LENGTH else ""

    @property
    def event_labels(self) -> list[str]:
        return [str(kind.label) for kind in Happening if kind in self.events]


class HookEvent(models.Model):
    """Something that happened in a club, as it was at that moment."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="hook_events")
    key = models.UUIDField(_("key"), unique=True, default=uuid4)
    """Lets a receiver recognise an event that is delivered twice."""
    kind = models.CharField(_("kind"), max_length=30, choices=Happening.choices)
    about = models.CharField(_("subject"), max_length=60, blank=True)
    """A later event replaces one with the same value that was not sent yet; empty for no replacement."""
    title = models.CharField(_("title"), max_length=300)
    lines = models.JSONField(_("lines"), default=list)
    path = models.CharField(_("path"), max_length=200)
    """Path of the page that shows it."""
    content = models.JSONField(_("content"), default=dict)
    at = models.DateTimeField(_("time"))

    def __str__(self) -> str:
        return self.title


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self, now: datetime) -> Self:
        """Return the deliveries to send now, and those scheduled before the clock was set back."""
        waiting = self.filter(state=Delivery.State.WAITING, webhook__off_at=None)
        is_clock_changed = Q(attempts=0) | Q(last_at__gt=now + CLOCK_TOLERANCE)
        due = Q(due_at__lte=now) | (
            Q(due_at__gt=now + CLOCK_TOLERANCE) & is_clock_changed
        )
        return waiting.filter(due).order_by("due_at", "pk")

    def outdated(self, now: datetime) -> Self:
        """Return the deliveries that the log no longer shows."""
        return self.exclude(state=Delivery.State.WAITING).filter(
            event__at__lt=now - LOG_RETENTION
        )

    def latest_first(self) -> Self:
        """Order by event, latest first, and fetch the events."""
        return self.select_related("event").order_by("-pk")


class Delivery(models.Model):
    """One event for one webhook: stored with the change that caused it, sent afterwards."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("failed")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(HookEvent, models.CASCADE, related_name="deliveries")
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    written_at = models.DateTimeField(_("created at"))
    due_at = models.DateTimeField(_("due at"))
    last_at = models.DateTimeField(_("last tried at"), null=True, blank=True)
    answer = models.CharField(_("response"), max_length=300, blank=True)
    """The last response: its status and beginning, or why there was none."""

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event"], name="delivered_once")
        ]
        indexes = [
            models.Index(fields=["state", "due_at"], name="delivery_due"),
            models.Index(fields=["webhook", "last_at"], name="delivery_last"),
        ]

    def __str__(self) -> str:
        return f"{self.event}: {self.state}"
