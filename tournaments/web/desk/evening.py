"""Decisions during a night: settings, announcements, the cut, the autopilot."""

from functools import partial
from secrets import SystemRandom

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import results
from tournaments.event.autopilot import steps
from tournaments.event.desk import announcements
from tournaments.event.desk.pace_board import pace_board
from tournaments.event.desk.slips import unfinished_slips
from tournaments.event.entries import NO_ENTRY
from tournaments.event.setup import lifecycle
from tournaments.event.setup.settings import change_settings, show
from tournaments.models import AutoStep, Role, Round, Tournament, User
from tournaments.web.access import in_tournament
from tournaments.web.actions import run_action
from tournaments.web.desk.autopilot import step_done
from tournaments.web.desk.entry_messages import moving_up
from tournaments.web.desk.forms import AnnouncementForm, CutForm
from tournaments.web.desk.settings_form import TournamentForm
from tournaments.web.desk.views import action_for, try_to

SETTINGS = (*TournamentForm.Meta.fields, "points", "tie_breaks", "bye", "options")


def first_refusal(form: Form) -> str:
    """Return the first thing that is wrong with a form of one field."""
    return str(next(iter(form.errors.values()))[0])


@in_tournament(Role.DIRECTOR)
def settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what was decided, and take other decisions."""
    form = TournamentForm(request.POST or None, instance=tournament)
    if request.method == "POST" and form.is_valid():
        with moving_up(request, tournament):
            run_action(
                request,
                lambda: change_settings(
                    tournament=form.save(commit=False), fields=SETTINGS
                ),
                said=_("The settings are kept."),
                changes=lambda: (
                    Tournament.objects.filter(pk=tournament.pk).values(*SETTINGS).get()
                ),
                unchanged=_("Nothing has changed: the settings are the same."),
            )
        for warning in form.warnings:
            messages.warning(request, warning)
        return redirect("tournaments:desk", tournament.address)
    if form.errors:
        # The heading and the way back are those of the tournament as it is.
        tournament.refresh_from_db()
    context = {"tournament": tournament, "form": form}
    return render(request, "tournaments/desk/settings.html", context)


@in_tournament(Role.DIRECTOR)
def tournament_delete(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Ask whether a tournament that was never played goes, and delete it."""
    club = tournament.club
    if request.method == "POST":
        try:
            lifecycle.delete_tournament(tournament_id=tournament.pk)
        except RefusedError as refused:
            messages.error(request, refused.message)
        else:
            words = _("“%(name)s” is deleted.")
            messages.success(request, words % {"name": tournament.name})
            return redirect(club)
    context = {
        "tournament": tournament,
        "was_played": lifecycle.was_played(tournament),
        "entered": tournament.entries.count(),
        "drawn": tournament.rounds.count(),
    }
    return render(request, "tournaments/desk/tournament_delete.html", context)


@posted
@in_tournament(Role.DIRECTOR)
def listing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Say who finds the tournament."""

    def list_it() -> str:
        listed = lifecycle.set_listing(
            tournament_id=tournament.pk, listing=request.POST.get("listing", "")
        )
        words = {"name": listed.name, "who": listed.get_listing_display()}
        return _("%(name)s: %(who)s.") % words

    return try_to(request, tournament, list_it, changes=tournament)


@posted
@in_tournament(Role.SCORER)
def registration(
    request: HttpRequest, tournament: Tournament, verb: str
) -> HttpResponse:
    """Open registration by hand, or close it."""
    coming = tournament.entries.all().coming().count()
    now = timezone.now()
    is_closed = tournament.registration(now, coming) in NO_ENTRY

    def open_or_close() -> str:
        if verb == "open":
            lifecycle.open_registration(tournament_id=tournament.pk)
            return _("Registration is open.")
        if not is_closed:
            lifecycle.close_registration(tournament_id=tournament.pk, now=now)
        return _("Registration is closed.")

    if verb not in ("open", "close"):
        raise Http404
    run_action(request, open_or_close, changes=tournament)
    return redirect("tournaments:entries", tournament.address)


@posted
@in_tournament(Role.DIRECTOR)
def cut(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the final of the best."""
    form = CutForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_refusal(form))
        return redirect("tournaments:desk", tournament.address)
    return try_to(
        request,
        tournament,
        lambda: drawing.cut(
            tournament_id=tournament.pk,
            size=form.cleaned_data["size"],
            now=timezone.now(),
        ),
        said=_("The final is drawn."),
    )


