"""Seasons, leaderboards as of any day, records, statistics and search of a club."""

from datetime import datetime
from fractions import Fraction
from operator import itemgetter
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext
from ninja import Field, Query, Schema

from scoring.api.operations import Operations
from scoring.api.paging import PageQuery
from scoring.api.schemas import Address, Day, Name, Reference
from scoring.rules import GAMES
from tournaments.api.access import ClubRequest, director
from tournaments.api.forms import (
    form_data_with_changes,
    form_schema,
    model_schema,
    require_valid_form,
)
from tournaments.api.players import RatingOut, VisiblePlayer
from tournaments.changes import RefusedError
from tournaments.history import club_records
from tournaments.history import seasons as verbs
from tournaments.history.hand_search import (
    PAGE,
    BidOutcome,
    BidQuery,
    find_hands_with_lookahead,
)
from tournaments.history.leaderboard import (
    BoardLine,
    BoardQuery,
    BoardRow,
    Measure,
    leaderboard,
    with_open_result_counts,
)
from tournaments.history.player_stats import meeting_stats
from tournaments.history.search import search_club
from tournaments.history.team_leaderboard import TeamBoardLine, team_leaderboard
from tournaments.models import Season
from tournaments.people.identities import get_person_or_404
from tournaments.web.history.forms import SeasonForm

ALL = "all"
"""In URLs, the leaderboard of all seasons."""
UnconfirmedCount = Annotated[
    int,
    Field(
        description="The number of tables that are disputed or confirmed by too few players."
    ),
]
DisputedCount = Annotated[int, Field(description="The number of disputed tables.")]


class SeasonOut(model_schema(Season, "slug", *SeasonForm.Meta.fields, "closed_at")):  # type: ignore[misc]
    """A period whose tournaments count for one leaderboard."""


class LeaderboardFilters(Schema):
    as_of: Day | None = Field(
        None, description="The leaderboard as of the end of this day."
    )
    game: Annotated[str, Field(max_length=20)] = ""
    format: Annotated[str, Field(max_length=15)] = ""
    starts_on: Day | None = None
    ends_on: Day | None = None
    by: Measure = Measure.POINTS


class LeaderboardQuery(PageQuery, LeaderboardFilters):
    """A page of a leaderboard."""


class LeaderboardLine(Schema):
    rank: int | None = Field(
        alias="line.rank",
        description="Null if the player has too few tournaments to be ranked.",
    )
    player: VisiblePlayer = Field(alias="line.player")
    name: str = Field(alias="line.name")
    points: Fraction = Field(
        alias="line.points", description="Season points, as an exact number."
    )
    attended: int = Field(alias="line.attended")
    tables: int = Field(alias="line.tables")
    average: Fraction | None = Field(alias="line.points_per_table")
    wins: Fraction = Field(alias="line.tables_won")
    place: Fraction | None = Field(alias="line.average_place")
    rating: RatingOut = Field(alias="line.rating")
    lacking: int = Field(alias="line.tournaments_needed")
    unconfirmed: UnconfirmedCount
    disputed: DisputedCount


class TeamBoardLineOut(Schema):
    rank: int
    team: str = Field(alias="label")
    members: list[str] = Field(description="The names of everyone who scored for it.")
    points: Fraction = Field(description="Season points, as an exact number.")
    attended: int = Field(description="The number of tournaments.")


class GameStatisticsOut(Schema):
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
    games: list[GameStatisticsOut]
    contracts: list[ContractsOut]
    average_trump: Fraction | None


class HandFeatOut(Schema):
    """A hand that holds a record."""

    game: str
    match: str = Field(alias="address", description="The address of its match.")
    hand: int
    number: int
    name: str


class FeatOut(Schema):
    """A player with the number of a record."""

    player: VisiblePlayer
    name: str
    number: int


class RecordsOut(Schema):
    best_hands: list[HandFeatOut]
    most_tricks: list[HandFeatOut]
    dearest_tricks: list[HandFeatOut]
    longest_auction: HandFeatOut | None
    best_bids: dict[str, int]
    longest_runs: list[FeatOut]
    most_won: list[FeatOut]
    most_played: list[FeatOut]


class SeasonPatch(form_schema(SeasonForm)):  # type: ignore[misc]
    """Settings of a season. Omitted fields keep their values, or get the default."""


class SeasonInput(SeasonPatch):
    name: Name
    starts_on: Day
    ends_on: Day


class SearchQuery(Schema):
    q: Annotated[str, Field(min_length=1, max_length=80)] = Field(
        description="A name, a code, or a day as in `2026-03-14` or `2026-03`."
    )


class FoundPlayer(Schema):
    player: VisiblePlayer
    name: str
    found_as: str = Field(
        description="The other name that matched; empty if it is this one."
    )


class FoundTournament(Schema):
    address: str
    name: str
    starts_at: datetime


