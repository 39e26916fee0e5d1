"""Messages, confirmation pages and protection against resubmission for actions of pages."""

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
"""A row, or a function that reads the values that an action is meant to change."""

COUNTED = frozenset({"version", "asked_at", "waiting_since"})
"""Fields that differ after every use of an action; comparisons ignore them."""


def run_action(
    request: HttpRequest,
    action: Callable[[], object],
    *,
    said: str = "",
    changes: Watched | None = None,
    unchanged: str = "",
) -> bool:
    """Run an action and show a message: its success, that nothing changed, or the refusal.

    If `changes` are given and equal afterwards, the message is `unchanged`. Otherwise it is
    the string that the action returns, or `said`. Returns False if the action was refused.
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
    """Show `said` if `changes` differ after the block, else that nothing changed.

    Exceptions pass through: a form shows a refusal at its field.
    """
    before = _read(changes)
    yield
    if _read(changes) == before:
        messages.info(request, unchanged or _(UNCHANGED))
    else:
        messages.success(request, said)


@contextmanager
def show_refusals(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Add a RefusedError of the block to the form, at `field` or the error's own field."""
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
    yes: str,
) -> HttpResponse | None:
    """Return a page with the question and the details `named`; None once it was answered.

    The button `yes` posts the same form again, with `sure`. *Cancel* leads to `back`.
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
        "yes": yes,
    }
    return render(request, "tournaments/confirm.html", context)


def _read(changes: Watched | None) -> object:
    if not isinstance(changes, Model):
        return changes() if changes else None
    # `request.user` is a lazy proxy: its type is not the model, its `__class__` is.
    rows = changes.__class__._default_manager.filter(pk=changes.pk)
    return [
        {name: value for name, value in row.items() if name not in COUNTED}
        for row in rows.values()
    ]


def posted_key(request: HttpRequest, name: str) -> int:
    """Return the primary key in a field of the posted form; 0 if it is not a valid one."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def show_renamed(request: HttpRequest, before: str, name: str) -> None:
    """Show the new name in a message, or that the name is the same."""
    if before == name:
        messages.info(request, _("Nothing changed. That’s already the name."))
        return
    words = _("“%(before)s” is now “%(name)s”.")
    messages.success(request, words % {"before": before, "name": name})


REMEMBERED = 24 * 60 * 60
"""Seconds for which a sent form is recognised."""


def is_first_time(request: HttpRequest) -> bool:
    """Return whether the form with this `key` is sent for the first time.

    A form without a key always is.
    """
    return not request.POST.get("key") or cache.add(_name(request), True, REMEMBERED)


def forget_form(request: HttpRequest) -> None:
    """Allow a form to be sent again after it created nothing."""
    cache.delete(_name(request))


def _name(request: HttpRequest) -> str:
    key = request.POST.get("key", "")
    return f"sent-{sha256(f'{request.user.pk} {key}'.encode()).hexdigest()}"
