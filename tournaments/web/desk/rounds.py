"""Rounds and tables at the desk: draw, start, close, seats, results, disputes."""

from collections.abc import Callable, Mapping
from typing import get_args

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from scoring.games.registry import table_game
from scoring.locales.sentences import join_names
from scoring.rules import GAMES
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event import tables as games
from tournaments.event.desk.overview import pair_labels, read_desk
from tournaments.event.desk.slips import slips_for_unfinished_tables
from tournaments.event.late_arrivals import can_leave_seats_empty
from tournaments.event.rounds import TableVerb
from tournaments.event.seats import set_seats
from tournaments.event.seeding import is_first_round_fixed
from tournaments.event.setup.own_seating import (
    first_seatable_number,
    name_seating,
    parse_own_seating,
)
from tournaments.event.setup.spreadsheets import UnreadableListError
from tournaments.models import Place, Role, Round, Table, Tournament
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import TableQuerySet
from tournaments.web.access import in_tournament
from tournaments.web.actions import read_posted_pk_or_zero
from tournaments.web.desk.actions import (
    ConfirmationRequiredError,
    confirm_separated_pairs,
    desk_action,
    get_desk_command_author,
    hold_next_autopilot_step,
    require_confirmation,
    signed_in_user,
)
from tournaments.web.desk.forms import OwnSeatingForm, TableSeatsForm


@desk_action(Role.DIRECTOR, changes=None, seats_round=lambda: True)
def draw_rounds(request: HttpRequest, tournament: Tournament) -> str:
    """Draw the next round, or all remaining rounds of a planned night."""
    seed = request.POST.get("seed", "")
    chosen = int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 9 else None
    if why := drawing.round_robin_obstacle(tournament):
        details = [
            why,
            _(
                "The remaining rounds will be drawn for everyone who’s here now, with "
                "few repeats. Published and played rounds stay as they are."
            ),
        ]
        require_confirmation(
            request, _("Continue as a planned night?"), details, confirm_label=_("Draw")
        )
    places = Place.objects.filter(round__tournament=tournament)
    seats_before = places.unpublished_seats()
    drawn_rounds = drawing.draw(
        tournament_id=tournament.pk,
        seed=chosen,
        table_fill=request.POST.get("table_fill"),
        becomes_planned_night=bool(why),
        user=signed_in_user(request),
    )
    if seats_before and places.unpublished_seats() == seats_before:
        if drawn_rounds[0].number == 1 and is_first_round_fixed(tournament):
            message = _("Same seats, because the seeding decides the tables.")
        else:
            message = _(
                "Same players, same seed, same seats. For new seats, tap “Draw "
                "with another seed”."
            )
        messages.info(request, message)
        return ""
    if len(drawn_rounds) == 1:
        return _("%(round)s is drawn.") % {"round": round_subject(drawn_rounds[0])}
    message = ngettext("%(n)s round drawn.", "%(n)s rounds drawn.", len(drawn_rounds))
    return message % {"n": len(drawn_rounds)}


@in_tournament(Role.DIRECTOR)
def own_seating_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Check a director's own seating, show it, and take it once it is confirmed."""
    form = OwnSeatingForm(request.POST or None, request.FILES or None)
    preview: list[tuple[list[list[str]], list[str]]] = []
    repeats, separated_pairs = 0, []
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                seating = parse_own_seating(tournament, form.cleaned_data["seating"])
                drawn_rounds = drawing.seat_by_own_list(
                    tournament_id=tournament.pk,
                    seating=seating,
                    user=signed_in_user(request),
                )
                preview = name_seating(tournament, seating)
                quality = drawn_rounds[-1].quality
                repeats = quality["repeats"]
                names = dict(tournament.entries.values_list("pk", "name"))
                separated_pairs = pair_labels(quality["together"], names)
                if "confirm" not in request.POST:
                    transaction.set_rollback(True)
        except (RefusedError, UnreadableListError) as refused:
            form.add_error("seating", str(refused).split("\n"))
        else:
            if "confirm" in request.POST:
                message = ngettext(
                    "%(n)s round seated.", "%(n)s rounds seated.", len(seating)
                )
                messages.success(request, message % {"n": len(seating)})
                return redirect(
                    f"{reverse('tournaments:desk', args=[tournament.address])}?seated"
                )
            form = OwnSeatingForm(initial={"seating": form.cleaned_data["seating"]})
    first_number = first_seatable_number(tournament)
    context = {
        "tournament": tournament,
        "form": form,
        "preview": list(enumerate(preview, start=first_number)),
        "repeats": repeats,
        "separated_pairs": separated_pairs,
    }
    return render(request, "tournaments/desk/own_seating.html", context)


