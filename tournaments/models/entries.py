"""Entries of players in a tournament."""

from typing import Self

from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import same_name_key
from tournaments.exact import EXACT_LENGTH
from tournaments.models.name_keys import NameKeyField
from tournaments.models.tournaments import Tournament
from tournaments.models.validators import check_exact, check_round_numbers


class EntryQuerySet(models.QuerySet["Entry"]):
    def present(self) -> Self:
        """Return the entries that are present: those that a draw seats."""
        return self.filter(state=Entry.State.PRESENT)

    def unchecked(self) -> Self:
        """Return the entries with a place whose players are not checked in."""
        return self.filter(state=Entry.State.EXPECTED)

    def expected_or_present(self) -> Self:
        """Return the entries that take up a place: expected or present."""
        return self.filter(state__in=[Entry.State.EXPECTED, Entry.State.PRESENT])

    def waiting(self) -> Self:
        """Return the waiting list, longest wait first."""
        waiting = self.filter(state=Entry.State.WAITING)
        return waiting.order_by(
            models.F("waiting_number").asc(nulls_first=True), "number"
        )

    def separated_pairs(self) -> "list[tuple[Entry, Entry]]":
        """Return the pairs that must not share a table, each once; two queries."""
        entries = {entry.pk: entry for entry in self}
        pairs = Entry.apart.through.objects.filter(
            from_entry__in=entries, to_entry__gt=models.F("from_entry")
        )
        return [
            (entries[entry_id], entries[other_id])
            for entry_id, other_id in pairs.values_list("from_entry", "to_entry")
        ]

    def by_team(self) -> "dict[str, list[Entry]]":
        """Return the members of each team by its name, in order of their numbers; one query."""
        teams: dict[str, list[Entry]] = {}
        for entry in self.exclude(team="").by_number():
            teams.setdefault(entry.team, []).append(entry)
        return teams

    def names(self) -> set[str]:
        return set(self.values_list("name", flat=True))

    def by_number(self) -> Self:
        return self.order_by("number")


class Entry(models.Model):
    """A player's place in a tournament: registered, waiting, here, or gone."""

    class State(models.TextChoices):
        WAITING = "waiting", _("on the waiting list")
        EXPECTED = "expected", _("registered")
        PRESENT = "present", _("here")
        DROPPED = "dropped", _("left")
        NO_SHOW = "no_show", _("absent")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    """The player's name in this tournament."""
    name_key = NameKeyField(of="name")
    number = models.PositiveIntegerField(_("number"))
    """Counted from 1 in order of registration."""
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.EXPECTED
    )
    waiting_number = models.PositiveIntegerField(
        _("number on the waiting list"), null=True, blank=True
    )
    """Orders the waiting list; null for an entry that never joined it."""
    waits_here = models.BooleanField(
        _("checked in, waiting for a place"), default=False
    )
    """Whether the player checked in while on the waiting list, and is present on getting a place."""
    on_phone = models.BooleanField(_("brought a phone"), default=False)
    """Whether the player registered with a phone that is still theirs: then no other phone confirms for them."""
    waited_as = models.PositiveBigIntegerField(
        _("entry on the waiting list"), null=True, blank=True
    )
    """Primary key of the deleted entry under which a substitute waited; its phone carries over."""
    phones_released = models.PositiveSmallIntegerField(
        _("phones disconnected"), default=0
    )
    """How often a director released the player's phone; a phone with a smaller number is no longer theirs."""
    bye_rounds = models.JSONField(
        _("rounds to sit out on request"),
        default=list,
        blank=True,
        validators=[check_round_numbers],
    )
    """Their numbers in order; past rounds stay, so that their byes are known as requested."""
    lot = models.PositiveIntegerField(_("tie-break draw"), null=True, blank=True)
    """Drawn once to break complete ties; the lower lot goes first."""
    seed_rank = models.PositiveSmallIntegerField(
        _("rank in the seeding"), null=True, blank=True
    )
    """The place in the director's own seeding; equal ones are ordered by lot, null ones come last."""
    final_place = models.PositiveIntegerField(_("final rank"), null=True, blank=True)
    """Only for past results without tables; otherwise standings follow from the tables."""
    final_points = models.CharField(
        _("final points"),
        max_length=EXACT_LENGTH,
        blank=True,
        validators=[check_exact],
    )
    """An exact whole number or fraction; set with a final place, if the imported list had points."""
    team = models.CharField(_("team"), max_length=LONGEST_NAME, default="", blank=True)
    """The same text for all members; a number if the team has no name. Empty without a team."""
    apart = models.ManyToManyField("self", verbose_name=_("never seated with"))

    objects = EntryQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="entry_number_once"
            ),
            models.UniqueConstraint(
                "tournament", Lower("name"), name="entry_name_once"
            ),
            models.UniqueConstraint(
                fields=["tournament", "player"], name="entry_player_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_expected_or_present(self) -> bool:
        """Return whether the entry takes up a place, as in `expected_or_present`."""
        return self.state in (self.State.EXPECTED, self.State.PRESENT)

    @property
    def is_present_or_waits_here(self) -> bool:
        """Return whether the player is checked in."""
        return self.state == self.State.PRESENT or self.waits_here

    def rename(self, name: str) -> None:
        """Store another name, and the key by which it is sorted and found."""
        self.name = name
        self.save(update_fields=["name", "name_key"])


class RemovedEntry(models.Model):
    """The phones of a removed entry, taken over by the same person's next entry in the tournament."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="removed_entries"
    )
    former_player = models.PositiveBigIntegerField(_("player"))
    """Primary key of a player that may be deleted by now."""
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    phones_released = models.PositiveSmallIntegerField(
        _("phones disconnected"), default=0
    )

    def __str__(self) -> str:
        return f"{self.name}, {self.tournament}"

    def is_same_person(self, entry: Entry) -> bool:
        """Return whether an entry is for the same person, by name or player."""
        is_same_name = same_name_key(self.name) == same_name_key(entry.name)
        return is_same_name or self.former_player == entry.player_id