class FoundSeason(Schema):
    slug: str
    name: str


class FoundOut(Schema):
    """Search results, best matches first, at most thirty of each kind."""

    players: list[FoundPlayer]
    tournaments: list[FoundTournament]
    seasons: list[FoundSeason]


class PairQuery(Schema):
    player: Reference
    against: Reference


class PairOut(Schema):
    """The meetings of two players, from the view of the first."""

    player: int
    name: str
    against: int
    against_name: str
    met: int
    ahead: int
    level: int
    share: int | None = Field(
        description="Percentage of meetings in which the player was ahead; a tie counts half. Null if there are too few."
    )


class MatrixPlayer(Schema):
    """A player of the row and column with this index."""

    player: VisiblePlayer
    name: str


class MatrixOut(Schema):
    """The percentage of meetings in which each of the best players was ahead of the others."""

    players: list[MatrixPlayer]
    shares: list[list[int | None]] = Field(
        description="By row and column, as percentages. Null if there are too few meetings."
    )


class HandsQuery(Schema):
    game: Annotated[str, Field(max_length=20)] = Field(
        description="A game with contracts."
    )
    bid: int = Field(0, ge=0, le=1_000_000, description="The lowest bid to find.")
    outcome: BidOutcome | None = None
    bidder: Annotated[str, Field(max_length=40)] = Field(
        "", description="A part of the bidder's name."
    )
    page: int = Field(1, ge=1, le=1000)


class FoundHandOut(Schema):
    """A hand with a contract, and its outcome."""

    match: str = Field(alias="address", description="The address of its match.")
    number: int
    bidder: str
    bid: int
    taken: int
    made: bool
    started_at: datetime


class HandsOut(Schema):
    """A page of hands, highest bids first."""

    items: list[FoundHandOut]
    next_page: int | None


operations = Operations("History", ClubRequest)


@operations.get("/seasons", list[SeasonOut])
def seasons(request: ClubRequest) -> QuerySet[Season]:
    """List the seasons of a club, latest first."""
    return request.club.seasons.order_by("-starts_on", "-pk")


@operations.post("/seasons", SeasonOut, check_access=director, status=201)
def season_new(request: ClubRequest, body: SeasonInput) -> Season:
    """Create a season. The tournaments in its period count for one leaderboard."""
    return _save_season(request, Season(club=request.club), body)


@operations.get("/seasons/{season}", SeasonOut)
def season(request: ClubRequest, season: Address) -> Season:
    """Get a season."""
    return request.season(season)


@operations.patch("/seasons/{season}", SeasonOut, check_access=director)
def season_change(request: ClubRequest, season: Address, body: SeasonPatch) -> Season:
    """Change a season. Omitted fields keep their values."""
    return _save_season(request, request.season(season), body)


def _save_season(request: ClubRequest, season: Season, body: SeasonPatch) -> Season:
    changes = body.model_dump(exclude_unset=True)
    post_data = form_data_with_changes(SeasonForm(instance=season), changes)
    form = require_valid_form(SeasonForm(post_data, instance=season))
    return verbs.save_season(season=form.instance, now=request.now)


@operations.delete("/seasons/{season}", check_access=director)
def season_remove(request: ClubRequest, season: Address) -> None:
    """Delete a season that was created by mistake. Its tournaments stay."""
    verbs.remove_season(season_id=request.season(season).pk, now=request.now)


@operations.post("/seasons/{season}/close", SeasonOut, check_access=director)
def season_close(request: ClubRequest, season: Address) -> Season:
    """Close a season. Its leaderboards are final, and the best players are its champions."""
    return verbs.close_season(season_id=request.season(season).pk, now=request.now)


@operations.post("/seasons/{season}/reopen", SeasonOut, check_access=director)
def season_reopen(request: ClubRequest, season: Address) -> Season:
    """Reopen a closed season."""
    return verbs.reopen_season(season_id=request.season(season).pk)


def build_leaderboard_query(
    request: ClubRequest, season: str, filters: LeaderboardFilters | None = None
) -> BoardQuery:
    """Return the query of a leaderboard. Raises RefusedError for impossible days."""
    today = request.club.local_day(request.now)
    filters = filters or LeaderboardFilters.model_construct()
    if filters.as_of is not None and filters.as_of > today:
        raise RefusedError("as_of", gettext("This day is in the future."))
    if filters.starts_on and filters.ends_on and filters.ends_on < filters.starts_on:
        raise RefusedError("ends_on", gettext("The last day is before the first."))
    return BoardQuery(
        club=request.club,
        season=None if season == ALL else request.season(season),
        measure=filters.by,
        **filters.model_dump(include={*LeaderboardFilters.model_fields} - {"by"}),
    )


def leaderboard_query_and_lines(
    request: ClubRequest, season: str, filters: LeaderboardFilters | None = None
) -> tuple[BoardQuery, list[BoardLine]]:
    """Return a leaderboard and its lines. Raises RefusedError for impossible days."""
    query = build_leaderboard_query(request, season, filters)
    return query, leaderboard(query, request.club.local_day(request.now))


