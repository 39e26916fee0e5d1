"""What was played once more, at an address that can be sent to others."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.board_view import view_after
from scoring.boards import told_of
from scoring.operations import seen_of
from scoring.referee import play_view
from scoring.rules import replayed
from scoring.sheet import sheet_of
from scoring.views.requests import match_at


@require_safe
def hand_replay(
    request: HttpRequest, address: str, number: int, trick: int = 1
) -> HttpResponse:
    """Show one trick of a recorded hand, and what everybody had after it."""
    sheet = sheet_of(match_at(address))
    found = sheet.folded.hand(number)
    if found is None or not found.scored or not found.scored.tricks:
        raise Http404
    if not 1 <= trick <= len(found.scored.tricks):
        raise Http404
    before = sheet.folded.state_before(number)
    tricks = play_view(before, replayed(found.raw), sheet.names).tricks
    context = {
        "sheet": sheet,
        "number": number,
        "trick": tricks[trick - 1],
        "tricks": tricks,
        "following": trick + 1 if trick < len(tricks) else None,
        "findings": [
            finding.message.spoken(sheet.names, gettext)
            for finding in found.scored.findings
            if finding.trick == trick
        ],
    }
    return render(request, "scoring/hand_replay.html", context)


@require_safe
def board_replay(request: HttpRequest, address: str, step: int) -> HttpResponse:
    """Show the board of Tricks and Treats as it lay after so many actions."""
    match = match_at(address)
    seen = seen_of(match)
    told = told_of(seen.log)
    if told is None or step > len(told.actions):
        raise Http404
    context = {
        "match": match,
        "view": view_after(seen, told, step),
        "step": step,
        "actions": len(told.actions),
        "before": step - 1 if step else None,
        "following": step + 1 if step < len(told.actions) else None,
    }
    return render(request, "scoring/board/replay.html", context)
