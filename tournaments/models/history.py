"""The history of a club: what everybody did at every table and in every tournament.

All of it follows from the results and is derived anew by `operations.history`. Results
are only ever added: one that no longer holds is marked with the moment from which on it
was known better, so that a leaderboard can be read as it stood on any day.
"""

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from tournaments.models.clubs import Club
from tournaments.models.rounds import Table
from tournaments.models.seasons import Season
from tournaments.models.tournaments import Tournament


class Placing(models.Model):
    """What one player did at one table, with the ratings before and after it.

    Points, wins and places are in parts of 840.
    """

    club = models.ForeignKey(
        Club, models.CASCADE, related_name="placings", db_index=False
    )
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="placings")
    table = models.ForeignKey(
        Table, models.CASCADE, related_name="placings", db_index=False
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="placings", db_index=False
    )
    """The person: who was merged into another stands here as that one."""
    game = models.CharField(_("game"), max_length=20)
    held_on = models.DateField(_("date"))
    order = models.PositiveIntegerField(_("order in the tournament"))
    """By round, then by table: ratings are counted in this order."""
    seat = models.PositiveSmallIntegerField(_("seat"))
    size = models.PositiveSmallIntegerField(_("players at the table"))
    score = models.BigIntegerField(_("score"))
    rank = models.PositiveSmallIntegerField(_("rank"))
    points = models.PositiveIntegerField(_("points"))
    wins = models.PositiveIntegerField(_("wins"))
    place = models.PositiveIntegerField(_("place"))
    mu_before = models.FloatField(_("μ before"), default=0)
    sigma_before = models.FloatField(_("σ before"), default=0)
    mu = models.FloatField(_("μ"), default=0)
    sigma = models.FloatField(_("σ"), default=0)
    game_mu_before = models.FloatField(_("μ in the game before"), default=0)
    game_sigma_before = models.FloatField(_("σ in the game before"), default=0)
    game_mu = models.FloatField(_("μ in the game"), default=0)
    game_sigma = models.FloatField(_("σ in the game"), default=0)

    class Meta:
        """A seat stands once; a person's tables are read in the order of play."""

        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="placing_once")
        ]
        indexes = [
            models.Index(
                fields=["club", "held_on", "tournament", "order", "seat"],
                name="placing_in_order",
            ),
            models.Index(
                fields=["player", "club", "held_on", "tournament", "order"],
                name="placing_of_player",
            ),
        ]

    def __str__(self) -> str:
        """Return who came where."""
        return f"{self.player}: {self.rank}. of {self.size}"


class ResultQuerySet(models.QuerySet["Result"]):
    """Questions about results."""

    def current(self) -> Self:
        """Keep what holds today."""
        return self.filter(known_until=None)

    def known_at(self, moment: datetime) -> Self:
        """Keep what was known at a moment."""
        return self.filter(known_from__lte=moment).filter(
            Q(known_until=None) | Q(known_until__gt=moment)
        )

    def in_order(self) -> Self:
        """Order as it was played."""
        return self.order_by("held_on", "tournament", "game")


class Result(models.Model):
    """What a player has of one tournament in one game: a line of the ledger.

    Its sums are of this tournament; its ratings and the numbers of tables that were
    rated run over everything up to here.
    """

    club = models.ForeignKey(
        Club, models.CASCADE, related_name="results", db_index=False
    )
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="results")
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="results", db_index=False
    )
    game = models.CharField(_("game"), max_length=20, blank=True)
    """Empty for the line that holds the rank in a tournament of several games."""
    format = models.CharField(_("format"), max_length=15)
    held_on = models.DateField(_("date"))
    rank = models.PositiveIntegerField(_("rank"), null=True, blank=True)
    """In the tournament; null in a line that holds tables alone."""
    players = models.PositiveIntegerField(_("players"), default=0)
    place_points = models.IntegerField(_("points by place"), null=True, blank=True)
    """In hundredths, as `leaderboards.place_hundredths` has them."""
    earned_points = models.BigIntegerField(
        _("points of the tournament"), null=True, blank=True
    )
    """In hundredths."""
    tables = models.PositiveIntegerField(_("tables"), default=0)
    table_points = models.PositiveIntegerField(_("points at tables"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    places = models.PositiveIntegerField(_("sum of places"), default=0)
    mu = models.FloatField(_("μ after it"), default=0)
    sigma = models.FloatField(_("σ after it"), default=0)
    rated = models.PositiveIntegerField(_("tables rated"), default=0)
    game_mu = models.FloatField(_("μ in the game after it"), default=0)
    game_sigma = models.FloatField(_("σ in the game after it"), default=0)
    game_rated = models.PositiveIntegerField(_("tables rated in the game"), default=0)
    known_from = models.DateTimeField(_("known from"))
    known_until = models.DateTimeField(_("known until"), null=True, blank=True)

    objects = ResultQuerySet.as_manager()

    class Meta:
        """One line of a player in a tournament and a game holds at a time."""

        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player", "game"],
                condition=Q(known_until=None),
                name="one_current_result",
            )
        ]
        indexes = [
            models.Index(fields=["club", "held_on"], name="result_by_date"),
            models.Index(
                fields=["player", "club", "held_on", "tournament"],
                name="result_of_player",
            ),
        ]

    def __str__(self) -> str:
        """Return who came where in what."""
        return f"{self.player}: {self.rank or '–'} in {self.tournament}"


class Revision(models.Model):
    """Something that made results other than they were known before."""

    class Kind(models.TextChoices):
        """What happened."""

        CORRECTED = "corrected", _("results were corrected")
        REOPENED = "reopened", _("opened again")
        IDENTITIES = "identities", _("players were merged or taken apart")
        RATINGS = "ratings", _("ratings begin the season otherwise")
        IMPORT_UNDONE = "undone", _("past results were taken out again")

    club = models.ForeignKey(Club, models.CASCADE, related_name="revisions")
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="revisions", null=True, blank=True
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    made_at = models.DateTimeField(_("made at"))
    """From this moment on it was known better."""
    details = models.JSONField(_("details"), default=dict)
    """The hands that were corrected, or who was merged into whom."""
    changed = models.PositiveIntegerField(_("players"), default=0)
    """Whose results are other than before; not those whose ratings alone moved."""

    class Meta:
        """Read the latest first."""

        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["club", "made_at"], name="revision_by_time")]

    def __str__(self) -> str:
        """Return what happened."""
        return f"{self.get_kind_display()}: {self.tournament or self.club}"


class Snapshot(models.Model):
    """A season's leaderboard at the end of a day: a cache, proven by `rebuild`."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="snapshots")
    game = models.CharField(_("game"), max_length=20, blank=True)
    """Empty for all games."""
    day = models.DateField(_("day"))
    made_at = models.DateTimeField(_("made at"))
    rows = models.JSONField(_("rows"), default=list)
    """In order: `[player, rank, points in hundredths, tournaments]`; a rank of null
    for who came too rarely."""

    class Meta:
        """One a day."""

        constraints = [
            models.UniqueConstraint(
                fields=["season", "game", "day"], name="snapshot_once"
            )
        ]

    def __str__(self) -> str:
        """Return of what, and when."""
        return f"{self.season}, {self.day}"
