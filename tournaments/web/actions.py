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

IGNORED_FIELDS = frozenset({"version", "asked_at", "waiting_since"})
"""Fields that differ after every use of an action; comparisons ignore them."""


def run_action(
    request: HttpRequest,
    action: Callable[[], object],
    *,
    success_message: str = "",
    changes: Watched | None = None,
    unchanged_message: str = "",
) -> bool:
    """Run an action and show a message: its success, that nothing changed, or the refusal.

    If `changes` are given and equal afterwards, the message is `unchanged_message`. Otherwise
    it is the string that the action returns, or `success_message`. Returns False if the action
    was refused.
    """
    values_before = read_watched_values(changes)
    try:
        result = action()
    except RefusedError as refused:
        messages.error(request, refused.message)
        return False
    if changes is not None and read_watched_values(changes) == values_before:
        messages.info(request, unchanged_message or _(UNCHANGED))
    elif message := result if isinstance(result, str) else success_message:
        messages.success(request, message)
    return True


@contextmanager
def show_changed_or_unchanged_message(
    request: HttpRequest,
    success_message: str,
    changes: Watched,
    *,
    unchanged_message: str = "",
) -> Iterator[None]:
    """Show `success_message` if `changes` differ after the block, else that nothing changed.

    Exceptions pass through: a form shows a refusal at its field.
    """
    values_before = read_watched_values(changes)
    yield
    if read_watched_values(changes) == values_before:
        messages.info(request, unchanged_message or _(UNCHANGED))
    else:
        messages.success(request, success_message)


@contextmanager
def show_refusals(form: BaseForm, field: str | None = None) -> Iterator[None]:
    """Add a RefusedError of the block to the form, at `field` or the error's own field."""
    try:
        yield
    except RefusedError as refused:
        form.add_error(field or refused.field, refused.message)


def confirmation_page(
    request: HttpRequest, question: str, details: Sequence[str], **labels: str
) -> HttpResponse:
    """Return a page with the question and its `details`.

    The button with `confirm_label` posts the same form again, with `sure`. *Cancel* leads to
    `back_url`. The other labels are `title` and `back_label`.
    """
    fields = [
        (name, value)
        for name, values in request.POST.lists()
        for value in values
        if name != "csrfmiddlewaretoken"
    ]
    context = {"question": question, "details": details, "fields": fields, **labels}
    return render(request, "tournaments/confirm.html", context)


def read_watched_values(changes: Watched | None) -> object:
    """Return the values of a row except `IGNORED_FIELDS`, or what a function reads."""
    if not isinstance(changes, Model):
        return changes() if changes else None
    # `request.user` is a lazy proxy: its type is not the model, its `__class__` is.
    rows = changes.__class__._default_manager.filter(pk=changes.pk)
    return [
        {name: value for name, value in row.items() if name not in IGNORED_FIELDS}
        for row in rows.values()
    ]


def read_posted_pk_or_zero(request: HttpRequest, name: str) -> int:
    """Return the primary key in a field of the posted form; 0 if it is not a valid one."""
    text = request.POST.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def show_rename_or_unchanged_message(
    request: HttpRequest, old_name: str, new_name: str
) -> None:
    """Show the new name in a message, or that the name is the same."""
    if old_name == new_name:
        messages.info(request, _("Nothing changed. That’s already the name."))
        return
    message = _("“%(before)s” is now “%(name)s”.")
    messages.success(request, message % {"before": old_name, "name": new_name})


FORM_KEY_SECONDS = 24 * 60 * 60
"""Seconds for which a sent form is recognised."""


def claim_form_key(request: HttpRequest) -> bool:
    """Return whether the form with this `key` is sent for the first time.

    A form without a key always is.
    """
    return not request.POST.get("key") or cache.add(
        _form_cache_key(request), True, FORM_KEY_SECONDS
    )


def release_form_key(request: HttpRequest) -> None:
    """Allow a form to be sent again after it created nothing."""
    cache.delete(_form_cache_key(request))


def _form_cache_key(request: HttpRequest) -> str:
    key = request.POST.get("key", "")
    return f"sent-{sha256(f'{request.user.pk} {key}'.encode()).hexdigest()}"