@posted
@in_tournament(Role.DIRECTOR)
def lots(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw lots for who has none."""
    drawn = results.draw_lots(
        tournament_id=tournament.pk, shuffle=SystemRandom().shuffle
    )
    words = ngettext(
        "%(drawn)s drew a lot; it decides between who is level in all else.",
        "%(drawn)s drew a lot; it decides between who is level in all else.",
        drawn,
    )
    if drawn:
        messages.success(request, words % {"drawn": drawn})
    else:
        messages.info(request, _("Nothing has changed: everyone has a lot."))
    return redirect("tournaments:desk", tournament.address)


@posted
@in_tournament(Role.SCORER)
def announce(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Tell every phone and the room something."""
    form = AnnouncementForm(request.POST)
    if not form.is_valid():
        messages.error(request, first_refusal(form))
        return redirect("tournaments:desk", tournament.address)
    assert isinstance(request.user, User)
    announce_it = partial(
        announcements.announce,
        tournament_id=tournament.pk,
        text=form.cleaned_data["text"],
        by=request.user,
        now=timezone.now(),
    )
    said = _("Phones and projector show your message.")
    return try_to(request, tournament, announce_it, said=said)


@posted
@in_tournament(Role.SCORER)
def announcement_withdraw(
    request: HttpRequest, tournament: Tournament, pk: int
) -> HttpResponse:
    """Take an announcement off the phones and the projector."""
    announcement = get_object_or_404(tournament.announcements, pk=pk)
    now = timezone.now()
    return try_to(
        request,
        tournament,
        lambda: announcements.withdraw(announcement_id=announcement.pk, now=now),
        said=_("The announcement is withdrawn."),
        changes=announcement,
    )


@posted
@in_tournament(Role.DIRECTOR)
def screen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Decide what the projector shows, and what the public sees."""
    return try_to(
        request,
        tournament,
        lambda: show(
            tournament_id=tournament.pk,
            screen=request.POST.get("screen", ""),
            standings=request.POST.get("standings_shown", ""),
        ),
        said=_("It is shown so."),
        changes=tournament,
    )


@require_safe
@in_tournament(Role.VIEWER)
def pace(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show when each table of the running round will be done, the last first."""
    round_ = tournament.rounds.filter(state=Round.State.RUNNING).first()
    now = timezone.now()
    context = {
        "tournament": tournament,
        "round": round_,
        "lines": pace_board(round_, now) if round_ else [],
        "now": now,
    }
    page = "tournaments/desk/pace.html"
    return render(request, f"{page}#board" if "board" in request.GET else page, context)


@require_safe
@in_tournament(Role.VIEWER)
def slips(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show slips of unfinished matches, to be printed: they can go on by pen."""
    round_ = get_object_or_404(Round, tournament=tournament, number=number)
    context = {
        "tournament": tournament,
        "round": round_,
        "slips_shown": list(unfinished_slips(round_)),
    }
    return render(request, "tournaments/desk/slips.html", context)


SAID = {
    "hold": gettext_lazy("It waits until you say so."),
    "now": gettext_lazy("Done: %(step)s."),
    "undo": gettext_lazy("Undone: %(step)s. This waits until you say so."),
}


@posted
@in_tournament(Role.DIRECTOR)
def auto_step(
    request: HttpRequest, tournament: Tournament, pk: int, verb: str
) -> HttpResponse:
    """Hold an announced step, do it now, or undo one that was done."""
    step = get_object_or_404(AutoStep, tournament=tournament, pk=pk)
    by, now = request.user, timezone.now()
    assert isinstance(by, User)
    verbs = {
        "hold": lambda: steps.hold(step_id=step.pk, by=by),
        "now": lambda: steps.bring_forward(step_id=step.pk, by=by, now=now),
        "undo": lambda: steps.undo(step_id=step.pk, by=by, now=now),
    }
    act = action_for(verbs, verb)
    said = str(SAID[verb]) % {"step": step_done(step)}
    return try_to(request, tournament, act, said=said, changes=step)
