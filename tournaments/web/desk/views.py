"""The director's desk: the state of the tournament, and actions on all of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from secrets import SystemRandom
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.locales.sentences import join_names
from scoring.rules import GAMES
from scoring.web.redirects import post_only
from tournaments.changes import RefusedError
from tournaments.event import autopilot, results, rounds
from tournaments.event import draw as drawing
from tournaments.event.desk import announcements
from tournaments.event.desk.overview import read_desk
from tournaments.event.desk.pace import pace_board
from tournaments.event.entries import REGISTRATION_MESSAGES
from tournaments.event.outlook import IN_A_REQUEST, store_outlook_with_standings
from tournaments.event.push import vapid_public_key
from tournaments.event.setup import lifecycle
from tournaments.event.tables import first_undecided_hand_by_table
from tournaments.models import AutoStep, Entry, Role, Round, Tournament
from tournaments.models.round_names import round_subject
from tournaments.people.club_state import page_version
from tournaments.web.access import in_tournament
from tournaments.web.actions import run_action
from tournaments.web.desk.actions import (
    PLAYERS,
    ConfirmationRequiredError,
    desk_action,
    hold_next_autopilot_step,
    require_confirmation,
    signed_in_user,
)
from tournaments.web.desk.autopilot import read_autopilot_agenda, step_summary
from tournaments.web.desk.forms import AnnouncementForm, CutToFinalForm
from tournaments.web.desk.settings_form import SETTINGS, TournamentForm
from tournaments.web.notifications.views import find_entry_or_desk_subscription
from tournaments.web.standings.lines import provisional_standings, winners_headline
from tournaments.web.standings.views import visible_standings


@contextmanager
def show_moved_up_players(
    request: HttpRequest, tournament: Tournament
) -> Iterator[None]:
    """Show the players that moved up from the waiting list during the block."""
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
        text = ngettext(
            "%(names)s moves up from the waiting list.",
            "%(names)s move up from the waiting list.",
            len(names),
        )
        messages.success(request, text % {"names": join_names(names)})


@require_safe
@in_tournament(Role.VIEWER)
def desk_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _render_desk(request, tournament)


def _render_desk(
    request: HttpRequest, tournament: Tournament, **refused_forms: Form
) -> HttpResponse:
    context = {
        **_desk_context(request, tournament),
        **refused_forms,
        "is_seated": "seated" in request.GET,
        "subscription": find_entry_or_desk_subscription(request, tournament),
        "push_key": vapid_public_key(),
    }
    return render(request, "tournaments/desk/desk.html", context)


@require_safe
@in_tournament(Role.VIEWER)
def poll_desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the desk if it changed since the version `v`, else 204."""
    context = _desk_context(request, tournament)
    if request.GET.get("v") == context["version"]:
        return HttpResponse(status=204)
    context["is_live"] = True
    return render(request, "tournaments/desk/desk.html#now", context)


def _desk_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    role, now = tournament.club.get_role(request.user), timezone.now()
    desk, agenda = read_desk(tournament, now), read_autopilot_agenda(tournament)
    # get_token() makes the response set a cookie, which rules out caching: only if it is needed.
    if "CSRF_COOKIE" not in request.META:
        get_token(request)
    result = ""
    if tournament.phase == Tournament.Phase.FINISHED:
        standings = visible_standings(tournament, role)
        result = winners_headline(standings.rows_with_names()) if standings else ""
    return {
        "tournament": tournament,
        "desk": desk,
        "agenda": agenda,
        "version": page_version(tournament.club, desk.digest, agenda and agenda.digest),
        # An announced step has its own button in the autopilot's strip.
        "by_hand": agenda is None or agenda.step is None,
        "now": now,
        "result": result,
        "games": GAMES.values(),
        "announcement": AnnouncementForm(),
        "cut": CutToFinalForm(
            initial={"size": tournament.final_size or tournament.table_size}
        ),
        "role": role,
        # Cache key of a table's card: its forms depend on role and token, its text on language.
        "drawn_for": (
            tournament.address,
            get_language(),
            role,
            request.META["CSRF_COOKIE"],
        ),
        "scores": role is not None and role >= Role.SCORER,
        "directs": role == Role.DIRECTOR,
    }


