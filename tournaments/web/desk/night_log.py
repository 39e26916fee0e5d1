"""The log of a night at the desk."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.event.desk.night_log import NightLog
from tournaments.models import Role, Tournament
from tournaments.web.access import in_tournament

LINES_PER_PAGE = 100


@require_safe
@in_tournament(Role.DIRECTOR)
def night_log_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    log = NightLog(tournament)
    page = Paginator(log.keys, LINES_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "lines": log.read_lines(list(page)),
        "page": page,
    }
    return render(request, "tournaments/desk/night_log.html", context)
