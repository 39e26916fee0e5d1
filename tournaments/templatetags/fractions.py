"""Exact numbers in templates."""

from django import template

from tournaments.exact import mixed

register = template.Library()
register.filter("mixed", mixed)