@desk_action(Role.DIRECTOR, changes=None, seats_round=lambda: True)
def restore_undone_draws(request: HttpRequest, tournament: Tournament) -> str:
    restored = drawing.restore_draws(
        tournament_id=tournament.pk, user=signed_in_user(request)
    )
    names = join_names([round_name(round_) for round_ in restored])
    return _("Draw restored: %(rounds)s.") % {"rounds": names}


PlaceholderValues = Mapping[str, str]


def _publish_seating(
    request: HttpRequest, round_: Round, values: PlaceholderValues
) -> str:
    question = _("%(round)s: publish the seating as it is?")
    yes = _("Publish the seating")
    _require_confirmation_if_seating_outdated(
        request, round_, question % values, confirm_label=yes
    )
    rounds.publish(round_id=round_.pk, user=signed_in_user(request))
    return _("%(round)s: seating published.") % values


def _start_round(request: HttpRequest, round_: Round, values: PlaceholderValues) -> str:
    question = _("%(round)s: start with these seats?") % values
    is_final = round_.is_playoff and round_.tables.count() == 1
    yes = _("Start the final") if is_final else _("Start the round")
    _require_confirmation_if_seating_outdated(
        request, round_, question, confirm_label=yes
    )
    user = signed_in_user(request)
    rounds.start(round_id=round_.pk, now=timezone.now(), user=user)
    return _("%(round)s has started.") % values


def _require_confirmation_if_seating_outdated(
    request: HttpRequest, round_: Round, question: str, *, confirm_label: str
) -> None:
    """Ask for confirmation if a seated player has left or an arrived one has no seat."""
    lines = read_desk(round_.tournament, timezone.now()).attention
    if wrong := [line.message for line in lines if line.kind in ("left", "arrived")]:
        require_confirmation(request, question, wrong, confirm_label=confirm_label)


def _close_round(request: HttpRequest, round_: Round, values: PlaceholderValues) -> str:
    override = request.POST.get("override", "")[:200]
    open_tables = rounds.closing_obstacles(round_)
    # No confirmation if closing would be refused anyway.
    if round_.state == Round.State.RUNNING and (override or not open_tables):
        if round_.tournament.is_league and not round_.stage:
            ends = _(
                "No more matches can start. You can reopen the league until a "
                "final is drawn or the tournament is finished."
            )
            details = [ends, *open_tables]
            require_confirmation(
                request,
                _("End the league?"),
                details,
                confirm_label=_("End the league"),
            )
        elif open_tables:
            question = _("%(round)s: close with open tables?") % values
            require_confirmation(
                request, question, open_tables, confirm_label=_("Close anyway")
            )
    rounds.close(
        round_id=round_.pk,
        now=timezone.now(),
        override=override,
        user=signed_in_user(request),
    )
    return _("%(round)s is closed. Standings saved.") % values


def _reopen_round_and_hold_autopilot(
    request: HttpRequest, round_: Round, values: PlaceholderValues
) -> str:
    rounds.reopen_round(round_id=round_.pk, user=signed_in_user(request))
    hold_next_autopilot_step(request, round_.tournament_id)
    return _("%(round)s is open again.") % values


def _undo_draw(request: HttpRequest, round_: Round, values: PlaceholderValues) -> str:
    consequence = _("The seating is removed. You can restore it until you draw again.")
    if round_.state == Round.State.RUNNING:
        consequence += " " + _("The clock stops, and the score sheets are deleted.")
    later_draws = [
        _("%(round)s was drawn later and will be undone too.")
        % {"round": round_subject(later_round)}
        for later_round in round_.itself_and_later_rounds().exclude(pk=round_.pk)
    ]
    question = _("%(round)s: undo the draw?") % values
    require_confirmation(
        request, question, [consequence, *later_draws], confirm_label=_("Undo the draw")
    )
    rounds.withdraw_rounds(round_id=round_.pk, user=signed_in_user(request))
    return _("%(round)s: draw undone.") % values


