"""The director's desk: everything about now, and what can be done about it."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from scoring.rules import GAMES
from tournaments.desk import desk_of
from tournaments.forms import (
    AnnouncementForm,
    CutForm,
    NamesForm,
    PenaltyForm,
    SubstituteForm,
)
from tournaments.models import Entry, Role, Round, Table, Tournament, User
from tournaments.operations import drawing, games, results, rounds
from tournaments.operations import entries as entering
from tournaments.operations.changes import RefusedError
from tournaments.results import computed_standings
from tournaments.views.access import in_tournament


@require_safe
@in_tournament(Role.VIEWER)
def desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the tables, what is next and what blocks it."""
    return render(request, "tournaments/desk.html", desk_context(request, tournament))


@require_safe
@in_tournament(Role.VIEWER)
def desk_live(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Answer the tables where anything changed since the digest `v`, else nothing."""
    context = desk_context(request, tournament)
    if request.GET.get("v") == context["desk"].digest:
        return HttpResponse(status=204)
    return render(request, "tournaments/desk.html#now", context)


def desk_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return what the desk draws, and what the person at it may do."""
    role = tournament.club.role_of(request.user)
    return {
        "tournament": tournament,
        "desk": desk_of(tournament, timezone.now()),
        "now": timezone.now(),
        "games": GAMES.values(),
        "announcement": AnnouncementForm(),
        "cut": CutForm(
            initial={"size": tournament.final_size or tournament.table_size}
        ),
        "scores": role is not None and role >= Role.SCORER,
        "directs": role == Role.DIRECTOR,
    }


def try_to(
    request: HttpRequest, tournament: Tournament, action: Callable[[], object]
) -> HttpResponse:
    """Do something from the desk and go back there; say why where it cannot be."""
    try:
        action()
    except RefusedError as refused:
        messages.error(request, refused.message)
    return redirect("tournaments:desk", tournament.address)


def chosen_of(
    verbs: Mapping[str, Callable[[], object]], verb: str
) -> Callable[[], object]:
    """Return what the verb does, or answer 404."""
    if verb not in verbs:
        raise Http404
    return verbs[verb]


@require_POST
@in_tournament(Role.DIRECTOR)
def draw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw the next round, or all that are left of a planned night."""
    seed = request.POST.get("seed", "")
    chosen = int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 9 else None
    return try_to(
        request,
        tournament,
        lambda: drawing.draw(tournament_id=tournament.pk, seed=chosen),
    )


@require_POST
@in_tournament(Role.DIRECTOR)
def round_act(
    request: HttpRequest, tournament: Tournament, number: int, verb: str
) -> HttpResponse:
    """Publish, start, close or cancel a round."""
    one = get_object_or_404(Round, tournament=tournament, number=number)
    now = timezone.now()
    verbs: dict[str, Callable[[], object]] = {
        "publish": lambda: rounds.publish(round_id=one.pk),
        "start": lambda: rounds.start(round_id=one.pk, now=now),
        "close": lambda: rounds.close(
            round_id=one.pk, now=now, override=request.POST.get("override", "")[:200]
        ),
        "cancel": lambda: rounds.cancel(round_id=one.pk),
        **{
            clock: partial(rounds.set_clock, round_id=one.pk, verb=clock, now=now)
            for clock in ("longer", "pause", "resume", "last_hand")
        },
        "game": lambda: _set_game(request, one),
        "swap": lambda: _swap(request, one),
    }
    return try_to(request, tournament, chosen_of(verbs, verb))


def _swap(request: HttpRequest, one: Round) -> None:
    before, after = rounds.swap(
        round_id=one.pk,
        entry_id=_number(request, "entry"),
        other_id=_number(request, "other"),
    )
    words = _("They have changed places. Repeats up to here: %(before)s → %(after)s.")
    messages.success(request, words % {"before": before, "after": after})


def _set_game(request: HttpRequest, one: Round) -> None:
    game = request.POST.get("game", "")
    if game not in GAMES:
        raise RefusedError("game", _("Choose one of the games."))
    games.set_game(round_id=one.pk, game=game)


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 18 else 0


@require_POST
@in_tournament(Role.DIRECTOR)
def finish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Finish the tournament; its standings stay as they are now."""
    now = timezone.now()
    return try_to(
        request, tournament, lambda: rounds.finish(tournament_id=tournament.pk, now=now)
    )


@require_POST
@in_tournament(Role.DIRECTOR)
def reopen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let a finished tournament go on; what was frozen stays."""
    return try_to(
        request, tournament, lambda: rounds.reopen(tournament_id=tournament.pk)
    )


@require_safe
@in_tournament(Role.VIEWER)
def as_it_stands(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the standings as they would be if every table stopped now."""
    computed = computed_standings(tournament, as_it_stands=True)
    names = {str(entry.pk): entry for entry in tournament.entries.all()}
    rows = [
        {
            "rank": line.rank,
            "stage": line.stage,
            "entry": names[line.player],
            "points": line.points,
            "tables": line.tables,
            "unconfirmed": computed.unconfirmed[int(line.player)],
        }
        for line in computed.rows
    ]
    context = {"tournament": tournament, "rows": rows}
    return render(request, "tournaments/as_it_stands.html", context)


@require_POST
@in_tournament(Role.SCORER)
def table_act(
    request: HttpRequest, tournament: Tournament, number: int, table: int, verb: str
) -> HttpResponse:
    """Settle a dispute or a call, agree for the table, void or restore it."""
    found = get_object_or_404(
        Table, round__tournament=tournament, round__number=number, number=table
    )
    now = timezone.now()
    verbs: dict[str, Callable[[], object]] = {
        "more_time": lambda: rounds.give_time(table_id=found.pk),
        "settle": lambda: results.settle(table_id=found.pk),
        "agree": lambda: [
            results.agree(place_id=place.pk, now=now) for place in found.places.all()
        ],
        "void": lambda: results.set_void(table_id=found.pk, void=True),
        "restore": lambda: results.set_void(table_id=found.pk, void=False),
    }
    return try_to(request, tournament, chosen_of(verbs, verb))


@in_tournament(Role.VIEWER)
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show who plays; take a pasted list of names."""
    role = tournament.club.role_of(request.user)
    scores = role is not None and role >= Role.SCORER
    posted = scores and request.method == "POST"
    form = NamesForm(request.POST or None, request.FILES) if posted else NamesForm()
    if posted and form.is_valid() and _entered(request, tournament, form):
        return redirect("tournaments:entries", tournament.address)
    listed = list(tournament.entries.by_number())
    context = {
        "tournament": tournament,
        "entries": listed,
        "here": sum(entry.state == Entry.State.PRESENT for entry in listed),
        "apart": tournament.entries.all().kept_apart(),
        "form": form,
        "scores": scores,
    }
    return render(request, "tournaments/entries.html", context)


def _entered(request: HttpRequest, tournament: Tournament, form: NamesForm) -> bool:
    here = form.cleaned_data["here"]
    try:
        entered = entering.enter(
            tournament_id=tournament.pk,
            names=form.cleaned_data["listed"],
            state=Entry.State.PRESENT if here else Entry.State.EXPECTED,
            now=timezone.now(),
        )
    except RefusedError as refused:
        form.add_error("names", refused.message)
        return False
    words = _("%(new)s entered, %(known)s were there before.")
    counts = {"new": len(entered.entries), "known": len(entered.known)}
    messages.success(request, words % counts)
    return True


@require_POST
@in_tournament(Role.SCORER)
def keep_apart(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let two players not be drawn to one table, or let them meet again."""
    chosen = [
        tournament.entries.filter(pk=_number(request, name)).first()
        for name in ("entry", "other")
    ]
    one, other = chosen
    if one is None or other is None or one == other:
        messages.error(request, _("Choose two players."))
    elif "meet" in request.POST:
        entering.let_meet(entry_id=one.pk, other_id=other.pk)
    else:
        entering.keep_apart(entry_id=one.pk, other_id=other.pk)
        words = _("%(one)s and %(other)s are kept apart in what is drawn from now on.")
        messages.success(request, words % {"one": one.name, "other": other.name})
    return redirect("tournaments:entries", tournament.address)


@require_POST
@in_tournament(Role.SCORER)
def entry_act(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Check somebody in, let them leave or come back."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    state = request.POST.get("state", "")
    if state in Entry.State.values:
        entering.set_state(entry_id=entry.pk, state=Entry.State(state))
    return redirect("tournaments:entries", tournament.address)


@in_tournament(Role.SCORER)
def entry_substitute(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Let somebody else play on for an entry."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    form = SubstituteForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            entering.substitute(
                entry_id=entry.pk, name=form.cleaned_data["name"], now=timezone.now()
            )
        except RefusedError as refused:
            form.add_error("name", refused.message)
        else:
            return redirect("tournaments:entries", tournament.address)
    context = {"tournament": tournament, "entry": entry, "form": form}
    return render(request, "tournaments/entry_substitute.html", context)


@in_tournament(Role.DIRECTOR)
def penalties(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show penalties, and take one more."""
    form = PenaltyForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        assert isinstance(request.user, User)
        results.penalise(by=request.user, now=timezone.now(), **form.cleaned_data)
        return redirect("tournaments:penalties", tournament.address)
    given = tournament.penalties.select_related("entry").order_by("-made_at")
    context = {"tournament": tournament, "penalties": given, "form": form}
    return render(request, "tournaments/penalties.html", context)


@require_POST
@in_tournament(Role.DIRECTOR)
def penalty_cancel(
    request: HttpRequest, tournament: Tournament, pk: int
) -> HttpResponse:
    """Cancel a penalty; it stays in sight."""
    penalty = get_object_or_404(tournament.penalties, pk=pk)
    results.cancel_penalty(penalty_id=penalty.pk, now=timezone.now())
    return redirect("tournaments:penalties", tournament.address)
