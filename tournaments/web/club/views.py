"""Pages of a club and its team."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import Count, Min, QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, get_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from scoring.games.registry import table_game
from scoring.locales.zones import host_zone
from scoring.rules import GAMES
from scoring.web.redirects import post_only
from scoring.web.views.requests import activate_locale_unless_chosen, chosen_time_zone
from tournaments.changes import RefusedError
from tournaments.event.setup import lifecycle
from tournaments.history.leaderboard import (
    BoardQuery,
    leaderboard,
    with_open_result_counts,
)
from tournaments.history.winners import wins_or_leads_by_tournament
from tournaments.models import (
    Circuit,
    Club,
    Invitation,
    Membership,
    Role,
    Tournament,
    User,
)
from tournaments.names import localized_sort_key
from tournaments.people import looks
from tournaments.people.clubs import (
    accept_invitation,
    archive_or_restore_club,
    change_club_settings,
    create_club_with_director,
    delete_club_without_tournaments,
    has_role_already,
    invite_or_change_role,
    make_demo_director,
    remove_member,
    require_other_director,
    withdraw_invitation,
)
from tournaments.people.letters import are_emails_printed_to_console
from tournaments.web.access import (
    for_everybody,
    forbid_caching,
    in_club,
    requires_account,
)
from tournaments.web.actions import (
    run_action,
    show_changed_or_unchanged_message,
    show_refusals,
)
from tournaments.web.club.followed import followed_clubs, is_club_followed
from tournaments.web.club.forms import (
    ClubNameForm,
    ClubSettingsForm,
    InviteTeamMemberForm,
)
from tournaments.web.club.nights import (
    NightWizardForm,
    OfferedNight,
    build_unfinished_nights,
    list_offered_nights,
)
from tournaments.web.desk.settings_form import TournamentForm
from tournaments.web.fields import ClubTimeZoneForm
from tournaments.web.sharing.feeds import webcal_url
from tournaments.web.sharing.pictures import club_link_preview

PROPOSAL_SETTINGS = (
    "game",
    "format",
    "final_size",
    "rounds_planned",
    "table_size",
    "least_size",
    "most_size",
    "minutes",
)
"""Settings of a tournament that a proposal fills in."""
PROPOSAL_INPUTS = ("people", "hours")
"""Inputs of a proposal, besides the game."""


REMOVALS: Mapping[str, Callable[..., object]] = {
    "no_colour": partial(looks.set_club_colour, colour=""),
    "no_logo": looks.remove_logo,
}
"""Actions of the look form that remove something."""
REMOVAL_MESSAGES = {
    "no_colour": gettext_lazy("Colour removed."),
    "no_logo": gettext_lazy("Logo removed."),
}
MOST_OFFERS = 3
"""Offers shown before the others are unfolded."""
ROWS_PER_PAGE = 30
"""Tournaments on a page of a club, and clubs on a page of the site."""
SEASON_LINES = 10
"""Lines of the season's leaderboard; the three ranks of its podium may be shared by many."""


@for_everybody
def list_or_create_clubs(request: HttpRequest) -> HttpResponse:
    user = request.user
    listed_clubs = Tournament.objects.all().clubs_with_listed_tournament()
    if not isinstance(user, User):
        if request.method == "POST":
            return redirect_to_login(request.get_full_path())
        followed = followed_clubs(request)
        context: dict[str, Any] = {
            "followed": followed,
            "clubs": _paginate_clubs_by_name(
                request, listed_clubs.exclude(pk__in=[club.pk for club in followed])
            ),
        }
        return render(request, "tournaments/club/clubs.html", context)
    post_data = request.POST or None
    form = ClubNameForm(post_data)
    # A browser without scripts sends the proposed zone of the server; a program may send none.
    clocks = ClubTimeZoneForm(
        post_data if post_data and "time_zone" in post_data else None,
        chosen=chosen_time_zone(request),
        proposed=host_zone(),
    )
    if form.is_valid() and (not clocks.is_bound or clocks.is_valid()):
        club = form.instance
        if clocks.is_bound:
            club.time_zone = clocks.cleaned_data["time_zone"]
        new_club = create_club_with_director(club=club, user=user, now=timezone.now())
        message = _("Club created: %(club)s.") % {"club": new_club.name}
        messages.success(request, message)
        return redirect(new_club)
    memberships = user.memberships.select_related("club")
    own_addresses = EmailAddress.objects.filter(user=user, verified=True).values(
        "email"
    )
    invitations = Invitation.objects.open(timezone.now()).filter(
        email__in=own_addresses
    )
    own_clubs = {membership.club_id for membership in memberships}
    followed = [club for club in followed_clubs(request) if club.pk not in own_clubs]
    shown_clubs = own_clubs | {club.pk for club in followed}
    context = {
        "tournaments": Tournament.objects.unfinished_of_user(user).select_related(
            "club"
        ),
        "memberships": sorted(
            memberships, key=lambda membership: localized_sort_key(membership.club.name)
        ),
        "director": Role.DIRECTOR,
        "followed": followed,
        "invited": invitations.select_related("club"),
        "clubs": _paginate_clubs_by_name(
            request, listed_clubs.exclude(pk__in=shown_clubs)
        ),
        "demo": Club.objects.demo_without_members().first(),
        "form": form,
        "clocks": clocks,
    }
    page = render(request, "tournaments/club/clubs.html", context)
    return forbid_caching(page)


