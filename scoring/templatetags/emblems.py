"""The emblem of each game, and of the app."""

from django import template
from django.template.loader import select_template
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def emblem(game: str = "") -> SafeString:
    """Return the emblem of a game as a drawing, the app's for none or one without."""
    own = [f"scoring/games/{game}/emblem.html"] if game else []
    drawn: SafeString = select_template([*own, "scoring/games/emblem.html"]).render()
    return drawn
