"""The history of a club: every player's results at every table and in every tournament.

All of it is derived from the match results by `tournaments.history.derivation`. Results are
only ever added: one that is no longer valid gets the moment from which it was known better,
so that a leaderboard can be read as it was on any day.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Self, cast

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Count, Exists, F, FilteredRelation, OuterRef, Q, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from tournaments.exact import EXACT_LENGTH
from tournaments.models.clubs import Club
from tournaments.models.entries import Entry
from tournaments.models.rounds import Table
from tournaments.models.standings import Standings
from tournaments.models.tournaments import Tournament
from tournaments.models.validators import check_exact, check_finite, check_game


class PlacingQuerySet(models.QuerySet["Placing"]):
    def head_to_head_counts(
        self, opponents: Collection[int] | None = None
    ) -> "models.QuerySet[Placing, dict[str, Any]]":
        """Return a row for each of these players and each other player they sat with.

        `player`, `other__player`, how often they met (`met`), and how often the player finished
        `ahead` or `level`. The most meetings come first. With `opponents`, only meetings with these.
        """
        # Everyone else at the table. In one condition, so that it is joined once: a
        # second join would count a meeting for everyone there.
        condition = Q(other__seat__lt=F("seat")) | Q(other__seat__gt=F("seat"))
        if opponents is not None:
            condition &= Q(other__player__in=opponents)
        rows = (
            self.annotate(other=FilteredRelation("table__placings"))
            .filter(condition)
            .values("player", "other__player")
            .annotate(
                met=Count("pk"),
                ahead=Count("pk", filter=Q(rank__lt=F("other__rank"))),
                level=Count("pk", filter=Q(rank=F("other__rank"))),
            )
        )
        return cast(
            "models.QuerySet[Placing, dict[str, Any]]",
            rows.order_by("-met", "player", "other__player"),
        )


class Placing(models.Model):
    """A player's result at one table, with the ratings before and after it.

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
    """The person: a merged player's results belong to the player that stays."""
    entry = models.ForeignKey(
        Entry, models.CASCADE, related_name="placings", db_index=False
    )
    """The entry that was played for: a substitute sits there for another player's."""
    game = models.CharField(_("game"), max_length=20)
    held_on = models.DateField(_("date"))
    order = models.PositiveIntegerField(_("order in the tournament"))
    """By round, then by table; ratings are computed in this order."""
    seat = models.PositiveSmallIntegerField(_("seat"))
    size = models.PositiveSmallIntegerField(_("players at the table"))
    score = models.BigIntegerField(_("score"))
    rank = models.PositiveSmallIntegerField(_("rank"))
    points = models.PositiveIntegerField(_("points"))
    wins = models.PositiveIntegerField(_("wins"))
    place = models.PositiveIntegerField(_("rank at the table"))
    mu_before = models.FloatField(_("μ before"), default=0)
    sigma_before = models.FloatField(_("σ before"), default=0)
    mu = models.FloatField(_("μ"), default=0)
    sigma = models.FloatField(_("σ"), default=0)
    game_mu_before = models.FloatField(_("game μ before"), default=0)
    game_sigma_before = models.FloatField(_("game σ before"), default=0)
    game_mu = models.FloatField(_("game μ"), default=0)
    game_sigma = models.FloatField(_("game σ"), default=0)

    objects = PlacingQuerySet.as_manager()

    class Meta:
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
        return f"{self.player}: {self.rank}. of {self.size}"


class ResultQuerySet(models.QuerySet["Result"]):
    def current(self) -> Self:
        """Return the results that are valid now."""
        return self.filter(known_until=None)

    def known_at(self, moment: datetime) -> Self:
        return self.filter(known_from__lte=moment).filter(
            Q(known_until=None) | Q(known_until__gt=moment)
        )

    def latest_by(self, *fields: str) -> Self:
        """Return the last result for each value of these fields; one query."""
        number = Window(
            RowNumber(),
            partition_by=[F(field) for field in fields],
            order_by=[F("held_on").desc(), F("tournament").desc()],
        )
        return self.annotate(number=number).filter(number=1)

    def confirmed_first_places(self) -> Self:
        """Return first ranks that no open result can change."""
        running = Standings.objects.filter(tournament=OuterRef("tournament"))
        return self.filter(~Exists(running.with_unconfirmed_first_place()), rank=1)

    def in_order(self) -> Self:
        return self.order_by("held_on", "tournament", "game")