def _paginate_clubs_by_name(request: HttpRequest, clubs: QuerySet[Club]) -> Page[Club]:
    # Sorted in Python: no column has the order of the reader's language.
    rows = clubs.only("name", "slug")
    ordered = sorted(rows, key=lambda club: (localized_sort_key(club.name), club.pk))
    return Paginator(ordered, ROWS_PER_PAGE).get_page(request.GET.get("page"))


@require_safe
@in_club(None)
def club_page(request: HttpRequest, club: Club) -> HttpResponse:
    role = club.get_role(request.user)
    is_archive = "archive" in request.GET
    archived = club.tournaments.filter(listing=Tournament.Listing.ARCHIVED)
    listed = archived if is_archive else club.tournaments.all().visible_to(role)
    latest = Paginator(listed.order_by("-starts_at", "-pk"), ROWS_PER_PAGE)
    page = latest.get_page(request.GET.get("page"))
    nights = list(page)
    win_by_night = wins_or_leads_by_tournament([tournament.pk for tournament in nights])
    # Archived clubs and tournaments have no upcoming nights.
    is_archived = club.archived_at is not None
    unfinished = [
        night
        for night in nights
        if not is_archived
        and night.phase != Tournament.Phase.FINISHED
        and night.listing != Tournament.Listing.ARCHIVED
    ]
    upcoming = build_unfinished_nights(unfinished, timezone.now())
    season: dict[str, object] = {}
    if not is_archive and page.number == 1:
        # The leaderboard of the current season; left out before the first result.
        today = club.local_day(timezone.now())
        query = BoardQuery(club=club, season=club.seasons.covering(today).first())
        rows = with_open_result_counts(query, leaderboard(query, today)[:SEASON_LINES])
        season = {"query": query, "season_rows": rows} if rows else {}
    context = {
        "club": club,
        "tournaments": page,
        "upcoming": upcoming,
        "next": next(
            (night for night in upcoming if night.is_open and not night.is_running),
            None,
        ),
        "nights": [
            (night, win_by_night.get(night.pk))
            for night in nights
            if night not in unfinished
        ],
        **season,
        "is_archive": is_archive,
        "has_archive": not is_archive and archived.exists(),
        "role": role,
        "directs": role == Role.DIRECTOR,
        "is_followed": is_club_followed(request, club),
        "about": club_link_preview(club, club.local_day(timezone.now())),
    }
    return render(request, "tournaments/club/club.html", context)


