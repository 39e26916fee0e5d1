"""Time zones: by whose clocks somebody is told the hour, and how they choose others."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.web.views.requests import own_zone
from tournaments.models import User
from tournaments.people.zones import reads_clocks_of
from tournaments.web.fields import OwnZoneForm
from tricky_site.http.middleware import chosen_by_account, keep_choice


def choice(request: HttpRequest) -> dict[str, object]:
    """Return the time zone that was chosen here, empty for none."""
    return {"zone_chosen": own_zone(request)}


@require_http_methods(["GET", "HEAD", "POST"])
def time_zone(request: HttpRequest) -> HttpResponse:
    """Show by whose clocks hours are told, and tell them by others, wherever the account signs in.

    Without a choice those of each club are read again.
    """
    chosen = own_zone(request)
    leads = request.POST.get("next", request.headers.get("Referer", ""))
    if not url_has_allowed_host_and_scheme(leads, {request.get_host()}):
        leads = "/"
    ends = request.POST.get("act") == "as_clubs"
    form = OwnZoneForm(
        request.POST if request.method == "POST" and not ends else None,
        chosen=chosen,
    )
    if ends or form.is_valid():
        wanted = "" if ends else form.cleaned_data["time_zone"]
        if isinstance(request.user, User):
            reads_clocks_of(user=request.user, time_zone=wanted)
        # Chosen again it is as true, and nothing has changed.
        show = messages.info if wanted == chosen else messages.success
        show(
            request,
            _("Hours are told in %(zone)s from now on.") % {"zone": wanted}
            if wanted
            else _("Hours are told as each club has them from now on."),
        )
        answer = redirect(leads)
        keep_choice(answer, settings.TIME_ZONE_COOKIE_NAME, wanted)
        return answer
    context = {"form": form, "next": leads}
    return render(request, "tournaments/time_zone.html", context)


@receiver(user_logged_in)
def tell_the_hour(
    sender: object, request: HttpRequest | None, user: User, **_more: object
) -> None:
    """Tell an account the hour as it chose; one that never chose takes what was chosen here."""
    if request is None:
        return
    if user.time_zone:
        chosen_by_account(request)[settings.TIME_ZONE_COOKIE_NAME] = user.time_zone
    elif chosen := own_zone(request):
        reads_clocks_of(user=user, time_zone=chosen)
