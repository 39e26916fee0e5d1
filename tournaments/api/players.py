"""A club's players: their figures, the accounts that claim them, and merges of two into one."""

from datetime import date, datetime
from typing import Annotated, Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from ninja import Field, Schema
from pydantic import BeforeValidator, ValidationInfo

from scoring.api.operations import SCORE, Operations
from scoring.api.problems import ProblemError
from scoring.api.schemas import LARGEST_KEY, Given, Name, Reference, Yes
from scoring.models import Player
from tournaments.api.access import ClubRequest, director, viewer
from tournaments.api.doubtful_names import IS_ANOTHER
from tournaments.history import play_stats
from tournaments.history import player_stats as careers
from tournaments.history.personal_data import rename_person
from tournaments.models import Claim, Club, Merge, Result
from tournaments.people import merges as verbs
from tournaments.people import profiles
from tournaments.people.identities import (
    Person,
    members_of,
    merges_of,
    people_of,
    players_of,
    root_of,
)


def _unless_hidden(player: int | None, info: ValidationInfo) -> int | None:
    assert info.context is not None
    return None if player in info.context["request"].auth.hidden else player


Exact = Annotated[str, BeforeValidator(str)]
"""A fraction, as in `640/3`."""
ShownPlayer = Annotated[int | None, BeforeValidator(_unless_hidden)]
"""The number of a player, or null if the account may not see their page."""


class PlayerLine(Schema):
    id: int = Field(alias="player.pk")
    name: str = Field(alias="player.name")
    others: list[str] = Field(description="Further names of the same person.")
    tournaments: int
    last_at: datetime
    is_archived: bool

    @staticmethod
    def resolve_is_archived(person: Person, context: Any) -> bool:
        return person.player.pk in context["request"].auth.archived


class PlayerOut(Schema):
    id: int
    name: str
    is_archived: bool

    @staticmethod
    def resolve_is_archived(player: Player, context: Any) -> bool:
        return player.pk in context["request"].auth.archived


class RatingOut(Schema):
    mu: float
    sigma: float
    tables: int = Field(description="That led to it.")
    provisional: bool


class RatingLine(Schema):
    held_on: date
    tournament: str = Field(alias="tournament.address", description="Its address.")
    mu: float
    sigma: float


class GameOut(Schema):
    """A player's figures in one game; `game` is empty for all games."""

    game: str
    tables: int
    average: Exact
    place: Exact
    wins: Exact
    rating: RatingOut


class OpponentOut(Schema):
    player: ShownPlayer
    name: str
    met: int
    ahead: int
    level: int


class BidSizeOut(Schema):
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
    part: int
    whole: int


class BiddingOut(Schema):
    game: str
    opened: ShareOut
    contracts: int
    bid: Exact | None
    taken: Exact | None


class TrickPlayOut(Schema):
    game: str
    hands: int
    tricks: int
    trumps_led: ShareOut
    last_won: ShareOut


class TitleOut(Schema):
    """A season that somebody won."""

    season: str = Field(alias="season.slug")
    game: str


class BestHandOut(Schema):
    game: str = Field(alias="hand.match.game")
    match: str = Field(alias="hand.match.address")
    hand: int = Field(alias="hand.number")
    points: int


class StatisticsOut(Schema):
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
    """Changes of a player; what is left out stays."""

    name: Name | None = None
    is_another: Yes = IS_ANOTHER
    is_archived: Yes | None = None


class ClaimOut(Schema):
    """A claim of an account to be a player."""

    id: int
    player: int = Field(alias="player_id")
    name: str = Field(alias="player.name", description="Of the player.")
    account: str = Field(alias="user.email", description="Its e-mail address.")
    made_at: datetime
    confirmed_at: datetime | None = Field(description="Null while it waits.")
    withdrawn_at: datetime | None


class ClaimSettled(Given):
    holds: Yes = Field(description="False refuses it, or takes back one that held.")


class MergeOut(Schema):
    """Two players that are one person."""

    id: int
    kept: int = Field(alias="kept_id", description="Under which the person goes on.")
    kept_name: str = Field(alias="kept.name")
    merged: int = Field(alias="merged_id")
    merged_name: str = Field(alias="merged.name")
    made_at: datetime
    undone_at: datetime | None


class MergeGiven(Given):
    kept: int = Field(strict=True, ge=1, le=LARGEST_KEY)
    merged: int = Field(strict=True, ge=1, le=LARGEST_KEY)


operations = Operations("Players", ClubRequest, "/clubs/{slug}")


def find_player(club: Club, number: int) -> tuple[Player, set[int]]:
    """Return a person of a club and the numbers of all their names. Raises Http404."""
    merged_into = merges_of(club)
    root = root_of(number, merged_into)
    person = get_object_or_404(players_of(club), pk=root)
    return person, members_of(root, merged_into)


def _shown_player(request: ClubRequest, number: int) -> tuple[Player, set[int]]:
    """Return a person whose page the account may see. Raises ProblemError."""
    person, same = find_player(request.club, number)
    if person.pk in request.hidden:
        words = gettext("This player keeps their page to themselves.")
        raise ProblemError("not-allowed", words)
    return person, same


