"""A player's own page during and after the night, with check-in, delays and drop-outs."""

from collections.abc import Collection, Sequence
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import segno
from django.contrib import messages
from django.contrib.humanize.templatetags.humanize import ordinal
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST, require_safe

from scoring.rules import GAMES
from tournaments.changes import RefusedError
from tournaments.event.desk.overview import arrivals_in_words, first_names_and_count
from tournaments.event.entries import apply_own_report
from tournaments.event.next_seat import find_step_for_players
from tournaments.event.push import vapid_public_key
from tournaments.event.requested_byes import (
    coming_rounds,
    join_round_numbers,
    may_request_byes,
    request_or_cancel_bye,
    requested_bye_points_in_words,
    rounds_open_for_requests,
)
from tournaments.event.rights import (
    can_withdraw_unanswered_dispute,
    detach_phone,
    find_substituted_entry,
    may_begin_match,
    own_entry_ids,
    refresh_own_phone_entry_ids,
)
from tournaments.event.teams import Team, find_team
from tournaments.exact import format_exact_number
from tournaments.history.leaderboard import changeable_table_ids
from tournaments.history.seasons import ON_CERTIFICATES
from tournaments.models import (
    PUBLISHED_STATES,
    Club,
    Entry,
    Place,
    Placing,
    Season,
    Standings,
    Table,
    Tournament,
    tournament_page_state,
)
from tournaments.models.round_names import round_name
from tournaments.people.club_state import page_version
from tournaments.people.identities import direct_merge_targets, root_player
from tournaments.people.profiles import private_player_ids
from tournaments.ratings import PARTS, shown_rating
from tournaments.web.access import in_tournament
from tournaments.web.actions import (
    confirmation_page,
    read_posted_pk_or_zero,
    run_action,
)
from tournaments.web.desk.autopilot import countdown_label
from tournaments.web.night.status import (
    MyNight,
    PlayerPhase,
    build_shared_phone_players,
    waiting_list_sentence,
)
from tournaments.web.notifications.views import (
    end_browser_subscriptions_of_entry,
    find_entry_or_desk_subscription,
)
from tournaments.web.standings.lines import podium
from tournaments.web.standings.views import visible_standings


class NightFact(NamedTuple):
    label: str
    text: str


def finished_night_summary(
    tournament: Tournament, entry: Entry, standings: Standings | None, now: datetime
) -> dict[str, object] | None:
    """Return the summary of a finished tournament for a player; None before its end.

    It has the podium, the player's facts, rating before and after and certificate of the season,
    and the club's next night.
    """
    if tournament.phase != Tournament.Phase.FINISHED:
        return None
    club = tournament.club
    person = root_player(entry.player_id, direct_merge_targets(club))
    placings = Placing.objects.filter(tournament=tournament, player=person)
    placings = placings.select_related("table__round", "table__match")
    tables = list(placings.order_by("order"))
    season = _season_with_certificate(tournament, person)
    rating = None
    if tables:
        before, after = shown_rating(tables[0].mu_before), shown_rating(tables[-1].mu)
        rating = {"before": before, "after": after}
    lines = standings.rows_with_names() if standings else []
    return {
        "podium": podium(
            (row.rank, row.names, format_exact_number(row.points)) for row in lines
        ),
        "facts": best_table_and_wins_facts(tables, changeable_table_ids(club)),
        "rating": rating,
        "certificate": season
        and reverse("tournaments:certificates", args=[club.slug, season.slug]),
        "next_night": _next_listed_night(club, now),
    }


def _season_with_certificate(tournament: Tournament, person: int) -> Season | None:
    """Return the closed season of the tournament if the player gets a certificate in it."""
    closed = tournament.club.seasons.covering(tournament.day).exclude(closed_at=None)
    return closed.filter(
        final_rows__player=person, final_rows__rank__lte=ON_CERTIFICATES
    ).first()


def _next_listed_night(club: Club, now: datetime) -> Tournament | None:
    upcoming = club.tournaments.filter(
        phase=Tournament.Phase.OPEN,
        listing=Tournament.Listing.LISTED,
        starts_at__gt=now,
    )
    return upcoming.order_by("starts_at", "pk").first()


