"""The list of players at the desk: names, check-in, substitutes, penalties."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, NamedTuple

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy
from django.views.decorators.http import require_safe

from scoring.locales.sentences import join_names
from scoring.rules.names import normalize_text, same_name_key
from scoring.web.redirects import post_only
from tournaments.changes import RefusedError
from tournaments.event import entries as entering
from tournaments.event import late_arrivals, results
from tournaments.event.desk.overview import arrivals_in_words
from tournaments.event.entries import AddedEntries
from tournaments.event.requested_byes import (
    coming_rounds,
    join_round_numbers,
    requested_byes_in_words,
    set_requested_byes,
)
from tournaments.event.rights import release_phone
from tournaments.event.teams import team_labels_by_entry
from tournaments.event.unplayed_players import has_taken_part
from tournaments.history.personal_data import rename_person
from tournaments.models import Entry, Role, Round, Tournament
from tournaments.models.round_names import join_round_names
from tournaments.names import localized_sort_key, name_key
from tournaments.people.club_state import page_version
from tournaments.people.security import log_event
from tournaments.people.similar_names import SimilarNameError, find_similar_players
from tournaments.web.access import in_tournament
from tournaments.web.account.sessions import get_visitor
from tournaments.web.actions import (
    read_posted_pk_or_zero,
    run_action,
    show_rename_or_unchanged_message,
)
from tournaments.web.desk.actions import (
    PLAYERS,
    ConfirmationRequiredError,
    confirm_separated_pairs,
    desk_action,
    get_desk_command_author,
    require_confirmation,
    signed_in_user,
)
from tournaments.web.desk.forms import (
    AddPlayersForm,
    CorrectPlayerNameForm,
    PenaltyForm,
    RequestedByesForm,
    SubstituteForm,
)
from tournaments.web.desk.views import show_moved_up_players
from tournaments.web.players.forms import SimilarNamesForm, resolve_names

State = Entry.State
ADDED = ngettext_lazy("%(n)s player added.", "%(n)s players added.", "n")
ADDED_AND_PRESENT = ngettext_lazy(
    "%(n)s player added and checked in.", "%(n)s players added and checked in.", "n"
)
CHECK_IN_MESSAGES = {
    State.EXPECTED: ngettext_lazy(
        "%(names)s is checked in.", "%(names)s are checked in.", "n"
    ),
    State.DROPPED: gettext_lazy("Back again: %(names)s."),
    State.NO_SHOW: gettext_lazy("Checked in after being marked absent: %(names)s."),
    State.WAITING: gettext_lazy("Checked in from the waiting list: %(names)s."),
    State.PRESENT: gettext_lazy("Already checked in: %(names)s."),
}
"""Messages about checked-in players, by their previous state."""
QUEUED = ngettext_lazy(
    "All places are taken, so %(names)s is on the waiting list.",
    "All places are taken, so %(names)s are on the waiting list.",
    "n",
)
STILL_QUEUED = ngettext_lazy(
    "No places are free, so %(names)s is still on the waiting list.",
    "No places are free, so %(names)s are still on the waiting list.",
    "n",
)
ALREADY_LISTED = ngettext_lazy(
    "%(names)s was already on the list.",
    "%(names)s were already on the list.",
    "n",
)


def show_added_names_messages(
    request: HttpRequest, entered: AddedEntries, *, is_present: bool
) -> None:
    """Show a message for each group of an entered list: added, waiting, known before."""
    known_entries = entered.known_entries if is_present else ()

    def names(old_state: State, new_state: State) -> list[str]:
        return [
            entry.name
            for entry, state in known_entries
            if (state, entry.state) == (old_state, new_state)
        ]

    added_names = [
        entry.name for entry in entered.entries if entry.is_expected_or_present
    ]
    waiting_names = [
        entry.name for entry in entered.entries if not entry.is_expected_or_present
    ]
    waiting_names += [
        entry.name
        for entry, old_state in known_entries
        if entry.state == State.WAITING != old_state
    ]
    changes: list[tuple[Any, Collection[str]]] = [
        (ADDED_AND_PRESENT if is_present else ADDED, added_names),
        *(
            (text, names(old_state, State.PRESENT))
            for old_state, text in CHECK_IN_MESSAGES.items()
            if old_state != State.PRESENT
        ),
        (QUEUED, waiting_names),
    ]
    notices: list[tuple[Any, Collection[str]]] = [
        (CHECK_IN_MESSAGES[State.PRESENT], names(State.PRESENT, State.PRESENT)),
        (STILL_QUEUED, names(State.WAITING, State.WAITING)),
        (ALREADY_LISTED, () if is_present else dict.fromkeys(entered.known)),
    ]
    for show, groups in ((messages.success, changes), (messages.info, notices)):
        sentences = [
            str(text % {"names": join_names(list(group)), "n": len(group)})
            for text, group in groups
            if group
        ]
        if sentences:
            show(request, " ".join(sentences))


@in_tournament(Role.VIEWER)
def list_or_add_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    role = tournament.club.get_role(request.user)
    scores = role is not None and role >= Role.SCORER
    is_posted = scores and request.method == "POST"
    form, doubles = AddPlayersForm(), None
    if is_posted and "asked" in request.POST:
        doubles = _build_similar_names_form(tournament, request.POST)
        if doubles.is_valid() and _add_answered_names(request, tournament, doubles):
            return redirect(PLAYERS, tournament.address)
        if tournament.phase == Tournament.Phase.FINISHED:
            # The form is built again: a finished tournament takes no new names.
            doubles = None
    elif is_posted:
        form = AddPlayersForm(request.POST, request.FILES)
        if form.is_valid() and _add_names_or_ask(request, tournament, form):
            return redirect(PLAYERS, tournament.address)
    if tournament.pending_names and doubles is None and scores:
        doubles = _build_similar_names_form(tournament)
    list_context = _entry_list_context(request, tournament)
    query = request.GET.get("q", "").strip()
    words = name_key(query).split()
    rows: list[EntryRow] = list_context["rows"]
    entries = [row.entry for row in rows]
    place_count = sum(entry.is_expected_or_present for entry in entries)
    matches = {
        entry.pk
        for entry in entries
        if all(word in entry.name_key or word == str(entry.number) for word in words)
    }
    context = {
        **list_context,
        "registration": tournament.registration_state(timezone.now(), place_count),
        "entries": entries,
        "query": query,
        "left_out": {entry.pk for entry in entries} - matches,
        "has_matches": bool(matches),
        "apart": tournament.entries.all().separated_pairs(),
        "form": form,
        "doubles": doubles,
    }
    return render(request, "tournaments/desk/entries.html", context)


class EntryRow(NamedTuple):
    """A player in the list."""

    entry: Entry
    waiting_position: int
    """The position on the waiting list; 0 for a player that does not wait."""
    team: str = ""
    """The label of the team; empty without one."""
    coming_byes: str = ""
    """The coming rounds that the player sits out on request, in words; empty for none."""

    @property
    def content(self) -> tuple[object, ...]:
        """Return a value that changes whenever the row shows something else."""
        entry = self.entry
        return (
            *(entry.number, entry.name, entry.state),
            *(entry.waits_here, self.waiting_position, self.team, self.coming_byes),
        )


def _read_rows(tournament: Tournament) -> list[EntryRow]:
    """Return the players of a tournament in alphabetical order."""
    waiting = tournament.entries.all().waiting().values_list("pk", flat=True)
    positions = {pk: position for position, pk in enumerate(waiting, start=1)}
    teams = team_labels_by_entry(tournament)
    entries = sorted(
        tournament.entries.all(),
        key=lambda entry: (localized_sort_key(entry.name), entry.number),
    )
    coming = coming_rounds(tournament)
    return [
        EntryRow(
            entry,
            positions.get(entry.pk, 0),
            teams.get(entry.pk, ""),
            join_round_numbers([n for n in entry.bye_rounds if n in coming]),
        )
        for entry in entries
    ]


def _entry_list_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    role = tournament.club.get_role(request.user)
    rows = _read_rows(tournament)
    entries = [row.entry for row in rows]
    return {
        "tournament": tournament,
        "scores": role is not None and role >= Role.SCORER,
        "rows": rows,
        "offers_byes": bool(coming_rounds(tournament)),
        "arrivals": arrivals_in_words(tournament, entries),
        "offers_everyone": tournament.phase == Tournament.Phase.OPEN
        and not tournament.is_league
        and any(entry.state == State.EXPECTED for entry in entries),
        "version": page_version(
            tournament.club, tournament.phase, [row.content for row in rows]
        ),
    }


@require_safe
@in_tournament(Role.VIEWER)
def poll_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Return the list of players if it differs from the version `v`, else 204."""
    context = _entry_list_context(request, tournament)
    if request.GET.get("v") == context["version"]:
        return HttpResponse(status=204)
    context["is_live"] = True
    return render(request, "tournaments/desk/entries.html#live", context)


