"""The app's entry in Django's registry."""

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    """One match at one table."""

    name = "scoring"

    def ready(self) -> None:
        """Connect what follows a change of a match, and what is checked."""
        from scoring import checks, tasks  # noqa: F401 - they register themselves