def best_table_and_wins_facts(
    tables: Sequence[Placing], open_tables: Collection[int]
) -> list[NightFact]:
    """Return the best table and the number of tables won; empty without tables.

    A table in `open_tables` is not won yet; a shared first place is a share of a win.
    """
    if not tables:
        return []

    def order(placing: Placing) -> tuple[int, int, int]:
        match = placing.table.match
        rules = match.rules if match else GAMES[placing.game]
        return placing.rank, -placing.size, -rules.comparable_points(placing.score)

    best = min(tables, key=order)
    text = (
        _("%(round)s, %(place)s of %(n)s with %(score)s, not confirmed yet")
        if best.table_id in open_tables
        else _("%(round)s, %(place)s of %(n)s with %(score)s")
    )
    values = {
        "round": round_name(best.table.round),
        "place": ordinal(best.rank),
        "n": best.size,
        "score": best.score,
    }
    won = sum(table.wins for table in tables if table.table_id not in open_tables)
    return [
        NightFact(_("Best table"), text % values),
        NightFact(
            _("Tables won"),
            _("%(won)s of %(n)s")
            % {"won": format_exact_number(Fraction(won, PARTS)), "n": len(tables)},
        ),
    ]


LATE = gettext_lazy("Your table knows you’re running late. You’ll keep your seat.")
STATE_MESSAGES = {
    Entry.State.PRESENT: gettext_lazy("You’re checked in."),
    Entry.State.NO_SHOW: gettext_lazy("Thanks for letting us know."),
    Entry.State.DROPPED: gettext_lazy("Goodbye! The director has been told."),
    Entry.State.EXPECTED: gettext_lazy("You’re registered again."),
}
"""Messages to a player, by the new state of the entry."""


def read_own_entries(request: HttpRequest, tournament: Tournament) -> list[Entry]:
    """Return the entries of this phone and its account, in the order of registration."""
    own = own_entry_ids(request, tournament)
    return list(tournament.entries.filter(pk__in=own).by_number()) if own else []


def find_own_entry(family: Sequence[Entry], number: int | None) -> Entry | None:
    """Return the entry with this number, the first one without a number; None if there is none."""
    return next(
        (entry for entry in family if not number or entry.number == number), None
    )


def _my_night_version(
    tournament: Tournament, entry: Entry, family: Sequence[Entry]
) -> str:
    """Return a version that changes with the page of any entry of a phone: the switch shows all."""
    now = timezone.now()
    tables = list(
        Table.objects.filter(
            round__tournament=tournament,
            round__state__in=PUBLISHED_STATES,
            places__entry__in=family,
        )
        .select_related("round", "match")
        .order_by("round__number", "number")
        .distinct()
    )
    late = Place.objects.filter(table__in=tables, late=True).order_by("pk")
    step = find_step_for_players(tournament)
    end_state: list[object] = []
    if tournament.phase == Tournament.Phase.FINISHED:
        night = _next_listed_night(tournament.club, now)
        end_state = [night and (night.pk, night.name, night.starts_at)]
        kept_ids = direct_merge_targets(tournament.club)
        end_state += [
            _season_with_certificate(
                tournament, root_player(member.player_id, kept_ids)
            )
            for member in family
        ]
    return page_version(
        tournament.club,
        entry.pk,
        [(member.pk, member.state, member.bye_rounds) for member in family],
        may_request_byes(entry) and rounds_open_for_requests(entry),
        end_state,
        tournament_page_state(tournament.address),
        [
            (
                table.match
                and (table.match.pk, table.match.version, table.match.finished),
                (table.disputed, table.called_at, table.coming_at, table.ends_at),
                table.round.last_hand_at,
                # Changes by the clock alone, like the opening of check-in.
                bool(
                    table.round.last_hand_at and table.ends_at and table.ends_at < now
                ),
            )
            for table in tables
        ],
        list(late.values_list("pk", flat=True)),
        tournament.entries.all().expected_or_present().count(),
        step and (step.pk, step.due_at),
        tournament.is_check_in_open(now),
    )


