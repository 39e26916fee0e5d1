"""Tournaments: what is set up and decided, how it stands, and what a director does to the whole."""

from collections.abc import Collection
from datetime import datetime
from http import HTTPStatus
from secrets import SystemRandom
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, SCORE, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import ProblemError, not_there
from scoring.api.schemas import Address, Given, Name, Reason, Reference
from tournaments.api.access import by_whom, check_token, club_at, require, tournament_at
from tournaments.api.doubtful_names import AnswersGiven, resolve_names
from tournaments.api.entries import EntryOut
from tournaments.api.filled import check_form
from tournaments.api.kept import kept_answer
from tournaments.api.settings import (
    SETTINGS,
    SettingsChanged,
    SettingsGiven,
    SettingsOut,
    settings_form,
)
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.desk import announcements
from tournaments.event.entries import register
from tournaments.event.outlook import IN_A_REQUEST, store_outlook
from tournaments.event.setup import lifecycle
from tournaments.event.setup.settings import change_settings, show
from tournaments.models import Role, Standings, Tournament
from tournaments.people.profiles import hidden_from

router = Router(tags=["Tournaments"])


class TournamentLine(Schema):
    """A tournament in a list."""

    address: str
    name: str
    starts_at: datetime
    phase: str = Field(description="`open`, `running` or `finished`.")
    listing: str
    format: str
    game: str


class TournamentPage(Page[TournamentLine]):
    """Tournaments, the latest first."""


class TournamentOut(TournamentLine):
    """A tournament: what was decided, and how far it is."""

    club: str = Field(description="The address of its club.")
    version: int = Field(description="Counts what can change its standings.")
    finished_at: datetime | None
    registration: str = Field(description="`early`, `open`, `full` or `closed`.")
    coming: int = Field(description="How many take a place.")
    settings: SettingsOut
    warnings: list[str] = Field(
        [], description="What is allowed and rarely meant, after settings were taken."
    )


class TournamentsAsked(PageAsked):
    """Which of a club's tournaments."""

    phase: Literal["open", "running", "finished"] | None = None
    listing: Literal["draft", "listed", "unlisted", "archived"] | None = Field(
        None, description="Archived ones are there for who asks for them."
    )
    game: Annotated[str, Field(max_length=20)] | None = None
    format: Annotated[str, Field(max_length=15)] | None = None


class StandingsLine(Schema):
    """A line of the standings."""

    rank: int
    stage: int
    entry: int = Field(description="The number of the entry.")
    player: int | None = Field(
        description="Whose page it is; null where that is not for who asks."
    )
    names: str = Field(description="Who played, substitutes with their rounds.")
    points: str = Field(description="Exactly: a whole number or a fraction.")
    tables: int
    tie_breaks: dict[str, str | None]
    penalties: list[str]
    reason: str = Field(description="Why above the next.")
    unconfirmed: int


class StandingsOut(Schema):
    """Standings as they were computed."""

    version: int
    computed_at: datetime | None = Field(description="Null before there are any.")
    frozen_as: str
    lines: list[StandingsLine]


class RegistrationGiven(Given):
    """Whether people enter by themselves."""

    is_open: bool = Field(strict=True)


class NameGiven(AnswersGiven):
    """Who enters."""

    name: Name


class CutGiven(Given):
    """How many play the final."""

    size: Annotated[int, Field(strict=True, ge=2, le=500)]


class ScreenGiven(Given):
    """What the projector and the public see."""

    screen: Literal["turns", "seats", "standings", "clock", "join"]
    standings_shown: Literal["live", "closed", "finished"]


class AnnouncementGiven(Given):
    """What everybody is told."""

    text: Reason


class AnnouncementOut(Schema):
    """What everybody is told."""

    id: int
    text: str
    made_at: datetime
    withdrawn_at: datetime | None


class LotsOut(Schema):
    """What came of drawing lots."""

    drawn: int = Field(description="How many drew one.")


def as_told(tournament: Tournament, warnings: list[str] | None = None) -> Any:
    """Return a tournament as it is answered; one query."""
    coming = tournament.entries.all().coming().count()
    lines = {name: getattr(tournament, name) for name in TournamentLine.model_fields}
    return {
        **lines,
        "club": tournament.club.slug,
        "version": tournament.version,
        "finished_at": tournament.finished_at,
        "registration": tournament.registration(timezone.now(), coming).value,
        "coming": coming,
        "settings": {
            name: getattr(tournament, name) for name in SettingsOut.model_fields
        },
        "warnings": warnings or [],
    }


