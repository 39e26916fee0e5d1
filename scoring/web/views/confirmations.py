"""Confirming a result on a phone without scripts; others send it as they send hands."""

import json

from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils import timezone

from scoring.matchlog.append import append
from scoring.models import LogEntry, Match
from scoring.web.views.requests import command_from, match_at, tell_faults
from scoring.web.ways_back import posted


@posted
def match_confirm(request: HttpRequest, address: str) -> HttpResponseRedirect:
    """Let a seat confirm the words that its player saw."""
    match = match_at(address)
    confirm_here(request, match, *_seat_and_words(request.POST.get("body", "")))
    return redirect(match)


def confirm_here(request: HttpRequest, match: Match, seat: int, words: str) -> None:
    """Let a seat confirm these words; what is wrong with it stands on the next page."""
    body = {"seat": seat, "words": words}
    command = command_from(request, match, LogEntry.Kind.CONFIRM, body=body)
    tell_faults(request, append(command, address=match.address, now=timezone.now()))


def _seat_and_words(text: str) -> tuple[int, str]:
    """Return the seat and the words that the page held; -1 for anything else."""
    try:
        body = json.loads(text)
        return int(body["seat"]), str(body["words"])
    except (KeyError, RecursionError, TypeError, ValueError):
        return -1, ""
