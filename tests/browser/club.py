"""Who is signed in on a page."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from tests.factories.tournaments import member
from tournaments.models import Club, Role, User

PASSWORD = "correct horse battery"


def direct(page: Page, club: Club) -> User:
    """Be signed in as a director of the club from now on; return the account."""
    client, user = Client(), member(club, Role.DIRECTOR)
    client.force_login(user)
    be(page, client)
    return user


def be(page: Page, client: Client) -> None:
    """Be known as the client is from now on."""
    page.context.add_cookies(
        [
            {
                "name": settings.SESSION_COOKIE_NAME,
                "value": client.cookies[settings.SESSION_COOKIE_NAME].value,
                "domain": "localhost",
                "path": "/",
            }
        ]
    )
