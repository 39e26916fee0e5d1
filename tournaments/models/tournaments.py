"""Tournaments: what is played, how it is counted, and how far it is."""

import secrets
from datetime import date, datetime, timedelta, tzinfo
from typing import Self

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import ExtractDay, ExtractMonth, TruncDate
from django.db.models.lookups import Exact, GreaterThanOrEqual, LessThanOrEqual
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import ADDRESS_LENGTH, new_address
from tournaments.models.clubs import Club, Role
from tournaments.models.validators import (
    AVERAGE,
    MOST_ROUNDS,
    check_address,
    check_bye,
    check_code,
    check_game,
    check_games,
    check_options,
    check_pending_names,
    check_points,
    check_tie_breaks,
)
from tournaments.standings import DEFAULT_TIE_BREAKS

CODE_LETTERS = "23456789abcdefghjkmnpqrtvwxy"
"""28 letters and digits, none of which is mistaken for another."""
CODE_LENGTH = 8
CODE_HOLDS = timedelta(days=1)
"""How long after its tournament a code can still be typed."""
NIGHT, EVE = timedelta(hours=36), timedelta(hours=1)
"""After and before its start in which a tournament does anything by itself."""
CHECK_IN = timedelta(hours=3)
"""How long before it begins people can say that they are here."""
SIZES = [MinValueValidator(2), MaxValueValidator(8)]
"""Of tables: that of the smallest game, and of the largest."""