@reads(router, "/clubs/{slug}/tournaments", TournamentPage)
def tournaments(
    request: HttpRequest, slug: Address, asked: Query[TournamentsAsked]
) -> Any:
    """Tournaments of a club, the latest first.

    Strangers see those that everybody finds; the club's people also drafts and unlisted ones.
    """
    club = club_at(slug)
    role = club.role_of(request.user)
    listed = club.tournaments.all().seen_by(role)
    if asked.listing == "archived":
        listed = club.tournaments.filter(listing=asked.listing)
    elif asked.listing:
        listed = listed.filter(listing=asked.listing)
    for name in ("phase", "game", "format"):
        if value := getattr(asked, name):
            listed = listed.filter(**{name: value})
    page, following = page_of_rows(request, listed, asked, "-starts_at", "-pk")
    return {"items": page, "next": following}


@writes(
    router,
    "/clubs/{slug}/tournaments",
    TournamentOut,
    needs=DIRECT,
    status=201,
    check=require(Role.DIRECTOR),
)
def tournament_new(request: HttpRequest, slug: Address, given: SettingsGiven) -> Any:
    """Set a tournament up."""
    club = club_at(slug)
    lifecycle.check_club(club)
    form = settings_form(given)
    form.instance.club = club
    check_form(form)
    return Status(HTTPStatus.CREATED, as_told(form.save(), form.warnings))


@reads(router, "/tournaments/{address}", TournamentOut)
def tournament(request: HttpRequest, address: Address) -> Any:
    """A tournament.

    Whoever knows its address sees it; a draft is there for the club's people alone.
    """
    return as_told(tournament_at(request, address).tournament)


@writes(
    router,
    "/tournaments/{address}",
    TournamentOut,
    needs=DIRECT,
    method="PATCH",
    problems=frozenset({409}),
    check=require(Role.DIRECTOR),
)
def tournament_change(
    request: HttpRequest, address: Address, given: SettingsChanged
) -> Any:
    """Decide otherwise about a tournament; what is left out stays."""
    tournament = tournament_at(request, address).tournament
    if given.version is not None and given.version != tournament.version:
        raise ProblemError(
            "stale",
            gettext("The tournament is at version %(version)s; read it again.")
            % {"version": tournament.version},
        )
    form = settings_form(given, tournament)
    check_form(form)
    changed = change_settings(tournament=form.save(commit=False), fields=SETTINGS)
    changed.refresh_from_db(fields=["version"])
    return as_told(changed, form.warnings)


@writes(
    router,
    "/tournaments/{address}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.DIRECTOR),
)
def tournament_delete(request: HttpRequest, address: Address) -> Any:
    """Delete a tournament of which nothing was played."""
    tournament = tournament_at(request, address).tournament
    lifecycle.delete_tournament(tournament_id=tournament.pk)
    return Status(HTTPStatus.NO_CONTENT, None)


def _standings_told(shown: Standings, hidden: Collection[int]) -> dict[str, Any]:
    """Return standings as they are answered to who may not see the pages of some players."""
    return {
        "version": shown.version,
        "computed_at": shown.computed_at,
        "frozen_as": shown.frozen_as,
        "lines": [
            {
                "rank": row.rank,
                "stage": row.stage,
                "entry": row.entry.number,
                "player": None
                if row.entry.player_id in hidden
                else row.entry.player_id,
                "names": row.names,
                "points": row.points,
                "tables": row.tables,
                "tie_breaks": row.values,
                "penalties": [
                    penalty.points
                    # Which `lines` has fetched along.
                    for penalty in row.entry.counted_penalties  # type: ignore[attr-defined]
                ],
                "reason": row.why,
                "unconfirmed": row.unconfirmed,
            }
            for row in shown.lines()
        ],
    }


@reads(router, "/tournaments/{address}/standings", StandingsOut)
def standings(request: HttpRequest, address: Address) -> Any:
    """The standings that who asks may see now."""
    tournament, role = tournament_at(request, address)
    shown = tournament.standings.all().seen_by(role, tournament)
    if shown is None:
        return {"version": 0, "computed_at": None, "frozen_as": "", "lines": []}
    hidden = hidden_from(tournament.club, request.user)
    return kept_answer(
        StandingsOut,
        (*shown.state(tournament), *sorted(hidden)),
        lambda: _standings_told(shown, hidden),
    )


@writes(
    router,
    "/tournaments/{address}/registration",
    TournamentOut,
    needs=DIRECT,
    method="PUT",
    check=require(Role.SCORER),
)
def registration(
    request: HttpRequest, address: Address, given: RegistrationGiven
) -> Any:
    """Let people enter by themselves from now on, or no more."""
    tournament = tournament_at(request, address).tournament
    if given.is_open:
        lifecycle.open_registration(tournament_id=tournament.pk)
    else:
        lifecycle.close_registration(tournament_id=tournament.pk, now=timezone.now())
    return _now(tournament)


