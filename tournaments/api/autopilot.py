"""Nights that run by themselves: what comes next, and what a director says to it."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema

from scoring.api.operations import DIRECT, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import not_there
from scoring.api.schemas import Address, Reference
from tournaments.api.access import by_whom, require, tournament_at
from tournaments.event.autopilot import steps as verbs
from tournaments.models import AutoStep, Role

router = Router(tags=["Autopilot"])


class StepOut(Schema):
    """A step of a night: announced, then done unless somebody holds it."""

    id: int
    kind: str = Field(
        description="`seat`, `start`, `last_hand`, `close`, `cut` or `finish`."
    )
    number: int = Field(description="Of the round that it is about.")
    state: str = Field(
        description="`announced`, `held`, `done`, `undone` or `dropped`."
    )
    announced_at: datetime
    due_at: datetime
    done_at: datetime | None
    refused: str = Field(description="Why it could not be done; then it is held.")


class StepPage(Page[StepOut]):
    """Steps, the latest first: the one that comes next is announced or held."""


@reads(router, "/tournaments/{address}/steps", StepPage, check=require(Role.VIEWER))
def steps(request: HttpRequest, address: Address, asked: Query[PageAsked]) -> Any:
    """What a tournament does by itself, for the club's people."""
    tournament = tournament_at(request, address).tournament
    page, following = page_of_rows(request, tournament.auto_steps.all(), asked, "-pk")
    return {"items": page, "next": following}


@writes(
    router,
    "/tournaments/{address}/steps/{key}/acts/{verb}",
    StepOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def step_act(
    request: HttpRequest,
    address: Address,
    key: Reference,
    verb: Literal["hold", "now", "undo"],
) -> Any:
    """Hold an announced step, do it now, or undo the last one that was done."""
    tournament = tournament_at(request, address).tournament
    if not tournament.auto_steps.filter(pk=key).exists():
        raise not_there()
    by, now = by_whom(request), timezone.now()
    step: AutoStep
    match verb:
        case "hold":
            step = verbs.hold(step_id=key, by=by)
        case "now":
            step = verbs.bring_forward(step_id=key, by=by, now=now)
        case "undo":
            step = verbs.undo(step_id=key, by=by, now=now)
    return step
