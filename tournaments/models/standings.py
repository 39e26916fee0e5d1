"""Penalties, the standings as they were computed, and the state of the page that shows them."""

from datetime import datetime
from itertools import pairwise
from typing import Self

from django.conf import settings
from django.db import connection, models
from django.db.models import F, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.functional import cached_property
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.exact import EXACT_LENGTH
from tournaments.models.clubs import Role
from tournaments.models.entries import Entry
from tournaments.models.reasons import translate_reason
from tournaments.models.rounds import PUBLISHED_STATES, Place, Round, Table
from tournaments.models.tournaments import Tournament
from tournaments.models.validators import (
    MOST_ROUNDS,
    check_exact,
    check_parts,
    check_reason,
    check_values,
)
from tournaments.standings.point_parts import PointParts


class PenaltyQuerySet(models.QuerySet["Penalty"]):
    def effective(self, at: datetime | None = None) -> Self:
        """Return the penalties that count now, or counted at a moment, oldest first, with their authors."""
        if at is None:
            penalties = self.filter(cancelled_at=None)
        else:
            is_not_cancelled = Q(cancelled_at=None) | Q(cancelled_at__gt=at)
            penalties = self.filter(is_not_cancelled, made_at__lte=at)
        return penalties.select_related("made_by").order_by("made_at")


