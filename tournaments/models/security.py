"""Security events of accounts, for their owners to read."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club

RETENTION = timedelta(days=180)
"""How long an event is stored: long enough to look back at a season, and no longer."""
ANONYMOUS_RETENTION = timedelta(days=30)
"""How long attempts with an address of no account are stored."""


class SecurityEventQuerySet(models.QuerySet["SecurityEvent"]):
    def latest_first(self) -> Self:
        return self.order_by("-at", "-pk")

    def outdated(self, now: datetime) -> Self:
        """Return the events that are old enough to delete."""
        is_old = models.Q(at__lte=now - RETENTION)
        is_old_anonymous = models.Q(user=None, at__lte=now - ANONYMOUS_RETENTION)
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
