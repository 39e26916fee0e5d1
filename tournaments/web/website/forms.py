"""Options of a frame, in the query of its URL."""

from typing import Any

from django import forms
from django.conf import settings
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models import Club
from tournaments.web.history.forms import ALL

FEW, MOST = 10, 100
"""Lines of a leaderboard: the default and the maximum."""


class FrameKind(TextChoices):
    """A page that a club's own website embeds."""

    LEADERBOARD = "leaderboard", _("Leaderboard")
    LIVE = "live", _("Standings")
    NEXT = "next", _("Nights")


class FrameOptionsForm(forms.Form):
    theme = forms.ChoiceField(
        label=_("Light or dark"),
        required=False,
        choices=[
            ("", _("match the visitor’s device")),
            ("light", pgettext_lazy("theme", "Light")),
            ("dark", pgettext_lazy("theme", "Dark")),
        ],
    )
    lang = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[
            ("", _("the club’s language, otherwise the visitor’s")),
            *settings.LANGUAGES,
        ],
    )
    season = forms.ChoiceField(label=_("Season"), required=False)
    lines = forms.IntegerField(
        label=_("Lines"),
        required=False,
        min_value=1,
        max_value=MOST,
        widget=forms.NumberInput(attrs={"placeholder": FEW}),
    )

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        season = self.fields["season"]
        assert isinstance(season, forms.ChoiceField)
        seasons = [
            (season.slug, season.shown_name) for season in club.seasons.latest_first()
        ]
        season.choices = [
            ("", _("the current season")),
            *seasons,
            (ALL, _("All seasons")),
        ]


class EmbedCodeForm(FrameOptionsForm):
    shows = forms.ChoiceField(
        required=False, choices=FrameKind.choices, widget=forms.HiddenInput
    )
