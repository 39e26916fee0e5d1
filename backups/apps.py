"""The app's entry in Django's registry."""

from django.apps import AppConfig


class BackupsConfig(AppConfig):
    """The whole site as one file."""

    name = "backups"