@operations.get_page("/players", PlayerLine, by=viewer)
def players(request: ClubRequest) -> list[Person]:
    """Everybody who played in a club by name, for its people.

    Somebody becomes a player by being entered in a tournament.
    """
    return people_of(request.club)


@operations.get("/players/{number}", PlayerOut)
def player(request: ClubRequest, number: Reference) -> Player:
    """A player; one that was merged is answered as the person."""
    return _shown_player(request, number)[0]


@operations.patch(
    "/players/{number}", PlayerOut, by=director, problems=frozenset({409})
)
def player_change(
    request: ClubRequest, number: Reference, given: PlayerChanged
) -> Player:
    """Correct a player's name everywhere; archive the player, or bring them back."""
    club, now = request.club, request.now
    person, _same = find_player(club, number)
    with transaction.atomic():
        if given.name is not None:
            rename_person(
                club=club,
                player_id=person.pk,
                name=given.name,
                by=request.by,
                now=now,
                is_another=given.is_another,
            )
        if given.is_archived is not None:
            profiles.archive_player(
                club=club, player_id=person.pk, now=now if given.is_archived else None
            )
    person.refresh_from_db()
    return person


@operations.get_page("/players/{number}/ratings", RatingLine)
def player_ratings(request: ClubRequest, number: Reference) -> list[Result]:
    """A player's rating after each tournament, the earliest first."""
    person, _same = _shown_player(request, number)
    return careers.rating_course(request.club, person.pk)


@operations.get("/players/{number}/statistics", StatisticsOut)
def player_statistics(request: ClubRequest, number: Reference) -> Any:
    """The figures of a player's page."""
    club = request.club
    person, same = _shown_player(request, number)
    bids = careers.bids_of(club, same)
    places = careers.places_of(club, person.pk)
    return {
        "titles": careers.titles_of(club, same),
        "games": careers.games_of_player(club, person.pk),
        "form": [placing.rank for placing in careers.form_of(club, person.pk)],
        "places": {str(place): times for place, times in places.items()},
        "longest_run": careers.longest_run(club, person.pk),
        "opponents": careers.opponents_of(club, person.pk),
        "best_hands": careers.best_hands(club, same),
        "best_bids": careers.best_bids(bids),
        "bid_sizes": careers.in_sizes(bids),
        "partnerships": careers.partnerships(club, same),
        "bidding": play_stats.bidding_of(club, same),
        "trick_play": play_stats.trick_play_of(club, same),
    }


@operations.get_page("/claims", ClaimOut, by=viewer)
def claims(request: ClubRequest) -> QuerySet[Claim]:
    """Claims of accounts to be players, the latest first, for the club's people."""
    standing = request.club.claims.standing().select_related("user", "player")
    return standing.order_by("-pk")


@operations.post(
    "/players/{number}/claim",
    ClaimOut,
    by=ClubRequest.check_club,
    scope=SCORE,
    status=201,
)
def player_claim(request: ClubRequest, number: Reference) -> Claim:
    """Say that the account is a player; a director has to confirm it."""
    return verbs.claim_player(
        club=request.club,
        user=request.by,
        player=get_object_or_404(players_of(request.club), pk=number),
        proven=False,
        now=request.now,
    )


@operations.post("/claims/{key}/settle", ClaimOut, by=director)
def claim_settle(request: ClubRequest, key: Reference, given: ClaimSettled) -> Claim:
    """Confirm a claim, refuse it, or take it back from an account that held it."""
    claim = get_object_or_404(request.club.claims, pk=key)
    settle = verbs.confirm_claim if given.holds else verbs.withdraw_claim
    return settle(claim_id=claim.pk, now=request.now)


@operations.post(
    "/claims/{key}/withdraw", ClaimOut, by=ClubRequest.check_club, scope=SCORE
)
def claim_withdraw(request: ClubRequest, key: Reference) -> Claim:
    """Say that the account is not that player after all."""
    claim = get_object_or_404(request.club.claims, pk=key, user=request.by)
    return verbs.withdraw_claim(claim_id=claim.pk, now=request.now)


@operations.get_page("/merges", MergeOut, by=viewer)
def merges(request: ClubRequest) -> QuerySet[Merge]:
    """Which players are one person, the latest merge first, for the club's people."""
    standing = request.club.merges.standing().select_related("kept", "merged")
    return standing.order_by("-pk")


@operations.post("/merges", MergeOut, by=director, status=201)
def player_merge(request: ClubRequest, given: MergeGiven) -> Merge:
    """Merge two players who are one person; it can be undone.

    Refused for two who were at one table, or in one tournament.
    """
    return verbs.merge_players(
        club_id=request.club.pk,
        kept=get_object_or_404(players_of(request.club), pk=given.kept),
        merged=get_object_or_404(players_of(request.club), pk=given.merged),
        by=request.by,
        now=request.now,
    )


@operations.post("/merges/{key}/undo", MergeOut, by=director)
def player_unmerge(request: ClubRequest, key: Reference) -> Merge:
    """Separate two merged players again."""
    merge = get_object_or_404(request.club.merges, pk=key)
    return verbs.unmerge_players(merge_id=merge.pk, now=request.now)
