"""Devices that receive notifications."""

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from scoring.web.views.requests import chosen_time_zone
from tournaments.changes import RefusedError
from tournaments.event.push import subscribe, unsubscribe
from tournaments.event.rights import own_entry_ids
from tournaments.models import Entry, Role, Subscription, Tournament, User
from tournaments.web.access import for_everybody, in_tournament

SUBSCRIPTIONS = "subscriptions"
"""Session key: the addresses of this browser's subscriptions."""
NOT_REGISTERED = _(
    "This phone isn’t registered yet. Register here, or sign in with your account."
)


def find_entry_or_desk_subscription(
    request: HttpRequest, tournament: Tournament, entry: Entry | None = None
) -> Subscription | None:
    """Return this browser's subscription for an entry, or else for the account's desk."""
    addresses = request.session.get(SUBSCRIPTIONS, [])
    if not addresses:
        return None
    user = None if entry else request.user.pk
    subscriptions = tournament.subscriptions.filter(address__in=addresses)
    return subscriptions.filter(entry=entry, user=user).first()


def list_browser_subscriptions(request: HttpRequest) -> Sequence[Subscription]:
    """Return the subscriptions of this browser, the latest tournament first."""
    addresses = request.session.get(SUBSCRIPTIONS, [])
    if not addresses:
        return ()
    subscriptions = Subscription.objects.filter(address__in=addresses)
    return list(
        subscriptions.select_related("tournament").order_by("-tournament__starts_at")
    )


@require_POST
@in_tournament(None)
def subscribe_player(
    request: HttpRequest, tournament: Tournament, number: int = 0
) -> HttpResponse:
    own = own_entry_ids(request, tournament)
    family = tournament.entries.filter(pk__in=own).by_number()
    entry = (family.filter(number=number) if number else family).first()
    if entry is None:
        refusal = {"field": "entry", "refused": str(NOT_REGISTERED)}
        return JsonResponse(refusal, status=404)
    return _subscribe_browser(request, tournament, entry=entry)


@require_POST
@in_tournament(Role.SCORER)
def subscribe_desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    assert isinstance(request.user, User)
    return _subscribe_browser(request, tournament, user=request.user)


def _subscribe_browser(
    request: HttpRequest,
    tournament: Tournament,
    *,
    entry: Entry | None = None,
    user: User | None = None,
) -> HttpResponse:
    try:
        subscription = subscribe(
            tournament=tournament,
            entry=entry,
            user=user,
            endpoint=request.POST.get("endpoint", ""),
            p256dh=request.POST.get("p256dh", ""),
            auth=request.POST.get("auth", ""),
            site=request.get_host().partition(":")[0][:200],
            language=get_language() or "",
            time_zone=chosen_time_zone(request),
            now=timezone.now(),
        )
    except RefusedError as refused:
        refusal = {"field": refused.field, "refused": refused.message}
        return JsonResponse(refusal, status=400)
    addresses = request.session.get(SUBSCRIPTIONS, [])
    if subscription.address not in addresses:
        request.session[SUBSCRIPTIONS] = [*addresses, subscription.address]
    stop = reverse("tournaments:subscription_stop", args=[subscription.address])
    return JsonResponse({"stop": stop}, status=201)


@csrf_exempt
@for_everybody
@require_http_methods(["GET", "HEAD", "POST"])
def show_or_end_subscription(request: HttpRequest, address: str) -> HttpResponse:
    """Show or end a subscription by its secret address, without a sign-in.

    A service worker has no CSRF token; the secret address takes its place.
    """
    matching = Subscription.objects.filter(address=address).select_related(
        "tournament", "entry"
    )
    subscription = matching.first()
    if request.method == "POST":
        was_subscribed = unsubscribe(address)
        if "page" in request.POST and was_subscribed:
            messages.success(request, _("Notifications are off for this device."))
        elif "page" in request.POST:
            messages.info(request, _("Notifications were already off."))
        if subscription is not None and "page" in request.POST:
            tournament, entry = subscription.tournament, subscription.entry
            if subscription.user_id is not None:
                return redirect("tournaments:desk", tournament.address)
            is_of_several = len(own_entry_ids(request, tournament)) > 1
            url_args = [entry.number] if entry is not None and is_of_several else []
            return redirect("tournaments:me", tournament.address, *url_args)
        return HttpResponse(status=204)
    return render(
        request,
        "tournaments/notifications/subscription_stop.html",
        {"subscription": subscription},
    )


def end_browser_subscriptions_of_entry(request: HttpRequest, entry: Entry) -> None:
    """End this browser's notifications for an entry."""
    addresses = request.session.get(SUBSCRIPTIONS, [])
    entry.subscriptions.filter(address__in=addresses).delete()


def end_other_browsers_subscriptions(request: HttpRequest, entry: Entry) -> None:
    """End the notifications for an entry in all browsers but this one."""
    addresses = request.session.get(SUBSCRIPTIONS, [])
    entry.subscriptions.exclude(address__in=addresses).delete()


@receiver(user_logged_out)
def end_all_browser_subscriptions(
    sender: type[User], request: HttpRequest, user: User | None, **_unused: object
) -> None:
    """End all notifications of a browser at its sign-out."""
    Subscription.objects.filter(
        address__in=request.session.get(SUBSCRIPTIONS, [])
    ).delete()