def _build_similar_names_form(
    tournament: Tournament, data: QueryDict | None = None
) -> SimilarNamesForm:
    pending = list(tournament.pending_names)
    doubles = find_similar_players(tournament.club, pending)
    names = pending if data is None else data.getlist("asked")
    questions = {name: doubles.get(name, ()) for name in names}
    # A page opened before the end may still send names; they are refused with the reason.
    takes_names = data is not None or tournament.phase != Tournament.Phase.FINISHED
    return SimilarNamesForm(
        data, doubles=questions, is_optional=True, takes_names=takes_names
    )


def _add_answered_names(
    request: HttpRequest, tournament: Tournament, doubles: SimilarNamesForm
) -> bool:
    """Enter the pending names that were answered; return whether it was accepted."""
    meant_names, left_out_names = doubles.meant_names_by_typed, doubles.left_out_names
    try:
        with transaction.atomic():
            claimed = entering.pop_pending_names(
                tournament_id=tournament.pk, names=[*meant_names, *left_out_names]
            )
            entered = {}
            for is_present in (True, False):
                names = [
                    meant
                    for name, meant in meant_names.items()
                    if claimed.get(name) is is_present
                ]
                if names:
                    entered[is_present] = _add_entries(
                        request, tournament, names, is_present=is_present
                    )
    except RefusedError as refused:
        messages.error(request, refused.message)
        return False
    for is_present, result in entered.items():
        show_added_names_messages(request, result, is_present=is_present)
    if left_out := [name for name in left_out_names if name in claimed]:
        message = _("Left out: %(names)s.") % {"names": join_names(left_out)}
        messages.success(request, message)
    if not claimed:
        message = _("Nothing changed. Choose who you mean.")
        if tournament.phase == Tournament.Phase.FINISHED:
            message = _("Nothing changed. Choose the names to leave out.")
        messages.info(request, message)
    return True


