"""A page with every shared component, for developers."""

from dataclasses import replace

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.games.registry import table_games
from tournaments.models import Club

NAMES = ("Rosa", "Amir", "Fleur", "Emil", "Bartholomew", "Ida", "Zoë", "Øyvind")
STYLES = {
    "scoring": ("score", "sheet", "cloth", "home", "entry", "style_guide"),
    "tournaments": ("site", "settings"),
}


class SampleForm(forms.Form):
    """A field of each kind."""

    name = forms.CharField(label="Name")
    rounds = forms.IntegerField(label="Number with an error", max_value=9)
    format = forms.ChoiceField(
        label="Select", choices=[("swiss", "Swiss"), ("league", "League")]
    )
    shown = forms.ChoiceField(
        label="Radio buttons",
        choices=[
            ("live", "Live"),
            ("closed", "After each round"),
            ("end", "At the end"),
        ],
        widget=forms.RadioSelect,
    )
    agreed = forms.BooleanField(label="Checkbox")


@require_safe
def style_guide(request: HttpRequest) -> HttpResponse:
    """Show every component in each state."""
    fields = SampleForm(
        {"name": "Rosa", "rounds": "12", "format": "swiss", "shown": "closed"}
    )
    fields.is_valid()
    pieces = [
        [piece for piece in map(game.find_drawing, game.sample_pieces) if piece]
        for game in table_games()
    ]
    trumps = [replace(row[-1], is_trump=True) for row in pieces if row]
    icons = settings.BASE_DIR / "templates" / "scoring" / "icons"
    context = {
        "styles": [
            f"{app}/bundles/{name}.css"
            for app, names in STYLES.items()
            for name in names
        ],
        "club": Club(name="Example club", slug="example", colour="#0f5c6e"),
        "fields": fields,
        "games": table_games(),
        "icons": sorted(file.stem for file in icons.glob("*.html")),
        "names": NAMES,
        "pieces": [*filter(None, pieces), trumps],
        "badges": ("ok", "run", "wait", "bad", "off"),
        "suits": "SHDC",
        "tones": ("ok", "wait", "bad"),
    }
    return render(request, "style_guide.html", context)
