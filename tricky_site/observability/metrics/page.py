"""The page on which Prometheus, and whoever reads its text, finds the figures of a site."""

from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import ip_address, ip_network

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tricky_site.observability import readiness
from tricky_site.observability.metrics import figures
from tricky_site.observability.metrics.requests import metrics_of_requests
from tricky_site.observability.metrics.text import CONTENT_TYPE, Metric, Sample, written
from tricky_site.observability.readiness import MEGABYTE, Part, Probes

PARTS = {
    **readiness.PARTS,
    "queue": figures.queue,
    "log": figures.log,
    "outbox": figures.outbox,
}
probes = Probes(PARTS)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the figures, to whoever the host lets watch; elsewhere there is no such page."""
    if not (settings.METRICS_TOKEN or settings.METRICS_NETWORKS):
        raise Http404
    if not may_watch(request):
        words = "These figures want the host's METRICS_TOKEN, as a bearer token.\n"
        answer = HttpResponse(
            words, content_type="text/plain", status=HTTPStatus.UNAUTHORIZED
        )
        answer["WWW-Authenticate"] = 'Bearer realm="metrics"'
        return answer
    told = [*metrics_of_requests(), *metrics_of_parts(probes.parts())]
    return HttpResponse(written(told), content_type=CONTENT_TYPE)


def may_watch(request: HttpRequest) -> bool:
    """Tell whether somebody shows the token, or asks from a network that the host named."""
    kind, _, shown = request.headers.get("Authorization", "").partition(" ")
    token = settings.METRICS_TOKEN
    is_shown = kind.lower() == "bearer" and constant_time_compare(shown.strip(), token)
    return bool(token and is_shown) or _is_near(request)


def _is_near(request: HttpRequest) -> bool:
    try:
        address = ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ValueError):
        return False
    return any(address in ip_network(named) for named in settings.METRICS_NETWORKS)


def metrics_of_parts(parts: Mapping[str, Part]) -> list[Metric]:
    """Return how the parts of the site are; what did not answer in time has no figures."""

    def gauge(name: str, about: str, part: str, figure: str, unit: int = 1) -> Metric:
        known = parts[part].figures
        samples = [Sample(known[figure] * unit)] if figure in known else []
        return Metric(f"tricky_{name}", "gauge", about, samples)

    well = [
        Sample(int(part.is_fine), {"part": name, "state": part.state.value})
        for name, part in parts.items()
    ]
    entries = [
        Sample(count, {"kind": kind}) for kind, count in parts["log"].figures.items()
    ]
    return [
        Metric(
            "tricky_part_well", "gauge", "1 where a part of the site is well.", well
        ),
        Metric(
            "tricky_log_entries_total",
            "counter",
            "Entries that the logs of all matches took.",
            entries,
        ),
        gauge("queue_tasks", "Tasks that wait for a worker.", "queue", "waiting"),
        gauge("sweep_age_seconds", "Since the last sweep.", "sweep", "seconds_ago"),
        gauge("disk_free_bytes", "Free for TRICKY_VAR.", "disk", "free_mb", MEGABYTE),
        gauge(
            "outbox_waiting", "What webhooks are still to be told.", "outbox", "waiting"
        ),
        gauge("outbox_due", "What they are to be told now.", "outbox", "due"),
        gauge(
            "outbox_late_seconds",
            "Since when the oldest is due.",
            "outbox",
            "late_seconds",
        ),
        gauge(
            "outbox_given_up", "Given up, of the last 14 days.", "outbox", "given_up"
        ),
    ]