@desk_action(Role.DIRECTOR)
def finish_tournament(request: HttpRequest, tournament: Tournament) -> str:
    now = timezone.now()
    # No confirmation if finishing would be refused anyway.
    rounds.check_can_finish(tournament)
    last = tournament.rounds.filter(state=Round.State.CLOSED).order_by("number").last()
    waiting = tournament.rounds.exclude(state=Round.State.CLOSED).order_by("number")
    open_tables: Sequence[str] = []
    if last is not None:
        # Hands with two versions and results of tables that stopped early are already in the
        # desk's attention list.
        tables = list(last.tables.with_places_and_entries())
        unconfirmed = last.tables.all().unconfirmed(tournament.quorum)
        stopped = unconfirmed.filter(match__finished=False)
        listed_tables = {
            *first_undecided_hand_by_table(tables),
            *stopped.values_list("pk", flat=True),
        }
        other_tables = [table for table in tables if table.pk not in listed_tables]
        open_tables = rounds.closing_obstacles(last, other_tables)
    require_confirmation(
        request,
        _("Finish the tournament?"),
        [
            _("The standings stay as they are now. You can reopen the tournament."),
            *(
                _("%(round)s was drawn but not played. Its draw will be undone.")
                % {"round": round_subject(round_)}
                for round_ in waiting
            ),
            *open_tables,
            *(line.message for line in read_desk(tournament, now).attention),
            *(
                _("This message will be removed: %(text)s")
                % {"text": announcement.text}
                for announcement in tournament.announcements.active()
            ),
        ],
        confirm_label=_("Finish the tournament"),
    )
    rounds.finish(tournament_id=tournament.pk, now=now, user=signed_in_user(request))
    return _("“%(name)s” is finished.") % {"name": tournament.name}


@desk_action(Role.DIRECTOR)
def reopen_tournament_and_hold_autopilot(
    request: HttpRequest, tournament: Tournament
) -> str:
    rounds.reopen(tournament_id=tournament.pk, user=signed_in_user(request))
    hold_next_autopilot_step(request, tournament.pk)
    return _("“%(name)s” is open again.") % {"name": tournament.name}


@desk_action(
    Role.SCORER,
    changes=lambda tournament: list(
        tournament.standings.order_by("pk").values_list("pk", "outlook")
    ),
)
def recompute_standings_now(_request: HttpRequest, tournament: Tournament) -> str:
    """Count the standings in the request, in case no worker does."""
    results.clear_request_and_store_standings(
        tournament_id=tournament.pk, now=timezone.now()
    )
    store_outlook_with_standings(
        tournament_id=tournament.pk, most_outcomes=IN_A_REQUEST
    )
    return _("Standings updated.")


