"""Figures for monitoring, in the text format of Prometheus at `/metrics`."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from http import HTTPStatus
from ipaddress import ip_address, ip_network
from pathlib import Path

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from backups.archive import last_backup_at
from tournaments.event.desk.attention import BACKED_UP_WITHIN
from tournaments.models import Delivery, Tournament
from tricky_site.observability import readiness
from tricky_site.observability.readiness import MEGABYTE, Part, PartState, Probes
from tricky_site.observability.request_counts import Counts, request_counts

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
"""The part, its figure and the unit of each gauge."""


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures to programs with the host's token or in a network that the host named."""
    if not (settings.METRICS_TOKEN or settings.METRICS_NETWORKS):
        raise Http404
    if not (_has_token(request) or _is_in_network(request)):
        return HttpResponse(
            "These figures want the host's METRICS_TOKEN, as a bearer token.\n",
            content_type="text/plain",
            status=HTTPStatus.UNAUTHORIZED,
            headers={"WWW-Authenticate": 'Bearer realm="metrics"'},
        )
    lines = [*_request_lines(request_counts().totals()), *_part_lines(probes.parts())]
    return HttpResponse("\n".join(lines) + "\n", content_type=CONTENT_TYPE)


def _has_token(request: HttpRequest) -> bool:
    kind, _, shown = request.headers.get("Authorization", "").partition(" ")
    token: str = settings.METRICS_TOKEN
    is_same = constant_time_compare(shown.strip(), token)
    return bool(token) and kind.lower() == "bearer" and is_same


def _is_in_network(request: HttpRequest) -> bool:
    try:
        address = ip_address(get_adapter().get_client_ip(request))
    except (PermissionDenied, ValueError):
        return False
    return any(address in ip_network(named) for named in settings.METRICS_NETWORKS)


def _request_lines(totals: Counts) -> Iterator[str]:
    for name, kind in (
        ("tricky_requests_total", "counter"),
        ("tricky_request_seconds", "histogram"),
    ):
        yield f"# TYPE {name} {kind}"
        samples = {key: total for key, total in totals.items() if key.startswith(name)}
        yield from (f"{sample} {total}" for sample, total in samples.items())


def _part_lines(parts: Mapping[str, Part]) -> Iterator[str]:
    """Yield the state of each part, and the figures of those that answered in time."""
    yield "# TYPE tricky_part_well gauge"
    for name, part in parts.items():
        labels = f'part="{name}",state="{part.state}"'
        yield f"tricky_part_well{{{labels}}} {int(part.is_fine)}"
    for gauge, (name, figure, unit) in GAUGES.items():
        if figure in parts[name].figures:
            yield f"# TYPE {gauge} gauge"
            yield f"{gauge} {parts[name].figures[figure] * unit}"


def check_outbox() -> Part:
    """Count what webhooks are still to be sent, what is due, and what was given up."""
    now = timezone.now()
    waiting = Delivery.objects.filter(
        state=Delivery.State.WAITING, webhook__off_at=None
    )
    due = Delivery.objects.due(now).order_by()
    figures = due.aggregate(due=Count("pk"), oldest=Min("due_at"))
    return Part(
        PartState.OK,
        {
            "waiting": waiting.count(),
            "due": figures["due"],
            "late_seconds": _seconds_since(figures["oldest"], now),
            "given_up": Delivery.objects.filter(state=Delivery.State.FAILED).count(),
        },
    )


def check_standings() -> Part:
    """Count the tournaments whose standings wait to be computed."""
    waiting = Tournament.objects.exclude(waiting_since=None).order_by()
    figures = waiting.aggregate(waiting=Count("pk"), oldest=Min("waiting_since"))
    late = _seconds_since(figures["oldest"], timezone.now())
    return Part(PartState.OK, {"waiting": figures["waiting"], "late_seconds": late})


def check_backup() -> Part:
    """Return the age of the last backup, if this machine has a folder for backups."""
    if not settings.BACKUP_FOLDER:
        return Part(PartState.NONE)
    last = last_backup_at(Path(settings.BACKUP_FOLDER))
    if last is None:
        return Part(PartState.LATE)
    age = _seconds_since(last, timezone.now())
    is_late = age > BACKED_UP_WITHIN.total_seconds()
    return Part(PartState.LATE if is_late else PartState.OK, {"age_seconds": age})


def _seconds_since(moment: datetime | None, now: datetime) -> int:
    return int((now - moment).total_seconds()) if moment else 0


CHECKS = {
    **readiness.CHECKS,
    "outbox": check_outbox,
    "standings": check_standings,
    "backup": check_backup,
}
probes = Probes(CHECKS)
