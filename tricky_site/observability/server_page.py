"""The page of the server, for its administrators."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Delivery, SecurityEvent, User
from tournaments.web.access import requires_account
from tricky_site.celery import app
from tricky_site.observability.doctor import Severity, examine
from tricky_site.observability.task_runs import list_task_runs

MOST_LISTED = 20
SIGN_INS = (
    SecurityEvent.Kind.SIGNED_IN,
    SecurityEvent.Kind.SIGN_IN_FAILED,
)


@require_safe
@requires_account
def server_page(request: HttpRequest) -> HttpResponse:
    """Show what `manage.py doctor` says, the last tasks, failed webhooks and sign-ins. 404 for all but superusers."""
    if not (isinstance(request.user, User) and request.user.is_superuser):
        raise Http404
    badges: Mapping[Severity, tuple[str, str, str]] = {
        Severity.OK: ("ok", "check", _("fine")),
        Severity.OFF: ("off", "minus", _("not set up")),
        Severity.WARNING: ("wait", "triangle-alert", _("warning")),
        Severity.ERROR: ("bad", "ban", _("error")),
    }
    diagnoses = [
        (part, diagnosis, *badges[diagnosis.severity]) for part, diagnosis in examine()
    ]
    failed = Delivery.objects.filter(state=Delivery.State.FAILED)
    sign_ins = SecurityEvent.objects.filter(kind__in=SIGN_INS)
    context: dict[str, Any] = {
        "diagnoses": diagnoses,
        "error_count": sum(
            diagnosis.severity == Severity.ERROR
            for _part, diagnosis, *_badge in diagnoses
        ),
        "task_runs": list_task_runs(app.tasks)[:MOST_LISTED],
        "deliveries": failed.latest_first().select_related("webhook__club")[
            :MOST_LISTED
        ],
        "sign_ins": sign_ins.select_related("user").latest_first()[:MOST_LISTED],
    }
    return render(request, "server.html", context)
