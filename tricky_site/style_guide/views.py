"""The page of all parts, and each letter by itself."""

from csp.constants import UNSAFE_INLINE
from csp.decorators import csp_update
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from tricky_site.style_guide.samples import letters, samples

SECTIONS = (
    "cloths bars words acts menus fields pieces tricks entries keys tally matches boards "
    "podium charts history underway onward nights letters tournaments"
)
STYLES = {
    "scoring": "score sheet cloth race chart home entry felt board style_guide",
    "tournaments": "site history settings tile night",
}


@require_safe
def style_guide(request: HttpRequest) -> HttpResponse:
    """Show every part in every state."""
    icons = settings.BASE_DIR / "templates" / "scoring" / "icons"
    context = {
        "sections": SECTIONS.split(),
        "styles": [
            f"{app}/bundles/{name}.css"
            for app, names in STYLES.items()
            for name in names.split()
        ],
        "icons": sorted(file.stem for file in icons.glob("*.html")),
        **samples(),
    }
    return render(request, "style_guide/page.html", context)


# A mail program reads no other style than what the letter brings.
@require_safe
@csp_update({"style-src": UNSAFE_INLINE})  # type: ignore[arg-type]  # takes any view
def letter(request: HttpRequest, name: str) -> HttpResponse:
    """Show a letter as it is drawn."""
    if name not in letters():
        raise Http404
    return HttpResponse(letters()[name].drawn)


app_name = "style_guide"
urlpatterns = [
    path("", style_guide, name="page"),
    path("letters/<slug:name>/", letter, name="letter"),
]
