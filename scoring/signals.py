"""What the scorepad tells the rest of the site."""

from django.dispatch import Signal

match_shown = Signal()
"""Sent when a score sheet is shown, with `match`; a receiver answers None, or a list of
`scoring.notices.Notice`."""

change_asked = Signal()
"""Sent where somebody wants to change a match that is closed, with `match` and `user`, who
may be nobody; a receiver answers whether they may."""

change_previewed = Signal()
"""Sent before a change is confirmed, with `match` and the `state` that it would lead to; a
receiver answers sentences on what else changes."""

match_agreed = Signal()
"""Sent while a player's agreement is stored, in its transaction, with `match`, `seat` (its
index) and `now`."""

hand_corrected = Signal()
"""Sent while something is stored by which what was agreed to may be another result, in its
transaction, with `match`: a correction, or a further hand of one that counts as it stands."""

seat_taken = Signal()
"""Sent while somebody else sits down at a seat, in its transaction, with `match` and `seat`
(its index)."""

director_called = Signal()
"""Sent while a table's wish for the director is stored, in its transaction, with `match` and
`now`."""

match_changed = Signal()
"""Sent once a change of a match is committed, with `match_id`, `version` and `settled`:
whether that changed a result, and was not just a further hand of a match that goes on."""
