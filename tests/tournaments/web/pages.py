"""URLs and contents of pages of tournaments and clubs."""

from django.test import Client
from django.urls import reverse

from tournaments.models import Club, Tournament


def at(name: str, tournament: Tournament, *parts: object) -> str:
    """Return the URL of a tournament's page."""
    return reverse(f"tournaments:{name}", args=[tournament.address, *parts])


def at_club(name: str, club: Club, *parts: object) -> str:
    """Return the URL of a club's page."""
    return reverse(f"tournaments:{name}", args=[club.slug, *parts])


def text(client: Client, url: str) -> str:
    """Return the content of a page that must exist."""
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def submit(client: Client, url: str, **data: object) -> str:
    """Post form data and return the page that follows."""
    return client.post(url, data, follow=True).content.decode()


def messages(client: Client, url: str, **data: object) -> list[str]:
    """Post form data and return the messages on the page that follows."""
    response = client.post(url, data, follow=True)
    return [str(message) for message in response.context["messages"]]
