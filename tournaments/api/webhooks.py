"""A club's webhooks: their addresses, events and deliveries."""

from datetime import datetime
from typing import Annotated

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from ninja import Field, Schema

from scoring.api.operations import Operations
from scoring.api.schemas import Reference, StrictBool
from tournaments.api.access import ClubRequest, director
from tournaments.api.forms import form_data, form_schema, require_valid_form
from tournaments.hooks import webhooks as verbs
from tournaments.models import Delivery, Webhook
from tournaments.web.club.forms import WebhookForm

Url = Annotated[str, Field(strict=True, min_length=1, max_length=500)]


class WebhookOut(Schema):
    """An address that receives events."""

    id: int
    url: str
    events: list[str]
    style: str
    made_at: datetime
    failing_since: datetime | None
    off_at: datetime | None = Field(
        description="When it was switched off; null if it is on."
    )
    off_because: str = Field(description="`director`, `failing` or `loop`.")


class NewWebhookOut(WebhookOut):
    secret: str = Field(
        description="The key that signs requests. It is returned only once."
    )


class WebhookInput(form_schema(WebhookForm, "url", "events")):  # type: ignore[misc]
    """A new webhook: its address, events and message format."""

    url: Url
    style: Webhook.Style = Webhook.Style.STANDARD


class WebhookPatch(form_schema(WebhookForm)):  # type: ignore[misc]
    """Changes to a webhook. Omitted fields keep their values."""

    url: Url | None = None
    is_on: StrictBool | None = None


class DeliveryOut(Schema):
    """An event that was sent to a webhook, or will be."""

    id: int
    kind: str = Field(alias="event.kind")
    title: str = Field(alias="event.title")
    state: str = Field(description="`waiting`, `delivered` or `failed`.")
    attempts: int
    written_at: datetime
    due_at: datetime
    last_at: datetime | None
    answer: str


class TestMessageOut(Schema):
    event: str = Field(description="The key of the event, which receivers get as well.")


operations = Operations("Webhooks", ClubRequest)


@operations.get("/webhooks", list[WebhookOut], check_access=director)
def webhooks(request: ClubRequest) -> QuerySet[Webhook]:
    """List the webhooks of a club, oldest first."""
    return request.club.webhooks.order_by("pk")


@operations.post("/webhooks", NewWebhookOut, check_access=director, status=201)
def webhook_new(request: ClubRequest, body: WebhookInput) -> Webhook:
    """Create a webhook, which receives events from now on.

    Addresses in private networks are refused.
    """
    form = require_valid_form(WebhookForm(form_data(body.model_dump())))
    return verbs.make_webhook(
        club=request.club,
        user=request.required_user,
        site=request.http.build_absolute_uri("/"),
        now=request.now,
        **form.cleaned_data,
    )


@operations.get("/webhooks/{key}", WebhookOut, check_access=director)
def webhook(request: ClubRequest, key: Reference) -> Webhook:
    """Get a webhook, without its secret."""
    return get_object_or_404(request.club.webhooks, pk=key)


@operations.patch("/webhooks/{key}", WebhookOut, check_access=director)
def webhook_change(request: ClubRequest, key: Reference, body: WebhookPatch) -> Webhook:
    """Change the address, events or format of a webhook, or switch it off or on."""
    hook = get_object_or_404(request.club.webhooks, pk=key)
    chosen = body.model_dump(exclude_none=True, exclude={"is_on"})
    with transaction.atomic():
        if chosen:
            now = {"url": hook.url, "events": hook.events, "style": hook.style}
            form = require_valid_form(WebhookForm(form_data({**now, **chosen})))
            verbs.change_webhook(hook=hook, **form.cleaned_data)
        if body.is_on is not None:
            verbs.switch_webhook(hook=hook, is_on=body.is_on, now=request.now)
    return hook


@operations.delete("/webhooks/{key}", check_access=director)
def webhook_remove(request: ClubRequest, key: Reference) -> None:
    """Delete a webhook and its deliveries."""
    get_object_or_404(request.club.webhooks, pk=key).delete()


@operations.post("/webhooks/{key}/test", TestMessageOut, check_access=director)
def webhook_test(request: ClubRequest, key: Reference) -> dict[str, str]:
    """Send a test event. Its delivery shows whether it was accepted."""
    hook = get_object_or_404(request.club.webhooks, pk=key)
    return {"event": str(verbs.create_test_event(hook=hook, now=request.now).key)}


@operations.get("/webhooks/{key}/deliveries", list[DeliveryOut], check_access=director)
def deliveries(request: ClubRequest, key: Reference) -> QuerySet[Delivery]:
    """List the deliveries to a webhook with its answers, latest first. Stored for two weeks."""
    hook = get_object_or_404(request.club.webhooks, pk=key)
    return hook.deliveries.select_related("event").order_by("-pk")


@operations.post(
    "/webhooks/{key}/deliveries/{delivery}/again", DeliveryOut, check_access=director
)
def delivery_again(
    request: ClubRequest, key: Reference, delivery: Reference
) -> Delivery:
    """Send a delivery again, with all its attempts."""
    hook = get_object_or_404(request.club.webhooks, pk=key)
    failed_delivery = get_object_or_404(
        hook.deliveries.select_related("event"), pk=delivery
    )
    return verbs.reschedule_delivery(delivery=failed_delivery, now=request.now)
