"""Rounds, their tables and their seats."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from django.db import models
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.competition import ResultState
from scoring.models import LogEntry, Match, Seat
from tournaments.models.entries import Entry
from tournaments.models.people import User
from tournaments.models.round_names import join_round_names, round_name
from tournaments.models.tournaments import Tournament
from tournaments.models.validators import (
    MOST_ROUNDS,
    check_entries,
    check_game,
    check_quality,
)
from tournaments.standings.event import ByeKind


class RoundQuerySet(models.QuerySet["Round"]):
    def published(self) -> Self:
        """Select the rounds whose seats everyone may see."""
        return self.filter(state__in=PUBLISHED_STATES)

    def with_table_count(self) -> Self:
        """Annotate each round with the number of its tables."""
        return self.annotate(table_count=models.Count("tables"))


class Round(models.Model):
    """One round: drawn, played, closed."""

    table_count: int
    """Number of tables, in a query `with_table_count` only."""

    class State(models.TextChoices):
        DRAWN = "drawn", _("drawn")
        PUBLISHED = "published", _("published")
        RUNNING = "running", _("running")
        CLOSED = "closed", pgettext_lazy("round", "closed")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("number"), validators=MOST_ROUNDS)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.DRAWN
    )
    stage = models.PositiveSmallIntegerField(
        _("stage"), default=0, validators=MOST_ROUNDS
    )
    """0 for the rounds that everyone plays; each cut and each knockout round adds one."""
    game = models.CharField(
        _("game"), max_length=20, blank=True, validators=[check_game]
    )
    """The game of this round; empty for the tournament's."""
    seed = models.PositiveIntegerField(_("seed"))
    """With it the same draw can be repeated."""
    quality = models.JSONField(
        _("draw quality"),
        default=dict,
        blank=True,
        validators=[check_quality],
    )
    """Repeats, their proven minimum, and the pairs that meet again, as of the draw."""
    present = models.JSONField(
        _("players present at the draw"),
        default=list,
        blank=True,
        validators=[check_entries],
    )
    """Primary keys of entries, in rounds of a later stage; empty if unknown."""
    ends_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    paused_at = models.DateTimeField(_("paused at"), null=True, blank=True)
    last_hand_at = models.DateTimeField(_("last hand called at"), null=True, blank=True)
    override = models.CharField(
        _("reason for closing early"), max_length=200, blank=True
    )

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="round_number_once"
            )
        ]

    def __str__(self) -> str:
        return round_name(self)

    def entry_ids_at_draw(self) -> set[int]:
        """Return the entries that could have been drawn: seated, or present at the draw.

        Entries that left afterwards are included. If the round has not stored them, those present now count.
        """
        seated = self.places.values_list("entry_id", flat=True)
        present_ids = self.tournament.entries.present().values_list("pk", flat=True)
        return {*seated, *(self.present or present_ids)}

    @property
    def playoff_table_count(self) -> int | None:
        """Return the number of tables of a playoff round; None for any other round."""
        return self.tables.count() if self.is_playoff else None

    @property
    def is_playoff(self) -> bool:
        """Return whether only some of the players advance from the round."""
        knockout = self.tournament.format == Tournament.Format.KNOCKOUT
        return knockout or self.stage > 0

    @property
    def frozen_standings_name(self) -> str:
        """Return the name under which the standings are stored when the round is closed."""
        if self.playoff_table_count == 1:
            return "after the final"
        return f"after round {self.number}"

    def itself_and_later_rounds(self) -> RoundQuerySet:
        """Return this round and all later ones."""
        return Round.objects.filter(
            tournament=self.tournament_id, number__gte=self.number
        )


PUBLISHED_STATES = (Round.State.PUBLISHED, Round.State.RUNNING, Round.State.CLOSED)
"""States in which everyone may see the seats."""


def last_entered_at_by_match(round_: Round) -> dict[int, datetime]:
    """Return by match when something was last entered, in one query.

    A change of seats does not count: a table may be reseated before it begins.
    """
    entries = LogEntry.objects.filter(match__table__round=round_).exclude(
        kind=LogEntry.Kind.RESEAT
    )
    latest = entries.order_by().values("match").annotate(last=models.Max("made_at"))
    return dict(latest.values_list("match", "last"))


def is_confirmed(confirmed: Sequence[bool], quorum: str) -> bool:
    """Return whether enough players of a table have confirmed for the quorum."""
    return sum(confirmed) >= required_confirmation_count(len(confirmed), quorum)


def required_confirmation_count(seat_count: int, quorum: str) -> int:
    """Return how many seats of a table must confirm."""
    return {"none": 0, "one": 1, "all": seat_count}[quorum]


