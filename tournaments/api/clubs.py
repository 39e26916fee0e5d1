"""Clubs, as everybody finds them."""

from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from scoring.api.operations import reads
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.schemas import Address
from tournaments.api.access import asking, club_at
from tournaments.models import Club, Tournament, User

router = Router(tags=["Clubs"])


class ClubLine(Schema):
    """A club in a list."""

    slug: str = Field(description="Its address.")
    name: str


class ClubOut(ClubLine):
    """People who play together."""

    created_at: datetime
    archived_at: datetime | None
    colour: str
    history_version: int = Field(
        description="Counts every change of what its leaderboards are made of."
    )
    role: str | None = Field(description="Of the account that asks.")


class ClubPage(Page[ClubLine]):
    """Clubs by name."""


@reads(router, "/clubs", ClubPage)
def clubs(request: HttpRequest, asked: Query[PageAsked]) -> Any:
    """The clubs that play here, and those in which the account has a role."""
    shown = Q(pk__in=Tournament.objects.all().clubs().values("pk"))
    if user := asking(request):
        shown |= Q(pk__in=_own_clubs(user).values("pk"))
    page, following = page_of_rows(
        request, Club.objects.filter(shown), asked, "name", "pk"
    )
    return {"items": page, "next": following}


def _own_clubs(user: User) -> Any:
    """Return the clubs in which an account has a role that counts here."""
    own = Club.objects.all().of(user)
    return own if user.counts_only_in is None else own.filter(pk=user.counts_only_in)


@reads(router, "/clubs/{slug}", ClubOut)
def club(request: HttpRequest, slug: Address) -> Any:
    """A club."""
    found = club_at(request, slug)
    role = found.role_of(asking(request))
    told = {
        name: getattr(found, name) for name in ClubOut.model_fields if name != "role"
    }
    return {**told, "role": None if role is None else role.name.lower()}
