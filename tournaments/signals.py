"""What tournaments tell the rest of the site."""

from django.dispatch import Signal

tournament_changed = Signal()
"""Sent once a change is committed that standings depend on, with `tournament_id`."""

standings_counted = Signal()
"""Sent once other standings are committed, with `tournament_id`."""

history_changed = Signal()
"""Sent once a club's history has a new version, with `club_id`."""

invited = Signal()
"""Sent once an invitation is committed, with `invitation_id`."""

uploaded = Signal()
"""Sent once a large file is stored that is to be read, with `upload_id`."""

club_arrived = Signal()
"""Sent once the archive of a club is stored that is to be brought in, with `arrival_id`."""

notice_due = Signal()
"""Sent once something is committed that devices are told, with `kind` and `subject`:
one of `tournaments.event.push.NoticeKind` and the key of what it happened to."""

history_fell_behind = Signal()
"""Sent once a change is committed that a club's history does not hold, with `club_id`."""

webhooks_have_news = Signal()
"""Sent once something is committed that webhooks are to be told."""

webhook_went_off = Signal()
"""Sent once a webhook has switched itself off, with `webhook_id`."""
