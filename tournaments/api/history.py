"""What stays: seasons, leaderboards as of any day, records and statistics of a club."""

from collections.abc import Iterable
from datetime import date, datetime
from http import HTTPStatus
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_list, page_of_rows
from scoring.api.problems import not_there, refused
from scoring.api.schemas import Address, Day, Given, Name, Small
from tournaments.api.access import asking, club_at, require
from tournaments.api.filled import as_posted, check_form
from tournaments.api.players import RatingOut, rating_told
from tournaments.history import club_records
from tournaments.history import seasons as operations
from tournaments.history.leaderboard import Asked, Measure, leaderboard
from tournaments.models import Club, Role, Season
from tournaments.people.profiles import hidden_from
from tournaments.web.forms import SeasonForm

router = Router(tags=["History"])

ALL = "all"
"""Stands in an address for all of a club's time."""


class SeasonOut(Schema):
    """Some months whose tournaments make one leaderboard."""

    slug: str
    name: str
    starts_on: date
    ends_on: date
    counts: str
    best_of: int
    least_attendance: int
    lasts_days: int
    keep_percent: int
    closed_at: datetime | None


class SeasonPage(Page[SeasonOut]):
    """Seasons, the latest first."""


class Narrowed(Schema):
    """Which leaderboard."""

    as_of: Day | None = Field(None, description="As it stood at the end of that day.")
    game: Annotated[str, Field(max_length=20)] = ""
    format: Annotated[str, Field(max_length=15)] = ""
    starts_on: Day | None = None
    ends_on: Day | None = None
    by: Literal["points", "average", "wins", "rating"] = "points"


class LeaderboardAsked(PageAsked, Narrowed):
    """Which leaderboard, and which part of it."""


class LeaderboardLine(Schema):
    """A player's line."""

    rank: int | None = Field(description="Null for who came too rarely.")
    player: int | None = Field(
        description="Whose page it is; null where that is not for who asks."
    )
    name: str
    points: str = Field(description="Of the season, exactly.")
    attended: int
    tables: int
    average: str | None
    wins: str
    place: str | None
    rating: RatingOut
    lacking: int


class LeaderboardPage(Page[LeaderboardLine]):
    """A leaderboard in its order."""


class GameStatisticsOut(Schema):
    """What was played of one game."""

    game: str
    matches: int
    hands: int
    findings: int


class ContractsOut(Schema):
    """How many contracts of a game were set."""

    game: str
    contracts: int
    set: int


class ClubStatisticsOut(Schema):
    """What a club played."""

    games: list[GameStatisticsOut]
    contracts: list[ContractsOut]
    average_trump: str | None


class HandFeatOut(Schema):
    """A hand that has the most of something."""

    game: str
    match: str = Field(description="The address of its match.")
    hand: int
    number: int
    name: str


class FeatOut(Schema):
    """Somebody, and how often or how much."""

    player: int | None
    name: str
    number: int


class RecordsOut(Schema):
    """A club's records."""

    best_hands: list[HandFeatOut]
    most_tricks: list[HandFeatOut]
    dearest_tricks: list[HandFeatOut]
    longest_auction: HandFeatOut | None
    best_bids: dict[str, int]
    longest_runs: list[FeatOut]
    most_won: list[FeatOut]
    most_played: list[FeatOut]


class SeasonChanged(Given):
    """What is decided about a season; what is left out stays, or is as usual."""

    name: Name | None = None
    starts_on: Day | None = None
    ends_on: Day | None = None
    counts: Literal["place", "points"] | None = None
    best_of: Small | None = None
    least_attendance: Small | None = None
    lasts_days: Small | None = None
    keep_percent: Small | None = None


class SeasonGiven(SeasonChanged):
    """A season that is opened."""

    name: Name
    starts_on: Day
    ends_on: Day


@reads(router, "/clubs/{slug}/seasons", SeasonPage)
def seasons(request: HttpRequest, slug: Address, asked: Query[PageAsked]) -> Any:
    """The seasons of a club."""
    club = club_at(slug)
    page, following = page_of_rows(
        request, club.seasons.all(), asked, "-starts_on", "-pk"
    )
    return {"items": page, "next": following}


@writes(
    router,
    "/clubs/{slug}/seasons",
    SeasonOut,
    needs=DIRECT,
    status=201,
    check=require(Role.DIRECTOR),
)
def season_new(request: HttpRequest, slug: Address, given: SeasonGiven) -> Any:
    """Open a season: the tournaments of its days make one leaderboard."""
    club = club_at(slug)
    made = _saved(Season(club=club), given)
    return Status(HTTPStatus.CREATED, made)


@reads(router, "/clubs/{slug}/seasons/{season}", SeasonOut)
def season(request: HttpRequest, slug: Address, season: Address) -> Any:
    """A season."""
    return season_at(club_at(slug), season)


@writes(
    router,
    "/clubs/{slug}/seasons/{season}",
    SeasonOut,
    needs=DIRECT,
    method="PATCH",
    check=require(Role.DIRECTOR),
)
def season_change(
    request: HttpRequest, slug: Address, season: Address, given: SeasonChanged
) -> Any:
    """Decide otherwise about a season."""
    club = club_at(slug)
    return _saved(season_at(club, season), given)


