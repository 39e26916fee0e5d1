"""Signing in: who is counted when a password is wrong."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from tournaments.web.views.guesses import network_of


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # has no types
    """Counts wrong passwords for a network and an account together.

    Whoever guesses is stopped as before, there; the director signs in from anywhere else.
    """

    def _get_login_attempts_cache_key(
        self, request: HttpRequest, **credentials: Any
    ) -> str:
        """Return what wrong passwords are counted under."""
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}:{network_of(self.get_client_ip(request))}"
