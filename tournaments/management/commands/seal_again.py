"""`manage.py seal_again`: seal what accounts sign in by with the site's secret of today."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand

from tournaments.people.factors import reseal


class Command(BaseCommand):
    """Seal secrets of apps anew, so that the secret of before is needed no more."""

    help = "Seals secrets of apps anew, after SECRET_KEY was changed."

    def handle(self, *args: Any, **options: Any) -> None:
        """Seal them, and say how many there were, and how many no secret opens."""
        became = reseal(Authenticator.objects.order_by("pk"))
        sealed = became["sealed"] + became["digested"]
        self.stdout.write(
            f"Sealed: {sealed}. Opened by no secret: {became['unreadable']}."
        )