class Result(models.Model):
    """A player's result in one game of one tournament: a line of the ledger.

    The sums are of this tournament; ratings and numbers of rated tables include all before it.
    """

    club = models.ForeignKey(
        Club, models.CASCADE, related_name="results", db_index=False
    )
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="results")
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="results", db_index=False
    )
    game = models.CharField(
        _("game"), max_length=20, blank=True, validators=[check_game]
    )
    """Empty for the line with the rank in a tournament of several games."""
    format = models.CharField(_("format"), max_length=15)
    held_on = models.DateField(_("date"))
    rank = models.PositiveIntegerField(_("rank"), null=True, blank=True)
    """Rank in the tournament; null in a line with tables only."""
    players = models.PositiveIntegerField(_("players"), default=0)
    place_points = models.CharField(
        _("points by rank"),
        max_length=EXACT_LENGTH,
        blank=True,
        validators=[check_exact],
    )
    """An exact number, as in `200/3`, by `ratings.season_points`; empty without a rank."""
    earned_points = models.CharField(
        _("tournament points"),
        max_length=EXACT_LENGTH,
        blank=True,
        validators=[check_exact],
    )
    """As exact as in the standings; empty without a rank."""
    tables = models.PositiveIntegerField(_("tables"), default=0)
    table_points = models.PositiveIntegerField(_("points at tables"), default=0)
    wins = models.PositiveIntegerField(_("wins"), default=0)
    places = models.PositiveIntegerField(_("sum of ranks"), default=0)
    mu = models.FloatField(_("μ after"), default=0, validators=[check_finite])
    sigma = models.FloatField(_("σ after"), default=0, validators=[check_finite])
    rated = models.PositiveIntegerField(_("rated tables"), default=0)
    game_mu = models.FloatField(_("game μ after"), default=0, validators=[check_finite])
    game_sigma = models.FloatField(
        _("game σ after"), default=0, validators=[check_finite]
    )
    game_rated = models.PositiveIntegerField(_("rated tables in the game"), default=0)
    known_from = models.DateTimeField(_("valid from"))
    known_until = models.DateTimeField(_("valid until"), null=True, blank=True)

    objects = ResultQuerySet.as_manager()

    class Meta:
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
        return f"{self.player}: {self.rank or '–'} in {self.tournament}"


class Revision(models.Model):
    """A change to results that were already known."""

    class Kind(models.TextChoices):
        CORRECTED = "corrected", _("results were corrected")
        REOPENED = "reopened", _("reopened")
        IDENTITIES = "identities", _("players were merged or separated")
        RATINGS = "ratings", _("the season’s starting ratings changed")
        RENAMED = "renamed", _("a player’s name was corrected")
        IMPORT_UNDONE = "undone", _("an import was undone")

    club = models.ForeignKey(Club, models.CASCADE, related_name="revisions")
    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="revisions", null=True, blank=True
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    made_at = models.DateTimeField(_("created at"))
    """From this moment on the new results are valid."""
    details = models.JSONField(_("details"), default=dict, blank=True)
    """Details of the change, as in the corrected hands or the merged players; keys as in `DETAILS`."""
    changed = models.PositiveIntegerField(_("players"), default=0)
    """Number of players with other results than before; other ratings alone do not count."""

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["club", "made_at"], name="revision_by_time")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.tournament or self.club}"

    def clean(self) -> None:
        """Raise ValidationError if the details do not fit the kind."""
        details = self.details if isinstance(self.details, dict) else {}
        hands = details.get("hands", [])
        is_complete = any(
            names <= details.keys() for names in DETAILS.get(self.kind, [set()])
        )
        if (
            not is_complete
            or not isinstance(hands, list)
            or not all(isinstance(hand, dict) and "hand" in hand for hand in hands)
            or not all(
                isinstance(details[name], str | int) for name in {*details} - {"hands"}
            )
        ):
            raise ValidationError({"details": _("These details are incomplete.")})


DETAILS: Mapping[str, Sequence[set[str]]] = {
    Revision.Kind.IDENTITIES: [{"merged", "kept"}, {"merged", "apart_from"}],
    Revision.Kind.RENAMED: [{"renamed", "called"}],
    Revision.Kind.RATINGS: [{"keep", "season"}],
    Revision.Kind.IMPORT_UNDONE: [{"name"}],
}
"""By kind, sets of keys; the details must have all keys of one set."""
