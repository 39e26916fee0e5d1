"""Pages of a tournament, as tests ask for them."""

from django.test import Client
from django.urls import reverse

from tournaments.models import Tournament


def at(name: str, tournament: Tournament, *parts: object) -> str:
    """Return an address of a tournament by its name."""
    return reverse(f"tournaments:{name}", args=[tournament.address, *parts])


def text(client: Client, url: str) -> str:
    """Return what a page says; it has to be there."""
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()
