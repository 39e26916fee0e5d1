"""Matches, their seats, and the players."""

import re
import secrets
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, Self

from django.db import connections, models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.rules import GAMES, Game, MatchState, get_game
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import same_name_key

ADDRESS_BYTES = 16
"""128 bits, so that addresses cannot be guessed."""
ADDRESS_LENGTH = 22
"""Length of an address in characters."""
ADDRESS = re.compile(rf"[0-9A-Za-z_-]{{{ADDRESS_LENGTH - 1}}}[AQgw]")
"""An address in URL-safe base64, whose last character has only two bits."""
HOLDER_LENGTH = 32
"""Hexadecimal digits of the secret of a phone that took a seat; 128 bits."""
SECRET_LENGTH = 32
"""Hexadecimal digits of the secret on a table card; 128 bits."""

UPDATE_STANDINGS = """\
UPDATE "scoring_seat" SET total = standing.column2, rank = standing.column3, won = standing.column4
FROM (VALUES %s) AS standing WHERE "scoring_seat".id = standing.column1
"""
UPDATE_PROGRESS = """\
UPDATE "scoring_match" SET version = %s, hands_played = %s, finished = %s, kept = %s
WHERE id = %s
"""
"""In the format of Django's own SQL, so that `scoring.versions.updates` recognizes the write."""


def new_address() -> str:
    """Return an address that cannot be guessed.

    It never begins with a dash, which commands would read as an option.
    """
    address = secrets.token_urlsafe(ADDRESS_BYTES)
    return new_address() if address.startswith("-") else address


def is_address(text: str) -> bool:
    """Return whether the text has the format of `new_address`. Those of demo matches do not.

    Used to check addresses from clients and files.
    """
    return ADDRESS.fullmatch(text) is not None


def game_choices() -> list[tuple[str, str]]:
    """Return the games as choices. As a function, so that a new game needs no migration."""
    return [(game.id, gettext(game.name)) for game in GAMES.values()]


def demo_address(game_id: str) -> str:
    """Return the public address of the latest demo match of a game."""
    return f"demo-{game_id}"


class Player(models.Model):
    """A person who plays."""

    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    created_at = models.DateTimeField(_("created at"))

    class Meta:
        """Names need not be unique: two people can share one."""

        indexes = [models.Index(Lower("name"), name="player_name")]

    def __str__(self) -> str:
        return self.name


class CountingResultChange(NamedTuple):
    """Whether the result of a match counted before a change, and whether it counts after it."""

    had_counting_result: bool
    has_counting_result: bool


class MatchQuerySet(models.QuerySet["Match"]):
    def with_seats(self) -> Self:
        """Prefetch the seats in order, with one more query."""
        return self.prefetch_related(
            models.Prefetch("seats", Seat.objects.order_by("index"))
        )

    def latest_demos(self) -> Self:
        """Filter the public demo matches, one for each game."""
        return self.filter(address__in=[demo_address(game) for game in GAMES])

    def lock(self, **lookup: object) -> "tuple[Match, list[Seat]] | None":
        """Lock one match, and return it with its seats in order, in one query; None if there is none."""
        seat_lookup = {f"match__{name}": value for name, value in lookup.items()}
        seats = Seat.objects.select_related("match").filter(**seat_lookup)
        locked = list(seats.order_by("index").select_for_update(of=("match",)))
        return (locked[0].match, locked) if locked else None

    def update_standings_and_progress(
        self,
        match: "Match",
        seats: "Sequence[Seat]",
        state: MatchState,
        *,
        is_over: bool,
    ) -> CountingResultChange:
        """Store the standings of the seats, and the progress and version of the match.

        `is_over` is False for a match that ended by the rules, but still has conflicting versions
        of hands.
        """
        had_counting_result = match.has_counting_result
        for seat in seats:
            seat.total = state.totals[seat.index]
            seat.rank = state.ranks[seat.index]
            seat.won = is_over and seat.index in state.winners
        Seat.objects.update_standings(seats)
        match.hands_played, match.finished = state.number, is_over
        # In SQL for the same reason as the standings of the seats.
        connection = connections[self.db]
        kept_json = connection.ops.adapt_json_value(match.kept, None)
        progress = (
            match.version,
            match.hands_played,
            match.finished,
            kept_json,
            match.pk,
        )
        with connection.cursor() as cursor:
            cursor.execute(UPDATE_PROGRESS, progress)
        return CountingResultChange(had_counting_result, match.has_counting_result)

    def newest_first(self) -> Self:
        """Order by start, the latest first."""
        return self.order_by("-started_at", "-id")


MOVED_META = "tricky"
"""Key of the log in the `meta` of a record; in `Match.meta` it never has the log."""


