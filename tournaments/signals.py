"""What tournaments tell the rest of the site."""

from django.dispatch import Signal

tournament_changed = Signal()
"""Sent once a change is committed that standings depend on, with `tournament_id`."""
