"""The app's entry in Django's registry, on a phone."""

from django.apps import AppConfig


class OfflineScorepadConfig(AppConfig):
    """The scorepad alone, without signal receivers for other parts of the site."""

    name = "scoring"

    def ready(self) -> None:
        """Register the handlers of board commands."""
        from scoring.games.boards import register_handlers

        register_handlers()
