"""Clubs, their members, invitations and followers."""

from datetime import date, datetime, timedelta
from typing import Self
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.locales.zones import LONGEST_NAME, check_zone, first_known_zone, host_zone
from scoring.models.matches import ADDRESS_LENGTH, new_address
from tournaments.models.people import User
from tournaments.models.validators import check_colour, check_language

INVITATION_HOLDS = timedelta(days=30)


class Role(models.IntegerChoices):
    """A role in a club; each has all rights of the lower ones."""

    VIEWER = 1, _("viewer")
    SCORER = 2, _("scorer")
    DIRECTOR = 3, _("director")


DEMO = "demo-club"
"""The address of the demo club, unless another club has it."""


class ClubQuerySet(models.QuerySet["Club"]):
    def demo_without_members(self) -> Self:
        """Return the demo club while it has no members: anyone may take it over to try the desk."""
        return self.filter(is_demo=True, archived_at=None, memberships=None)

    def with_member(self, user: User) -> Self:
        return self.filter(memberships__user=user)


class Club(models.Model):
    """A group that runs tournaments, with its players, seasons and settings."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(_("address"), max_length=40, unique=True)
    created_at = models.DateTimeField(_("created at"))
    history_version = models.PositiveIntegerField(
        _("version of the history"), default=0
    )
    """Counts the changes to the data behind its leaderboards."""

    archived_at = models.DateTimeField(_("archived at"), null=True, blank=True)
    """From then on the pages stay, but nothing new can be started."""

    colour = models.CharField(
        _("colour"), max_length=7, blank=True, validators=[check_colour]
    )
    """Colour of the cloth, as in `#1f4e8c`; empty for the default."""
    logo_version = models.CharField(
        _("version of the logo"), max_length=16, blank=True, editable=False
    )
    """Identifies the current logo without fetching it; empty without a logo."""

    language = models.CharField(
        _("language"), max_length=10, blank=True, validators=[check_language]
    )
    """Language of pages, prints, e-mails and messages for readers without a choice of their own;
    empty for the language of each reader's browser.
    """

    time_zone = models.CharField(
        _("time zone"),
        max_length=LONGEST_NAME,
        default=host_zone,
        validators=[check_zone],
    )
    """As in `Europe/Berlin`: decides when nights begin and on which day they count."""

    cards_renewed = models.PositiveSmallIntegerField(
        _("table cards renewed"), default=0
    )
    """How often the codes on the table cards were replaced."""

    is_demo = models.BooleanField(_("demo"), default=False, editable=False)
    """Whether `manage.py demo` made the club: anyone may take it over, and the command removes it."""

    objects = ClubQuerySet.as_manager()

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:club", args=[self.slug])

    @property
    def zone(self) -> ZoneInfo:
        """Return the time zone; the server's if the stored name is no longer known."""
        return first_known_zone(self.time_zone)

    def local_day(self, moment: datetime) -> date:
        """Return the date of a moment in the club's time zone."""
        return timezone.localdate(moment, self.zone)

    def logo_image(self) -> bytes:
        """Return the logo as a PNG, empty without one; one query if there is one."""
        if not self.logo_version:
            return b""
        image = Logo.objects.filter(club=self).values_list("image", flat=True).first()
        return bytes(image or b"")

    def get_role(self, user: object) -> Role | None:
        """Return the role of an account, None for a stranger."""
        if not isinstance(user, User) or not user.token_allows_club(self.pk):
            return None
        role = self.memberships.filter(user=user).values_list("role", flat=True).first()
        return None if role is None else Role(role)


class Logo(models.Model):
    """A club's logo, in a table of its own because clubs are fetched everywhere and logos are not.

    Stored in the database like everything else, so that one backup is complete.
    """

    club = models.OneToOneField(Club, models.CASCADE, related_name="logo")
    image = models.BinaryField(_("image"))
    """A PNG redrawn from the uploaded file."""

    def __str__(self) -> str:
        return str(self.club)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self, now: datetime) -> Self:
        return self.filter(answered_at=None, made_at__gt=now - INVITATION_HOLDS)

    def with_unsent_email(self, now: datetime) -> Self:
        """Return the invitations with an e-mail still to send.

        Those to members are answered at once, and are sent all the same; those answered later are not.
        """
        is_answered_at_once = models.Q(answered_at=models.F("made_at"))
        unanswered = self.filter(is_answered_at_once | models.Q(answered_at=None))
        return unanswered.filter(sent_at=None, made_at__gt=now - INVITATION_HOLDS)


class Invitation(models.Model):
    """A role in a club, offered by e-mail."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="invitations")
    email = models.EmailField(_("e-mail address"))
    role = models.PositiveSmallIntegerField(_("role"), choices=Role.choices)
    address = models.CharField(
        _("address"), max_length=ADDRESS_LENGTH, unique=True, default=new_address
    )
    """The secret part of its URL: 128 random bits."""
    link = models.URLField(_("link"), max_length=300)
    """The absolute URL, as the inviter reached this site."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    answered_at = models.DateTimeField(_("answered at"), null=True, blank=True)
    """Accepted, or withdrawn by a director."""
    sent_at = models.DateTimeField(_("e-mail sent at"), null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.email}: {self.get_role_display()}"

    def get_absolute_url(self) -> str:
        return reverse("tournaments:invitation", args=[self.address])


class Membership(models.Model):
    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships"
    )
    role = models.PositiveSmallIntegerField(_("role"), choices=Role.choices)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="one_role_in_a_club")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class Follow(models.Model):
    """A club that an account follows; grants no rights."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="follows")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows"
    )
    since = models.DateTimeField(_("following since"))

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "user"], name="follows_once")
        ]

    def __str__(self) -> str:
        return f"{self.user} → {self.club}"
