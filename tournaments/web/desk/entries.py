"""The list of players at the desk: names, check-in, substitutes, penalties."""

from collections.abc import Collection, Sequence
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from scoring.games.words import join_names
from scoring.rules.names import normalize_text, same_name_key
from scoring.web.redirects import post_only
from tournaments.changes import RefusedError
from tournaments.event import entries as entering
from tournaments.event import late_arrivals, results
from tournaments.event.desk.overview import arrivals_in_words
from tournaments.event.entries import Entered
from tournaments.event.pending_names import add_pending_names, take_pending_names
from tournaments.event.rights import release_phone
from tournaments.event.unplayed_players import has_part
from tournaments.history.personal_data import rename_person
from tournaments.models import Entry, Role, Round, Tournament
from tournaments.models.round_names import round_list
from tournaments.people.security import log_released_phone
from tournaments.people.similar_names import SimilarNameError, find_similar_players
from tournaments.web.access import in_tournament
from tournaments.web.account.sessions import describe_visitor
from tournaments.web.actions import posted_key, show_renamed
from tournaments.web.desk.actions import (
    PLAYERS,
    UnconfirmedError,
    confirm,
    desk_action,
    director,
    run_desk_action,
    signed_in_user,
)
from tournaments.web.desk.forms import (
    NameForm,
    NamesForm,
    PenaltyForm,
    SubstituteForm,
)
from tournaments.web.desk.views import show_moved_up
from tournaments.web.players.forms import DoublesForm, resolve_names

State = Entry.State
ADDED = ngettext_lazy("%(n)s player added.", "%(n)s players added.", "n")
ADDED_HERE = ngettext_lazy(
    "%(n)s player added and checked in.", "%(n)s players added and checked in.", "n"
)
CHECKED_IN = {
    State.EXPECTED: ngettext_lazy(
        "%(names)s is checked in.", "%(names)s are checked in.", "n"
    ),
    State.DROPPED: gettext_lazy("Back after leaving: %(names)s."),
    State.NO_SHOW: gettext_lazy("Marked absent before, now checked in: %(names)s."),
    State.WAITING: gettext_lazy("Checked in from the waiting list: %(names)s."),
    State.PRESENT: gettext_lazy("Already checked in: %(names)s."),
}
"""Messages about checked-in players, by their previous state."""
QUEUED = ngettext_lazy(
    "All places are taken: %(names)s is on the waiting list.",
    "All places are taken: %(names)s are on the waiting list.",
    "n",
)
STILL_QUEUED = ngettext_lazy(
    "No place is free: %(names)s is still on the waiting list.",
    "No place is free: %(names)s are still on the waiting list.",
    "n",
)
KNOWN = ngettext_lazy(
    "%(names)s was already on the list.",
    "%(names)s were already on the list.",
    "n",
)


def show_entered(request: HttpRequest, entered: Entered, *, checks_in: bool) -> None:
    """Show a message for each group of an entered list: added, waiting, known before."""
    known = entered.known_entries if checks_in else ()

    def names(before: State, now: State) -> list[str]:
        return [
            entry.name
            for entry, state in known
            if (state, entry.state) == (before, now)
        ]

    added = [entry.name for entry in entered.entries if entry.has_place]
    queued = [entry.name for entry in entered.entries if not entry.has_place]
    queued += [
        entry.name for entry, before in known if entry.state == State.WAITING != before
    ]
    here = {before: names(before, State.PRESENT) for before in CHECKED_IN}
    changes: list[tuple[Any, Collection[str]]] = [
        (ADDED_HERE if checks_in else ADDED, added),
        *(
            (CHECKED_IN[before], here[before])
            for before in here
            if before != State.PRESENT
        ),
        (QUEUED, queued),
    ]
    rest: list[tuple[Any, Collection[str]]] = [
        (CHECKED_IN[State.PRESENT], here[State.PRESENT]),
        (STILL_QUEUED, names(State.WAITING, State.WAITING)),
        (KNOWN, () if checks_in else dict.fromkeys(entered.known)),
    ]
    for show, groups in ((messages.success, changes), (messages.info, rest)):
        sentences = [
            str(words % {"names": join_names(list(people)), "n": len(people)})
            for words, people in groups
            if people
        ]
        if sentences:
            show(request, " ".join(sentences))