class Penalty(models.Model):
    """Points taken away; cancelled by setting `cancelled_at`, never deleted."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="penalties")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="penalties")
    points = models.CharField(_("points"), max_length=20, validators=[check_exact])
    """An exact number, as in `3` or `1/2`."""
    reason = models.CharField(_("reason"), max_length=200)
    stage = models.PositiveSmallIntegerField(
        _("stage"), default=0, validators=MOST_ROUNDS
    )
    """The stage in which it was given and counts."""
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    cancelled_at = models.DateTimeField(_("cancelled at"), null=True, blank=True)

    objects = PenaltyQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.entry} −{self.points}: {self.reason}"


class StandingsQuerySet(models.QuerySet["Standings"]):
    def with_unconfirmed_first_place(self) -> Self:
        """Return running standings with a first place that an open result can change."""
        return self.filter(frozen_as="", is_first_open=True)

    def up_to_date(self) -> Self:
        """Return running standings that include all changes and log entries."""
        tables = Table.objects.finished_or_in_closed_round().filter(
            round__tournament=OuterRef("tournament")
        )
        by_tournament = tables.order_by().values("round__tournament")
        entry_counts = by_tournament.annotate(there=Sum("match__version")).values(
            "there"
        )
        return self.unfrozen_latest_first().filter(
            version=F("tournament__version"),
            entries=Coalesce(Subquery(entry_counts), 0),
        )

    def unfrozen_latest_first(self) -> Self:
        """Return the running standings, latest version first, without the frozen ones."""
        return self.filter(frozen_as="").order_by("-version")

    def find_visible(
        self, role: Role | None, tournament: Tournament
    ) -> "Standings | None":
        """Return the standings that a role may see now; members of the club see all."""
        if role is not None:
            return self.filter(tournament=tournament).unfrozen_latest_first().first()
        return self.find_public(tournament)

    def find_public(self, tournament: Tournament) -> "Standings | None":
        """Return the standings of a tournament that everyone may see now; None for nothing yet."""
        stored = self.filter(tournament=tournament)
        if tournament.are_current_standings_public:
            return stored.unfrozen_latest_first().first()
        if tournament.standings_shown == Tournament.Visibility.FINISHED:
            return None
        closed = stored.filter(frozen_as__in=closed_rounds_by_frozen_name(tournament))
        return closed.order_by("-pk").first()

    def find_previous_round_standings(
        self, standings: "Standings"
    ) -> "Standings | None":
        """Return the standings of the last closed round before the latest one that `standings` counts."""
        tournament = standings.tournament
        numbers = closed_rounds_by_frozen_name(tournament)
        last = numbers.get(standings.frozen_as)
        if last is None:
            started_states = (Round.State.RUNNING, Round.State.CLOSED)
            rounds = tournament.rounds.filter(state__in=started_states).order_by(
                "-number"
            )
            last = rounds.values_list("number", flat=True).first() or 0
        previous_number = max(
            (number for number in numbers.values() if number < last), default=0
        )
        names = [name for name, number in numbers.items() if number == previous_number]
        frozen = self.filter(tournament=tournament, frozen_as__in=names)
        return frozen.order_by("-pk").first()


def closed_rounds_by_frozen_name(tournament: Tournament) -> dict[str, int]:
    """Return the numbers of closed rounds by the names of their standings.

    A reopened round is not included, though its standings stay stored.
    """
    closed = tournament.rounds.filter(state=Round.State.CLOSED)
    return {
        name: round_.number
        for round_ in closed.prefetch_related("tables")
        for name in (
            round_.frozen_standings_name,
            f"cut {round_.frozen_standings_name}",
        )
    }


class Standings(models.Model):
    """Standings as they were computed at one version of the tournament."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="standings")
    version = models.PositiveIntegerField(_("version"))
    entries = models.PositiveIntegerField(_("log entries"), default=0)
    """Number of log entries that are counted: all those of finished tables and closed rounds."""
    computed_at = models.DateTimeField(_("computed at"))
    frozen_as = models.CharField(_("name of the snapshot"), max_length=40, blank=True)
    """When the standings were frozen, as in `cut after round 4`; empty for the running ones."""
    outlook = models.JSONField(_("possible ranks"), null=True, editable=False)
    """By entry, the range of ranks that is still possible, and for some what is enough to get
    there, as `tournaments.event.outlook` writes it; null without an outlook.
    """

    is_first_open = models.BooleanField(_("first place is undecided"), default=False)
    """Whether a result that is disputed, or not yet confirmed, can change the first place."""

    objects = StandingsQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "version", "frozen_as"], name="standings_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, version {self.version}"

    def display_state(self, tournament: Tournament) -> tuple[object, ...]:
        """Return a value that changes whenever these standings look different to a reader.

        Names may be removed, and the outlook is stored a little later.
        """
        is_told = self.outlook is not None
        return tournament.address, self.pk, is_told, tournament.club.history_version

    def rows_with_names(self) -> "list[StandingsRow]":
        """Return the rows with names and penalties; three queries.

        Frozen standings leave out penalties that were given later.
        """
        at = self.computed_at if self.frozen_as else None
        penalties = models.Prefetch(
            "entry__penalties",
            Penalty.objects.effective(at),
            to_attr="counted_penalties",
        )
        rows = list(self.rows.select_related("entry").prefetch_related(penalties))
        places = Place.objects.filter(round__tournament=self.tournament_id)
        names = places.all_player_names_by_entry() if rows else {}
        for row in rows:
            row.names = names.get(row.entry_id, row.entry.name)
        for row, following in pairwise(rows):
            row.is_tied_with_next = (row.stage, row.points) == (
                following.stage,
                following.points,
            )
        return rows


def open_result_label(*, unconfirmed: int, disputed: int) -> str:
    """Return how open the tables of a line are, in a word or two; empty if all are final."""
    if disputed:
        return gettext("disputed")
    return gettext("not confirmed yet") if unconfirmed else ""


