"""Names of people within a sentence."""

from django import template

from scoring.games.words import join_names

register = template.Library()
register.filter(join_names)
