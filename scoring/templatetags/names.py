"""Names of people within a sentence."""

from django import template

from scoring.games.words import names_in_a_row

register = template.Library()
register.filter("in_a_row", names_in_a_row)
