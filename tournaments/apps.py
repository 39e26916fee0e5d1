"""The app's entry in Django's registry."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Clubs, tournaments and seasons."""

    name = "tournaments"

    def ready(self) -> None:
        """Connect what follows a change, and what a score sheet says."""
        from tournaments import match_links, tasks  # noqa: F401 - receivers connect
