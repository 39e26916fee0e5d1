"""Rounds and tables at the desk: draw, start, close, seats, results, disputes."""

from collections.abc import Callable, Sequence
from functools import partial

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from scoring.games.words import join_names
from scoring.matchlog.commands import Author
from scoring.rules import GAMES
from scoring.web.redirects import post_only
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import results, rounds, withdrawn_draws
from tournaments.event import tables as games
from tournaments.event.desk.overview import read_desk
from tournaments.event.desk.slips import unfinished_slips
from tournaments.event.late_seats import can_lose_a_seat
from tournaments.event.rounds import missing_at
from tournaments.event.seats import ReseatedTable, set_seats
from tournaments.models import (
    Place,
    Role,
    Round,
    Table,
    Tournament,
    User,
)
from tournaments.models.round_names import round_name, round_subject
from tournaments.web.access import in_tournament
from tournaments.web.actions import Watched, posted_key
from tournaments.web.desk.forms import SeatsForm
from tournaments.web.desk.views import (
    ask_first,
    director,
    hold_next_step,
    try_to,
)

SEATED_ALIKE = gettext_lazy(
    "Everybody sits where they sat: who is here and the seed are the same. Draw otherwise, with "
    "another number, seats them anew."
)


def _question(
    tournament: Tournament, round_: Round, verb: str, override: str
) -> tuple[str, Sequence[str]] | None:
    """Return what is asked before a round is changed so, and what is named; None for nothing."""
    named = {"round": round_subject(round_)}
    if verb == "cancel":
        words = _("%(round)s: take the draw back?")
        lost = _("Its seating goes. It can be put back until something else is drawn.")
        if round_.state == Round.State.RUNNING:
            lost += " " + _("Its clock stops, and the sheets of its tables go.")
        later = [
            _("%(round)s was drawn after it, and is taken back as well.")
            % {"round": round_subject(other)}
            for other in round_.and_later().exclude(pk=round_.pk)
        ]
        return words % named, [lost, *later]
    if verb == "close" and round_.state == Round.State.RUNNING:
        return _question_of_closing(tournament, round_, override)
    if verb == "agree":
        silent = round_.tables.unconfirmed(tournament.quorum).filter(disputed=False)
        tables = silent.order_by("number").prefetch_related("match__seats")
        words = _("Agree to these results for everybody who has not?")
        result = _("Table %(table)s: %(points)s")
        return words, [
            result % {"table": table.number, "points": ", ".join(_points_at(table))}
            for table in tables
        ]
    if verb in ("publish", "start"):
        lines = read_desk(tournament, timezone.now()).attention
        wanting = [line.words for line in lines if line.what in ("left", "arrived")]
        words = {
            "publish": _("%(round)s: publish the seating as it is?"),
            "start": _("%(round)s: start as it is seated?"),
        }[verb]
        return (words % named, wanting) if wanting else None
    return None


def _question_of_closing(
    tournament: Tournament, round_: Round, override: str
) -> tuple[str, Sequence[str]] | None:
    """Return what is asked before a round closes with open tables, or a league ends."""
    open_tables = rounds.blocking(round_)
    if open_tables and not override:
        # What cannot be is said, not asked about.
        return None
    if tournament.is_league and not round_.stage:
        ends = _(
            "No further match can begin. You can open the league again until a final is "
            "drawn or the tournament is finished."
        )
        return _("End the league?"), [ends, *open_tables]
    if open_tables:
        words = _("%(round)s: close with all that is open?")
        return words % {"round": round_subject(round_)}, open_tables
    return None


