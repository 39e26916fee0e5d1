"""What the scorepad tells the rest of the site."""

from django.dispatch import Signal

match_shown = Signal()
"""Sent when a score sheet is shown, with `match`; a receiver answers None, or a list of
`scoring.notices.Notice`."""

change_previewed = Signal()
"""Sent before a change is confirmed, with `match` and the `state` that it would lead to; a
receiver answers sentences on what else changes."""

match_changed = Signal()
"""Sent once a change of a match is committed, with `match_id`, `version` and `settled`:
whether the match is over or something was corrected, not just a further hand entered."""
