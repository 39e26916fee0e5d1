"""Seats: a phone's own seat, and new players."""

from collections.abc import Sequence
from secrets import token_hex

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext

from scoring.competition import SimilarPerson, competition
from scoring.locales.sentences import translate
from scoring.matchlog.append import append, replay_match
from scoring.matchlog.seats import assign_seat_to_phone
from scoring.matchlog.starting import find_player_by_name
from scoring.models import LogEntry, Match, Player
from scoring.models.log import FREES_PHONE, FROM_HAND
from scoring.models.matches import HOLDER_LENGTH
from scoring.rules import Refusal
from scoring.sync.rights import HOLDERS, lost_seat_name, may_take_seat
from scoring.web.forms import ANOTHER_NAME, ReseatForm
from scoring.web.redirects import post_only
from scoring.web.views.requests import (
    UNCHANGED,
    add_outcome_messages,
    build_authorized_command,
    check_access_and_add_error_if_closed,
    check_access_and_redirect_if_closed,
    get_match_and_set_locale,
    parse_small_number,
    recent_players,
)


def seated_player_names(match: Match) -> Sequence[str]:
    return [seat.name for seat in match.seats.all()]


@post_only
def match_take_seat(request: HttpRequest, address: str) -> HttpResponseRedirect:
    """Store the seat that this phone's owner took, or that it has none.

    If the phone has write access, no other phone can confirm the result for that seat.
    """
    match = get_match_and_set_locale(request, address)
    names, name = seated_player_names(match), request.POST.get("name", "")
    if name and name not in names:
        messages.error(
            request, gettext("%(name)s isn’t at this table.") % {"name": name}
        )
        return redirect(match)
    if may_take_seat(request, match):
        holders = request.session.get(HOLDERS, {})
        holder = holders.get(str(match.pk)) or token_hex(HOLDER_LENGTH // 2)
        index = names.index(name) if name else None
        try:
            assign_seat_to_phone(address=match.address, index=index, holder=holder)
        except Refusal as refusal:
            for fault in refusal.faults:
                messages.error(request, translate(fault.message, names))
            return redirect(match)
        request.session[HOLDERS] = {**holders, str(match.pk): holder}
    seats = request.session.get("seats", {})
    if seats.get(str(match.pk), "") == name and not lost_seat_name(request, match):
        messages.info(request, gettext(UNCHANGED))
    elif name:
        template = gettext("This phone is now %(name)s’s.")
        messages.success(request, template % {"name": name})
    else:
        messages.success(request, gettext("This phone no longer has a seat."))
    request.session["seats"] = {**seats, str(match.pk): name}
    return redirect(match)


@post_only
def match_detach_phone(request: HttpRequest, address: str) -> HttpResponse:
    """Free a seat from a phone that is dead or gone."""
    match = get_match_and_set_locale(request, address)
    if redirect_response := check_access_and_redirect_if_closed(request, match):
        return redirect_response
    seat = parse_small_number(request.POST.get("seat", ""))
    body = {"seat": seat, FREES_PHONE: True}
    command = build_authorized_command(request, match, LogEntry.Kind.RESEAT, body=body)
    outcome = append(command, address=match.address, now=timezone.now())
    template = gettext("%(name)s’s seat is free. Their phone will show this.")
    name = (
        seated_player_names(match)[seat]
        if outcome.is_stored and seat is not None
        else ""
    )
    add_outcome_messages(request, outcome, template % {"name": name})
    return redirect(match)


def match_reseat(request: HttpRequest, address: str) -> HttpResponse:
    """Change the player of a seat; its points stay."""
    match = get_match_and_set_locale(request, address)
    if request.method != "POST" and (
        redirect_response := check_access_and_redirect_if_closed(request, match)
    ):
        return redirect_response
    recent = recent_players(request)
    names = seated_player_names(match)
    next_number = replay_match(match).next_number
    form = ReseatForm(request.POST or None, names=names, next_number=next_number)
    if request.method == "POST":
        check_access_and_add_error_if_closed(request, match, form)
    else:
        index = parse_small_number(request.GET.get("seat", ""))
        doubtful = (
            match.log.seat_changes_with_lookalike_name()
            .filter(body__seat=index)
            .first()
        )
        if doubtful is not None:
            # A phone seated this name without a known person: ask.
            name = (doubtful.body or {})["name"]
            form.initial = {
                "seat": index,
                "name": name,
                "reason": ANOTHER_NAME,
                "from_hand": (doubtful.body or {}).get(FROM_HAND, 1),
            }
            form.add_namesake_answers(name, _find_namesakes(match, name))
    if form.is_valid() and _reseat_or_add_errors(request, match, form, recent):
        return redirect(match)
    changes = match.log.seat_changes()
    context = {"match": match, "form": form, "recent": recent, "changes": changes}
    return render(request, "scoring/match_seats.html", context)


def _find_namesakes(match: Match, name: str) -> Sequence[SimilarPerson]:
    """Return the people that a name may mean, without the new person that a phone seated with it."""
    doubtful = match.log.seat_changes_with_lookalike_name().values_list(
        "body__seat", flat=True
    )
    seats = match.seats.filter(index__in=list(doubtful), name=name)
    strangers = [seat.player for seat in seats.select_related("player")]
    return competition().find_similar_people(match, name, excluded=strangers)


def _reseat_or_add_errors(
    request: HttpRequest, match: Match, form: ReseatForm, recent: Sequence[Player]
) -> bool:
    """Change the seat and return True; if impossible or the name is ambiguous, add an error to the
    form."""
    typed: str = form.cleaned_data["name"]
    name = form.resolve_name(_find_namesakes(match, typed))
    if name is None:
        return False
    player = competition().find_player(match, name) or find_player_by_name(name, recent)
    from_hand = form.cleaned_data.get("from_hand")
    command = build_authorized_command(
        request,
        match,
        LogEntry.Kind.RESEAT,
        body={
            "seat": form.cleaned_data["seat"],
            "name": name,
            **({"player": player.pk} if player else {}),
            **({FROM_HAND: from_hand} if from_hand else {}),
        },
        reason=form.cleaned_data["reason"],
    )
    outcome = append(command, address=match.address, now=timezone.now())
    for fault in outcome.faults:
        field = fault.field if fault.field in form.fields else "name"
        form.add_error(field, translate(fault.message, seated_player_names(match)))
    if outcome.is_stored:
        template = gettext("%(name)s took over this seat.")
        if from_hand is not None:
            template = gettext("%(name)s now has this seat from hand %(hand)s on.")
        if from_hand == 1:
            template = gettext("%(name)s has had this seat from the start.")
        values = {"name": name, "hand": from_hand}
        add_outcome_messages(request, outcome, template % values)
    return outcome.is_stored
