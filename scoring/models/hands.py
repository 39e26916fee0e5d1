"""Hands and their scores, derived from the log and rebuilt from it at any time."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from scoring.models.matches import Match, Player, Seat


class Hand(models.Model):
    """The current state of a hand by the log; one row for each number."""

    class State(models.TextChoices):
        """The progress of a hand, and whether it counts."""

        CONTRACT = "contract", _("being played")
        PLAYED = "played", _("played")
        VOID = "void", _("void")
        AFTER_END = "after_end", _("played after the end")

    match = models.ForeignKey(Match, models.CASCADE, related_name="hands")
    game = models.CharField(_("game"), max_length=20)
    """The game of its match, copied for an index on hands."""
    number = models.PositiveIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices)
    bidder = models.PositiveSmallIntegerField(_("bidder"), null=True, blank=True)
    bid = models.BigIntegerField(_("bid"), null=True, blank=True)
    """Points or tricks, as the game bids."""
    partner = models.PositiveSmallIntegerField(_("partner"), null=True, blank=True)
    solo = models.BooleanField(_("solo"), default=False)
    trump_number = models.PositiveSmallIntegerField(
        _("trump number"), null=True, blank=True
    )
    """Set if trump is a number, as in Tricky."""
    taken = models.BigIntegerField(_("points or tricks taken"), null=True, blank=True)
    """Points or tricks, as in the bid, of the bidding side; null without a contract."""
    made = models.BooleanField(_("made"), null=True, blank=True)
    """Whether the contract was made; null without a contract."""
    findings = models.PositiveSmallIntegerField(_("rule violations"), default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="one_live_hand")
        ]
        indexes = [
            models.Index(
                F("game"),
                F("bid").desc(),
                F("id").desc(),
                condition=Q(made__isnull=False),
                name="hand_by_bid",
            )
        ]

    def __str__(self) -> str:
        return f"hand {self.number}"


class HandScore(models.Model):
    """The points of a hand for a seat, and the seat's total after it."""

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="scores")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="scores")
    points = models.BigIntegerField(_("points"))
    total = models.BigIntegerField(_("total"))
    played_by = models.ForeignKey(
        Player, models.PROTECT, related_name="+", null=True, blank=True
    )
    """The player of this hand, if the seat has changed hands since; null for the current player."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "seat"], name="one_score_a_seat")
        ]

    def __str__(self) -> str:
        return f"{self.points:+d} = {self.total}"


class Bid(models.Model):
    """One call of a hand's auction."""

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="bids")
    order = models.PositiveSmallIntegerField(_("order"))
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="bids")
    value = models.BigIntegerField(_("value"), null=True, blank=True)
    """Null for a pass and for a solo."""
    solo = models.BooleanField(_("solo"), default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hand", "order"], name="one_call_a_turn"),
            models.CheckConstraint(
                condition=Q(solo=False) | Q(value=None), name="solo_has_no_value"
            ),
        ]

    def __str__(self) -> str:
        return (
            "solo" if self.solo else "pass" if self.value is None else str(self.value)
        )


class Trick(models.Model):
    """One trick of a hand that was recorded piece by piece."""

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="tricks")
    number = models.PositiveSmallIntegerField(_("number"))
    leader = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    winner = models.ForeignKey(Seat, models.CASCADE, related_name="+")
    worth = models.PositiveSmallIntegerField(_("trick value"))
    """Points for the winner, or 1 if the game counts tricks."""
    trump = models.CharField(_("trump"), max_length=4, blank=True)
    """The trump, as written in a record of a trick; empty for none."""
    trump_led = models.BooleanField(_("led with a trump"), null=True)
    """Null if nothing is trump."""
    turned = models.CharField(_("card turned up"), max_length=4, blank=True)
    """The piece that its winner turned for a new trump; empty for none."""
    is_last = models.BooleanField(_("last trick of the hand"), default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hand", "number"], name="one_trick_a_number"
            )
        ]

    def __str__(self) -> str:
        return f"trick {self.number}"


class Play(models.Model):
    """The play of a seat in a trick."""

    trick = models.ForeignKey(Trick, models.CASCADE, related_name="plays")
    order = models.PositiveSmallIntegerField(_("order"))
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="plays")
    pieces = models.CharField(_("cards or dice"), max_length=20)
    """As in a match record, separated by spaces."""
    ante = models.CharField(_("ante"), max_length=4, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["trick", "order"], name="one_play_a_turn"),
            models.UniqueConstraint(fields=["trick", "seat"], name="one_play_a_seat"),
        ]

    def __str__(self) -> str:
        return self.pieces
