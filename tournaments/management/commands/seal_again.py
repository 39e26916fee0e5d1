"""`manage.py seal_again`: encrypt second factors with the site's current secret key."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand

from tournaments.people.factors import reseal


class Command(BaseCommand):
    """Encrypt the secrets of apps again, so that the previous secret key is no longer needed."""

    help = "Seal authenticator secrets again after a change of SECRET_KEY."

    def handle(self, *args: Any, **options: Any) -> None:
        """Encrypt them, and print how many there were, and how many no secret key decrypts."""
        became = reseal(Authenticator.objects.order_by("pk"))
        sealed = became["sealed"] + became["digested"]
        self.stdout.write(f"Sealed: {sealed}. Unreadable: {became['unreadable']}.")
