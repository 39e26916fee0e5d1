"""An API client with a token, for tests."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tournaments.models import Club, Scope, User
from tournaments.people.programs import make_token

JSON = "application/json"


class Caller:
    """An API client with an account's token, or without any."""

    def __init__(
        self,
        user: User | None = None,
        *scopes: str,
        club: Club | None = None,
    ) -> None:
        self.headers: dict[str, str] = {}
        self.client = Client()
        if user is not None:
            self.token, secret = make_token(
                user=user,
                name="a test",
                scopes=scopes or list(Scope.values),
                club=club,
                expires_at=None,
                now=timezone.now(),
            )
            self.headers = {"Authorization": f"Bearer {secret}"}

    def request(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> HttpResponse:
        # Without a type, Django's client would send an empty form.
        body_arguments = {"data": "" if body is None else body, "content_type": JSON}
        if method == "GET":
            body_arguments = {}
        response: HttpResponse = getattr(self.client, method.lower())(
            f"/api/v1{path}", headers={**self.headers, **headers}, **body_arguments
        )
        return response

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Return the response's JSON; fails if it is an error."""
        response = self.request(method, path, body)
        assert response.status_code < 300, response.content
        return response.json() if response.content else None  # type: ignore[attr-defined]
