"""The app's entry in Django's registry."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Clubs, tournaments and seasons."""

    name = "tournaments"

    def ready(self) -> None:
        """Connect what follows a change."""
        from tournaments import tasks  # noqa: F401 - receivers connect
        from tournaments.event.setup import appointments  # noqa: F401 - these too
        from tournaments.web import signed_in  # noqa: F401 - and these
