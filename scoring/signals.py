"""What the scorepad tells the rest of the site."""

from django.dispatch import Signal

match_shown = Signal()
"""Sent when a score sheet is shown, with `match`; a receiver answers None, or the words
and the address of what the match belongs to."""

match_changed = Signal()
"""Sent once a change of a match is committed, with `match_id` and `version`."""
