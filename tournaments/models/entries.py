"""Who plays in a tournament."""

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
from tournaments.models.validators import check_exact


class EntryQuerySet(models.QuerySet["Entry"]):
    def playing(self) -> Self:
        """Keep who is here and has not left: those whom a draw seats."""
        return self.filter(state=Entry.State.PRESENT)

    def with_place(self) -> Self:
        """Keep who takes a place: not those who wait, left or did not come."""
        return self.filter(state__in=[Entry.State.EXPECTED, Entry.State.PRESENT])

    def waiting(self) -> Self:
        """Keep the waiting list, the longest wait first."""
        waiting = self.filter(state=Entry.State.WAITING)
        return waiting.order_by(
            models.F("waiting_number").asc(nulls_first=True), "number"
        )

    def separated_pairs(self) -> "list[tuple[Entry, Entry]]":
        """Return the pairs that are not to share a table, each once; two queries."""
        entries = {entry.pk: entry for entry in self}
        pairs = Entry.apart.through.objects.filter(
            from_entry__in=entries, to_entry__gt=models.F("from_entry")
        )
        return [
            (entries[entry_id], entries[other_id])
            for entry_id, other_id in pairs.values_list("from_entry", "to_entry")
        ]

    def names(self) -> set[str]:
        return set(self.values_list("name", flat=True))

    def by_number(self) -> Self:
        return self.order_by("number")


class Entry(models.Model):
    class State(models.TextChoices):
        WAITING = "waiting", _("on the waiting list")
        EXPECTED = "expected", _("expected")
        PRESENT = "present", _("here")
        DROPPED = "dropped", _("left")
        NO_SHOW = "no_show", _("did not come")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    player = models.ForeignKey(Player, models.PROTECT, related_name="entries")
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    """What the player is called here."""
    name_key = NameKeyField(of="name")
    number = models.PositiveIntegerField(_("number"))
    """Counted from 1 in the order of entering."""
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.EXPECTED
    )
    waiting_number = models.PositiveIntegerField(
        _("number on the waiting list"), null=True, blank=True
    )
    """Orders the waiting list; null for an entry that never joined it."""
    waits_here = models.BooleanField(_("here, without a place"), default=False)
    """Whether they checked in on the waiting list: they are present once they get a place."""
    on_phone = models.BooleanField(_("has a phone with them"), default=False)
    """Whether they entered by a phone that is still theirs: no other one agrees for them."""
    waited_as = models.PositiveBigIntegerField(
        _("entry on the waiting list"), null=True, blank=True
    )
    """Primary key of the deleted entry by which a substitute waited: its phone follows them."""
    phones_released = models.PositiveSmallIntegerField(_("phones released"), default=0)
    """How often a director took their phone off: one that knows a smaller number is nobody's."""
    lot = models.PositiveIntegerField(_("lot"), null=True, blank=True)
    """Drawn once for who is level in everything else; the lower goes first."""
    final_place = models.PositiveIntegerField(_("final place"), null=True, blank=True)
    """In past results that tell no tables; elsewhere standings follow from tables."""
    final_points = models.CharField(
        _("final points"),
        max_length=EXACT_LENGTH,
        blank=True,
        validators=[check_exact],
    )
    """Exactly, as a whole number or a fraction; with a final place, where the list told them."""
    apart = models.ManyToManyField("self", verbose_name=_("kept apart from"))

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
    def has_place(self) -> bool:
        """Tell whether one of the tournament's places is taken, as `coming` does."""
        return self.state in (self.State.EXPECTED, self.State.PRESENT)

    @property
    def is_here(self) -> bool:
        """Tell whether they are checked in, with a place or on the waiting list."""
        return self.state == self.State.PRESENT or self.waits_here

    def rename(self, name: str) -> None:
        """Store another name, and what it is sorted and found by."""
        self.name = name
        self.save(update_fields=["name", "name_key"])


class RemovedEntry(models.Model):
    """What the phones of a removed entry had; the person's next entry in the tournament takes it over."""

    tournament = models.ForeignKey(
        Tournament, models.CASCADE, related_name="removed_entries"
    )
    former_player = models.PositiveBigIntegerField(_("player"))
    """Primary key of a player who may be deleted by now."""
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    phones_released = models.PositiveSmallIntegerField(_("phones released"), default=0)

    def __str__(self) -> str:
        return f"{self.name}, {self.tournament}"

    def matches(self, entry: Entry) -> bool:
        """Tell whether an entry is of the same person."""
        is_same_name = same_name_key(self.name) == same_name_key(entry.name)
        return is_same_name or self.former_player == entry.player_id
