"""Rounds, their tables, and who sits where."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.competition import ResultState
from scoring.models import LogEntry, Match, Seat
from tournaments.models.entries import Entry
from tournaments.models.people import User
from tournaments.models.round_names import round_list, round_name
from tournaments.models.tournaments import Tournament
from tournaments.models.validators import (
    MOST_ROUNDS,
    check_entries,
    check_game,
    check_quality,
)


class Round(models.Model):
    """One round: drawn, played, closed."""

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
    """0 for the rounds that all play; each cut, and each knockout round, is one more."""
    game = models.CharField(
        _("game"), max_length=20, blank=True, validators=[check_game]
    )
    """What this round plays; empty for what the tournament says."""
    seed = models.PositiveIntegerField(_("seed"))
    """With it the same draw can be made again."""
    quality = models.JSONField(
        _("quality of the draw"),
        default=dict,
        blank=True,
        validators=[check_quality],
    )
    """Repeats, their proven minimum, and who meets again, as the draw left it."""
    present = models.JSONField(
        _("here when it was drawn"),
        default=list,
        blank=True,
        validators=[check_entries],
    )
    """Primary keys of entries, of rounds of a later stage; empty where it is not known."""
    ends_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    paused_at = models.DateTimeField(_("paused at"), null=True, blank=True)
    last_hand_at = models.DateTimeField(_("last hand called at"), null=True, blank=True)
    override = models.CharField(_("closed early because"), max_length=200, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="round_number_once"
            )
        ]

    def __str__(self) -> str:
        return round_name(self)

    def candidates(self) -> set[int]:
        """Return the entries that could have been drawn: of players who sit there or were here.

        Who left later was here. Where that is not known, whoever is here now counts.
        """
        seated = self.places.values_list("entry_id", flat=True)
        here = self.tournament.entries.playing().values_list("pk", flat=True)
        return {*seated, *(self.present or here)}

    @property
    def playoff_tables(self) -> int | None:
        """Return how many tables a round has from which people go on; None for any other."""
        return self.tables.count() if self.plays_off else None

    @property
    def plays_off(self) -> bool:
        """Tell whether only some go on from it."""
        knockout = self.tournament.format == Tournament.Format.KNOCKOUT
        return knockout or self.stage > 0

    @property
    def snapshot_name(self) -> str:
        """Return the name under which the standings are stored when it is closed."""
        if self.playoff_tables == 1:
            return "after the final"
        return f"after round {self.number}"

    def and_later(self) -> models.QuerySet["Round"]:
        """Return this round and those that come after it."""
        return Round.objects.filter(
            tournament=self.tournament_id, number__gte=self.number
        )


SHOWN = (Round.State.PUBLISHED, Round.State.RUNNING, Round.State.CLOSED)
"""States in which everybody may see who sits where."""


def last_entries_by_match(round_: Round) -> dict[int, datetime]:
    """Return by match when something was last entered there, in one query.

    A change of seats is none: a table may be seated again before it begins.
    """
    entries = LogEntry.objects.filter(match__table__round=round_).exclude(
        kind=LogEntry.Kind.RESEAT
    )
    latest = entries.order_by().values("match").annotate(last=models.Max("made_at"))
    return dict(latest.values_list("match", "last"))


def is_confirmed(confirmed: Sequence[bool], quorum: str) -> bool:
    """Return whether as many of a table have confirmed as the tournament asks."""
    return sum(confirmed) >= required_confirmations(len(confirmed), quorum)


def required_confirmations(seats: int, quorum: str) -> int:
    """Return how many of so many at a table are to confirm."""
    return {"none": 0, "one": 1, "all": seats}[quorum]


CHANGES = (
    LogEntry.Kind.ENTER,
    LogEntry.Kind.REPLACE,
    LogEntry.Kind.VOID,
    LogEntry.Kind.RESTORE,
    LogEntry.Kind.RESEAT,
)
"""Entries after which a result can be another."""


STOPPED = models.Q(match__finished=False, match__as_it_stands=True)
"""Tables whose match was cut off when their round was closed."""


class TableQuerySet(models.QuerySet["Table"]):
    def unfinished(self) -> Self:
        """Keep tables that are not over, or that want the director."""
        return self.filter(void=False).filter(
            models.Q(match=None)
            | models.Q(match__finished=False)
            | models.Q(disputed=True)
            | models.Q(called_at__isnull=False)
        )

    def counting(self) -> Self:
        """Keep those whose log standings depend on: finished, or in a closed round."""
        closed = models.Q(round__state=Round.State.CLOSED)
        return self.filter(closed | models.Q(match__finished=True))

    def stopped(self) -> Self:
        """Keep those that closing their round has cut off, with their match and seats."""
        stopped = self.filter(STOPPED, void=False)
        return stopped.select_related("match").prefetch_related("match__seats")

    def changed_since_closed(self) -> Self:
        """Keep those with another hand or seat than when the desk had seen it last."""
        since = LogEntry.objects.filter(
            match=models.OuterRef("match"),
            version__gt=models.OuterRef("seen_version"),
            kind__in=CHANGES,
        )
        unseen = self.filter(void=False, match__version__gt=models.F("seen_version"))
        return unseen.filter(models.Exists(since))

    def unconfirmed(self, quorum: str) -> Self:
        """Keep those that are over to whose result fewer have agreed than a quorum asks.

        Those that stopped with their round count as they stand, unless they are void then.
        """
        agreed = models.Count("match__seats__confirmed_at")
        wanted = {
            "none": models.Value(0),
            "one": models.Value(1),
            "all": models.Count("match__seats"),
        }[quorum]
        voids = models.Q(round__tournament__unfinished=Tournament.Unfinished.VOID)
        has_stopped = STOPPED & models.Q(match__hands_played__gt=0) & ~voids
        is_over = models.Q(match__finished=True) | has_stopped
        counted = self.filter(is_over, void=False).annotate(agreed=agreed)
        return counted.alias(wanted=wanted).filter(agreed__lt=models.F("wanted"))

    def without_final_result(self, quorum: str) -> Self:
        """Keep those whose result can still change, of closed rounds, too."""
        unconfirmed = Table.objects.unconfirmed(quorum).values("pk")
        return self.filter(void=False).filter(
            models.Q(match=None)
            | models.Q(match__finished=False)
            | models.Q(pk__in=unconfirmed)
            | models.Q(disputed=True)
        )

    def see(self) -> None:
        """Store that somebody at the desk has seen their matches as they are now."""
        version = Match.objects.filter(table=models.OuterRef("pk")).values("version")
        self.update(seen_version=models.Subquery(version), withdrawn_at=None)

    def matches(self) -> models.QuerySet[Match]:
        begun = self.filter(match__isnull=False).order_by()
        return Match.objects.filter(pk__in=begun.values("match"))

    def with_people(self) -> Self:
        """Fetch who sits there and the match, in a constant number of queries."""
        return self._with_places(Place.objects.select_related("entry"))

    def with_seats(self) -> Self:
        """Fetch the same without the entries, which the caller has read."""
        return self._with_places(Place.objects.all())

    def _with_places(self, places: "models.QuerySet[Place]") -> Self:
        return self.select_related("match", "voided_by").prefetch_related(
            models.Prefetch("places", places.order_by("index")), "match__seats"
        )


class Table(models.Model):
    """One table of a round, with the match that is played there."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField(_("number"))
    game = models.CharField(
        _("game"), max_length=20, blank=True, validators=[check_game]
    )
    """What the table chose, where tables choose."""
    match = models.OneToOneField(
        Match, models.PROTECT, null=True, blank=True, related_name="table"
    )
    void = models.BooleanField(_("void"), default=False)
    """A void table counts as if it had never been played."""
    voided_by = models.ForeignKey(
        User, models.SET_NULL, verbose_name=_("made void by"), null=True, blank=True
    )
    disputed = models.BooleanField(_("disputed"), default=False)
    called_at = models.DateTimeField(_("director called at"), null=True, blank=True)
    coming_at = models.DateTimeField(_("director coming since"), null=True, blank=True)
    """When a director answered the call; null while nobody did."""
    disputed_by = models.ForeignKey(
        User,
        models.SET_NULL,
        verbose_name=_("disputed by"),
        null=True,
        blank=True,
        related_name="+",
    )
    """The account that disputed by the API; null for phones, and for more than one."""
    withdrawn_at = models.DateTimeField(
        _("dispute withdrawn at"), null=True, blank=True
    )
    """Null without a withdrawn dispute, and once the desk has seen it."""
    seen_version = models.PositiveIntegerField(
        _("version that the director saw"), null=True, blank=True
    )
    """How much of its match was on record when its round was closed, or when somebody at
    the desk looked at what changed since; null before."""
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
    def call_sentence(self) -> str:
        """Return whether the director knows of a dispute or a call; empty without one."""
        if self.disputed and self.coming_at:
            return gettext("The result is disputed. The director is coming.")
        if self.disputed:
            return gettext("The result is disputed. The director has been told.")
        if self.called_at and self.coming_at:
            return gettext("The director is coming.")
        return gettext("The director has been told.") if self.called_at else ""

    @property
    def result_state(self) -> ResultState:
        """Return how certain the result of its match is, once that counts.

        A closed round confirms no result. Asks nothing of a table that came `with_people` or
        `with_seats`.
        """
        if self.disputed and not self.void:
            return ResultState.DISPUTED
        if self.match is None or self.void:
            return ResultState.FINAL
        unfinished = self.round.tournament.unfinished
        counts_unfinished = unfinished != Tournament.Unfinished.VOID
        has_ended = self.match.as_it_stands and self.match.hands_played > 0
        if not (self.match.finished or (has_ended and counts_unfinished)):
            return ResultState.FINAL
        confirmed = [seat.confirmed_at is not None for seat in self.match.seats.all()]
        is_final = is_confirmed(confirmed, self.round.tournament.quorum)
        return ResultState.FINAL if is_final else ResultState.UNCONFIRMED

    @property
    def result(self) -> str:
        """Return `open` while the table is played, then how certain its result is."""
        is_settled = self.match is not None and self.match.is_settled
        is_over = is_settled or self.round.state == Round.State.CLOSED
        if is_over or self.void or self.disputed:
            return str(self.result_state)
        return "open"

    @property
    def dispute_advice(self) -> str:
        """Return what the players of a disputed table can do; empty for any other."""
        if not self.disputed:
            return ""
        return gettext(
            "Check the hands together and correct a wrong one. The director settles the result."
        )

    def totals(self) -> list[tuple["Place", int | None]]:
        """Return who sits here, with the points of their seat; None before a match.

        Asks nothing where the table came `with_people`.
        """
        seats = self.match.seats.all() if self.match is not None else ()
        totals = {seat.index: seat.total for seat in seats}
        return [
            (place, totals.get(place.index, place.score)) for place in self.places.all()
        ]

    @property
    def ends_at(self) -> datetime | None:
        """Return when its time is over: the round's, and what it has of its own."""
        if self.round.ends_at is None:
            return None
        return self.round.ends_at + timedelta(minutes=self.extra_minutes)


