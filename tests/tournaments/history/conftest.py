"""Fixtures for imports of past results."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.factories.tournaments import signed_in
from tournaments.models import Club, Role


@pytest.fixture
def send(club: Club) -> Callable[..., str]:
    """Return a function that posts a director's list and returns the next page."""
    client = signed_in(club, Role.DIRECTOR)
    url = reverse("tournaments:imports", args=[club.slug])

    def post(**fields: object) -> str:
        form = {"game": "tricky", "key": str(uuid4()), **fields}
        response = client.post(url, form, follow=True)
        assert response.status_code == 200
        return response.content.decode()

    return post
