"""Pictures for link previews."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.competition import competition
from scoring.pages.sheet import load_sheet
from scoring.web.pictures import picture_response
from scoring.web.views.requests import match_at

# Phones run these views too, without the drawing library: import it only when drawing.


@require_safe
def match_picture(request: HttpRequest, address: str) -> HttpResponse:
    """Return a picture of the match's standings or result."""
    played = match_at(request, address)
    seats = played.seats.order_by("index").values_list("index", "name")
    result_state = str(competition().result_state(played)) if played.finished else ""
    last = played.log.order_by("-version").values_list("made_at", flat=True).first()

    def draw() -> bytes:
        from scoring.pictures.match import draw_match

        return draw_match(load_sheet(played))

    return picture_response(
        request,
        shows=("match", played.pk, played.version, result_state, list(seats)),
        draw=draw,
        changed_at=last or played.started_at,
        is_found=False,
    )


@require_safe
def picture(request: HttpRequest) -> HttpResponse:
    def draw() -> bytes:
        from scoring.pictures.picture import draw_house

        return draw_house(gettext("Keeps score for your trick-taking games."))

    return picture_response(request, shows="house", draw=draw)
