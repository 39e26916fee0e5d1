"""A program that asks: a client, its token, and how it reads answers."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tournaments.models import Club, Scope, User
from tournaments.people.programs import make_token

JSON = "application/json"


class Caller:
    """A program with a token of an account; without one a stranger."""

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
        sent = {} if body is None else {"data": body, "content_type": JSON}
        answer: HttpResponse = getattr(self.client, method.lower())(
            f"/api/v1{path}", headers={**self.headers, **headers}, **sent
        )
        return answer

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Return what an operation answers; fails where it is a problem."""
        answer = self.request(method, path, body)
        assert answer.status_code < 300, answer.content
        return answer.json() if answer.content else None  # type: ignore[attr-defined]
