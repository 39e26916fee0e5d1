"""Entering a contest of DB2T."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.db2t.pieces import DICE, TIER_NAMES, describe_roll_count
from scoring.games.entry_form import (
    EntryForm,
    choice_field,
    flag_field,
    initial_seat_values,
    int_or_none_if_empty,
    number_field,
)
from scoring.games.record_paths import path_attrs, value_attrs
from scoring.locales.sentences import join_names
from scoring.rules.db2t.contest import REROLLS
from scoring.rules.db2t.tiers import (
    DICE_SETS,
    TIERS,
    matching_tiers,
    possible_responses,
)


class ActorFields(NamedTuple):
    """The name of an actor, with the fields for the dice and for declaring trump."""

    name: str
    dice: list[forms.BoundField]
    plays_trump: forms.BoundField


class DB2TForm(EntryForm):
    """The inciter, the tier, and the dice of every actor."""

    accepts_partial_hands = True

    tier = choice_field(
        _("Tier"),
        [(tier, TIER_NAMES[tier]) for tier in TIERS],
        place=path_attrs("tier"),
    )
    difficulty = flag_field(_("Difficult (re-roll all three dice)"), "difficulty")
    ended = flag_field(_("This was the last contest"), "ended")

    def add_hand_fields(self) -> None:
        self.fields["inciter"] = choice_field(
            _("Who begins the contest?"), self.seat_choices, place=path_attrs("inciter")
        )
        self.fields["trump"] = choice_field(
            _("Trump tier"),
            [("", _("none")), *((tier, TIER_NAMES[tier]) for tier in TIERS)],
            place=path_attrs("trump", default=self.state.options["trump"] or ""),
            meanings={"": value_attrs(None)},
        )
        self.fields["trump"].initial = self.state.options["trump"] or ""
        self.fields["difficulty"].initial = self.state.options["difficulty"]
        for seat, name in self.seat_choices:
            for die, faces in enumerate(DICE_SETS[self.state.options["dice"]]):
                self.fields[f"dice_{seat}_{die}"] = number_field(
                    _("%(name)s’s die %(number)s") % {"name": name, "number": die + 1},
                    least=1,
                    most=faces,
                    digits=1,
                    pad="grid",
                    place=path_attrs(f"actors[{seat}].dice[{die}]"),
                )
            declared = f"actors[{seat}].declared"
            self.fields[f"plays_trump_{seat}"] = flag_field(
                _("%(name)s declares trump") % {"name": name}, declared, value="trump"
            )
            self.fields[f"discarded_{seat}"] = flag_field(name, declared, value=None)
            self.fields[f"rerolls_{seat}"] = choice_field(
                name,
                [(count, str(count)) for count in REROLLS],
                place=path_attrs(f"rerolls[{seat}]", default=0),
            )

    @property
    def required_field_names(self) -> list[str]:
        """Return the inciter's fields and the tier; other actors may have taken no part."""
        return _required_names(self.data.get("inciter", ""))

    @property
    def required_step_names(self) -> list[str]:
        return _required_names("{inciter}")

    @property
    def is_complete(self) -> bool:
        dice_counts = [
            sum(self.is_filled(f"dice_{seat}_{die}") for die in range(DICE))
            for seat in range(self.state.seats)
        ]
        return super().is_complete and set(dice_counts) <= {0, DICE}

    @property
    def is_savable_while_unfinished(self) -> bool:
        """Return whether the contest is unfinished, which is not a fault."""
        return not self.is_complete

    @property
    def declarable_tiers(self) -> tuple[str, ...]:
        """Return the tiers that the inciter can declare; all tiers if the dice are unknown."""
        dice = self._entered_values(
            int_or_none_if_empty(self.cleaned_data.get("inciter"))
        )
        return matching_tiers(dice) if len(dice) == DICE else tuple(TIERS)

    @property
    def checked_dice_text(self) -> str:
        """Return every entered die as text, so that a phone knows which values were checked."""
        seats, dice = range(self.state.seats), range(DICE)
        values = (self.data.get(f"dice_{seat}_{die}") for seat in seats for die in dice)
        return " ".join(str(value or "-") for value in values)

    @property
    def optional_trump_seats(self) -> list[int]:
        """Return the seats that can declare trump but do not have to."""
        tier = self.cleaned_data.get("tier")
        trump = self.cleaned_data.get("trump") or None
        if not tier or not trump:
            return []
        return [
            seat
            for seat in range(self.state.seats)
            if seat != int_or_none_if_empty(self.cleaned_data.get("inciter"))
            and len(dice := self._entered_values(seat)) == DICE
            and len(possible_responses(dice, tier, trump)) > 1
        ]

    @property
    def seats_able_to_follow(self) -> list[int]:
        """Return the seats that can follow the inciter, so that their discard would be a mistake."""
        tier = self.cleaned_data.get("tier")
        inciter = int_or_none_if_empty(self.cleaned_data.get("inciter"))
        return [
            seat
            for seat in range(self.state.seats)
            if seat != inciter and _meets_tier(self._entered_values(seat), tier)
        ]

    @property
    def entry_progress(self) -> str:
        """Return a sentence on the number of rolls and the actors that may still declare trump."""
        rolled_seats = [
            seat
            for seat in range(self.state.seats)
            if len(self._entered_values(seat)) == DICE
        ]
        roll_count = describe_roll_count(len(rolled_seats), self.state.seats)
        names = [
            self.names[seat]
            for seat in self.optional_trump_seats
            if not self.cleaned_data.get(f"plays_trump_{seat}")
        ]
        if not names:
            return roll_count
        template = ngettext(
            "%(names)s may declare trump.", "%(names)s may declare trump.", len(names)
        )
        return f"{roll_count} {template % {'names': join_names(names)}}"

    @property
    def log_note(self) -> str:
        """Return the re-rolls that were used (db2t.roll)."""
        counts = zip(self.names, self.entered_numbers_by_seat("rerolls"), strict=True)
        rerolls = [
            f"{name} {count}" for name, count in counts if int_or_none_if_empty(count)
        ]
        if not rerolls:
            return ""
        return gettext("re-rolls: %(used)s") % {"used": ", ".join(rerolls)}

    def _entered_values(self, seat: int | None) -> list[int]:
        dice = [self.cleaned_data.get(f"dice_{seat}_{die}") for die in range(DICE)]
        return [value for value in dice if value is not None]

    @property
    def actor_fields_by_seat(self) -> list[ActorFields]:
        return [
            ActorFields(
                name,
                [self[f"dice_{seat}_{die}"] for die in range(DICE)],
                self[f"plays_trump_{seat}"],
            )
            for seat, name in enumerate(self.names)
        ]

    @property
    def empty_body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"inciter": None, "tier": None}
        body["actors"] = [None] * self.state.seats
        if self.state.options["difficulty"]:
            body["difficulty"] = False
        return body

    def find_field_name(self, path: str) -> str | None:
        """Return the field for a fault; faults of an actor appear at the first die."""
        if path.startswith("actors["):
            return f"dice_{path[7]}_0"
        return super().find_field_name(path)

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        initial: dict[str, Any] = {
            "inciter": raw.get("inciter"),
            "tier": raw.get("tier"),
            "ended": raw.get("ended", False),
        }
        if "difficulty" in raw:
            initial["difficulty"] = raw["difficulty"]
        if "trump" in raw:
            initial["trump"] = raw["trump"] or ""
        initial |= initial_seat_values("rerolls", raw.get("rerolls"))
        for seat, actor in enumerate(raw.get("actors", ())):
            if actor is None:
                continue
            for die, value in enumerate(actor["dice"]):
                initial[f"dice_{seat}_{die}"] = value
            declared, tier = actor.get("declared"), raw.get("tier")
            initial[f"plays_trump_{seat}"] = declared not in (None, tier)
            initial[f"discarded_{seat}"] = (
                declared is None
                and "declared" in actor
                and _meets_tier(actor["dice"], tier)
            )
        return initial


def _required_names(inciter: object) -> list[str]:
    return ["inciter", *(f"dice_{inciter}_{die}" for die in range(DICE)), "tier"]


def _meets_tier(dice: Sequence[Any], tier: Any) -> bool:
    """Return whether all dice are entered and meet the tier."""
    is_complete = len(dice) == DICE and all(isinstance(value, int) for value in dice)
    return is_complete and tier in TIERS and TIERS[tier](dice)