@post_only
@in_tournament(Role.DIRECTOR)
def draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the next round, or all that are left of a planned night."""
    seed = request.POST.get("seed", "")
    chosen = int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 9 else None
    why = drawing.why_no_round_robin(tournament)
    question = _("Go on as a planned night?")
    named = [
        why,
        _(
            "Whoever is here now is drawn then, so that few meet again. What was "
            "published or played stays as it is."
        ),
    ]
    if why and (asked := ask_first(request, tournament, question, named)):
        return asked

    def draw_and_compare() -> str:
        places = Place.objects.filter(round__tournament=tournament)
        before = places.drawn_seats()
        drawn = drawing.draw(
            tournament_id=tournament.pk, seed=chosen, as_planned_night=bool(why)
        )
        if before and places.drawn_seats() == before:
            messages.info(request, SEATED_ALIKE)
            return ""
        if len(drawn) == 1:
            return _("%(round)s is drawn.") % {"round": round_subject(drawn[0])}
        words = ngettext("%(n)s round is drawn.", "%(n)s rounds are drawn.", len(drawn))
        return words % {"n": len(drawn)}

    return try_to(request, tournament, draw_and_compare, seats=True)


@post_only
@in_tournament(Role.DIRECTOR)
def round_act(
    request: HttpRequest, tournament: Tournament, number: int, verb: str
) -> HttpResponse:
    """Publish, start, close or cancel a round."""
    round_ = get_object_or_404(Round, tournament=tournament, number=number)
    now = timezone.now()
    override = request.POST.get("override", "")
    set_clock = partial(rounds.set_clock, round_id=round_.pk, now=now)
    actions: dict[str, tuple[Callable[[], object], str]] = {
        "publish": (
            lambda: rounds.publish(round_id=round_.pk),
            _("%(round)s: the seating is published."),
        ),
        "start": (
            lambda: rounds.start(round_id=round_.pk, now=now),
            _("%(round)s runs."),
        ),
        "close": (
            lambda: rounds.close(round_id=round_.pk, now=now, override=override[:200]),
            _("%(round)s is closed, and its standings are saved."),
        ),
        "reopen": (
            lambda: _reopen_round(request, round_),
            _("%(round)s is open again."),
        ),
        "cancel": (
            lambda: rounds.cancel(round_id=round_.pk),
            _("%(round)s: the draw is taken back."),
        ),
        "last_hand": (
            partial(set_clock, verb="last_hand"),
            _("Every table is told that it plays its last hand."),
        ),
        "longer": (
            partial(set_clock, verb="longer"),
            _("Five minutes more: the last hand is not called any longer.")
            if round_.last_hand_at
            else _("%(round)s has five minutes more."),
        ),
        "pause": (partial(set_clock, verb="pause"), _("The clock is paused.")),
        "resume": (partial(set_clock, verb="resume"), _("The clock goes on.")),
        "agree": (lambda: _confirm_for_round(request, round_), ""),
        "game": (lambda: _set_game(request, round_), ""),
        "swap": (lambda: _swap(request, round_), ""),
    }
    if verb not in actions:
        raise Http404
    question = _question(tournament, round_, verb, override)
    if question and (asked := ask_first(request, tournament, *question)):
        return asked
    act, said = actions[verb]
    changes: Watched | None = None if verb == "swap" else round_
    if verb == "agree":
        changes = partial(_confirmations, round_.tables.all())
    return try_to(
        request,
        tournament,
        act,
        said=said % {"round": round_subject(round_)},
        changes=changes,
        seats=verb == "publish",
    )


def _confirmations(tables: QuerySet[Table]) -> list[tuple[object, ...]]:
    """Return which seats of tables have confirmed, and by which way."""
    seats = tables.order_by("pk", "match__seats__index")
    confirmed = (f"match__seats__confirmed_{part}" for part in ("at", "by"))
    return list(seats.values_list("pk", *confirmed))


def _confirm_for_round(request: HttpRequest, round_: Round) -> str:
    numbers = results.confirm_for_round(
        round_id=round_.pk, author=director(request), now=timezone.now()
    )
    words = ngettext(
        "You agreed for table %(numbers)s.",
        "You agreed for tables %(numbers)s.",
        len(numbers),
    )
    return words % {"numbers": ", ".join(map(str, numbers))}


def _reopen_round(request: HttpRequest, round_: Round) -> None:
    rounds.reopen_round(round_id=round_.pk)
    hold_next_step(request, round_.tournament_id)


def _swap(request: HttpRequest, round_: Round) -> None:
    before, after = rounds.swap(
        round_id=round_.pk,
        entry_id=posted_key(request, "entry"),
        other_id=posted_key(request, "other"),
    )
    words = _("They have changed places. Repeats up to here: %(before)s → %(after)s.")
    messages.success(request, words % {"before": before, "after": after})


def _set_game(request: HttpRequest, round_: Round) -> str:
    game = request.POST.get("game", "")
    if game not in GAMES:
        raise RefusedError("game", _("Choose one of the games."))
    games.set_game(round_id=round_.pk, game=game)
    words = _("%(round)s plays %(game)s.")
    return words % {"round": round_subject(round_), "game": GAMES[game].name}


@post_only
@in_tournament(Role.DIRECTOR)
def put_back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Put back the draw that was taken back last."""

    def restore_draw() -> str:
        rounds_ = withdrawn_draws.restore_draws(tournament_id=tournament.pk)
        names = join_names([round_name(round_) for round_ in rounds_])
        return _("The draw is as it was: %(rounds)s.") % {"rounds": names}

    return try_to(request, tournament, restore_draw, seats=True)


