"""A tournament's settings, and penalties."""

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.rules import GAMES, Refusal, start
from tournaments.models import Entry, Tournament
from tournaments.models.tournaments import TIE_BREAKS
from tournaments.standings import NAMES

POSITIVE = re.compile(r"\d{1,6}(/[1-9]\d{0,3})?", re.ASCII)
POINTS = [
    ("linear", _("by place, the same for every table size")),
    ("pairwise", _("players beaten less players ahead")),
    ("wins", _("tables won")),
    ("margin", _("difference to the table's mean")),
    ("raw", _("points of the game")),
]


if TYPE_CHECKING:
    TournamentModelForm = forms.ModelForm[Tournament]
else:
    TournamentModelForm = forms.ModelForm


class WizardForm(forms.Form):
    """How many people, how much time, which game."""

    people = forms.IntegerField(label=_("People"), min_value=3, max_value=400)
    hours = forms.DecimalField(
        label=_("Hours"), min_value=1, max_value=12, max_digits=3, decimal_places=1
    )
    game = forms.ChoiceField(
        label=_("Game"), choices=[(game.id, game.name) for game in GAMES.values()]
    )


class TournamentForm(TournamentModelForm):
    """What a director decides before the first round."""

    points = forms.ChoiceField(label=_("Tournament points"), choices=POINTS)
    tie_breaks = forms.CharField(
        label=_("Tie-breaks, in order"), initial=", ".join(TIE_BREAKS), max_length=300
    )
    target = forms.IntegerField(
        label=_("Points that end a match, if not as usual"), required=False
    )
    starts_at = forms.DateTimeField(
        label=_("Starts at"),
        widget=forms.DateTimeInput(
            attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"
        ),
    )

    class Meta:
        """What of a tournament is typed."""

        model = Tournament
        fields = [
            "name",
            "starts_at",
            "game",
            "format",
            "rounds_planned",
            "table_size",
            "least_size",
            "most_size",
            "minutes",
            "capacity",
            "points",
            "quorum",
            "unfinished",
            "deduction",
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse table sizes that the game cannot be played with."""
        cleaned = super().clean() or {}
        sizes = [
            cleaned.get(name) for name in ("least_size", "table_size", "most_size")
        ]
        least, size, most = sizes
        if least is None or size is None or most is None or "game" not in cleaned:
            return cleaned
        if not least <= size <= most:
            self.add_error(
                "table_size", _("The size lies between the least and the most.")
            )
        seats = GAMES[cleaned["game"]].seats
        if size not in seats:
            self.add_error(
                "table_size",
                _("%(game)s is played by %(least)s to %(most)s.")
                % {
                    "game": GAMES[cleaned["game"]].name,
                    "least": seats[0],
                    "most": seats[-1],
                },
            )
        if self.options() and size in seats:
            try:
                start(cleaned["game"], size, self.options())
            except Refusal as refusal:
                self.add_error("target", str(refusal.faults[0].message))
        cleaned["least_size"] = max(least, seats[0])
        cleaned["most_size"] = min(most, seats[-1])
        return cleaned

    def clean_tie_breaks(self) -> list[str]:
        """Return the tie-breaks; refuse one that is unknown or named twice."""
        chosen: list[str] = self.cleaned_data["tie_breaks"].replace(",", " ").split()
        unknown = [name for name in chosen if name not in NAMES]
        if unknown or len(set(chosen)) < len(chosen):
            raise forms.ValidationError(
                _("Each of these once at most: %(names)s.")
                % {"names": ", ".join(NAMES)}
            )
        return chosen

    def options(self) -> dict[str, int]:
        """Return the options of the game that were given; refuse what it knows not."""
        target = self.cleaned_data.get("target")
        return {} if target is None else {"target": target}

    def save(self, commit: bool = True) -> Tournament:  # noqa: FBT001, FBT002
        """Keep the tournament, with the usual tie-breaks where none were chosen."""
        self.instance.points = self.cleaned_data["points"]
        self.instance.tie_breaks = self.cleaned_data["tie_breaks"]
        self.instance.options = self.options()
        return super().save(commit)


class PenaltyForm(forms.Form):
    """Points taken away from somebody, and why."""

    entry = forms.ModelChoiceField(Entry.objects.none(), label=_("Player"))
    points = forms.CharField(label=_("Points"), max_length=12)
    reason = forms.CharField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, tournament: Tournament, **options: Any) -> None:
        """Make a form that offers the tournament's players."""
        super().__init__(*args, **options)
        entry = self.fields["entry"]
        assert isinstance(entry, forms.ModelChoiceField)
        entry.queryset = tournament.entries.by_number()

    def clean_points(self) -> str:
        """Return the points as an exact number; refuse what is none, or below zero."""
        text = self.cleaned_data["points"].strip()
        points = Fraction(text) if POSITIVE.fullmatch(text) else Fraction()
        if points <= 0:
            raise forms.ValidationError(_("A number above zero, as in 3 or 1/2."))
        return str(points)
