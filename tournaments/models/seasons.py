"""Seasons of a club: their dates, and how their leaderboards count."""

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext, override
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from tournaments.models.clubs import Club
from tournaments.models.validators import check_exact, check_game

HALF_YEAR = re.compile(r"(\d{4})-(spring|autumn)(?:-\d+)?")
"""The address of a half-year season, which exists without being set up."""


def half_year_name(slug: str) -> str:
    """Return the name of a half-year season from its address; empty for any other address."""
    match = HALF_YEAR.fullmatch(slug)
    if match is None:
        return ""
    year, half = match.groups()
    label = (
        gettext("Spring %(year)s") if half == "spring" else gettext("Autumn %(year)s")
    )
    return label % {"year": year}


def half_year_days(slug: str) -> tuple[date, date] | None:
    """Return the first and last day of a half-year from its address; None for any other address."""
    match = HALF_YEAR.fullmatch(slug)
    if match is None:
        return None
    year, half = int(match[1]), match[2]
    if half == "spring":
        return date(year, 1, 1), date(year, 6, 30)
    return date(year, 7, 1), date(year, 12, 31)


@lru_cache(maxsize=500)
def _translated_half_year_names(slug: str) -> frozenset[str]:
    """Return the name of a half-year season in each language."""
    names = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            names.add(half_year_name(slug))
    return frozenset(names)


class SeasonQuerySet(models.QuerySet["Season"]):
    def covering(self, day: date) -> Self:
        return self.filter(starts_on__lte=day, ends_on__gte=day)

    def latest_first(self) -> Self:
        return self.order_by("-starts_on")


class LeaderboardRules(models.Model):
    """Rules for adding up tournaments in a season or a circuit.

    They can be changed at any time: nothing stored depends on them.
    """

    class TournamentWorth(models.TextChoices):
        PLACE = "place", _("100 for 1st, 0 for last, evenly spaced")
        POINTS = "points", _("tournament points")

    counts = models.CharField(
        _("points for a tournament"),
        max_length=10,
        choices=TournamentWorth.choices,
        default=TournamentWorth.PLACE,
    )
    best_of = models.PositiveSmallIntegerField(
        _("best tournaments that count (0 for all)"), default=0
    )
    least_attendance = models.PositiveSmallIntegerField(
        _("tournaments needed for a rank"), default=1
    )
    lasts_days = models.PositiveSmallIntegerField(
        _("days until a result expires (0 for never)"), default=0
    )

    class Meta:
        abstract = True

    @property
    def counted_points_column(self) -> str:
        """Return the column of a result that holds the worth of a tournament."""
        by_place = self.counts == self.TournamentWorth.PLACE
        return "place_points" if by_place else "earned_points"


class Season(LeaderboardRules):
    """A period with one leaderboard for its tournaments."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="seasons")
    name = models.CharField(_("name"), max_length=60)
    slug = models.SlugField(_("address"), max_length=40)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    keep_percent = models.PositiveSmallIntegerField(
        _("ratings carried over (in percent)"),
        default=100,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    objects = SeasonQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "slug"], name="season_once"),
            models.CheckConstraint(
                condition=Q(starts_on__lte=F("ends_on")), name="season_has_days"
            ),
            models.CheckConstraint(
                condition=Q(keep_percent__lte=100), name="season_keeps_a_share"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:leaderboard", args=[self.club.slug, self.slug])

    @property
    def shown_name(self) -> str:
        """Return the name; that of a half-year is in the reader's language, unless it was renamed."""
        if not HALF_YEAR.fullmatch(self.slug):
            return self.name
        is_renamed = self.name not in _translated_half_year_names(self.slug)
        return self.name if is_renamed else half_year_name(self.slug)

    @property
    def is_automatic(self) -> bool:
        """Return whether the season is a half-year that nobody has named, changed or closed.

        Its days are those of the half-year that no other season has.
        """
        rules = ("counts", "best_of", "least_attendance", "lasts_days", "keep_percent")
        default = Season()
        is_unchanged = all(
            getattr(self, name) == getattr(default, name) for name in rules
        )
        days = half_year_days(self.slug)
        if days is None or not is_unchanged or self.closed_at is not None:
            return False
        others, day = self.club.seasons.exclude(pk=self.pk), timedelta(days=1)
        has_all_days = (
            self.starts_on == days[0] or others.covering(self.starts_on - day).exists()
        ) and (self.ends_on == days[1] or others.covering(self.ends_on + day).exists())
        is_within = days[0] <= self.starts_on and self.ends_on <= days[1]
        has_own_name = self.name not in _translated_half_year_names(self.slug)
        return has_all_days and is_within and not has_own_name


class FinalRow(models.Model):
    """A line of a closed season's final leaderboard, stored permanently."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="final_rows")
    game = models.CharField(
        _("game"), max_length=20, blank=True, validators=[check_game]
    )
    """Empty for all games."""
    place = models.PositiveIntegerField(_("position in the list"))
    rank = models.PositiveIntegerField(_("rank"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="+")
    points = models.TextField(_("points"), validators=[check_exact])
    """Season points, an exact number as in `640/3`."""
    attended = models.PositiveIntegerField(_("tournaments"))

    class Meta:
        ordering = ["season", "game", "place"]
        constraints = [
            models.UniqueConstraint(
                fields=["season", "game", "place"], name="final_place_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.player}"
