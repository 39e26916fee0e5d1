"""Signals of the scorepad to the rest of the site."""

from django.db import transaction
from django.dispatch import Signal

match_written = Signal()
"""Sent once an entry of a match's log is committed, with `match_id`, `address` and `version`."""

notices_changed = Signal()
"""Sent once a change of the notices above the sheet of a match is committed, with `match_id` and
`address`."""

match_changed = Signal()
"""Sent once a change is committed that can affect the result of a match, with `match_id` and
`version`; not for a new hand of a match in play."""


def send_after_commit(signal: Signal, sender: type, **values: object) -> None:
    transaction.on_commit(lambda: signal.send_robust(sender, **values))
