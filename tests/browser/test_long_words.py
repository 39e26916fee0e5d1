"""Texts 50% longer than in English still fit on a phone."""

import re

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from tests.browser.club import use_session
from tests.browser.every_page import Examples
from tests.browser.test_every_page import PAGES_WITHOUT_APP, add_app, director_of
from tests.pseudo_language import CODE
from tests.test_every_word import (
    PARTS,
    addresses,
    pseudo_locale,
    use_pseudo_language,
)

__all__ = ["pseudo_locale"]
MAIN = re.compile("<main.*</main>", re.DOTALL)
UNIQUE_PARTS = re.compile(r'(csrf\w*|nonce)"?[:=]? ?(value=|content=)?"[^"]+"')
"""Parts that differ in every response, without text."""
FIND_TOO_WIDE = """
  () => {
    const room = document.documentElement.clientWidth;
    const isScrolled = (part) => {
      for (let at = part; at !== document.body; at = at.parentElement) {
        if (/auto|scroll|hidden|clip/.test(getComputedStyle(at).overflowX)) return true;
      }
      return false;
    };
    return [...document.body.querySelectorAll("*")]
      .filter((part) => part.checkVisibility() && part.getBoundingClientRect().right > room + 1 && !isScrolled(part))
      .map((part) => `<${part.localName} class="${part.getAttribute("class") ?? ""}"> ${part.textContent.trim().slice(0, 40)}`)
      .slice(0, 4);
  }
"""
"""Elements beyond the right edge that cannot be scrolled to."""


def main_part(page: str) -> str:
    """Return the main part of a page's source."""
    main = MAIN.search(page)
    return UNIQUE_PARTS.sub("", main.group() if main else "")


@pytest.mark.rare
@pytest.mark.long(60)
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pseudo_locale")
def test_long_words_do_not_overflow(phone: Page) -> None:
    phone.set_viewport_size({"width": 360, "height": 740})
    examples = Examples()
    use_session(phone, director_of(examples))
    phone.context.add_cookies(
        [
            {
                "name": settings.LANGUAGE_COOKIE_NAME,
                "value": CODE,
                "domain": "localhost",
                "path": "/",
            }
        ]
    )
    stranger = use_pseudo_language(Client())
    pages = [page for page in addresses(examples) if page[0] not in PARTS]
    main_parts: dict[str, str] = {}
    faults: list[str] = []

    def check_page(name: str, address: str, visitor: str) -> None:
        answer = phone.goto(address)
        assert answer is not None
        if answer.status == 200:
            main_parts[address] = main_part(answer.text())
            assert phone.locator("html").get_attribute("lang") == CODE, address
            faults.extend(
                f"{name} {visitor}: {element}"
                for element in phone.evaluate(FIND_TOO_WIDE)
            )

    for name in PAGES_WITHOUT_APP:
        check_page(name, reverse(name), "of a director")
    add_app(examples)
    RecoveryCodes.activate(examples.director)
    for name, address in pages:
        check_page(name, address, "of a director")
    assert len({name for name, address in pages if address in main_parts}) > 100
    phone.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    for name, address in pages:
        answer = stranger.get(address)
        # Redirects to the sign-in page are covered by its own address.
        if answer.status_code == 200 and main_part(
            answer.content.decode()
        ) != main_parts.get(address):
            check_page(name, address, "of a stranger")
    assert not faults, "\n".join(faults)
    phone.goto(reverse("scoring:home"))
    phone.evaluate("document.querySelector('main h1, main h2').style.width = '500px'")
    assert phone.evaluate(FIND_TOO_WIDE)
