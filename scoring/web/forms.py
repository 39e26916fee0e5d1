"""Forms of the scorepad for all games: a new match, a seat, a reason, a trick."""

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.competition import SimilarPerson
from scoring.games.record_paths import path_attrs, value_attrs
from scoring.games.registry import table_game, table_games
from scoring.games.text_fields import NameField, ShortTextField
from scoring.matchlog.starting import find_player_by_name
from scoring.models import Player
from scoring.models.log import LONGEST_REASON
from scoring.models.matches import game_choices
from scoring.rules.match_record import LONGEST_NAME

MOST_SEATS = 8
"""The largest number of seats in any game; see the constraint `seat_of_eight`."""
REASONS = (
    ("mistyped", _("mistyped")),
    ("wrong player", _("wrong player")),
    ("agreed at the table", _("agreed at the table")),
    ("other", _("other")),
)


class NewMatchForm(forms.Form):
    """Game, names in seat order, and options other than the defaults."""

    key = forms.UUIDField(
        widget=forms.HiddenInput(attrs={"data-per-visit": ""}), initial=uuid4
    )
    game = forms.ChoiceField(
        label=_("Game"),
        choices=game_choices,
        widget=forms.RadioSelect,
    )

    def __init__(
        self, *args: Any, recent: Sequence[Player] = (), **options: Any
    ) -> None:
        """Offer the names of `recent` players."""
        super().__init__(*args, **options)
        self.recent = recent
        for name, games in self.game_ids_by_option_field.items():
            field = deepcopy(table_game(games[0]).option_fields[name])
            place = path_attrs(f"options.{name}")
            if isinstance(field, forms.BooleanField):
                place = {**place, **value_attrs(True)}
            field.widget.attrs = {**place, **field.widget.attrs}
            self.fields[name] = field
        for seat in range(MOST_SEATS):
            self.fields[f"name_{seat}"] = NameField(
                label=_("Seat %(number)s") % {"number": seat + 1},
                required=False,
                max_length=LONGEST_NAME,
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "off",
                        "placeholder": _("Seat %(number)s") % {"number": seat + 1},
                        "list": "recent-players",
                        **path_attrs(f"players[{seat}]", parse_as="text"),
                    }
                ),
            )

    @property
    def name_fields(self) -> list[forms.BoundField]:
        return [self[f"name_{seat}"] for seat in range(MOST_SEATS)]

    @cached_property
    def game_ids_by_option_field(self) -> dict[str, list[str]]:
        """Return the ids of the games that have an option, by its name."""
        games: dict[str, list[str]] = {}
        for game in table_games():
            for name in game.option_fields:
                games.setdefault(name, []).append(game.id)
        return games

    @property
    def option_fields(self) -> list[tuple[forms.BoundField, list[str]]]:
        return [
            (self[name], games) for name, games in self.game_ids_by_option_field.items()
        ]

    @property
    def names(self) -> list[str]:
        """Return the names in seat order, without empty seats."""
        seat_names = [
            self.cleaned_data.get(f"name_{seat}", "") for seat in range(MOST_SEATS)
        ]
        return [name for name in seat_names if name]

    @property
    def players_by_name(self) -> dict[str, Player]:
        known_players = {
            name: find_player_by_name(name, self.recent) for name in self.names
        }
        return {name: player for name, player in known_players.items() if player}

    @property
    def options(self) -> dict[str, Any]:
        names = table_game(self.cleaned_data["game"]).option_fields
        values = {name: self.cleaned_data[name] for name in names}
        # The rules refuse 0.
        return {
            name: value
            for name, value in values.items()
            if value or (value == 0 and value is not False)
        }


SOMEBODY_ELSE = "new"
IS = "is:"
"""Prefix of a known person's name in an answer."""
ANOTHER_NAME = "another name"
SEAT_REASONS = (
    (gettext_noop("plays on for somebody"), _("takes over for someone")),
    (gettext_noop("sat at the wrong seat"), _("sat in the wrong seat")),
    (ANOTHER_NAME, _("another name")),
    ("other", _("other")),
)


class FromHandField(forms.TypedChoiceField):
    """The first hand of a new player at a seat."""

    def __init__(
        self,
        *,
        next_number: int,
        later_choices: Sequence[tuple[int, str]] = (),
        **options: Any,
    ) -> None:
        """Offer every hand up to `next_number`, the next one, and the `later_choices` choices."""
        next_hand = gettext("Hand %(n)s (next)") % {"n": next_number}
        choices = [(next_number, next_hand), *later_choices]
        choices += [
            (hand, gettext("Hand %(n)s") % {"n": hand})
            for hand in range(next_number - 1, 1, -1)
        ]
        if next_number > 1:
            choices.append((1, gettext("From the start")))
        super().__init__(
            coerce=int,
            choices=choices,
            initial=next_number,
            error_messages={
                "required": _(
                    "A hand has already been entered. Choose the first hand this applies "
                    "to."
                ),
            },
            **options,
        )


