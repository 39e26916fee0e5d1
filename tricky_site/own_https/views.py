"""The first page: how a phone trusts this machine, and the way over to https."""

import re
from collections.abc import Callable
from functools import wraps

from cryptography.hazmat.primitives import hashes
from cryptography.x509.oid import NameOID
from csp.decorators import csp_update
from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseForbidden,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django.http.request import split_domain_port
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tricky_site.own_https.authority import Authority, read_authority
from tricky_site.own_https.profile import profile_of

IOS = re.compile(r"\b(?:iPhone|iPad|iPod)\b")
ANDROID = re.compile(r"\bAndroid\b")
API, REFERENCE = "/api/", "/api/v1/reference"
View = Callable[[HttpRequest], HttpResponse]


def is_call(request: HttpRequest) -> bool:
    """Tell whether a program asks what answers programs alone."""
    return request.path.startswith(API) and not request.path.startswith(REFERENCE)


def nothing_is_taken(view: View) -> View:
    """Refuse what somebody sends: over plain http everybody in the room could read it."""

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            return view(request)
        words = _("Nothing is taken over plain http. Send it to %(address)s.")
        return HttpResponseNotAllowed(
            ["GET", "HEAD"],
            words % {"address": over_there(request)},
            content_type="text/plain; charset=utf-8",
        )

    return answer


@never_cache
@csp_update({"img-src": ["https:"], "connect-src": ["https:"]})  # whether https works
@nothing_is_taken
def first_page(request: HttpRequest) -> HttpResponse:
    """Tell a person how their phone trusts this machine, and lead over; so is what loads files for one.

    Programs with tokens are refused: led over silently, they would show theirs here each time.
    """
    if is_call(request):
        words = _("Nothing is taken over plain http. Send it to %(address)s.")
        address = over_there(request)
        return HttpResponseForbidden(
            words % {"address": address}, content_type="text/plain; charset=utf-8"
        )
    if not request.accepts("text/html"):
        return HttpResponseRedirect(over_there(request), preserve_request=True)
    return _page(request, leads_to=over_there(request), goes_on=True)


@never_cache
@csp_update({"img-src": ["https:"], "connect-src": ["https:"]})
@nothing_is_taken
def trusting(request: HttpRequest) -> HttpResponse:
    """Tell the same to whoever wants to read it, and stay there."""
    return _page(request, leads_to=over_there(request, "/"), goes_on=False)


@require_safe
def certificate(request: HttpRequest) -> HttpResponse:
    """Answer with the certificate of the authority, as Android and computers take it."""
    return _file(_authority().pem, "tricky.crt", "application/x-x509-ca-cert")


@require_safe
def profile(request: HttpRequest) -> HttpResponse:
    """Answer with the same as iPhones and iPads take it."""
    words = _(
        "Lets this phone trust Tricky in this room, and no other site on the internet."
    )
    content = profile_of(_authority().certificate, description=words)
    return _file(content, "tricky.mobileconfig", "application/x-apple-aspen-config")


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that the process serves."""
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request for a name that is none of this machine's."""
    words = _("This machine has no such name. ALLOWED_HOSTS says which it has.")
    return HttpResponse(words, status=400, content_type="text/plain; charset=utf-8")


def broken(request: HttpRequest) -> HttpResponse:
    """Answer where the authority cannot be read, or anything else breaks."""
    words = _("The first page is broken. Whoever runs Tricky finds why in its log.")
    return HttpResponse(words, status=500, content_type="text/plain; charset=utf-8")


def over_there(request: HttpRequest, path: str = "") -> str:
    """Return the address on https that somebody asked for here, or of a path there."""
    host, _port = split_domain_port(request.get_host())
    place = host if settings.HTTPS_PORT == 443 else f"{host}:{settings.HTTPS_PORT}"
    return f"https://{place}{path or request.get_full_path()}"


def _page(request: HttpRequest, *, leads_to: str, goes_on: bool) -> HttpResponse:
    authority = _authority()
    agent = request.headers.get("User-Agent", "")
    name = authority.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    is_ios, is_android = bool(IOS.search(agent)), bool(ANDROID.search(agent))
    context = {
        "leads_to": leads_to,
        "goes_on": goes_on,
        "is_ios": is_ios,
        "is_android": is_android,
        "is_computer": not (is_ios or is_android),
        "sign": over_there(request, static("scoring/icons/tricky.svg")),
        "answers": over_there(request, "/healthz"),
        "authority": name[0].value,
        "fingerprint": authority.certificate.fingerprint(hashes.SHA256()).hex(" ", 2),
    }
    return render(request, "own_https/first_page.html", context)


def _authority() -> Authority:
    return read_authority(settings.AUTHORITY_FILE)


def _file(content: bytes, name: str, kind: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
