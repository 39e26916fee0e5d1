"""The list of players at the desk: names, check-in, substitutes, penalties."""

from collections.abc import Sequence

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.words import join_names
from scoring.rules.names import normalize_text, same_name_key
from scoring.web.redirects import post_only
from scoring.web.views.requests import UNCHANGED
from tournaments.changes import RefusedError
from tournaments.event import entries as entering
from tournaments.event import late_seats, results
from tournaments.event.desk.overview import arrivals_in_words
from tournaments.event.entries import Entered
from tournaments.event.pending_names import add_pending_names, take_pending_names
from tournaments.event.rights import release_phone
from tournaments.event.unplayed_players import has_part
from tournaments.history.personal_data import rename_person
from tournaments.models import (
    Entry,
    Role,
    Round,
    Tournament,
    User,
)
from tournaments.models.round_names import round_list
from tournaments.people.doubles import DoubtfulNameError, likely_doubles
from tournaments.people.security import log_released_phone
from tournaments.web.access import in_tournament
from tournaments.web.account.sessions import visitor_of
from tournaments.web.actions import posted_key, run_action, show_renamed
from tournaments.web.desk.forms import (
    NameForm,
    NamesForm,
    PenaltyForm,
    SubstituteForm,
)
from tournaments.web.desk.views import (
    ask_first,
    director,
    moving_up,
    try_to,
)
from tournaments.web.players.forms import DoublesForm, resolve_names

State = Entry.State


def show_entered(request: HttpRequest, entered: Entered, *, checks_in: bool) -> None:
    """Say what became of each group of an entered list; `checks_in` if they are here."""
    changes = _added_lines(entered.entries, checks_in=checks_in)
    queued = [entry.name for entry in entered.entries if not entry.has_place]
    rest: list[str] = []
    if checks_in:
        for before, lines in (
            (State.EXPECTED, changes),
            (State.DROPPED, changes),
            (State.NO_SHOW, changes),
            (State.WAITING, changes),
            (State.PRESENT, rest),
        ):
            now_here = [
                entry.name
                for entry, state in entered.known_entries
                if state == before and entry.state == State.PRESENT
            ]
            lines += _line(_checked_in_words(before, len(now_here)), now_here)
        queued += [
            entry.name
            for entry, state in entered.known_entries
            if entry.state == State.WAITING != state
        ]
        still = [
            entry.name
            for entry, state in entered.known_entries
            if entry.state == State.WAITING == state
        ]
        words = ngettext(
            "No place is free: %(names)s is still on the waiting list.",
            "No place is free: %(names)s are still on the waiting list.",
            len(still),
        )
        rest += _line(words, still)
    else:
        known = list(dict.fromkeys(entered.known))
        words = ngettext(
            "%(names)s was entered before, and is there once.",
            "%(names)s were entered before, and are there once.",
            len(known),
        )
        rest += _line(words, known)
    words = ngettext(
        "All places are taken: %(names)s is on the waiting list.",
        "All places are taken: %(names)s are on the waiting list.",
        len(queued),
    )
    changes += _line(words, queued)
    if changes:
        messages.success(request, " ".join(changes))
    if rest:
        messages.info(request, " ".join(rest))


def _added_lines(entries: Sequence[Entry], *, checks_in: bool) -> list[str]:
    placed = sum(entry.has_place for entry in entries)
    words = ngettext("%(n)s player added.", "%(n)s players added.", placed)
    if checks_in:
        words = ngettext(
            "%(n)s player added and checked in.",
            "%(n)s players added and checked in.",
            placed,
        )
    return [words % {"n": placed}] if placed else []


def _checked_in_words(before: Entry.State, count: int) -> str:
    match before:
        case State.PRESENT:
            return _("Checked in already: %(names)s.")
        case State.WAITING:
            return _("Checked in from the waiting list: %(names)s.")
        case State.DROPPED:
            return _("Back after leaving: %(names)s.")
        case State.NO_SHOW:
            return _("Marked absent before, and checked in now: %(names)s.")
        case _:
            return ngettext(
                "%(names)s is checked in.", "%(names)s are checked in.", count
            )


def _line(words: str, names: Sequence[str]) -> list[str]:
    return [words % {"names": join_names(names)}] if names else []


def show_left_out(request: HttpRequest, names: Sequence[str]) -> None:
    """Say which pending names are not entered."""
    if names:
        words = _("Left out: %(names)s.") % {"names": join_names(names)}
        messages.success(request, words)


@in_tournament(Role.VIEWER)
def entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show who plays; take a pasted list of names."""
    role = tournament.club.get_role(request.user)
    scores = role is not None and role >= Role.SCORER
    is_posted = scores and request.method == "POST"
    form, asking = NamesForm(), None
    if is_posted and "asked" in request.POST:
        asking = _asking(tournament, request.POST)
        if asking.is_valid() and _enter_answers(request, tournament, asking):
            return redirect("tournaments:entries", tournament.address)
        if tournament.phase == Tournament.Phase.FINISHED:
            # Most answers are no longer possible.
            asking = None
    elif is_posted:
        form = NamesForm(request.POST, request.FILES)
        if form.is_valid() and _enter_names(request, tournament, form):
            return redirect("tournaments:entries", tournament.address)
    if tournament.pending_names and asking is None and scores:
        asking = _asking(tournament)
    listed = list(tournament.entries.by_number())
    coming = sum(entry.has_place for entry in listed)
    context = {
        "registration": tournament.registration(timezone.now(), coming),
        "tournament": tournament,
        "entries": listed,
        "arrivals": arrivals_in_words(tournament, listed),
        "apart": tournament.entries.all().separated_pairs(),
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
    # Answers of a page that was open before are refused with the reason.
    takes_names = posted is not None or tournament.phase != Tournament.Phase.FINISHED
    return DoublesForm(
        posted, doubles=questions, is_optional=True, takes_names=takes_names
    )


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
        words = _("Nothing changed. Choose who is meant.")
        if tournament.phase == Tournament.Phase.FINISHED:
            words = _("Nothing changed. Choose the names to leave out.")
        messages.info(request, words)
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


@post_only
@in_tournament(Role.SCORER)
def keep_apart(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let two players not be drawn to one table, or let them meet again."""
    chosen = [
        tournament.entries.filter(pk=posted_key(request, name)).first()
        for name in ("entry", "other")
    ]
    entry, other = chosen
    if entry is None or other is None or entry == other:
        messages.error(request, _("Choose two players."))
    else:
        act, words = (
            (entering.allow_same_table, _("%(one)s and %(other)s may meet again."))
            if "meet" in request.POST
            else (
                entering.separate_entries,
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


@post_only
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
            changed = entering.set_state(entry_id=entry.pk, state=Entry.State(state))
    except RefusedError as refused:
        messages.error(request, refused.message)
        return redirect("tournaments:entries", tournament.address)
    if (changed.state, changed.waits_here) == (entry.state, entry.waits_here):
        messages.info(request, _(UNCHANGED))
    elif changed.state == Entry.State.DROPPED:
        messages.success(request, _has_left(entry))
    elif changed.waits_here:
        waits = _("%(name)s is here and waits for a place.") % {"name": entry.name}
        messages.success(request, waits)
    else:
        words = {"name": entry.name, "state": Entry.State(changed.state).label}
        messages.success(request, _("%(name)s: %(state)s.") % words)
    return redirect("tournaments:entries", tournament.address)


@post_only
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
                author=director(request),
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
        case _hand if same_name_key(name) == same_name_key(before):
            words = _("%(name)s has this seat from hand %(hand)s on.")
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


@post_only
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