def leaderboard_query_and_team_lines(
    request: ClubRequest, season: str, filters: LeaderboardFilters | None = None
) -> tuple[BoardQuery, list[TeamBoardLine]]:
    """Return a leaderboard and its teams. Raises RefusedError for impossible days."""
    query = build_leaderboard_query(request, season, filters)
    return query, team_leaderboard(query, request.club.local_day(request.now))


@operations.get("/leaderboards/{season}", list[LeaderboardLine])
def season_leaderboard(
    request: ClubRequest, season: Address, query: Query[LeaderboardQuery]
) -> list[BoardRow]:
    """Get the leaderboard of a season, or of all time with `all`, as of now or of any day."""
    return with_open_result_counts(*leaderboard_query_and_lines(request, season, query))


@operations.get("/leaderboards/{season}/teams", list[TeamBoardLineOut])
def season_teams(
    request: ClubRequest, season: Address, query: Query[LeaderboardQuery]
) -> list[TeamBoardLine]:
    """Get the teams of a season, or of all time with `all`. Empty without teams."""
    return leaderboard_query_and_team_lines(request, season, query)[1]


@operations.get("/leaderboards/{season}/matrix", MatrixOut)
def matrix(request: ClubRequest, season: Address) -> Any:
    """Compare the best players of a season: how often each was ahead of the others."""
    lines = leaderboard_query_and_lines(request, season)[1]
    ranked_lines = [line for line in lines if line.rank is not None][
        : club_records.MATRIX
    ]
    shares = club_records.ahead_matrix(
        request.club, [line.player for line in ranked_lines]
    )
    return {"players": ranked_lines, "shares": shares}


@operations.get("/statistics", ClubStatisticsOut)
def statistics(request: ClubRequest) -> Any:
    """Get the statistics of a club: matches, hands, findings, contracts."""
    games = club_records.game_statistics(request.club)
    with_contracts = [game for game in games if game["contracts"]]
    return {
        "games": games,
        "contracts": sorted(with_contracts, key=itemgetter("game")),
        "average_trump": club_records.average_trump_number(request.club),
    }


@operations.get("/records", RecordsOut)
def records(request: ClubRequest) -> Any:
    """Get the records of a club."""
    club = request.club
    hands = club_records.hand_records(club)
    return {
        "best_hands": hands.best,
        "most_tricks": hands.most_tricks,
        "dearest_tricks": hands.dearest_tricks,
        "longest_auction": club_records.longest_auction(club),
        "best_bids": {
            game["game"]: game["best_bid"]
            for game in club_records.game_statistics(club)
            if game["best_bid"] is not None
        },
        "longest_runs": club_records.longest_runs_of_tables_won(club),
        "most_won": club_records.top_players_by_tournaments(club, won=True),
        "most_played": club_records.top_players_by_tournaments(club, won=False),
    }


@operations.get("/search", FoundOut)
def search(request: ClubRequest, query: Query[SearchQuery]) -> Any:
    """Search the players, tournaments and seasons of a club, including archived ones."""
    results = search_club(request.club, query.q, request.role)
    columns = FoundPlayer.model_fields
    return {
        "players": [dict(zip(columns, row, strict=True)) for row in results.players],
        "tournaments": results.tournaments,
        "seasons": results.seasons,
    }


@operations.get("/head-to-head", PairOut)
def head_to_head(request: ClubRequest, query: Query[PairQuery]) -> Any:
    """Compare two players: how often each was ahead at the tables where both played.

    Not found if the page of either player is private.
    """
    player, _same = get_person_or_404(request.club, query.player)
    opponent, _same = get_person_or_404(request.club, query.against)
    if {player.pk, opponent.pk} & request.hidden_player_ids:
        raise Http404
    meetings = meeting_stats(request.club, player.pk, opponent.pk)
    return {
        "player": player.pk,
        "name": player.name,
        "against": opponent.pk,
        "against_name": opponent.name,
        "met": meetings.met,
        "ahead": meetings.ahead,
        "level": meetings.level,
        "share": None
        if meetings.is_small_sample
        else meetings.ahead_percent_with_half_ties,
    }


@operations.get("/hands", HandsOut)
def hands_found(request: ClubRequest, query: Query[HandsQuery]) -> Any:
    """Find hands by bid and outcome."""
    if query.game not in GAMES:
        raise Http404
    hand_query = BidQuery(
        game=query.game,
        least_bid=query.bid,
        outcome=query.outcome,
        name=query.bidder.strip(),
    )
    hands = find_hands_with_lookahead(request.club, hand_query, query.page)
    next_page = query.page + 1 if len(hands) > PAGE else None
    return {"items": hands[:PAGE], "next_page": next_page}