CHANGES = (
    LogEntry.Kind.ENTER,
    LogEntry.Kind.REPLACE,
    LogEntry.Kind.VOID,
    LogEntry.Kind.RESTORE,
    LogEntry.Kind.RESEAT,
)
"""Kinds of log entries that can change a result."""


CUT_OFF = models.Q(match__finished=False, match__as_it_stands=True)
"""Tables with a match that was cut off when their round was closed."""


class TableQuerySet(models.QuerySet["Table"]):
    def unfinished_or_needing_director(self) -> Self:
        """Return the tables that are not over, or that need the director."""
        return self.filter(void=False).filter(
            models.Q(match=None)
            | models.Q(match__finished=False)
            | models.Q(disputed=True)
            | models.Q(called_at__isnull=False)
        )

    def finished_or_in_closed_round(self) -> Self:
        """Return the tables with a log that standings depend on: finished, or in a closed round."""
        closed = models.Q(round__state=Round.State.CLOSED)
        return self.filter(closed | models.Q(match__finished=True))

    def cut_off(self) -> Self:
        """Return the tables that were cut off when their round was closed, with match and seats."""
        stopped = self.filter(CUT_OFF, void=False)
        return stopped.select_related("match").prefetch_related("match__seats")

    def with_unseen_changes(self) -> Self:
        """Return the tables with a hand or seat changed since the desk last saw them."""
        since = LogEntry.objects.filter(
            match=models.OuterRef("match"),
            version__gt=models.OuterRef("seen_version"),
            kind__in=CHANGES,
        )
        unseen = self.filter(void=False, match__version__gt=models.F("seen_version"))
        return unseen.filter(models.Exists(since))

    def unconfirmed(self, quorum: str) -> Self:
        """Return the finished tables with fewer confirmations than the quorum requires.

        Tables that were cut off are included if they played a hand and unfinished tables count.
        """
        agreed = models.Count("match__seats__confirmed_at")
        wanted = {
            "none": models.Value(0),
            "one": models.Value(1),
            "all": models.Count("match__seats"),
        }[quorum]
        voids = models.Q(
            round__tournament__unfinished=Tournament.UnfinishedTableRule.VOID
        )
        has_stopped = CUT_OFF & models.Q(match__hands_played__gt=0) & ~voids
        has_ended = models.Q(match__finished=True) | has_stopped
        ended_tables = self.filter(has_ended, void=False).annotate(agreed=agreed)
        return ended_tables.alias(wanted=wanted).filter(agreed__lt=models.F("wanted"))

    def without_final_result(self, quorum: str) -> Self:
        """Return the tables with a result that can still change, in closed rounds as well."""
        unconfirmed = Table.objects.unconfirmed(quorum).values("pk")
        return self.filter(void=False).filter(
            models.Q(match=None)
            | models.Q(match__finished=False)
            | models.Q(pk__in=unconfirmed)
            | models.Q(disputed=True)
        )

    def mark_seen(self) -> None:
        """Store that the desk has seen the matches as they are now."""
        version = Match.objects.filter(table=models.OuterRef("pk")).values("version")
        self.update(seen_version=models.Subquery(version), withdrawn_at=None)

    def matches(self) -> models.QuerySet[Match]:
        tables_with_match = self.filter(match__isnull=False).order_by()
        return Match.objects.filter(pk__in=tables_with_match.values("match"))

    def with_places_and_entries(self) -> Self:
        """Fetch the seats, their entries and the match, in a constant number of queries."""
        return self._prefetch_places(Place.objects.select_related("entry"))

    def with_places(self) -> Self:
        """Fetch the same without the entries, which the caller already has."""
        return self._prefetch_places(Place.objects.all())

    def _prefetch_places(self, places: "models.QuerySet[Place]") -> Self:
        return self.select_related("match", "voided_by").prefetch_related(
            models.Prefetch("places", places.order_by("index")), "match__seats"
        )


LONGEST_DISPUTE_REASON = 120
"""Maximum length of the reason for a dispute."""
DISPUTE_REASONS = (
    gettext_noop("The points are wrong"),
    gettext_noop("The winner is wrong"),
    gettext_noop("A hand is missing"),
)
"""The reasons that players can pick; they are stored in English."""


