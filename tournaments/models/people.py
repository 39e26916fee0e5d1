"""Accounts, for directors and helpers; players need none."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.locales.zones import LONGEST_NAME


class UserManager(BaseUserManager["User"]):
    def create_user(
        self, email: str, password: str | None = None, **extra: Any
    ) -> "User":
        """Return a new account that signs in with its e-mail address."""
        user = self.model(email=self.normalize_email(email).lower(), **extra)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, email: str, password: str | None = None, **extra: Any
    ) -> "User":
        rights = {"is_staff": True, "is_superuser": True}
        return self.create_user(email, password, **{**rights, **extra})


class User(AbstractUser):
    """An account for running tournaments."""

    username = None  # type: ignore[assignment]
    email = models.EmailField(_("e-mail address"), unique=True)

    language = models.CharField(_("language"), max_length=10, blank=True)
    """Language of its pages and e-mails; empty if none was chosen."""
    time_zone = models.CharField(_("time zone"), max_length=LONGEST_NAME, blank=True)
    """Time zone of all times it sees; empty for that of each club."""

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]

    counts_only_in: int | None = None
    """The only club in which its roles and claims count, set by an API token; None for all. Not stored."""

    def __str__(self) -> str:
        return self.get_full_name() or self.email

    def token_allows_club(self, club_id: int) -> bool:
        """Return whether its roles and claims in a club count."""
        return self.counts_only_in in (None, club_id)

    @property
    def public_name(self) -> str:
        """Return the name that everyone may see; never the e-mail address."""
        return self.get_full_name() or gettext("the director")
