"""A club's players, and what each of them played."""

from collections.abc import Callable, Collection
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Field, Query, Router, Schema

from scoring.api.operations import DIRECT, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_list
from scoring.api.problems import ProblemError, not_there
from scoring.api.schemas import Address, Given, Name, Reference, Yes
from scoring.models import Player
from tournaments.api.access import asking, by_whom, club_at, require
from tournaments.history import play_stats
from tournaments.history import player_stats as careers
from tournaments.history.personal_data import rename_person
from tournaments.models import Club, Role
from tournaments.people import profiles
from tournaments.people.identities import (
    members_of,
    merges_of,
    people_of,
    players_of,
    root_of,
)
from tournaments.ratings import Rating

router = Router(tags=["Players"])


class PlayerLine(Schema):
    """A player in the list of a club."""

    id: int
    name: str
    others: list[str] = Field(description="Further names of the same person.")
    tournaments: int
    last_at: datetime
    is_archived: bool


class PlayerPage(Page[PlayerLine]):
    """Players by name."""


class PlayerOut(Schema):
    """A person who plays in a club."""

    id: int
    name: str
    is_archived: bool


class RatingOut(Schema):
    """How strong somebody is thought to be."""

    mu: float
    sigma: float
    tables: int = Field(description="That led to it.")
    provisional: bool


class RatingLine(Schema):
    """A rating after one tournament."""

    held_on: date
    tournament: str = Field(description="Its address.")
    mu: float
    sigma: float


class RatingPage(Page[RatingLine]):
    """Ratings after each tournament, the earliest first."""


class GameOut(Schema):
    """What somebody did in one game; `game` is empty for all of them."""

    game: str
    tables: int
    average: str
    place: str
    wins: str
    rating: RatingOut


class OpponentOut(Schema):
    """How it went against somebody."""

    player: int | None
    name: str
    met: int
    ahead: int
    level: int


class BidSizeOut(Schema):
    """How often bids of about one size were made."""

    game: str
    least: int
    most: int
    bids: int
    made: int


class PartnershipOut(Schema):
    """How often contracts were made alone, as the bidder, as the partner."""

    part: str
    contracts: int
    made: int


class ShareOut(Schema):
    """How many of how many."""

    part: int
    whole: int


class BiddingOut(Schema):
    """How somebody bids in one game."""

    game: str
    opened: ShareOut
    contracts: int
    bid: str | None
    taken: str | None


class TrickPlayOut(Schema):
    """How somebody plays the tricks of one game."""

    game: str
    hands: int
    tricks: int
    trumps_led: ShareOut
    last_won: ShareOut


class TitleOut(Schema):
    """A season that somebody won."""

    season: str
    game: str


class BestHandOut(Schema):
    """The best hand of somebody in a game."""

    game: str
    match: str
    hand: int
    points: int


class StatisticsOut(Schema):
    """The figures of a player's page."""

    titles: list[TitleOut]
    games: list[GameOut]
    form: list[int] = Field(description="Places at the last tables, the latest first.")
    places: dict[str, int] = Field(description="How often each place was taken.")
    longest_run: int
    opponents: list[OpponentOut]
    best_hands: list[BestHandOut]
    best_bids: dict[str, int]
    bid_sizes: list[BidSizeOut]
    partnerships: list[PartnershipOut]
    bidding: list[BiddingOut]
    trick_play: list[TrickPlayOut]


class PlayerChanged(Given):
    """What is to be so of a player; what is left out stays."""

    name: Name | None = None
    is_another: Yes = Field(
        False,
        description="The new name may be somebody else's (`doubtful`), and is another person's.",
    )
    is_archived: Yes | None = None


def player_at(club: Club, number: int) -> tuple[Player, set[int]]:
    """Return a person of a club and the numbers of all their names; raises ProblemError."""
    merged_into = merges_of(club)
    root = root_of(number, merged_into)
    person = players_of(club).filter(pk=root).first()
    if person is None:
        raise not_there()
    return person, members_of(root, merged_into)


def _shown(request: HttpRequest, slug: str, number: int) -> tuple[Club, Player, Any]:
    """Return a person whose page who asks may see; raises ProblemError."""
    club = club_at(slug)
    person, same = player_at(club, number)
    if not profiles.may_see(club, person.pk, asking(request)):
        raise ProblemError(
            "not-allowed", gettext("This player keeps their page to themselves.")
        )
    return club, person, same


def rating_told(rating: Rating) -> dict[str, Any]:
    """Return a rating as it is answered."""
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "tables": rating.tables,
        "provisional": rating.provisional,
    }


def _exactly(value: object) -> str | None:
    return None if value is None else str(value)


def told(club: Club, person: Player) -> dict[str, Any]:
    """Return a person as they are answered."""
    archived = person.pk in profiles.archived_players(club)
    return {"id": person.pk, "name": person.name, "is_archived": archived}


@reads(router, "/clubs/{slug}/players", PlayerPage, check=require(Role.VIEWER))
def players(request: HttpRequest, slug: Address, asked: Query[PageAsked]) -> Any:
    """Everybody who played in a club, for its people.

    Somebody becomes a player by being entered in a tournament.
    """
    club = club_at(slug)
    archived = profiles.archived_players(club)
    page, following = page_of_list(request, people_of(club), asked)
    items = [
        {
            "id": person.player.pk,
            "name": person.player.name,
            "others": list(person.others),
            "tournaments": person.tournaments,
            "last_at": person.last_at,
            "is_archived": person.player.pk in archived,
        }
        for person in page
    ]
    return {"items": items, "next": following}