@writes(
    router,
    "/tournaments/{address}/registrations",
    EntryOut,
    needs=SCORE,
    status=201,
    problems=frozenset({409}),
    check=check_token,
)
def register_self(request: HttpRequest, address: Address, given: NameGiven) -> Any:
    """Enter somebody as they enter by themselves: while registration is open.

    They wait where all places are taken.
    """
    tournament = tournament_at(request, address).tournament
    (name,) = resolve_names(tournament.club, [given.name], given, field="name")
    entry = register(tournament_id=tournament.pk, name=name, now=timezone.now())
    return Status(HTTPStatus.CREATED, entry)


@writes(
    router,
    "/tournaments/{address}/finish",
    TournamentOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def finish(request: HttpRequest, address: Address) -> Any:
    """Finish a tournament: its standings stay as they are now.

    Refused while a round runs; the draw of rounds that were not started is taken back.
    """
    tournament = tournament_at(request, address).tournament
    rounds.finish(tournament_id=tournament.pk, now=timezone.now())
    return _now(tournament)


@writes(
    router,
    "/tournaments/{address}/reopen",
    TournamentOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def reopen(request: HttpRequest, address: Address) -> Any:
    """Let a finished tournament go on; what was frozen stays."""
    tournament = tournament_at(request, address).tournament
    rounds.reopen(tournament_id=tournament.pk)
    return _now(tournament)


@writes(
    router,
    "/tournaments/{address}/final",
    TournamentOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def cut(request: HttpRequest, address: Address, given: CutGiven) -> Any:
    """Draw the final of the best."""
    tournament = tournament_at(request, address).tournament
    drawing.cut(tournament_id=tournament.pk, size=given.size, now=timezone.now())
    return _now(tournament)


@writes(
    router,
    "/tournaments/{address}/lots",
    LotsOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def lots(request: HttpRequest, address: Address) -> Any:
    """Draw lots for who has none."""
    tournament = tournament_at(request, address).tournament
    drawn = results.draw_lots(
        tournament_id=tournament.pk, shuffle=SystemRandom().shuffle
    )
    return {"drawn": drawn}


@writes(
    router,
    "/tournaments/{address}/count",
    TournamentOut,
    needs=DIRECT,
    check=require(Role.SCORER),
)
def count(request: HttpRequest, address: Address) -> Any:
    """Count the standings at once, where no worker does."""
    tournament = tournament_at(request, address).tournament
    results.count_standings(tournament_id=tournament.pk, now=timezone.now())
    store_outlook(tournament_id=tournament.pk, most_ranked=IN_A_REQUEST)
    return _now(tournament)


@writes(
    router,
    "/tournaments/{address}/screen",
    TournamentOut,
    needs=DIRECT,
    method="PUT",
    check=require(Role.DIRECTOR),
)
def screen(request: HttpRequest, address: Address, given: ScreenGiven) -> Any:
    """Decide what the projector and the public see."""
    tournament = tournament_at(request, address).tournament
    show(
        tournament_id=tournament.pk,
        screen=given.screen,
        standings=given.standings_shown,
    )
    return _now(tournament)


@writes(
    router,
    "/tournaments/{address}/announcements",
    AnnouncementOut,
    needs=DIRECT,
    status=201,
    check=require(Role.SCORER),
)
def announce(request: HttpRequest, address: Address, given: AnnouncementGiven) -> Any:
    """Tell every phone and the room something."""
    tournament = tournament_at(request, address).tournament
    said = announcements.announce(
        tournament_id=tournament.pk,
        text=given.text,
        by=by_whom(request),
        now=timezone.now(),
    )
    return Status(HTTPStatus.CREATED, said)


@writes(
    router,
    "/tournaments/{address}/announcements/{key}/withdraw",
    AnnouncementOut,
    needs=DIRECT,
    check=require(Role.SCORER),
)
def announcement_withdraw(
    request: HttpRequest, address: Address, key: Reference
) -> Any:
    """Take an announcement off the phones and the projector."""
    tournament = tournament_at(request, address).tournament
    if not tournament.announcements.filter(pk=key).exists():
        raise not_there()
    return announcements.withdraw(announcement_id=key, now=timezone.now())


def _now(tournament: Tournament) -> Any:
    """Return a tournament as it is after something was done to it."""
    return as_told(Tournament.objects.select_related("club").get(pk=tournament.pk))
