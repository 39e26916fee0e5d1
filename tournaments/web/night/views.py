"""Pages of a tournament for everyone: joining, rounds, tables, matches of a league."""

import re
from datetime import datetime
from functools import partial
from typing import Any
from uuid import uuid4

import segno
from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from scoring.games.registry import table_game
from scoring.games.text_fields import NameField, ShortTextField
from scoring.matchlog.client_keys import derive_key_for_owner
from scoring.models import LogEntry, Match
from scoring.models.matches import ADDRESS
from scoring.phone_memory import remember_secret
from scoring.rules import GAMES
from scoring.rules.match_record import LONGEST_NAME
from scoring.sync.rights import FOLLOWS, find_taken_seat
from scoring.web.limits import (
    LimitedAction,
    count_action,
    mark_rate_limited,
    rate_limit_message,
    rate_limit_page,
)
from scoring.web.redirects import post_only
from scoring.web.views.matches import append_and_announce_confirmation_or_withdrawal
from scoring.web.views.requests import csrf_cookie_or_empty
from tournaments.changes import RefusedError
from tournaments.event import results
from tournaments.event.entries import register
from tournaments.event.own_nights import find_own_nights
from tournaments.event.rights import (
    can_withdraw_unanswered_dispute,
    claim_place,
    claimable_places,
    current_table,
    entry_id_required_in_match,
    first_own_entry_id,
    is_card_secret,
    is_trusted_at_table,
    may_begin_match,
    may_write_at_table,
    own_dispute_time,
    own_entry_ids,
    own_place,
    own_places,
    refresh_own_phone_entry_ids,
    remember_or_forget_dispute,
    table_read_only_hint,
)
from tournaments.event.tables import (
    begin_league_match,
    choose_game_and_start_match,
    find_unfinished_league_table,
    list_choosable_league_games,
    list_playable_games,
)
from tournaments.event.teams import PAIR, find_team
from tournaments.models import (
    PUBLISHED_STATES,
    AutoStep,
    Club,
    Entry,
    Role,
    Round,
    Table,
    Tournament,
)
from tournaments.models.rounds import DISPUTE_REASONS, LONGEST_DISPUTE_REASON
from tournaments.people.club_state import page_version
from tournaments.web.access import (
    for_everybody,
    forbid_caching,
    in_club,
    in_tournament,
)
from tournaments.web.actions import (
    run_action,
    show_changed_or_unchanged_message,
)
from tournaments.web.club.followed import followed_clubs
from tournaments.web.night.codes import (
    HOUR,
    LIMIT_MESSAGE,
    UNKNOWN,
    TournamentCodeForm,
    is_wrong_code_limit_reached,
    record_wrong_code,
)
from tournaments.web.night.pages import latest_published_round, tournament_page_links
from tournaments.web.night.rounds import TablePage, build_round_page
from tournaments.web.night.status import waiting_list_sentence
from tournaments.web.notifications.views import end_other_browsers_subscriptions
from tournaments.web.players.forms import resolve_names
from tournaments.web.players.views import remember_registration
from tournaments.web.sharing.feeds import tournament_icalendar
from tournaments.web.sharing.pictures import unindexed_tournament_link_preview

MOST_UPCOMING = 10
MATCH_ADDRESS = re.compile(rf"(?:^|/m/)\s*(?P<address>{ADDRESS.pattern})(?:/|\s*$)")
"""The address of a match, alone or in a link."""
CALLS = ("call", "dispute", "withdraw")
"""Verbs that call the director or cancel the call."""
FINISHED_MESSAGE = _(
    "The tournament is finished. If a result is wrong, ask the director to correct it."
)
OLD_CARD_MESSAGE = gettext_noop(
    "This card has an old code, so you can only watch. To enter scores, ask the "
    "director for a new card."
)


@require_safe
@in_tournament(None)
def round_seating_page(
    request: HttpRequest, tournament: Tournament, number: int
) -> HttpResponse:
    round_ = get_object_or_404(tournament.rounds.published(), number=number)
    by_name = "seats" in request.GET and not tournament.is_league
    context = {
        "tournament": tournament,
        "role": tournament.club.get_role(request.user),
        "round": round_,
        "page": build_round_page(
            tournament, round_, by_name=by_name, own=own_entry_ids(request, tournament)
        ),
        "segments": tournament_page_links(
            tournament, "seats" if by_name else "round", round_
        ),
        "about": unindexed_tournament_link_preview(tournament),
    }
    return render(request, "tournaments/night/round.html", context)


