"""What tournaments tell the rest of the site."""

from django.dispatch import Signal

tournament_changed = Signal()
"""Sent once a change is committed that standings depend on, with `tournament_id`."""

history_fell_behind = Signal()
"""Sent once a change is committed that a club's history does not hold, with `club_id`."""