class Table(models.Model):
    """A table of a round, with the match that is played there."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    game = models.CharField(
        _("game"), max_length=20, blank=True, validators=[check_game]
    )
    """The game that the table chose, if tables choose."""
    match = models.OneToOneField(
        Match, models.PROTECT, null=True, blank=True, related_name="table"
    )
    void = models.BooleanField(_("void"), default=False)
    """A void table counts as if it had never been played."""
    voided_by = models.ForeignKey(
        User, models.SET_NULL, verbose_name=_("voided by"), null=True, blank=True
    )
    disputed = models.BooleanField(_("disputed"), default=False)
    called_at = models.DateTimeField(_("director called at"), null=True, blank=True)
    coming_at = models.DateTimeField(
        _("director on the way since"), null=True, blank=True
    )
    """When a director answered the call; null until then."""
    disputed_by = models.ForeignKey(
        User,
        models.SET_NULL,
        verbose_name=_("disputed by"),
        null=True,
        blank=True,
        related_name="+",
    )
    """The account that disputed through the API; null for phones, and if several disputed."""
    dispute_reason = models.CharField(
        _("reason for the dispute"),
        max_length=LONGEST_DISPUTE_REASON,
        blank=True,
        default="",
    )
    """In a player's words, or one of `DISPUTE_REASONS` in English."""
    withdrawn_at = models.DateTimeField(
        _("dispute withdrawn at"), null=True, blank=True
    )
    """Null without a withdrawn dispute, and once the desk has seen it."""
    seen_version = models.PositiveIntegerField(
        _("version last seen by the director"), null=True, blank=True
    )
    """The version of its match when its round was closed, or when the desk last looked at
    later changes; null before.
    """
    extra_minutes = models.PositiveSmallIntegerField(_("extra minutes"), default=0)

    objects = TableQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="table_once")
        ]

    def __str__(self) -> str:
        return gettext("Table %(number)s") % {"number": self.number}

    @property
    def dispute_or_call_status(self) -> str:
        """Return the state of a dispute or a call to the director as a sentence; empty without one."""
        if self.disputed and self.coming_at:
            return gettext("The result is disputed. The director is coming.")
        if self.disputed:
            return gettext("The result is disputed. The director has been told.")
        if self.called_at and self.coming_at:
            return gettext("The director is coming.")
        return gettext("The director has been told.") if self.called_at else ""

    @property
    def dispute_reason_text(self) -> str:
        """Return why the result is disputed, in the active language if it was picked; may be empty."""
        return gettext(self.dispute_reason) if self.dispute_reason else ""

    @property
    def result_state(self) -> ResultState:
        """Return how certain the result of the match is, once it counts.

        A closed round confirms no result. No queries if the table was fetched `with_places_and_entries` or
        `with_places`.
        """
        if self.disputed and not self.void:
            return ResultState.DISPUTED
        if self.match is None or self.void:
            return ResultState.FINAL
        unfinished = self.round.tournament.unfinished
        counts_unfinished = unfinished != Tournament.UnfinishedTableRule.VOID
        has_ended = self.match.as_it_stands and self.match.hands_played > 0
        if not (self.match.finished or (has_ended and counts_unfinished)):
            return ResultState.FINAL
        confirmed = [seat.confirmed_at is not None for seat in self.match.seats.all()]
        is_final = is_confirmed(confirmed, self.round.tournament.quorum)
        return ResultState.FINAL if is_final else ResultState.UNCONFIRMED

    @property
    def result_state_or_open(self) -> str:
        """Return `open` while the table is playing, then how certain its result is."""
        has_counting_result = self.match is not None and self.match.has_counting_result
        has_ended = has_counting_result or self.round.state == Round.State.CLOSED
        if has_ended or self.void or self.disputed:
            return str(self.result_state)
        return "open"

    @property
    def players_dispute_advice(self) -> str:
        """Return what the players of a disputed table can do; empty for any other."""
        if not self.disputed:
            return ""
        return gettext(
            "Check the hands together and correct any mistakes. The director will "
            "settle the result."
        )

    def places_with_totals(self) -> list[tuple["Place", int | None]]:
        """Return the seats with their points, which are None before a match.

        No queries if the table was fetched `with_places_and_entries`.
        """
        seats = self.match.seats.all() if self.match is not None else ()
        totals = {seat.index: seat.total for seat in seats}
        return [
            (place, totals.get(place.index, place.score)) for place in self.places.all()
        ]

    @property
    def ends_at(self) -> datetime | None:
        """Return when the time is up: the end of the round plus the table's extra minutes."""
        if self.round.ends_at is None:
            return None
        return self.round.ends_at + timedelta(minutes=self.extra_minutes)


class UnpublishedSeat(NamedTuple):
    round_number: int
    table_number: int
    seat_index: int
    entry_id: int


