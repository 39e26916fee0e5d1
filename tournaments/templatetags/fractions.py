"""Exact numbers in templates."""

from fractions import Fraction

from django import template
from django.utils.translation import ngettext

from tournaments.exact import mixed, percent

register = template.Library()
register.filter("mixed", mixed)
register.filter("percent_of", percent)


@register.filter
def points_of(value: Fraction | str) -> str:
    """Return so many points in words; a half is many, as one is not."""
    words = ngettext("%(n)s point", "%(n)s points", 1 if Fraction(value) == 1 else 2)
    return words % {"n": mixed(value)}
