"""A match moves to another phone without a network."""

from collections.abc import Callable, Sequence
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from tests.browser.offline import (
    enter_points,
    read_check_words,
    server_check_words,
    start_match,
    until,
    wait_until_offline_ready,
    wait_until_sent,
    wait_until_stored,
)
from tests.factories import entered_match

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ann", "Bo", "Cy", "Di")
CODE_LENGTH = 1_000
"""Most characters of one QR code."""


@pytest.fixture
def two_phones(new_phone: Callable[..., Page]) -> tuple[Page, Page]:
    """Return two phones that have opened the pad once and are now offline."""
    phones = new_phone(loses_network=True), new_phone(loses_network=True)
    for phone in phones:
        phone.goto("/")
    for phone in phones:
        wait_until_offline_ready(phone)
        phone.context.set_offline(True)
    return phones


def read_codes(phone: Page) -> dict[str, bytes]:
    """Show the codes on the sheet one after the other; return their pictures (PNG) by link."""
    phone.get_by_text("Watch or join from another phone").click()
    phone.get_by_role("button", name="Move to another phone").click()
    code = phone.locator("[data-code]")
    expect(code.locator("svg")).to_be_visible()
    codes: dict[str, bytes] = {}
    while (link := code.get_attribute("data-link") or "") not in codes:
        codes[link] = code.locator("svg").screenshot()
        if phone.get_by_role("button", name="Next code").is_visible():
            phone.get_by_role("button", name="Next code").click()
    return codes


def read_links(phone: Page) -> list[str]:
    return list(read_codes(phone))


def long_match() -> Match:
    """Return a match of thirty hands, too long for one code."""
    rng = Random(1)
    hands = [{"points": [rng.randint(0, 15) for _seat in NAMES]} for _hand in range(30)]
    return entered_match(hands, "tricky_bid", 4, multiple=9)


@pytest.mark.long(25)
def test_codes_move_a_match_with_unsent_entries_to_another_phone(
    two_phones: tuple[Page, Page],
) -> None:
    old_phone, new_phone = two_phones
    old_phone.get_by_role("link", name="New match").click()
    start_match(old_phone, "tricky_bid", NAMES)
    for number, points in enumerate([(9, 5, 3, 1), (5, 5, 5, 3)], start=1):
        enter_points(old_phone, number, points)
    links = read_links(old_phone)
    assert max(map(len, links)) <= CODE_LENGTH
    for link in reversed(links):
        new_phone.goto("about:blank")
        new_phone.goto(link)
    wait_until_offline_ready(new_phone)
    expect(new_phone.locator("tr[data-hand='2']")).to_be_visible()
    assert read_check_words(new_phone) == read_check_words(old_phone)
    enter_points(new_phone, 3, (0, 0, 9, 9))
    for phone in (new_phone, old_phone):
        phone.context.set_offline(False)
        phone.evaluate("dispatchEvent(new Event('online'))")
        wait_until_sent(phone)
    match = Match.objects.get()
    assert [hand.raw["points"] for hand in replay_match(match).hands] == [
        *([9, 5, 3, 1], [5, 5, 5, 3], [0, 0, 9, 9])
    ]
    assert rebuild_match(match_id=match.pk, check_only=True) == []
    until(old_phone, "Boolean(document.querySelector(\"tr[data-hand='3']\"))")
    expect(old_phone.locator(".scorer-notice")).to_contain_text("is now scoring")
    expect(old_phone.get_by_role("link", name="Enter hand 4")).to_be_hidden()
    expect(new_phone.get_by_role("link", name="Enter hand 4")).to_be_visible()
    expect(new_phone.locator(".scorer-notice")).to_be_hidden()


@pytest.mark.long(20)
@pytest.mark.rare
def test_camera_reads_the_codes_of_a_match_transfer(
    new_phone: Callable[..., Page],
    launch_with_camera: Callable[[Sequence[bytes]], Browser],
) -> None:
    match = long_match()
    phone = new_phone()
    phone.goto(f"/m/{match.address}/")
    wait_until_stored(phone, match.address)
    pictures = list(read_codes(phone).values())
    assert len(pictures) > 1
    other_phone = new_phone(
        browser=launch_with_camera(pictures), permissions=["camera"], loses_network=True
    )
    other_phone.goto("/")
    wait_until_offline_ready(other_phone)
    other_phone.context.set_offline(True)
    other_phone.get_by_role("link", name="Take over a match").click()
    other_phone.get_by_role("button", name="Scan codes").click()
    expect(other_phone.locator("tr[data-hand='30']")).to_be_visible(timeout=60_000)
    assert read_check_words(other_phone) == server_check_words(match)


def test_phone_without_a_camera_offers_alternatives(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone()
    phone.goto("/pad/bring/")
    phone.get_by_role("button", name="Scan codes").click()
    expect(phone.get_by_text("This page can’t use the camera")).to_be_visible()
    expect(phone.get_by_role("button", name="Scan codes")).to_be_hidden()