@post_only
@in_tournament(Role.SCORER)
def table_act(
    request: HttpRequest, tournament: Tournament, number: int, table: int, verb: str
) -> HttpResponse:
    """Settle a dispute or a call, confirm for the table, void or restore it."""
    chosen_table = get_object_or_404(
        Table, round__tournament=tournament, round__number=number, number=table
    )
    now = timezone.now()
    assert isinstance(request.user, User)
    by = request.user
    if verb == "void":
        question = _("Void table %(table)s?") % {"table": chosen_table.number}
        lost = _("What was played there counts no more; it can be counted again.")
        if asked := ask_first(
            request, tournament, question, [lost, *_points_at(chosen_table)]
        ):
            return asked
    actions: dict[str, tuple[Callable[[], object], str]] = {
        "more_time": (
            lambda: rounds.give_time(table_id=chosen_table.pk),
            _("Table %(number)s has five minutes more."),
        ),
        "answer": (
            lambda: results.answer_call(table_id=chosen_table.pk, now=now),
            _("Table %(number)s sees that you are coming."),
        ),
        "settle": (lambda: _settle(request, chosen_table), ""),
        "seen": (
            lambda: Table.objects.filter(pk=chosen_table.pk).see(),
            _("Noted: you have seen table %(number)s."),
        ),
        "agree": (
            lambda: results.confirm_for_table(
                table_id=chosen_table.pk, author=director(request), now=now
            ),
            _("You agreed for table %(number)s."),
        ),
        "void": (
            lambda: results.set_void(table_id=chosen_table.pk, void=True, by=by),
            _("Table %(number)s is void. It can be counted again."),
        ),
        "restore": (
            lambda: results.set_void(table_id=chosen_table.pk, void=False),
            _("Table %(number)s counts again."),
        ),
    }
    if verb not in actions:
        raise Http404
    act, said = actions[verb]
    changes: Watched = chosen_table
    if verb == "agree":
        changes = partial(_confirmations, Table.objects.filter(pk=chosen_table.pk))
    said %= {"number": chosen_table.number}
    return try_to(request, tournament, act, said=said, changes=changes)


def _settle(request: HttpRequest, table: Table) -> str:
    """Settle a dispute or a call; return what the table still needs, in words."""
    results.settle(table_id=table.pk, author=director(request), now=timezone.now())
    settled = Table.objects.with_people().select_related("round__tournament")
    missing = missing_at(settled.get(pk=table.pk))
    words = {"number": table.number, "missing": missing}
    if missing:
        return _("Table %(number)s is settled. %(missing)s") % words
    return _("Table %(number)s is settled and done.") % words


def _points_at(table: Table) -> list[str]:
    """Return what everybody at a table has, in words, once a hand is in."""
    if table.match is None or not table.match.version:
        return [_("No hand of it is in yet.")]
    seats = sorted(table.match.seats.all(), key=lambda seat: seat.index)
    return [f"{seat.name}: {seat.total}" for seat in seats]


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


@in_tournament(Role.SCORER)
def table_seats(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    """Show who is written at the seats of a table, and put them right."""
    chosen_table = get_object_or_404(
        Table.objects.select_related("round__tournament", "match"),
        round__tournament=tournament,
        round__number=number,
        number=table,
    )
    assert isinstance(request.user, User)
    form = SeatsForm(request.POST or None, table=chosen_table)
    if request.method == "POST" and form.is_valid():
        try:
            changed = set_seats(
                table_id=chosen_table.pk,
                key=form.cleaned_data["key"],
                entry_ids=form.entry_ids,
                from_hand=form.from_hand,
                author=Author(
                    name=request.user.public_name[:80], may_change_closed=True
                ),
                reason=form.cleaned_data["reason"],
                now=timezone.now(),
            )
        except RefusedError as refused:
            field = refused.field if refused.field in form.fields else None
            form.add_error(field, refused.message)
        else:
            _show_changed(request, chosen_table, changed)
            return redirect("tournaments:desk", tournament.address)
    context = {
        "tournament": tournament,
        "table": chosen_table,
        "form": form,
        "may_be_empty": can_lose_a_seat(chosen_table),
    }
    return render(request, "tournaments/desk/table_seats.html", context)


def _show_changed(
    request: HttpRequest, table: Table, changed: Sequence[ReseatedTable]
) -> None:
    """Say who sits now at each table that changed, and whose its hands are."""
    if not changed:
        words = _("Nothing changed: table %(number)s was already seated like this.")
        messages.info(request, words % {"number": table.number})
        return
    words = _("Now at table %(number)s: %(names)s.")
    lines = [
        words % {"number": each.number, "names": join_names(list(each.names))}
        for each in changed
    ]
    for each in changed:
        if each.first > each.last:
            continue
        words = ngettext(
            "Hand %(first)s at table %(number)s counts as theirs now.",
            "Hands %(first)s to %(last)s at table %(number)s count as theirs now.",
            each.last - each.first + 1,
        )
        numbers = {"first": each.first, "last": each.last, "number": each.number}
        lines.append(words % numbers)
    if any(each.first > 1 for each in changed):
        lines.append(_("Earlier hands stay with those who played them."))
    messages.success(request, " ".join(lines))
