"""Drawings that stand in pages: emblems of the games, icons, and signs of suits.

Every template knows them without loading.
"""

from django import template
from django.template.loader import get_template, select_template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag
def emblem(game: str = "") -> SafeString:
    """Return the emblem of a game as a drawing, the app's for none or one without."""
    own = [f"scoring/games/{game}/emblem.html"] if game else []
    drawn: SafeString = select_template([*own, "scoring/games/emblem.html"]).render()
    return drawn


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of Lucide by its name there, for whose words a label stands beside it."""
    drawn = get_template(f"scoring/icons/{name}.html").render()
    return format_html('<span class="icon" aria-hidden="true">{}</span>', drawn)


@register.simple_tag
def sign(name: str) -> SafeString:
    """Return the sign of a suit by its name, as it is drawn on cards and tokens."""
    drawn = get_template(f"scoring/signs/{name}.html").render()
    return mark_safe(drawn.strip())  # noqa: S308 - a drawing of our own
