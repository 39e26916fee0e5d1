"""The director's desk: the state of the night, and every action on it."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.games.words import names_in_a_row
from scoring.matchlog.commands import Author
from scoring.rules import GAMES
from scoring.rules.names import normalize_text, same_name_key
from scoring.web.views.requests import UNCHANGED
from scoring.web.ways_back import posted
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries as entering
from tournaments.event import late_seats, results, rounds, taken_back
from tournaments.event import tables as games
from tournaments.event.autopilot import steps
from tournaments.event.desk.missing import missing_at
from tournaments.event.desk.overview import Desk, read_desk
from tournaments.event.outlook import IN_A_REQUEST, store_outlook
from tournaments.event.pending_names import add_pending_names, take_pending_names
from tournaments.event.push.sending import public_key
from tournaments.event.rights import release_phone
from tournaments.event.unplayed_players import has_part
from tournaments.history.personal_data import rename_person
from tournaments.models import (
    Entry,
    Place,
    Role,
    Round,
    Table,
    Tournament,
    User,
)
from tournaments.models.round_names import round_list, round_name, round_subject
from tournaments.people.doubles import DoubtfulNameError, likely_doubles
from tournaments.people.security import log_released_phone
from tournaments.web.access import in_tournament
from tournaments.web.account.events import visitor_of
from tournaments.web.actions import Watched, run_action, show_renamed
from tournaments.web.desk.autopilot import Ahead, ahead_of
from tournaments.web.desk.entry_messages import moving_up, show_entered, show_left_out
from tournaments.web.desk.forms import (
    AnnouncementForm,
    CutForm,
    NameForm,
    NamesForm,
    PenaltyForm,
    SubstituteForm,
)
from tournaments.web.night.pages import headline
from tournaments.web.notifications.views import subscription_here
from tournaments.web.players.duplicates import DoublesForm, resolve_names
from tournaments.web.standings.provisional import as_it_stands as stands_now
from tournaments.web.standings.views import podium_for, standings_for

SEATED_ALIKE = gettext_lazy(
    "Everybody sits where they sat: who is here and the seed are the same. Draw otherwise, with "
    "another number, seats them anew."
)


@require_safe
@in_tournament(Role.VIEWER)
def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the tables, what is next and what blocks it."""
    context = desk_context(request, tournament)
    return render(
        request,
        "tournaments/desk/desk.html",
        {
            **context,
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
    """Return who won a finished tournament; empty before its end."""
    if tournament.phase != Tournament.Phase.FINISHED:
        return ""
    steps = podium_for(tournament, standings_for(tournament, role))
    return headline(tournament, None, (), steps).sentence


def desk_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return what the desk draws, and what the person at it may do."""
    role, now = tournament.club.role_of(request.user), timezone.now()
    desk, ahead = read_desk(tournament, now), ahead_of(tournament)
    return {
        "tournament": tournament,
        "desk": desk,
        "ahead": ahead,
        "version": _version(desk, ahead),
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


def _version(desk: Desk, ahead: Ahead | None) -> str:
    """Return what differs whenever the desk shows anything else."""
    if ahead is None:
        return desk.digest
    return sha256((desk.digest + ahead.digest).encode()).hexdigest()[:16]


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
    if "sure" in request.POST:
        return None
    posted = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    context = {
        "tournament": tournament,
        "question": question,
        "named": named,
        "posted": posted,
        "players": players,
    }
    return render(request, "tournaments/desk/desk_ask.html", context)


DONE_TO_ROUND = {
    "publish": gettext_lazy("%(round)s: the seating is published."),
    "start": gettext_lazy("%(round)s runs."),
    "close": gettext_lazy("%(round)s is closed, and its standings are saved."),
    "cancel": gettext_lazy("%(round)s: the draw is taken back."),
    "reopen": gettext_lazy("%(round)s is open again."),
    "last_hand": gettext_lazy("Every table is told that it plays its last hand."),
    "longer": gettext_lazy("The round has five minutes more."),
    "pause": gettext_lazy("The clock is paused."),
    "resume": gettext_lazy("The clock goes on."),
}
"""What is said after something was done to a round."""
DONE_TO_TABLE = {
    "more_time": gettext_lazy("Table %(number)s has five minutes more."),
    "answer": gettext_lazy("Table %(number)s sees that you are coming."),
    "agree": gettext_lazy("You agreed for table %(number)s."),
    "void": gettext_lazy("Table %(number)s is void. It can be counted again."),
    "restore": gettext_lazy("Table %(number)s counts again."),
    "seen": gettext_lazy("Noted: you have seen table %(number)s."),
}


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
        return words, [_result_at(table) for table in tables]
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


def action_for(
    verbs: Mapping[str, Callable[[], object]], verb: str
) -> Callable[[], object]:
    """Return what the verb does, or answer 404."""
    if verb not in verbs:
        raise Http404
    return verbs[verb]


@posted
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
        return _drawn_words(drawn)

    return try_to(request, tournament, draw_and_compare, seats=True)


@posted
@in_tournament(Role.DIRECTOR)
def round_act(
    request: HttpRequest, tournament: Tournament, number: int, verb: str
) -> HttpResponse:
    """Publish, start, close or cancel a round."""
    round_ = get_object_or_404(Round, tournament=tournament, number=number)
    now = timezone.now()
    verbs: dict[str, Callable[[], object]] = {
        "publish": lambda: rounds.publish(round_id=round_.pk),
        "start": lambda: rounds.start(round_id=round_.pk, now=now),
        "close": lambda: rounds.close(
            round_id=round_.pk, now=now, override=request.POST.get("override", "")[:200]
        ),
        "reopen": lambda: _reopen_round(request, round_),
        "cancel": lambda: rounds.cancel(round_id=round_.pk),
        "agree": lambda: _confirm_for_round(request, round_),
        **{
            clock: partial(rounds.set_clock, round_id=round_.pk, verb=clock, now=now)
            for clock in ("longer", "pause", "resume", "last_hand")
        },
        "game": lambda: _set_game(request, round_),
        "swap": lambda: _swap(request, round_),
    }
    override = request.POST.get("override", "")
    question = _question(tournament, round_, verb, override)
    if question and (asked := ask_first(request, tournament, *question)):
        return asked
    act = action_for(verbs, verb)
    said = str(DONE_TO_ROUND.get(verb, "")) % {"round": round_subject(round_)}
    if verb == "longer" and round_.last_hand_at:
        said = _("Five minutes more: the last hand is not called any longer.")
    changes: Watched | None = None if verb == "swap" else round_
    if verb == "agree":
        changes = partial(_confirmations, round_.tables.all())
    return try_to(
        request,
        tournament,
        act,
        said=said,
        changes=changes,
        seats=verb == "publish",
    )


def _drawn_words(drawn: Sequence[Round]) -> str:
    if len(drawn) == 1:
        return _("%(round)s is drawn.") % {"round": round_subject(drawn[0])}
    words = ngettext("%(n)s round is drawn.", "%(n)s rounds are drawn.", len(drawn))
    return words % {"n": len(drawn)}


def _confirmations(tables: QuerySet[Table]) -> list[tuple[object, ...]]:
    """Return which seats of tables have confirmed, and by which way."""
    seats = tables.order_by("pk", "match__seats__index")
    confirmed = (f"match__seats__confirmed_{part}" for part in ("at", "by"))
    return list(seats.values_list("pk", *confirmed))


def _confirm_for_round(request: HttpRequest, round_: Round) -> str:
    numbers = results.confirm_for_round(
        round_id=round_.pk, author=_director(request), now=timezone.now()
    )
    words = ngettext(
        "You agreed for table %(numbers)s.",
        "You agreed for tables %(numbers)s.",
        len(numbers),
    )
    return words % {"numbers": ", ".join(map(str, numbers))}


def _reopen_round(request: HttpRequest, round_: Round) -> None:
    rounds.open_again(round_id=round_.pk)
    _hold_next_step(request, round_.tournament_id)


def _hold_next_step(request: HttpRequest, tournament_id: int) -> None:
    """Let a night that runs itself wait, so that it does not close again at once."""
    assert isinstance(request.user, User)
    steps.hold_next(tournament_id=tournament_id, by=request.user, now=timezone.now())


def _swap(request: HttpRequest, round_: Round) -> None:
    before, after = rounds.swap(
        round_id=round_.pk,
        entry_id=_number(request, "entry"),
        other_id=_number(request, "other"),
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


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0


@posted
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
        *(rounds.blocking(last) if last else []),
        *(line.words for line in read_desk(tournament, now).attention),
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
        said=_("“%(name)s” is finished, and its results stand.")
        % {"name": tournament.name},
        changes=tournament,
    )


@posted
@in_tournament(Role.DIRECTOR)
def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let a finished tournament go on; what was frozen stays."""

    def open_it() -> None:
        rounds.reopen(tournament_id=tournament.pk)
        _hold_next_step(request, tournament.pk)

    return try_to(
        request,
        tournament,
        open_it,
        said=_("“%(name)s” goes on.") % {"name": tournament.name},
        changes=tournament,
    )


@posted
@in_tournament(Role.DIRECTOR)
def put_back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Put back the draw that was taken back last."""

    def restore_draw() -> str:
        rounds_ = taken_back.put_back(tournament_id=tournament.pk)
        names = names_in_a_row([round_name(round_) for round_ in rounds_])
        return _("The draw is as it was: %(rounds)s.") % {"rounds": names}

    return try_to(request, tournament, restore_draw, seats=True)


@posted
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


@posted
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
    verbs: dict[str, Callable[[], object]] = {
        "more_time": lambda: rounds.give_time(table_id=chosen_table.pk),
        "answer": lambda: results.answer_call(table_id=chosen_table.pk, now=now),
        "settle": lambda: _settle(request, chosen_table),
        "seen": lambda: Table.objects.filter(pk=chosen_table.pk).see(),
        "agree": lambda: results.confirm_for_table(
            table_id=chosen_table.pk, author=_director(request), now=now
        ),
        "void": lambda: results.set_void(table_id=chosen_table.pk, void=True, by=by),
        "restore": lambda: results.set_void(table_id=chosen_table.pk, void=False),
    }
    said = str(DONE_TO_TABLE.get(verb, "")) % {"number": chosen_table.number}
    changes: Watched = chosen_table
    if verb == "agree":
        changes = partial(_confirmations, Table.objects.filter(pk=chosen_table.pk))
    act = action_for(verbs, verb)
    return try_to(request, tournament, act, said=said, changes=changes)


def _settle(request: HttpRequest, table: Table) -> str:
    """Settle a dispute or a call; return what the table still needs, in words."""
    results.settle(table_id=table.pk, author=_director(request), now=timezone.now())
    settled = Table.objects.with_people().select_related("round__tournament")
    missing = missing_at(settled.get(pk=table.pk))
    words = {"number": table.number, "missing": missing}
    if missing:
        return _("Table %(number)s is settled. %(missing)s") % words
    return _("Table %(number)s is settled and done.") % words


def _director(request: HttpRequest) -> Author:
    """Return who directs as the author of what they enter for others."""
    assert isinstance(request.user, User)
    return Author(name=request.user.public_name[:80], may_change_closed=True)


def _result_at(table: Table) -> str:
    """Return how a table stands, in one line."""
    points = ", ".join(_points_at(table))
    return _("Table %(table)s: %(points)s") % {"table": table.number, "points": points}


def _points_at(table: Table) -> list[str]:
    """Return what everybody at a table has, in words, once a hand is in."""
    if table.match is None or not table.match.version:
        return [_("No hand of it is in yet.")]
    seats = sorted(table.match.seats.all(), key=lambda seat: seat.index)
    return [f"{seat.name}: {seat.total}" for seat in seats]


@in_tournament(Role.VIEWER)
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show who plays; take a pasted list of names."""
    role = tournament.club.role_of(request.user)
    scores = role is not None and role >= Role.SCORER
    is_posted = scores and request.method == "POST"
    form, asking = NamesForm(), None
    if is_posted and "asked" in request.POST:
        asking = _asking(tournament, request.POST)
        if asking.is_valid() and _enter_answers(request, tournament, asking):
            return redirect("tournaments:entries", tournament.address)
    elif is_posted:
        form = NamesForm(request.POST, request.FILES)
        if form.is_valid() and _enter_names(request, tournament, form):
            return redirect("tournaments:entries", tournament.address)
    if tournament.pending_names and asking is None and scores:
        asking = _asking(tournament)
    listed = list(tournament.entries.by_number())
    coming = sum(entry.takes_a_place for entry in listed)
    context = {
        "registration": tournament.registration(timezone.now(), coming),
        "tournament": tournament,
        "entries": listed,
        "here": sum(entry.state == Entry.State.PRESENT for entry in listed),
        "apart": tournament.entries.all().kept_apart(),
        "form": form,
        "doubles": asking,
        "scores": scores,
    }
    return render(request, "tournaments/desk/entries.html", context)


def _asking(tournament: Tournament, posted: QueryDict | None = None) -> DoublesForm:
    """Return the questions about pending names, with the answers that were posted."""
    pending = list(tournament.pending_names)
    doubles = likely_doubles(tournament.club, pending)
    asked = pending if posted is None else posted.getlist("asked")
    questions = {name: doubles.get(name, ()) for name in asked}
    return DoublesForm(posted, doubles=questions, is_optional=True)


def _enter_answers(
    request: HttpRequest, tournament: Tournament, asking: DoublesForm
) -> bool:
    """Enter the pending names that were answered, and return whether that was possible."""
    answers = asking.answers
    try:
        with transaction.atomic():
            taken = take_pending_names(tournament_id=tournament.pk, names=list(answers))
            lists = {
                checks_in: [
                    meant
                    for name, meant in answers.items()
                    if meant is not None and taken.get(name) is checks_in
                ]
                for checks_in in (True, False)
            }
            entered = {
                checks_in: _enter(tournament, names, checks_in=checks_in)
                for checks_in, names in lists.items()
                if names
            }
    except RefusedError as refused:
        messages.error(request, refused.message)
        return False
    for checks_in, done in entered.items():
        show_entered(request, done, checks_in=checks_in)
    show_left_out(request, [name for name in taken if answers[name] is None])
    if not taken:
        messages.info(request, _("Nothing changed. Choose who is meant."))
    return True


def _enter(
    tournament: Tournament, names: Sequence[str], *, checks_in: bool
) -> entering.Entered:
    return entering.enter(
        tournament_id=tournament.pk,
        names=names,
        state=Entry.State.PRESENT if checks_in else Entry.State.EXPECTED,
        now=timezone.now(),
    )


def _enter_names(request: HttpRequest, tournament: Tournament, form: NamesForm) -> bool:
    """Enter a pasted list, and return whether that was possible.

    Names that may mean somebody else stay with the tournament until they are answered.
    """
    checks_in = form.cleaned_data["here"]
    listed = [normalize_text(name) for name in form.cleaned_data["listed"]]
    doubles = likely_doubles(tournament.club, listed)
    sure = [name for name in listed if name not in doubles]
    try:
        with transaction.atomic():
            for name in doubles:
                entering.check_name(name)
            entered = _enter(tournament, sure, checks_in=checks_in)
            if doubles:
                add_pending_names(
                    tournament_id=tournament.pk,
                    names=list(doubles),
                    checks_in=checks_in,
                )
    except RefusedError as refused:
        # Above the page too, whose form may be out of sight.
        messages.error(request, refused.message)
        form.add_error("names", refused.message)
        form.data = {**request.POST.dict(), "names": "\n".join(listed)}
        return False
    show_entered(request, entered, checks_in=checks_in)
    # Twice in the list is one question.
    if waiting := len({same_name_key(name) for name in doubles}):
        words = ngettext(
            "%(n)s name is not entered yet: it waits for your answer.",
            "%(n)s names are not entered yet: they wait for your answer.",
            waiting,
        )
        messages.warning(request, words % {"n": waiting})
    return True


@posted
@in_tournament(Role.SCORER)
def keep_apart(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let two players not be drawn to one table, or let them meet again."""
    chosen = [
        tournament.entries.filter(pk=_number(request, name)).first()
        for name in ("entry", "other")
    ]
    entry, other = chosen
    if entry is None or other is None or entry == other:
        messages.error(request, _("Choose two players."))
    else:
        act, words = (
            (entering.let_meet, _("%(one)s and %(other)s may meet again."))
            if "meet" in request.POST
            else (
                entering.keep_apart,
                _("%(one)s and %(other)s are kept apart in what is drawn from now on."),
            )
        )
        run_action(
            request,
            lambda: act(entry_id=entry.pk, other_id=other.pk),
            said=words % {"one": entry.name, "other": other.name},
            changes=lambda: set(entry.apart.values_list("pk", flat=True)),
        )
    return redirect("tournaments:entries", tournament.address)


@posted
@in_tournament(Role.SCORER)
def entry_act(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Check somebody in, let them leave or come back."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    state = request.POST.get("state", "")
    try:
        if state not in Entry.State.values:
            raise RefusedError("state", _("Choose one of what is listed."))
        with moving_up(request, tournament):
            entering.set_state(entry_id=entry.pk, state=Entry.State(state))
    except RefusedError as refused:
        messages.error(request, refused.message)
        return redirect("tournaments:entries", tournament.address)
    if state == entry.state:
        messages.info(request, _(UNCHANGED))
    elif state == Entry.State.DROPPED:
        messages.success(request, _has_left(entry))
    else:
        words = {"name": entry.name, "state": Entry.State(state).label}
        messages.success(request, _("%(name)s: %(state)s.") % words)
    return redirect("tournaments:entries", tournament.address)


@posted
@in_tournament(Role.SCORER)
def entry_seat(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Seat somebody who came once the round ran."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    now = timezone.now()
    return try_to(
        request,
        tournament,
        lambda: late_seats.seat_late(entry_id=entry.pk, now=now),
        said=_("%(name)s has a seat. The table’s scorepad begins anew with them.")
        % {"name": entry.name},
    )


def _has_left(entry: Entry) -> str:
    """Return that somebody left, and where they are seated all the same."""
    words = _("%(name)s has left, and can come back.") % {"name": entry.name}
    still = entry.places.exclude(round__state=Round.State.CLOSED).exclude(
        table__match__finished=True
    )
    if not still:
        return words
    seated = entry.tournament.rounds.filter(pk__in=still.values("round"))
    held = _("They still have a seat (%(rounds)s): see the desk.")
    return f"{words} {held % {'rounds': round_list(seated.order_by('number'))}}"


@in_tournament(Role.SCORER)
def entry_substitute(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Let somebody else play on for an entry."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    form = SubstituteForm(request.POST or None, entry=entry)
    names: list[str] = []
    doubles = None
    if form.is_valid():
        asked = [form.cleaned_data["name"]]
        names, doubles = resolve_names(request, tournament.club, asked)
    for name in names:
        try:
            entering.substitute(
                entry_id=entry.pk,
                name=name,
                now=timezone.now(),
                from_hand=form.cleaned_data.get("from_hand"),
                author=_director(request),
            )
        except RefusedError as refused:
            if refused.field not in form.fields:
                # The first hand came in since the page was opened.
                form = SubstituteForm(request.POST, entry=entry)
                form.full_clean()
            field = refused.field if refused.field in form.fields else "name"
            form.add_error(field, refused.message)
        else:
            messages.success(request, _substitute_words(form, entry.name, name))
            return redirect("tournaments:entries", tournament.address)
    context = {
        "tournament": tournament,
        "entry": entry,
        "form": form,
        "doubles": doubles,
    }
    return render(request, "tournaments/desk/entry_substitute.html", context)


def _substitute_words(form: SubstituteForm, before: str, name: str) -> str:
    """Return since when a substitute plays."""
    match form.cleaned_data.get("from_hand"):
        case None:
            words = _("%(name)s plays for %(before)s.")
        case entering.NEXT_ROUND:
            words = _("%(name)s plays for %(before)s from the next round on.")
        case _hand:
            words = _("%(name)s plays for %(before)s from hand %(hand)s on.")
    hand = form.cleaned_data.get("from_hand")
    return words % {"name": name, "before": before, "hand": hand}


@in_tournament(Role.SCORER)
def entry_correct(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Put a name right, release a lost phone, or take off the list who was entered by mistake."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    form = NameForm(request.POST or None, initial={"name": entry.name})
    assert isinstance(request.user, User)
    try:
        if "remove" in request.POST:
            players = reverse("tournaments:entries", args=[tournament.address])
            question = _("Take %(name)s off the list?") % {"name": entry.name}
            lost = _(
                "Entered again, they are not here yet, and kept apart from nobody."
            )
            # What cannot be is said, not asked about.
            if not has_part(entry) and (
                asked := ask_first(
                    request, tournament, question, [lost], players=players
                )
            ):
                return asked
            with moving_up(request, tournament):
                entering.remove_entry(entry_id=entry.pk)
            said = _("%(name)s is off the list.")
            messages.success(request, said % {"name": entry.name})
            return redirect(players)
        if "release" in request.POST:
            return _release_phone(request, tournament, entry)
        if form.is_valid():
            rename_person(
                club=tournament.club,
                player_id=entry.player_id,
                name=form.cleaned_data["name"],
                by=request.user,
                now=timezone.now(),
                is_another=form.is_another,
            )
            show_renamed(request, entry.name, form.cleaned_data["name"])
            return redirect("tournaments:entries", tournament.address)
    except DoubtfulNameError as doubtful:
        form.ask_about(doubtful)
    except RefusedError as refused:
        form.add_error("name" if refused.field == "name" else None, refused.message)
    context = {
        "tournament": tournament,
        "entry": entry,
        "form": form,
        "elsewhere": entry.player.entries.exclude(pk=entry.pk).count(),
    }
    return render(request, "tournaments/desk/entry_correct.html", context)


def _release_phone(
    request: HttpRequest, tournament: Tournament, entry: Entry
) -> HttpResponse:
    players = reverse("tournaments:entries", args=[tournament.address])
    named = {"name": entry.name}
    question = _("Release the phone of %(name)s?") % named
    follows = _(
        "The lost phone no longer shows their night or enters anything for them. On another "
        "phone they scan the card on their table, open its page and tap their name."
    )
    if asked := ask_first(request, tournament, question, [follows], players=players):
        return asked
    release_phone(entry_id=entry.pk)
    assert isinstance(request.user, User)
    log_released_phone(
        request.user,
        tournament.club,
        visitor_of(request),
        f"tournament {tournament.pk}, player {entry.number}",
    )
    messages.success(request, _("The phone of %(name)s is released.") % named)
    return redirect(players)


@in_tournament(Role.DIRECTOR)
def penalties(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show penalties, and take one more."""
    form = PenaltyForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        results.penalise(by=request.user, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("The penalty counts from now on."))
        return redirect("tournaments:penalties", tournament.address)
    given = tournament.penalties.select_related("entry").order_by("-made_at")
    context = {"tournament": tournament, "penalties": given, "form": form}
    return render(request, "tournaments/desk/penalties.html", context)


@posted
@in_tournament(Role.DIRECTOR)
def penalty_cancel(
    request: HttpRequest, tournament: Tournament, pk: int
) -> HttpResponse:
    """Cancel a penalty; it stays in sight."""
    penalty = get_object_or_404(tournament.penalties, pk=pk)
    run_action(
        request,
        lambda: results.cancel_penalty(penalty_id=penalty.pk, now=timezone.now()),
        said=_("The penalty counts no more; it stays in sight."),
        changes=penalty,
    )
    return redirect("tournaments:penalties", tournament.address)
