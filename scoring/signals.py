"""What the scorepad tells the rest of the site."""

from django.dispatch import Signal

match_changed = Signal()
"""Sent once a change of a match is committed, with `match_id` and `version`."""
