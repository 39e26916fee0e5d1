"""Other web sites that may request a club's data and show it in a frame."""

import re
from collections.abc import Sequence
from datetime import datetime
from ipaddress import ip_address
from unicodedata import normalize
from urllib.parse import urlsplit

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.models import ApiOrigin, Club

MOST_ORIGINS = 20
"""Limit for one club."""
LONGEST_HOST = 180
LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"{LABEL}(\.{LABEL})*", re.ASCII)
"""As browsers write it: `müller.example` is `xn--mller-kva.example`."""
USUAL_PORTS = {"https": 443, "http": 80}


def allow_origin(*, club: Club, origin: str, now: datetime) -> ApiOrigin:
    """Allow the pages of an origin to request a club's data and to show it in a frame.

    Raises RefusedError if the text is no origin, or the club has too many.
    """
    normalized = normalize_origin(origin)
    if club.api_origins.count() >= MOST_ORIGINS:
        raise _origin_refusal(
            _("This club already has %(most)s sites. Remove one first.")
            % {"most": MOST_ORIGINS}
        )
    allowed, _created = ApiOrigin.objects.get_or_create(
        club=club, origin=normalized, defaults={"made_at": now}
    )
    return allowed


def normalize_origin(text: str) -> str:
    """Return an origin as browsers write it.

    Raises RefusedError if the text is no origin, or if a site outside a local network does
    not use https.

    >>> normalize_origin(" https://Club.Example:443/ ")
    'https://club.example'
    >>> normalize_origin("https://müller.example:8443")
    'https://xn--mller-kva.example:8443'
    """
    text = text.strip()
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise _malformed_refusal() from error
    try:
        port = parts.port
    except ValueError as error:
        raise _origin_refusal(_("Enter a port number up to 65535.")) from error
    if "*" in text:
        raise _origin_refusal(_("Enter each site separately, without *."))
    if parts.scheme not in USUAL_PORTS or not parts.hostname:
        raise _malformed_refusal()
    hostname = parts.hostname.rstrip(".")
    host = ".".join(
        label if label.isascii() else f"xn--{label.encode('punycode').decode()}"
        for label in normalize("NFKC", hostname).split(".")
    )
    if len(host) > LONGEST_HOST or not HOST.fullmatch(host):
        raise _origin_refusal(
            _("“%(host)s” isn’t a valid domain name.") % {"host": hostname}
        )
    is_usual_port = port is None or port == USUAL_PORTS[parts.scheme]
    normalized = f"{parts.scheme}://{host}" + ("" if is_usual_port else f":{port}")
    path_or_query = parts.path.strip("/") or parts.query or parts.fragment
    if path_or_query or parts.username is not None:
        raise _origin_refusal(
            _("Enter only the site, without a path: %(origin)s")
            % {"origin": normalized}
        )
    if parts.scheme == "http" and not _is_in_local_network(host):
        raise _origin_refusal(_("Use https. With http, anyone could fake the page."))
    return normalized


def _is_in_local_network(host: str) -> bool:
    """Return whether a host is private or named `.local`: there is no https for these."""
    if host == "localhost" or host.endswith((".localhost", ".local")):
        return True
    try:
        return ip_address(host).is_private
    except ValueError:
        return False


def _malformed_refusal() -> RefusedError:
    return _origin_refusal(
        _("Enter an address like https://example.org, without a path.")
    )


def _origin_refusal(message: str) -> RefusedError:
    return RefusedError("origin", message)


def is_origin_allowed(origin: str, club_condition: Q | None) -> bool:
    """Return whether the pages of an origin may read a club that meets `club_condition`, or any club without one."""
    origins = ApiOrigin.objects.filter(origin=origin)
    if club_condition is not None:
        origins = origins.filter(club__in=Club.objects.filter(club_condition))
    return origins.exists()


def allowed_origins(club: Club) -> Sequence[str]:
    """Return the sites that may show a club in a frame, in order; one query."""
    return list(club.api_origins.order_by("origin").values_list("origin", flat=True))
