"""Forced colours and reduced motion."""

import pytest
from playwright.sync_api import Page

from tests.factories import entered_match
from tests.scoring.games.tricks_and_treats.test_board_log import laid_match

pytestmark = pytest.mark.django_db(transaction=True)

HAND = {
    "contract": {"bidder": 0, "bid": 96, "trump": 7},
    "points": [120, 40, 30],
}
IS_VISIBLE = """(drawing) => {
  const own = getComputedStyle(drawing);
  const ground = getComputedStyle(document.body).backgroundColor;
  return own.color !== ground && own.fill !== "transparent";
}"""


def test_forced_colours_keep_pegs_keys_places_and_tokens_visible(
    phone: Page,
) -> None:
    phone.emulate_media(forced_colors="active")
    match = entered_match([HAND])
    phone.goto(match.get_absolute_url())
    for drawing in phone.locator(".lane .peg, .sheet .mark").all():
        assert drawing.evaluate(IS_VISIBLE)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    key = phone.locator("[data-key='5']")
    assert key.evaluate("key => getComputedStyle(key).borderTopWidth") != "0px"
    current_slot = phone.locator(
        ".slot:has([aria-current]), .picker[aria-current]"
    ).first
    assert (
        current_slot.evaluate("slot => getComputedStyle(slot).outlineStyle") == "solid"
    )
    phone.goto(f"{laid_match().get_absolute_url()}board/")
    for selector in (".token-back", ".face-up .token"):
        width = "token => getComputedStyle(token).borderTopWidth"
        assert phone.locator(selector).first.evaluate(width) != "0px"


def test_reduced_motion_disables_animations(phone: Page) -> None:
    phone.emulate_media(reduced_motion="reduce")
    phone.goto(entered_match([HAND, HAND]).get_absolute_url())
    count_animations = """() => {
      document.querySelector("tr[data-hand]").classList.add("is-new");
      document.querySelector(".race > li").classList.add("is-new-leader");
      return document.getAnimations().length;
    }"""
    assert phone.evaluate(count_animations) == 0
    phone.emulate_media(reduced_motion="no-preference")
    assert phone.evaluate(count_animations) > 0
