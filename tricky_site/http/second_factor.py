"""Optional middleware that requires a second factor for every account."""

from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tricky_site.http.middleware import ACCOUNTS, Middleware, is_api_call

FOR_ANYBODY = (ACCOUNTS, "/language/", "/time-zone/", "/healthz", "/readyz", "/metrics")
"""Paths without this requirement: to add a factor, to sign out, and those without an account."""


class RequireSecondFactorMiddleware(Middleware):
    """Redirect accounts without a second factor to add one; treat their other requests as signed out."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(FOR_ANYBODY) or is_api_call(request):
            return self.get_response(request)
        if not request.user.is_authenticated or is_mfa_enabled(request.user):
            return self.get_response(request)
        opened = request.method == "GET" and "HX-Request" not in request.headers
        if opened and "text/html" in request.headers.get("Accept", ""):
            messages.warning(
                request,
                _(
                    "This server requires a passkey or an authenticator app as well as "
                    "your password. Add one to continue."
                ),
            )
            return redirect("mfa_index")
        request.user = AnonymousUser()
        return self.get_response(request)
