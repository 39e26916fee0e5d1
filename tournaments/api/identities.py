"""Who is who: accounts that are players, and players that are one person."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, SCORE, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import not_there
from scoring.api.schemas import LARGEST_KEY, Address, Given, Reference, Yes
from scoring.models import Player
from tournaments.api.access import by_whom, check_token_club, club_at, require
from tournaments.models import Claim, Club, Merge, Role
from tournaments.people import merges as verbs
from tournaments.people.identities import players_of

router = Router(tags=["Players"])


class ClaimOut(Schema):
    """An account says that it is a player."""

    id: int
    player: int
    name: str = Field(description="Of the player.")
    account: str = Field(description="Its e-mail address.")
    made_at: datetime
    confirmed_at: datetime | None = Field(description="Null while it waits.")
    withdrawn_at: datetime | None


class ClaimPage(Page[ClaimOut]):
    """Claims that wait or hold, the latest first."""


class ClaimSettled(Given):
    """What a director says of a claim."""

    holds: Yes = Field(description="False refuses it, or takes back one that held.")


class MergeOut(Schema):
    """Two players that are one person."""

    id: int
    kept: int = Field(description="Under which the person goes on.")
    kept_name: str
    merged: int
    merged_name: str
    made_at: datetime
    undone_at: datetime | None


class MergePage(Page[MergeOut]):
    """Players that were brought together, the latest first."""


class MergeGiven(Given):
    """Which two are one person."""

    kept: int = Field(strict=True, ge=1, le=LARGEST_KEY)
    merged: int = Field(strict=True, ge=1, le=LARGEST_KEY)


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "id": claim.pk,
        "player": claim.player_id,
        "name": claim.player.name,
        "account": claim.user.email,
        "made_at": claim.made_at,
        "confirmed_at": claim.confirmed_at,
        "withdrawn_at": claim.withdrawn_at,
    }


def _merge(merge: Merge) -> dict[str, Any]:
    return {
        "id": merge.pk,
        "kept": merge.kept_id,
        "kept_name": merge.kept.name,
        "merged": merge.merged_id,
        "merged_name": merge.merged.name,
        "made_at": merge.made_at,
        "undone_at": merge.undone_at,
    }


def _player_of(club: Club, number: int) -> Player:
    found = players_of(club).filter(pk=number).first()
    if found is None:
        raise not_there()
    return found


@reads(router, "/clubs/{slug}/claims", ClaimPage, check=require(Role.VIEWER))
def claims(request: HttpRequest, slug: Address, asked: Query[PageAsked]) -> Any:
    """Claims of accounts to be players, for the club's people."""
    club = club_at(slug)
    standing = club.claims.standing().select_related("user", "player")
    page, following = page_of_rows(request, standing, asked, "-pk")
    return {"items": [_claim(each) for each in page], "next": following}


@writes(
    router,
    "/clubs/{slug}/players/{number}/claim",
    ClaimOut,
    needs=SCORE,
    status=201,
)
def player_claim(request: HttpRequest, slug: Address, number: Reference) -> Any:
    """Say that the account is a player; a director has to confirm it."""
    club = club_at(slug)
    check_token_club(request, club.pk)
    claim = verbs.claim_player(
        club=club,
        user=by_whom(request),
        player=_player_of(club, number),
        proven=False,
        now=timezone.now(),
    )
    return Status(HTTPStatus.CREATED, _claim(claim))


@writes(
    router,
    "/clubs/{slug}/claims/{key}/settle",
    ClaimOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def claim_settle(
    request: HttpRequest, slug: Address, key: Reference, given: ClaimSettled
) -> Any:
    """Confirm a claim, refuse it, or take it back from an account that held it."""
    club = club_at(slug)
    if not club.claims.filter(pk=key).exists():
        raise not_there()
    settle = verbs.confirm_claim if given.holds else verbs.withdraw_claim
    return _claim(settle(claim_id=key, now=timezone.now()))


@writes(router, "/clubs/{slug}/claims/{key}/withdraw", ClaimOut, needs=SCORE)
def claim_withdraw(request: HttpRequest, slug: Address, key: Reference) -> Any:
    """Say that the account is not that player after all."""
    club = club_at(slug)
    check_token_club(request, club.pk)
    if not club.claims.filter(pk=key, user=by_whom(request)).exists():
        raise not_there()
    return _claim(verbs.withdraw_claim(claim_id=key, now=timezone.now()))


@reads(router, "/clubs/{slug}/merges", MergePage, check=require(Role.VIEWER))
def merges(request: HttpRequest, slug: Address, asked: Query[PageAsked]) -> Any:
    """Which players are one person, for the club's people."""
    club = club_at(slug)
    standing = club.merges.standing().select_related("kept", "merged")
    page, following = page_of_rows(request, standing, asked, "-pk")
    return {"items": [_merge(each) for each in page], "next": following}


@writes(
    router,
    "/clubs/{slug}/merges",
    MergeOut,
    needs=DIRECT,
    status=201,
    check=require(Role.DIRECTOR),
)
def player_merge(request: HttpRequest, slug: Address, given: MergeGiven) -> Any:
    """Bring two players together who are one person; it can be undone.

    Refused for two who were at one table, or in one tournament.
    """
    club = club_at(slug)
    merge = verbs.merge_players(
        club_id=club.pk,
        kept=_player_of(club, given.kept),
        merged=_player_of(club, given.merged),
        by=by_whom(request),
        now=timezone.now(),
    )
    return Status(HTTPStatus.CREATED, _merge(merge))


@writes(
    router,
    "/clubs/{slug}/merges/{key}/undo",
    MergeOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def player_unmerge(request: HttpRequest, slug: Address, key: Reference) -> Any:
    """Take two players apart again."""
    club = club_at(slug)
    if not club.merges.filter(pk=key).exists():
        raise not_there()
    return _merge(verbs.unmerge_players(merge_id=key, now=timezone.now()))
