"""A club's players: their figures, the accounts that claim them, and merges of two into one."""

from datetime import date, datetime
from fractions import Fraction
from typing import Annotated, Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from ninja import Field, Schema
from pydantic import BeforeValidator, ValidationInfo

from scoring.api.operations import CONFLICT, SCORE, Operations
from scoring.api.problems import ProblemError
from scoring.api.schemas import BodySchema, Key, Name, Reference, StrictBool
from scoring.models import Player
from tournaments.api.access import ClubRequest, director, viewer
from tournaments.api.entries import IS_ANOTHER
from tournaments.history import play_stats
from tournaments.history import player_stats as careers
from tournaments.history.personal_data import rename_person
from tournaments.models import Claim, Merge, Result
from tournaments.people import merges as verbs
from tournaments.people import profiles
from tournaments.people.identities import (
    PersonSummary,
    get_person_or_404,
    people_in_club,
    players_in_club,
)


def _club_request(info: ValidationInfo) -> ClubRequest:
    assert info.context is not None
    request: ClubRequest = info.context["request"].auth
    return request


VisiblePlayer = Annotated[
    int | None,
    BeforeValidator(
        lambda player, info: (
            None if player in _club_request(info).hidden_player_ids else player
        )
    ),
    Field(description="Null if the account may not see the page of this player."),
]
"""The number of a player."""
IsArchived = Annotated[
    bool,
    BeforeValidator(
        lambda player, info: player in _club_request(info).archived_player_ids
    ),
]
"""Whether the player of a number is in the archive of the club."""


class PlayerLine(Schema):
    id: int = Field(alias="player.pk")
    name: str = Field(alias="player.name")
    others: list[str] = Field(
        alias="other_names",
        description="Other names that this person has played under.",
    )
    tournaments: int
    last_at: datetime
    is_archived: IsArchived = Field(alias="player.pk")


class PlayerOut(Schema):
    id: int
    name: str
    is_archived: IsArchived = Field(alias="pk")


class RatingOut(Schema):
    mu: float
    sigma: float
    tables: int = Field(description="The number of tables behind the rating.")
    provisional: bool


class RatingLine(Schema):
    held_on: date
    tournament: str = Field(
        alias="tournament.address", description="The address of the tournament."
    )
    mu: float
    sigma: float


class GameOut(Schema):
    """A player's statistics in one game; `game` is empty for all games together."""

    game: str
    tables: int
    average: Fraction
    place: Fraction
    wins: Fraction
    rating: RatingOut


class OpponentOut(Schema):
    player: VisiblePlayer
    name: str
    met: int
    ahead: int
    level: int


class TitleOut(Schema):
    """A season that a player won."""

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
    form: list[int] = Field(description="Places at the last tables, latest first.")
    places: dict[str, int] = Field(
        description="How often the player came in each place."
    )
    longest_run: int
    opponents: list[OpponentOut]
    best_hands: list[BestHandOut]
    best_bids: dict[str, int]
    bid_sizes: list[careers.BidSize]
    partnerships: list[careers.Partnership]
    bidding: list[play_stats.Bidding]
    trick_play: list[play_stats.TrickPlay]


class PlayerPatch(BodySchema):
    """Changes to a player. Omitted fields keep their values."""

    name: Name | None = None
    is_another: StrictBool = IS_ANOTHER
    is_archived: StrictBool | None = None


class ClaimOut(Schema):
    """A claim that an account is a player."""

    id: int
    player: int = Field(alias="player_id")
    name: str = Field(alias="player.name", description="The name of the player.")
    account: str = Field(
        alias="user.email", description="The e-mail address of the account."
    )
    made_at: datetime
    confirmed_at: datetime | None = Field(
        description="Null until a director confirms it."
    )
    withdrawn_at: datetime | None


class ClaimDecision(BodySchema):
    holds: StrictBool = Field(
        description="False refuses the claim, or revokes a confirmed one."
    )


class MergeOut(Schema):
    """Two players who are the same person."""

    id: int
    kept: int = Field(alias="kept_id", description="The player that remains.")
    kept_name: str = Field(alias="kept.name")
    merged: int = Field(alias="merged_id")
    merged_name: str = Field(alias="merged.name")
    made_at: datetime
    undone_at: datetime | None


class MergeInput(BodySchema):
    kept: Key
    merged: Key


operations = Operations("Players", ClubRequest)


def _visible_person_and_player_ids(
    request: ClubRequest, number: int
) -> tuple[Player, set[int]]:
    """Return a person of a club, as `get_person_or_404` does. Raises ProblemError if they are hidden."""
    person, player_ids = get_person_or_404(request.club, number)
    if person.pk in request.hidden_player_ids:
        message = gettext("This player’s page is private.")
        raise ProblemError("not-allowed", message)
    return person, player_ids


@operations.get("/players", list[PlayerLine], check_access=viewer)
def players(request: ClubRequest) -> list[PersonSummary]:
    """List the players of a club by name. Members only.

    People become players when they are registered for a tournament.
    """
    return people_in_club(request.club)


@operations.get("/players/{number}", PlayerOut)
def player(request: ClubRequest, number: Reference) -> Player:
    """Get a player. A merged player returns the player they were merged into."""
    return _visible_person_and_player_ids(request, number)[0]


