"""How a director imports past results."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.factories.tournaments import signed_in
from tournaments.models import Club, Role


@pytest.fixture
def send(club: Club) -> Callable[..., str]:
    """Return how a director sends a list; what the page that follows says."""
    client = signed_in(club, Role.DIRECTOR)
    url = reverse("tournaments:imports", args=[club.slug])

    def post(**sent: object) -> str:
        form = {"game": "tricky", "key": str(uuid4()), **sent}
        answer = client.post(url, form, follow=True)
        assert answer.status_code == 200
        return answer.content.decode()

    return post