def _add_entries(
    request: HttpRequest,
    tournament: Tournament,
    names: Sequence[str],
    *,
    is_present: bool,
) -> AddedEntries:
    return entering.add_entries(
        tournament_id=tournament.pk,
        names=names,
        state=State.PRESENT if is_present else State.EXPECTED,
        now=timezone.now(),
        user=signed_in_user(request),
    )


def _add_names_or_ask(
    request: HttpRequest, tournament: Tournament, form: AddPlayersForm
) -> bool:
    """Enter a list of names; return whether it was accepted.

    Names that may mean a known player are stored as pending until they are answered.
    """
    is_present = form.cleaned_data["here"]
    names = [normalize_text(name) for name in form.cleaned_data["listed"]]
    doubles = find_similar_players(tournament.club, names)
    clear_names = [name for name in names if name not in doubles]
    try:
        with transaction.atomic():
            for name in doubles:
                entering.check_player_name(name)
            entered = _add_entries(
                request, tournament, clear_names, is_present=is_present
            )
            if doubles:
                entering.add_pending_names(
                    tournament_id=tournament.pk,
                    names=list(doubles),
                    checks_in=is_present,
                )
    except RefusedError as refused:
        # Also at the top of the page, since the form may be out of sight.
        messages.error(request, refused.message)
        form.add_error("names", refused.message)
        form.data = {**request.POST.dict(), "names": "\n".join(names)}
        return False
    show_added_names_messages(request, entered, is_present=is_present)
    # A name that is twice in the list is one question.
    if question_count := len({same_name_key(name) for name in doubles}):
        message = ngettext(
            "%(n)s name needs your answer before it’s added.",
            "%(n)s names need your answer before they’re added.",
            question_count,
        )
        messages.warning(request, message % {"n": question_count})
    return True


@desk_action(
    Role.SCORER,
    changes=lambda tournament: set(tournament.entries.all().separated_pairs()),
    back_view=PLAYERS,
)
def separate_or_reunite_entries(request: HttpRequest, tournament: Tournament) -> str:
    """Keep two players from being drawn to one table, or let them meet again."""
    entry, other_entry = (
        tournament.entries.filter(pk=read_posted_pk_or_zero(request, name)).first()
        for name in ("entry", "other")
    )
    if entry is None or other_entry is None or entry == other_entry:
        raise RefusedError("entry", _("Choose two players."))
    values = {"one": entry.name, "other": other_entry.name}
    if "meet" in request.POST:
        entry.apart.remove(other_entry)
        return _("%(one)s and %(other)s can be seated together again.") % values
    entry.apart.add(other_entry)
    message = _("%(one)s and %(other)s will be kept apart in new draws.")
    return message % values


