"""Webhooks of a club and their deliveries."""

from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.web.redirects import post_only
from tournaments.hooks.webhooks import (
    change_webhook,
    create_test_event,
    make_webhook,
    reschedule_delivery,
    switch_webhook,
)
from tournaments.models import Club, Role, User, Webhook
from tournaments.web.access import in_club
from tournaments.web.actions import (
    claim_form_key,
    read_posted_pk_or_zero,
    release_form_key,
    run_action,
    show_changed_or_unchanged_message,
    show_refusals,
)
from tournaments.web.club.forms import WebhookForm

MOST_DELIVERIES = 50
"""Deliveries listed."""
WEBHOOK_ALREADY_CREATED = gettext_lazy(
    "The secret was only shown once. If you didn’t save it, delete this "
    "webhook and create another."
)


@in_club(Role.DIRECTOR)
def list_or_create_webhooks(request: HttpRequest, club: Club) -> HttpResponse:
    """List a club's webhooks and create one; only this response shows its secret."""
    form, secret = WebhookForm(request.POST or None), ""
    if form.is_valid() and not claim_form_key(request):
        messages.info(request, WEBHOOK_ALREADY_CREATED)
        return redirect("tournaments:webhooks", club.slug)
    if form.is_valid():
        assert isinstance(request.user, User)
        with show_refusals(form):
            hook = make_webhook(
                club=club,
                user=request.user,
                site=request.build_absolute_uri("/"),
                now=timezone.now(),
                **form.cleaned_data,
            )
            form, secret = WebhookForm(), hook.secret
        if form.errors:
            release_form_key(request)
    context = {
        "club": club,
        "form": form,
        "key": uuid4(),
        "secret": secret,
        "hooks": club.webhooks.order_by("pk"),
    }
    return render(request, "tournaments/club/webhooks.html", context)


@in_club(Role.DIRECTOR)
def show_or_edit_webhook(request: HttpRequest, club: Club, pk: int) -> HttpResponse:
    hook = get_object_or_404(Webhook, club=club, pk=pk)
    initial = {"url": hook.url, "events": hook.events, "style": hook.style}
    form = WebhookForm(request.POST or None, initial=initial)
    if form.is_valid():
        with (
            show_refusals(form),
            show_changed_or_unchanged_message(request, _("Saved."), hook),
        ):
            change_webhook(hook=hook, **form.cleaned_data)
            return redirect("tournaments:webhook", club.slug, hook.pk)
    context = {
        "club": club,
        "hook": hook,
        "form": form,
        "deliveries": hook.deliveries.latest_first()[:MOST_DELIVERIES],
    }
    return render(request, "tournaments/club/webhook.html", context)


@post_only
@in_club(Role.DIRECTOR)
def apply_webhook_action(
    request: HttpRequest, club: Club, pk: int, verb: str
) -> HttpResponse:
    hook, now = get_object_or_404(Webhook, club=club, pk=pk), timezone.now()
    if verb == "remove":
        hook.delete()
        messages.success(request, _("Webhook deleted."))
        return redirect("tournaments:webhooks", club.slug)
    if verb in ("on", "off"):
        is_enabled = verb == "on"
        message = _("The webhook is on.") if is_enabled else _("The webhook is off.")
        with show_changed_or_unchanged_message(request, message, hook):
            switch_webhook(hook=hook, is_on=is_enabled, now=now)
    elif verb == "try":
        create_test_event(hook=hook, now=now)
        messages.success(request, _("Test sent. Check back in a few seconds."))
    elif verb == "again":
        delivery = get_object_or_404(
            hook.deliveries, pk=read_posted_pk_or_zero(request, "delivery")
        )
        run_action(
            request,
            lambda: reschedule_delivery(delivery=delivery, now=now),
            success_message=_("Event sent again."),
        )
    else:
        raise Http404
    return redirect("tournaments:webhook", club.slug, hook.pk)