@for_everybody
def find_tournament_by_code_page(request: HttpRequest) -> HttpResponse:
    """Show the nights of the visitor, and open a tournament by its code."""
    is_limited = request.method == "POST" and is_wrong_code_limit_reached(request)
    form = TournamentCodeForm(None if is_limited else request.POST or None)
    if is_limited:
        messages.error(request, LIMIT_MESSAGE)
    else:
        pasted_address = MATCH_ADDRESS.search(request.POST.get("code", ""))
        if pasted_address:
            match = Match.objects.filter(address=pasted_address["address"]).first()
            if match is not None:
                return redirect(match)
        if form.is_valid():
            return redirect("tournaments:join", form.cleaned_data["code"].address)
        if form.has_error("code", UNKNOWN):
            record_wrong_code(request)
    clubs = followed_clubs(request)
    upcoming = Tournament.objects.filter(
        club__in=clubs, listing=Tournament.Listing.LISTED
    ).exclude(phase=Tournament.Phase.FINISHED)
    context = {
        "form": form,
        "own_nights": find_own_nights(request, timezone.now()),
        "upcoming": list(
            upcoming.select_related("club").order_by("starts_at", "pk")[:MOST_UPCOMING]
        )
        if clubs
        else [],
    }
    page = forbid_caching(render(request, "tournaments/night/find.html", context))
    return mark_rate_limited(page, HOUR.seconds) if is_limited else page


class JoinTournamentForm(forms.Form):
    name = NameField(label=_("Your name"), max_length=LONGEST_NAME)
    team = NameField(
        label=_("Your team, if you know it"), max_length=LONGEST_NAME, required=False
    )

    def __init__(self, *args: Any, team_size: int, **options: Any) -> None:
        super().__init__(*args, **options)
        if not team_size:
            del self.fields["team"]
        elif team_size == PAIR:
            self.fields["team"].label = _("Your partner’s name, if you know it")


@in_tournament(None)
def join_tournament_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = JoinTournamentForm(request.POST or None, team_size=tournament.team_size)
    names: list[str] = []
    doubles = None
    wait = count_action(request, LimitedAction.JOIN) if form.is_valid() else 0
    if wait:
        form.add_error(None, rate_limit_message(wait))
    elif form.is_valid():
        typed_names = [form.cleaned_data["name"]]
        names, doubles = resolve_names(request, tournament.club, typed_names)
    for name in names:
        try:
            registered = register(
                tournament_id=tournament.pk,
                name=name,
                now=timezone.now(),
                team=form.cleaned_data.get("team", ""),
            )
        except RefusedError as refused:
            field = refused.field if refused.field in form.fields else "name"
            form.add_error(field, refused.message)
        else:
            remember_registration(request, registered)
            # A removed player may register again on another phone.
            end_other_browsers_subscriptions(request, registered)
            return redirect("tournaments:join", tournament.address)
    # Offer the form again to register another person on the same phone.
    family = own_entry_ids(request, tournament)
    own = refresh_own_phone_entry_ids(request, tournament)[-1:] or family[:1]
    is_for_another = bool(own) and ("also" in request.GET or form.is_bound)
    if is_for_another:
        form.fields["name"].label = gettext("Other player’s name")
    place_count = tournament.entries.all().expected_or_present().count()
    registration = tournament.registration_state(timezone.now(), place_count)
    entry = None if is_for_another else tournament.entries.filter(pk__in=own).first()
    own_url_args: list[object] = [tournament.address]
    if entry is not None and len(family) > 1:
        own_url_args.append(entry.number)
    context = {
        "tournament": tournament,
        "form": form,
        "doubles": doubles,
        "registration": registration,
        "is_open": registration
        in (Tournament.RegistrationState.OPEN, Tournament.RegistrationState.FULL),
        "entry": entry,
        "waiting": waiting_list_sentence(entry),
        "team": entry and find_team(tournament, entry, tournament.entries.by_number()),
        "asks_if_here": entry is not None
        and not tournament.is_league
        and tournament.is_check_in_open(timezone.now())
        and entry.state in (Entry.State.EXPECTED, Entry.State.WAITING)
        and not entry.is_present_or_waits_here,
        "own_url": entry and reverse("tournaments:me", args=own_url_args),
        "is_for_another": is_for_another,
        "shown": latest_published_round(tournament),
        "about": unindexed_tournament_link_preview(tournament),
    }
    page = render(request, "tournaments/night/join.html", context)
    return mark_rate_limited(page, wait) if wait else page