def _confirm_round_results(
    request: HttpRequest, round_: Round, _values: PlaceholderValues
) -> str:
    unconfirmed = round_.tables.unconfirmed(round_.tournament.quorum).filter(
        disputed=False
    )
    result = _("Table %(table)s: %(points)s")
    details = [
        result
        % {"table": table.number, "points": ", ".join(_players_points_in_words(table))}
        for table in unconfirmed.order_by("number").prefetch_related("match__seats")
    ]
    question = _("Confirm these results for everyone else?")
    require_confirmation(request, question, details, confirm_label=_("Confirm results"))
    numbers = results.confirm_round_and_list_table_numbers(
        round_id=round_.pk, author=get_desk_command_author(request), now=timezone.now()
    )
    message = ngettext(
        "You confirmed the result of table %(numbers)s.",
        "You confirmed the results of tables %(numbers)s.",
        len(numbers),
    )
    return message % {"numbers": ", ".join(map(str, numbers))}


def _set_round_game_and_redraw_if_needed(
    request: HttpRequest, round_: Round, values: PlaceholderValues
) -> str:
    game = request.POST.get("game", "")
    if game not in GAMES:
        raise RefusedError("game", _("Choose one of the games."))
    games.set_game_and_redraw_if_needed(
        round_id=round_.pk, game=game, user=signed_in_user(request)
    )
    return _("%(round)s: game changed to %(game)s.") % {
        **values,
        "game": table_game(game).name,
    }


def _swap_seats(request: HttpRequest, round_: Round, _values: PlaceholderValues) -> str:
    with confirm_separated_pairs(request) as allows_together:
        before, after = rounds.swap_and_count_repeats(
            round_id=round_.pk,
            entry_id=read_posted_pk_or_zero(request, "entry"),
            other_id=read_posted_pk_or_zero(request, "other"),
            user=signed_in_user(request),
            allows_together=allows_together,
        )
    message = _("Seats swapped. Repeats so far: %(before)s → %(after)s.")
    return message % {"before": before, "after": after}


CLOCK_MESSAGES = {
    "last_hand": gettext_lazy("Last hand called at every table."),
    "longer": gettext_lazy("%(round)s gets five more minutes."),
    "pause": gettext_lazy("The clock is paused."),
    "resume": gettext_lazy("The clock is running."),
}
ROUND_ACTIONS: dict[str, Callable[[HttpRequest, Round, PlaceholderValues], str]] = {
    "publish": _publish_seating,
    "start": _start_round,
    "close": _close_round,
    "reopen": _reopen_round_and_hold_autopilot,
    "cancel": _undo_draw,
    "agree": _confirm_round_results,
    "game": _set_round_game_and_redraw_if_needed,
    "swap": _swap_seats,
}


def _read_watched_round_values(
    tournament: Tournament, number: int, **_verb: str
) -> object:
    rounds_ = tournament.rounds.filter(number=number)
    places = Place.objects.filter(round__in=rounds_).order_by("pk")
    return (
        list(rounds_.values()),
        list(places.values_list("entry", "table", "index")),
        _seat_confirmation_rows(Table.objects.filter(round__in=rounds_)),
    )


@desk_action(
    Role.DIRECTOR,
    changes=_read_watched_round_values,
    seats_round=lambda verb, **_number: verb == "publish",
)
def apply_round_action(
    request: HttpRequest, tournament: Tournament, number: int, verb: str
) -> str:
    round_ = get_object_or_404(Round, tournament=tournament, number=number)
    round_.tournament = tournament
    values = {"round": round_subject(round_)}
    if verb in CLOCK_MESSAGES:
        rounds.apply_clock_action(
            round_id=round_.pk,
            verb=verb,
            now=timezone.now(),
            user=signed_in_user(request),
        )
        message = str(CLOCK_MESSAGES[verb])
        if verb == "longer" and round_.last_hand_at:
            message = _("Five more minutes. The last-hand call was cancelled.")
        return message % values
    if verb not in ROUND_ACTIONS:
        raise Http404
    return ROUND_ACTIONS[verb](request, round_, values)


TABLE_MESSAGES = {
    "more_time": gettext_lazy("Table %(number)s gets five more minutes."),
    "answer": gettext_lazy("Table %(number)s knows you’re coming."),
    "seen": gettext_lazy("Notice for table %(number)s dismissed."),
    "agree": gettext_lazy("You confirmed the result of table %(number)s."),
    "void": gettext_lazy("Table %(number)s is void. You can restore it."),
    "restore": gettext_lazy("Table %(number)s counts again."),
}


def _table_queryset(tournament: Tournament, number: int, table: int) -> TableQuerySet:
    return Table.objects.filter(
        round__tournament=tournament, round__number=number, number=table
    )


