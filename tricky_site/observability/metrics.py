"""Metrics in the text format of Prometheus at `/metrics`."""

from http import HTTPStatus
from ipaddress import ip_address, ip_network

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tricky_site.observability.health import CHECKS, MEGABYTE, check_parts

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
GAUGES = {
    "tricky_queue_tasks": ("broker", "tasks", 1),
    "tricky_sweep_age_seconds": ("sweep", "seconds_ago", 1),
    "tricky_disk_free_bytes": ("disk", "free_mb", MEGABYTE),
    "tricky_standings_waiting": ("standings", "waiting", 1),
    "tricky_standings_late_seconds": ("standings", "late_seconds", 1),
    "tricky_outbox_waiting": ("outbox", "waiting", 1),
    "tricky_outbox_due": ("outbox", "due", 1),
    "tricky_outbox_late_seconds": ("outbox", "late_seconds", 1),
    "tricky_outbox_given_up": ("outbox", "given_up", 1),
    "tricky_backup_age_seconds": ("backup", "age_seconds", 1),
}
"""For each gauge the part, its figure, and the factor to the unit."""


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to programs with METRICS_TOKEN or from METRICS_NETWORKS."""
    if not (settings.METRICS_TOKEN or settings.METRICS_NETWORKS):
        raise Http404
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    is_same = constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    has_token = bool(settings.METRICS_TOKEN) and kind.lower() == "bearer" and is_same
    try:
        address = ip_address(get_adapter().get_client_ip(request))
        networks = map(ip_network, settings.METRICS_NETWORKS)
        is_in_network = any(address in network for network in networks)
    except (PermissionDenied, ValueError):
        is_in_network = False
    if not (has_token or is_in_network):
        return HttpResponse(
            "These figures want the host's METRICS_TOKEN, as a bearer token.\n",
            content_type="text/plain",
            status=HTTPStatus.UNAUTHORIZED,
            headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
        )
    parts = check_parts(CHECKS)
    lines = ["# TYPE tricky_part_well gauge"]
    for name, part in parts.items():
        labels = f'part="{name}",state="{part.state}"'
        lines.append(f"tricky_part_well{{{labels}}} {int(part.is_fine)}")
    for gauge, (name, figure, unit) in GAUGES.items():
        # A part that did not answer in time has no figures.
        if figure in parts[name].figures:
            lines.append(f"# TYPE {gauge} gauge")
            lines.append(f"{gauge} {parts[name].figures[figure] * unit}")
    return HttpResponse("\n".join(lines) + "\n", content_type=CONTENT_TYPE)
