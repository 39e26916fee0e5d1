"""Who helps in a club, in which role, and who is invited to."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_list, page_of_rows
from scoring.api.problems import not_there
from scoring.api.schemas import Address, Given, Reference
from tournaments.api.access import by_whom, check_token_club, club_at, require
from tournaments.api.filled import as_posted, check_form
from tournaments.models import Club, Invitation, Role
from tournaments.people import clubs as people
from tournaments.web.forms import MemberForm

router = Router(tags=["Helpers"])

RoleName = Literal["viewer", "scorer", "director"]


class HelperOut(Schema):
    """Somebody who has a role."""

    id: int
    email: str
    name: str
    role: RoleName


class HelperPage(Page[HelperOut]):
    """Helpers, directors first."""


class InvitationOut(Schema):
    """Somebody who is invited."""

    id: int
    email: str
    role: RoleName
    made_at: datetime
    link: str = Field(description="By which the role is taken up: the letter has it.")


class InvitationPage(Page[InvitationOut]):
    """Invitations that can still be taken up, the latest first."""


class InvitedOut(Schema):
    """What became of inviting somebody."""

    has_role: bool = Field(description="At once, because there is an account.")
    invitation: InvitationOut


class InvitedGiven(Given):
    """Who is to help, and how."""

    email: Annotated[str, Field(strict=True, max_length=254)]
    role: RoleName


def _invitation(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": invitation.pk,
        "email": invitation.email,
        "role": Role(invitation.role).name.lower(),
        "made_at": invitation.made_at,
        "link": invitation.link,
    }


@reads(router, "/clubs/{slug}/helpers", HelperPage, check=require(Role.DIRECTOR))
def helpers(request: HttpRequest, slug: Address, asked: Query[PageAsked]) -> Any:
    """Who has a role in a club."""
    club = club_at(slug)
    members = club.memberships.select_related("user").order_by("-role", "user__email")
    page, following = page_of_list(request, list(members), asked)
    items = [
        {
            "id": membership.pk,
            "email": membership.user.email,
            "name": membership.user.get_full_name(),
            "role": Role(membership.role).name.lower(),
        }
        for membership in page
    ]
    return {"items": items, "next": following}


@writes(
    router,
    "/clubs/{slug}/helpers/{key}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.DIRECTOR),
)
def helper_remove(request: HttpRequest, slug: Address, key: Reference) -> Any:
    """Take a role away; a club keeps its last director."""
    club = club_at(slug)
    membership = club.memberships.select_related("user", "club").filter(pk=key).first()
    if membership is None:
        raise not_there()
    people.remove_member(membership=membership)
    return Status(HTTPStatus.NO_CONTENT, None)


@reads(
    router, "/clubs/{slug}/invitations", InvitationPage, check=require(Role.DIRECTOR)
)
def invitations(request: HttpRequest, slug: Address, asked: Query[PageAsked]) -> Any:
    """Invitations that nobody has taken up yet."""
    club = club_at(slug)
    page, following = page_of_rows(
        request, club.invitations.open(timezone.now()), asked, "-made_at", "-pk"
    )
    return {"items": [_invitation(each) for each in page], "next": following}


@writes(
    router,
    "/clubs/{slug}/invitations",
    InvitedOut,
    needs=DIRECT,
    status=201,
    check=require(Role.DIRECTOR),
)
def invite(request: HttpRequest, slug: Address, given: InvitedGiven) -> Any:
    """Give somebody a role, or another one; who has no account is sent a letter."""
    club = club_at(slug)
    role = Role[given.role.upper()]
    form = MemberForm(as_posted({"email": given.email, "role": int(role)}))
    check_form(form)

    def link_to(page: Invitation | Club) -> str:
        return request.build_absolute_uri(page.get_absolute_url())

    made = people.invite(
        club=club,
        **form.cleaned_data,
        by=by_whom(request),
        link_to=link_to,
        now=timezone.now(),
    )
    told = {"has_role": made.has_role, "invitation": _invitation(made.invitation)}
    return Status(HTTPStatus.CREATED, told)


@writes(
    router,
    "/clubs/{slug}/invitations/{key}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.DIRECTOR),
)
def invitation_withdraw(request: HttpRequest, slug: Address, key: Reference) -> Any:
    """Take an invitation back: its letter leads nowhere from then on."""
    club = club_at(slug)
    if not club.invitations.filter(pk=key).exists():
        raise not_there()
    people.withdraw_invitation(invitation_id=key, now=timezone.now())
    return Status(HTTPStatus.NO_CONTENT, None)


@writes(router, "/invitations/{address}/accept", HelperOut, needs=DIRECT)
def invitation_accept(request: HttpRequest, address: Address) -> Any:
    """Take up an invitation, by the end of its link."""
    user = by_whom(request)
    held = Invitation.objects.filter(address=address).first()
    if held is None:
        raise not_there()
    check_token_club(request, held.club_id)
    membership = people.accept_invitation(
        invitation_id=held.pk, user=user, now=timezone.now()
    )
    return {
        "id": membership.pk,
        "email": user.email,
        "name": user.get_full_name(),
        "role": Role(membership.role).name.lower(),
    }
