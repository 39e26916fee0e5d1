"""What an open form is told of the other phones at its table."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.pages.news import news_of_hand
from scoring.pages.poll_version import poll_version
from scoring.sync.rights import closed_or_late_reason
from scoring.web.views.requests import match_at, small_number


@require_safe
def hand_news(request: HttpRequest, address: str, number: int) -> HttpResponse:
    """Answer what others did to this hand since the form came; nothing new since `v` is 204.

    `since` is the version on which the form stands, `phone` the one that asks.
    """
    match = match_at(request, address, to_look=True)
    version = poll_version(match)
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    since = small_number(request.GET.get("since", ""))
    phone = request.GET.get("phone", "")
    context = {
        "match": match,
        "version": version,
        "closed": closed_or_late_reason(request, match),
        "number": number,
        "news": news_of_hand(
            match,
            number,
            since=match.version if since is None else since,
            phone=phone,
        ),
    }
    return render(request, "scoring/_news.html", context)
