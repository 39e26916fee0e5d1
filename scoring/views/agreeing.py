"""Agreeing to a result on a phone without scripts; others send it as they send hands."""

import json

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from scoring.agreeing import agree
from scoring.models import Match
from scoring.operations import KeyReusedError
from scoring.rules import Refusal
from scoring.views.requests import author_of, match_at, posted_key


@require_POST
def match_agree(request: HttpRequest, address: str) -> HttpResponseRedirect:
    """Let a seat agree to the words that its player saw."""
    match = match_at(address)
    agree_here(request, match, *_seen(request.POST.get("body", "")))
    return redirect(match)


def agree_here(request: HttpRequest, match: Match, seat: int, words: str) -> None:
    """Let a seat agree to these words; what is wrong with it stands on the next page."""
    try:
        agree(
            match_id=match.pk,
            key=posted_key(request),
            seat=seat,
            words=words,
            author=author_of(request, match),
        )
    except Refusal as refusal:
        names = [one.name for one in match.seats.all()]
        for fault in refusal.faults:
            messages.error(request, fault.message.spoken(names, gettext))
    except KeyReusedError:
        messages.error(request, gettext("This was sent before, and differed."))


def _seen(text: str) -> tuple[int, str]:
    """Return the seat and the words that the page held; -1 for anything else."""
    try:
        told = json.loads(text)
        return int(told["seat"]), str(told["words"])
    except (KeyError, RecursionError, TypeError, ValueError):
        return -1, ""
