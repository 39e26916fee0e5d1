"""Pages of a tournament, as tests ask for them."""

from django.test import Client
from django.urls import reverse

from tournaments.models import Club, Tournament


def at(name: str, tournament: Tournament, *parts: object) -> str:
    """Return an address of a tournament by its name."""
    return reverse(f"tournaments:{name}", args=[tournament.address, *parts])


def at_club(name: str, club: Club, *parts: object) -> str:
    """Return an address of a club by its name."""
    return reverse(f"tournaments:{name}", args=[club.slug, *parts])


def text(client: Client, url: str) -> str:
    """Return what a page says; it has to be there."""
    answer = client.get(url)
    assert answer.status_code == 200
    return answer.content.decode()


def submit(client: Client, url: str, **sent: object) -> str:
    """Post something and return the page that follows."""
    return client.post(url, sent, follow=True).content.decode()


def messages(client: Client, url: str, **sent: object) -> list[str]:
    """Post something and return the messages on the page that follows."""
    answer = client.post(url, sent, follow=True)
    return [str(message) for message in answer.context["messages"]]
