"""The app's entry in Django's registry."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Clubs, tournaments and seasons."""

    name = "tournaments"
