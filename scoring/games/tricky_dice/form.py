"""Entering a hand of Tricky Dice."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import (
    EntryFormWithBids,
    choice_field,
    initial_seat_values,
)
from scoring.games.record_paths import hidden_choice_attrs, path_attrs, value_attrs
from scoring.rules.tricky_dice.tricks import TRICKS

SOLO = "solo"
SUITS = (("S", "♠ S"), ("H", "♥ H"), ("D", "♦ D"), ("C", "♣ C"))
RANKS = tuple((rank, "10" if rank == "T" else rank) for rank in "23456789TJQKA")


class TrickyDiceForm(EntryFormWithBids):
    """Trump die, bidder, bid or solo, partner, tricks and die tricks."""

    share_prefix = "tricks_won"

    bid = choice_field(
        _("Bid"),
        [*((n, str(n)) for n in range(4, 11)), (SOLO, _("solo"))],
        place=path_attrs("contract.tricks"),
        meanings={SOLO: value_attrs({"solo": True}, "contract")},
    )
    suit = choice_field(
        _("Trump suit"), SUITS, place=path_attrs("trump", parse_as="joined", part=1)
    )
    rank = choice_field(
        _("Trump rank"), RANKS, place=path_attrs("trump", parse_as="joined", part=0)
    )

    contract_fields: ClassVar[Sequence[str]] = ("bidder", "bid")
    field_by_path = {"contract.tricks": "bid", "contract.solo": "bid", "trump": "suit"}

    def add_hand_fields(self) -> None:
        self.fields["bidder"] = choice_field(
            _("Who won the bidding?"),
            self.seat_choices,
            place=path_attrs("contract.bidder"),
        )
        self.fields["partner"] = choice_field(
            _("Partner"),
            self.seat_choices,
            place=path_attrs("contract.partner"),
            meanings={
                str(seat): hidden_choice_attrs(f"bidder={seat}", f"bid={SOLO}")
                for seat in range(self.state.seats)
            },
        )
        self.add_seat_number_fields(
            "tricks_won",
            most=TRICKS,
            pad="grid",
            row=_("Tricks"),
            **{"data-total": TRICKS},
        )
        for seat, name in self.seat_choices:
            dice = [(number, str(number)) for number in range(3)]
            self.fields[f"die_tricks_{seat}"] = choice_field(
                name,
                dice,
                place=path_attrs(f"die_tricks[{seat}]"),
                meanings={
                    "1": hidden_choice_attrs(f"tricks_won_{seat}=0"),
                    "2": hidden_choice_attrs(
                        f"tricks_won_{seat}=0", f"tricks_won_{seat}=1"
                    ),
                },
            )

    @property
    def required_field_names(self) -> list[str]:
        partner = [] if self.data.get("bid") == SOLO else ["partner"]
        return [*self.contract_fields, *partner, *self.seat_field_names("tricks_won")]

    @property
    def entry_progress(self) -> str:
        counts = [
            count
            for count in self.entered_numbers_by_seat("tricks_won")
            if count is not None
        ]
        tricks_left = TRICKS - sum(counts)
        if tricks_left < 0:
            return gettext(
                "%(sum)s tricks entered, but only %(tricks)s were played."
            ) % {
                "sum": sum(counts),
                "tricks": TRICKS,
            }
        if counts and not tricks_left:
            return gettext("All %(tricks)s tricks entered.") % {"tricks": TRICKS}
        return ngettext(
            "%(left)s of %(tricks)s tricks left.",
            "%(left)s of %(tricks)s tricks left.",
            tricks_left,
        ) % {"left": tricks_left, "tricks": TRICKS}

    @property
    def unusual_hand_question(self) -> str:
        """Return a question that confirms 0 die tricks, if none were entered."""
        if any(map(self.is_filled, self.seat_field_names("die_tricks"))):
            return super().unusual_hand_question
        return gettext("Did no one take a trick with a die?")

    def raw_hand(self) -> dict[str, Any]:
        """Return the hand; if no tricks are entered, the list has None for each seat."""
        hand = super().raw_hand()
        if "tricks_won" in hand or "tricks_won_0" not in self.fields:
            return hand
        return {
            **hand,
            "tricks_won": [None] * self.state.seats,
            "die_tricks": [0] * self.state.seats,
        }

    @property
    def empty_body(self) -> dict[str, Any]:
        return {"contract": {"bidder": None, "tricks": None, "partner": None}}

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        contract, trump = raw.get("contract", {}), raw.get("trump", "")
        return {
            "bidder": contract.get("bidder"),
            "bid": SOLO if contract.get("solo") else contract.get("tricks"),
            "partner": contract.get("partner"),
            "rank": trump[:1],
            "suit": trump[1:],
            **cls.initial_bids(raw),
            **initial_seat_values("tricks_won", raw.get("tricks_won")),
            **initial_seat_values("die_tricks", raw.get("die_tricks")),
        }
