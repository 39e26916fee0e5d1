"""Security events of accounts, for their owners to read; counts of wrong codes, to limit guessing."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club

RETENTION = timedelta(days=180)
"""How long an event is stored: long enough to look back at a season, and no longer."""
ANONYMOUS_RETENTION = timedelta(days=30)
"""How long attempts with an address of no account are stored."""


PURGED = 20
"""Expired counts that are deleted each time a wrong code is counted."""
CLOCK_TOLERANCE = timedelta(minutes=1)
"""The most by which the clocks of two machines differ."""


class SecurityEventQuerySet(models.QuerySet["SecurityEvent"]):
    def latest_first(self) -> Self:
        return self.order_by("-at", "-pk")

    def outdated(self, now: datetime) -> Self:
        """Return the events that are old enough to delete."""
        is_old = Q(at__lte=now - RETENTION)
        is_old_anonymous = Q(user=None, at__lte=now - ANONYMOUS_RETENTION)
        return self.filter(is_old | is_old_anonymous)


class SecurityEvent(models.Model):
    class Kind(models.TextChoices):
        SIGNED_IN = "signed_in", _("Signed in")
        SIGN_IN_FAILED = "sign_in_failed", _("Sign-in failed")
        SIGNED_OUT = "signed_out", _("Signed out")
        SESSION_ENDED = "session_ended", _("Signed out from another device")
        SESSION_IDLE = "session_idle", _("Signed out after inactivity")
        SESSION_OLD = "session_old", _("Signed out after session expired")
        PASSWORD_CHANGED = "password_changed", _("Password changed")
        PASSKEY_ADDED = "passkey_added", _("Passkey added")
        PASSKEY_REMOVED = "passkey_removed", _("Passkey removed")
        APP_ADDED = "app_added", _("App codes turned on")
        APP_REMOVED = "app_removed", _("App codes turned off")
        FACTORS_FORGOTTEN = (
            "factors_forgotten",
            _("Passkeys and codes removed by the server’s operator"),
        )
        CODES_MADE = "codes_made", _("Recovery codes created")
        ADDRESS_CHANGED = "address_changed", _("E-mail addresses changed")
        ROLE_GIVEN = "role_given", _("Role added")
        ROLE_TAKEN = "role_taken", _("Role removed")
        TOKEN_MADE = "token_made", _("API key created")
        TOKEN_ENDED = "token_ended", _("API key revoked")
        ACCOUNT_CLOSED = "account_closed", _("Account deleted")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="security_events",
        null=True,
        blank=True,
    )
    """Null for attempts with an address of no account."""
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    at = models.DateTimeField(_("time"))
    club = models.ForeignKey(
        Club, models.SET_NULL, related_name="+", null=True, blank=True
    )
    """The club of the role or token."""
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
    )
    """The account that did it, if it is another one."""
    what = models.CharField(_("details"), max_length=80, blank=True)
    """As in the role, or the name of the token or passkey."""
    device = models.CharField(_("device"), max_length=60, blank=True)
    network = models.CharField(_("network"), max_length=60, blank=True)

    objects = SecurityEventQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["user", "-at"], name="security_of_user")]

    def __str__(self) -> str:
        return self.get_kind_display()

    @property
    def detail(self) -> str:
        """Return the role, token or passkey; a role in the language of the reader."""
        role, separator, club = self.what.partition(", ")
        is_role = self.kind in (self.Kind.ROLE_GIVEN, self.Kind.ROLE_TAKEN)
        return f"{gettext(role)}{separator}{club}" if is_role and role else self.what


class GuessesQuerySet(models.QuerySet["Guesses"]):
    def count_wrong_codes(self, visitor: str, within: timedelta, now: datetime) -> int:
        """Return how many wrong codes a visitor typed in the current period."""
        running = self.exclude(self._expired_condition(within, now)).filter(who=visitor)
        return running.values_list("count", flat=True).first() or 0

    def record_wrong_code(self, visitor: str, within: timedelta, now: datetime) -> None:
        """Count a wrong code; if the period is over, another begins.

        Each statement is atomic by itself, so that two codes at once count twice, and neither
        waits for the other.
        """
        self.filter(self._expired_condition(within, now), who=visitor).delete()
        for expired_pk in self.filter(until__lte=now).values_list("pk", flat=True)[
            :PURGED
        ]:
            self.filter(pk=expired_pk, until__lte=now).delete()
        self.bulk_create(
            [Guesses(who=visitor, until=now + within)], ignore_conflicts=True
        )
        self.filter(who=visitor).update(count=F("count") + 1)

    @staticmethod
    def _expired_condition(within: timedelta, now: datetime) -> Q:
        # A period that ends later than one that begins now is from before the clock was set back.
        return Q(until__lte=now) | Q(until__gt=now + within + CLOCK_TOLERANCE)


class Guesses(models.Model):
    """Number of wrong codes that a visitor typed within a period.

    Stored in the database, because several processes share the count.
    """

    who = models.CharField(_("visitor"), max_length=64, unique=True)
    """A hash, so that no address is stored."""
    count = models.PositiveIntegerField(_("wrong codes"), default=0)
    until = models.DateTimeField(_("expires at"), db_index=True)

    objects = GuessesQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.count} until {self.until:%H:%M}"
