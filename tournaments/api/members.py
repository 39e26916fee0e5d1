"""Members of a club with their roles, and invitations."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from ninja import Field, Schema
from pydantic import BeforeValidator

from scoring.api.operations import Operations
from scoring.api.schemas import Given, Reference
from tournaments.api.access import AccountRequest, ClubRequest, director
from tournaments.api.forms import as_posted, check_form
from tournaments.models import Club, Invitation, Membership, Role
from tournaments.people import clubs as people
from tournaments.web.club.forms import MemberForm

RoleName = Literal["viewer", "scorer", "director"]
RoleOut = Annotated[RoleName, BeforeValidator(lambda role: Role(role).name.lower())]


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
    link: str = Field(description="By which the role is taken up: the letter has it.")


class InvitedOut(Schema):
    has_role: bool = Field(description="At once, because there is an account.")
    invitation: InvitationOut


class InvitedGiven(Given):
    email: Annotated[str, Field(strict=True, max_length=254)]
    role: RoleName


class InvitationRequest(AccountRequest):
    """A request about an invitation, by the end of its link."""

    def __init__(self, http: HttpRequest, address: str) -> None:
        """Find the invitation."""
        super().__init__(http)
        self.invitation = get_object_or_404(Invitation, address=address)

    def check_club(self) -> None:
        """Raise ProblemError if the token was made for another club."""
        self.check_token_club(self.invitation.club_id)


operations = Operations("Helpers", ClubRequest, "/clubs/{slug}")
invitation = Operations("Helpers", InvitationRequest, "/invitations/{address}")


@operations.get_page("/helpers", HelperOut, by=director)
def helpers(request: ClubRequest) -> list[Membership]:
    """Who has a role in a club, directors first."""
    members = request.club.memberships.select_related("user")
    return list(members.order_by("-role", "user__email"))


@operations.delete("/helpers/{key}", by=director)
def helper_remove(request: ClubRequest, key: Reference) -> None:
    """Take a role away; a club keeps its last director."""
    members = request.club.memberships.select_related("user", "club")
    people.remove_member(membership=get_object_or_404(members, pk=key))


@operations.get_page("/invitations", InvitationOut, by=director)
def invitations(request: ClubRequest) -> QuerySet[Invitation]:
    """Invitations that nobody has accepted yet, the latest first."""
    return request.club.invitations.open(request.now).order_by("-made_at", "-pk")


@operations.post("/invitations", InvitedOut, by=director, status=201)
def invite(request: ClubRequest, given: InvitedGiven) -> Any:
    """Give somebody a role, or another one; without an account they get an e-mail."""
    role = Role[given.role.upper()]
    form = MemberForm(as_posted({"email": given.email, "role": int(role)}))
    check_form(form)

    def link_to(page: Invitation | Club) -> str:
        return request.http.build_absolute_uri(page.get_absolute_url())

    return people.invite(
        club=request.club,
        **form.cleaned_data,
        by=request.by,
        link_to=link_to,
        now=request.now,
    )


@operations.delete("/invitations/{key}", by=director)
def invitation_withdraw(request: ClubRequest, key: Reference) -> None:
    """Withdraw an invitation: its link leads nowhere from then on."""
    found = get_object_or_404(request.club.invitations, pk=key)
    people.withdraw_invitation(invitation_id=found.pk, now=request.now)


@invitation.post("/accept", HelperOut, by=InvitationRequest.check_club)
def invitation_accept(request: InvitationRequest) -> Membership:
    """Accept an invitation, by the end of its link."""
    return people.accept_invitation(
        invitation_id=request.invitation.pk, user=request.by, now=request.now
    )
