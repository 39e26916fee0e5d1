"""Clocks as they stand when a page is sent; `clock.js` lets them run."""

from datetime import datetime

from django import template
from django.utils.translation import gettext

register = template.Library()
PAUSED = "⏸"


@register.simple_tag
def remaining_time(
    ends_at: datetime, now: datetime, paused_at: datetime | None = None
) -> str:
    """Return what is left as minutes and seconds, or that time is over.

    >>> remaining_time(datetime(2026, 5, 1, 20, 50), datetime(2026, 5, 1, 20, 0, 58))
    '49:02'
    """
    seconds = round((ends_at - (paused_at or now)).total_seconds())
    minutes, seconds = divmod(seconds, 60)
    words = (
        f"{minutes}:{seconds:02}" if (minutes, seconds) > (0, 0) else gettext("Time")
    )
    return f"{words} {PAUSED}" if paused_at else words
