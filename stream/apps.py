"""The app's entry in Django's registry."""

from django.apps import AppConfig


class StreamConfig(AppConfig):
    """Tells whoever streams that something changed."""

    name = "stream"

    def ready(self) -> None:
        """Connect what is announced."""
        from stream import announcing  # noqa: F401 - receivers connect
