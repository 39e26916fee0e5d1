"""The app config of the scorepad."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ScoringConfig(AppConfig):
    """One match at one table."""

    name = "scoring"

    def ready(self) -> None:
        """Connect signal receivers and system checks."""
        from scoring import checks, tasks  # noqa: F401 - they register themselves
        from scoring.games.boards import register_handlers
        from scoring.models.log_triggers import reinstall_triggers
        from scoring.versions import updates  # noqa: F401 - receivers connect

        register_handlers()
        post_migrate.connect(reinstall_triggers, sender=self)