@post_only
@in_tournament(Role.SCORER)
def set_entry_state(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Set the state of a player; a script gets the changed rows of the list."""
    entry = get_object_or_404(tournament.entries, number=number)
    contents_before = {row.content for row in _read_rows(tournament)}
    is_done = run_action(
        request,
        partial(_set_state_or_refuse, request, tournament, entry),
        changes=lambda: list(
            tournament.entries.filter(pk=entry.pk).values_list("state", "waits_here")
        ),
    )
    if "HX-Request" not in request.headers:
        address = reverse(PLAYERS, args=[tournament.address])
        return redirect(f"{address}#player-{number}" if is_done else address)
    if not is_done:
        # The whole page shows the reason.
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = _entry_list_context(request, tournament)
    context["rows"] = [
        row
        for row in context["rows"]
        if row.entry == entry or row.content not in contents_before
    ]
    context["news"] = " ".join(map(str, messages.get_messages(request)))
    return render(request, "tournaments/desk/_changed_entries.html", context)


def _set_state_or_refuse(
    request: HttpRequest, tournament: Tournament, entry: Entry
) -> str:
    """Set the posted state of an entry, and return the message about it."""
    state = request.POST.get("state", "")
    if state not in State.values:
        raise RefusedError("state", _("Choose an option from the list."))
    with show_moved_up_players(request, tournament):
        entry_now = entering.set_state(
            entry_id=entry.pk, state=State(state), user=signed_in_user(request)
        )
    if entry_now.state == State.DROPPED:
        text = _("%(name)s has left but can come back.") % {"name": entry.name}
        open_places = entry.places.exclude(round__state=Round.State.CLOSED).exclude(
            table__match__finished=True
        )
        if not open_places:
            return text
        seated = tournament.rounds.filter(pk__in=open_places.values("round"))
        rounds = join_round_names(seated.order_by("number"))
        still = _("This player still has a seat: %(rounds)s. Change it on the desk.")
        return f"{text} {still % {'rounds': rounds}}"
    if entry_now.waits_here:
        waits = _("%(name)s is here and on the waiting list.")
        return waits % {"name": entry.name}
    label = State(entry_now.state).label
    return _("%(name)s: %(state)s.") % {"name": entry.name, "state": label}


@desk_action(
    Role.SCORER,
    changes=lambda tournament: tournament.entries.unchecked().count(),
    back_view=PLAYERS,
)
def check_in_expected_entries(request: HttpRequest, tournament: Tournament) -> str:
    expected = sorted(
        tournament.entries.unchecked().values_list("name", flat=True),
        key=localized_sort_key,
    )
    if expected:
        question = ngettext(
            "Check in %(n)s player?", "Check in %(n)s players?", len(expected)
        )
        label = ngettext(
            "Check in %(n)s player", "Check in %(n)s players", len(expected)
        )
        require_confirmation(
            request,
            question % {"n": len(expected)},
            [join_names(expected)],
            confirm_label=label % {"n": len(expected)},
        )
    checked_in = entering.check_in_expected(
        tournament_id=tournament.pk, user=signed_in_user(request)
    )
    text = ngettext(
        "%(n)s player checked in.", "%(n)s players checked in.", len(checked_in)
    )
    return text % {"n": len(checked_in)}


@desk_action(Role.SCORER, changes=None)
def seat_late_entry(request: HttpRequest, tournament: Tournament, number: int) -> str:
    entry = get_object_or_404(tournament.entries, number=number)
    with confirm_separated_pairs(request) as allows_together:
        late_arrivals.seat_late_player(
            entry_id=entry.pk, now=timezone.now(), allows_together=allows_together
        )
    message = _("%(name)s has a seat. The table starts a new scorepad.")
    return message % {"name": entry.name}


@in_tournament(Role.SCORER)
def substitute_player_page(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Substitute another player for an entry."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    form = SubstituteForm(request.POST or None, entry=entry)
    names: list[str] = []
    doubles = None
    if form.is_valid():
        typed_names = [form.cleaned_data["name"]]
        names, doubles = resolve_names(request, tournament.club, typed_names)
    for name in names:
        try:
            entering.substitute_entry_player(
                entry_id=entry.pk,
                name=name,
                now=timezone.now(),
                from_hand=form.cleaned_data.get("from_hand"),
                author=get_desk_command_author(request),
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
                message = _("%(name)s plays for %(before)s.")
            elif hand == entering.NEXT_ROUND:
                message = _("%(name)s plays for %(before)s from the next round.")
            elif same_name_key(name) == same_name_key(entry.name):
                message = _("%(name)s now has this seat from hand %(hand)s on.")
            else:
                message = _("%(name)s plays for %(before)s from hand %(hand)s.")
            values = {"name": name, "before": entry.name, "hand": hand}
            messages.success(request, message % values)
            return redirect(PLAYERS, tournament.address)
    context = {
        "tournament": tournament,
        "entry": entry,
        "form": form,
        "doubles": doubles,
    }
    return render(request, "tournaments/desk/entry_substitute.html", context)


@in_tournament(Role.SCORER)
def rename_or_remove_entry_or_release_phone(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    """Correct a name, choose rounds to sit out, release a lost phone, or remove a wrong entry."""
    entry = get_object_or_404(Entry, tournament=tournament, number=number)
    entry.tournament = tournament
    sets_byes = "byes" in request.POST
    byes_form = RequestedByesForm(request.POST if sets_byes else None, entry=entry)
    form = CorrectPlayerNameForm(
        None if sets_byes else request.POST or None, initial={"name": entry.name}
    )
    try:
        if sets_byes and byes_form.is_valid():
            set_requested_byes(
                entry_id=entry.pk,
                numbers=byes_form.cleaned_data["rounds"],
                user=signed_in_user(request),
            )
            entry.refresh_from_db()
            messages.success(request, requested_byes_in_words(entry))
            return redirect(PLAYERS, tournament.address)
        if "remove" in request.POST:
            # No confirmation if the removal would be refused anyway.
            if not has_taken_part(entry):
                consequence = _(
                    "You’ll lose this player’s check-in and “Never seat together” "
                    "pairs, even if you add the player again."
                )
                require_confirmation(
                    request,
                    _("Remove %(name)s from the list?") % {"name": entry.name},
                    [consequence],
                    confirm_label=_("Remove from list"),
                )
            with show_moved_up_players(request, tournament):
                entering.remove_entry(entry_id=entry.pk, user=signed_in_user(request))
            message = _("%(name)s was removed from the list.") % {"name": entry.name}
            messages.success(request, message)
            return redirect(PLAYERS, tournament.address)
        if "release" in request.POST:
            values = {"name": entry.name}
            consequence = _(
                "The lost phone will no longer show this player’s night or enter their "
                "scores. On another phone, the player scans the table card, opens the "
                "table’s page and taps their name."
            )
            require_confirmation(
                request,
                _("Disconnect %(name)s’s phone?") % values,
                [consequence],
                confirm_label=_("Disconnect phone"),
            )
            release_phone(entry_id=entry.pk)
            log_event(
                "phone_released",
                user=signed_in_user(request),
                visitor=get_visitor(request),
                club=tournament.club,
                detail=f"tournament {tournament.pk}, player {entry.number}",
            )
            messages.success(request, _("%(name)s’s phone is disconnected.") % values)
            return redirect(PLAYERS, tournament.address)
        if form.is_valid():
            rename_person(
                club=tournament.club,
                player_id=entry.player_id,
                name=form.cleaned_data["name"],
                user=signed_in_user(request),
                now=timezone.now(),
                is_different_person=form.is_confirmed_as_another_person,
            )
            show_rename_or_unchanged_message(
                request, entry.name, form.cleaned_data["name"]
            )
            return redirect(PLAYERS, tournament.address)
    except ConfirmationRequiredError as unconfirmed:
        return unconfirmed.render_confirmation(request, tournament, PLAYERS)
    except SimilarNameError as doubtful:
        form.add_similar_name_question(doubtful)
    except RefusedError as refused:
        if sets_byes:
            byes_form.add_error("rounds", refused.message)
        else:
            form.add_error("name" if refused.field == "name" else None, refused.message)
    context = {
        "tournament": tournament,
        "entry": entry,
        "form": form,
        "byes_form": byes_form,
        "elsewhere": entry.player.entries.exclude(pk=entry.pk).count(),
    }
    return render(request, "tournaments/desk/entry_edit.html", context)


@in_tournament(Role.DIRECTOR)
def list_or_give_penalties(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    form = PenaltyForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        user = signed_in_user(request)
        results.add_penalty(user=user, now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Penalty given. It now counts in the standings."))
        return redirect("tournaments:penalties", tournament.address)
    penalty_rows = tournament.penalties.select_related("entry").order_by("-made_at")
    context = {"tournament": tournament, "penalties": penalty_rows, "form": form}
    return render(request, "tournaments/desk/penalties.html", context)


@desk_action(
    Role.DIRECTOR,
    changes=lambda tournament, pk: list(tournament.penalties.filter(pk=pk).values()),
    back_view="tournaments:penalties",
)
def cancel_penalty(request: HttpRequest, tournament: Tournament, pk: int) -> str:
    penalty = get_object_or_404(tournament.penalties, pk=pk)
    results.cancel_penalty(
        penalty_id=penalty.pk, now=timezone.now(), user=signed_in_user(request)
    )
    return _("Penalty cancelled. Directors can still see it.")
