"""The language and time zone that a visitor can choose, stored in cookies and the account."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views import i18n
from django.views.decorators.http import require_http_methods, require_POST

from scoring.web.views.requests import chosen_time_zone, read_language_cookie
from tournaments.models import User
from tournaments.web.fields import OwnTimeZoneForm
from tricky_site.http.middleware import queue_choice_cookie, set_or_delete_choice_cookie


def _save_choice(user: object, field: str, choice: str) -> None:
    if isinstance(user, User):
        setattr(user, field, choice)
        user.save(update_fields=[field])


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Choose a language; without one, use that of the club or the browser again."""
    response = i18n.set_language(request)
    language = request.POST.get(i18n.LANGUAGE_QUERY_PARAMETER, "")
    if not language:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
    if not language or language in dict(settings.LANGUAGES):
        _save_choice(request.user, "language", language)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def choose_time_zone_page(request: HttpRequest) -> HttpResponse:
    """Choose a time zone; without one, use that of each club again."""
    chosen = chosen_time_zone(request)
    leads = request.POST.get("next", request.headers.get("Referer", ""))
    if not url_has_allowed_host_and_scheme(leads, {request.get_host()}):
        leads = "/"
    ends = request.POST.get("act") == "as_clubs"
    form = OwnTimeZoneForm(
        request.POST if request.method == "POST" and not ends else None,
        chosen=chosen,
    )
    if not ends and not form.is_valid():
        return render(
            request, "tournaments/time_zone.html", {"form": form, "next": leads}
        )
    wanted = "" if ends else form.cleaned_data["time_zone"]
    _save_choice(request.user, "time_zone", wanted)
    # If the same zone is chosen again, nothing has changed.
    show = messages.info if wanted == chosen else messages.success
    show(
        request,
        _("Times are now shown in %(zone)s.") % {"zone": wanted}
        if wanted
        else _("Times are now shown in each club’s time zone."),
    )
    answer = redirect(leads)
    set_or_delete_choice_cookie(answer, settings.TIME_ZONE_COOKIE_NAME, wanted)
    return answer


@receiver(user_logged_in)
def sync_choices_at_login(
    sender: object, request: HttpRequest | None, user: User, **_more: object
) -> None:
    """Use the choices of an account that signs in, or store those of the phone if it has none."""
    if request is None:
        return
    for field, cookie, phone_choice in (
        ("language", settings.LANGUAGE_COOKIE_NAME, read_language_cookie(request)),
        ("time_zone", settings.TIME_ZONE_COOKIE_NAME, chosen_time_zone(request)),
    ):
        if chosen := getattr(user, field):
            queue_choice_cookie(request, cookie, chosen)
        elif phone_choice:
            _save_choice(user, field, phone_choice)
