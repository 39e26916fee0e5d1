"""Starting a match, and the reason of a correction."""

import re
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.models import Player
from scoring.rules import GAMES
from scoring.rules.record import LONGEST_NAME
from scoring.rules.tricks_and_treats.pieces import DEFAULT_MIX

MOST_SEATS = max(game.seats[-1] for game in GAMES.values())
USUAL_MIX = ", ".join(
    f"{kind.replace('_', ' ')} {count}" for kind, count in DEFAULT_MIX.items()
)
OPTIONS = {
    "tricky": ("target",),
    "tricky_dice": ("target", "tricks_scored"),
    "tricky_bid": ("multiple",),
    "tricks_and_treats": ("treats", "shrinking_deck"),
    "db2t": ("contests", "dice"),
}
REASONS = (
    ("mistyped", _("mistyped")),
    ("wrong player", _("wrong player")),
    ("agreed at the table", _("agreed at the table")),
    ("other", _("other")),
)


def player_named(name: str, offered: Sequence[Player]) -> Player | None:
    """Return the first of those offered who has the name, written large or small."""
    wanted = name.casefold()
    return next((one for one in offered if one.name.casefold() == wanted), None)


class TreatMixField(forms.CharField):
    """How many of each treat there are, as in `bomb 1, candy 4`; empty for the usual."""

    def clean(self, value: Any) -> dict[str, int]:
        """Return the mix by kind; whether it can be, the rules say (treats.tokens)."""
        if isinstance(value, Mapping):
            # A phone that starts the same match again says it as a record does.
            return dict(value)
        mix: dict[str, int] = {}
        for part in re.split(r"[,;\n]+", super().clean(value)):
            *words, count = part.split() or [""]
            if not words and not count:
                continue
            kind = "_".join(words).lower()
            known = kind in DEFAULT_MIX and count.isascii() and count.isdigit()
            if not known or len(count) > 2:
                raise forms.ValidationError(
                    _(
                        "“%(part)s” is no treat and its number; write as in “%(usual)s”."
                    ),
                    params={"part": part.strip(), "usual": USUAL_MIX},
                )
            mix[kind] = int(count)
        return mix


class NewMatchForm(forms.Form):
    """Game, names in seat order, and the options that differ from the usual."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    game = forms.ChoiceField(
        label=_("Game"),
        choices=[(game.id, game.name) for game in GAMES.values()],
        widget=forms.RadioSelect,
    )
    target = forms.IntegerField(label=_("Target"), required=False)
    tricks_scored = forms.ChoiceField(
        label=_("Tricky Dice: points"),
        choices=[("", _("by team")), ("own", _("own tricks"))],
        required=False,
    )
    multiple = forms.IntegerField(label=_("Tricky Bid: each deals"), required=False)
    treats = TreatMixField(
        label=_("Tricks and Treats: another mix of the 22 treats"),
        required=False,
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": USUAL_MIX}),
    )
    shrinking_deck = forms.BooleanField(
        label=_("Tricks and Treats: cards leave the deck with their tokens"),
        required=False,
    )
    contests = forms.IntegerField(label=_("DB2T: contests"), required=False)
    dice = forms.ChoiceField(
        label=_("DB2T: dice"),
        choices=[("", "3d6"), ("polyhedral", "d4 d6 d8")],
        required=False,
    )

    def __init__(
        self, *args: Any, recent: Sequence[Player] = (), **options: Any
    ) -> None:
        """Make a form that offers the players seen lately."""
        super().__init__(*args, **options)
        self.recent = recent
        for seat in range(MOST_SEATS):
            self.fields[f"name_{seat}"] = forms.CharField(
                label=_("Seat %(number)s") % {"number": seat + 1},
                required=False,
                max_length=LONGEST_NAME,
                widget=forms.TextInput(
                    attrs={"autocomplete": "off", "list": "recent-players"}
                ),
            )

    @property
    def name_fields(self) -> list[forms.BoundField]:
        """Return the fields of the seats, in order."""
        return [self[f"name_{seat}"] for seat in range(MOST_SEATS)]

    @property
    def option_fields(self) -> list[tuple[forms.BoundField, list[str]]]:
        """Return each option with the games that have it."""
        names = dict.fromkeys(name for options in OPTIONS.values() for name in options)
        return [
            (self[name], [game for game, options in OPTIONS.items() if name in options])
            for name in names
        ]

    @property
    def names(self) -> list[str]:
        """Return the names in seat order, empty seats left out."""
        entered = [
            self.cleaned_data.get(f"name_{seat}", "") for seat in range(MOST_SEATS)
        ]
        return [name for name in entered if name]

    @property
    def players(self) -> dict[str, Player]:
        """Return the people whose names were offered, by name."""
        found = {name: player_named(name, self.recent) for name in self.names}
        return {name: player for name, player in found.items() if player}

    @property
    def options(self) -> dict[str, Any]:
        """Return the options of the chosen game that were given."""
        names = OPTIONS[self.cleaned_data["game"]]
        return {
            name: self.cleaned_data[name] for name in names if self.cleaned_data[name]
        }


SEAT_REASONS = (
    ("plays on for somebody", _("plays on for somebody")),
    ("sat at the wrong seat", _("sat at the wrong seat")),
    ("another name", _("another name")),
    ("other", _("other")),
)


class SeatForm(forms.Form):
    """Who sits at a seat from now on."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    seat = forms.TypedChoiceField(
        label=_("Who leaves the table?"), coerce=int, widget=forms.RadioSelect
    )
    name = forms.CharField(
        label=_("Who plays on in their place?"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "recent-players"}),
    )

    reason = forms.ChoiceField(
        label=_("Why?"),
        choices=SEAT_REASONS,
        widget=forms.RadioSelect,
        initial=SEAT_REASONS[0][0],
    )

    def __init__(self, *args: Any, names: Sequence[str], **options: Any) -> None:
        """Make a form that offers the seats by the names of those who sit there."""
        super().__init__(*args, **options)
        seat = self.fields["seat"]
        assert isinstance(seat, forms.TypedChoiceField)
        seat.choices = list(enumerate(names))


class ReasonForm(forms.Form):
    """Why a hand is changed."""

    reason = forms.ChoiceField(
        label=_("Why?"), choices=REASONS, widget=forms.RadioSelect, initial="mistyped"
    )
