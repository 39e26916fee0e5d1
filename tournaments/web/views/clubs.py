"""Clubs: their tournaments, and who helps."""

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.event.setup.proposals import Proposal, proposals
from tournaments.models import Club, Invitation, Membership, Role, Tournament, User
from tournaments.people.clubs import (
    accept_invitation,
    archive_club,
    delete_club,
    found_club,
    invite,
    remove_member,
    rename_club,
    withdraw_invitation,
)
from tournaments.web.forms import ClubForm, MemberForm, TournamentForm, WizardForm
from tournaments.web.views.access import for_everybody, in_club, signed_in

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
    is_archive = "archive" in request.GET
    archived = club.tournaments.filter(listing=Tournament.Listing.ARCHIVED)
    listed = archived if is_archive else club.tournaments.all().seen_by(role)
    latest = Paginator(listed.order_by("-starts_at", "-pk"), A_PAGE)
    context = {
        "club": club,
        "tournaments": latest.get_page(request.GET.get("page")),
        "is_archive": is_archive,
        "has_archive": not is_archive and archived.exists(),
        "role": role,
        "directs": role == Role.DIRECTOR,
    }
    return render(request, "tournaments/club.html", context)


@in_club(Role.DIRECTOR)
def people(request: HttpRequest, club: Club) -> HttpResponse:
    """Show who has a role, and invite somebody."""
    form = MemberForm(request.POST or None)
    if form.is_valid() and _invited(request, club, form):
        return redirect("tournaments:people", club.slug)
    members = club.memberships.select_related("user").order_by("-role", "user__email")
    context = {
        "club": club,
        "members": members,
        "invitations": club.invitations.open(timezone.now()),
        "prints_letters": settings.EMAIL_BACKEND.endswith(".console.EmailBackend"),
        "form": form,
    }
    return render(request, "tournaments/people.html", context)


def _invited(request: HttpRequest, club: Club, form: MemberForm) -> bool:
    assert isinstance(request.user, User)

    def link_to(invitation: Invitation) -> str:
        known = User.objects.filter(email=invitation.email).exists()
        return request.build_absolute_uri(
            (club if known else invitation).get_absolute_url()
        )

    try:
        made = invite(
            club=club,
            **form.cleaned_data,
            by=request.user,
            link_to=link_to,
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error("email", refused.message)
        return False
    words = (
        _("%(email)s has the role; a letter says so.")
        if made.has_role
        else _("%(email)s is invited by a letter; the link below is the same.")
    )
    messages.success(request, words % {"email": made.invitation.email})
    return True


@posted
@in_club(Role.DIRECTOR)
def person_remove(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Take a role away; the last director keeps theirs."""
    membership = Membership.objects.filter(club=club, pk=pk).first()
    try:
        if membership is not None:
            remove_member(membership=membership)
    except RefusedError as refused:
        messages.error(request, refused.message)
    return redirect("tournaments:people", club.slug)


@posted
@in_club(Role.DIRECTOR)
def invitation_withdraw(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    """Take an invitation back that nobody has taken up."""
    get_object_or_404(club.invitations, pk=pk)
    withdraw_invitation(invitation_id=pk, now=timezone.now())
    return redirect("tournaments:people", club.slug)


@for_everybody
def invitation(request: HttpRequest, address: str) -> HttpResponse:
    """Show what somebody is invited to, and let their account take it up."""
    held = get_object_or_404(
        Invitation.objects.select_related("club", "made_by"), address=address
    )
    if request.method == "POST" and isinstance(request.user, User):
        try:
            accept_invitation(
                invitation_id=held.pk, user=request.user, now=timezone.now()
            )
        except RefusedError as refused:
            messages.error(request, refused.message)
        else:
            return redirect(held.club)
    is_open = Invitation.objects.open(timezone.now()).filter(pk=held.pk).exists()
    context = {"invitation": held, "is_open": is_open}
    return render(request, "tournaments/invitation.html", context)


@in_club(Role.DIRECTOR)
def club_edit(request: HttpRequest, club: Club) -> HttpResponse:
    """Show a club's name, and take another; archive the club, or delete it."""
    act = request.POST.get("act", "")
    form = ClubForm((request.POST or None) if not act else None, instance=club)
    if form.is_valid():
        rename_club(club_id=club.pk, name=form.cleaned_data["name"])
        return redirect(club)
    club.refresh_from_db()
    try:
        if act in ("archive", "restore"):
            archive_club(
                club_id=club.pk, now=timezone.now() if act == "archive" else None
            )
            return redirect(club)
        if act == "delete":
            delete_club(club_id=club.pk)
            return redirect("tournaments:clubs")
    except RefusedError as refused:
        messages.error(request, refused.message)
    context = {"club": club, "form": form, "is_empty": not club.tournaments.exists()}
    return render(request, "tournaments/club_edit.html", context)


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
    if club.archived_at:
        messages.error(request, _("The club is in the archive; take it out first."))
        return redirect(club)
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
