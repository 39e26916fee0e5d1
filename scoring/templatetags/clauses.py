"""Clauses link to the page that says what they mean."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def clause_link(game: str, clause: str) -> SafeString | str:
    """Return a clause as a link to its place on the page of its game.

    What concerns the shape of a record (`record.…`) is no rule and has no place there.
    """
    if clause.startswith("record."):
        return clause
    page = reverse("scoring:how_to_play_game", args=[game])
    return format_html('<a href="{}#{}">{}</a>', page, clause, clause)