@in_tournament(Role.VIEWER)
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    role = tournament.club.get_role(request.user)
    scores = role is not None and role >= Role.SCORER
    is_posted = scores and request.method == "POST"
    form, doubles = NamesForm(), None
    if is_posted and "asked" in request.POST:
        doubles = _doubles_form(tournament, request.POST)
        if doubles.is_valid() and _enter_answers(request, tournament, doubles):
            return redirect(PLAYERS, tournament.address)
        if tournament.phase == Tournament.Phase.FINISHED:
            # The form is built again: a finished tournament takes no new names.
            doubles = None
    elif is_posted:
        form = NamesForm(request.POST, request.FILES)
        if form.is_valid() and _enter_names(request, tournament, form):
            return redirect(PLAYERS, tournament.address)
    if tournament.pending_names and doubles is None and scores:
        doubles = _doubles_form(tournament)
    listed = list(tournament.entries.by_number())
    coming = sum(entry.has_place for entry in listed)
    context = {
        "registration": tournament.registration(timezone.now(), coming),
        "tournament": tournament,
        "entries": listed,
        "arrivals": arrivals_in_words(tournament, listed),
        "apart": tournament.entries.all().separated_pairs(),
        "form": form,
        "doubles": doubles,
        "scores": scores,
    }
    return render(request, "tournaments/desk/entries.html", context)


def _doubles_form(
    tournament: Tournament, posted: QueryDict | None = None
) -> DoublesForm:
    pending = list(tournament.pending_names)
    doubles = find_similar_players(tournament.club, pending)
    asked = pending if posted is None else posted.getlist("asked")
    questions = {name: doubles.get(name, ()) for name in asked}
    # A page opened before the end may still send names; they are refused with the reason.
    takes_names = posted is not None or tournament.phase != Tournament.Phase.FINISHED
    return DoublesForm(
        posted, doubles=questions, is_optional=True, takes_names=takes_names
    )


def _enter_answers(
    request: HttpRequest, tournament: Tournament, doubles: DoublesForm
) -> bool:
    """Enter the pending names that were answered; return whether it was accepted."""
    answers = doubles.answers
    try:
        with transaction.atomic():
            taken = take_pending_names(tournament_id=tournament.pk, names=list(answers))
            entered = {}
            for checks_in in (True, False):
                names = [
                    meant
                    for name, meant in answers.items()
                    if meant is not None and taken.get(name) is checks_in
                ]
                if names:
                    entered[checks_in] = _enter(tournament, names, checks_in=checks_in)
    except RefusedError as refused:
        messages.error(request, refused.message)
        return False
    for checks_in, done in entered.items():
        show_entered(request, done, checks_in=checks_in)
    if left_out := [name for name in taken if answers[name] is None]:
        words = _("Left out: %(names)s.") % {"names": join_names(left_out)}
        messages.success(request, words)
    if not taken:
        words = _("Nothing changed. Choose who you mean.")
        if tournament.phase == Tournament.Phase.FINISHED:
            words = _("Nothing changed. Choose the names to leave out.")
        messages.info(request, words)
    return True


def _enter(tournament: Tournament, names: Sequence[str], *, checks_in: bool) -> Entered:
    return entering.enter(
        tournament_id=tournament.pk,
        names=names,
        state=State.PRESENT if checks_in else State.EXPECTED,
        now=timezone.now(),
    )


