"""Tournaments: their settings, progress and announcements."""

import secrets
from datetime import date, datetime, timedelta, tzinfo
from typing import Self

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import ExtractDay, ExtractMonth, TruncDate
from django.db.models.lookups import Exact, GreaterThanOrEqual, LessThanOrEqual
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import ADDRESS_LENGTH, new_address
from scoring.rules import get_game
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
"""28 letters and digits, none of which looks like another."""
CODE_LENGTH = 8
CODE_HOLDS = timedelta(days=1)
"""How long a code still works after its tournament has finished."""
NIGHT, EVE = timedelta(hours=36), timedelta(hours=1)
"""How long after and before its start a tournament does anything automatically."""
CHECK_IN = timedelta(hours=3)
"""How long before the start players can check in."""
SIZES = [MinValueValidator(2), MaxValueValidator(8)]
"""Table sizes: from that of the smallest game to that of the largest."""

TEAM_SIZES = [(0, _("no teams")), (2, _("2 (fixed partners)")), (3, "3"), (4, "4")]
"""Sizes of teams with their labels."""


def new_code() -> str:
    """Return a code with which players find a tournament: 38 bits, so wrong ones are counted."""
    return "".join(secrets.choice(CODE_LETTERS) for _letter in range(CODE_LENGTH))


def starts_in_range(first: date, last: date, zone: tzinfo) -> Q:
    """Return the condition for tournaments that start on one of these days in a time zone."""
    day = TruncDate("starts_at", tzinfo=zone)
    return Q(GreaterThanOrEqual(day, first), LessThanOrEqual(day, last))


def starts_on_month_and_day(month: int, day: int | None, zone: tzinfo) -> Q:
    """Return the condition for tournaments that start in this month of any year, or on this day of it."""
    begins = Q(Exact(ExtractMonth("starts_at", tzinfo=zone), month))
    if day is not None:
        begins &= Q(Exact(ExtractDay("starts_at", tzinfo=zone), day))
    return begins


def usual_tie_breaks() -> list[str]:
    return list(DEFAULT_TIE_BREAKS)


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def lock(self, **lookup: int) -> "Tournament":
        """Return a tournament that is locked until the transaction is over.

        The order of locks is: matches, the tournament, then its rounds, tables and entries. Draws and
        computations of standings lock the tournament, and refer to its rounds, tables and entries.
        """
        return self.select_for_update(of=["self"]).get(**lookup)

    def clubs_with_listed_tournament(self) -> models.QuerySet[Club]:
        """Return the clubs that are not archived and have one of these tournaments listed."""
        listed = self.filter(listing=Tournament.Listing.LISTED)
        return Club.objects.filter(archived_at=None, pk__in=listed.values("club"))

    def find_by_code(self, code: str, now: datetime) -> "Tournament | None":
        """Return the tournament with this exact code; None for a draft, or `CODE_HOLDS` after its end.

        The address is valid permanently and needs no code. Only the form, which counts wrong codes,
        may call this.
        """
        is_expired = Q(
            finished_at__lt=now - CODE_HOLDS, phase=Tournament.Phase.FINISHED
        )
        is_draft = Q(listing=Tournament.Listing.DRAFT)
        return self.exclude(is_expired | is_draft).filter(code=code).first()

    def visible_to(self, role: Role | None) -> Self:
        """Return the tournaments that a list shows to a role, None for a stranger."""
        listings = {Tournament.Listing.LISTED}
        if role is not None:
            listings |= {Tournament.Listing.DRAFT, Tournament.Listing.UNLISTED}
        return self.filter(listing__in=listings)

    def filter_by_name_visibility(self, role: Role | None) -> Self:
        """Return the tournaments with names that a role may read, None for a stranger.

        A finished tournament is in the club's history even if it is unlisted.
        """
        hidden = Q(listing=Tournament.Listing.DRAFT) | Q(
            ~Q(phase=Tournament.Phase.FINISHED), listing=Tournament.Listing.UNLISTED
        )
        return self.exclude(hidden) if role is None else self

    def on_autopilot_tonight(self, now: datetime) -> Self:
        """Return tonight's tournaments that announce and take their next steps automatically."""
        tonight = self.filter(starts_at__gt=now - NIGHT, starts_at__lt=now + EVE)
        return tonight.exclude(autopilot=Tournament.Autopilot.OFF).exclude(
            phase=Tournament.Phase.FINISHED
        )

    def with_player_or_member(self, user: AbstractBaseUser) -> Self:
        """Return the tournaments in which an account plays by a confirmed claim, or has a role."""
        own_claims = Q(
            entries__player__claims__user=user,
            entries__player__claims__club=F("club"),
            entries__player__claims__confirmed_at__isnull=False,
            entries__player__claims__withdrawn_at=None,
        )
        is_helper = Q(club__memberships__user=user)
        is_visible = is_helper | (own_claims & ~Q(listing=Tournament.Listing.DRAFT))
        return self.filter(is_visible)

    def unfinished_of_user(self, user: AbstractBaseUser) -> Self:
        """Return the upcoming and running tournaments of an account, the next first."""
        part = (
            self.with_player_or_member(user)
            .exclude(phase=Tournament.Phase.FINISHED)
            .order_by()
        )
        return self.filter(pk__in=part.values("pk")).order_by("starts_at", "pk")

    def finished(self) -> Self:
        return self.filter(phase=Tournament.Phase.FINISHED)

    def archived_unfinished(self) -> Self:
        """Return the archived tournaments that were started and never finished."""
        return self.filter(
            listing=Tournament.Listing.ARCHIVED, phase=Tournament.Phase.RUNNING
        )

    def with_outdated_history(self) -> Self:
        """Return the tournaments that the history does not contain as they are now."""
        is_finished = Q(phase=Tournament.Phase.FINISHED)
        is_in_history = Q(counted_version=F("version"))
        return self.filter(
            (is_finished & ~is_in_history) | (~is_finished & Q(counted_version__gte=0))
        )


