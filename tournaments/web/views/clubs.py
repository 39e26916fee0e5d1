"""Clubs: their tournaments, and who helps."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from tournaments.event.setup.proposals import Proposal, proposals
from tournaments.models import Club, Membership, Role, User
from tournaments.people.clubs import add_member, found_club, remove_member
from tournaments.web.forms import ClubForm, MemberForm, TournamentForm, WizardForm
from tournaments.web.views.access import in_club, signed_in

PROPOSED = (
    "game",
    "format",
    "final_size",
    "rounds_planned",
    "table_size",
    "least_size",
    "most_size",
    "minutes",
)
"""What of a tournament a proposal settles."""


A_PAGE = 30
"""Tournaments on one page of a club."""


@signed_in
def clubs(request: HttpRequest) -> HttpResponse:
    """Show the clubs in which the account has a role, and take a new one."""
    assert isinstance(request.user, User)
    form = ClubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        club = found_club(club=form.instance, user=request.user, now=timezone.now())
        return redirect(club)
    memberships = request.user.memberships.select_related("club")
    claims = request.user.claims.standing().select_related("club", "player")
    context = {"memberships": memberships, "claims": claims, "form": form}
    return render(request, "tournaments/clubs.html", context)


@require_safe
@in_club(None)
def club(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's tournaments, and to its people what they may do."""
    role = club.role_of(request.user)
    latest = Paginator(club.tournaments.order_by("-starts_at", "-pk"), A_PAGE)
    context = {
        "club": club,
        "tournaments": latest.get_page(request.GET.get("page")),
        "role": role,
        "directs": role == Role.DIRECTOR,
    }
    return render(request, "tournaments/club.html", context)


@in_club(Role.DIRECTOR)
def people(request: HttpRequest, club: Club) -> HttpResponse:
    """Show who has a role, and give one to an account."""
    form = MemberForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        add_member(
            club=club, user=form.cleaned_data["email"], role=form.cleaned_data["role"]
        )
        return redirect("tournaments:people", club.slug)
    members = club.memberships.select_related("user").order_by("-role", "user__email")
    context = {"club": club, "members": members, "form": form}
    return render(request, "tournaments/people.html", context)


@require_POST
@in_club(Role.DIRECTOR)
def person_remove(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Take a role away; the last director keeps theirs."""
    remove_member(membership=Membership.objects.filter(club=club, pk=pk).first())
    return redirect("tournaments:people", club.slug)


@require_safe
@in_club(Role.DIRECTOR)
def wizard(request: HttpRequest, club: Club) -> HttpResponse:
    """Propose evenings for so many people and so much time."""
    form = WizardForm(request.GET or None, initial={"people": 16, "hours": 3})
    proposed: list[tuple[Proposal, str]] = []
    if form.is_valid():
        wanted = form.cleaned_data
        minutes = int(wanted["hours"] * 60)
        proposed = [
            (proposal, _as_query(proposal, wanted["game"]))
            for proposal in proposals(wanted["people"], minutes, wanted["game"])
        ]
    context = {"club": club, "form": form, "proposals": proposed}
    return render(request, "tournaments/wizard.html", context)


def _as_query(proposal: Proposal, game: str) -> str:
    """Return a proposal as the tournament's form takes it from an address."""
    return urlencode(
        {
            "game": game,
            "format": proposal.format,
            "final_size": proposal.final_size,
            "rounds_planned": proposal.rounds,
            "table_size": proposal.table_size,
            "least_size": proposal.least_size,
            "most_size": proposal.most_size,
            "minutes": proposal.round_minutes,
        }
    )


@in_club(Role.DIRECTOR)
def tournament_new(request: HttpRequest, club: Club) -> HttpResponse:
    """Set a tournament up."""
    initial = {
        "starts_at": timezone.localtime().replace(second=0),
        **{name: request.GET[name] for name in PROPOSED if name in request.GET},
    }
    form = TournamentForm(request.POST or None, initial=initial)
    form.instance.club = club
    if request.method == "POST" and form.is_valid():
        tournament = form.save()
        for warning in form.warnings:
            messages.warning(request, warning)
        return redirect("tournaments:desk", tournament.address)
    return render(
        request, "tournaments/tournament_new.html", {"club": club, "form": form}
    )
