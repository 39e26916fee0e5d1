"""Finding people, tournaments and hands of a club, and who is ahead of whom."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema

from scoring.api.operations import reads
from scoring.api.problems import not_there
from scoring.api.schemas import LARGEST_KEY, Address
from scoring.rules import GAMES
from tournaments.api.access import asking, club_at
from tournaments.api.history import ALL
from tournaments.api.players import player_at
from tournaments.history import club_records
from tournaments.history.hand_search import PAGE, Outcome, Wanted, find_hands
from tournaments.history.leaderboard import Asked, leaderboard
from tournaments.history.player_stats import meetings_of
from tournaments.history.search import found_in
from tournaments.people.profiles import hidden_from

router = Router(tags=["History"])

MOST_PAGES = 1000


class SearchAsked(Schema):
    """What is looked for."""

    q: Annotated[str, Field(min_length=1, max_length=80)] = Field(
        description="A name, a code, or a day as in `2026-03-14` or `2026-03`."
    )


class FoundPlayer(Schema):
    """A person who was found."""

    player: int | None = Field(
        description="Whose page it is; null where that is not for who asks."
    )
    name: str
    found_as: str = Field(description="Another name of theirs; empty for this one.")


class FoundTournament(Schema):
    """A tournament that was found."""

    address: str
    name: str
    starts_at: datetime


class FoundSeason(Schema):
    """A season that was found."""

    slug: str
    name: str


class FoundOut(Schema):
    """What a club has by that name, the likeliest first, thirty of each at most."""

    players: list[FoundPlayer]
    tournaments: list[FoundTournament]
    seasons: list[FoundSeason]


class PairAsked(Schema):
    """Which two."""

    player: int = Field(ge=1, le=LARGEST_KEY)
    against: int = Field(ge=1, le=LARGEST_KEY)


class PairOut(Schema):
    """How it went between two, as the first of them has it."""

    player: int
    name: str
    against: int
    against_name: str
    met: int
    ahead: int
    level: int
    share: int | None = Field(
        description="Of a hundred meetings, a tie counting half; null for too few."
    )


class MatrixPlayer(Schema):
    """A row, and the column of the same number."""

    player: int | None
    name: str


class MatrixOut(Schema):
    """How often the best of a leaderboard were ahead of one another."""

    players: list[MatrixPlayer]
    shares: list[list[int | None]] = Field(
        description="By row and column: of a hundred meetings; null for too few."
    )


class HandsAsked(Schema):
    """Which hands are looked for."""

    game: Annotated[str, Field(max_length=20)] = Field(
        description="One in which one bids for a contract."
    )
    bid: int = Field(0, ge=0, le=1_000_000, description="That, or more.")
    outcome: Literal["made", "set"] | None = None
    bidder: Annotated[str, Field(max_length=40)] = Field(
        "", description="A part of the bidder's name."
    )
    page: int = Field(1, ge=1, le=MOST_PAGES)


class FoundHandOut(Schema):
    """A hand that was bid for, and what it came to."""

    match: str = Field(description="The address of its match.")
    number: int
    bidder: str
    bid: int
    taken: int
    made: bool
    started_at: datetime


class HandsOut(Schema):
    """Hands, the highest bids first."""

    items: list[FoundHandOut]
    next_page: int | None


@reads(router, "/clubs/{slug}/search", FoundOut)
def search(request: HttpRequest, slug: Address, asked: Query[SearchAsked]) -> Any:
    """Find players, tournaments and seasons of a club, its archive included."""
    club, user = club_at(slug), asking(request)
    found = found_in(club, asked.q, club.role_of(user))
    hidden = hidden_from(club, user)
    return {
        "players": [
            {
                "player": None if player in hidden else player,
                "name": name,
                "found_as": other,
            }
            for player, name, other in found.players
        ],
        "tournaments": found.tournaments,
        "seasons": found.seasons,
    }


@reads(router, "/clubs/{slug}/head-to-head", PairOut)
def head_to_head(request: HttpRequest, slug: Address, asked: Query[PairAsked]) -> Any:
    """How often one of two was ahead of the other, at all tables where both sat.

    Whoever keeps their page to themselves keeps this, too.
    """
    club = club_at(slug)
    hidden = hidden_from(club, asking(request))
    one, other = (
        player_at(club, number)[0] for number in (asked.player, asked.against)
    )
    if {one.pk, other.pk} & set(hidden):
        raise not_there()
    between = meetings_of(club, one.pk, other.pk)
    return {
        "player": one.pk,
        "name": one.name,
        "against": other.pk,
        "against_name": other.name,
        "met": between.met,
        "ahead": between.ahead,
        "level": between.level,
        "share": None if between.few else between.share,
    }


@reads(router, "/clubs/{slug}/leaderboards/{season}/matrix", MatrixOut)
def matrix(request: HttpRequest, slug: Address, season: Address) -> Any:
    """How often the best of a season were ahead of one another."""
    club = club_at(slug)
    chosen = club.seasons.filter(slug=season).first()
    if chosen is None and season != ALL:
        raise not_there()
    lines = leaderboard(Asked(club=club, season=chosen), club.day_of(timezone.now()))
    shown = [line for line in lines if line.rank is not None][: club_records.MATRIX]
    hidden = hidden_from(club, asking(request))
    return {
        "players": [
            {
                "player": None if line.player in hidden else line.player,
                "name": line.name,
            }
            for line in shown
        ],
        "shares": club_records.ahead_matrix(club, [line.player for line in shown]),
    }


@reads(router, "/clubs/{slug}/hands", HandsOut)
def hands_found(request: HttpRequest, slug: Address, asked: Query[HandsAsked]) -> Any:
    """Find hands by what was bid and what became of it."""
    club = club_at(slug)
    if asked.game not in GAMES:
        raise not_there()
    wanted = Wanted(
        game=asked.game,
        least_bid=asked.bid,
        outcome=Outcome(asked.outcome) if asked.outcome else None,
        name=asked.bidder.strip(),
    )
    found = find_hands(club, wanted, asked.page)
    items = [
        {
            "match": hand.address,
            "number": hand.number,
            "bidder": hand.bidder,
            "bid": hand.bid,
            "taken": hand.taken,
            "made": hand.made,
            "started_at": hand.started_at,
        }
        for hand in found[:PAGE]
    ]
    return {"items": items, "next_page": asked.page + 1 if len(found) > PAGE else None}
