"""Words that are half as long again as in English still fit on a phone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings
from django.urls import reverse
from playwright.sync_api import Page

from scoring.rules import GAMES
from tests.browser.club import be
from tests.browser.every_page import Examples, patterns
from tests.browser.test_every_page import director_of
from tricky_site.locales import pseudo

PAGES = [
    "scoring:home",
    "scoring:match_new",
    "scoring:match",
    "scoring:hand_new",
    "scoring:hand",
    "scoring:hand_correct",
    "scoring:match_seats",
    "scoring:who_won_game",
    "scoring:how_to_play",
    "scoring:how_to_play_game",
    "scoring:install",
    "scoring:board",
    "scoring:match_hand_over",
    "tournaments:clubs",
    "tournaments:club",
    "tournaments:club_edit",
    "tournaments:people",
    "tournaments:players",
    "tournaments:player",
    "tournaments:leaderboard",
    "tournaments:records",
    "tournaments:matrix",
    "tournaments:hall_of_fame",
    "tournaments:seasons",
    "tournaments:find",
    "tournaments:tournament",
    "tournaments:tournament_new",
    "tournaments:settings",
    "tournaments:join",
    "tournaments:me",
    "tournaments:desk",
    "tournaments:round",
    "tournaments:table",
    "tournaments:entries",
    "tournaments:penalties",
    "tournaments:imports",
    "tournaments:circuit",
    "tournaments:webhooks",
    "account_email",
    "mfa_index",
]
"""Where much is said in little room."""
TOO_WIDE = """
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
"""What reaches beyond the right edge and cannot be scrolled to."""


@pytest.fixture
def pseudo_spoken(tmp_path: Path) -> Iterator[None]:
    """Let the site speak the language that nobody speaks."""
    with override_settings(
        LANGUAGES=[*settings.LANGUAGES, (pseudo.CODE, "Pseudo")],
        LOCALE_PATHS=[*settings.LOCALE_PATHS, pseudo.write(tmp_path)],
    ):
        yield


@pytest.mark.long(30)
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("pseudo_spoken")
def test_nothing_reaches_beyond_the_edge_in_long_words(phone: Page) -> None:
    phone.set_viewport_size({"width": 360, "height": 740})
    examples = Examples()
    be(phone, director_of(examples))
    phone.context.add_cookies(
        [
            {
                "name": settings.LANGUAGE_COOKIE_NAME,
                "value": pseudo.CODE,
                "domain": "localhost",
                "path": "/",
            }
        ]
    )
    known = {pattern.name: pattern for pattern in patterns()}
    faults = []
    for name in PAGES:
        example = examples.of(known[name])
        for game in GAMES if "game" in example else [""]:
            given = {**example, "game": game} if game else example
            phone.goto(reverse(name, kwargs=given))
            assert phone.locator("html").get_attribute("lang") == pseudo.CODE
            faults += [f"{name}: {fault}" for fault in phone.evaluate(TOO_WIDE)]
    assert not faults, "\n".join(faults)
    phone.evaluate("document.querySelector('main h1, main h2').style.width = '500px'")
    assert phone.evaluate(TOO_WIDE)
