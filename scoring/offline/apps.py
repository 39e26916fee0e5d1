"""The app's entry in Django's registry, on a phone."""

from django.apps import AppConfig


class PadConfig(AppConfig):
    """One match at one table, with nobody else on the site to be told of it."""

    name = "scoring"

    def ready(self) -> None:
        """Let the board answer its commands."""
        from scoring.games.boards import connect

        connect()