class Match(models.Model):
    """One game at one table, first hand to winner."""

    address = models.CharField(
        _("address"), max_length=ADDRESS_LENGTH, unique=True, default=new_address
    )
    key = models.UUIDField(_("key"), unique=True)
    """Made by the client, so that a repeated start creates only one match."""
    game = models.CharField(_("game"), max_length=20)
    """Id of the game in the registry."""
    options = models.JSONField(_("options"), default=dict, blank=True)
    """As given, without defaults."""
    started_at = models.DateTimeField(_("started at"))
    rematch_of = models.ForeignKey(
        "self",
        verbose_name=_("rematch of"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="rematches",
    )
    meta = models.JSONField(_("metadata"), null=True, blank=True)
    """Other data of an imported record, unchanged; under `MOVED_META` the version at which a match in
    play was moved here from another server."""
    version = models.PositiveIntegerField(_("version"), default=0)
    """The version of the last entry in its log."""
    hands_played = models.PositiveIntegerField(_("hands played"), default=0)
    finished = models.BooleanField(_("finished"), default=False)
    as_it_stands = models.BooleanField(_("counts as it stands"), default=False)
    """Whether it counts although it is unfinished; each further hand then changes the result."""
    closed = models.BooleanField(_("closed"), default=False)
    """Whether only directors may add to its log."""
    secret = models.CharField(_("secret"), max_length=SECRET_LENGTH, blank=True)
    """A secret that a phone needs to enter hands; empty if the address is enough."""
    kept = models.JSONField(_("entries still on phones"), default=dict, blank=True)
    """The number of unsent entries on each phone, as last reported."""

    objects = MatchQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(F("started_at").desc(), name="match_started")]

    def __str__(self) -> str:
        return f"{self.title}, {self.started_at:%Y-%m-%d %H:%M}"

    def get_absolute_url(self) -> str:
        return reverse("scoring:match", args=[self.address])

    @property
    def imported_at_version(self) -> int:
        """Return the version at which the match was moved from another server; 0 if it was not."""
        version: int = (self.meta or {}).get(MOVED_META, {}).get("version", 0)
        return version

    @property
    def is_just_imported(self) -> bool:
        """Return whether it was moved from another server and has no entries since."""
        is_moved = MOVED_META in (self.meta or {})
        return (
            is_moved and not self.finished and self.version == self.imported_at_version
        )

    @property
    def current_rematch(self) -> "Match | None":
        """Return the rematch: the first one with hands, else the first one started; None if none."""
        played_first = models.Case(models.When(hands_played__gt=0, then=0), default=1)
        return self.rematches.order_by(played_first, "pk").first()

    @property
    def played_sibling_rematches(self) -> "models.QuerySet[Match]":
        """Return other matches with hands that were started as a rematch of the same match."""
        rematches = Match.objects.filter(rematch_of=self.rematch_of_id)
        if self.rematch_of_id is None:
            return rematches.none()
        return rematches.filter(hands_played__gt=0).exclude(pk=self.pk).order_by("pk")

    @property
    def unsent_entry_count(self) -> int:
        """Return the number of unsent entries on all phones, as last reported."""
        return sum(self.kept.values())

    def set_unsent_count(self, phone: str, count: int) -> None:
        """Set the number of unsent entries on a phone, without saving it."""
        other_phones = {
            name: entry_count
            for name, entry_count in self.kept.items()
            if name != phone
        }
        self.kept = other_phones | ({phone: count} if count else {})

    @property
    def has_counting_result(self) -> bool:
        """Return whether its result counts, so that statistics include its hands."""
        return self.finished or self.as_it_stands

    @property
    def rules(self) -> Game:
        """Return the game as the options of this match make it."""
        return get_game(self.game).variant_for_options(self.options)

    @property
    def title(self) -> str:
        """Return the match's own title, or else the name of its game."""
        return str(self.options.get("title") or gettext(self.rules.name))


class ConfirmationWay(models.TextChoices):
    """The way in which a player confirmed a result."""

    OWN = "own", _("on their own phone")
    TABLE = "table", _("on a shared phone")
    """With their own tap on a phone that was handed to them."""
    DIRECTOR = "director", _("confirmed by the director")


class SeatQuerySet(models.QuerySet["Seat"]):
    def find_latest_players(
        self, matches: Sequence[int], *, limit: int
    ) -> list[Player]:
        """Return up to `limit` players of these matches, the latest first; for equal names only the latest."""
        seats = self.select_related("player").filter(match__in=matches)
        latest = seats.order_by("-match_id", "index")
        by_name: dict[str, Player] = {}
        for seat in latest:
            by_name.setdefault(same_name_key(seat.player.name), seat.player)
        return list(by_name.values())[:limit]

    def update_standings(self, seats: Sequence["Seat"]) -> None:
        """Store total, rank and won of existing seats.

        One statement in SQL, because this runs for every hand, and bulk_update takes six times
        as long.
        """
        rows = [(seat.pk, seat.total, seat.rank, seat.won) for seat in seats]
        values = ", ".join(["(%s, %s, %s, %s)"] * len(rows))
        with connections[self.db].cursor() as cursor:
            cursor.execute(UPDATE_STANDINGS % values, list(chain.from_iterable(rows)))


class Seat(models.Model):
    """A seat of a match, with its player and standing."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField(_("index"))
    """Counted from 0 clockwise."""
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    """The name of the player in this match."""
    total = models.BigIntegerField(_("total"), default=0)
    rank = models.PositiveSmallIntegerField(_("rank"), default=1)
    won = models.BooleanField(_("won"), default=False)
    holder = models.CharField(_("seat holder"), max_length=HOLDER_LENGTH, blank=True)
    """Secret of the phone whose owner took this seat; empty for none."""
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True)
    """Time at which its player confirmed the current result; projected from the log."""
    confirmed_by = models.CharField(
        _("confirmation method"),
        max_length=10,
        choices=ConfirmationWay.choices,
        blank=True,
    )
    """Way of the confirmation; empty for none. Projected from the log."""

    objects = SeatQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "index"], name="seat_once"),
            models.UniqueConstraint(
                fields=["match", "player"], name="player_seated_once"
            ),
            models.UniqueConstraint(fields=["match", "name"], name="name_seated_once"),
            models.CheckConstraint(condition=Q(index__lt=8), name="seat_of_eight"),
        ]

    def __str__(self) -> str:
        return self.name
