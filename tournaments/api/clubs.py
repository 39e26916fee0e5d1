"""Clubs: found, changed and deleted; their members with their roles, and invitations."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from ninja import Field, Schema
from pydantic import BeforeValidator

from scoring.api.operations import Operations
from scoring.api.problems import ProblemError
from scoring.api.schemas import BodySchema, Name, Reference, StrictBool
from scoring.locales.zones import LONGEST_NAME
from tournaments.api.access import AccountRequest, ClubRequest, director
from tournaments.api.forms import form_data, require_valid_form
from tournaments.files.archive.writing import archive_chunks
from tournaments.models import Club, Invitation, Membership, Role, Tournament
from tournaments.people import clubs as people
from tournaments.web.club.forms import ClubNameForm, InviteTeamMemberForm

Zone = Annotated[str, Field(strict=True, max_length=LONGEST_NAME)]
Language = Annotated[str, Field(strict=True, pattern="^([a-z]{2,3}(-[a-z]{2,4})?)?$")]
Colour = Annotated[str, Field(strict=True, pattern="^(#[0-9a-fA-F]{6})?$")]
RoleName = Literal["viewer", "scorer", "director"]
RoleOut = Annotated[RoleName, BeforeValidator(lambda role: Role(role).name.lower())]


class ClubLine(Schema):
    slug: str = Field(description="The last part of its address.")
    name: str


class ClubOut(ClubLine):
    created_at: datetime
    archived_at: datetime | None
    colour: str
    language: str = Field(
        description="For people who have not chosen one; empty for the language of each browser."
    )
    time_zone: str = Field(
        description="As in `Europe/Berlin`. It decides which day a night belongs to."
    )
    history_version: int = Field(
        description="Increases whenever the results behind its leaderboards change."
    )
    role: str | None = Field(
        description="The role of the calling account in this club; null without one."
    )

    @staticmethod
    def resolve_role(club: Club, context: Any) -> str | None:
        role = club.get_role(context["request"].auth.user)
        return None if role is None else role.name.lower()


class ClubInput(BodySchema):
    name: Name = Field(
        description="The address is made from the name, and does not change with it."
    )
    time_zone: Zone | None = Field(
        None, description="As in `Europe/Berlin`. Defaults to the server's time zone."
    )


class ClubPatch(BodySchema):
    """Changes to a club. Omitted fields keep their values."""

    name: Name | None = None
    colour: Colour | None = Field(
        None, description="As in `#1f4e8c`; empty for the default."
    )
    language: Language | None = Field(
        None, description="As in `de`; empty for the language of each browser."
    )
    time_zone: Zone | None = Field(
        None,
        description="As in `Europe/Berlin`. What was played and so comes to belong to another day"
        " is counted there; nights to come keep their moment.",
    )
    is_archived: StrictBool | None = None


class HelperOut(Schema):
    id: int
    email: str = Field(alias="user.email")
    name: str = Field(alias="user.get_full_name")
    role: RoleOut


class InvitationOut(Schema):
    id: int
    email: str
    role: RoleOut
    made_at: datetime
    link: str = Field(description="The link in the e-mail, which accepts the role.")


class InvitationResult(Schema):
    has_role: bool = Field(
        description="Whether the person has the role already, because they are a member of the club."
    )
    invitation: InvitationOut


class InvitationInput(BodySchema):
    email: Annotated[str, Field(strict=True, max_length=254)]
    role: RoleName


class InvitationRequest(AccountRequest):
    """A request about an invitation, identified by the last part of its link."""

    prefix = "/invitations/{address}"

    def __init__(self, http: HttpRequest, address: str) -> None:
        super().__init__(http)
        self.invitation = get_object_or_404(Invitation, address=address)

    def check_api_key_allows_club(self) -> None:
        """Raise ProblemError if the API key was made for another club."""
        self.check_api_key_allows_club_id(self.invitation.club_id)


BINARY = {"schema": {"type": "string", "format": "binary"}}
ARCHIVE = {
    "responses": {
        200: {
            "content": {
                "application/zip": BINARY,
                # Described as well, because generated clients know no other type of file.
                "application/octet-stream": BINARY,
            }
        }
    }
}

all_clubs = Operations("Clubs", AccountRequest)
operations = Operations("Clubs", ClubRequest)
helper_operations = Operations("Helpers", ClubRequest)
invitation_operations = Operations("Helpers", InvitationRequest)


@all_clubs.get("/clubs", list[ClubLine])
def clubs(request: AccountRequest) -> QuerySet[Club]:
    """List the clubs with listed tournaments and those in which the account has a role, by name."""
    visible = Q(
        pk__in=Tournament.objects.all().clubs_with_listed_tournament().values("pk")
    )
    if user := request.user:
        member_clubs = Club.objects.all().with_member(user)
        if user.counts_only_in is not None:
            member_clubs = member_clubs.filter(pk=user.counts_only_in)
        visible |= Q(pk__in=member_clubs.values("pk"))
    return Club.objects.filter(visible).order_by("name", "pk")


@operations.get("", ClubOut)
def club(request: ClubRequest) -> Club:
    """Get a club."""
    return request.club


@operations.get("/archive", None, check_access=director, extra=ARCHIVE)
def club_archive(request: ClubRequest) -> StreamingHttpResponse:
    """Download the whole club as an archive for another server. Directors only.

    The response is streamed, so it has no `ETag`.
    """
    return StreamingHttpResponse(
        archive_chunks(request.club), content_type="application/zip"
    )


def _check_token_for_all_clubs(request: AccountRequest) -> None:
    if request.required_user.counts_only_in is not None:
        message = gettext("This API key only works for one club.")
        raise ProblemError("not-allowed", message)


@all_clubs.post("/clubs", ClubOut, check_access=_check_token_for_all_clubs, status=201)
def club_new(request: AccountRequest, body: ClubInput) -> Club:
    """Create a club with the account as its director.

    An API key that is limited to one club cannot create another.
    """
    form = require_valid_form(ClubNameForm(form_data({"name": body.name})))
    if body.time_zone is not None:
        form.instance.time_zone = people.require_known_zone(body.time_zone)
    return people.create_club_with_director(
        club=form.instance, user=request.required_user, now=request.now
    )


@operations.patch("", ClubOut, check_access=director)
def club_change(request: ClubRequest, body: ClubPatch) -> Club:
    """Change the name, colour, language or time zone of a club; archive or restore it."""
    club = request.club
    with transaction.atomic():
        settings = body.model_dump(exclude={"is_archived"})
        people.change_club_settings(club_id=club.pk, **settings)
        if body.is_archived is not None:
            archived_at = request.now if body.is_archived else None
            people.archive_or_restore_club(club_id=club.pk, now=archived_at)
    club.refresh_from_db()
    return club


@operations.delete("", check_access=director)
def club_delete(request: ClubRequest) -> None:
    """Delete a club without tournaments."""
    people.delete_club_without_tournaments(club_id=request.club.pk)


@helper_operations.get("/helpers", list[HelperOut], check_access=director)
def helpers(request: ClubRequest) -> list[Membership]:
    """List the people with a role in a club, directors first."""
    members = request.club.memberships.select_related("user")
    return list(members.order_by("-role", "user__email"))


@helper_operations.delete("/helpers/{key}", check_access=director)
def helper_remove(request: ClubRequest, key: Reference) -> None:
    """Remove a person's role. The last director of a club cannot be removed."""
    members = request.club.memberships.select_related("user", "club")
    people.remove_member(membership=get_object_or_404(members, pk=key))


