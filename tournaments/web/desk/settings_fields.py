"""Layout of the settings: six questions first, then folded fieldsets; the tie-break field."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.db.models.fields import NOT_PROVIDED
from django.forms.boundfield import BoundWidget
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from scoring.rules import GAMES
from scoring.web.views.requests import small_number
from tournaments.models import Tournament
from tournaments.standings.tie_breaks import TIE_BREAKS

if TYPE_CHECKING:
    TournamentModelForm = forms.ModelForm[Tournament]
else:
    TournamentModelForm = forms.ModelForm

MOST_TIE_BREAKS = 8
"""Select boxes for tie-breaks, unless a tournament has more already."""


class OrderedSelects(forms.MultiWidget):
    def decompress(self, value: Sequence[str] | None) -> list[str]:
        return list(value or ())


class TieBreaksField(forms.MultiValueField):
    """Codes of tie-breaks in the order in which they decide."""

    def __init__(self, *, places: int = MOST_TIE_BREAKS, **options: Any) -> None:
        choices = [
            ("", "–"),
            *(
                (code, gettext_lazy(tie_break.explanation))
                for code, tie_break in TIE_BREAKS.items()
            ),
        ]
        fields = [
            forms.ChoiceField(choices=choices, required=False)
            for _place in range(places)
        ]
        lists = [
            forms.Select(choices=choices, attrs={"aria-label": f"{place}."})
            for place in range(1, places + 1)
        ]
        super().__init__(
            fields, widget=OrderedSelects(lists), require_all_fields=False, **options
        )

    def compress(self, data_list: Sequence[str]) -> list[str]:
        """Return the chosen codes. Raises ValidationError if one is chosen twice."""
        chosen = [name for name in data_list if name]
        if len(set(chosen)) < len(chosen):
            raise forms.ValidationError(gettext_lazy("Use each tie-break only once."))
        return chosen


QUESTIONS = {
    "points": (
        gettext_lazy("What decides who wins?"),
        {
            "linear": gettext_lazy("Ranks"),
            "raw": gettext_lazy("Points"),
            "wins": gettext_lazy("Tables won"),
        },
    ),
    "unfinished": (
        gettext_lazy("What if a table runs out of time?"),
        {
            "as_it_stands": gettext_lazy("Counts"),
            "deduct": gettext_lazy("Counts less"),
            "void": gettext_lazy("Doesn’t count"),
        },
    ),
    "quorum": (
        gettext_lazy("Who confirms a result?"),
        {
            "none": gettext_lazy("No one"),
            "one": pgettext_lazy("who agrees", "One"),
            "all": gettext_lazy("Everyone"),
        },
    ),
    "writing": (
        gettext_lazy("Who enters scores at a table?"),
        {
            "card": gettext_lazy("Table card"),
            "own": gettext_lazy("Own phones"),
            "open": gettext_lazy("Anyone"),
        },
    ),
    "autopilot": (
        gettext_lazy("How is the night run?"),
        {
            "off": gettext_lazy("Manual"),
            "help": gettext_lazy("Assisted"),
            "run": gettext_lazy("Automatic"),
        },
    ),
    "standings_shown": (
        gettext_lazy("When are standings public?"),
        {
            "live": gettext_lazy("Always"),
            "closed": gettext_lazy("Each round"),
            "finished": gettext_lazy("At the end"),
        },
    ),
}
"""The question of each field, and short labels of its answers."""
FIELDSETS = {
    gettext_lazy("Game and time"): (
        "name", "starts_at", "format", "game", "game_choice", "games", "target", "contests",
        "hands", "lowest_wins", "title",
    ),
    gettext_lazy("Rounds and tables"): (
        "rounds_planned", "minutes", "table_size", "least_size", "most_size",
        "final_size", "advance", "strictness", "grace", "counts_late",
    ),
    gettext_lazy("Scoring"): (
        "points", "places", "tie_breaks", "best_tables", "bye", "deduction",
    ),
    gettext_lazy("Invitation and registration"): (
        "listing", "venue", "fee", "invitation", "capacity",
        "registration_opens_at", "registration_closes_at",
    ),
}  # fmt: skip
DEFAULTS = {
    field.name: field.default
    for field in Tournament._meta.concrete_fields
    if field.default is not NOT_PROVIDED
}
NEEDS = {
    "rounds_planned": "rounds",
    "bye": "rounds",
    "final_size": "rounds cut",
    "advance": "rounds",
    "strictness": "swiss",
    "grace": "rounds auto",
    "counts_late": "rounds auto",
    "games": "games",
    "hands": "pad",
    "lowest_wins": "pad",
    "title": "pad",
    "deduction": "deduct",
    "places": "places",
}
"""Choices in other fields that make a field relevant; settings.css hides irrelevant ones."""


class SettingAnswer(NamedTuple):
    """An answer to a question, as a short label and as a sentence."""

    widget: BoundWidget
    label: str
    hint: str


class SettingQuestion(NamedTuple):
    """A field shown as a question with two or three answers."""

    text: str
    field: forms.BoundField
    answers: Sequence[SettingAnswer]


class FoldedField(NamedTuple):
    """A field, its needed choices (see `NEEDS`), and the answers missing from its question."""

    field: forms.BoundField
    needs: str
    answers: Sequence[BoundWidget]


class Fieldset(NamedTuple):
    """Fields that are rarely changed, and a summary of their values."""

    legend: str
    fields: Sequence[FoldedField]
    summary: str
    is_open: bool


class SettingsForm(TournamentModelForm):
    """The settings of a tournament in the layout of their page."""

    def questions(self) -> Iterator[SettingQuestion]:
        """Yield the questions, each with the short answers that the form offers."""
        for name, (text, labels) in QUESTIONS.items():
            answers = [
                SettingAnswer(widget, str(labels[value]), str(widget.data["label"]))
                for widget in self[name].subwidgets
                if (value := str(widget.data["value"])) in labels
            ]
            yield SettingQuestion(str(text), self[name], answers)

    def fieldsets(self) -> Iterator[Fieldset]:
        """Yield the other fields by subject; open if one has errors or no game is chosen."""
        for legend, names in FIELDSETS.items():
            fields = []
            for name in names:
                other_answers: list[BoundWidget] = []
                if name in QUESTIONS:
                    _text, labels = QUESTIONS[name]
                    other_answers = [
                        widget
                        for widget in self[name].subwidgets
                        if str(widget.data["value"]) not in labels
                    ]
                needs = NEEDS.get(name, "")
                fields.append(FoldedField(self[name], needs, other_answers))
            is_refused = any(folded.field.errors for folded in fields)
            lacks_game = "game" in names and not self["game"].value()
            yield Fieldset(
                str(legend), fields, self._summary(names), is_refused or lacks_game
            )

    def refused_ids_and_labels(self) -> list[tuple[str, str]]:
        """Return the ids and labels of fields with errors, in the order of the page."""
        names = [*QUESTIONS, *(name for names in FIELDSETS.values() for name in names)]
        return [
            # A group of inputs has no id of its own: link to the first input.
            (
                field.id_for_label or f"{field.auto_id}_0",
                str(
                    QUESTIONS[field.name][0] if field.name in QUESTIONS else field.label
                ),
            )
            for field in (self[name] for name in dict.fromkeys(names))
            if field.errors
        ]

    def rounds_sentence(self) -> str:
        """Return the number and length of the rounds, as a sentence; empty without a number."""
        if self["format"].value() == Tournament.Format.LEAGUE:
            return _("In a league, any match between members counts.")
        rounds, minutes = self["rounds_planned"].value(), self["minutes"].value()
        number = small_number(str(rounds))
        if number is None:
            return ""
        text = ngettext(
            "%(rounds)s round of %(minutes)s minutes.",
            "%(rounds)s rounds of %(minutes)s minutes.",
            number,
        )
        return text % {"rounds": rounds, "minutes": minutes}

    def _summary(self, names: Iterable[str]) -> str:
        if "game" in names:
            game = GAMES.get(str(self["game"].value()))
            starts = self["starts_at"].value()
            if not isinstance(starts, datetime):
                # An invalid form has the text as it was sent.
                try:
                    starts = parse_datetime(str(starts))
                except ValueError:
                    starts = None
            day = date_format(starts, "SHORT_DATETIME_FORMAT") if starts else ""
            return " · ".join(filter(None, [_(game.name) if game else "", day]))
        is_league = self["format"].value() == Tournament.Format.LEAGUE
        if "table_size" in names and not is_league:
            field_names = ("rounds_planned", "minutes", "table_size")
            text = _("%(rounds_planned)s × %(minutes)s min, tables of %(table_size)s")
            return text % {name: self[name].value() for name in field_names}
        changed_count = sum(not self._is_usual(name) for name in names)
        if not changed_count:
            return _("default settings")
        return ngettext("%(n)s changed", "%(n)s changed", changed_count) % {
            "n": changed_count
        }

    def _is_usual(self, name: str) -> bool:
        value = self[name].value()
        if isinstance(value, list):
            value = [part for part in value if part]
        if name in QUESTIONS:
            _text, labels = QUESTIONS[name]
            return value is None or value in labels
        if value in (None, ""):
            return True
        usual = self.fields[name].initial
        if usual is None:
            usual = DEFAULTS.get(name, "")
        return str(value) == str(usual)
