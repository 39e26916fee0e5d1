"""Penalties: points that are taken away, with their reason."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import not_there
from scoring.api.schemas import Address, Given, Name, Reason, Reference
from tournaments.api.access import by_whom, entry_at, require, tournament_at
from tournaments.api.filled import check_form
from tournaments.event import results
from tournaments.models import Penalty, Role
from tournaments.web.forms import PenaltyForm

router = Router(tags=["Penalties"])


class PenaltyOut(Schema):
    """Points taken away from somebody."""

    id: int
    entry: int = Field(description="The number of the entry.")
    points: str = Field(description="Exactly, as in `3` or `1/2`.")
    reason: str
    made_at: datetime
    cancelled_at: datetime | None

    @staticmethod
    def resolve_entry(penalty: Penalty) -> int:
        """Return the number of the entry."""
        return penalty.entry.number


class PenaltyPage(Page[PenaltyOut]):
    """Penalties, the latest first."""


class PenaltyGiven(Given):
    """Points to be taken away."""

    entry: Annotated[int, Field(strict=True, ge=1, le=32767)]
    points: Name
    reason: Reason


@reads(
    router,
    "/tournaments/{address}/penalties",
    PenaltyPage,
    check=require(Role.DIRECTOR),
)
def penalties(request: HttpRequest, address: Address, asked: Query[PageAsked]) -> Any:
    """The penalties of a tournament, for its directors."""
    tournament = tournament_at(request, address).tournament
    given = tournament.penalties.select_related("entry")
    page, following = page_of_rows(request, given, asked, "-made_at", "-pk")
    return {"items": page, "next": following}


@writes(
    router,
    "/tournaments/{address}/penalties",
    PenaltyOut,
    needs=DIRECT,
    status=201,
    check=require(Role.DIRECTOR),
)
def penalise(request: HttpRequest, address: Address, given: PenaltyGiven) -> Any:
    """Take points away from somebody."""
    tournament = tournament_at(request, address).tournament
    entry = entry_at(tournament, given.entry)
    form = PenaltyForm(
        {"entry": entry.pk, "points": given.points, "reason": given.reason},
        tournament=tournament,
    )
    check_form(form)
    penalty = results.penalise(
        by=by_whom(request), now=timezone.now(), **form.cleaned_data
    )
    return Status(HTTPStatus.CREATED, penalty)


@writes(
    router,
    "/tournaments/{address}/penalties/{key}/cancel",
    PenaltyOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def penalty_cancel(request: HttpRequest, address: Address, key: Reference) -> Any:
    """Cancel a penalty; it stays in sight."""
    tournament = tournament_at(request, address).tournament
    if not tournament.penalties.filter(pk=key).exists():
        raise not_there()
    return results.cancel_penalty(penalty_id=key, now=timezone.now())
