"""Hands entered piece by piece: first the contract, then the pieces as played."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.drawing import DrawnPiece, format_with_pieces
from scoring.games.entry_form import EntryForm
from scoring.games.keypad import PieceKeypad
from scoring.games.record_paths import path_attrs
from scoring.locales.numbers import format_number
from scoring.rules import (
    PLAYED_KEY,
    Game,
    LaidPieces,
    NextTurn,
    ParsedHand,
    PlaySoFar,
    Refusal,
    fill_in_derived_parts,
    parse_pieces,
)


class PieceEntryForm(EntryForm):
    """The entry of a hand piece by piece; a complete one becomes a hand with tricks."""

    rules: ClassVar[Game]
    pad: ClassVar[PieceKeypad]
    sum_fields: ClassVar[tuple[str, ...]]
    """Fields of the form for sums that follow from the tricks."""
    accepts_partial_hands = True

    played = forms.CharField(
        label=_("Played so far"),
        required=False,
        max_length=2000,
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "data-pieces": PLAYED_KEY,
                **path_attrs(PLAYED_KEY, parse_as="words"),
            }
        ),
    )

    def add_hand_fields(self) -> None:
        """Add the contract, without the fields that follow from the tricks."""
        super().add_hand_fields()
        for name in [name for name in self.fields if name.startswith(self.sum_fields)]:
            del self.fields[name]

    @property
    def unusual_hand_question(self) -> str:
        """Return nothing: the tricks show what each player took."""
        return ""

    @property
    def empty_body(self) -> dict[str, Any]:
        other_fields = {
            key: value
            for key, value in super().empty_body.items()
            if key not in self.sum_fields
        }
        return {**other_fields, PLAYED_KEY: []}

    def add_screen_only_fields(self) -> None:
        """Add nothing: all fields are on the screen."""

    @property
    def required_field_names(self) -> list[str]:
        """Return the contract and the pieces."""
        return [*self.contract_fields, PLAYED_KEY]

    @property
    def is_contract_complete(self) -> bool:
        """Return whether all fields are filled that come before the first piece."""
        return not self.missing_contract_field_names

    @property
    def required_contract_field_names(self) -> Sequence[str]:
        """Return the fields that come before the first piece."""
        return self.contract_fields

    @property
    def missing_contract_field_names(self) -> Sequence[str]:
        """Return the fields that must be filled before the first piece is played."""
        required = self.required_contract_field_names
        return [name for name in required if not self.is_filled(name)]

    @property
    def piece_texts(self) -> list[str]:
        text: str = self.cleaned_data.get(PLAYED_KEY, "")
        return text.split()

    @cached_property
    def play_so_far(self) -> PlaySoFar | Refusal:
        """Return the state of the hand so far, or its Refusal."""
        try:
            return parse_pieces(self.state, self.raw_unfinished_hand())
        except Refusal as refusal:
            return refusal

    @property
    def is_play_complete(self) -> bool:
        progress = self.play_so_far
        return isinstance(progress, PlaySoFar) and progress.turn is None

    @property
    def is_complete(self) -> bool:
        return self.is_valid() and self.is_play_complete

    @property
    def is_savable_while_unfinished(self) -> bool:
        return not self.is_play_complete

    @property
    def entry_progress(self) -> str:
        """Return nothing: the page shows the play in full."""
        return ""

    def raw_hand(self) -> dict[str, Any]:
        return fill_in_derived_parts(self.state, self.body())

    @classmethod
    def initial_values(cls, raw: Mapping[str, Any]) -> dict[str, Any]:
        pieces = raw.get(PLAYED_KEY) or cls.rules.list_pieces(raw)
        return {**super().initial_values(raw), PLAYED_KEY: " ".join(pieces)}


class PieceRecording:
    """The way in which hands of a game are recorded piece by piece and described during play."""

    form: type[PieceEntryForm]

    def describe_piece(self, piece: str) -> str:
        """Return the name of a piece for the players, from its text in a record."""
        return piece

    def draw_piece(self, piece: str) -> DrawnPiece:
        """Return the drawing of a piece; by default only its name."""
        name = self.describe_piece(piece)
        return DrawnPiece(face=name, name=name)

    def hand_trump(self, hand: ParsedHand) -> str:
        """Return the trump of the whole hand, as written in a record of a trick."""
        return ""

    def is_trump(self, piece: str, trump: str) -> bool:
        """Return whether a played piece is drawn as a trump."""
        return False

    def draw_with_trump(self, piece: str, trump: str) -> DrawnPiece:
        """Return the drawing of a piece in a hand with this trump; trumps are highlighted."""
        return replace(self.draw_piece(piece), is_trump=self.is_trump(piece, trump))

    def next_piece_prompt(
        self, turn: NextTurn, current_trick: Sequence[LaidPieces], name: str
    ) -> str:
        """Return a question for the next piece, with the name of the player."""
        if turn.kind == "trump":
            return gettext("Which card was turned up for trump?")
        if turn.kind == "ante":
            return gettext("%(name)s’s ante") % {"name": name}
        return gettext("%(name)s’s card") % {"name": name}

    def describe_led_pieces(self, led_pieces: Sequence[str]) -> str:
        """Return a sentence on the led pieces and the duty to follow."""
        template = gettext("%(led)s was led. Follow suit if you can.")
        return format_with_pieces(template, led=self.draw_piece(led_pieces[0]))

    def describe_trump(self, hand: ParsedHand, progress: PlaySoFar) -> str:
        """Return a sentence on the current trump; empty if it is not known yet."""
        if not progress.trump:
            return ""
        template = gettext("Trump: %(trump)s.")
        drawing = replace(self.draw_piece(progress.trump), is_trump=True)
        return format_with_pieces(template, trump=drawing)

    def describe_distance_to_goal(
        self, goal: int, points: int, partner: str, *, is_over: bool
    ) -> str:
        """Return a phrase on the distance of the bidder, alone or with a partner, from the bid."""
        values = {
            "left": format_number(abs(goal - points)),
            "goal": format_number(goal),
        }
        if points >= goal:
            template = gettext("%(goal)s made")
        elif is_over:
            template = gettext("%(left)s short of %(goal)s")
        else:
            template = gettext("%(left)s more to make %(goal)s")
        if not partner:
            return template % values
        partner_template = gettext("with %(partner)s, %(how_far)s")
        return partner_template % {"partner": partner, "how_far": template % values}

    def goal(self, hand: ParsedHand) -> int | None:
        """Return the points or tricks that the bidding side needs."""
        return hand.bid

    def led_suit_key(self, led_pieces: Sequence[str]) -> str:
        """Return the first key of the pieces that follow the led ones; empty for none."""
        return ""
