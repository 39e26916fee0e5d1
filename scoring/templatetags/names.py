"""Names of people within a sentence."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from scoring.games.words import names_in_a_row, who_won

register = template.Library()
register.filter("in_a_row", names_in_a_row)
register.filter("who_won", who_won)


@register.filter
def ticked(names: Sequence[str]) -> SafeString:
    """Return each name with a tick before it."""
    return format_html_join(" ", "<span>✓ {}</span>", ((name,) for name in names))
