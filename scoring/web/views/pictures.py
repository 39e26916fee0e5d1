"""Pictures for link previews."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.competition import competition
from scoring.pages.sheet import load_sheet
from scoring.web.pictures import picture_response
from scoring.web.views.requests import get_match_and_set_locale

# Phones run these views too, without the drawing library: import it only when drawing.


@require_safe
def match_picture(request: HttpRequest, address: str) -> HttpResponse:
    """Return a picture of the match's standings or result."""
    match = get_match_and_set_locale(request, address)
    seats = match.seats.order_by("index").values_list("index", "name")
    result_state = str(competition().result_state(match)) if match.finished else ""
    last = match.log.order_by("-version").values_list("made_at", flat=True).first()

    def draw() -> bytes:
        from scoring.pictures.match import draw_match

        return draw_match(load_sheet(match))

    return picture_response(
        request,
        content_key=("match", match.pk, match.version, result_state, list(seats)),
        draw=draw,
        changed_at=last or match.started_at,
        is_indexed=False,
    )


@require_safe
def app_picture(request: HttpRequest) -> HttpResponse:
    def draw() -> bytes:
        from scoring.pictures.picture import draw_app_picture

        return draw_app_picture(gettext("Keeps score for your trick-taking games."))

    return picture_response(request, content_key="house", draw=draw)
