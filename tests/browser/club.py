"""Accounts in the browser."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from tests.factories.tournaments import member
from tournaments.models import Club, Role, User

PASSWORD = "correct horse battery"


def sign_in_director(page: Page, club: Club) -> User:
    """Sign the page in as a new director of the club, and return the account."""
    client, user = Client(), member(club, Role.DIRECTOR)
    client.force_login(user)
    use_session(page, client)
    return user


def use_session(page: Page, client: Client) -> None:
    """Use the cookies of a test client on the page."""
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
