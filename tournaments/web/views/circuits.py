"""Circuits: their leaderboard for everybody, and what the directors of their clubs do there."""

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from scoring.locales.zones import zone_of
from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.circuits.boards import CircuitAsked, circuit_board, merges_at
from tournaments.circuits.documents import signed_document
from tournaments.circuits.founding import (
    accept,
    add_tournament,
    addable,
    found_circuit,
    invite_club,
    leave,
    remove_tournament,
)
from tournaments.circuits.guests import (
    Became,
    bring_in,
    distrust_host,
    take_out,
    trust_host,
)
from tournaments.circuits.host_keys import public_key
from tournaments.circuits.persons import (
    players_in,
    say_same,
    suggestions,
    take_apart,
)
from tournaments.history.leaderboard import BoardRow, movements
from tournaments.models import (
    Circuit,
    CircuitClub,
    Club,
    Role,
    Tournament,
    User,
)
from tournaments.names import reading_key
from tournaments.web.actions import run_action
from tournaments.web.forms import (
    CircuitDayForm,
    CircuitForm,
    InviteClubForm,
    ResultForm,
    SamePersonForm,
    TrustedHostForm,
)
from tournaments.web.views.access import in_circuit, in_club, in_tournament

AT_ONCE = 30
"""Tournaments that are offered to be added, and to be signed."""


def account(request: HttpRequest) -> User | None:
    """Return the account that asks."""
    return request.user if isinstance(request.user, User) else None


def own_key() -> str:
    """Return the public key of this host; empty where none can be kept."""
    try:
        return public_key()
    except OSError:
        return ""


@require_safe
@in_circuit(None)
def circuit_page(request: HttpRequest, circuit: Circuit) -> HttpResponse:
    """Show the leaderboard of a circuit, as it is or as it stood, and what it counts."""
    today = timezone.localdate(timezone=zone_of())
    form = CircuitDayForm(request.GET, today=today)
    day = form.cleaned_data["as_of"] if form.is_valid() else None
    asked = CircuitAsked(circuit=circuit, as_of=day)
    lines = circuit_board(asked, today)
    moved = (
        movements(circuit_board(CircuitAsked(circuit=circuit), today), lines)
        if day
        else {}
    )
    tournaments, guests = circuit.tournaments.all(), circuit.guests.all()
    moment = asked.moment
    counted = tournaments.known_at(moment) if moment else tournaments.current()
    known = guests.known_at(moment) if moment else guests.current()
    context = {
        "circuit": circuit,
        "asked": asked,
        "form": form,
        "rows": [BoardRow(line, moved.get(line.player), 0) for line in lines],
        "tournaments": counted.select_related("tournament__club").order_by(
            "-tournament__starts_at", "-pk"
        ),
        "guests": known.select_related("host").order_by("-held_on", "-pk"),
        "parts": _by_club(circuit.parts.standing()),
        "directs": circuit.role_of(request.user) == Role.DIRECTOR,
    }
    return render(request, "tournaments/circuit.html", context)


def _by_club(parts: QuerySet[CircuitClub]) -> list[CircuitClub]:
    return sorted(
        parts.select_related("club"), key=lambda part: reading_key(part.club.name)
    )


def _by_circuit(parts: QuerySet[CircuitClub]) -> list[CircuitClub]:
    return sorted(parts, key=lambda part: reading_key(part.circuit.name))


@in_club(Role.DIRECTOR)
def club_circuits(request: HttpRequest, club: Club) -> HttpResponse:
    """Show the circuits of a club and its invitations, and found one."""
    form = CircuitForm(request.POST or None)
    if form.is_valid():
        circuit = found_circuit(
            circuit=form.instance, club=club, by=account(request), now=timezone.now()
        )
        return redirect("tournaments:circuit_manage", circuit.slug)
    parts = club.circuit_parts.select_related("circuit")
    over = club.tournaments.finished().known_to(None)
    context = {
        "club": club,
        "form": form,
        "parts": _by_circuit(parts.standing()),
        "invited": _by_circuit(parts.invited()),
        "over": over.order_by("-starts_at", "-pk")[:AT_ONCE],
        "public_key": own_key(),
    }
    return render(request, "tournaments/club_circuits.html", context)