@require_safe
@in_tournament(Role.VIEWER)
def provisional_standings_page(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    standings = provisional_standings(tournament)
    time = time_format(timezone.localtime(), "TIME_FORMAT")
    context = {
        "tournament": tournament,
        "sentence": standings.sentence,
        "claims": standings.claims,
        "table": standings.table,
        "team_table": standings.team_table,
        "as_of": _("As of %(time)s") % {"time": time},
    }
    return render(request, "tournaments/desk/provisional_standings.html", context)


@in_tournament(Role.DIRECTOR)
def tournament_settings_page(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    form = TournamentForm(request.POST or None, instance=tournament)
    if request.method == "POST" and form.is_valid():
        with show_moved_up_players(request, tournament):
            run_action(
                request,
                lambda: lifecycle.save_and_apply_settings(
                    tournament=form.save(commit=False), fields=SETTINGS
                ),
                success_message=_("Settings saved."),
                changes=lambda: (
                    Tournament.objects.filter(pk=tournament.pk).values(*SETTINGS).get()
                ),
                unchanged_message=_("No changes to save."),
            )
        for warning in form.warnings:
            messages.warning(request, warning)
        return redirect("tournaments:desk", tournament.address)
    if form.errors:
        # The heading and the link back show the stored tournament, not the invalid values.
        tournament.refresh_from_db()
    context = {"tournament": tournament, "form": form}
    return render(request, "tournaments/desk/settings.html", context)


@in_tournament(Role.DIRECTOR)
def delete_tournament_page(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    if request.method == "POST" and run_action(
        request,
        lambda: lifecycle.delete_unplayed_tournament(tournament_id=tournament.pk),
        success_message=_("“%(name)s” was deleted.") % {"name": tournament.name},
    ):
        return redirect(tournament.club)
    context = {
        "tournament": tournament,
        "has_play_or_past_results": lifecycle.has_play_or_past_results(tournament),
        "entered": tournament.entries.count(),
        "drawn": tournament.rounds.count(),
    }
    return render(request, "tournaments/desk/tournament_delete.html", context)


@desk_action(Role.DIRECTOR)
def set_tournament_listing(request: HttpRequest, tournament: Tournament) -> str:
    listed = lifecycle.set_listing(
        tournament_id=tournament.pk, listing=request.POST.get("listing", "")
    )
    values = {"name": listed.name, "who": listed.get_listing_display()}
    return _("%(name)s: %(who)s.") % values


@desk_action(Role.SCORER, back_view=PLAYERS)
def open_or_close_registration(
    _request: HttpRequest, tournament: Tournament, verb: str
) -> str:
    place_count = tournament.entries.all().expected_or_present().count()
    now = timezone.now()
    if verb == "open":
        lifecycle.open_or_close_registration(
            tournament_id=tournament.pk, closed_at=None
        )
        return _("Registration is open.")
    if verb != "close":
        raise Http404
    if tournament.registration_state(now, place_count) not in REGISTRATION_MESSAGES:
        lifecycle.open_or_close_registration(tournament_id=tournament.pk, closed_at=now)
    return _("Registration is closed.")


@post_only
@in_tournament(Role.DIRECTOR)
def cut_to_final(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = CutToFinalForm(request.POST)
    if form.is_valid():
        size = form.cleaned_data["size"]
        try:
            # No confirmation if the cut would be refused anyway.
            drawing.check_final_size(tournament, size)
            if unplayed := drawing.round_numbers_skipped_by_final(tournament):
                text = ngettext(
                    "Round %(numbers)s hasn’t been played.",
                    "Rounds %(numbers)s haven’t been played.",
                    len(unplayed),
                )
                details = [
                    text % {"numbers": ", ".join(map(str, unplayed))},
                    _("The best players from the rounds so far go to the final."),
                ]
                yes = _("Draw the final")
                require_confirmation(
                    request, _("Draw the final now?"), details, confirm_label=yes
                )
            drawing.freeze_and_cut_to_final(
                tournament_id=tournament.pk,
                size=size,
                now=timezone.now(),
                user=signed_in_user(request),
            )
        except ConfirmationRequiredError as unconfirmed:
            return unconfirmed.render_confirmation(request, tournament)
        except RefusedError as refused:
            form.add_error("size", refused.message)
    if form.errors:
        # Also at the top of the page, since the form may be folded.
        messages.error(request, _first_error_message(form))
        return _render_desk(request, tournament, cut=form)
    messages.success(request, _("The final is drawn."))
    return redirect("tournaments:desk", tournament.address)


def _first_error_message(form: Form) -> str:
    return str(next(iter(form.errors.values()))[0])


@desk_action(Role.DIRECTOR, changes=None)
def draw_tie_break_lots(request: HttpRequest, tournament: Tournament) -> str:
    player_count = results.draw_missing_lots(
        tournament_id=tournament.pk, shuffle=SystemRandom().shuffle
    )
    if not player_count:
        messages.info(request, _("Everyone is already in the tie-break draw."))
        return ""
    text = ngettext(
        "Tie-break draw done for %(drawn)s player. It decides only if all else is "
        "tied.",
        "Tie-break draw done for %(drawn)s players. It decides only if all else is "
        "tied.",
        player_count,
    )
    return text % {"drawn": player_count}


@desk_action(Role.SCORER, changes=None)
def publish_announcement(request: HttpRequest, tournament: Tournament) -> str:
    form = AnnouncementForm(request.POST)
    if not form.is_valid():
        raise RefusedError("text", _first_error_message(form))
    announcements.announce(
        tournament_id=tournament.pk,
        text=form.cleaned_data["text"],
        user=signed_in_user(request),
        now=timezone.now(),
    )
    return _("Phones and projector show your message.")


@desk_action(
    Role.SCORER,
    changes=lambda tournament, pk: list(
        tournament.announcements.filter(pk=pk).values()
    ),
)
def withdraw_announcement(
    _request: HttpRequest, tournament: Tournament, pk: int
) -> str:
    announcement = get_object_or_404(tournament.announcements, pk=pk)
    announcements.withdraw(announcement_id=announcement.pk, now=timezone.now())
    return _("Message removed.")


@desk_action(Role.DIRECTOR)
def set_projector_content_and_standings_visibility(
    request: HttpRequest, tournament: Tournament
) -> str:
    """Set what the projector shows and when the standings are public."""
    lifecycle.set_public_display(
        tournament_id=tournament.pk,
        screen=request.POST.get("screen", ""),
        standings=request.POST.get("standings_shown", ""),
    )
    return _("Saved.")


@require_safe
@in_tournament(Role.VIEWER)
def expected_table_ends_page(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    """Show the expected end of each table in the running round, the latest first."""
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


@desk_action(
    Role.DIRECTOR,
    changes=lambda tournament, pk, **_verb: list(
        tournament.auto_steps.filter(pk=pk).values()
    ),
)
def apply_autopilot_step_action(
    request: HttpRequest, tournament: Tournament, pk: int, verb: str
) -> str:
    """Hold an announced step, do it now, or undo a completed one."""
    step = get_object_or_404(AutoStep, tournament=tournament, pk=pk)
    user, now = signed_in_user(request), timezone.now()
    values = {"step": step_summary(step)}
    match verb:
        case "hold":
            autopilot.hold_step(step_id=step.pk, user=user)
            return _("On hold until you’re ready.")
        case "now":
            autopilot.do_step_now(step_id=step.pk, user=user, now=now)
            return _("Done: %(step)s.") % values
        case "undo":
            autopilot.undo_step_and_hold_next(step_id=step.pk, user=user, now=now)
            return _("Undone: %(step)s. The next step is now on hold.") % values
        case _:
            raise Http404