class ReseatForm(forms.Form):
    """The new player of a seat, and their first hand."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    seat = forms.TypedChoiceField(
        label=_("Who’s leaving?"), coerce=int, widget=forms.RadioSelect
    )
    name = NameField(
        label=_("Who’s taking over?"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "recent-players"}),
    )

    reason = forms.ChoiceField(
        label=_("Why?"),
        choices=SEAT_REASONS,
        widget=forms.RadioSelect,
        initial=SEAT_REASONS[0][0],
    )

    def __init__(
        self, *args: Any, names: Sequence[str], next_number: int, **options: Any
    ) -> None:
        """Offer the seats by their players' names; ask for a hand if one is in."""
        super().__init__(*args, **options)
        if next_number > 1:
            self.fields["from_hand"] = FromHandField(
                label=gettext("From which hand?"),
                next_number=next_number,
            )
        seat = self.fields["seat"]
        assert isinstance(seat, forms.TypedChoiceField)
        seat.choices = list(enumerate(names))
        self.ambiguous_name = ""
        """The name with an open question about the person; empty if none."""

    def resolve_name(self, namesakes: Sequence[SimilarPerson]) -> str | None:
        """Return the name of the person; None if the form has to ask first."""
        name: str = self.cleaned_data["name"]
        if not namesakes:
            return name
        choices = self.add_namesake_answers(name, namesakes)
        answer = self.data.get("meant", "")
        if self.data.get("asked") != name or answer not in choices:
            self.add_error("meant", gettext("Choose who you mean."))
            return None
        return name if answer == SOMEBODY_ELSE else answer.removeprefix(IS)

    def add_namesake_answers(
        self, name: str, namesakes: Sequence[SimilarPerson]
    ) -> Collection[str]:
        """Add a question about the person with a name; return the possible answers."""
        self.ambiguous_name = name
        choices = [
            *((f"{IS}{namesake.name}", namesake.text) for namesake in namesakes),
            (SOMEBODY_ELSE, gettext("someone else")),
        ]
        self.fields["meant"] = forms.ChoiceField(
            label=gettext("Who is “%(name)s”?") % {"name": name},
            choices=choices,
            widget=forms.RadioSelect,
            required=False,
        )
        return dict(choices)


class ReasonForm(forms.Form):
    """The reason for a change of a hand."""

    reason = forms.ChoiceField(
        label=_("Why?"), choices=REASONS, widget=forms.RadioSelect, initial="mistyped"
    )


class NoteForm(forms.Form):
    """A note on a hand."""

    note = ShortTextField(
        label=_("Note"),
        required=False,
        max_length=LONGEST_REASON,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "placeholder": _("For example: Tom misdealt")}
        ),
    )


Laid = tuple[int, str]
"""A seat, and the kind of its pieces: `ante` or `play`."""


class ChangeTrickForm(forms.Form):
    """The pieces of each seat in a trick."""

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    base = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        *args: Any,
        laid: Mapping[Laid, Sequence[str]],
        names: Sequence[str],
        **options: Any,
    ) -> None:
        """Add a field for each entry of `laid`, which is in playing order."""
        super().__init__(*args, **options)
        self.laid = laid
        for (seat, piece_kind), pieces in laid.items():
            label = _("%(name)s (ante)") if piece_kind == "ante" else "%(name)s"
            self.fields[f"{piece_kind}_{seat}"] = forms.CharField(
                label=label % {"name": names[seat]},
                max_length=40,
                initial=" ".join(pieces),
                widget=forms.TextInput(
                    attrs={
                        "autocomplete": "off",
                        "data-pieces": "one",
                        "data-max": len(pieces),
                    }
                ),
            )

    def clean(self) -> dict[str, Any]:
        """Refuse a different number of pieces for a seat: an extra one would count as the next seat's."""
        cleaned = super().clean() or {}
        for (seat, piece_kind), pieces in self.laid.items():
            name = f"{piece_kind}_{seat}"
            if name in cleaned and len(cleaned[name].split()) != len(pieces):
                message = ngettext(
                    "Enter one card or die.",
                    "Enter %(n)s cards or dice.",
                    len(pieces),
                )
                self.add_error(name, message % {"n": len(pieces)})
        return cleaned

    @property
    def pieces(self) -> dict[Laid, Sequence[str]]:
        """Return the entered pieces, by seat and kind."""
        return {
            (seat, piece_kind): self.cleaned_data[f"{piece_kind}_{seat}"].split()
            for seat, piece_kind in self.laid
        }