def new_code() -> str:
    """Return a code by which players find a tournament; 38 bits, so wrong ones count."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))


def starts_in_range(first: date, last: date, zone: tzinfo) -> Q:
    """Return what a tournament fulfils that begins on one of these days by the clocks of a zone."""
    day = TruncDate("starts_at", tzinfo=zone)
    return Q(GreaterThanOrEqual(day, first), LessThanOrEqual(day, last))


def starts_on_calendar(month: int, day: int | None, zone: tzinfo) -> Q:
    """Return what a tournament fulfils that begins in this month of any year, or on this day of it."""
    begins = Q(Exact(ExtractMonth("starts_at", tzinfo=zone), month))
    if day is not None:
        begins &= Q(Exact(ExtractDay("starts_at", tzinfo=zone), day))
    return begins


def usual_tie_breaks() -> list[str]:
    return list(DEFAULT_TIE_BREAKS)


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def lock(self, **of: int) -> "Tournament":
        """Return one that nobody else changes until the transaction is over.

        Whoever wants several things locks the matches first, then the tournament, then its
        rounds, tables and entries: whoever draws or counts holds it, and refers to these.
        """
        return self.select_for_update(of=["self"]).get(**of)

    def clubs(self) -> models.QuerySet[Club]:
        """Return the clubs that go on and have one of these for everybody to find."""
        listed = self.filter(listing=Tournament.Listing.LISTED)
        return Club.objects.filter(archived_at=None, pk__in=listed.values("club"))

    def by_typed_code(self, code: str, now: datetime) -> "Tournament | None":
        """Return the tournament of a code that somebody typed; None once it is over.

        Its address stays for good: who has the link needs no code, and nothing but the
        form, which counts wrong ones, ever asks here.
        """
        over = Q(finished_at__lt=now - CODE_HOLDS, phase=Tournament.Phase.FINISHED)
        draft = Q(listing=Tournament.Listing.DRAFT)
        return self.exclude(over | draft).filter(code=code).first()

    def visible_to(self, role: Role | None) -> Self:
        """Keep those that a list shows to somebody with a role, None for a stranger."""
        shown = {Tournament.Listing.LISTED}
        if role is not None:
            shown |= {Tournament.Listing.DRAFT, Tournament.Listing.UNLISTED}
        return self.filter(listing__in=shown)

    def with_public_name(self, role: Role | None) -> Self:
        """Keep those whose names somebody with a role may read, None for a stranger.

        What is finished stands in the club's history, whoever finds it.
        """
        hidden = Q(listing=Tournament.Listing.DRAFT) | Q(
            ~Q(phase=Tournament.Phase.FINISHED), listing=Tournament.Listing.UNLISTED
        )
        return self.exclude(hidden) if role is None else self

    def running_by_themselves(self, now: datetime) -> Self:
        """Keep those of tonight that announce and do what comes next by themselves."""
        tonight = self.filter(starts_at__gt=now - NIGHT, starts_at__lt=now + EVE)
        return tonight.exclude(autopilot=Tournament.Autopilot.OFF).exclude(
            phase=Tournament.Phase.FINISHED
        )

    def upcoming(self, user: AbstractBaseUser) -> Self:
        """Keep those to come and running in which an account has a part, the next first.

        It plays there by a claim that holds, or its club has given it a role.
        """
        own_claims = Q(
            entries__player__claims__user=user,
            entries__player__claims__club=F("club"),
            entries__player__claims__confirmed_at__isnull=False,
            entries__player__claims__withdrawn_at=None,
        )
        helps = Q(club__memberships__user=user)
        seen = helps | (own_claims & ~Q(listing=Tournament.Listing.DRAFT))
        part = self.filter(seen).exclude(phase=Tournament.Phase.FINISHED).order_by()
        return self.filter(pk__in=part.values("pk")).order_by("starts_at", "pk")

    def finished(self) -> Self:
        return self.filter(phase=Tournament.Phase.FINISHED)

    def uncounted(self) -> Self:
        """Keep those that the history does not hold as they are now."""
        over = Q(phase=Tournament.Phase.FINISHED)
        held = Q(counted_version=F("version"))
        return self.filter((over & ~held) | (~over & Q(counted_version__gte=0)))


class Tournament(models.Model):
    """An event of one club: entries, rounds, one table of standings."""

    class Format(models.TextChoices):
        PLANNED = "planned", _("planned night: everyone meets as many as possible")
        SWISS = "swiss", _("Swiss: tables of similar score")
        ROUND_ROBIN = "round_robin", _("round robin: everyone meets everyone")
        HEATS = "heats", _("heats: rounds for whoever is there, then a final")
        KNOCKOUT = "knockout", _("knockout: the best of each table go on")
        LEAGUE = "league", _("league: any match between members counts")
        PAST = "past", _("past: results that were brought in from elsewhere")

    class GameChoice(models.TextChoices):
        TOURNAMENT = "tournament", _("one game for all")
        ROUND = "round", _("each round has its own")
        TABLE = "table", _("each table chooses")

    class Phase(models.TextChoices):
        OPEN = "open", _("registration")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    class Listing(models.TextChoices):
        DRAFT = "draft", _("a draft: the club's people alone see it")
        LISTED = "listed", _("everybody finds it on the club's page")
        UNLISTED = "unlisted", _("only who has the link or the code finds it")
        ARCHIVED = "archived", _("in the archive: out of the way, and its results stay")

    class Registration(models.TextChoices):
        EARLY = "early", _("not open yet")
        OPEN = "open", _("open")
        FULL = "full", _("all places are taken")
        CLOSED = "closed", _("closed")

    class Unfinished(models.TextChoices):
        """What a table counts that did not finish in time."""

        AS_IT_STANDS = "as_it_stands", _("counts as it stands")
        DEDUCT = "deduct", _("counts as it stands, with a deduction for everyone")
        VOID = "void", _("does not count")

    class Visibility(models.TextChoices):
        LIVE = "live", _("at any time")
        CLOSED = "closed", _("after each round")
        FINISHED = "finished", _("when the tournament is finished")

    class Screen(models.TextChoices):
        TURNS = "turns", _("everything in turn")
        SEATS = "seats", _("who sits where")
        STANDINGS = "standings", _("the standings")
        CLOCK = "clock", _("the clock")
        JOIN = "join", _("the code to join")

    class Quorum(models.TextChoices):
        """Who has to confirm a table's result."""

        NONE = "none", _("nobody")
        ONE = "one", _("one player, also who wrote")
        ALL = "all", _("every player")

    class Writing(models.TextChoices):
        """Who may write at a table, besides directors."""

        CARD = "card", _("whoever scans the table's card, and those who sit there")
        OWN_PHONES = "own", _("those who sit there, each from their own page")
        OPEN = "open", _("whoever has the link")

    class Autopilot(models.TextChoices):
        """What the tournament does by itself."""

        OFF = "off", _("nothing: a director does every step")
        HELP = "help", _("calls the last hand and closes rounds that are agreed")
        RUN = "run", _("seats, starts, closes and finishes; people settle disputes")

    club = models.ForeignKey(Club, models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=80)
    address = models.CharField(
        _("address"),
        max_length=ADDRESS_LENGTH,
        unique=True,
        default=new_address,
        validators=[check_address],
    )
    """Where it is found, by links and QR codes: 128 bits, which nobody guesses."""
    code = models.CharField(
        _("code"),
        max_length=CODE_LENGTH,
        unique=True,
        default=new_code,
        validators=[check_code],
    )
    """What is typed where no QR code can be scanned; it stands in no address."""
    starts_at = models.DateTimeField(_("starts at"))
    listing = models.CharField(
        _("who finds it"),
        max_length=10,
        choices=Listing.choices,
        default=Listing.LISTED,
    )
    venue = models.CharField(_("place"), max_length=120, blank=True)
    fee = models.CharField(_("fee, if any"), max_length=40, blank=True)
    invitation = models.CharField(
        _("a sentence for the invitation"), max_length=200, blank=True
    )
    registration_opens_at = models.DateTimeField(
        _("registration opens at"), null=True, blank=True
    )
    """Null for from the beginning."""
    registration_closes_at = models.DateTimeField(
        _("registration closes at"), null=True, blank=True
    )
    """Null for when the first round begins, or a league ends."""
    phase = models.CharField(
        _("phase"), max_length=10, choices=Phase.choices, default=Phase.OPEN
    )

    format = models.CharField(
        _("format"), max_length=15, choices=Format.choices, default=Format.PLANNED
    )
    game = models.CharField(_("game"), max_length=20, validators=[check_game])
    game_choice = models.CharField(
        _("which game"),
        max_length=10,
        choices=GameChoice.choices,
        default=GameChoice.TOURNAMENT,
    )
    games = models.JSONField(
        _("games to choose from"), default=list, blank=True, validators=[check_games]
    )
    """In their order: rounds take turns with them, tables choose one of them."""
    options = models.JSONField(
        _("options of the game"), default=dict, blank=True, validators=[check_options]
    )
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds"), default=4, validators=MOST_ROUNDS
    )
    table_size = models.PositiveSmallIntegerField(
        _("players at a table"), default=4, validators=SIZES
    )
    least_size = models.PositiveSmallIntegerField(
        _("at least"), default=3, validators=SIZES
    )
    most_size = models.PositiveSmallIntegerField(
        _("at most"), default=5, validators=SIZES
    )
    advance = models.PositiveSmallIntegerField(_("go on from each table"), default=2)
    """In a knockout, and in finals of more than one table."""
    final_size = models.PositiveSmallIntegerField(
        _("players in the final, 0 for none"), default=0
    )
    best_tables = models.PositiveSmallIntegerField(
        _("best tables that count, 0 for all"), default=0
    )
    capacity = models.PositiveSmallIntegerField(
        _("places, 0 for as many as come"), default=0
    )
    """Who registers beyond them is put on the waiting list."""
    minutes = models.PositiveSmallIntegerField(_("minutes a round"), default=45)
    strictness = models.PositiveSmallIntegerField(_("Swiss strictness"), default=4)
    seed = models.PositiveIntegerField(_("seed"), default=1)

    points = models.JSONField(
        _("points"), default=str, blank=True, validators=[check_points]
    )
    """`"linear"` and the like, or `{"places": …}`, as a tournament document has it."""
    tie_breaks = models.JSONField(
        _("tie-breaks"),
        default=usual_tie_breaks,
        blank=True,
        validators=[check_tie_breaks],
    )
    bye = models.CharField(
        _("a bye counts"), max_length=20, default=AVERAGE, validators=[check_bye]
    )
    unfinished = models.CharField(
        _("an unfinished table"),
        max_length=15,
        choices=Unfinished.choices,
        default=Unfinished.AS_IT_STANDS,
    )
    deduction = models.PositiveSmallIntegerField(_("deduction"), default=1)
    """In tournament points, as a penalty is."""
    quorum = models.CharField(
        _("a result is agreed by"),
        max_length=5,
        choices=Quorum.choices,
        default=Quorum.ONE,
    )

    writing = models.CharField(
        _("scores are written by"),
        max_length=5,
        choices=Writing.choices,
        default=Writing.CARD,
    )
    autopilot = models.CharField(
        _("by itself it"),
        max_length=4,
        choices=Autopilot.choices,
        default=Autopilot.OFF,
    )
    grace = models.PositiveSmallIntegerField(
        _("minutes after the clock in which tables may finish"), default=10
    )
    """Where it runs by itself."""
    counts_late = models.BooleanField(
        _("a table that is still not done then counts as it stands"), default=False
    )
    standings_shown = models.CharField(
        _("standings are public"),
        max_length=10,
        choices=Visibility.choices,
        default=Visibility.LIVE,
    )
    screen = models.CharField(
        _("the projector shows"),
        max_length=10,
        choices=Screen.choices,
        default=Screen.TURNS,
    )

    brought_in_by = models.ForeignKey(
        "tournaments.Import",
        verbose_name=_("brought in by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tournaments",
    )
    version = models.PositiveIntegerField(_("version"), default=0)
    """Counts everything that can change the standings."""
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    """When it was finished last; it counts in the history from then on."""
    counted_version = models.PositiveIntegerField(
        _("version in the history"), null=True, blank=True
    )
    """The version that the club's history holds; null where it holds none."""
    asked_at = models.DateTimeField(_("standings asked for at"), null=True, blank=True)
    """When the computation that is still to begin was asked for last."""
    waiting_since = models.DateTimeField(
        _("standings waited for since"), null=True, blank=True
    )
    """When it was asked for first; each minute without a worker it is asked for again."""
    pending_names = models.JSONField(
        _("pending names"),
        default=dict,
        blank=True,
        validators=[check_pending_names],
    )
    """Names of pasted lists that wait for an answer, and whether each checks in."""
    taken_back = models.JSONField(_("draws taken back"), default=list, blank=True)
    """The rounds whose draw was taken back last, so that they can be put back as they
    were (`tournaments.event.withdrawn_draws`); empty once something else is drawn."""

    objects = TournamentQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["club", "-starts_at"])]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(least_size__lte=models.F("table_size"))
                & models.Q(table_size__lte=models.F("most_size")),
                name="table_sizes_in_order",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:tournament", args=[self.address])

    @property
    def shows_all(self) -> bool:
        over = self.phase == self.Phase.FINISHED
        return over or self.standings_shown == self.Visibility.LIVE

    def registration(self, now: datetime, coming: int) -> Registration:
        """Return whether people may enter by themselves, where so many come already."""
        opens, closes = self.registration_opens_at, self.registration_closes_at
        if not self.allows_registration or (closes is not None and closes <= now):
            return self.Registration.CLOSED
        if self.club.archived_at is not None:
            return self.Registration.CLOSED
        if opens is not None and now < opens:
            return self.Registration.EARLY
        if 0 < self.capacity <= coming:
            return self.Registration.FULL
        return self.Registration.OPEN

    @property
    def allows_registration(self) -> bool:
        """Tell whether registration can be open: before the first round, in a league until its end."""
        if self.is_running_league:
            return not any(round_.state == "closed" for round_ in self.rounds.all())
        return self.phase == self.Phase.OPEN

    @property
    def planned_end(self) -> datetime:
        return self.starts_at + timedelta(minutes=self.rounds_planned * self.minutes)

    def is_check_in_open(self, now: datetime) -> bool:
        """Tell whether people say by themselves that they are here: shortly before it begins."""
        return self.phase == self.Phase.OPEN and now >= self.starts_at - CHECK_IN

    @property
    def day(self) -> date:
        """Return the day on which it begins where its club is; what ends after midnight belongs to it."""
        return self.club.local_day(self.starts_at)

    @property
    def held_on(self) -> date:
        """Return the day on which it counts: that on which it began, a league that of its end."""
        if self.is_league and self.finished_at is not None:
            return self.club.local_day(self.finished_at)
        return self.day

    @property
    def one_by_one(self) -> bool:
        """Tell whether each round is drawn from the results of those before."""
        return self.format in (self.Format.SWISS, self.Format.KNOCKOUT)

    @property
    def is_league(self) -> bool:
        """Tell whether matches are begun by players, whenever they meet."""
        return self.format == self.Format.LEAGUE

    @property
    def is_running_league(self) -> bool:
        """Tell whether a league has had its first match and is not finished."""
        return self.is_league and self.phase == self.Phase.RUNNING

    def game_of_round(self, number: int) -> str:
        """Return what is played in a round unless it is told otherwise."""
        if self.game_choice != self.GameChoice.ROUND or not self.games:
            return self.game
        chosen: str = self.games[(number - 1) % len(self.games)]
        return chosen
