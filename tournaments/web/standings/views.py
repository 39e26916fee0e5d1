"""The page of a tournament's standings, which many devices poll all evening.

Its main part is rendered once for each state of the tournament. A query returns the state; a
lost cache entry only costs the rendering.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar, cast

from django.core.cache import caches
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from scoring.games.registry import table_game
from scoring.pages.charts import Chart
from scoring.pages.sheet import LinkPreview
from scoring.rules import GAMES, start
from scoring.web.views.pictures import chart_download
from scoring.web.views.requests import activate_locale_unless_chosen
from tournaments.event.rights import first_own_entry_id, may_begin_match
from tournaments.exact import format_exact_number
from tournaments.models import (
    Announcement,
    Entry,
    Role,
    Round,
    Standings,
    Tournament,
    tournament_page_state,
)
from tournaments.names import localized_sort_key
from tournaments.people.profiles import private_player_ids
from tournaments.web.access import (
    for_everybody,
    in_tournament,
    raise_404_if_hidden_draft,
)
from tournaments.web.charts import race_chart
from tournaments.web.night.pages import (
    NightHeadline,
    latest_published_round,
    night_headline,
    own_table,
    peg_hole_rows,
    tournament_page_links,
)
from tournaments.web.sharing.night_reports import night_reports_by_tournament
from tournaments.web.sharing.pictures import tournament_link_preview
from tournaments.web.standings.lines import (
    PodiumStep,
    build_standings_table,
    build_team_table,
    podium,
    standings_status_line,
)
from tournaments.web.standings.prospects import own_prospect

Value = TypeVar("Value")
DAY = 24 * 60 * 60
VERSION_LENGTH = 16
MOST_NAMES = 8
"""Registered players named at first; the others are folded."""


def _localized_cache_key(*parts: object) -> str:
    """Return a cache key for these parts and the visitor's language and time zone."""
    locale_settings = (get_language(), timezone.get_current_timezone_name())
    return sha256(repr((*parts, *locale_settings)).encode()).hexdigest()


def render_standings_rows(tournament: Tournament, standings: Standings | None) -> str:
    """Return the rendered lines of standings; empty without standings.

    Stored standings never change, so they are rendered once for all visitors. That is why
    hidden pages of players are not linked, even for visitors with access.
    """
    if standings is None:
        return ""
    key = _localized_cache_key(
        "standings table", *standings.display_state(tournament), tournament.final_size
    )
    html: str | None = caches["drawn"].get(key)
    if html is None:
        hidden = private_player_ids(tournament.club)
        table = build_standings_table(tournament, standings)
        context = {"table": table, "tournament": tournament, "hidden": hidden}
        html = render_to_string("tournaments/standings/_standings_rows.html", context)
        if table.lines:
            caches["drawn"].set(key, html, DAY)
    return html


def _get_or_set_cached(key: str, make: Callable[[], Value]) -> Value:
    return cast("Value", caches["drawn"].get_or_set(key, make, DAY))


def visible_standings(tournament: Tournament, role: Role | None) -> Standings | None:
    """Return the latest standings that a role may see; members of the club see all."""
    return tournament.standings.all().find_visible(role, tournament)


