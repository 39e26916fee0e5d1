"""The director's desk: the state of the night, and decisions about the whole of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from secrets import SystemRandom
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.games.words import join_names
from scoring.matchlog.commands import Author
from scoring.rules import GAMES
from scoring.web.redirects import post_only
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.autopilot import steps
from tournaments.event.desk import announcements
from tournaments.event.desk.overview import Desk, read_desk
from tournaments.event.desk.pace import pace_board
from tournaments.event.entries import NO_ENTRY
from tournaments.event.outlook import IN_A_REQUEST, store_outlook
from tournaments.event.push.sending import public_key
from tournaments.event.setup import lifecycle
from tournaments.event.undecided_hands import undecided_hands
from tournaments.models import (
    AutoStep,
    Entry,
    Role,
    Round,
    Tournament,
    User,
)
from tournaments.models.round_names import round_subject
from tournaments.people.club_state import club_state
from tournaments.web.access import in_tournament
from tournaments.web.actions import Watched, ask_to_confirm, run_action
from tournaments.web.desk.autopilot import Ahead, ahead_of, step_done
from tournaments.web.desk.forms import (
    AnnouncementForm,
    CutForm,
)
from tournaments.web.desk.settings_form import TournamentForm
from tournaments.web.notifications.views import subscription_here
from tournaments.web.standings.lines import as_it_stands as stands_now
from tournaments.web.standings.lines import winners_headline
from tournaments.web.standings.views import standings_for


@contextmanager
def moving_up(request: HttpRequest, tournament: Tournament) -> Iterator[None]:
    """Name the players that a change moves up from the waiting list."""
    waiting = list(tournament.entries.all().waiting())
    yield
    states = dict(
        tournament.entries.filter(pk__in=[entry.pk for entry in waiting]).values_list(
            "pk", "state"
        )
    )
    names = [
        entry.name
        for entry in waiting
        if states.get(entry.pk)
        == (Entry.State.PRESENT if entry.waits_here else Entry.State.EXPECTED)
    ]
    if names:
        words = ngettext(
            "%(names)s moves up from the waiting list.",
            "%(names)s move up from the waiting list.",
            len(names),
        )
        messages.success(request, words % {"names": join_names(names)})


@require_safe
@in_tournament(Role.VIEWER)
def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the tables, what is next and what blocks it."""
    return _render_desk(request, tournament)


def _render_desk(
    request: HttpRequest, tournament: Tournament, **refused: Form
) -> HttpResponse:
    """Return the page of the desk, with forms that were `refused` in place of empty ones."""
    return render(
        request,
        "tournaments/desk/desk.html",
        {
            **desk_context(request, tournament),
            **refused,
            "is_seated": "seated" in request.GET,
            "subscription": subscription_here(request, tournament),
            "push_key": public_key(),
        },
    )


