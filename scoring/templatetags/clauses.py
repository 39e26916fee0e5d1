"""Clauses link to the page that says what they mean."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

register = template.Library()


@register.simple_tag
def clause_link(game: str, clause: str) -> SafeString | str:
    """Return the way to a clause on the page of its game, which tells why.

    What concerns the shape of a record (`record.…`) is no rule and has no place there.
    """
    if clause.startswith("record."):
        return ""
    page = reverse("scoring:how_to_play_game", args=[game])
    return format_html(
        '<a href="{}#{}" title="{}">{}</a>', page, clause, clause, gettext("why?")
    )
