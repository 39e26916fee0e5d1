"""Pages of circuits, for everyone and for the directors of their clubs."""

from collections.abc import Callable
from typing import Literal

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.locales.zones import first_known_zone
from scoring.web.redirects import post_only
from tournaments.circuits.boards import (
    CircuitBoardQuery,
    circuit_board_lines,
    direct_circuit_merge_targets,
    open_result_counts_by_player,
)
from tournaments.circuits.founding import (
    add_tournament,
    addable_tournaments,
    create_circuit,
    invite_club,
    join_circuit,
    leave_circuit_or_decline,
    remove_tournament,
)
from tournaments.circuits.persons import (
    circuit_players,
    declare_same_person,
    suggest_same_people,
    undo_same_person,
)
from tournaments.history.leaderboard import BoardRow, ranks_gained_by_player
from tournaments.models import (
    Circuit,
    CircuitClub,
    Club,
    Role,
    Tournament,
    User,
)
from tournaments.names import localized_sort_key
from tournaments.web.access import in_circuit, in_club
from tournaments.web.actions import run_action, show_refusals
from tournaments.web.club.forms import (
    CircuitAsOfDayForm,
    CircuitForm,
    InviteClubToCircuitForm,
    MergeCircuitPlayersForm,
)

MOST_ADDABLE = 30
"""Tournaments that are offered to be added."""