class Tournament(models.Model):
    """An event of one club: entries, rounds, one table of standings."""

    class Format(models.TextChoices):
        PLANNED = (
            "planned",
            _("planned night: everyone meets as many others as possible"),
        )
        SWISS = "swiss", _("Swiss: players with similar scores meet")
        ROUND_ROBIN = "round_robin", _("round robin: everyone meets everyone")
        HEATS = "heats", _("heats: rounds for everyone who’s there, then a final")
        KNOCKOUT = "knockout", _("knockout: the best at each table advance")
        LEAGUE = "league", _("league: any match between members counts")
        PAST = "past", _("past results: imported from elsewhere")

    class GameChoice(models.TextChoices):
        TOURNAMENT = "tournament", _("one game for all")
        ROUND = "round", _("a game for each round")
        TABLE = "table", _("each table chooses")

    class Phase(models.TextChoices):
        OPEN = "open", _("registration")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")

    class Listing(models.TextChoices):
        DRAFT = "draft", _("only the team, as a draft")
        LISTED = "listed", _("everyone, on the club’s page")
        UNLISTED = "unlisted", _("anyone with the link or the code")
        ARCHIVED = "archived", _("archived (results stay)")

    class RegistrationState(models.TextChoices):
        EARLY = "early", _("not open yet")
        OPEN = "open", _("open")
        FULL = "full", _("full")
        CLOSED = "closed", _("closed")

    class UnfinishedTableRule(models.TextChoices):
        """How a table counts that did not finish in time."""

        AS_IT_STANDS = "as_it_stands", _("counts as it stands")
        DEDUCT = "deduct", _("counts as it stands, with a deduction for everyone")
        VOID = "void", _("doesn’t count")

    class Visibility(models.TextChoices):
        LIVE = "live", _("at any time")
        CLOSED = "closed", _("after each round")
        FINISHED = "finished", _("when the tournament is finished")

    class Screen(models.TextChoices):
        TURNS = "turns", _("everything in rotation")
        SEATS = "seats", _("the seating")
        STANDINGS = "standings", _("the standings")
        CLOCK = "clock", _("the clock")
        JOIN = "join", _("the code to join")

    class Quorum(models.TextChoices):
        """The confirmations that a table's result needs."""

        NONE = "none", _("no one")
        ONE = "one", _("one player (may be the scorer)")
        ALL = "all", _("every player")

    class Writing(models.TextChoices):
        """The phones that may enter scores at a table, in addition to directors."""

        CARD = (
            "card",
            _("anyone who scans the table card, and the players at the table"),
        )
        OWN_PHONES = "own", _("players at the table, each on their My night page")
        OPEN = "open", _("anyone with the link")

    class Seeding(models.TextChoices):
        """The order in which players are dealt onto the tables of round 1."""

        LOT = "lot", _("by lot")
        RATING = "rating", _("by club rating")
        HAND = "hand", _("by hand")

    class SeedPattern(models.TextChoices):
        """The way in which seeds are dealt, as in `tournaments.seating.SeedPattern`."""

        POTS = "pots", _("in pots")
        SNAKE = "snake", _("in a snake")
        SIMILAR = "similar", _("similar strength together")

    class TableFill(models.TextChoices):
        """The tables if not all can be full, as in `tournaments.seating.TableFill`."""

        SMALLER = "smaller", _("smaller tables")
        LARGER = "larger", _("larger tables")
        FULL = "full", _("full tables only")

    class SmallerTables(models.TextChoices):
        """The players that sit at smaller tables, if rounds are drawn one by one."""

        TURNS = "turns", _("everyone in turn")
        LOWER = "lower", _("the lower half of the standings")
        UPPER = "upper", _("the upper half of the standings")

    class Autopilot(models.TextChoices):
        """The steps that the tournament takes automatically."""

        OFF = "off", _("you do every step yourself")
        HELP = "help", _("Tricky calls the last hand and closes confirmed rounds")
        RUN = (
            "run",
            _(
                "Tricky draws, starts and closes rounds and finishes the night. You "
                "settle disputes"
            ),
        )

    club = models.ForeignKey(Club, models.PROTECT, related_name="tournaments")
    name = models.CharField(_("name"), max_length=80)
    address = models.CharField(
        _("address"),
        max_length=ADDRESS_LENGTH,
        unique=True,
        default=new_address,
        validators=[check_address],
    )
    """The secret part of its URL, in links and QR codes: 128 random bits."""
    code = models.CharField(
        _("code"),
        max_length=CODE_LENGTH,
        unique=True,
        default=new_code,
        validators=[check_code],
    )
    """Typed if no QR code can be scanned; not part of any URL."""
    starts_at = models.DateTimeField(_("starts at"))
    listing = models.CharField(
        _("visible to"),
        max_length=10,
        choices=Listing.choices,
        default=Listing.LISTED,
    )
    venue = models.CharField(_("place"), max_length=120, blank=True)
    fee = models.CharField(_("fee, if any"), max_length=40, blank=True)
    invitation = models.CharField(
        _("note on the invitation"), max_length=200, blank=True
    )
    registration_opens_at = models.DateTimeField(
        _("registration opens at"), null=True, blank=True
    )
    """Null for open from the start."""
    registration_closes_at = models.DateTimeField(
        _("registration closes at"), null=True, blank=True
    )
    """Null to close when the first round begins, or a league ends."""
    phase = models.CharField(
        _("phase"), max_length=10, choices=Phase.choices, default=Phase.OPEN
    )

    format = models.CharField(
        _("format"), max_length=15, choices=Format.choices, default=Format.PLANNED
    )
    game = models.CharField(_("game"), max_length=20, validators=[check_game])
    game_choice = models.CharField(
        _("choice of game"),
        max_length=10,
        choices=GameChoice.choices,
        default=GameChoice.TOURNAMENT,
    )
    games = models.JSONField(
        _("games to choose from"), default=list, blank=True, validators=[check_games]
    )
    """In order: rounds take turns with them, tables choose one of them."""
    options = models.JSONField(
        _("game options"), default=dict, blank=True, validators=[check_options]
    )
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds"), default=4, validators=MOST_ROUNDS
    )
    table_size = models.PositiveSmallIntegerField(
        _("players per table"), default=4, validators=SIZES
    )
    least_size = models.PositiveSmallIntegerField(
        _("at least"), default=3, validators=SIZES
    )
    most_size = models.PositiveSmallIntegerField(
        _("at most"), default=5, validators=SIZES
    )
    table_fill = models.CharField(
        _("if not all tables can be full"),
        max_length=10,
        choices=TableFill.choices,
        default=TableFill.SMALLER,
    )
    smaller_tables = models.CharField(
        _("smaller tables are for"),
        max_length=10,
        choices=SmallerTables.choices,
        default=SmallerTables.TURNS,
    )
    seeding = models.CharField(
        _("round 1 is seeded"),
        max_length=10,
        choices=Seeding.choices,
        default=Seeding.LOT,
    )
    seed_pattern = models.CharField(
        _("seeds are dealt"),
        max_length=10,
        choices=SeedPattern.choices,
        default=SeedPattern.POTS,
    )
    advance = models.PositiveSmallIntegerField(
        _("players advancing from each table"), default=2
    )
    """In a knockout, and in finals of more than one table."""
    final_size = models.PositiveSmallIntegerField(
        _("players in the final (0 for no final)"), default=0
    )
    best_tables = models.PositiveSmallIntegerField(
        _("best tables that count (0 for all)"), default=0
    )
    team_size = models.PositiveSmallIntegerField(
        _("teams of"), choices=TEAM_SIZES, default=0
    )
    separates_teammates = models.BooleanField(
        _("seat teammates at different tables"), default=True
    )
    """In draws; a round robin seats everyone with everyone all the same."""
    capacity = models.PositiveSmallIntegerField(_("places (0 for no limit)"), default=0)
    """Registrations beyond the capacity go on the waiting list."""
    minutes = models.PositiveSmallIntegerField(_("minutes per round"), default=45)
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
        _("sitting out counts"), max_length=20, default=AVERAGE, validators=[check_bye]
    )
    requested_bye = models.CharField(
        _("sitting out on request counts"),
        max_length=20,
        default="0",
        validators=[check_bye],
    )
    late_bye = models.CharField(
        _("each round missed by arriving late counts"),
        max_length=20,
        default="0",
        validators=[check_bye],
    )
    unfinished = models.CharField(
        _("an unfinished table"),
        max_length=15,
        choices=UnfinishedTableRule.choices,
        default=UnfinishedTableRule.AS_IT_STANDS,
    )
    deduction = models.PositiveSmallIntegerField(_("deduction"), default=1)
    """In tournament points, like a penalty."""
    quorum = models.CharField(
        _("a result is confirmed by"),
        max_length=5,
        choices=Quorum.choices,
        default=Quorum.ONE,
    )

    writing = models.CharField(
        _("scores are entered by"),
        max_length=5,
        choices=Writing.choices,
        default=Writing.CARD,
    )
    autopilot = models.CharField(
        _("automation"),
        max_length=4,
        choices=Autopilot.choices,
        default=Autopilot.OFF,
    )
    grace = models.PositiveSmallIntegerField(
        _("extra minutes to finish after time runs out"), default=10
    )
    """Used if the tournament runs automatically."""
    counts_late = models.BooleanField(
        _("then count unfinished tables as they stand"), default=False
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
        verbose_name=_("imported by"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="tournaments",
    )
    version = models.PositiveIntegerField(_("version"), default=0)
    """Counts every change that can affect the standings."""
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)
    """When it was last finished; it counts in the history from then on."""
    counted_version = models.PositiveIntegerField(
        _("version in the history"), null=True, blank=True
    )
    """The version in the club's history; null if it is not there."""
    asked_at = models.DateTimeField(_("standings requested at"), null=True, blank=True)
    """When the computation that has not begun yet was last requested."""
    waiting_since = models.DateTimeField(
        _("standings pending since"), null=True, blank=True
    )
    """When it was first requested; without a worker it is requested again each minute."""
    pending_names = models.JSONField(
        _("pending names"),
        default=dict,
        blank=True,
        validators=[check_pending_names],
    )
    """Names of pasted lists that wait for an answer, and whether each checks in."""
    taken_back = models.JSONField(_("undone draws"), default=list, blank=True)
    """The rounds of the last withdrawn draw, so that they can be restored
    (`tournaments.event.draw.withdraw_draws`); empty once something else is drawn.
    """

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
    def game_title(self) -> str:
        """Return what is played: its own title or the game's name, or that there are several games."""
        if self.game_choice != Tournament.GameChoice.TOURNAMENT:
            return gettext("Several games")
        return str(self.options.get("title") or gettext(get_game(self.game).name))

    @property
    def are_current_standings_public(self) -> bool:
        is_finished = self.phase == self.Phase.FINISHED
        return is_finished or self.standings_shown == self.Visibility.LIVE

    def registration_state(
        self, now: datetime, taken_place_count: int
    ) -> RegistrationState:
        """Return whether people can register themselves, given the number of places taken."""
        opens, closes = self.registration_opens_at, self.registration_closes_at
        if not self.is_registration_possible or (closes is not None and closes <= now):
            return self.RegistrationState.CLOSED
        if self.club.archived_at is not None:
            return self.RegistrationState.CLOSED
        if opens is not None and now < opens:
            return self.RegistrationState.EARLY
        if 0 < self.capacity <= taken_place_count:
            return self.RegistrationState.FULL
        return self.RegistrationState.OPEN

    @property
    def is_registration_possible(self) -> bool:
        """Return whether registration can be open: before the first round, in a league until its end."""
        if self.is_running_league:
            return not any(round_.state == "closed" for round_ in self.rounds.all())
        return self.phase == self.Phase.OPEN

    @property
    def planned_end(self) -> datetime:
        return self.starts_at + timedelta(minutes=self.rounds_planned * self.minutes)

    def is_check_in_open(self, now: datetime) -> bool:
        """Return whether players can check themselves in: from `CHECK_IN` before the start to the first round."""
        return self.phase == self.Phase.OPEN and now >= self.starts_at - CHECK_IN

    @property
    def day(self) -> date:
        """Return the day on which it starts in the club's time zone, even if it ends after midnight."""
        return self.club.local_day(self.starts_at)

    @property
    def held_on(self) -> date:
        """Return the day on which it counts: the day it started, for a finished league the day it ended."""
        if self.is_league and self.finished_at is not None:
            return self.club.local_day(self.finished_at)
        return self.day

    @property
    def is_drawn_from_results(self) -> bool:
        """Return whether each round is drawn from the results of those before."""
        return self.format in (self.Format.SWISS, self.Format.KNOCKOUT)

    @property
    def is_first_round_seedable(self) -> bool:
        """Return whether round 1 can be seeded: a draw decides who meets whom there."""
        return self.format in SEEDABLE_FORMATS

    @property
    def is_league(self) -> bool:
        """Return whether players start matches whenever they meet."""
        return self.format == self.Format.LEAGUE

    @property
    def is_running_league(self) -> bool:
        """Return whether a league has had its first match and is not finished."""
        return self.is_league and self.phase == self.Phase.RUNNING

    def default_round_game(self, number: int) -> str:
        """Return the default game of a round."""
        if self.game_choice != self.GameChoice.ROUND or not self.games:
            return self.game
        chosen: str = self.games[(number - 1) % len(self.games)]
        return chosen


SEEDABLE_FORMATS = (
    Tournament.Format.PLANNED,
    Tournament.Format.SWISS,
    Tournament.Format.HEATS,
    Tournament.Format.KNOCKOUT,
)


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def active(self) -> Self:
        """Return the announcements in effect, latest first; none once the tournament is finished."""
        unfinished = self.exclude(tournament__phase=Tournament.Phase.FINISHED)
        return unfinished.filter(withdrawn_at=None).order_by("-made_at", "-pk")


class Announcement(models.Model):
    """A sentence for every phone and the projector; withdrawn by setting `withdrawn_at`."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="announcements"
    )
    text = models.CharField(_("announcement"), max_length=200)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    made_at = models.DateTimeField(_("created at"))
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]

    def __str__(self) -> str:
        return self.text