@posted
@in_club(Role.DIRECTOR)
def club_circuit_act(
    request: HttpRequest, club: Club, pk: int, verb: str
) -> HttpResponse:
    """Accept an invitation to a circuit, refuse it, or leave the circuit."""
    part = get_object_or_404(CircuitClub, club=club, pk=pk)
    now = timezone.now()
    acts = {
        "accept": (accept, _("The club plays in %(circuit)s now.")),
        "leave": (leave, _("The club no longer plays in %(circuit)s.")),
    }
    if verb not in acts:
        raise Http404
    act, said = acts[verb]
    run_action(
        request,
        lambda: act(part_id=part.pk, now=now),
        said=said % {"circuit": part.circuit.name},
        changes=part,
    )
    return redirect("tournaments:club_circuits", club.slug)


@in_circuit(Role.DIRECTOR)
def circuit_manage(request: HttpRequest, circuit: Circuit) -> HttpResponse:
    """Show the clubs and tournaments of a circuit, invite a club, and say how it counts."""
    act = request.POST.get("act", "")
    form = CircuitForm(request.POST if act == "count" else None, instance=circuit)
    invitation = InviteClubForm(request.POST if act == "invite" else None)
    if form.is_valid():
        run_action(
            request,
            form.save,
            said=_("It counts so from now on."),
            changes=circuit,
            unchanged=_("Nothing has changed: the settings are the same."),
        )
        return redirect("tournaments:circuit_manage", circuit.slug)
    if invitation.is_valid() and _invited(request, circuit, invitation):
        return redirect("tournaments:circuit_manage", circuit.slug)
    own = circuit.clubs_directed_by(request.user)
    counted = circuit.tournaments.current().select_related("tournament__club")
    parts = circuit.parts.all()
    # What the form has read is not what the circuit is called.
    circuit.refresh_from_db()
    context = {
        "circuit": circuit,
        "form": form,
        "invitation": invitation,
        "parts": _by_club(parts.standing()),
        "invited": _by_club(parts.invited()),
        "own": set(own.values_list("pk", flat=True)),
        "tournaments": counted.order_by("-tournament__starts_at", "-pk"),
        "addable": addable(circuit, own).select_related("club")[:AT_ONCE],
    }
    return render(request, "tournaments/circuit_manage.html", context)


def _invited(request: HttpRequest, circuit: Circuit, form: InviteClubForm) -> bool:
    club: Club = form.cleaned_data["club"]
    try:
        invite_club(
            circuit_id=circuit.pk, club=club, by=account(request), now=timezone.now()
        )
    except RefusedError as refused:
        form.add_error("club", refused.message)
        return False
    words = _("%(club)s is invited: its directors see it under “Circuits”.")
    messages.success(request, words % {"club": club.name})
    return True


@posted
@in_circuit(Role.DIRECTOR)
def circuit_uninvite(request: HttpRequest, circuit: Circuit, pk: int) -> HttpResponse:
    """Take an invitation back that has not been answered."""
    part = get_object_or_404(circuit.parts.invited(), pk=pk)
    run_action(
        request,
        lambda: leave(part_id=part.pk, now=timezone.now()),
        said=_("The invitation is withdrawn."),
        changes=part,
    )
    return redirect("tournaments:circuit_manage", circuit.slug)


@posted
@in_circuit(Role.DIRECTOR)
def circuit_tournament(
    request: HttpRequest, circuit: Circuit, address: str, verb: str
) -> HttpResponse:
    """Let a tournament of one's own club count in a circuit, or no more."""
    own = circuit.clubs_directed_by(request.user)
    tournament = get_object_or_404(Tournament, address=address, club__in=own)
    now = timezone.now()
    try:
        if verb == "add":
            add_tournament(
                circuit_id=circuit.pk,
                tournament=tournament,
                by=account(request),
                now=now,
            )
        elif verb == "remove":
            remove_tournament(circuit_id=circuit.pk, tournament=tournament, now=now)
        else:
            raise Http404
    except RefusedError as refused:
        messages.error(request, refused.message)
    return redirect("tournaments:circuit_manage", circuit.slug)


@in_circuit(Role.DIRECTOR)
def circuit_people(request: HttpRequest, circuit: Circuit) -> HttpResponse:
    """Show who may be one person in a circuit, and take a director's word for it."""
    players = players_in(circuit)
    form = SamePersonForm(request.POST or None, players=players)
    if form.is_valid():
        try:
            say_same(
                circuit_id=circuit.pk,
                **form.cleaned_data,
                by=account(request),
                now=timezone.now(),
            )
            return redirect("tournaments:circuit_people", circuit.slug)
        except RefusedError as refused:
            form.add_error(refused.field, refused.message)
    same = circuit.same_people.standing().select_related("kept", "merged", "made_by")
    context = {
        "circuit": circuit,
        "form": form,
        "has_players": len(players) > 1,
        "suggestions": suggestions(players, merges_at(CircuitAsked(circuit=circuit))),
        "same": same.order_by("-made_at", "-pk"),
    }
    return render(request, "tournaments/circuit_people.html", context)


