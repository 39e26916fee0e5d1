"""Exact numbers in templates."""

from django import template

from tournaments.exact import mixed, percent

register = template.Library()
register.filter("mixed", mixed)
register.filter("percent_of", percent)