@operations.patch(
    "/players/{number}", PlayerOut, check_access=director, problems=CONFLICT
)
def player_change(request: ClubRequest, number: Reference, body: PlayerPatch) -> Player:
    """Correct a player's name everywhere; archive or restore the player."""
    club, now = request.club, request.now
    person, _same = get_person_or_404(club, number)
    with transaction.atomic():
        if body.name is not None:
            rename_person(
                club=club,
                player_id=person.pk,
                name=body.name,
                user=request.required_user,
                now=now,
                is_different_person=body.is_another,
            )
        if body.is_archived is not None:
            profiles.archive_or_restore_player(
                club=club, player_id=person.pk, now=now if body.is_archived else None
            )
    person.refresh_from_db()
    return person


@operations.get("/players/{number}/ratings", list[RatingLine])
def player_ratings(request: ClubRequest, number: Reference) -> list[Result]:
    """List a player's rating after each tournament, earliest first."""
    person, _same = _visible_person_and_player_ids(request, number)
    return careers.last_rated_result_per_tournament(
        careers.results_in_order(request.club, person.pk)
    )


@operations.get("/players/{number}/statistics", StatisticsOut)
def player_statistics(request: ClubRequest, number: Reference) -> Any:
    """Get the statistics of a player's page."""
    club = request.club
    person, same = _visible_person_and_player_ids(request, number)
    bids = careers.count_bids_by_size(club, same)
    places = careers.table_rank_counts(club, person.pk)
    return {
        "titles": careers.season_titles(club, same),
        "games": careers.overall_and_game_stats(club, person.pk),
        "form": [
            placing.rank for placing in careers.recent_table_placings(club, person.pk)
        ],
        "places": {str(place): times for place, times in places.items()},
        "longest_run": careers.longest_run_of_tables_won(club, person.pk),
        "opponents": careers.most_frequent_opponents(club, person.pk),
        "best_hands": careers.best_hand_of_each_game(club, same),
        "best_bids": careers.highest_made_bid_by_game(bids),
        "bid_sizes": careers.group_bids_into_bands(bids),
        "partnerships": careers.contract_totals_by_role(club, same),
        "bidding": play_stats.bidding_stats(club, same),
        "trick_play": play_stats.trick_play_stats(club, same),
    }


@operations.get("/claims", list[ClaimOut], check_access=viewer)
def claims(request: ClubRequest) -> QuerySet[Claim]:
    """List claims that accounts are players, latest first. Members only."""
    active_claims = request.club.claims.active().select_related("user", "player")
    return active_claims.order_by("-pk")


@operations.post(
    "/players/{number}/claim",
    ClaimOut,
    check_access=ClubRequest.check_api_key_allows_club,
    scope=SCORE,
    status=201,
)
def player_claim(request: ClubRequest, number: Reference) -> Claim:
    """Claim a player for the account. A director has to confirm it."""
    return verbs.claim_player(
        club=request.club,
        user=request.required_user,
        player=get_object_or_404(players_in_club(request.club), pk=number),
        proven=False,
        now=request.now,
    )


@operations.post("/claims/{key}/settle", ClaimOut, check_access=director)
def claim_settle(request: ClubRequest, key: Reference, body: ClaimDecision) -> Claim:
    """Confirm, refuse or revoke a claim."""
    claim = get_object_or_404(request.club.claims, pk=key)
    settle = verbs.confirm_claim if body.holds else verbs.withdraw_claim
    return settle(claim_id=claim.pk, now=request.now)


@operations.post(
    "/claims/{key}/withdraw",
    ClaimOut,
    check_access=ClubRequest.check_api_key_allows_club,
    scope=SCORE,
)
def claim_withdraw(request: ClubRequest, key: Reference) -> Claim:
    """Withdraw the account's own claim."""
    claim = get_object_or_404(request.club.claims, pk=key, user=request.required_user)
    return verbs.withdraw_claim(claim_id=claim.pk, now=request.now)


@operations.get("/merges", list[MergeOut], check_access=viewer)
def merges(request: ClubRequest) -> QuerySet[Merge]:
    """List merged players, latest merge first. Members only."""
    active_merges = request.club.merges.active().select_related("kept", "merged")
    return active_merges.order_by("-pk")


@operations.post("/merges", MergeOut, check_access=director, status=201)
def player_merge(request: ClubRequest, body: MergeInput) -> Merge:
    """Merge two players who are the same person. It can be undone.

    Refused if both played at one table or in one tournament.
    """
    return verbs.merge_players(
        club_id=request.club.pk,
        kept=get_object_or_404(players_in_club(request.club), pk=body.kept),
        merged=get_object_or_404(players_in_club(request.club), pk=body.merged),
        user=request.required_user,
        now=request.now,
    )


@operations.post("/merges/{key}/undo", MergeOut, check_access=director)
def player_unmerge(request: ClubRequest, key: Reference) -> Merge:
    """Separate two merged players again."""
    merge = get_object_or_404(request.club.merges, pk=key)
    return verbs.unmerge_players(merge_id=merge.pk, now=request.now)
