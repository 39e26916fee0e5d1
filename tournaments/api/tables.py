"""Tables to take along, as CSV, Excel or JSON: those that stand on pages, for whoever sees them."""

from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Field, Query, Router

from scoring.api.operations import reads
from scoring.api.schemas import Address
from tournaments.api.access import club_at, require, tournament_at
from tournaments.api.history import ALL, Narrowed, asked_of
from tournaments.files import tables
from tournaments.files.writing import FORMATS, Table
from tournaments.history.leaderboard import leaderboard
from tournaments.models import Role
from tournaments.people.identities import people_of

router = Router(tags=["Tables"])

Ending = Literal["csv", "xlsx", "json"]
FILES: dict[str, Any] = {
    "responses": {
        200: {
            "content": {
                written.media_type.partition(";")[0]: {
                    "schema": {"type": "object"}
                    if ending == "json"
                    else {"type": "string", "format": "binary"}
                }
                for ending, written in FORMATS.items()
            }
        }
    }
}
"""What these operations answer, by what was asked for."""


class BoardAsked(Narrowed):
    """Which leaderboard."""

    season: Address = Field(ALL, description="`all` for all of a club's time.")


def written(table: Table, ending: str) -> HttpResponse:
    """Return a table as it is answered, whole: what it is tells whether it is new."""
    written_as = FORMATS[ending]
    return HttpResponse(
        b"".join(written_as.write(table)), content_type=written_as.media_type
    )


@reads(
    router,
    "/clubs/{slug}/tables/players.{ending}",
    None,
    openapi_extra=FILES,
    check=require(Role.VIEWER),
)
def players_table(request: HttpRequest, slug: Address, ending: Ending) -> Any:
    """Everybody who played in a club, for its people."""
    club = club_at(slug)
    return written(tables.players_table(club, people_of(club)), ending)


@reads(router, "/clubs/{slug}/tables/leaderboard.{ending}", None, openapi_extra=FILES)
def leaderboard_table(
    request: HttpRequest, slug: Address, ending: Ending, asked: Query[BoardAsked]
) -> Any:
    """A leaderboard."""
    club = club_at(slug)
    board = asked_of(club, asked.season, asked)
    lines = leaderboard(board, club.day_of(timezone.now()))
    return written(tables.leaderboard_table(board, lines), ending)


@reads(router, "/clubs/{slug}/tables/statistics.{ending}", None, openapi_extra=FILES)
def statistics_table(request: HttpRequest, slug: Address, ending: Ending) -> Any:
    """What was played in a club, by game."""
    return written(tables.statistics_table(club_at(slug)), ending)


@reads(
    router,
    "/tournaments/{address}/tables/entries.{ending}",
    None,
    openapi_extra=FILES,
    check=require(Role.VIEWER),
)
def entries_table(request: HttpRequest, address: Address, ending: Ending) -> Any:
    """Who is entered, for the club's people."""
    tournament = tournament_at(request, address).tournament
    return written(tables.entries_table(tournament), ending)


@reads(
    router, "/tournaments/{address}/tables/seating.{ending}", None, openapi_extra=FILES
)
def seating_table(request: HttpRequest, address: Address, ending: Ending) -> Any:
    """Who sits where in the rounds that everybody may see."""
    return written(
        tables.seating_table(tournament_at(request, address).tournament), ending
    )


@reads(
    router, "/tournaments/{address}/tables/seats.{ending}", None, openapi_extra=FILES
)
def seats_table(request: HttpRequest, address: Address, ending: Ending) -> Any:
    """Where everybody sits in the rounds that everybody may see, a line for each name."""
    return written(
        tables.seats_table(tournament_at(request, address).tournament), ending
    )


@reads(
    router, "/tournaments/{address}/tables/results.{ending}", None, openapi_extra=FILES
)
def results_table(request: HttpRequest, address: Address, ending: Ending) -> Any:
    """What everybody has at the tables that everybody may see."""
    return written(
        tables.results_table(tournament_at(request, address).tournament), ending
    )


@reads(
    router,
    "/tournaments/{address}/tables/standings.{ending}",
    None,
    openapi_extra=FILES,
)
def standings_table(request: HttpRequest, address: Address, ending: Ending) -> Any:
    """The standings that who asks may see now."""
    tournament, role = tournament_at(request, address)
    shown = tournament.standings.all().seen_by(role, tournament)
    return written(tables.standings_table(tournament, shown), ending)