@helper_operations.get("/invitations", list[InvitationOut], check_access=director)
def invitations(request: ClubRequest) -> QuerySet[Invitation]:
    """List open invitations, latest first."""
    return request.club.invitations.open(request.now).order_by("-made_at", "-pk")


@helper_operations.post(
    "/invitations", InvitationResult, check_access=director, status=201
)
def invite(request: ClubRequest, body: InvitationInput) -> people.InvitationOutcome:
    """Invite a person by e-mail, or change the role of a member."""
    role = Role[body.role.upper()]
    form = require_valid_form(
        InviteTeamMemberForm(form_data({"email": body.email, "role": int(role)}))
    )

    def absolute_url(page: Invitation | Club) -> str:
        return request.http.build_absolute_uri(page.get_absolute_url())

    return people.invite_or_change_role(
        club=request.club,
        **form.cleaned_data,
        inviter=request.required_user,
        build_link=absolute_url,
        now=request.now,
    )


@helper_operations.delete("/invitations/{key}", check_access=director)
def invitation_withdraw(request: ClubRequest, key: Reference) -> None:
    """Withdraw an invitation. Its link stops working."""
    invitation = get_object_or_404(request.club.invitations, pk=key)
    people.withdraw_invitation(invitation_id=invitation.pk, now=request.now)


@invitation_operations.post(
    "/accept", HelperOut, check_access=InvitationRequest.check_api_key_allows_club
)
def invitation_accept(request: InvitationRequest) -> Membership:
    """Accept an invitation, identified by the last part of its link."""
    return people.accept_invitation(
        invitation_id=request.invitation.pk, user=request.required_user, now=request.now
    )