def _read_watched_table_values(
    tournament: Tournament, number: int, table: int, **_verb: str
) -> object:
    tables = _table_queryset(tournament, number, table)
    return list(tables.values()), _seat_confirmation_rows(tables)


@desk_action(Role.SCORER, changes=_read_watched_table_values)
def apply_desk_table_action(
    request: HttpRequest,
    tournament: Tournament,
    number: int,
    table: int,
    verb: TableVerb,
) -> str:
    if verb not in get_args(TableVerb):
        raise Http404
    chosen = get_object_or_404(_table_queryset(tournament, number, table))
    if verb == "void":
        consequence = _(
            "The table’s hands no longer count. You can restore the table later."
        )
        question = _("Void table %(table)s?") % {"table": chosen.number}
        details = [consequence, *_players_points_in_words(chosen)]
        require_confirmation(request, question, details, confirm_label=_("Void table"))
    rounds.act_at_table(
        table_id=chosen.pk,
        verb=verb,
        author=get_desk_command_author(request),
        user=signed_in_user(request),
        now=timezone.now(),
    )
    if verb == "settle":
        return rounds.describe_settled_table(chosen.pk)
    return str(TABLE_MESSAGES[verb]) % {"number": chosen.number}


def _seat_confirmation_rows(tables: TableQuerySet) -> list[tuple[object, ...]]:
    seats = tables.order_by("pk", "match__seats__index")
    confirmed = (f"match__seats__confirmed_{part}" for part in ("at", "by"))
    return list(seats.values_list("pk", *confirmed))


def _players_points_in_words(table: Table) -> list[str]:
    """Return the points of each player at a table, in words."""
    if table.match is None or not table.match.version:
        return [_("No hands entered yet.")]
    seats = sorted(table.match.seats.all(), key=lambda seat: seat.index)
    return [f"{seat.name}: {seat.total}" for seat in seats]


@require_safe
@in_tournament(Role.VIEWER)
def unfinished_match_slips_page(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Show unfinished matches as printable slips, to continue them on paper."""
    round_ = get_object_or_404(Round, tournament=tournament, number=number)
    context = {
        "tournament": tournament,
        "round": round_,
        "slips_shown": list(slips_for_unfinished_tables(round_)),
    }
    return render(request, "tournaments/desk/slips.html", context)


@in_tournament(Role.SCORER)
def change_table_seats_page(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    chosen_table = get_object_or_404(
        Table.objects.select_related("round__tournament", "match"),
        round__tournament=tournament,
        round__number=number,
        number=table,
    )
    form = TableSeatsForm(request.POST or None, table=chosen_table)
    if request.method == "POST" and form.is_valid():
        try:
            with confirm_separated_pairs(request) as allows_together:
                changes = set_seats(
                    table_id=chosen_table.pk,
                    key=form.cleaned_data["key"],
                    entry_ids=form.entry_ids,
                    from_hand=form.cleaned_data.get("from_hand"),
                    author=get_desk_command_author(request),
                    reason=form.cleaned_data["reason"],
                    now=timezone.now(),
                    allows_together=allows_together,
                )
        except ConfirmationRequiredError as unconfirmed:
            return unconfirmed.render_confirmation(request, tournament)
        except RefusedError as refused:
            field = refused.field if refused.field in form.fields else None
            form.add_error(field, refused.message)
        else:
            text = _("Now at table %(number)s: %(names)s.")
            lines = [
                text
                % {"number": change.number, "names": join_names(list(change.names))}
                for change in changes
            ]
            for change in changes:
                if change.first > change.last:
                    continue
                text = ngettext(
                    "Hand %(first)s at table %(number)s now counts for these players.",
                    "Hands %(first)s to %(last)s at table %(number)s now count for "
                    "these players.",
                    change.last - change.first + 1,
                )
                numbers = {"first": change.first, "last": change.last}
                lines.append(text % {**numbers, "number": change.number})
            if any(change.first > 1 for change in changes):
                lines.append(_("Earlier hands stay with the people who played them."))
            if changes:
                messages.success(request, " ".join(lines))
            else:
                text = _(
                    "Nothing changed: table %(number)s was already seated like this."
                )
                messages.info(request, text % {"number": chosen_table.number})
            return redirect("tournaments:desk", tournament.address)
    context = {
        "tournament": tournament,
        "table": chosen_table,
        "form": form,
        "may_be_empty": can_leave_seats_empty(chosen_table),
    }
    return render(request, "tournaments/desk/table_seats.html", context)
