"""What was played once more, at an address that can be sent to others."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from scoring.models import Match
from scoring.pages.hand_history import load_hand_history
from scoring.pages.sheet import load_sheet
from scoring.web.views.requests import match_at


@require_safe
def hand_replay(
    request: HttpRequest, address: str, number: int, trick: int = 1
) -> HttpResponse:
    """Show one trick of a recorded hand, and what everybody had after it."""
    match = match_at(request, address)
    history = load_hand_history(match, number)
    if not 1 <= trick <= len(history.tricks):
        raise Http404
    context = {
        "match": match,
        "number": number,
        "trick": history.tricks[trick - 1],
        "tricks": history.tricks,
        "following": trick + 1 if trick < len(history.tricks) else None,
        "findings": _findings(match, number, trick) if history.findings else (),
    }
    return render(request, "scoring/hand_replay.html", context)


def _findings(match: Match, number: int, trick: int) -> list[str]:
    """Return which rules were broken in a trick; the log is read for that."""
    sheet = load_sheet(match).for_hand(number)
    hand = sheet.replayed.hand(number)
    findings = hand.scored.findings if hand and hand.scored else ()
    return [
        sheet.game.speak(finding.message, sheet.names)
        for finding in findings
        if finding.trick == trick
    ]