@require_safe
@in_club(None)
def club_about_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Show what a club plays, and how to follow it."""
    listed = club.tournaments.filter(
        listing=Tournament.Listing.LISTED, phase=Tournament.Phase.FINISHED
    )
    counts = listed.order_by().values_list("game").annotate(count=Count("pk"))
    games = [
        (table_game(game), count)
        for game, count in sorted(counts, key=lambda row: (-row[1], row[0]))
    ]
    context = {
        "club": club,
        "role": club.get_role(request.user),
        "games": games,
        "night_count": sum(count for _game, count in games),
        "first_night": listed.aggregate(first=Min("starts_at"))["first"],
        "subscribe": webcal_url(
            request, reverse("tournaments:club_calendar", args=[club.slug])
        ),
        "is_followed": is_club_followed(request, club),
        "circuits": sorted(
            Circuit.objects.filter(
                pk__in=club.circuit_parts.active().values("circuit")
            ),
            key=lambda circuit: localized_sort_key(circuit.name),
        ),
        "about": club_link_preview(club, club.local_day(timezone.now())),
    }
    return render(request, "tournaments/club/club_about.html", context)


@require_safe
@in_club(Role.VIEWER)
def manage_club_page(request: HttpRequest, club: Club) -> HttpResponse:
    role = club.get_role(request.user)
    assert role is not None
    context = {
        "club": club,
        "role": role,
        "role_name": role.label,
        "scores": role >= Role.SCORER,
        "directs": role == Role.DIRECTOR,
    }
    return render(request, "tournaments/club/club_manage.html", context)


@in_club(Role.DIRECTOR)
def list_or_invite_team_members(request: HttpRequest, club: Club) -> HttpResponse:
    form = InviteTeamMemberForm(request.POST or None)
    if form.is_valid():
        assert isinstance(request.user, User)
        with show_refusals(form, "email"):
            result = invite_or_change_role(
                club=club,
                **form.cleaned_data,
                inviter=request.user,
                build_link=lambda page: request.build_absolute_uri(
                    page.get_absolute_url()
                ),
                now=timezone.now(),
            )
            if result.has_role and are_emails_printed_to_console():
                message = _("%(email)s now has this role.")
            elif result.has_role:
                message = _("%(email)s now has this role and will get an e-mail.")
            elif result.was_invited:
                message = _("%(email)s was already invited. The link hasn’t changed.")
            elif are_emails_printed_to_console():
                message = _(
                    "Invitation created for %(email)s. Send them the link below."
                )
            else:
                message = _("Invitation e-mailed to %(email)s. The same link is below.")
            messages.success(request, message % {"email": result.invitation.email})
            return redirect("tournaments:people", club.slug)
    members = club.memberships.select_related("user").order_by("-role", "user__email")
    context = {
        "club": club,
        "members": members,
        "invitations": club.invitations.open(timezone.now()),
        "form": form,
    }
    return render(request, "tournaments/club/people.html", context)


@post_only
@in_club(Role.DIRECTOR)
def remove_team_member(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    return _remove_member_and_redirect(
        request, get_object_or_404(club.memberships, pk=pk)
    )


def _remove_member_and_redirect(
    request: HttpRequest, membership: Membership
) -> HttpResponse:
    """Remove a member, and redirect to a page that the account may still see."""
    user, club = request.user, membership.club
    assert isinstance(user, User)
    is_own = membership.user_id == user.pk
    message = (
        _("You’ve left the team at %(club)s.") % {"club": club.name}
        if is_own
        else _("%(email)s is no longer on the team.") % {"email": membership.user.email}
    )
    is_removed = run_action(
        request,
        lambda: remove_member(membership=membership, actor=user),
        success_message=message,
    )
    if is_own and is_removed:
        return redirect("tournaments:clubs")
    return redirect("tournaments:people", club.slug)


@post_only
@requires_account
def become_director_of_demo_club(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    try:
        club = make_demo_director(user=request.user)
    except RefusedError as refused:
        messages.error(request, refused.message)
        return redirect("tournaments:clubs")
    message = _("You’re directing %(club)s. Try anything: no one plays there for real.")
    messages.success(request, message % {"club": club.name})
    return redirect(club)


@in_club(Role.VIEWER)
def leave_team_page(request: HttpRequest, club: Club) -> HttpResponse:
    assert isinstance(request.user, User)
    membership = get_object_or_404(club.memberships, user=request.user)
    context = {"club": club, "role": membership.get_role_display()}
    try:
        require_other_director(membership)
        if request.method == "POST":
            return _remove_member_and_redirect(request, membership)
    except RefusedError as refused:
        context["refused"] = refused.message
    return render(request, "tournaments/club/club_leave.html", context)


@post_only
@in_club(Role.DIRECTOR)
def withdraw_team_invitation(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    run_action(
        request,
        lambda: withdraw_invitation(invitation_id=pk, now=timezone.now()),
        success_message=_("Invitation withdrawn."),
        changes=get_object_or_404(club.invitations, pk=pk),
    )
    return redirect("tournaments:people", club.slug)


@for_everybody
def show_or_accept_team_invitation(request: HttpRequest, address: str) -> HttpResponse:
    invitation = get_object_or_404(
        Invitation.objects.select_related("club", "made_by"), address=address
    )
    activate_locale_unless_chosen(request, invitation.club)
    user, now = request.user, timezone.now()
    if request.method == "POST" and isinstance(user, User):
        role = {"role": invitation.get_role_display(), "club": invitation.club.name}
        if run_action(
            request,
            lambda: accept_invitation(invitation_id=invitation.pk, user=user, now=now),
            success_message=_("You’re now on the team at %(club)s: %(role)s.") % role,
        ):
            return redirect(invitation.club)
    context = {
        "invitation": invitation,
        "is_open": Invitation.objects.open(now).filter(pk=invitation.pk).exists(),
        "has_role_already": isinstance(user, User)
        and has_role_already(invitation, user),
    }
    return render(request, "tournaments/club/invitation.html", context)


@in_club(Role.DIRECTOR)
def edit_archive_or_delete_club(request: HttpRequest, club: Club) -> HttpResponse:
    """Show and save a club's name, look, language and time zone; archive or delete the club."""
    act = request.POST.get("act", "")
    data = {} if act else request.POST.dict()
    form = ClubSettingsForm(data, request.FILES, instance=club)
    if form.is_valid():
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        unchanged = _("No changes to save.")
        try:
            with show_changed_or_unchanged_message(
                request, _("Saved."), club, unchanged_message=unchanged
            ):
                change_club_settings(club_id=club.pk, **changes)
            return redirect(club)
        except RefusedError as refused:
            code = looks.TOO_LIGHT if refused.field == "colour" else None
            form.add_error(refused.field, ValidationError(refused.message, code=code))
    club.refresh_from_db()
    try:
        if act in REMOVALS:
            run_action(
                request,
                lambda: REMOVALS[act](club_id=club.pk),
                success_message=str(REMOVAL_MESSAGES[act]),
                changes=club,
            )
            return redirect("tournaments:club_edit", club.slug)
        if act in ("archive", "restore"):
            is_archived = act == "archive"
            message = (
                _("%(club)s is archived.")
                if is_archived
                else _("%(club)s is no longer archived.")
            )
            archived = Club.objects.filter(pk=club.pk, archived_at=None)
            with show_changed_or_unchanged_message(
                request, message % {"club": club.name}, archived.exists
            ):
                archive_or_restore_club(
                    club_id=club.pk, now=timezone.now() if is_archived else None
                )
            return redirect(club)
        if act == "delete":
            delete_club_without_tournaments(club_id=club.pk)
            message = _("%(club)s was deleted.")
            messages.success(request, message % {"club": club.name})
            return redirect("tournaments:clubs")
    except RefusedError as refused:
        messages.error(request, refused.message)
    is_too_light = form.has_error("colour", looks.TOO_LIGHT)
    context = {
        "club": club,
        "form": form,
        "darker": looks.darken_until_readable(form.data["colour"])
        if is_too_light
        else "",
        "is_empty": not club.tournaments.exists(),
        "is_to_delete": act == "ask",
    }
    return render(request, "tournaments/club/club_edit.html", context)


