"""Matches and who sits at them."""

import re
import secrets
from collections.abc import Sequence
from itertools import chain
from typing import Self

from django.db import connections, models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.models.players import Player
from scoring.rules import GAMES, Game, MatchState, get_game
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import same_name_key

ADDRESS_BYTES = 16
"""128 bits: a match is found by whoever was given its address, by nobody else."""
ADDRESS_LENGTH = 22
"""Signs of these bits."""
ADDRESS = re.compile(rf"[0-9A-Za-z_-]{{{ADDRESS_LENGTH - 1}}}[AQgw]")
"""These bits in base64, whose last sign holds two of them."""
HOLDER_LENGTH = 32
"""Signs of what a phone knows that took a seat; 128 bits."""
SECRET_LENGTH = 32
"""Signs of what a card shows; 128 bits."""

WRITE_STANDING = """\
UPDATE "scoring_seat" SET total = standing.column2, rank = standing.column3, won = standing.column4
FROM (VALUES %s) AS standing WHERE "scoring_seat".id = standing.column1
"""
WRITE_PROGRESS = """\
UPDATE "scoring_match" SET version = %s, hands_played = %s, finished = %s, kept = %s
WHERE id = %s
"""
"""As Django writes its own, so that they are known for writes (`scoring.versions.updates`)."""


def new_address() -> str:
    """Return an address that cannot be guessed.

    It never begins with a dash, which commands would take for an option.
    """
    address = secrets.token_urlsafe(ADDRESS_BYTES)
    return new_address() if address.startswith("-") else address


def is_address(text: str) -> bool:
    """Return whether `new_address` can return the text, as it never does for a demo match.

    Whatever a client or a file calls an address is asked here first.
    """
    return ADDRESS.fullmatch(text) is not None


def game_choices() -> list[tuple[str, str]]:
    """Return the games by their ids, so that a further one changes no migration."""
    return [(game.id, game.name) for game in GAMES.values()]


def demo_address(game_id: str) -> str:
    """Return where the latest demo match of a game is, for everyone to look at."""
    return f"demo-{game_id}"


class MatchQuerySet(models.QuerySet["Match"]):
    def with_seats(self) -> Self:
        """Fetch the seats along, in one further query."""
        return self.prefetch_related(
            models.Prefetch("seats", Seat.objects.order_by("index"))
        )

    def demos(self) -> Self:
        """Keep the demo matches that everyone may find, one a game."""
        return self.filter(address__in=[demo_address(game) for game in GAMES])

    def lock(self, **which: object) -> "tuple[Match, list[Seat]] | None":
        """Return one match and its seats in order, locked, in one query; None for none."""
        of_match = {f"match__{name}": value for name, value in which.items()}
        seats = Seat.objects.select_related("match").filter(**of_match)
        locked = list(seats.order_by("index").select_for_update(of=("match",)))
        return (locked[0].match, locked) if locked else None

    def update_standings(
        self,
        match: "Match",
        seats: "Sequence[Seat]",
        state: MatchState,
        *,
        is_over: bool,
    ) -> tuple[bool, bool]:
        """Write how everybody stands, and how far the match is; its log's version too.

        A match that is at its end by the rules is over once its versions are chosen. Returns
        whether its result counted before, and whether it counts now.
        """
        was_settled = match.is_settled
        for seat in seats:
            seat.total = state.totals[seat.index]
            seat.rank = state.ranks[seat.index]
            seat.won = is_over and seat.index in state.winners
        Seat.objects.update_standings(seats)
        match.hands_played, match.finished = state.number, is_over
        # In SQL for the same reason as how the seats stand.
        connection = connections[self.db]
        kept = connection.ops.adapt_json_value(match.kept, None)
        progress = (match.version, match.hands_played, match.finished, kept, match.pk)
        with connection.cursor() as cursor:
            cursor.execute(WRITE_PROGRESS, progress)
        return was_settled, match.is_settled

    def newest_first(self) -> Self:
        """Order by their beginning, the latest first."""
        return self.order_by("-started_at", "-id")


MOVED_META = "tricky"
"""Where a record holds the log, which is never kept in `meta` here."""


