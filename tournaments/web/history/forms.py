"""Forms of leaderboards, seasons and searches."""

from datetime import date
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from scoring.games.text_fields import NameField
from scoring.models.matches import game_choices
from scoring.rules import GAMES
from tournaments.history.hand_search import BidOutcome, BidQuery
from tournaments.history.leaderboard import BoardQuery, Measure
from tournaments.models import Club, Season, Tournament
from tournaments.web.fields import SluggedNameForm

ALL = "all"
"""In URLs, the leaderboard of all seasons."""
MEASURES = {
    Measure.POINTS: _("season points"),
    Measure.AVERAGE: _("average points per table"),
    Measure.WINS: _("wins"),
    Measure.RATING: _("rating"),
}


class OptionalDayField(forms.DateField):
    def __init__(self, **options: Any) -> None:
        widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
        formats = ["%Y-%m-%d"]
        super().__init__(
            required=False, widget=widget, input_formats=formats, **options
        )


class DayUpToTodayField(OptionalDayField):
    """A day up to `today`."""

    today: date

    def validate(self, value: date | None) -> None:
        super().validate(value)
        if value is not None and value > self.today:
            text = _("%(day)s is in the future. Choose a day up to %(today)s.")
            days = {
                "day": date_format(value, "DATE_FORMAT"),
                "today": date_format(self.today, "DATE_FORMAT"),
            }
            raise forms.ValidationError(text % days)


class DaysUpToTodayForm(forms.Form):
    """A form whose fields of past days accept days up to `today`."""

    def __init__(self, *args: Any, today: date, **options: Any) -> None:
        super().__init__(*args, **options)
        for field in self.fields.values():
            if isinstance(field, DayUpToTodayField):
                field.today = today


def _is_reversed(first: date | None, last: date | None) -> bool:
    return first is not None and last is not None and first > last


class LeaderboardFilterForm(DaysUpToTodayForm):
    by = forms.ChoiceField(
        label=_("Sort by"), required=False, choices=list(MEASURES.items())
    )
    game = forms.ChoiceField(
        label=_("Game"),
        required=False,
        choices=lambda: [("", _("all")), *game_choices()],
    )
    format = forms.ChoiceField(
        label=_("Format"),
        required=False,
        choices=lambda: [
            ("", _("all")),
            *(
                (value, str(label).split(":")[0].strip())
                for value, label in Tournament.Format.choices
            ),
        ],
    )
    starts = OptionalDayField(label=_("From"))
    ends = OptionalDayField(label=_("To"))
    as_of = DayUpToTodayField(label=_("As of"))
    against = DayUpToTodayField(label=_("Changes since"))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if _is_reversed(cleaned.get("starts"), cleaned.get("ends")):
            self.add_error("ends", _("The last day is before the first. Swap the two."))
        return cleaned

    def leaderboard_query(self, club: Club, season: Season | None) -> BoardQuery:
        """Return the chosen leaderboard; without filters if one is invalid."""
        chosen = self.cleaned_data if self.is_valid() else {}
        return BoardQuery(
            club=club,
            season=season,
            game=chosen.get("game", ""),
            format=chosen.get("format", ""),
            starts_on=chosen.get("starts"),
            ends_on=chosen.get("ends"),
            as_of=chosen.get("as_of"),
            measure=Measure(chosen.get("by") or Measure.POINTS),
        )


class SeasonForm(SluggedNameForm):
    name_taken = _("A season with that name already exists. Add the year.")
    reserved_slugs = frozenset({"all", "hall-of-fame", "seasons"})

    class Meta:
        model = Season
        fields = [
            "name",
            "starts_on",
            "ends_on",
            "counts",
            "best_of",
            "least_attendance",
            "lasts_days",
            "keep_percent",
        ]
        field_classes = {"name": NameField}
        widgets = {
            "starts_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
            "ends_on": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial["name"] = self.instance.shown_name

    def rows_with_unique_slugs(self) -> QuerySet[Season]:
        club: Club = self.instance.club
        return club.seasons.all()

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if _is_reversed(cleaned.get("starts_on"), cleaned.get("ends_on")):
            self.add_error("ends_on", _("A season can’t end before it starts."))
        return cleaned


LARGEST = 1_000_000
"""No bid of any game is higher."""


class HistorySearchForm(forms.Form):
    q = forms.CharField(
        label=_("Name, tournament, day or month, such as 2026-03-14 or March"),
        max_length=80,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )


class HandSearchForm(forms.Form):
    game = forms.ChoiceField(
        label=_("Game"),
        choices=[(game.id, game.name) for game in GAMES.values() if game.has_contract],
    )
    bid = forms.IntegerField(
        label=_("Minimum bid"), required=False, min_value=0, max_value=LARGEST
    )
    outcome = forms.ChoiceField(
        label=_("Contract"),
        required=False,
        choices=[
            ("", _("made or missed")),
            (BidOutcome.MADE.value, _("made")),
            (BidOutcome.SET.value, _("missed")),
        ],
        widget=forms.RadioSelect,
    )
    bidder = forms.CharField(label=_("Bidder"), required=False, max_length=40)

    def hand_query(self) -> BidQuery:
        chosen = self.cleaned_data
        return BidQuery(
            game=chosen["game"],
            least_bid=chosen["bid"] or 0,
            outcome=BidOutcome(chosen["outcome"]) if chosen["outcome"] else None,
            name=chosen["bidder"].strip(),
        )


def get_season_unless_all(club: Club, slug: str) -> Season | None:
    """Return the season with this slug; None for `ALL`. Raises Http404."""
    return None if slug == ALL else get_object_or_404(club.seasons, slug=slug)