def _my_night_context(
    request: HttpRequest,
    tournament: Tournament,
    entry: Entry,
    family: Sequence[Entry],
) -> dict[str, Any]:
    # Computed before its data is read, so that the next poll notices a change in between.
    version = _my_night_version(tournament, entry, family)
    role = tournament.club.get_role(request.user)
    step = find_step_for_players(tournament)
    standings = visible_standings(tournament, role)
    place_count = tournament.entries.all().expected_or_present().count()
    registration = tournament.registration_state(timezone.now(), place_count)
    night = MyNight(tournament, entry, standings, timezone.now())
    url_args = [tournament.address, *([entry.number] if len(family) > 1 else [])]
    lines = (
        build_shared_phone_players(tournament, family, standings)
        if len(family) > 1
        else ()
    )
    arrivals: dict[str, str | Team | None] = {}
    if night.phase == PlayerPhase.COMING:
        entries = list(tournament.entries.all())
        if tournament.is_check_in_open(timezone.now()) or any(
            registered.state == Entry.State.PRESENT for registered in entries
        ):
            missing_names = first_names_and_count(
                registered
                for registered in entries
                if registered.state == Entry.State.EXPECTED and registered != entry
            )
            arrivals_text = arrivals_in_words(tournament, entries)
            arrivals = {"arrivals": arrivals_text, "missing": missing_names}
        else:
            # Before the first check-in, only the number of players.
            count = sum(registered.is_expected_or_present for registered in entries)
            text = ngettext("%(n)s player", "%(n)s players", count)
            arrivals = {"arrivals": text % {"n": count}}
        arrivals["team"] = find_team(tournament, entry, entries)
    return {
        "tournament": tournament,
        "night": night,
        "family": lines,
        # A shared phone also sounds for its other players.
        "change_key": "".join((night.alert_key, *(line.alert_key for line in lines))),
        "takes_more": registration
        in (Tournament.RegistrationState.OPEN, Tournament.RegistrationState.FULL),
        "on_phone": entry.pk in refresh_own_phone_entry_ids(request, tournament),
        "after": finished_night_summary(tournament, entry, standings, timezone.now()),
        "own_address": reverse("tournaments:me", args=url_args),
        "push_key": vapid_public_key(),
        "subscription": find_entry_or_desk_subscription(
            request, tournament, entry=entry
        ),
        **arrivals,
        "coming_step": step,
        "countdown_label": countdown_label(step),
        "announcements": tournament.announcements.active(),
        "can_withdraw": night.table is not None
        and can_withdraw_unanswered_dispute(request, night.table),
        "begins": night.phase == PlayerPhase.LEAGUE
        and may_begin_match(tournament, request),
        "may_leave": night.phase
        not in (PlayerPhase.PLAYED, PlayerPhase.OVER, PlayerPhase.LEAGUE)
        and tournament.rounds.published().exists()
        and entry.state == Entry.State.PRESENT,
        "coming_byes": _coming_byes(entry),
        "sits_out": join_round_numbers(
            [
                number
                for number in coming_rounds(tournament)
                if number in entry.bye_rounds
            ]
        ),
        "checks_in": tournament.is_check_in_open(timezone.now()),
        "check_in_code": lambda: _check_in_code(request, tournament, entry),
        "version": version,
        "now": timezone.now(),
        "hidden": private_player_ids(tournament.club),
    }


class ComingBye(NamedTuple):
    """A coming round, and whether the player sits it out on request."""

    number: int
    is_requested: bool


def _coming_byes(entry: Entry) -> list[ComingBye]:
    """Return the rounds that a player can ask to sit out, or to play after all."""
    if not may_request_byes(entry):
        return []
    return [
        ComingBye(number, number in entry.bye_rounds)
        for number in rounds_open_for_requests(entry)
    ]


def _check_in_code(request: HttpRequest, tournament: Tournament, entry: Entry) -> str:
    """Return a QR code of the entry's own page as a data URI, for the camera at the desk."""
    path = reverse("tournaments:me", args=[tournament.address, entry.number])
    code = segno.make(request.build_absolute_uri(path), error="m")
    return code.svg_data_uri(scale=6, border=4, light="white")


@require_safe
@in_tournament(None)
def my_night_page(
    request: HttpRequest, tournament: Tournament, number: int | None = None
) -> HttpResponse:
    family = read_own_entries(request, tournament)
    entry = find_own_entry(family, number)
    if number and (entry is None or len(family) == 1):
        # An old link of a notification; the phone's only player has the page without a number.
        return redirect("tournaments:me", tournament.address)
    if entry is None and (former_entry := find_substituted_entry(request, tournament)):
        response = render(
            request,
            "tournaments/night/replaced_player.html",
            {"tournament": tournament, "other": former_entry},
        )
        response["Cache-Control"] = "no-store"
        return response
    if entry is None:
        return redirect("tournaments:join", tournament.address)
    context = _my_night_context(request, tournament, entry, family)
    night: MyNight = context["night"]
    page = render(request, "tournaments/night/me.html", context)
    if night.phase == PlayerPhase.LEFT:
        # Phones store the page for offline use, but only while the player takes part.
        page["Cache-Control"] = "no-store"
    return page