@require_safe
@in_tournament(None)
def download_tournament_calendar(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    address = request.build_absolute_uri(tournament.get_absolute_url())
    return HttpResponse(
        tournament_icalendar(tournament, address, timezone.now()),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="tournament.ics"'},
    )


@require_safe
@in_tournament(None)
def join_qr_svg(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    url = request.build_absolute_uri(
        reverse("tournaments:join", args=[tournament.address])
    )
    answer = HttpResponse(content_type="image/svg+xml; charset=utf-8")
    # A response is a writable binary file, but segno's types do not accept it.
    segno.make(url, error="m").save(answer, kind="svg", scale=6, border=2)  # type: ignore[arg-type]
    return answer


def _get_published_table(
    tournament: Tournament, number: int, table_number: int
) -> Table:
    """Return a table of a published round. Raises Http404."""
    return get_object_or_404(
        Table.objects.with_places_and_entries().select_related("round"),
        round__tournament=tournament,
        round__number=number,
        round__state__in=PUBLISHED_STATES,
        number=table_number,
    )


@require_safe
@in_tournament(None)
def table_page(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    if secret := request.GET.get("secret", ""):
        # Remove the secret from the address bar, from which people share links.
        remember_secret(request, secret)
        return redirect("tournaments:table", tournament.address, number, table)
    shown_table = _get_published_table(tournament, number, table)
    context = _table_context(request, tournament, shown_table)
    page: TablePage = context["page"]
    if shown_table.match is not None and page.asks:
        # On a shared phone, each player has an own page to confirm on.
        entry_number = request.GET.get("for", "")
        for place in page.family:
            is_asked = (
                page.confirmations
                and page.confirmations.find_among_other_asked_seats(place.index)
            )
            if is_asked and str(place.entry.number) == entry_number:
                address = shown_table.match.address
                return redirect("scoring:match_confirm_seat", address, place.index)
    return render(request, "tournaments/night/table.html", context)


@require_safe
@in_tournament(None)
def poll_table(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    """Return the page of a table if it differs from the version `v`, else 204."""
    shown_table = _get_published_table(tournament, number, table)
    if request.GET.get("v") == _table_version(tournament, shown_table):
        return HttpResponse(status=204)
    context = _table_context(request, tournament, shown_table)
    return render(request, "tournaments/night/table.html#live", context)


def _table_context(
    request: HttpRequest, tournament: Tournament, table: Table
) -> dict[str, Any]:
    writes = may_write_at_table(table, tournament, request)
    choosing = (
        tournament.game_choice == Tournament.GameChoice.TABLE
        and table.round.state == Round.State.RUNNING
        and not (table.match and table.match.version)
    )
    role = tournament.club.get_role(request.user)
    own = own_places(table, tournament, request)
    is_at_table = is_trusted_at_table(table, tournament, request)
    claimed_seat = (
        find_taken_seat(request, table.match) if is_at_table and table.match else None
    )
    return {
        "tournament": tournament,
        "role": role,
        "scores": role is not None and role >= Role.SCORER,
        "table": table,
        "page": TablePage(
            table,
            tournament,
            own,
            claimed_seat=claimed_seat,
            is_at_table=is_at_table,
        ),
        "announcements": tournament.announcements.active(),
        "now": timezone.now(),
        "writes": writes,
        "follows_because": "" if writes else table_read_only_hint(tournament, request),
        "is_at_table": is_at_table,
        "claimable": claimable_places(table, tournament, request),
        "can_withdraw": can_withdraw_unanswered_dispute(request, table),
        "games": [table_game(game) for game in list_playable_games(table, tournament)]
        if choosing and writes
        else (),
        "over": FINISHED_MESSAGE
        if tournament.phase == Tournament.Phase.FINISHED
        else "",
        "key": uuid4(),
        "version": _table_version(tournament, table),
    }


def _table_version(tournament: Tournament, table: Table) -> str:
    """Return a version that changes whenever the page of a table does; at most three queries."""
    match, round_ = table.match, table.round
    seats = (
        [
            (seat.name, seat.confirmed_at, seat.confirmed_by, seat.holder)
            for seat in match.seats.all()
        ]
        if match
        else []
    )
    later = tournament.rounds.published().filter(number__gt=round_.number)
    steps = tournament.auto_steps.filter(state=AutoStep.State.ANNOUNCED)
    return page_version(
        tournament.club,
        (tournament.phase, tournament.quorum),
        (tournament.writing, tournament.autopilot),
        (table.void, table.disputed, table.called_at, table.coming_at),
        (table.extra_minutes, table.game),
        (round_.state, round_.ends_at, round_.paused_at, round_.last_hand_at),
        match and (match.version, match.has_counting_result, match.closed),
        seats,
        [
            (place.late, place.entry.player_id, place.entry.phones_released)
            for place in table.places.all()
        ],
        list(later.values_list("number", "state")),
        list(steps.order_by("pk").values_list("pk", "due_at")),
        list(tournament.announcements.active().values_list("pk", flat=True)),
    )


@post_only
@in_tournament(None)
def apply_player_table_action(
    request: HttpRequest, tournament: Tournament, number: int, table: int, verb: str
) -> HttpResponse:
    shown_table = _get_published_table(tournament, number, table)
    return _act_at_table(request, tournament, shown_table, verb)


class DisputeForm(forms.Form):
    reason = ShortTextField(
        label=_("In your own words (optional)"),
        max_length=LONGEST_DISPUTE_REASON,
        required=False,
    )


@in_tournament(None)
def dispute_result_page(
    request: HttpRequest, tournament: Tournament, number: int, table: int
) -> HttpResponse:
    """Ask what is wrong with a result, and dispute it, also without an answer."""
    shown_table = _get_published_table(tournament, number, table)
    form = DisputeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        reason = form.cleaned_data["reason"]
        return _act_at_table(request, tournament, shown_table, "dispute", reason)
    _check_may_write_at_table(request, tournament, shown_table)
    is_over = tournament.phase == Tournament.Phase.FINISHED
    has_result = shown_table.match and shown_table.match.has_counting_result
    if request.method != "POST" and (is_over or shown_table.disputed or not has_result):
        return redirect("tournaments:table", tournament.address, number, table)
    context = {
        "tournament": tournament,
        "table": shown_table,
        "form": form,
        "reasons": [(reason, gettext(reason)) for reason in DISPUTE_REASONS],
    }
    return render(request, "tournaments/night/dispute.html", context)


def _check_may_write_at_table(
    request: HttpRequest, tournament: Tournament, table: Table
) -> None:
    if not may_write_at_table(table, tournament, request):
        raise PermissionDenied(
            table_read_only_hint(tournament, request) or gettext(FOLLOWS)
        )


def _act_at_table(
    request: HttpRequest,
    tournament: Tournament,
    shown_table: Table,
    verb: str,
    dispute_reason: str = "",
) -> HttpResponse:
    number, table = shown_table.round.number, shown_table.number
    if verb == "mine":
        if claim_place(request, shown_table, tournament, request.POST.get("place", "")):
            return redirect("tournaments:me", tournament.address)
        message = gettext(
            "This player is already registered on another phone. Ask the director."
        )
        messages.error(request, message)
        return redirect("tournaments:table", tournament.address, number, table)
    _check_may_write_at_table(request, tournament, shown_table)
    now = timezone.now()
    if (
        verb != "withdraw"
        and verb in CALLS
        and (wait := count_action(request, LimitedAction.CALL))
    ):
        return rate_limit_page(
            request,
            wait,
            retry_url=reverse(
                "tournaments:table", args=[tournament.address, number, table]
            ),
        )
    if tournament.phase == Tournament.Phase.FINISHED:
        messages.error(request, FINISHED_MESSAGE)
    elif verb == "agree":
        _confirm_table_result(request, shown_table)
    elif verb in CALLS:
        _call_dispute_or_withdraw(request, shown_table, verb, now, dispute_reason)
    elif verb == "choose":
        game = request.POST.get("game", "")
        run_action(
            request,
            lambda: choose_game_and_start_match(
                table_id=shown_table.pk, game=game, now=now
            ),
        )
    else:
        raise Http404
    return redirect("tournaments:table", tournament.address, number, table)


def _confirm_table_result(request: HttpRequest, table: Table) -> None:
    chosen = request.POST.get("place", "")
    place = next(
        (candidate for candidate in table.places.all() if str(candidate.pk) == chosen),
        None,
    )
    if place is None:
        messages.error(request, gettext("Choose your name."))
    elif table.match:
        words = request.POST.get("words", "")
        details = {"seat": place.index, "words": words}
        append_and_announce_confirmation_or_withdrawal(
            request, table.match, LogEntry.Kind.CONFIRM, details
        )


def _call_dispute_or_withdraw(
    request: HttpRequest, table: Table, verb: str, now: datetime, reason: str
) -> None:
    if verb == "dispute":
        if not can_withdraw_unanswered_dispute(request, table):
            place = own_place(table, table.round.tournament, request)
            player_name = place.entry.name if place else ""
            results.dispute(
                table_id=table.pk, now=now, player_name=player_name, reason=reason
            )
            remember_or_forget_dispute(request, table, now)
    elif verb == "call":
        results.call_director(table_id=table.pk, now=now)
    elif "dispute" in request.POST or table.disputed:
        called_at = own_dispute_time(request, table)
        if called_at is None:
            message = gettext("The director has to settle this dispute.")
            messages.error(request, message)
        else:
            withdraw = partial(
                results.withdraw_unanswered_dispute,
                table_id=table.pk,
                called_at=called_at,
                now=now,
            )
            message = gettext("Dispute withdrawn. Confirm the result.")
            run_action(request, withdraw, success_message=message)
        remember_or_forget_dispute(request, table, None)
    else:
        with show_changed_or_unchanged_message(
            request, gettext("Call cancelled."), table
        ):
            results.withdraw_call(table_id=table.pk)


@require_safe
@in_club(None)
def scan_table_card(request: HttpRequest, club: Club, number: int) -> HttpResponse:
    """Redirect from a table's card to its current or next match."""
    secret = request.GET.get("secret", "")
    if secret and is_card_secret(club, number, secret):
        remember_secret(request, secret)
    elif secret:
        messages.error(request, gettext(OLD_CARD_MESSAGE))
    table = current_table(club, number)
    if table is None:
        message = gettext("No match at table %(number)s right now.")
        messages.info(request, message % {"number": number})
        return redirect(club)
    if table.match is not None and not table.match.finished:
        return redirect(table.match)
    return redirect(
        "tournaments:table",
        table.round.tournament.address,
        table.round.number,
        table.number,
    )


NOT_A_LEAGUE = gettext_noop("In this tournament, the director draws who plays whom.")


@in_tournament(None)
def begin_league_match_page(
    request: HttpRequest, tournament: Tournament
) -> HttpResponse:
    """Begin a match between members of a league, and redirect to its scorepad.

    A player's phone can only begin matches of that player.
    """
    if not may_begin_match(tournament, request):
        raise PermissionDenied(
            table_read_only_hint(tournament, request) or gettext(NOT_A_LEAGUE)
        )
    form = LeagueMatchForm(
        request.POST or None,
        tournament=tournament,
        player=first_own_entry_id(request, tournament),
    )
    wait, key, open_table = 0, None, None
    if request.method == "POST" and form.is_valid():
        game = form.cleaned_data["game"]
        # Bound to the choice: after *Back*, the same key may come with other players.
        visit = (tournament.pk, csrf_cookie_or_empty(request), game, *form.entry_ids)
        key = derive_key_for_owner(form.cleaned_data["key"], "browser", *visit)
        open_table = find_unfinished_league_table(tournament, form.entry_ids, game)
        wait = count_action(request, LimitedAction.START)
    if open_table and open_table.match and open_table.match.key == key:
        return redirect(open_table.match)
    if wait:
        form.add_error(None, rate_limit_message(wait))
    elif key and (open_table is None or "another" in request.POST):
        try:
            table = begin_league_match(
                tournament_id=tournament.pk,
                key=key,
                entry_ids=form.entry_ids,
                game=form.cleaned_data["game"],
                required_entry_id=entry_id_required_in_match(tournament, request),
                now=timezone.now(),
            )
        except RefusedError as refused:
            form.add_error(None, refused.message)
        else:
            assert table.match is not None
            return redirect(table.match)
    context = {"tournament": tournament, "form": form, "open_table": open_table}
    page = render(request, "tournaments/night/league_match.html", context)
    return mark_rate_limited(page, wait) if wait else page


class LeagueMatchForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput(attrs={"data-per-visit": ""}))
    """Made by the server; a phone with scripts replaces it for each visit."""
    game = forms.ChoiceField(label=_("Game"))

    def __init__(
        self, *args: Any, tournament: Tournament, player: int | None, **options: Any
    ) -> None:
        initial = {"key": uuid4(), "seat_1": player}
        super().__init__(*args, **{"initial": initial, **options})
        offered = list_choosable_league_games(tournament)
        game = self.fields["game"]
        assert isinstance(game, forms.ChoiceField)
        game.choices = [(name, table_game(name).name) for name in offered]
        members = tournament.entries.expected_or_present().by_number()
        self.most = max(GAMES[name].seats[-1] for name in offered)
        for seat in range(1, self.most + 1):
            self.fields[f"seat_{seat}"] = forms.ModelChoiceField(
                members,
                label=_("Seat %(number)s") % {"number": seat},
                required=False,
                empty_label=_("no one"),
            )

    @property
    def seat_fields(self) -> list[forms.BoundField]:
        return [self[f"seat_{seat}"] for seat in range(1, self.most + 1)]

    @property
    def entry_ids(self) -> list[int]:
        chosen: list[Entry | None] = [
            self.cleaned_data.get(f"seat_{seat}") for seat in range(1, self.most + 1)
        ]
        return [entry.pk for entry in chosen if entry is not None]
