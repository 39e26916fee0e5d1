"""Fields of the settings: five questions first, the rest folded; tie-breaks in their order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

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
from tournaments.standings.tie_breaks import NAMES, TIE_BREAKS

if TYPE_CHECKING:
    SettingsForm = forms.ModelForm[Tournament]
else:
    SettingsForm = forms.ModelForm


OFFERED = 8
"""Places in the order, where not more are taken already."""


class InOrder(forms.MultiWidget):
    """A list of choices for each place."""

    def decompress(self, value: Sequence[str] | None) -> list[str]:
        """Return what is chosen for each place."""
        return list(value or ())


class TieBreaksField(forms.MultiValueField):
    """Names of tie-breaks, in the order in which they decide."""

    def __init__(self, *, places: int = OFFERED, **options: Any) -> None:
        """Offer so many places."""
        choices = [
            ("", "–"),
            *((code, gettext_lazy(TIE_BREAKS[code].explanation)) for code in NAMES),
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
            fields, widget=InOrder(lists), require_all_fields=False, **options
        )

    def compress(self, data_list: Sequence[str]) -> list[str]:
        """Return those that were chosen; refuse one that was chosen twice."""
        chosen = [name for name in data_list if name]
        if len(set(chosen)) < len(chosen):
            raise forms.ValidationError(gettext_lazy("Each of them once at most."))
        return chosen


QUESTIONS = {
    "points": (
        gettext_lazy("What decides the night?"),
        {
            "linear": gettext_lazy("Places"),
            "raw": gettext_lazy("Points"),
            "wins": gettext_lazy("Tables won"),
        },
    ),
    "unfinished": (
        gettext_lazy("And a table that is not done in time?"),
        {
            "as_it_stands": gettext_lazy("Counts"),
            "deduct": gettext_lazy("Counts less"),
            "void": gettext_lazy("Is void"),
        },
    ),
    "quorum": (
        gettext_lazy("Who agrees to a result?"),
        {
            "none": gettext_lazy("Nobody"),
            "one": pgettext_lazy("who agrees", "One"),
            "all": gettext_lazy("All"),
        },
    ),
    "writing": (
        gettext_lazy("Who writes the scores at a table?"),
        {
            "card": gettext_lazy("By its card"),
            "own": gettext_lazy("Own phones"),
            "open": gettext_lazy("Anybody"),
        },
    ),
    "autopilot": (
        gettext_lazy("Who runs the night?"),
        {
            "off": gettext_lazy("I'll do it"),
            "help": gettext_lazy("Help me"),
            "run": gettext_lazy("Run it"),
        },
    ),
    "standings_shown": (
        gettext_lazy("When are standings public?"),
        {
            "live": gettext_lazy("Always"),
            "closed": gettext_lazy("By round"),
            "finished": gettext_lazy("At the end"),
        },
    ),
}
"""A question of each field, and its answers in a word or two."""
LEGENDS = {
    "played": gettext_lazy("What is played"),
    "tables": gettext_lazy("Rounds and tables"),
    "counted": gettext_lazy("How it is counted"),
    "entering": gettext_lazy("Invitation and entering"),
}
FIELDS = {
    "played": ("name", "starts_at", "format", "game", "game_choice", "games", "target", "contests"),
    "tables": (
        "rounds_planned", "minutes", "table_size", "least_size", "most_size",
        "final_size", "advance", "strictness", "grace", "counts_late",
    ),
    "counted": ("points", "places", "tie_breaks", "best_tables", "bye", "deduction"),
    "entering": (
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
    "deduction": "deduct",
    "places": "places",
}
"""What has to be chosen elsewhere for a field to mean anything; settings.css hides the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer to a question."""

    widget: BoundWidget
    words: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question with two or three answers, one tap each."""

    words: str
    field: forms.BoundField
    answers: Sequence[Answer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A field in a fold, and what it needs to mean anything."""

    field: forms.BoundField
    needs: str
    answers: Sequence[BoundWidget]
    """Of a field that is a question as well: those which the question leaves out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Fields that most leave as they are, and what they say now."""

    legend: str
    fields: Sequence[Asked]
    said: str
    is_open: bool


def questions(form: SettingsForm) -> Iterator[Question]:
    """Yield the questions with the answers that a form has."""
    for name, (words, short) in QUESTIONS.items():
        answers = [
            Answer(
                widget=widget,
                words=str(short[value]),
                hint=str(widget.data["label"]),
            )
            for widget in form[name].subwidgets
            if (value := str(widget.data["value"])) in short
        ]
        yield Question(words=str(words), field=form[name], answers=answers)


def folds(form: SettingsForm) -> Iterator[Fold]:
    """Yield the other fields by what they are about; open where one is refused.

    What is played is open while no game is chosen.
    """
    for about, names in FIELDS.items():
        fields = [
            Asked(
                field=form[name],
                needs=NEEDS.get(name, ""),
                answers=_left_out(form, name),
            )
            for name in names
        ]
        refused = any(asked.field.errors for asked in fields)
        yield Fold(
            legend=str(LEGENDS[about]),
            fields=fields,
            said=_said(form, about, names),
            is_open=refused or (about == "played" and not form["game"].value()),
        )


def refused(form: SettingsForm) -> list[tuple[str, str]]:
    """Return where the fields are that are refused, and how the page calls them, in its order."""
    names = [*QUESTIONS, *(name for names in FIELDS.values() for name in names)]
    return [
        # Of several that are one field the first.
        (
            field.id_for_label or f"{field.auto_id}_0",
            str(QUESTIONS[field.name][0] if field.name in QUESTIONS else field.label),
        )
        for field in (form[name] for name in dict.fromkeys(names))
        if field.errors
    ]


def evening(form: SettingsForm) -> str:
    """Return the rounds that a form asks for, as a sentence; empty where it has none."""
    if form["format"].value() == Tournament.Format.LEAGUE:
        return _("A league: any match between members counts.")
    rounds, minutes = form["rounds_planned"].value(), form["minutes"].value()
    number = small_number(str(rounds))
    if number is None:
        return ""
    words = ngettext(
        "%(rounds)s round of %(minutes)s minutes.",
        "%(rounds)s rounds of %(minutes)s minutes.",
        number,
    )
    return words % {"rounds": rounds, "minutes": minutes}


def _left_out(form: SettingsForm, name: str) -> list[BoundWidget]:
    if name not in QUESTIONS:
        return []
    _words, short = QUESTIONS[name]
    return [
        widget
        for widget in form[name].subwidgets
        if str(widget.data["value"]) not in short
    ]


def _said(form: SettingsForm, about: str, names: Iterable[str]) -> str:
    """Return what the fields of a fold say now, in a few words."""
    if about == "played":
        game = GAMES.get(str(form["game"].value()))
        starts = _moment(form["starts_at"].value())
        day = date_format(starts, "SHORT_DATETIME_FORMAT") if starts else ""
        return " · ".join(part for part in (game.name if game else "", day) if part)
    if about == "tables" and form["format"].value() != Tournament.Format.LEAGUE:
        wanted = ("rounds_planned", "minutes", "table_size")
        values = {name: form[name].value() for name in wanted}
        return (
            _("%(rounds_planned)s × %(minutes)s min, tables of %(table_size)s") % values
        )
    unusual = sum(not _is_usual(form, name) for name in names)
    if not unusual:
        return _("as usual")
    return ngettext("%(n)s otherwise", "%(n)s otherwise", unusual) % {"n": unusual}


def _moment(value: object) -> datetime | None:
    """Return a moment, also as it was sent; None for what is none."""
    if isinstance(value, datetime):
        return value
    try:
        return parse_datetime(str(value))
    except ValueError:
        return None


def _is_usual(form: SettingsForm, name: str) -> bool:
    value = form[name].value()
    if isinstance(value, list):
        value = [part for part in value if part]
    if name in QUESTIONS:
        _words, short = QUESTIONS[name]
        return value is None or value in short
    if value in (None, ""):
        return True
    usual = form.fields[name].initial
    if usual is None:
        usual = DEFAULTS.get(name, "")
    return str(value) == str(usual)
