"""Entering a hand of Tricky."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from scoring.games.entry_form import (
    EntryFormWithBids,
    choice_field,
    flag_field,
    initial_seat_values,
    number_field,
)
from scoring.games.record_paths import path_attrs, value_attrs
from scoring.locales.numbers import format_number
from scoring.rules.tricky.game import LEAST_PER_SEAT, MOST_PER_SEAT

NO_TRUMP_CHOICE = "none"


class TrickyForm(EntryFormWithBids):
    """Bidder, bid, trump, and the points of each player."""

    share_prefix = "points"

    passed_out = flag_field(
        _("Everyone passed"),
        "passed_out",
        **{"data-final-choice": True, "data-exclusive": True},
    )

    contract_fields = ("bidder", "bid", "trump")

    def add_hand_fields(self) -> None:
        self.fields["bidder"] = choice_field(
            _("Who won the bidding?"),
            self.seat_choices,
            place=path_attrs("contract.bidder"),
        )
        least = self.state.options["minimum_bid"]
        self.fields["bid"] = number_field(
            _("Bid (at least %(least)s)") % {"least": least},
            least=least,
            place=path_attrs("contract.bid"),
        )
        trumps = [(number, str(number)) for number in range(1, 21)]
        self.fields["trump"] = choice_field(
            _("Trump"),
            [*trumps, (NO_TRUMP_CHOICE, _("none"))],
            place=path_attrs("contract.trump"),
            meanings={NO_TRUMP_CHOICE: value_attrs(None)},
        )
        self.add_seat_number_fields(
            "points", most=MOST_PER_SEAT * self.state.seats, row=_("Points")
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        entered_fields = [field for field in ("bidder", "bid") if self.is_filled(field)]
        if cleaned.get("passed_out") and entered_fields:
            message = _(
                "Either everyone passed or someone won the bid. Undo one of them."
            )
            self.add_error("passed_out", forms.ValidationError(message))
        return cleaned

    @property
    def required_field_names(self) -> list[str]:
        if self.is_filled("passed_out"):
            return []
        return [*self.contract_fields, *self.seat_field_names("points")]

    @property
    def entry_progress(self) -> str:
        points = [
            number
            for number in self.entered_numbers_by_seat("points")
            if number is not None
        ]
        if not points or self.cleaned_data.get("passed_out"):
            return ""
        seats = self.state.seats
        return ngettext(
            "Total: %(sum)s point (%(least)s to %(most)s).",
            "Total: %(sum)s points (%(least)s to %(most)s).",
            sum(points),
        ) % {
            "sum": format_number(sum(points)),
            "least": LEAST_PER_SEAT * seats,
            "most": MOST_PER_SEAT * seats,
        }

    @property
    def empty_body(self) -> dict[str, Any]:
        return {"contract": {"bidder": None, "bid": None}}

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        contract = raw.get("contract", {})
        trump = contract.get("trump", "")
        return {
            "passed_out": raw.get("passed_out", False),
            "bidder": contract.get("bidder"),
            "bid": contract.get("bid"),
            "trump": NO_TRUMP_CHOICE if trump is None else trump,
            **cls.initial_bids(raw),
            **initial_seat_values("points", raw.get("points")),
        }