class PlaceQuerySet(models.QuerySet["Place"]):
    def unpublished_seats(self) -> "list[UnpublishedSeat]":
        """Return the seats in rounds that are drawn and not yet published, in order."""
        drawn_places = self.filter(round__state=Round.State.DRAWN)
        place = ("round__number", "table__number", "index")
        rows = drawn_places.order_by(*place).values_list(*place, "entry")
        return [UnpublishedSeat(*row) for row in rows]

    def all_player_names_by_entry(self) -> dict[int, str]:
        """Return the names of the players of each entry; one query, two if a player was replaced.

        As in `Klaus, Zoe (round 3)`: the first player without rounds, all others with their rounds,
        or `(Final)`. Tables that are void or not begun are left out. A player that took over the entry
        after its last table is named until the tournament is finished.
        """
        is_sitters_seat = models.Q(table__match__seats__index=models.F("index"))
        rows = (
            self.filter(is_sitters_seat, table__void=False)
            .order_by("round__number", "table__number")
            .values_list(
                "entry",
                "entry__player",
                "entry__name",
                "entry__tournament__phase",
                "round",
                "table__match__seats__player",
                "table__match__seats__name",
            )
        )
        names: dict[int, dict[int, str]] = {}
        rounds: dict[tuple[int, int], list[int]] = {}
        current_players: dict[int, tuple[int, str]] = {}
        for entry, player, name, phase, round_, sitter, sitter_name in rows:
            names.setdefault(entry, {})[sitter] = (
                name if sitter == player else sitter_name
            )
            rounds.setdefault((entry, sitter), []).append(round_)
            if phase != Tournament.Phase.FINISHED:
                current_players[entry] = player, name
        for entry, (player, name) in current_players.items():
            names[entry].setdefault(player, name)
        later_round_ids = {
            pk
            for (entry, sitter), pks in rounds.items()
            if sitter != next(iter(names[entry]))
            for pk in pks
        }
        by_key = (
            Round.objects.filter(pk__in=later_round_ids)
            .select_related("tournament")
            .order_by("number")
            .in_bulk()
        )
        label_by_entry: dict[int, str] = {}
        for entry, sitters in names.items():
            (_first, name), *later_sitters = sitters.items()
            labels = [name]
            for sitter, name in later_sitters:
                pks = rounds.get((entry, sitter), ())
                rounds_label = join_round_names(
                    round_ for pk, round_ in by_key.items() if pk in pks
                )
                labels.append(f"{name} ({rounds_label})" if rounds_label else name)
            label_by_entry[entry] = ", ".join(labels)
        return label_by_entry


class Place(models.Model):
    """A seat at a table, and the entry that was drawn for it."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="places")
    table = models.ForeignKey(Table, models.CASCADE, related_name="places")
    index = models.PositiveSmallIntegerField(_("index"))
    """Counted from 0 clockwise; seat 0 begins."""
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="places")
    score = models.BigIntegerField(_("score"), null=True, blank=True)
    """In past results, which have no match; otherwise the seat of the match has it."""
    again = models.BooleanField(_("may also play at other tables"), default=False)
    """Set in a league: its one long round holds many matches of a player."""
    late = models.BooleanField(_("running late"), default=False)
    """Reported by the player while the seats were shown; the table sees it, and waits."""

    objects = PlaceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="place_once"),
            models.UniqueConstraint(
                fields=["round", "entry"],
                name="seated_once",
                condition=models.Q(again=False),
            ),
        ]

    def __str__(self) -> str:
        return str(self.entry)

    @property
    def match_seat(self) -> Seat | None:
        """Return this seat in the match; None before there is a match.

        No queries if the table was fetched `with_places_and_entries`.
        """
        seats = self.table.match.seats.all() if self.table.match else ()
        return next((seat for seat in seats if seat.index == self.index), None)

    @property
    def name(self) -> str:
        """Return the name of the player in the match, as the entry may have changed hands since."""
        sitting = self.match_seat
        return self.entry.name if sitting is None else sitting.name

    @property
    def confirmed_at(self) -> datetime | None:
        """Return when the player confirmed the result, as the log has it; None if not."""
        sitting = self.match_seat
        return None if sitting is None else sitting.confirmed_at

    @property
    def confirmed_by(self) -> str:
        """Return how the player confirmed; empty if nobody confirmed."""
        sitting = self.match_seat
        return sitting.confirmed_by if sitting else ""


class Bye(models.Model):
    """A round in which a player has no table."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="byes")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="bye_once")
        ]

    def __str__(self) -> str:
        return str(self.entry)

    @property
    def kind(self) -> ByeKind:
        """Return whether the player asked to sit out; needs the round and the entry."""
        is_requested = self.round.number in self.entry.bye_rounds
        return "requested" if is_requested else "drawn"