@reads(router, "/clubs/{slug}/players/{number}", PlayerOut)
def player(request: HttpRequest, slug: Address, number: Reference) -> Any:
    """A player; whoever was found to be the same person is answered as that one."""
    club, person, _same = _shown(request, slug, number)
    return told(club, person)


@writes(
    router,
    "/clubs/{slug}/players/{number}",
    PlayerOut,
    needs=DIRECT,
    method="PATCH",
    problems=frozenset({409}),
    check=require(Role.DIRECTOR),
)
def player_change(
    request: HttpRequest, slug: Address, number: Reference, given: PlayerChanged
) -> Any:
    """Put a player's name right everywhere; archive the player, or bring them back."""
    club = club_at(slug)
    person, _same = player_at(club, number)
    now = timezone.now()
    with transaction.atomic():
        if given.name is not None:
            rename_person(
                club=club,
                player_id=person.pk,
                name=given.name,
                by=by_whom(request),
                now=now,
                is_another=given.is_another,
            )
        if given.is_archived is not None:
            profiles.archive_player(
                club=club, player_id=person.pk, now=now if given.is_archived else None
            )
    person.refresh_from_db()
    return told(club, person)


@reads(router, "/clubs/{slug}/players/{number}/ratings", RatingPage)
def player_ratings(
    request: HttpRequest, slug: Address, number: Reference, asked: Query[PageAsked]
) -> Any:
    """A player's rating after each tournament."""
    club, person, _same = _shown(request, slug, number)
    course = careers.rating_course(club, person.pk)
    page, following = page_of_list(request, course, asked)
    addresses = dict(
        club.tournaments.filter(
            pk__in=[result.tournament_id for result in page]
        ).values_list("pk", "address")
    )
    items = [
        {
            "held_on": result.held_on,
            "tournament": addresses[result.tournament_id],
            "mu": result.mu,
            "sigma": result.sigma,
        }
        for result in page
    ]
    return {"items": items, "next": following}


@reads(router, "/clubs/{slug}/players/{number}/statistics", StatisticsOut)
def player_statistics(request: HttpRequest, slug: Address, number: Reference) -> Any:
    """The figures of a player's page."""
    club, person, same = _shown(request, slug, number)
    hidden = profiles.hidden_from(club, asking(request))
    return {
        name: figure(club, person, same, hidden) for name, figure in FIGURES.items()
    }


Figure = Callable[[Club, Player, Collection[int], Collection[int]], Any]


def _games(club: Club, person: Player, same: Any, hidden: Any) -> Any:
    return [
        {
            "game": game.game,
            "tables": game.tables,
            "average": str(game.average),
            "place": str(game.place),
            "wins": str(game.wins),
            "rating": rating_told(game.rating),
        }
        for game in careers.games_of_player(club, person.pk)
    ]


def _opponents(club: Club, person: Player, same: Any, hidden: Any) -> Any:
    return [
        {
            "player": None if opponent.player in hidden else opponent.player,
            "name": opponent.name,
            "met": opponent.met,
            "ahead": opponent.ahead,
            "level": opponent.level,
        }
        for opponent in careers.opponents_of(club, person.pk)
    ]


def _bidding(club: Club, person: Player, same: Any, hidden: Any) -> Any:
    return [
        {
            "game": bidding.game,
            "opened": bidding.opened,
            "contracts": bidding.contracts,
            "bid": _exactly(bidding.bid),
            "taken": _exactly(bidding.taken),
        }
        for bidding in play_stats.bidding_of(club, same)
    ]


def _best_hands(club: Club, person: Player, same: Any, hidden: Any) -> Any:
    return [
        {
            "game": score.hand.match.game,
            "match": score.hand.match.address,
            "hand": score.hand.number,
            "points": score.points,
        }
        for score in careers.best_hands(club, same)
    ]


FIGURES: dict[str, Figure] = {
    "titles": lambda club, person, same, hidden: [
        {"season": row.season.slug, "game": row.game}
        for row in careers.titles_of(club, same)
    ],
    "games": _games,
    "form": lambda club, person, same, hidden: [
        placing.rank for placing in careers.form_of(club, person.pk)
    ],
    "places": lambda club, person, same, hidden: {
        str(place): times for place, times in careers.places_of(club, person.pk).items()
    },
    "longest_run": lambda club, person, same, hidden: careers.longest_run(
        club, person.pk
    ),
    "opponents": _opponents,
    "best_hands": _best_hands,
    "best_bids": lambda club, person, same, hidden: careers.best_bids(
        careers.bids_of(club, same)
    ),
    "bid_sizes": lambda club, person, same, hidden: careers.in_sizes(
        careers.bids_of(club, same)
    ),
    "partnerships": lambda club, person, same, hidden: careers.partnerships(club, same),
    "bidding": _bidding,
    "trick_play": lambda club, person, same, hidden: play_stats.trick_play_of(
        club, same
    ),
}
"""What stands on a player's page, by its name."""
