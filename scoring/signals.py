"""What the scorepad tells the rest of the site."""

from django.dispatch import Signal

match_written = Signal()
"""Sent once an entry of a match's log is committed, with `match_id`, `address` and `version`."""

notices_changed = Signal()
"""Sent once something is committed that stands above the sheet of a match and in no log, with
`match_id` and `address`."""

match_changed = Signal()
"""Sent once a change of a match is committed by which a result may be another, with `match_id`
and `version`; not for a further hand of a match that goes on."""
