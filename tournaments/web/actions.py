"""Actions of pages: messages about their changes, and forms that show a secret once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256

from django.contrib import messages
from django.core.cache import cache
from django.db.models import Model
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
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


@contextmanager
def show_refusals(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Show a refusal of what is done inside at its field of the form, or at `field`."""
    try:
        yield
    except RefusedError as refused:
        form.add_error(field or refused.field, refused.message)


def ask_to_confirm(
    request: HttpRequest,
    question: str,
    named: Sequence[str],
    *,
    title: str,
    back: str,
    back_label: str,
    no: str,
) -> HttpResponse | None:
    """Return a page that asks, and names what is open or lost; None once that was answered.

    Its `no` leads to the page `back`. Answered, the same form is posted again.
    """
    if "sure" in request.POST:
        return None
    posted = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    context = {
        "title": title,
        "question": question,
        "named": named,
        "posted": posted,
        "back": back,
        "back_label": back_label,
        "no": no,
    }
    return render(request, "tournaments/ask.html", context)


def _read(changes: Watched | None) -> object:
    if not isinstance(changes, Model):
        return changes() if changes else None
    # The account of a request is a proxy, whose type is not that of its row.
    rows = changes.__class__._default_manager.filter(pk=changes.pk)
    return [
        {name: value for name, value in row.items() if name not in COUNTED}
        for row in rows.values()
    ]


def posted_key(request: HttpRequest, name: str) -> int:
    """Return the primary key in a field of a form; 0 if it is none."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def show_renamed(request: HttpRequest, before: str, name: str) -> None:
    """Say that somebody has another name now, or that it is the same."""
    if before == name:
        messages.info(request, _("Nothing has changed: this is the name already."))
        return
    words = _("“%(before)s” is “%(name)s” now.")
    messages.success(request, words % {"before": before, "name": name})


REMEMBERED = 24 * 60 * 60
"""Seconds for which a form is known again."""


def is_first_time(request: HttpRequest) -> bool:
    """Tell whether a form is sent for the first time, by its `key`; one without a key always is."""
    return not request.POST.get("key") or cache.add(_name(request), True, REMEMBERED)


def forget_form(request: HttpRequest) -> None:
    """Let a form that made nothing be sent again."""
    cache.delete(_name(request))


def _name(request: HttpRequest) -> str:
    key = request.POST.get("key", "")
    return f"sent-{sha256(f'{request.user.pk} {key}'.encode()).hexdigest()}"
