"""Clubs, as everybody finds them, and as their directors keep them."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any

from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest, StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import ProblemError
from scoring.api.schemas import Address, Given, Name, Yes
from scoring.locales.zones import LONGEST_NAME
from tournaments.api.access import asking, by_whom, club_at, require
from tournaments.api.filled import as_posted, check_form
from tournaments.files.archive.writing import archive_parts
from tournaments.models import Club, Role, Tournament, User
from tournaments.people import clubs as people
from tournaments.people.looks import colour_club
from tournaments.people.zones import checked_zone, keep_time_in_club
from tournaments.web.forms import ClubForm

router = Router(tags=["Clubs"])

ZIP = "application/zip"


Zone = Annotated[str, Field(strict=True, max_length=LONGEST_NAME)]
Language = Annotated[str, Field(strict=True, pattern="^([a-z]{2,3}(-[a-z]{2,4})?)?$")]


class ClubLine(Schema):
    """A club in a list."""

    slug: str = Field(description="Its address.")
    name: str


class ClubOut(ClubLine):
    """People who play together."""

    created_at: datetime
    archived_at: datetime | None
    colour: str
    language: str = Field(
        description="Spoken to whoever chose none; empty for that of each browser."
    )
    time_zone: str = Field(
        description="Where its clocks hang, as in `Europe/Berlin`: days are told by them."
    )
    history_version: int = Field(
        description="Counts every change of what its leaderboards are made of."
    )
    role: str | None = Field(description="Of the account that asks.")


class ClubGiven(Given):
    """A club that is founded."""

    name: Name = Field(description="Its address follows from it, and stays.")
    time_zone: Zone | None = Field(
        None, description="As in `Europe/Berlin`; left out for that of the host."
    )


class ClubChanged(Given):
    """What is to be so of a club; what is left out stays."""

    name: Name | None = None
    colour: (
        Annotated[str, Field(strict=True, pattern="^(#[0-9a-fA-F]{6})?$")] | None
    ) = Field(None, description="As in `#1f4e8c`; empty for the house's.")
    language: Language | None = Field(
        None, description="As in `de`; empty for that of each browser."
    )
    time_zone: Zone | None = Field(
        None,
        description="As in `Europe/Berlin`. What was played and so comes to belong to another day"
        " is counted there; nights to come keep their moment.",
    )
    is_archived: Yes | None = None


class ClubPage(Page[ClubLine]):
    """Clubs by name."""


ARCHIVE: dict[str, Any] = {
    "responses": {
        200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}
    }
}
"""What is answered where a whole club is asked for."""


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
    return as_told(request, club_at(slug))


@reads(
    router,
    "/clubs/{slug}/archive",
    None,
    openapi_extra=ARCHIVE,
    check=require(Role.DIRECTOR),
)
def club_archive(request: HttpRequest, slug: Address) -> Any:
    """The whole club as an archive for another host, for its directors.

    It is sent in parts, and so without an `ETag`.
    """
    club = club_at(slug)
    return StreamingHttpResponse(archive_parts(club), content_type=ZIP)


def _check_founder(request: HttpRequest) -> None:
    """Raise ProblemError if the token was made for one club."""
    if by_whom(request).counts_only_in is not None:
        raise ProblemError(
            "not-allowed", gettext("This token was made for one club alone.")
        )


@writes(router, "/clubs", ClubOut, needs=DIRECT, status=201, check=_check_founder)
def club_new(request: HttpRequest, given: ClubGiven) -> Any:
    """Found a club, of which the account is a director.

    A token that was made for one club founds no other.
    """
    user = by_whom(request)
    form = ClubForm(as_posted({"name": given.name}))
    check_form(form)
    if given.time_zone is not None:
        form.instance.time_zone = checked_zone(given.time_zone)
    made = people.found_club(club=form.instance, user=user, now=timezone.now())
    return Status(HTTPStatus.CREATED, as_told(request, made))


@writes(
    router,
    "/clubs/{slug}",
    ClubOut,
    needs=DIRECT,
    method="PATCH",
    check=require(Role.DIRECTOR),
)
def club_change(request: HttpRequest, slug: Address, given: ClubChanged) -> Any:
    """Call a club otherwise, lay it on another cloth, archive it or bring it back."""
    club = club_at(slug)
    with transaction.atomic():
        if given.name is not None:
            people.rename_club(club_id=club.pk, name=given.name)
        if given.colour is not None:
            colour_club(club_id=club.pk, colour=given.colour.lower())
        if given.language is not None:
            people.speak_in_club(club_id=club.pk, language=given.language)
        if given.time_zone is not None:
            keep_time_in_club(club_id=club.pk, time_zone=given.time_zone)
        if given.is_archived is not None:
            people.archive_club(
                club_id=club.pk, now=timezone.now() if given.is_archived else None
            )
    club.refresh_from_db()
    return as_told(request, club)


@writes(
    router,
    "/clubs/{slug}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.DIRECTOR),
)
def club_delete(request: HttpRequest, slug: Address) -> Any:
    """Delete a club in which nothing was set up."""
    club = club_at(slug)
    people.delete_club(club_id=club.pk)
    return Status(HTTPStatus.NO_CONTENT, None)


def as_told(request: HttpRequest, club: Club) -> Any:
    """Return a club as it is answered, with the role of who asks."""
    role = club.role_of(asking(request))
    told = {
        name: getattr(club, name) for name in ClubOut.model_fields if name != "role"
    }
    return {**told, "role": None if role is None else role.name.lower()}
