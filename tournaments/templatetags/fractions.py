"""Exact numbers in templates."""

from fractions import Fraction

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from tournaments.exact import PARTS, format_exact_number, percent

register = template.Library()
register.filter("mixed", format_exact_number)
register.filter("percent_of", percent)


@register.filter
def points_in_words(value: Fraction | str) -> str:
    """Return a number of points in words; only exactly 1 is singular."""
    text = ngettext("%(n)s point", "%(n)s points", 1 if Fraction(value) == 1 else 2)
    return text % {"n": format_exact_number(value)}


@register.filter
def align_in_column(number: str, has_fractions: bool) -> SafeString:  # noqa: FBT001
    """Return a formatted number for a column; if some have fraction signs, all leave room for one."""
    if not has_fractions:
        return format_html("{}", number)
    whole = number.rstrip("".join(PARTS.values()))
    return format_html(
        '{}<span class="frac">{}</span>', whole, number.removeprefix(whole)
    )