@posted
@in_circuit(Role.DIRECTOR)
def circuit_apart(request: HttpRequest, circuit: Circuit, pk: int) -> HttpResponse:
    """Take two apart who were said to be one person."""
    same = get_object_or_404(circuit.same_people, pk=pk)
    run_action(
        request,
        lambda: take_apart(same_id=same.pk, now=timezone.now()),
        said=_("They are two people again."),
        changes=same,
    )
    return redirect("tournaments:circuit_people", circuit.slug)


@in_circuit(Role.DIRECTOR)
def circuit_hosts(request: HttpRequest, circuit: Circuit) -> HttpResponse:
    """Show whose results a circuit takes; trust a host, and bring in what it signed."""
    act = request.POST.get("act", "")
    form = TrustedHostForm(request.POST if act == "trust" else None)
    upload = ResultForm(
        request.POST if act == "bring" else None,
        request.FILES if act == "bring" else None,
    )
    if (form.is_valid() and _trusted(request, circuit, form)) or (
        upload.is_valid() and _brought_in(request, circuit, upload)
    ):
        return redirect("tournaments:circuit_hosts", circuit.slug)
    guests = circuit.guests.current().select_related("host")
    context = {
        "circuit": circuit,
        "form": form,
        "upload": upload,
        "hosts": sorted(
            circuit.hosts.filter(removed_at=None),
            key=lambda host: (reading_key(host.name), host.pk),
        ),
        "guests": guests.order_by("-held_on", "-pk"),
        "public_key": own_key(),
    }
    return render(request, "tournaments/circuit_hosts.html", context)


def _trusted(request: HttpRequest, circuit: Circuit, form: TrustedHostForm) -> bool:
    try:
        trust_host(
            circuit_id=circuit.pk,
            name=form.cleaned_data["name"],
            key=form.cleaned_data["public_key"],
            by=account(request),
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error(refused.field, refused.message)
        return False
    return True


BECAME = {
    Became.ADDED: gettext_lazy("“%(name)s” of %(club)s counts from now on."),
    Became.CORRECTED: gettext_lazy("“%(name)s” of %(club)s is corrected."),
    Became.REPEATED: gettext_lazy(
        "“%(name)s” of %(club)s was there already; nothing changed."
    ),
}


def _brought_in(request: HttpRequest, circuit: Circuit, form: ResultForm) -> bool:
    try:
        brought = bring_in(
            circuit_id=circuit.pk,
            content=form.cleaned_data["file"],
            by=account(request),
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error("file", refused.message)
        return False
    named = {"name": brought.guest.name, "club": brought.guest.club_name}
    level = messages.INFO if brought.became == Became.REPEATED else messages.SUCCESS
    messages.add_message(request, level, BECAME[brought.became] % named)
    return True


@posted
@in_circuit(Role.DIRECTOR)
def circuit_host_act(
    request: HttpRequest, circuit: Circuit, pk: int, verb: str
) -> HttpResponse:
    """Trust a host no more, or take out a tournament that it signed."""
    now = timezone.now()
    if verb == "distrust":
        host = get_object_or_404(circuit.hosts, pk=pk)
        run_action(
            request,
            lambda: distrust_host(host_id=host.pk, now=now),
            said=_("The circuit takes no more results of this host."),
            changes=host,
        )
    elif verb == "take-out":
        guest = get_object_or_404(circuit.guests, pk=pk)
        run_action(
            request,
            lambda: take_out(guest_id=guest.pk, now=now),
            said=_("The tournament no longer counts here."),
            changes=guest,
        )
    else:
        raise Http404
    return redirect("tournaments:circuit_hosts", circuit.slug)


@require_safe
@in_tournament(Role.DIRECTOR)
def signed_result(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Give a finished tournament as this host signs it, as a file for another host."""
    try:
        document = signed_document(tournament)
    except RefusedError as refused:
        messages.error(request, refused.message)
        return redirect("tournaments:club_circuits", tournament.club.slug)
    answer = HttpResponse(document, content_type="application/json")
    name = f"{tournament.club.slug}-{tournament.held_on.isoformat()}.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