@require_safe
@in_club(Role.DIRECTOR)
def night_proposals_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Propose evenings for a number of people and hours."""
    if chosen := request.GET.get("offer"):
        proposal = QueryDict(chosen)
        names = (*PROPOSAL_SETTINGS, *PROPOSAL_INPUTS)
        query = urlencode({name: proposal[name] for name in names if name in proposal})
        new = reverse("tournaments:tournament_new", args=[club.slug])
        return redirect(f"{new}?{query}")
    form = NightWizardForm(request.GET or None, initial={"people": 16, "hours": 3})
    offers: Sequence[OfferedNight] = ()
    if form.is_valid():
        offers = list_offered_nights(**form.cleaned_data)
    context = {
        "club": club,
        "form": form,
        "offers": offers[:MOST_OFFERS],
        "others": offers[MOST_OFFERS:],
        "all_offers": offers,
        "game_name": table_game(form.cleaned_data["game"]).name if offers else "",
    }
    return render(request, "tournaments/club/wizard.html", context)


@in_club(Role.DIRECTOR)
def create_tournament_page(request: HttpRequest, club: Club) -> HttpResponse:
    try:
        lifecycle.check_club_not_archived(club)
    except RefusedError as refused:
        messages.error(request, refused.message)
        return redirect(club)
    now = timezone.localtime(timezone=club.zone).replace(second=0)
    initial = {
        "starts_at": now,
        "name": date_format(now, "WEEKDAY_FORMAT"),
        **{
            name: request.GET[name] for name in PROPOSAL_SETTINGS if name in request.GET
        },
    }
    form = TournamentForm(request.POST or None, initial=initial, club=club)
    if request.method == "POST" and form.is_valid():
        tournament = form.save()
        message = _("“%(name)s” is ready.") % {"name": tournament.name}
        messages.success(request, message)
        for warning in form.warnings:
            messages.warning(request, warning)
        return redirect("tournaments:desk", tournament.address)
    wizard_url = reverse("tournaments:wizard", args=[club.slug])
    if all(name in request.GET for name in PROPOSAL_INPUTS):
        inputs = {
            name: request.GET.get(name, "") for name in (*PROPOSAL_INPUTS, "game")
        }
        wizard_url = f"{wizard_url}?{urlencode(inputs)}"
    context = {
        "club": club,
        "form": form,
        "games": GAMES,
        "wizard_url": wizard_url,
        "day_format": get_format("WEEKDAY_FORMAT"),
    }
    return render(request, "tournaments/club/tournament_new.html", context)
