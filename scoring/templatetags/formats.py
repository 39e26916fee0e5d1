"""Numbers, times and clauses for readers, known to every template without loading.

Import no models here: the page that tells a phone how to trust a machine is drawn without a database.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from django import forms, template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from scoring.games.entry_form import EntryForm
from scoring.locales.numbers import format_number

if TYPE_CHECKING:
    from scoring.games.table_game import TableGame

register = template.Library()
PAUSED = "⏸"


@register.filter
def number(value: int | str | None) -> str:
    """Return a whole number with a true minus sign and thousands separators; other text unchanged.

    >>> number(-20), number(12345), number(None), number("–")
    ('−20', '12,345', '', '–')
    """
    if value is None:
        return ""
    if not isinstance(value, int):
        return value
    return format_number(value)


@register.filter
def gained(value: int) -> str:
    """Return a number of points with its sign; 0 has none.

    >>> gained(5), gained(-5), gained(0)
    ('+5', '−5', '0')
    """
    return f"+{number(value)}" if value > 0 else number(value)


@register.filter
def seat_fields(form: EntryForm, prefix: str) -> list[forms.BoundField]:
    return [form[f"{prefix}_{seat}"] for seat in range(form.state.seats)]


@register.simple_tag
def hand_text(game: "TableGame", key: str, number: int, **values: int) -> str:
    """Return a text about a hand, in the word of its game; keys are those of `hand_texts`."""
    return game.hand_text(key, number, **values)


@register.simple_tag
def clause_link(game: str, clause: str) -> SafeString | str:
    """Return a link to a clause on the page of its game.

    Clauses on the format of a record (`record.…`) are not on that page and give no link.
    """
    if clause.startswith("record."):
        return ""
    page = reverse("scoring:how_to_play_game", args=[game])
    return format_html(
        '<a href="{}#{}" title="{}">{}</a>', page, clause, clause, gettext("why?")
    )


@register.simple_tag
def remaining_time(
    ends_at: datetime, now: datetime, paused_at: datetime | None = None
) -> str:
    """Return the remaining time as minutes and seconds, or that time is over.

    >>> remaining_time(datetime(2026, 5, 1, 20, 50), datetime(2026, 5, 1, 20, 0, 58))
    '49:02'
    """
    seconds = round((ends_at - (paused_at or now)).total_seconds())
    minutes, seconds = divmod(seconds, 60)
    clock_text = (
        f"{minutes}:{seconds:02}" if (minutes, seconds) > (0, 0) else gettext("Time")
    )
    return f"{clock_text} {PAUSED}" if paused_at else clock_text