class StandingsRow(models.Model):
    standings = models.ForeignKey(Standings, models.CASCADE, related_name="rows")
    place = models.PositiveIntegerField(_("position in the list"))
    """Counted from 1 without ties: the order of the lines."""
    rank = models.PositiveIntegerField(_("rank"))
    stage = models.PositiveSmallIntegerField(
        _("stage"), default=0, validators=MOST_ROUNDS
    )
    """The last stage that the player reached."""
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    points = models.CharField(
        _("points"), max_length=EXACT_LENGTH, validators=[check_exact]
    )
    """An exact fraction."""
    earlier_points = models.CharField(
        _("points of earlier stages"),
        max_length=EXACT_LENGTH,
        default="0",
        validators=[check_exact],
    )
    """An exact fraction; `points` are those of the player's last stage."""
    tables = models.PositiveIntegerField(_("tables"))
    values = models.JSONField(
        _("tie-breaks"), default=dict, blank=True, validators=[check_values]
    )
    """Exact fractions by tie-break; null where undefined."""
    parts = models.JSONField(
        _("parts of the points"), default=dict, blank=True, validators=[check_parts]
    )
    """As `PointParts.to_json` writes them; empty without tables, or if stored by an earlier release."""
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    """Why the line is above the next, in English."""
    because = models.JSONField(
        _("structured reason"), default=dict, blank=True, validators=[check_reason]
    )
    """The same for any language; empty if stored by an earlier release."""
    unconfirmed = models.PositiveSmallIntegerField(_("not confirmed"), default=0)
    """Number of tables that are disputed or lack confirmations."""
    disputed = models.PositiveSmallIntegerField(_("disputed"), default=0)
    """Number of these that are disputed."""
    is_tied_with_next = False
    """Whether the next line has the same points, in rows that `Standings.rows_with_names` returned."""
    names: str
    """The names of the players, in rows that `Standings.rows_with_names` returned."""

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(
                fields=["standings", "place"], name="standings_place_once"
            ),
            models.UniqueConstraint(
                fields=["standings", "entry"], name="standings_entry_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rank}. {self.entry}"

    @cached_property
    def point_parts(self) -> PointParts:
        return PointParts.from_json(self.parts)

    @property
    def undisputed_unconfirmed(self) -> int:
        """Return the number of tables that lack confirmations and are not disputed."""
        return self.unconfirmed - self.disputed

    @property
    def open_result_label(self) -> str:
        """Return how open the line's tables are, in a word or two; empty if all are final."""
        return open_result_label(unconfirmed=self.unconfirmed, disputed=self.disputed)

    @property
    def tie_reason_text(self) -> str:
        """Return why the line is above the next one, in the reader's language.

        Empty if their points differ, which everyone can see.
        """
        if not self.is_tied_with_next:
            return ""
        return translate_reason(self.because) if self.because else self.reason

    @property
    def short_tie_reason(self) -> str:
        """Return the same without the points, next to which it is shown."""
        points, _comma, tie_break = self.tie_reason_text.partition(", ")
        return tie_break or points


# Phones poll this all evening, and nothing else: it is SQL because building the same
# query with the ORM takes twice as long as the rest of the response.
STATE = """
SELECT t.*, c.name, c.slug, c.history_version, c.colour, c.language, c.time_zone,
    c.logo_version,
    (SELECT max(s.id) FROM tournaments_standings s WHERE s.tournament_id = t.id),
    (SELECT max(s.id) FROM tournaments_standings s
        WHERE s.tournament_id = t.id AND s.outlook IS NOT NULL),
    (SELECT sum(power(2, r.number)) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state IN (%s, %s, %s)),
    (SELECT sum(power(2, r.number)) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'closed'),
    (SELECT max(r.ends_at) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'running'),
    (SELECT max(r.paused_at) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'running'),
    (SELECT count(r.id) + count(r.last_hand_at) FROM tournaments_round r
        WHERE r.tournament_id = t.id AND r.state = 'running'),
    (SELECT count(a.id) + count(a.withdrawn_at) FROM tournaments_announcement a
        WHERE a.tournament_id = t.id)
FROM tournaments_tournament t JOIN tournaments_club c ON c.id = t.club_id
WHERE t.address = %s
"""
"""All fields of the tournament, so that none can be forgotten; the fields that identify its club;
the latest standings, and the latest with an outlook, which is stored a little later; the rounds
that are shown, and those that are over, a bit for each; the clock of the running round; and a
count of announcements that grows whether one is made or withdrawn.
"""


def tournament_page_state(address: str) -> tuple[object, ...] | None:
    """Return a value that changes whenever the tournament's page does; None without a tournament."""
    with connection.cursor() as cursor:
        cursor.execute(STATE, [*PUBLISHED_STATES, address])
        row: tuple[object, ...] | None = cursor.fetchone()
    return row
