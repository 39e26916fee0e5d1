"""A club's webhooks: whom it tells what happens, and what became of that."""

from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Literal

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import not_there
from scoring.api.schemas import Address, Given, Reference, Yes
from tournaments.api.access import by_whom, club_at, require
from tournaments.api.filled import as_posted, check_form
from tournaments.hooks import webhooks as verbs
from tournaments.models import Delivery, Role, Webhook
from tournaments.web.forms.webhooks import WebhookForm

router = Router(tags=["Webhooks"])

Event = Literal[
    "match.finished",
    "result.confirmed",
    "round.seated",
    "standings.changed",
    "tournament.finished",
    "director.called",
]
Style = Literal[
    "standard",
    "discord",
    "discord-text",
    "slack",
    "slack-text",
    "matrix",
    "matrix-text",
]
Url = Annotated[str, Field(strict=True, min_length=1, max_length=500)]


class WebhookOut(Schema):
    """An address that is told what happens."""

    id: int
    url: str
    events: list[str]
    style: str
    made_at: datetime
    failing_since: datetime | None
    off_at: datetime | None = Field(description="Since when it is told nothing.")
    off_because: str = Field(description="`director`, `failing` or `loop`.")


class WebhookPage(Page[WebhookOut]):
    """Webhooks in the order in which they were made."""


class WebhookMade(WebhookOut):
    """A new webhook."""

    secret: str = Field(description="Signs what is sent; it is told this once.")


class WebhookGiven(Given):
    """Which address is told what, in whose words."""

    url: Url
    events: list[Event]
    style: Style = "standard"


class WebhookChanged(Given):
    """What is to be so of a webhook; what is left out stays."""

    url: Url | None = None
    events: list[Event] | None = None
    style: Style | None = None
    is_on: Yes | None = None


class DeliveryOut(Schema):
    """One thing that a webhook was told, or is to be."""

    id: int
    kind: str
    title: str
    state: str = Field(description="`waiting`, `delivered` or `failed`.")
    attempts: int
    written_at: datetime
    due_at: datetime
    last_at: datetime | None
    answer: str


class DeliveryPage(Page[DeliveryOut]):
    """Deliveries, the latest first; they are kept for two weeks."""


class SentOut(Schema):
    """What was written to be sent."""

    event: str = Field(description="The key by which who is told knows it again.")


def webhook_at(slug: str, key: int) -> Webhook:
    """Return a webhook of a club; raises ProblemError."""
    club = club_at(slug)
    hook = club.webhooks.filter(pk=key).first()
    if hook is None:
        raise not_there()
    hook.club = club
    return hook


def _delivery(delivery: Delivery) -> dict[str, Any]:
    return {
        "id": delivery.pk,
        "kind": delivery.event.kind,
        "title": delivery.event.title,
        "state": delivery.state,
        "attempts": delivery.attempts,
        "written_at": delivery.written_at,
        "due_at": delivery.due_at,
        "last_at": delivery.last_at,
        "answer": delivery.answer,
    }


@reads(router, "/clubs/{slug}/webhooks", WebhookPage, check=require(Role.DIRECTOR))
def webhooks(request: HttpRequest, slug: Address, asked: Query[PageAsked]) -> Any:
    """The webhooks of a club."""
    club = club_at(slug)
    page, following = page_of_rows(request, club.webhooks.all(), asked, "pk")
    return {"items": page, "next": following}


@writes(
    router,
    "/clubs/{slug}/webhooks",
    WebhookMade,
    needs=DIRECT,
    status=201,
    check=require(Role.DIRECTOR),
)
def webhook_new(request: HttpRequest, slug: Address, given: WebhookGiven) -> Any:
    """Have an address told what happens from now on.

    Addresses of private networks are refused.
    """
    club = club_at(slug)
    form = WebhookForm(as_posted(given.model_dump()))
    check_form(form)
    hook = verbs.make_webhook(
        club=club,
        by=by_whom(request),
        site=request.build_absolute_uri("/"),
        now=timezone.now(),
        **form.cleaned_data,
    )
    return Status(HTTPStatus.CREATED, hook)


@reads(router, "/clubs/{slug}/webhooks/{key}", WebhookOut, check=require(Role.DIRECTOR))
def webhook(request: HttpRequest, slug: Address, key: Reference) -> Any:
    """A webhook, without its secret."""
    return webhook_at(slug, key)


@writes(
    router,
    "/clubs/{slug}/webhooks/{key}",
    WebhookOut,
    needs=DIRECT,
    method="PATCH",
    check=require(Role.DIRECTOR),
)
def webhook_change(
    request: HttpRequest, slug: Address, key: Reference, given: WebhookChanged
) -> Any:
    """Tell a webhook other things, elsewhere or in other words; switch it off, or on again."""
    hook = webhook_at(slug, key)
    chosen = given.model_dump(exclude_none=True, exclude={"is_on"})
    with transaction.atomic():
        if chosen:
            now = {"url": hook.url, "events": hook.events, "style": hook.style}
            form = WebhookForm(as_posted({**now, **chosen}))
            check_form(form)
            verbs.change_webhook(hook=hook, **form.cleaned_data)
        if given.is_on is not None:
            verbs.switch(hook=hook, on=given.is_on, now=timezone.now())
    return hook


@writes(
    router,
    "/clubs/{slug}/webhooks/{key}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.DIRECTOR),
)
def webhook_remove(request: HttpRequest, slug: Address, key: Reference) -> Any:
    """Tell an address nothing any more, and forget it."""
    webhook_at(slug, key).delete()
    return Status(HTTPStatus.NO_CONTENT, None)


@writes(
    router,
    "/clubs/{slug}/webhooks/{key}/test",
    SentOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def webhook_test(request: HttpRequest, slug: Address, key: Reference) -> Any:
    """Send something that says nothing but that it comes; its delivery says whether it did."""
    hook = webhook_at(slug, key)
    return {"event": str(verbs.try_out(hook=hook, now=timezone.now()).key)}


@reads(
    router,
    "/clubs/{slug}/webhooks/{key}/deliveries",
    DeliveryPage,
    check=require(Role.DIRECTOR),
)
def deliveries(
    request: HttpRequest, slug: Address, key: Reference, asked: Query[PageAsked]
) -> Any:
    """What a webhook was told, and what it answered."""
    hook = webhook_at(slug, key)
    listed = hook.deliveries.select_related("event")
    page, following = page_of_rows(request, listed, asked, "-pk")
    return {"items": [_delivery(each) for each in page], "next": following}


@writes(
    router,
    "/clubs/{slug}/webhooks/{key}/deliveries/{delivery}/again",
    DeliveryOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def delivery_again(
    request: HttpRequest, slug: Address, key: Reference, delivery: Reference
) -> Any:
    """Send something once more, with all its attempts."""
    hook = webhook_at(slug, key)
    held = hook.deliveries.select_related("event").filter(pk=delivery).first()
    if held is None:
        raise not_there()
    held.webhook = hook
    return _delivery(verbs.send_again(delivery=held, now=timezone.now()))