class Match(models.Model):
    """One game at one table, first hand to winner."""

    address = models.CharField(
        _("address"), max_length=ADDRESS_LENGTH, unique=True, default=new_address
    )
    key = models.UUIDField(_("key"), unique=True)
    """Made by the client, so that starting a match twice starts it once."""
    game = models.CharField(_("game"), max_length=20)
    """By its id in the registry, which alone knows which games there are."""
    options = models.JSONField(_("options"), default=dict, blank=True)
    """As they were given; the rules know the defaults."""
    started_at = models.DateTimeField(_("started at"))
    rematch_of = models.ForeignKey(
        "self",
        verbose_name=_("rematch of"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="rematches",
    )
    meta = models.JSONField(_("meta"), null=True, blank=True)
    """What an imported record said besides, kept as it is; and under `MOVED_META` at which version
    a match that goes on came from another server."""
    version = models.PositiveIntegerField(_("version"), default=0)
    """Of the log: the version of its last entry."""
    hands_played = models.PositiveIntegerField(_("hands played"), default=0)
    finished = models.BooleanField(_("finished"), default=False)
    as_it_stands = models.BooleanField(_("counts as it stands"), default=False)
    """Whether it counts although it is not finished: each further hand matters then."""
    closed = models.BooleanField(_("closed"), default=False)
    """Whether only those who direct add to its log: players take it as it is."""
    secret = models.CharField(_("secret"), max_length=SECRET_LENGTH, blank=True)
    """What a phone must know to write here; empty where knowing the address is enough."""
    kept = models.JSONField(_("entries on phones"), default=dict, blank=True)
    """By phone: how many entries it still held when it was heard of last."""

    objects = MatchQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(F("started_at").desc(), name="match_started")]

    def __str__(self) -> str:
        return f"{self.rules.name}, {self.started_at:%Y-%m-%d %H:%M}"

    def get_absolute_url(self) -> str:
        return reverse("scoring:match", args=[self.address])

    @property
    def moved_at_version(self) -> int:
        """Return which version came from another server, as its match went on; 0 for none."""
        noted: int = (self.meta or {}).get(MOVED_META, {}).get("version", 0)
        return noted

    @property
    def has_just_moved(self) -> bool:
        """Tell whether it came from another server, and nobody has gone on here."""
        noted = MOVED_META in (self.meta or {})
        return noted and not self.finished and self.version == self.moved_at_version

    @property
    def next_match(self) -> "Match | None":
        """Return the rematch that the table plays: the first one with hands, or the first started."""
        played_first = models.Case(models.When(hands_played__gt=0, then=0), default=1)
        return self.rematches.order_by(played_first, "pk").first()

    @property
    def other_rematches(self) -> "models.QuerySet[Match]":
        """Return the other matches with hands that phones of this table began as the same rematch."""
        rematches = Match.objects.filter(rematch_of=self.rematch_of_id)
        if self.rematch_of_id is None:
            return rematches.none()
        return rematches.filter(hands_played__gt=0).exclude(pk=self.pk).order_by("pk")

    @property
    def waiting(self) -> int:
        """Return how many entries are still on phones, as far as they said."""
        return sum(self.kept.values())

    def set_waiting(self, phone: str, count: int | None) -> None:
        """Note how many entries a phone holds; what it does not say stays as it was."""
        if count is not None:
            others = {name: held for name, held in self.kept.items() if name != phone}
            self.kept = others | ({phone: count} if count else {})

    @property
    def is_settled(self) -> bool:
        """Tell whether its result counts, so that histories know its hands."""
        return self.finished or self.as_it_stands

    @property
    def rules(self) -> Game:
        return get_game(self.game)


class Way(models.TextChoices):
    """By which way somebody has agreed to a result."""

    OWN = "own", _("on their own phone")
    TABLE = "table", _("on a shared phone")
    """With a tap of their own, once the phone was handed to them."""
    DIRECTOR = "director", _("agreed by the director")


class SeatQuerySet(models.QuerySet["Seat"]):
    def players_at(self, matches: Sequence[int], *, most: int) -> list[Player]:
        """Return who sat at these matches, those of the latest first; of one name the latest alone."""
        seats = self.select_related("player").filter(match__in=matches)
        latest = seats.order_by("-match_id", "index")
        by_name: dict[str, Player] = {}
        for seat in latest:
            by_name.setdefault(same_name_key(seat.player.name), seat.player)
        return list(by_name.values())[:most]

    def update_standings(self, seats: Sequence["Seat"]) -> None:
        """Write total, rank and won of seats that are there.

        One statement in SQL, because every hand of every table comes by here, and
        bulk_update takes six times as long to say the same.
        """
        rows = [(seat.pk, seat.total, seat.rank, seat.won) for seat in seats]
        values = ", ".join(["(%s, %s, %s, %s)"] * len(rows))
        with connections[self.db].cursor() as cursor:
            cursor.execute(WRITE_STANDING % values, list(chain.from_iterable(rows)))


class Seat(models.Model):
    """A position at the table, who sits there, and how they stand."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField(_("index"))
    """Counted from 0 clockwise."""
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats")
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    """What the player was called at this table."""
    total = models.BigIntegerField(_("total"), default=0)
    rank = models.PositiveSmallIntegerField(_("rank"), default=1)
    won = models.BooleanField(_("won"), default=False)
    holder = models.CharField(_("holder"), max_length=HOLDER_LENGTH, blank=True)
    """What the phone knows that took this seat as its owner's; empty where none did."""
    confirmed_at = models.DateTimeField(_("confirmed at"), null=True, blank=True)
    """Since when its player has confirmed the result as it is; projected from the log."""
    confirmed_by = models.CharField(
        _("confirmed by"), max_length=10, choices=Way.choices, blank=True
    )
    """By which way; empty where nobody has. Projected as well."""

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
