"""Views and URLs on plain HTTP: instructions to trust this machine, and links to HTTPS.

Every path of the site shows the page about trust.
"""

import re

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from csp.decorators import csp_update
from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseForbidden,
    HttpResponseNotAllowed,
)
from django.http.request import split_domain_port
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import path, re_path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

API = re.compile(r"/api/(?!v1/reference)")
TEXT = "text/plain; charset=utf-8"


@never_cache
@csp_update({"img-src": ["https:"], "connect-src": ["https:"]})  # to see if https works
def trust_page(request: HttpRequest) -> HttpResponse:
    """Show how to trust this machine, with a link to the same URL on HTTPS.

    Refuses requests that could contain a password or an API key, as anyone in the room could read
    them.
    """
    stays = request.path == reverse("trust")
    https_url = build_https_url(request, "/" if stays else request.get_full_path())
    refusal = _("This page doesn’t accept data over plain http. Use %(address)s.") % {
        "address": https_url
    }
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"], refusal, content_type=TEXT)
    if API.match(request.path):
        return HttpResponseForbidden(refusal, content_type=TEXT)
    if not request.accepts("text/html"):
        return redirect(https_url)
    authority = load_authority_certificate()
    (name,) = authority.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    families = {
        "ios": _("iPhone and iPad"),
        "android": _("Android"),
        "computer": _("Computer"),
    }
    agent = request.headers.get("User-Agent", "")
    if re.search(r"\b(?:iPhone|iPad|iPod)\b", agent):
        family = "ios"
    else:
        family = "android" if re.search(r"\bAndroid\b", agent) else "computer"
    context = {
        "https_url": https_url,
        "stays": stays,
        "family": family,
        "family_name": families.pop(family),
        "other_families": families,
        "icon_url": build_https_url(request, static("scoring/icons/tricky.svg")),
        "health_url": build_https_url(request, "/healthz"),
        "authority": name.value,
        "fingerprint": authority.fingerprint(hashes.SHA256()).hex(" ", 2),
    }
    return render(request, "own_https/trust.html", context)


@require_safe
def download_certificate(request: HttpRequest) -> HttpResponse:
    """Download the authority's certificate. iPhones and iPads show it as a profile."""
    content = load_authority_certificate().public_bytes(Encoding.PEM)
    return HttpResponse(content, content_type="application/x-x509-ca-cert")


@require_safe
def liveness(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type=TEXT)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Respond to a request for a host that is not in ALLOWED_HOSTS."""
    message = _(
        "This address isn’t set up on this server. Add it to ALLOWED_HOSTS to use it."
    )
    return HttpResponse(message, status=400, content_type=TEXT)


def server_error(request: HttpRequest) -> HttpResponse:
    """Respond if the authority cannot be read or another error occurs."""
    message = _("Something went wrong. If you run this server, check its log.")
    return HttpResponse(message, status=500, content_type=TEXT)


def build_https_url(request: HttpRequest, url_path: str) -> str:
    """Return the HTTPS URL of a path on the host of the request."""
    host, _port = split_domain_port(request.get_host())
    port = "" if settings.HTTPS_PORT == 443 else f":{settings.HTTPS_PORT}"
    return f"https://{host}{port}{url_path}"


def load_authority_certificate() -> x509.Certificate:
    """Return the authority's certificate, without the key next to it."""
    return x509.load_pem_x509_certificate(settings.AUTHORITY_FILE.read_bytes())


handler400, handler500 = bad_request, server_error
urlpatterns = [
    path("healthz", liveness),
    path("trust/tricky.crt", download_certificate, name="certificate"),
    path("trust/", trust_page, name="trust"),
    re_path("", trust_page),
]