@require_safe
@in_tournament(Role.VIEWER)
def desk_live(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Answer the desk where anything changed since the version `v`, else nothing."""
    context = desk_context(request, tournament)
    if request.GET.get("v") == context["version"]:
        return HttpResponse(status=204)
    return render(
        request, "tournaments/desk/desk.html#now", {**context, "is_live": True}
    )


def _result(tournament: Tournament, role: Role | None) -> str:
    """Return who won a finished tournament, or is ahead in it; empty before its end."""
    if tournament.phase != Tournament.Phase.FINISHED:
        return ""
    shown = standings_for(tournament, role)
    return winners_headline(shown.lines()) if shown else ""


def desk_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return what the desk draws, and what the person at it may do."""
    role, now = tournament.club.get_role(request.user), timezone.now()
    desk, ahead = read_desk(tournament, now), ahead_of(tournament)
    return {
        "tournament": tournament,
        "desk": desk,
        "ahead": ahead,
        "version": _version(tournament, desk, ahead),
        # What comes by itself has its button in the strip that says so.
        "by_hand": ahead is None or ahead.step is None,
        "now": now,
        "result": _result(tournament, role),
        "games": GAMES.values(),
        "announcement": AnnouncementForm(),
        "cut": CutForm(
            initial={"size": tournament.final_size or tournament.table_size}
        ),
        "role": role,
        "drawn_for": _drawn_for(request, tournament, role),
        "scores": role is not None and role >= Role.SCORER,
        "directs": role == Role.DIRECTOR,
    }


def _drawn_for(
    request: HttpRequest, tournament: Tournament, role: Role | None
) -> tuple[object, ...]:
    """Return what a table's card shows beside the table: whose forms, in which language."""
    # Whoever asks for a token is given a cookie, and such an answer cannot be told again.
    if "CSRF_COOKIE" not in request.META:
        get_token(request)
    return tournament.address, get_language(), role, request.META["CSRF_COOKIE"]


def _version(tournament: Tournament, desk: Desk, ahead: Ahead | None) -> str:
    """Return what differs whenever the desk shows anything else."""
    parts = (desk.digest, ahead and ahead.digest, club_state(tournament.club))
    return sha256(repr(parts).encode()).hexdigest()[:16]


def try_to(
    request: HttpRequest,
    tournament: Tournament,
    action: Callable[[], object],
    *,
    said: str = "",
    changes: Watched | None = None,
    seats: bool = False,
) -> HttpResponse:
    """Run an action of the desk as `run_action` does, and go back there.

    What `seats` a round lets its tables come up, once.
    """
    desk = reverse("tournaments:desk", args=[tournament.address])
    is_done = run_action(request, action, said=said, changes=changes)
    return redirect(f"{desk}?seated" if seats and is_done else desk)


def ask_first(
    request: HttpRequest,
    tournament: Tournament,
    question: str,
    named: Sequence[str],
    *,
    players: str = "",
) -> HttpResponse | None:
    """Return a page that asks, and names what is open or lost; None once that was answered.

    Whoever says no is back at the desk, or at the page of the `players`.
    """
    return ask_to_confirm(
        request,
        question,
        named,
        title=tournament.name,
        back=players or reverse("tournaments:desk", args=[tournament.address]),
        back_label=_("Players") if players else _("Back to the desk"),
        no=_("No, they stay") if players else _("No, back to the desk"),
    )


def hold_next_step(request: HttpRequest, tournament_id: int) -> None:
    """Let a night that runs itself wait, so that it does not close again at once."""
    assert isinstance(request.user, User)
    steps.hold_next(tournament_id=tournament_id, by=request.user, now=timezone.now())


@post_only
@in_tournament(Role.DIRECTOR)
def finish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Finish the tournament; its standings stay as they are now."""
    now = timezone.now()
    last = tournament.rounds.filter(state=Round.State.CLOSED).order_by("number").last()
    waiting = tournament.rounds.exclude(state=Round.State.CLOSED).order_by("number")
    named = [
        _("Its standings stay as they are now; it can be opened again."),
        *(
            _("%(round)s is drawn and was not played: its draw is taken back.")
            % {"round": round_subject(round_)}
            for round_ in waiting
        ),
        *(_open_tables(last) if last else []),
        *(line.words for line in read_desk(tournament, now).attention),
        *(
            _("This announcement ends: %(text)s") % {"text": announcement.text}
            for announcement in tournament.announcements.active()
        ),
    ]
    question = _("Finish the tournament?")
    # What is refused in any case is not asked about.
    with suppress(RefusedError):
        rounds.check_can_finish(tournament)
        if asked := ask_first(request, tournament, question, named):
            return asked
    return try_to(
        request,
        tournament,
        lambda: rounds.finish(tournament_id=tournament.pk, now=now),
        said=_("“%(name)s” is finished.") % {"name": tournament.name},
        changes=tournament,
    )


def _open_tables(round_: Round) -> Sequence[str]:
    """Return what is open at the tables of a closed round and is no line of the desk.

    Hands with two versions are such lines, and results of tables that stopped early.
    """
    tables = list(round_.tables.with_people())
    unconfirmed = round_.tables.all().unconfirmed(round_.tournament.quorum)
    stopped = unconfirmed.filter(match__finished=False)
    named = {*undecided_hands(tables), *stopped.values_list("pk", flat=True)}
    return rounds.blocking(round_, [table for table in tables if table.pk not in named])


@post_only
@in_tournament(Role.DIRECTOR)
def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let a finished tournament go on; what was frozen stays."""

    def open_it() -> None:
        rounds.reopen(tournament_id=tournament.pk)
        hold_next_step(request, tournament.pk)

    return try_to(
        request,
        tournament,
        open_it,
        said=_("“%(name)s” goes on.") % {"name": tournament.name},
        changes=tournament,
    )


@post_only
@in_tournament(Role.SCORER)
def count(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Count the standings here and now, where no worker does."""

    def count_here() -> None:
        results.count_standings(tournament_id=tournament.pk, now=timezone.now())
        store_outlook(tournament_id=tournament.pk, most_ranked=IN_A_REQUEST)

    said = _("The standings are counted.")
    counted = tournament.standings.order_by("pk")
    return try_to(
        request,
        tournament,
        count_here,
        said=said,
        changes=lambda: list(counted.values_list("pk", "outlook")),
    )


@require_safe
@in_tournament(Role.VIEWER)
def as_it_stands(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the standings as they would be if every table stopped now."""
    stands = stands_now(tournament)
    context = {
        "tournament": tournament,
        "sentence": stands.sentence,
        "claims": stands.claims,
        "table": stands.table,
        "as_of": _("As of %(time)s")
        % {"time": time_format(timezone.localtime(), "TIME_FORMAT")},
    }
    return render(request, "tournaments/desk/as_it_stands.html", context)


def director(request: HttpRequest) -> Author:
    """Return who directs as the author of what they enter for others."""
    assert isinstance(request.user, User)
    return Author(name=request.user.public_name[:80], may_change_closed=True)


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
                lambda: lifecycle.change_settings(
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


@post_only
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


@post_only
@in_tournament(Role.SCORER)
def registration(
    request: HttpRequest, tournament: Tournament, verb: str
) -> HttpResponse:
    """Open registration by hand, or close it."""
    coming = tournament.entries.all().with_place().count()
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


@post_only
@in_tournament(Role.DIRECTOR)
def cut(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the final of the best."""
    form = CutForm(request.POST)
    unplayed = drawing.unplayed_rounds(tournament)
    if form.is_valid():
        size = form.cleaned_data["size"]
        try:
            # What is refused in any case is not asked about.
            drawing.check_final_size(tournament, size)
            if unplayed and (
                asked := _ask_about_unplayed(request, tournament, unplayed)
            ):
                return asked
            drawing.cut(tournament_id=tournament.pk, size=size, now=timezone.now())
        except RefusedError as refused:
            form.add_error("size", refused.message)
    if form.errors:
        # Above the page too, whose form may be folded away.
        messages.error(request, first_refusal(form))
        return _render_desk(request, tournament, cut=form)
    messages.success(request, _("The final is drawn."))
    return redirect("tournaments:desk", tournament.address)


def _ask_about_unplayed(
    request: HttpRequest, tournament: Tournament, unplayed: Sequence[int]
) -> HttpResponse | None:
    words = ngettext(
        "Round %(numbers)s has not been played.",
        "Rounds %(numbers)s have not been played.",
        len(unplayed),
    )
    named = [
        words % {"numbers": ", ".join(map(str, unplayed))},
        _("The final goes to the best of the rounds that were played."),
    ]
    return ask_first(request, tournament, _("Draw the final now?"), named)


@post_only
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


@post_only
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


@post_only
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


@post_only
@in_tournament(Role.DIRECTOR)
def screen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Decide what the projector shows, and what the public sees."""
    return try_to(
        request,
        tournament,
        lambda: lifecycle.show(
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


@post_only
@in_tournament(Role.DIRECTOR)
def auto_step(
    request: HttpRequest, tournament: Tournament, pk: int, verb: str
) -> HttpResponse:
    """Hold an announced step, do it now, or undo one that was done."""
    step = get_object_or_404(AutoStep, tournament=tournament, pk=pk)
    by, now = request.user, timezone.now()
    assert isinstance(by, User)
    actions: dict[str, tuple[Callable[[], object], str]] = {
        "hold": (
            lambda: steps.hold(step_id=step.pk, by=by),
            _("It waits until you say so."),
        ),
        "now": (
            lambda: steps.bring_forward(step_id=step.pk, by=by, now=now),
            _("Done: %(step)s."),
        ),
        "undo": (
            lambda: steps.undo(step_id=step.pk, by=by, now=now),
            _("Undone: %(step)s. This waits until you say so."),
        ),
    }
    if verb not in actions:
        raise Http404
    act, said = actions[verb]
    said %= {"step": step_done(step)}
    return try_to(request, tournament, act, said=said, changes=step)
