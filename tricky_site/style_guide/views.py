"""The page of all parts, and each letter by itself."""

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.games.registry import table_games
from tricky_site.style_guide import samples
from tricky_site.style_guide.nights import night_sample
from tricky_site.style_guide.tournaments import event_sample

SECTIONS = [
    ("Cloths", "style_guide/cloths.html"),
    ("Bars", "style_guide/bars.html"),
    ("Words", "style_guide/words.html"),
    ("Acts", "style_guide/acts.html"),
    ("Menus", "style_guide/menus.html"),
    ("Fields", "style_guide/fields.html"),
    ("Pieces", "style_guide/pieces.html"),
    ("Tricks", "style_guide/tricks.html"),
    ("Entries", "style_guide/entries.html"),
    ("Keys", "style_guide/keys.html"),
    ("Tally", "style_guide/tally.html"),
    ("Matches", "style_guide/matches.html"),
    ("Boards", "style_guide/boards.html"),
    ("Podium", "style_guide/podium.html"),
    ("Charts", "style_guide/charts.html"),
    ("History", "style_guide/history.html"),
    ("Underway", "style_guide/underway.html"),
    ("Onward", "style_guide/onward.html"),
    ("Nights", "style_guide/nights.html"),
    ("Letters", "style_guide/letters.html"),
    ("Tournaments", "style_guide/tournaments.html"),
]
STYLES = [
    *(
        f"scoring/bundles/{name}.css"
        for name in (
            "score",
            "sheet",
            "cloth",
            "race",
            "chart",
            "home",
            "entry",
            "felt",
            "board",
            "style_guide",
        )
    ),
    *(
        f"tournaments/bundles/{name}.css"
        for name in ("site", "history", "settings", "tile", "night")
    ),
]


@require_safe
def style_guide(request: HttpRequest) -> HttpResponse:
    """Show every part in every state."""
    played = list(samples.played_samples())
    context = {
        "sections": SECTIONS,
        "styles": STYLES,
        "games": table_games(),
        "names": samples.NAMES,
        "tones": samples.TONES,
        "badges": samples.BADGES,
        "icons": icon_names(),
        "pieces": samples.pieces(),
        "suits": "SHDC",
        "felt": samples.felt_sample(),
        "bids": samples.bids_sample(),
        "fields": samples.fields_sample(),
        "letters": samples.letters(),
        "steps": samples.podium_sample(),
        "charts": samples.charts(),
        "heat": samples.heat_sample(),
        "places": [1, 2, 3, 1, 4],
        "played": played,
        "entered": [sample for sample in played if sample.form],
        "trays": samples.open_trays(played),
        "tallies": samples.tallies(played),
        "calls": list(
            zip(samples.NAMES, ("90", "passes", "148", "passes"), strict=False)
        ),
        "boards": samples.laid_samples(),
        "event": event_sample(samples.NAMES),
        "night": night_sample(played),
        "agreeing": samples.agreeing_sample(),
        "finished": samples.finished_sample(),
        "changes": samples.changes_sample(),
        "onward": samples.onward_sample(),
    }
    return render(request, "style_guide/page.html", context)


# A mail program reads no other style than what the letter brings.
@require_safe
@csp_update({"style-src": UNSAFE_INLINE})  # type: ignore[arg-type]  # takes any view
def letter(request: HttpRequest, name: str) -> HttpResponse:
    """Show a letter as it is drawn."""
    letters = samples.letters()
    if name not in letters:
        raise Http404
    return HttpResponse(letters[name].drawn)


def icon_names() -> list[str]:
    """Return the names of all icons, in their order."""
    folder = settings.BASE_DIR / "templates" / "scoring" / "icons"
    return sorted(file.stem for file in folder.glob("*.html"))
