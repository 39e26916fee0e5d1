"""What a director says to a night that runs itself: wait, now, and take it back."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from scoring.web.ways_back import posted
from tournaments.event.autopilot import steps
from tournaments.models import AutoStep, Role, Tournament, User
from tournaments.web.autopilot import step_done
from tournaments.web.views.access import in_tournament
from tournaments.web.views.desk import action_for, try_to

SAID = {
    "hold": _("It waits until you say so."),
    "now": _("Done: %(step)s."),
    "undo": _("Undone: %(step)s. This waits until you say so."),
}


@posted
@in_tournament(Role.DIRECTOR)
def auto_step(
    request: HttpRequest, tournament: Tournament, pk: int, verb: str
) -> HttpResponse:
    """Hold an announced step, do it now, or undo one that was done."""
    step = get_object_or_404(AutoStep, tournament=tournament, pk=pk)
    by, now = request.user, timezone.now()
    assert isinstance(by, User)
    verbs = {
        "hold": lambda: steps.hold(step_id=step.pk, by=by),
        "now": lambda: steps.bring_forward(step_id=step.pk, by=by, now=now),
        "undo": lambda: steps.undo(step_id=step.pk, by=by, now=now),
    }
    act = action_for(verbs, verb)
    said = str(SAID[verb]) % {"step": step_done(step)}
    return try_to(request, tournament, act, said=said, changes=step)
