"""URLs of the whole site."""

from django.apps import apps
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from tournaments.web.account.views import (
    download_recovery_codes_page,
    recovery_codes_page,
)
from tricky_site.api.assembly import api
from tricky_site.api.reference import api_reference, json_schema
from tricky_site.locales.choices import choose_time_zone_page, set_language
from tricky_site.observability.health import liveness, readiness
from tricky_site.observability.metrics import metrics
from tricky_site.observability.server_page import server_page
from tricky_site.style_guide import style_guide

handler400 = "tricky_site.http.errors.bad_request"
handler429 = "tricky_site.http.errors.too_many_requests"
handler500 = "tricky_site.http.errors.server_error"


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt, which excludes pages from search engines."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")


urlpatterns = [
    path("healthz", liveness, name="healthz"),
    path("readyz", readiness, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("server/", server_page, name="server"),
    path("robots.txt", robots, name="robots"),
    path("schemas/<slug:name>.json", json_schema, name="schema"),
    path("language/", set_language, name="set_language"),
    path("time-zone/", choose_time_zone_page, name="time_zone"),
    # Before the URLs of allauth, which would show the codes at any time.
    path(
        "accounts/2fa/recovery-codes/",
        recovery_codes_page,
        name="mfa_view_recovery_codes",
    ),
    path(
        "accounts/2fa/recovery-codes/download/",
        download_recovery_codes_page,
        name="mfa_download_recovery_codes",
    ),
    # The page of the account lists its sessions and events.
    path(
        "accounts/sessions/",
        RedirectView.as_view(pattern_name="tournaments:account_history"),
        name="usersessions_list",
    ),
    path("accounts/", include("allauth.urls")),
    path("api/v1/reference", api_reference, name="api_reference"),
    path("api/v1/", api.urls),
    path("", include("tournaments.web.urls")),
    path("", include("scoring.web.urls")),
]

if settings.DEBUG:
    urlpatterns.append(path("styleguide/", style_guide, name="style_guide"))
# Only with DEBUG; see DEVELOPER_TOOLS in the settings.
if apps.is_installed("debug_toolbar"):
    urlpatterns.append(path("__debug__/", include("debug_toolbar.urls")))
if apps.is_installed("django_browser_reload"):
    urlpatterns.append(path("__reload__/", include("django_browser_reload.urls")))
