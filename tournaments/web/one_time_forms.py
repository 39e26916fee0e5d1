"""Forms whose answer shows a secret once: sent again by a reload, they make nothing more."""

from hashlib import sha256

from django.core.cache import cache
from django.http import HttpRequest

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