def _enter_names(request: HttpRequest, tournament: Tournament, form: NamesForm) -> bool:
    """Enter a list of names; return whether it was accepted.

    Names that may mean a known player are stored as pending until they are answered.
    """
    checks_in = form.cleaned_data["here"]
    listed = [normalize_text(name) for name in form.cleaned_data["listed"]]
    doubles = find_similar_players(tournament.club, listed)
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
        # Also at the top of the page, since the form may be out of sight.
        messages.error(request, refused.message)
        form.add_error("names", refused.message)
        form.data = {**request.POST.dict(), "names": "\n".join(listed)}
        return False
    show_entered(request, entered, checks_in=checks_in)
    # A name that is twice in the list is one question.
    if waiting := len({same_name_key(name) for name in doubles}):
        words = ngettext(
            "%(n)s name needs your answer before it’s added.",
            "%(n)s names need your answer before they’re added.",
            waiting,
        )
        messages.warning(request, words % {"n": waiting})
    return True


@desk_action(
    Role.SCORER,
    changes=lambda tournament: lambda: set(tournament.entries.all().separated_pairs()),
    back=PLAYERS,
)
def entry_separate(request: HttpRequest, tournament: Tournament) -> str:
    """Keep two players from being drawn to one table, or let them meet again."""
    entry, other = (
        tournament.entries.filter(pk=posted_key(request, name)).first()
        for name in ("entry", "other")
    )
    if entry is None or other is None or entry == other:
        raise RefusedError("entry", _("Choose two players."))
    words = {"one": entry.name, "other": other.name}
    if "meet" in request.POST:
        entering.allow_same_table(entry_id=entry.pk, other_id=other.pk)
        return _("%(one)s and %(other)s may meet again.") % words
    entering.separate_entries(entry_id=entry.pk, other_id=other.pk)
    kept = _("%(one)s and %(other)s will be kept apart in new draws.")
    return kept % words


