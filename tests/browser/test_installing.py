"""The pad on a home screen: offered once, kindly, and told for each kind of phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.playing import start_match

pytestmark = pytest.mark.django_db(transaction=True)


def test_whoever_has_played_is_offered_it_once_and_its_frame_has_the_cloth_of_the_game(
    phone: Page,
) -> None:
    offer = phone.get_by_role("complementary", name="Onto the home screen")
    phone.goto("/")
    expect(offer).to_have_count(0)
    frame = phone.locator("meta[name=theme-color]").first
    of_the_house = frame.get_attribute("content")
    start_match(phone, "tricky")
    phone.reload()
    expect(frame).not_to_have_attribute("content", str(of_the_house))
    phone.goto("/")
    expect(offer).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("link", name="New match")).to_be_visible()
    expect(offer).to_be_hidden()