@require_safe
@in_tournament(None)
def poll_my_night(
    request: HttpRequest, tournament: Tournament, number: int | None = None
) -> HttpResponse:
    """Return a player's page if it differs from the version `v`, else 204."""
    family = read_own_entries(request, tournament)
    entry = find_own_entry(family, number)
    if entry is None:
        # The entry has a substitute or is gone: load the page that explains it.
        return HttpResponse(headers={"HX-Refresh": "true"})
    if request.GET.get("v") == _my_night_version(tournament, entry, family):
        return HttpResponse(status=204)
    context = {**_my_night_context(request, tournament, entry, family), "is_live": True}
    return render(request, "tournaments/night/me.html#live", context)


@require_POST
@in_tournament(None)
def apply_my_night_action(
    request: HttpRequest, tournament: Tournament, verb: str, number: int | None = None
) -> HttpResponse:
    """Set a player's own state: here, late, leaving, not coming, or coming after all.

    The verbs `sit-out` and `play` are about the posted round, and `forget` removes the player
    from this phone.
    """
    entry = find_own_entry(read_own_entries(request, tournament), number)
    if entry is None:
        # The page explains a substitution, or offers to register.
        messages.info(
            request, _("Nothing changed. You aren’t registered on this phone.")
        )
        return redirect("tournaments:me", tournament.address)
    if verb == "forget":
        is_here = entry.pk in refresh_own_phone_entry_ids(request, tournament)
        detach_phone(request, entry)
        end_browser_subscriptions_of_entry(request, entry)
        if is_here:
            message = _("%(name)s was removed from this phone.")
            messages.success(request, message % {"name": entry.name})
        else:
            messages.info(
                request,
                _("%(name)s is linked to your account, not this phone.")
                % {"name": entry.name},
            )
        # Without a remaining player, this page redirects to the registration.
        return redirect("tournaments:me", tournament.address)
    if verb in ("sit-out", "play"):
        return _request_or_cancel_bye(request, tournament, entry, verb, number)
    stored_state = Entry.objects.filter(pk=entry.pk).values_list(
        "state", "places__late"
    )
    state_before = list(stored_state)
    try:
        entry = apply_own_report(entry_id=entry.pk, verb=verb, now=timezone.now())
    except RefusedError as refused:
        messages.error(request, refused.message)
    else:
        # Repeating a state is no error, but no success either.
        show = (
            messages.info
            if list(stored_state.all()) == state_before
            else messages.success
        )
        if verb == "late":
            message = str(LATE)
        elif verb == "here" and entry.waits_here:
            message = (
                f"{STATE_MESSAGES[Entry.State.PRESENT]} {waiting_list_sentence(entry)}"
            )
        else:
            message = waiting_list_sentence(entry) or str(
                STATE_MESSAGES[Entry.State(entry.state)]
            )
        show(request, message)
    url_args = [number] if number else []
    return redirect("tournaments:me", tournament.address, *url_args)


def _request_or_cancel_bye(
    request: HttpRequest,
    tournament: Tournament,
    entry: Entry,
    verb: str,
    entry_number: int | None,
) -> HttpResponse:
    """Let a player sit out the posted round once that is confirmed, or play it after all."""
    round_number = read_posted_pk_or_zero(request, "round")
    is_requested = verb == "sit-out"
    own_url = reverse(
        "tournaments:me",
        args=[tournament.address, *([entry_number] if entry_number else [])],
    )
    values = {"number": round_number}
    is_open = round_number in rounds_open_for_requests(entry)
    is_new = is_open and round_number not in entry.bye_rounds
    if is_requested and is_new and "sure" not in request.POST:
        details = [
            _("You’ll get no seat. You can change your mind until the draw."),
            requested_bye_points_in_words(tournament),
        ]
        return confirmation_page(
            request,
            _("Sit out round %(number)s?") % values,
            details,
            title=tournament.name,
            back_url=own_url,
            back_label=_("My night"),
            confirm_label=_("Sit out round %(number)s") % values,
        )
    text = _("You’re playing round %(number)s.")
    if is_requested:
        text = _("You’re sitting out round %(number)s. The director can see it.")
    run_action(
        request,
        partial(
            request_or_cancel_bye,
            entry_id=entry.pk,
            number=round_number,
            is_requested=is_requested,
            now=timezone.now(),
        ),
        success_message=text % values,
        changes=lambda: list(
            Entry.objects.filter(pk=entry.pk).values_list("bye_rounds", flat=True)
        ),
    )
    return redirect(own_url)
