"""Runs an action of a page, and says what it changed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest
from django.utils.translation import gettext as _

from scoring.web.views.requests import UNCHANGED
from tournaments.changes import RefusedError

Watched = Model | Callable[[], object]
"""A row, or a function that reads what an action is to change."""

COUNTED = frozenset({"version", "asked_at", "waiting_since"})
"""Fields that count every use of an action."""


def run_action(
    request: HttpRequest,
    action: Callable[[], object],
    *,
    said: str = "",
    changes: Watched | None = None,
    unchanged: str = "",
) -> bool:
    """Run an action, and show what it changed, that nothing changed, or why it was refused.

    An action that returns a string answers for itself. Otherwise `said` is shown if `changes`
    differ afterwards, and `unchanged` if not. Returns False if it was refused.
    """
    before = _read(changes)
    try:
        answer = action()
    except RefusedError as refused:
        messages.error(request, refused.message)
        return False
    if changes is not None and _read(changes) == before:
        messages.info(request, unchanged or _(UNCHANGED))
    elif words := answer if isinstance(answer, str) else said:
        messages.success(request, words)
    return True


@contextmanager
def show_change(
    request: HttpRequest, said: str, changes: Watched, *, unchanged: str = ""
) -> Iterator[None]:
    """Show what was done inside if `changes` differ afterwards, else that nothing changed.

    For a form, which shows a refusal at its field: exceptions pass.
    """
    before = _read(changes)
    yield
    if _read(changes) == before:
        messages.info(request, unchanged or _(UNCHANGED))
    else:
        messages.success(request, said)


def _read(changes: Watched | None) -> object:
    """Return what is stored now."""
    if not isinstance(changes, Model):
        return changes() if changes else None
    # The account of a request is a proxy, whose type is not that of its row.
    rows = changes.__class__._default_manager.filter(pk=changes.pk)
    return [
        {name: value for name, value in row.items() if name not in COUNTED}
        for row in rows.values()
    ]


def show_renamed(request: HttpRequest, before: str, name: str) -> None:
    """Say that somebody has another name now, or that it is the same."""
    if before == name:
        messages.info(request, _("Nothing has changed: this is the name already."))
        return
    words = _("“%(before)s” is “%(name)s” now.")
    messages.success(request, words % {"before": before, "name": name})
