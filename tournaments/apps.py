"""The app's entry in Django's registry."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class TournamentsConfig(AppConfig):
    """Clubs, tournaments and seasons."""

    name = "tournaments"

    def ready(self) -> None:
        """Connect the signal receivers."""
        from tournaments import tasks  # noqa: F401 - receivers connect
        from tournaments.event import versions  # noqa: F401 - these too
        from tournaments.event.setup import appointments  # noqa: F401 - these too
        from tournaments.history.derivation import recompute_after_listed_migrations
        from tournaments.models.account_rights import (
            grant_database_rights_after_migrate,
        )
        from tournaments.web.account import sessions as account_sessions  # noqa: F401 - and these

        post_migrate.connect(grant_database_rights_after_migrate, sender=self)
        post_migrate.connect(recompute_after_listed_migrations, sender=self)