def _saved(season: Season, given: SeasonChanged) -> Season:
    """Return a season as its form has it, filled in with what a program gave."""
    chosen = given.model_dump(exclude_unset=True)
    empty = SeasonForm(instance=season)
    values = {
        name: chosen.get(name, empty.get_initial_for_field(field, name))
        for name, field in empty.fields.items()
    }
    taken = season.club.seasons.values_list("slug", flat=True)
    form = SeasonForm(as_posted(values), instance=season, taken=taken)
    check_form(form)
    return operations.save_season(season=form.instance, now=timezone.now())


@writes(
    router,
    "/clubs/{slug}/seasons/{season}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.DIRECTOR),
)
def season_remove(request: HttpRequest, slug: Address, season: Address) -> Any:
    """Remove a season that was set up by mistake; its tournaments stay."""
    chosen = season_at(club_at(slug), season)
    operations.remove_season(season_id=chosen.pk, now=timezone.now())
    return Status(HTTPStatus.NO_CONTENT, None)


@writes(
    router,
    "/clubs/{slug}/seasons/{season}/close",
    SeasonOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def season_close(request: HttpRequest, slug: Address, season: Address) -> Any:
    """Close a season: its leaderboards are kept as they are, its best are its champions."""
    chosen = season_at(club_at(slug), season)
    return operations.close_season(season_id=chosen.pk, now=timezone.now())


@writes(
    router,
    "/clubs/{slug}/seasons/{season}/reopen",
    SeasonOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def season_reopen(request: HttpRequest, slug: Address, season: Address) -> Any:
    """Open a closed season again."""
    chosen = season_at(club_at(slug), season)
    return operations.reopen_season(season_id=chosen.pk)


def season_at(club: Club, slug: str) -> Season:
    """Return a season of a club; raises ProblemError."""
    found = club.seasons.filter(slug=slug).first()
    if found is None:
        raise not_there()
    return found


def asked_of(club: Club, season: str, asked: Narrowed) -> Asked:
    """Return which leaderboard is asked for; raises ProblemError for one that cannot be."""
    chosen = club.seasons.filter(slug=season).first()
    if chosen is None and season != ALL:
        raise not_there()
    if asked.as_of is not None and asked.as_of > club.day_of(timezone.now()):
        raise refused("as_of", gettext("This day is still to come."))
    if asked.starts_on and asked.ends_on and asked.ends_on < asked.starts_on:
        raise refused("ends_on", gettext("It ends before it begins."))
    return Asked(
        club=club,
        season=chosen,
        game=asked.game,
        format=asked.format,
        starts_on=asked.starts_on,
        ends_on=asked.ends_on,
        as_of=asked.as_of,
        measure=Measure(asked.by),
    )


@reads(router, "/clubs/{slug}/leaderboards/{season}", LeaderboardPage)
def season_leaderboard(
    request: HttpRequest, slug: Address, season: Address, asked: Query[LeaderboardAsked]
) -> Any:
    """The leaderboard of a season, `all` for all of a club's time; now, or as of a day."""
    club = club_at(slug)
    lines = leaderboard(asked_of(club, season, asked), club.day_of(timezone.now()))
    hidden = hidden_from(club, asking(request))
    page, following = page_of_list(request, lines, asked)
    items = [
        {
            "rank": line.rank,
            "player": None if line.player in hidden else line.player,
            "name": line.name,
            "points": str(line.points),
            "attended": line.attended,
            "tables": line.tables,
            "average": None if line.average is None else str(line.average),
            "wins": str(line.wins),
            "place": None if line.place is None else str(line.place),
            "rating": rating_told(line.rating),
            "lacking": line.lacking,
        }
        for line in page
    ]
    return {"items": items, "next": following}


@reads(router, "/clubs/{slug}/statistics", ClubStatisticsOut)
def statistics(request: HttpRequest, slug: Address) -> Any:
    """What a club played: matches, hands, findings, contracts."""
    club = club_at(slug)
    trump = club_records.average_trump(club)
    return {
        "games": club_records.statistics_of(club),
        "contracts": club_records.contracts_of(club),
        "average_trump": None if trump is None else str(trump),
    }


@reads(router, "/clubs/{slug}/records", RecordsOut)
def records(request: HttpRequest, slug: Address) -> Any:
    """The records of a club."""
    club = club_at(slug)
    hidden = hidden_from(club, asking(request))
    hands = club_records.hand_records(club)
    auction = club_records.longest_auction(club)

    def feats(listed: Iterable[club_records.Feat]) -> list[dict[str, Any]]:
        return [
            {
                "player": None if feat.player in hidden else feat.player,
                "name": feat.name,
                "number": feat.number,
            }
            for feat in listed
        ]

    return {
        "best_hands": [_told(feat) for feat in hands.best],
        "most_tricks": [_told(feat) for feat in hands.most_tricks],
        "dearest_tricks": [_told(feat) for feat in hands.dearest_tricks],
        "longest_auction": _told(auction) if auction else None,
        "best_bids": club_records.best_bids_of(club),
        "longest_runs": feats(club_records.longest_runs(club)),
        "most_won": feats(club_records.most_of(club, won=True)),
        "most_played": feats(club_records.most_of(club, won=False)),
    }


def _told(feat: club_records.HandFeat) -> dict[str, Any]:
    return {
        "game": feat.game,
        "match": feat.address,
        "hand": feat.hand,
        "number": feat.number,
        "name": feat.name,
    }