def signed_in_user_or_none(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


@require_safe
@in_circuit(None)
def circuit_page(request: HttpRequest, circuit: Circuit) -> HttpResponse:
    """Show the leaderboard of a circuit, now or as of a past day, and the counted tournaments."""
    today = timezone.localdate(timezone=first_known_zone())
    form = CircuitAsOfDayForm(request.GET, today=today)
    day = form.cleaned_data["as_of"] if form.is_valid() else None
    query = CircuitBoardQuery(circuit=circuit, as_of=day)
    lines = circuit_board_lines(query, today)
    rank_changes = (
        ranks_gained_by_player(
            circuit_board_lines(CircuitBoardQuery(circuit=circuit), today), lines
        )
        if day
        else {}
    )
    open_tables = open_result_counts_by_player(query)
    tournaments, moment = circuit.tournaments.all(), query.as_of_moment
    circuit_tournaments = (
        tournaments.known_at(moment) if moment else tournaments.current()
    )
    context = {
        "circuit": circuit,
        "query": query,
        "form": form,
        "rows": [
            BoardRow(line, rank_changes.get(line.player), open_tables[line.player])
            for line in lines
        ],
        "tournaments": circuit_tournaments.select_related("tournament__club").order_by(
            "-tournament__starts_at", "-pk"
        ),
        "parts": _sort_circuit_clubs_by_name(circuit.parts.active(), "club"),
        "directs": circuit.get_role(request.user) == Role.DIRECTOR,
    }
    return render(request, "tournaments/club/circuit.html", context)


def _sort_circuit_clubs_by_name(
    parts: QuerySet[CircuitClub], by: Literal["club", "circuit"]
) -> list[CircuitClub]:
    rows = parts.select_related(by)
    return sorted(rows, key=lambda part: localized_sort_key(getattr(part, by).name))


@in_club(Role.DIRECTOR)
def list_or_create_circuits(request: HttpRequest, club: Club) -> HttpResponse:
    form = CircuitForm(request.POST or None)
    if form.is_valid():
        circuit = create_circuit(
            circuit=form.instance,
            club=club,
            user=signed_in_user_or_none(request),
            now=timezone.now(),
        )
        message = _("Circuit created: %(circuit)s.") % {"circuit": circuit.name}
        messages.success(request, message)
        return redirect("tournaments:circuit_manage", circuit.slug)
    parts = club.circuit_parts.all()
    context = {
        "club": club,
        "form": form,
        "parts": _sort_circuit_clubs_by_name(parts.active(), "circuit"),
        "invited": _sort_circuit_clubs_by_name(parts.invited(), "circuit"),
    }
    return render(request, "tournaments/club/club_circuits.html", context)


@post_only
@in_club(Role.DIRECTOR)
def accept_or_leave_circuit(
    request: HttpRequest, club: Club, pk: int, verb: str
) -> HttpResponse:
    part = get_object_or_404(CircuitClub, club=club, pk=pk)
    now = timezone.now()
    acts = {
        "accept": (join_circuit, _("The club now takes part in %(circuit)s.")),
        "leave": (
            leave_circuit_or_decline,
            _("The club isn’t taking part in %(circuit)s."),
        ),
    }
    if verb not in acts:
        raise Http404
    act, message = acts[verb]
    run_action(
        request,
        lambda: act(part_id=part.pk, now=now),
        success_message=message % {"circuit": part.circuit.name},
        changes=part,
    )
    return redirect("tournaments:club_circuits", club.slug)


@in_circuit(Role.DIRECTOR)
def manage_circuit_page(request: HttpRequest, circuit: Circuit) -> HttpResponse:
    """Show the clubs and tournaments of a circuit; invite a club, change how it counts."""
    act = request.POST.get("act", "")
    form = CircuitForm(request.POST if act == "count" else None, instance=circuit)
    invitation = InviteClubToCircuitForm(request.POST if act == "invite" else None)
    if form.is_valid():
        run_action(
            request,
            form.save,
            success_message=_("Saved."),
            changes=circuit,
            unchanged_message=_("No changes to save."),
        )
        return redirect("tournaments:circuit_manage", circuit.slug)
    if invitation.is_valid():
        club: Club = invitation.cleaned_data["club"]
        with show_refusals(invitation, "club"):
            invite_club(
                circuit_id=circuit.pk,
                club=club,
                user=signed_in_user_or_none(request),
                now=timezone.now(),
            )
            message = _(
                "Invitation sent to %(club)s. Its directors will find it under "
                "“Circuits”."
            )
            messages.success(request, message % {"club": club.name})
            return redirect("tournaments:circuit_manage", circuit.slug)
    own_clubs = circuit.clubs_with_role(request.user)
    circuit_tournaments = circuit.tournaments.current().select_related(
        "tournament__club"
    )
    parts = circuit.parts.all()
    # An invalid form has already changed the instance; show the stored name.
    circuit.refresh_from_db()
    context = {
        "circuit": circuit,
        "form": form,
        "invitation": invitation,
        "parts": _sort_circuit_clubs_by_name(parts.active(), "club"),
        "invited": _sort_circuit_clubs_by_name(parts.invited(), "club"),
        "own": set(own_clubs.values_list("pk", flat=True)),
        "tournaments": circuit_tournaments.order_by("-tournament__starts_at", "-pk"),
        "addable": addable_tournaments(circuit, own_clubs).select_related("club")[
            :MOST_ADDABLE
        ],
    }
    return render(request, "tournaments/club/circuit_manage.html", context)


@post_only
@in_circuit(Role.DIRECTOR)
def withdraw_circuit_invitation(
    request: HttpRequest, circuit: Circuit, pk: int
) -> HttpResponse:
    part = get_object_or_404(circuit.parts.invited(), pk=pk)
    run_action(
        request,
        lambda: leave_circuit_or_decline(part_id=part.pk, now=timezone.now()),
        success_message=_("Invitation withdrawn."),
        changes=part,
    )
    return redirect("tournaments:circuit_manage", circuit.slug)


@post_only
@in_circuit(Role.DIRECTOR)
def add_or_remove_circuit_tournament(
    request: HttpRequest, circuit: Circuit, address: str, verb: str
) -> HttpResponse:
    own_clubs = circuit.clubs_with_role(request.user)
    tournament = get_object_or_404(Tournament, address=address, club__in=own_clubs)
    now = timezone.now()
    acts: dict[str, tuple[Callable[[], object], str]] = {
        "add": (
            lambda: add_tournament(
                circuit_id=circuit.pk,
                tournament=tournament,
                user=signed_in_user_or_none(request),
                now=now,
            ),
            _("“%(name)s” now counts in the circuit."),
        ),
        "remove": (
            lambda: remove_tournament(
                circuit_id=circuit.pk, tournament=tournament, now=now
            ),
            _("“%(name)s” no longer counts in the circuit."),
        ),
    }
    if verb not in acts:
        raise Http404
    act, message = acts[verb]
    run_action(
        request,
        act,
        success_message=message % {"name": tournament.name},
        changes=circuit.tournaments.current().filter(tournament=tournament).exists,
    )
    return redirect("tournaments:circuit_manage", circuit.slug)


@in_circuit(Role.DIRECTOR)
def merge_players_in_circuit_page(
    request: HttpRequest, circuit: Circuit
) -> HttpResponse:
    """Show players that may be the same person, and let a director merge two of them."""
    players = circuit_players(circuit)
    form = MergeCircuitPlayersForm(request.POST or None, players=players)
    if form.is_valid():
        with show_refusals(form):
            declare_same_person(
                circuit_id=circuit.pk,
                **form.cleaned_data,
                user=signed_in_user_or_none(request),
                now=timezone.now(),
            )
            messages.success(request, _("Players merged in this circuit."))
            return redirect("tournaments:circuit_people", circuit.slug)
    same = circuit.same_people.active().select_related("kept", "merged", "made_by")
    context = {
        "circuit": circuit,
        "form": form,
        "has_players": len(players) > 1,
        "suggestions": suggest_same_people(
            players, direct_circuit_merge_targets(CircuitBoardQuery(circuit=circuit))
        ),
        "same": same.order_by("-made_at", "-pk"),
    }
    return render(request, "tournaments/club/circuit_people.html", context)


@post_only
@in_circuit(Role.DIRECTOR)
def undo_player_merge_in_circuit(
    request: HttpRequest, circuit: Circuit, pk: int
) -> HttpResponse:
    same = get_object_or_404(circuit.same_people, pk=pk)
    run_action(
        request,
        lambda: undo_same_person(same_id=same.pk, now=timezone.now()),
        success_message=_("Players are separate again."),
        changes=same,
    )
    return redirect("tournaments:circuit_people", circuit.slug)
