"""Signals of the tournaments app."""

from django.dispatch import Signal

tournament_changed = Signal()
"""Sent after commit of a change that standings depend on, with `tournament_id`."""

standings_computed = Signal()
"""Sent after commit of other standings, with `tournament_id`."""

history_changed = Signal()
"""Sent after commit of a new version of a club's history, with `club_id`."""

invited = Signal()
"""Sent after commit of an invitation, with `invitation_id`."""

uploaded = Signal()
"""Sent after commit of a large file that is to be read, with `upload_id`."""

club_arrived = Signal()
"""Sent after commit of a club's archive that is to be imported, with `arrival_id`."""

notice_due = Signal()
"""Sent after commit of an event that devices are notified of, with `kind` and `subject`:
one of `tournaments.event.push.NoticeKind`, and the primary key of its subject.
"""

history_outdated = Signal()
"""Sent after commit of a change that a club's history does not contain yet, with `club_id`."""

webhooks_have_news = Signal()
"""Sent after commit of events for webhooks."""

webhook_disabled = Signal()
"""Sent after commit if a webhook has switched itself off, with `webhook_id`."""