def cached_finished_race_chart(
    tournament: Tournament, standings: Standings | None
) -> Chart | None:
    if standings is None or tournament.phase != Tournament.Phase.FINISHED:
        return None
    key = _localized_cache_key("race", *standings.display_state(tournament))
    return _get_or_set_cached(
        key,
        lambda: race_chart(
            tournament,
            {str(row.entry_id): row.names for row in standings.rows_with_names()},
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedTournamentPage:
    """A tournament's page for a role, without the parts that depend on visitor and time."""

    tournament: Tournament
    current: Round | None
    """The latest published round."""
    is_invitation: bool
    headline: NightHeadline
    podium: Sequence[PodiumStep]
    standings: Standings | None
    announcements: Sequence[Announcement]
    registration: str
    metadata: LinkPreview
    report: str
    """The night as text to post; empty until its results are final."""
    main: str

    @property
    def is_open_league(self) -> bool:
        """Whether members can begin matches: a league that has not ended."""
        if not self.tournament.is_league or self.current is None:
            return self.tournament.is_league
        return self.current.state != Round.State.CLOSED and not self.current.stage


def _build_cached_page(
    tournament: Tournament, role: Role | None
) -> CachedTournamentPage:
    standings = visible_standings(tournament, role)
    place_count = tournament.entries.all().expected_or_present().count()
    registration = tournament.registration_state(timezone.now(), place_count)
    current = latest_published_round(tournament)
    rows = standings.rows_with_names() if standings else []
    # Before the first published round, the page lists the registered players.
    invitation = None
    is_coming = tournament.phase == Tournament.Phase.OPEN and not tournament.is_league
    if is_coming and current is None:
        entries = tournament.entries.all()
        names = entries.expected_or_present().values_list("name", flat=True)
        players = sorted(names, key=localized_sort_key)
        one_game = tournament.game_choice == Tournament.GameChoice.TOURNAMENT
        invitation = {
            "names": players,
            "first": players[:MOST_NAMES],
            "more": len(players) - MOST_NAMES,
            "free_places": max(0, tournament.capacity - len(players))
            if tournament.capacity
            else None,
            "holes": peg_hole_rows(len(players), tournament.capacity),
            "waiting": entries.filter(state=Entry.State.WAITING).count(),
            "games": [tournament.game] if one_game else tournament.games or list(GAMES),
            "house_rules": table_game(tournament.game).house_rule_sentences(
                start(tournament.game, tournament.table_size, tournament.options)
            )
            if one_game
            else [],
        }
    context = {
        "standings": standings,
        "lines": render_standings_rows(tournament, standings),
        "team_table": build_team_table(tournament, rows),
        "as_of": standings_status_line(tournament, standings, current)
        if standings
        else "",
        "tournament": tournament,
        "invitation": invitation,
        "registration": registration,
        "segments": tournament_page_links(tournament, "standings", current),
        "chart": cached_finished_race_chart(tournament, standings),
    }
    return CachedTournamentPage(
        tournament=tournament,
        current=current,
        is_invitation=invitation is not None,
        headline=night_headline(tournament, current, rows),
        podium=podium(
            (row.rank, row.names, format_exact_number(row.points)) for row in rows
        )
        if tournament.phase == Tournament.Phase.FINISHED
        else [],
        standings=standings,
        announcements=list(tournament.announcements.active()),
        registration=registration,
        metadata=tournament_link_preview(tournament),
        report=night_reports_by_tournament(tournament.club, [tournament]).get(
            tournament.pk, ""
        )
        if standings
        else "",
        main=render_to_string("tournaments/standings/_tournament.html", context),
    )


def _tournament_response(
    request: HttpRequest,
    address: str,
    template: str,
    *,
    known_version: str | None = None,
) -> HttpResponse:
    """Return the page of a tournament for the visitor; 204 if its version is `known_version`."""
    state = tournament_page_state(address)
    if state is None:
        raise Http404

    def read_tournament() -> Tournament:
        stored = Tournament.objects.select_related("club").get(address=address)
        if stored.is_running_league:
            # The state of registration, needed at each visit, depends on the rounds.
            prefetch_related_objects([stored], "rounds")
        return stored

    tournament = _get_or_set_cached(
        _localized_cache_key("tournament", *state), read_tournament
    )
    activate_locale_unless_chosen(request, tournament.club)
    role = tournament.club.get_role(request.user)
    raise_404_if_hidden_draft(tournament, role)
    # Registration also opens and closes by the clock, without any other change.
    by_the_clock = tournament.registration_state(timezone.now(), taken_place_count=0)
    key = _localized_cache_key("page", role, by_the_clock, *state)
    page = _get_or_set_cached(key, lambda: _build_cached_page(tournament, role))
    entry = first_own_entry_id(request, tournament)
    version = _localized_cache_key(key, entry)[:VERSION_LENGTH]
    if known_version == version:
        return HttpResponse(status=204)
    main = page.main
    if entry is not None:
        badge = format_html('<span class="badge you">{}</span>', _("you"))
        mark = f'<i data-entry-id="{entry}"></i>'
        main = mark_safe(main.replace(mark, badge))  # noqa: S308
    context = {
        "tournament": page.tournament,
        "page": page,
        "about": page.metadata,
        "role": role,
        "me": entry is not None,
        "entry": entry,
        "own": own_table(page.tournament, entry),
        "begins": page.is_open_league and may_begin_match(tournament, request),
        "prospect": own_prospect(page.tournament, page.standings, entry),
        "main": main,
        "version": version,
        "now": timezone.now(),
    }
    return render(request, template, context)


@require_safe
@for_everybody
def tournament_page(request: HttpRequest, address: str) -> HttpResponse:
    """Show the standings of a tournament, and the visitor's own table."""
    return _tournament_response(
        request, address, "tournaments/standings/tournament.html"
    )


@require_safe
@in_tournament(None)
def download_race_chart(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    role = tournament.club.get_role(request.user)
    return chart_download(
        cached_finished_race_chart(tournament, visible_standings(tournament, role))
    )


@require_safe
@for_everybody
def poll_tournament(request: HttpRequest, address: str) -> HttpResponse:
    """Return the page if it differs from the version `v`, else 204."""
    part = "tournaments/standings/tournament.html#live"
    return _tournament_response(
        request, address, part, known_version=request.GET.get("v")
    )
