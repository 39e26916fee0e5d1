"""Clubs: found, changed and deleted."""

from datetime import datetime
from typing import Annotated, Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import StreamingHttpResponse
from django.utils.translation import gettext
from ninja import Field, Schema

from scoring.api.operations import Operations
from scoring.api.problems import ProblemError
from scoring.api.schemas import Given, Name, Yes
from scoring.locales.zones import LONGEST_NAME
from tournaments.api.access import AccountRequest, ClubRequest, director
from tournaments.api.forms import as_posted, check_form
from tournaments.files.archive.writing import archive_parts
from tournaments.models import Club, Tournament
from tournaments.people import clubs as people
from tournaments.people.looks import colour_club
from tournaments.people.zones import checked_zone, keep_time_in_club
from tournaments.web.club.forms import ClubForm

Zone = Annotated[str, Field(strict=True, max_length=LONGEST_NAME)]
Language = Annotated[str, Field(strict=True, pattern="^([a-z]{2,3}(-[a-z]{2,4})?)?$")]
Colour = Annotated[str, Field(strict=True, pattern="^(#[0-9a-fA-F]{6})?$")]


class ClubLine(Schema):
    slug: str = Field(description="Its address.")
    name: str


class ClubOut(ClubLine):
    created_at: datetime
    archived_at: datetime | None
    colour: str
    language: str = Field(
        description="For people who chose none; empty for that of each browser."
    )
    time_zone: str = Field(
        description="As in `Europe/Berlin`: it decides to which day a night belongs."
    )
    history_version: int = Field(
        description="Counts every change of what its leaderboards are made of."
    )
    role: str | None = Field(description="Of the account that asks.")

    @staticmethod
    def resolve_role(club: Club, context: Any) -> str | None:
        role = club.role_of(context["request"].auth.user)
        return None if role is None else role.name.lower()


class ClubGiven(Given):
    name: Name = Field(description="Its address follows from it, and stays.")
    time_zone: Zone | None = Field(
        None, description="As in `Europe/Berlin`; left out for that of the host."
    )


class ClubChanged(Given):
    """Changes of a club; what is left out stays."""

    name: Name | None = None
    colour: Colour | None = Field(
        None, description="As in `#1f4e8c`; empty for the house's."
    )
    language: Language | None = Field(
        None, description="As in `de`; empty for that of each browser."
    )
    time_zone: Zone | None = Field(
        None,
        description="As in `Europe/Berlin`. What was played and so comes to belong to another day"
        " is counted there; nights to come keep their moment.",
    )
    is_archived: Yes | None = None


ZIP = "application/zip"
ARCHIVE = {
    "responses": {
        200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}
    }
}

anywhere = Operations("Clubs", AccountRequest)
operations = Operations("Clubs", ClubRequest, "/clubs/{slug}")


def _check_founder(request: AccountRequest) -> None:
    if request.by.counts_only_in is not None:
        words = gettext("This token was made for one club alone.")
        raise ProblemError("not-allowed", words)


@anywhere.get_page("/clubs", ClubLine)
def clubs(request: AccountRequest) -> QuerySet[Club]:
    """The clubs that play here, and those in which the account has a role, by name."""
    shown = Q(pk__in=Tournament.objects.all().clubs().values("pk"))
    if user := request.user:
        own = Club.objects.all().of(user)
        if user.counts_only_in is not None:
            own = own.filter(pk=user.counts_only_in)
        shown |= Q(pk__in=own.values("pk"))
    return Club.objects.filter(shown).order_by("name", "pk")


@operations.get("", ClubOut)
def club(request: ClubRequest) -> Club:
    """A club."""
    return request.club


@operations.get("/archive", None, by=director, extra=ARCHIVE)
def club_archive(request: ClubRequest) -> Any:
    """The whole club as an archive for another host, for its directors.

    It is sent in parts, and so without an `ETag`.
    """
    return StreamingHttpResponse(archive_parts(request.club), content_type=ZIP)


@anywhere.post("/clubs", ClubOut, by=_check_founder, status=201)
def club_new(request: AccountRequest, given: ClubGiven) -> Club:
    """Found a club, of which the account is a director.

    A token that was made for one club founds no other.
    """
    form = ClubForm(as_posted({"name": given.name}))
    check_form(form)
    if given.time_zone is not None:
        form.instance.time_zone = checked_zone(given.time_zone)
    return people.found_club(club=form.instance, user=request.by, now=request.now)


@operations.patch("", ClubOut, by=director)
def club_change(request: ClubRequest, given: ClubChanged) -> Club:
    """Change the name, colour, language or time zone of a club; archive it, or bring it back."""
    club = request.club
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
                club_id=club.pk, now=request.now if given.is_archived else None
            )
    club.refresh_from_db()
    return club


@operations.delete("", by=director)
def club_delete(request: ClubRequest) -> None:
    """Delete a club in which nothing was set up."""
    people.delete_club(club_id=request.club.pk)