@post_only
@in_tournament(Role.SCORER)
def entry_act(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    entry = get_object_or_404(tournament.entries, number=number)
    stored = tournament.entries.filter(pk=entry.pk).values_list("state", "waits_here")

    def set_state() -> str:
        state = request.POST.get("state", "")
        if state not in State.values:
            raise RefusedError("state", _("Choose something from the list."))
        with show_moved_up(request, tournament):
            changed = entering.set_state(entry_id=entry.pk, state=State(state))
        if changed.state == State.DROPPED:
            words = _("%(name)s has left, and can come back.") % {"name": entry.name}
            open_places = entry.places.exclude(round__state=Round.State.CLOSED).exclude(
                table__match__finished=True
            )
            if not open_places:
                return words
            seated = tournament.rounds.filter(pk__in=open_places.values("round"))
            rounds = round_list(seated.order_by("number"))
            still = _("The seat stays for now (%(rounds)s). Change it at the desk.")
            return f"{words} {still % {'rounds': rounds}}"
        if changed.waits_here:
            waits = _("%(name)s is here, on the waiting list.")
            return waits % {"name": entry.name}
        label = State(changed.state).label
        return _("%(name)s: %(state)s.") % {"name": entry.name, "state": label}

    return run_desk_action(
        request, tournament, set_state, changes=lambda: list(stored.all()), back=PLAYERS
    )


@desk_action(Role.SCORER, changes=None)
def entry_seat(_request: HttpRequest, tournament: Tournament, number: int) -> str:
    entry = get_object_or_404(tournament.entries, number=number)
    late_arrivals.seat_late(entry_id=entry.pk, now=timezone.now())
    words = _("%(name)s has a seat. The table’s scorepad starts over.")
    return words % {"name": entry.name}


@in_tournament(Role.SCORER)
def entry_substitute(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Substitute another player for an entry."""
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
                author=director(request),
            )
        except RefusedError as refused:
            if refused.field not in form.fields:
                # The first hand arrived after the page was opened: the form lacked `from_hand`.
                form = SubstituteForm(request.POST, entry=entry)
                form.full_clean()
            field = refused.field if refused.field in form.fields else "name"
            form.add_error(field, refused.message)
        else:
            hand = form.cleaned_data.get("from_hand")
            if hand is None:
                words = _("%(name)s plays for %(before)s.")
            elif hand == entering.NEXT_ROUND:
                words = _("%(name)s plays for %(before)s from the next round.")
            elif same_name_key(name) == same_name_key(entry.name):
                words = _("%(name)s has this seat from hand %(hand)s on.")
            else:
                words = _("%(name)s plays for %(before)s from hand %(hand)s.")
            people = {"name": name, "before": entry.name, "hand": hand}
            messages.success(request, words % people)
            return redirect(PLAYERS, tournament.address)
    context = {
        "tournament": tournament,
        "entry": entry,
        "form": form,
        "doubles": doubles,
    }
    return render(request, "tournaments/desk/entry_substitute.html", context)


@in_tournament(Role.SCORER)
def entry_correct(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Correct a name, release a lost phone, or remove an entry made by mistake."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    form = NameForm(request.POST or None, initial={"name": entry.name})
    try:
        if "remove" in request.POST:
            # No confirmation if the removal would be refused anyway.
            if not has_part(entry):
                lost = _(
                    "Check-in and “Never seat together” are lost, even if you add "
                    "them again."
                )
                confirm(
                    request,
                    _("Remove %(name)s from the list?") % {"name": entry.name},
                    [lost],
                    yes=_("Remove from list"),
                )
            with show_moved_up(request, tournament):
                entering.remove_entry(entry_id=entry.pk)
            words = _("%(name)s was removed from the list.") % {"name": entry.name}
            messages.success(request, words)
            return redirect(PLAYERS, tournament.address)
        if "release" in request.POST:
            named = {"name": entry.name}
            follows = _(
                "The lost phone stops showing their night and can’t enter scores for "
                "them. On another phone, they scan the table card, open the table’s "
                "page and tap their name."
            )
            confirm(
                request,
                _("Release the phone of %(name)s?") % named,
                [follows],
                yes=_("Release the phone"),
            )
            release_phone(entry_id=entry.pk)
            log_released_phone(
                signed_in_user(request),
                tournament.club,
                describe_visitor(request),
                f"tournament {tournament.pk}, player {entry.number}",
            )
            messages.success(request, _("The phone of %(name)s is released.") % named)
            return redirect(PLAYERS, tournament.address)
        if form.is_valid():
            rename_person(
                club=tournament.club,
                player_id=entry.player_id,
                name=form.cleaned_data["name"],
                user=signed_in_user(request),
                now=timezone.now(),
                is_another=form.is_another,
            )
            show_renamed(request, entry.name, form.cleaned_data["name"])
            return redirect(PLAYERS, tournament.address)
    except UnconfirmedError as unconfirmed:
        return unconfirmed.page(request, tournament, PLAYERS)
    except SimilarNameError as doubtful:
        form.add_doubt(doubtful)
    except RefusedError as refused:
        form.add_error("name" if refused.field == "name" else None, refused.message)
    context = {
        "tournament": tournament,
        "entry": entry,
        "form": form,
        "elsewhere": entry.player.entries.exclude(pk=entry.pk).count(),
    }
    return render(request, "tournaments/desk/entry_correct.html", context)


@in_tournament(Role.DIRECTOR)
def penalties(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = PenaltyForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        by = signed_in_user(request)
        results.penalise(user=by, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Penalty given. It counts now."))
        return redirect("tournaments:penalties", tournament.address)
    given = tournament.penalties.select_related("entry").order_by("-made_at")
    context = {"tournament": tournament, "penalties": given, "form": form}
    return render(request, "tournaments/desk/penalties.html", context)


@post_only
@in_tournament(Role.DIRECTOR)
def penalty_cancel(
    request: HttpRequest, tournament: Tournament, pk: int
) -> HttpResponse:
    penalty = get_object_or_404(tournament.penalties, pk=pk)

    def cancel() -> str:
        results.cancel_penalty(penalty_id=penalty.pk, now=timezone.now())
        return _("Penalty cancelled. It stays visible.")

    return run_desk_action(
        request, tournament, cancel, changes=penalty, back="tournaments:penalties"
    )
