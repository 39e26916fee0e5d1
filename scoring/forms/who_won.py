"""Who won this trick? Forms that know no match: pieces in playing order, and what decides."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.forms.db2t import TIER_NAMES
from scoring.forms.entry import choice_field
from scoring.forms.pads import (
    COLOUR_KEYS,
    SUIT_KEYS,
    TRICKY_BID_PAD,
    TRICKY_DICE_PAD,
    TRICKY_PAD,
    Pad,
    numbered,
)
from scoring.forms.tricky_dice import SUITS
from scoring.rules import GAMES
from scoring.rules.db2t.tiers import TIERS
from scoring.rules.tricks_and_treats import pieces as treats
from scoring.rules.tricks_and_treats.tricks import GRID
from scoring.rules.tricky.tricks import KINDS
from scoring.rules.tricky_dice.tricks import RANKS, SEATS


class TrickForm(forms.Form):
    """What was played to one trick."""

    game: ClassVar[str]
    pad: ClassVar[Pad]

    plays = forms.CharField(
        label=_("Played, in this order"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "plays"}),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        """Offer as many players as the game has."""
        super().__init__(*args, **options)
        seats = GAMES[self.game].seats
        self.fields["players"].choices = [(seat, str(seat)) for seat in seats]  # type: ignore[attr-defined]

    players = forms.TypedChoiceField(
        label=_("Players"), coerce=int, widget=forms.RadioSelect
    )

    @property
    def pieces(self) -> list[str]:
        """Return the pieces that were tapped, in order."""
        played: str = self.cleaned_data.get("plays", "")
        return played.split()

    @property
    def parts(self) -> list[list[str]]:
        """Return what each player put in; the last part may lack something."""
        each = self.pad.each
        return [
            self.pieces[start : start + each]
            for start in range(0, len(self.pieces), each)
        ]

    @property
    def seats(self) -> int:
        """Return how many play."""
        return int(self.cleaned_data["players"])

    @property
    def names(self) -> list[str]:
        """Return what the players are called here: by their turn."""
        return [
            gettext("Player %(number)s") % {"number": seat + 1}
            for seat in range(self.seats)
        ]

    @property
    def is_whole(self) -> bool:
        """Tell whether everybody has played."""
        return len(self.pieces) >= self.pad.each * self.seats

    @property
    def missing(self) -> str:
        """Return what is asked for, in words; empty for an unknown number of players."""
        turn = len(self.pieces) // self.pad.each
        return gettext("%(name)s: tap what was played.") % {"name": self.names[turn]}

    def document(self) -> dict[str, Any]:
        """Return the trick as `manage.py trick` reads it; the leader is seat 0."""
        return {
            "game": self.game,
            "players": self.seats,
            "leader": 0,
            **self.decided_by(),
        }

    def decided_by(self) -> dict[str, Any]:
        """Return the plays, and whatever else decides the trick."""
        raise NotImplementedError


class TrickyTrick(TrickForm):
    """Two dice a player."""

    game = "tricky"
    pad = TRICKY_PAD
    trump = choice_field(
        _("Trump number"),
        [("", _("none")), *((value, str(value)) for value in range(1, max(KINDS) + 1))],
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the dice and the trump number."""
        trump = self.cleaned_data.get("trump")
        return {"trump": int(trump) if trump else None, "plays": self.parts}


class TrickyDiceTrick(TrickForm):
    """A card or a die a player."""

    game = "tricky_dice"
    pad = TRICKY_DICE_PAD
    trump_rank = choice_field(
        _("Trump die: rank"),
        [(rank, "10" if rank == "T" else rank) for rank in reversed(RANKS)],
        required=True,
    )
    trump_suit = choice_field(_("Trump die: suit"), SUITS, required=True)

    def decided_by(self) -> dict[str, Any]:
        """Return the pieces and the trump die."""
        told = self.cleaned_data
        return {
            "trump": f"{told['trump_rank']}{told['trump_suit']}",
            "plays": self.pieces[:SEATS],
        }


class TrickyBidTrick(TrickForm):
    """A card a player, and the antes where somebody wants to know what they brought."""

    game = "tricky_bid"
    pad = TRICKY_BID_PAD
    trump = choice_field(_("Trump colour"), COLOUR_KEYS, required=True)
    antes = forms.CharField(
        label=_("Antes, in the same order (if you want their points)"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "antes"}),
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the cards and the trump colour."""
        antes = self.cleaned_data.get("antes", "").split()
        told = {"trump": self.cleaned_data["trump"], "plays": self.pieces}
        return {**told, "antes": antes} if antes else told


class TricksAndTreatsTrick(TrickForm):
    """A card a player; the trumps as they lie, and two treats."""

    game = "tricks_and_treats"
    pad = Pad(
        each=1,
        first=SUIT_KEYS,
        second=numbered(SUIT_KEYS, 1, treats.HIGHEST),
        follows=True,
    )
    trumps = forms.CharField(
        label=_("Face-up trumps, the highest first"),
        required=False,
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "data-pieces": "trumps"}),
    )
    evil_eye = forms.CharField(
        label=_("Under an evil eye: players by number, as in 2 3"), required=False
    )
    master_trump = forms.CharField(
        label=_("Played a master trump: players by number"), required=False
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the cards; the trumps are laid so that the first is the highest."""
        told = self.cleaned_data
        return {
            "box": "left",
            "trumps": [
                {"card": card, "row": place % GRID, "column": place // GRID}
                for place, card in enumerate(told.get("trumps", "").split())
            ],
            "plays": self.pieces,
            "evil_eye": _seats_named(told.get("evil_eye", "")),
            "master_trump": _seats_named(told.get("master_trump", "")),
        }


def _seats_named(text: str) -> list[Any]:
    """Return the seats of players that were named by number; words as they are."""
    words = text.replace(",", " ").split()
    return [
        int(word) - 1 if word.isascii() and word.isdigit() and len(word) < 3 else word
        for word in words
    ]


class Db2tContest(TrickForm):
    """Three dice and what was declared, an actor after the other."""

    game = "db2t"
    pad = Pad(
        each=4,
        first=[(str(value), str(value)) for value in range(1, 7)],
        last=[*((tier, TIER_NAMES[tier]) for tier in TIERS), ("-", _("nothing"))],
    )
    tier = choice_field(
        _("Asked for"), [(tier, TIER_NAMES[tier]) for tier in TIERS], required=True
    )
    trump = choice_field(
        _("Trump tier"),
        [("", _("none")), *((tier, TIER_NAMES[tier]) for tier in TIERS)],
    )

    def decided_by(self) -> dict[str, Any]:
        """Return the actors; the inciter is the first."""
        told = self.cleaned_data
        return {
            "tier": told["tier"],
            "trump": told.get("trump") or None,
            "actors": [
                {
                    "dice": [int(die) if die.isdigit() else die for die in part[:3]],
                    "declared": None if part[3:] in ([], ["-"]) else part[3],
                }
                for part in self.parts
            ],
        }

    def document(self) -> dict[str, Any]:
        """Return the contest as `manage.py trick` reads it."""
        return {"game": self.game, "inciter": 0, **self.decided_by()}


TRICK_FORMS: Mapping[str, type[TrickForm]] = {
    form.game: form
    for form in (
        TrickyTrick,
        TrickyDiceTrick,
        TrickyBidTrick,
        TricksAndTreatsTrick,
        Db2tContest,
    )
}
"""The form of a lone trick, by game."""