class PlaceQuerySet(models.QuerySet["Place"]):
    def drawn_seats(self) -> list[tuple[int, int, int, int]]:
        """Return who sits where in rounds that are drawn and not yet published.

        Each by the numbers of the round and the table, its index there, and the entry.
        """
        drawn = self.filter(round__state=Round.State.DRAWN)
        place = ("round__number", "table__number", "index")
        return list(drawn.order_by(*place).values_list(*place, "entry"))

    def names_by_entry(self) -> dict[int, str]:
        """Return who played for an entry; one query, two where somebody was replaced.

        As in `Klaus, Zoe (round 3)`: whoever sat first stands alone, everybody else
        with their rounds, or `(Final)`. Tables that are void or not begun name nobody, nor is who
        came after the last of them named once the tournament is over.
        """
        sat = models.Q(table__match__seats__index=models.F("index"))
        rows = (
            self.filter(sat, table__void=False)
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
        coming: dict[int, tuple[int, str]] = {}
        for entry, player, name, phase, round_, sitter, sitter_name in rows:
            names.setdefault(entry, {})[sitter] = (
                name if sitter == player else sitter_name
            )
            rounds.setdefault((entry, sitter), []).append(round_)
            if phase != Tournament.Phase.FINISHED:
                coming[entry] = player, name
        for entry, (player, name) in coming.items():
            names[entry].setdefault(player, name)
        later = {
            pk
            for (entry, sitter), pks in rounds.items()
            if sitter != next(iter(names[entry]))
            for pk in pks
        }
        by_key = (
            Round.objects.filter(pk__in=later)
            .select_related("tournament")
            .order_by("number")
            .in_bulk()
        )
        listed: dict[int, str] = {}
        for entry, sitters in names.items():
            (_first, name), *others = sitters.items()
            called = [name]
            for sitter, name in others:
                pks = rounds.get((entry, sitter), ())
                words = round_list(round_ for pk, round_ in by_key.items() if pk in pks)
                called.append(f"{name} ({words})" if words else name)
            listed[entry] = ", ".join(called)
        return listed


class Place(models.Model):
    """A seat at a table, and who was drawn to it."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="places")
    table = models.ForeignKey(Table, models.CASCADE, related_name="places")
    index = models.PositiveSmallIntegerField(_("index"))
    """Counted from 0 clockwise; seat 0 begins."""
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="places")
    score = models.BigIntegerField(_("score"), null=True, blank=True)
    """In past results, which have no match; elsewhere the seat of the match has it."""
    again = models.BooleanField(_("may sit elsewhere too"), default=False)
    """In a league, whose one long round holds many matches of a player."""
    late = models.BooleanField(_("comes late"), default=False)
    """Who sits here said so while the seats were shown; the table knows, and waits."""

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
    def sitting(self) -> Seat | None:
        """Return who sits here in the match; None before there is one.

        Asks nothing where the table came `with_people`.
        """
        seats = self.table.match.seats.all() if self.table.match else ()
        return next((seat for seat in seats if seat.index == self.index), None)

    @property
    def name(self) -> str:
        """Return who sits here: an entry that somebody took over was another's before."""
        sitting = self.sitting
        return self.entry.name if sitting is None else sitting.name

    @property
    def confirmed_at(self) -> datetime | None:
        """Return since when its player has confirmed the result, as the log has it."""
        sitting = self.sitting
        return None if sitting is None else sitting.confirmed_at

    @property
    def confirmed_by(self) -> str:
        """Return by which way its player has agreed; empty where that was not asked."""
        sitting = self.sitting
        return sitting.confirmed_by if sitting else ""


class Bye(models.Model):
    round = models.ForeignKey(Round, models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="byes")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="bye_once")
        ]

    def __str__(self) -> str:
        return str(self.entry)
