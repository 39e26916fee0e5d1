"""Pictures for link previews, which are cached by content, and charts as files.

Phones run these views too, without the drawing library: import it only when drawing.
"""

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_safe

from scoring.competition import competition
from scoring.pages.charts import Chart
from scoring.pages.sheet import load_sheet
from scoring.web.views.requests import get_match_and_set_locale

DAY = 24 * 60 * 60
FRESH = 5 * 60
"""Seconds for which browsers and proxies may cache a picture."""
DESIGN = 3
"""The version of the design; increase it to draw cached pictures again."""


def picture_response(
    request: HttpRequest,
    *,
    content_key: object,
    draw: Callable[[], bytes],
    changed_at: datetime | None = None,
    is_indexed: bool = True,
) -> HttpResponse:
    """Return a picture, or 304 if the client has it already.

    `content_key` must differ whenever the picture does. Search engines may list it if `is_indexed`.
    """
    locale = (get_language(), get_current_timezone_name())
    key = sha256(repr((DESIGN, *locale, content_key)).encode()).hexdigest()[:32]
    etag = f'"{key}"'
    since = int(changed_at.timestamp()) if changed_at else None
    answer = get_conditional_response(request, etag=etag, last_modified=since)
    if answer is None:
        png = caches["drawn"].get_or_set(f"picture:{key}", draw, DAY)
        answer = HttpResponse(png, content_type="image/png")
    answer["ETag"] = etag
    answer["Cache-Control"] = f"public, max-age={FRESH}"
    if changed_at:
        answer["Last-Modified"] = http_date(changed_at.timestamp())
    if not is_indexed:
        answer["X-Robots-Tag"] = "noindex"
    return answer


def chart_download(chart: Chart | None) -> HttpResponse:
    """Return a chart as a file to download. Raises Http404 if it is None."""
    if chart is None:
        raise Http404
    answer = HttpResponse(chart.to_svg(), content_type="image/svg+xml; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{chart.id}.svg"'
    return answer


@require_safe
def match_picture(request: HttpRequest, address: str) -> HttpResponse:
    """Return a picture of the match's standings or result."""
    match = get_match_and_set_locale(request, address)
    seats = match.seats.order_by("index").values_list("index", "name")
    result_state = str(competition().result_state(match)) if match.finished else ""
    last = match.log.order_by("-version").values_list("made_at", flat=True).first()

    def draw() -> bytes:
        from scoring.pictures.picture import draw_match_picture

        return draw_match_picture(load_sheet(match))

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


@require_safe
def match_chart(request: HttpRequest, address: str) -> HttpResponse:
    """Return the chart of totals as a download."""
    return chart_download(load_sheet(get_match_and_set_locale(request, address)).chart)
