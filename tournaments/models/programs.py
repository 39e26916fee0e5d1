"""API tokens of accounts, and web sites that may show a club."""

from datetime import datetime
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.clubs import Club


class Scope(models.TextChoices):
    """A right of an API token; never more than its account has."""

    READ = "read", _("read")
    SCORE = "score", _("enter and correct hands, confirm results, call the director")
    DIRECT = "direct", _("manage players, tournaments, rounds and tables")


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def active(self, now: datetime) -> Self:
        """Return the tokens that are still valid."""
        is_valid = Q(expires_at=None) | Q(expires_at__gt=now)
        return self.filter(is_valid, ended_at=None)

    def latest_first(self) -> Self:
        return self.order_by("-made_at", "-pk")


class ApiToken(models.Model):
    """A token with which a program acts for an account; only a digest of the secret is stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens"
    )
    club = models.ForeignKey(
        Club, models.CASCADE, related_name="api_tokens", null=True, blank=True
    )
    """The only club in which the account's roles count for it; null for all clubs."""
    name = models.CharField(_("name"), max_length=60)
    """Its purpose, in the owner's words."""
    scopes = models.JSONField(_("scopes"), default=list)
    digest = models.CharField(_("digest"), max_length=64, unique=True)
    """SHA-256 of the secret: its 256 random bits cannot be guessed."""
    made_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("expires at"), null=True, blank=True)
    ended_at = models.DateTimeField(_("revoked at"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used at"), null=True, blank=True)
    """Accurate to the minute."""

    objects = ApiTokenQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def allows(self, scope: str) -> bool:
        """Return whether the token has a scope; every token may read."""
        return scope in self.scopes or scope == Scope.READ

    @property
    def scope_labels(self) -> list[str]:
        return [str(scope.label) for scope in Scope if self.allows(scope)]


class ApiOrigin(models.Model):
    """A web site that may show a club in a frame, and request it from a browser."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="api_origins")
    origin = models.CharField(_("origin"), max_length=200)
    """As browsers write it: `https://example.org`, with a port unless it is the default."""
    made_at = models.DateTimeField(_("created at"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "origin"], name="origin_once")
        ]

    def __str__(self) -> str:
        return self.origin

    @property
    def host(self) -> str:
        """Return the origin without its scheme."""
        return self.origin.partition("://")[2]
