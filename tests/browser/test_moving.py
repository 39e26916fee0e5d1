"""A match goes on on another phone while there is no network at all."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserType, Page, expect

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from tests.browser.offline import (
    enter_points,
    start_match,
    until,
    until_everything_is_sent,
    until_it_can_go_on_alone,
    until_it_is_held,
    words_of,
    words_on_server,
)
from tests.factories import entered_match

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ann", "Bo", "Cy", "Di")
CODE = 1_000
"""Signs that one QR code may have."""
SIZE = WIDTH, HEIGHT = 1280, 960
TABLE = 150
"""The brightness of what lies around a picture, 0-255."""
SLANT = 6
"""Degrees by which nobody holds a phone straight."""
HEADER = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F2:1 Ip A1:1 C420\n".encode()
"""Two pictures a second; see the YUV4MPEG2 format of mjpegtools."""
NO_COLOUR = bytes([128]) * (WIDTH * HEIGHT // 2)


def filmed(pictures: Sequence[bytes]) -> bytes:
    """Return a film (YUV4MPEG2) of pictures, each a PNG, shown half a second each."""
    frames = (b"FRAME\n" + _seen(picture) + NO_COLOUR for picture in pictures)
    return HEADER + b"".join(frames)


def _seen(picture: bytes) -> bytes:
    """Return the brightness of each point, a little aslant and not quite sharp."""
    shown = Image.open(BytesIO(picture)).convert("L")
    shown.thumbnail((HEIGHT * 8 // 10, HEIGHT * 8 // 10))
    seen = Image.new("L", SIZE, TABLE)
    seen.paste(shown, ((WIDTH - shown.width) // 2, (HEIGHT - shown.height) // 2))
    return seen.rotate(SLANT, Image.Resampling.BILINEAR, fillcolor=TABLE).tobytes()


@pytest.fixture
def chromium_that_sees(
    chromium_type: BrowserType, chromium_path: str, tmp_path: Path
) -> Iterator[Callable[[Sequence[bytes]], Browser]]:
    """Return a maker of browsers whose camera sees pictures, one after the other.

    The headless shell has no camera that plays a film.
    """
    browsers = []

    def launch(pictures: Sequence[bytes]) -> Browser:
        film = tmp_path / "camera.y4m"
        film.write_bytes(filmed(pictures))
        camera = [
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        ]
        browsers.append(
            chromium_type.launch(
                executable_path=shutil.which("chromium") or chromium_path,
                args=["--no-sandbox", *camera],
            )
        )
        return browsers[-1]

    yield launch
    for browser in browsers:
        browser.close()


@pytest.fixture
def two_phones(new_phone: Callable[..., Page]) -> tuple[Page, Page]:
    """Return two phones that have seen the pad once, and lost the network."""
    phones = new_phone(loses_network=True), new_phone(loses_network=True)
    for phone in phones:
        phone.goto("/")
    for phone in phones:
        until_it_can_go_on_alone(phone)
        phone.context.set_offline(True)
    return phones


def codes_on(phone: Page) -> dict[str, bytes]:
    """Show the codes on the sheet, one after the other; return what each looks like.

    The keys are where they lead, the values are pictures (PNG).
    """
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


def links_on(phone: Page) -> list[str]:
    return list(codes_on(phone))


def long_match() -> Match:
    """Return a match of thirty hands, which no single code holds."""
    rng = Random(1)
    hands = [{"points": [rng.randint(0, 15) for _seat in NAMES]} for _hand in range(30)]
    return entered_match(hands, "tricky_bid", 4, multiple=9)


@pytest.mark.long(25)
def test_codes_move_a_match_with_unsent_entries_to_another_phone(
    two_phones: tuple[Page, Page],
) -> None:
    dying, next_phone = two_phones
    dying.get_by_role("link", name="New match").click()
    start_match(dying, "tricky_bid", NAMES)
    for number, points in enumerate([(9, 5, 3, 1), (5, 5, 5, 3)], start=1):
        enter_points(dying, number, points)
    links = links_on(dying)
    assert max(map(len, links)) <= CODE
    for link in reversed(links):
        next_phone.goto("about:blank")
        next_phone.goto(link)
    until_it_can_go_on_alone(next_phone)
    expect(next_phone.locator("tr[data-hand='2']")).to_be_visible()
    assert words_of(next_phone) == words_of(dying)
    enter_points(next_phone, 3, (0, 0, 9, 9))
    for phone in (next_phone, dying):
        phone.context.set_offline(False)
        phone.evaluate("dispatchEvent(new Event('online'))")
        until_everything_is_sent(phone)
    match = Match.objects.get()
    assert [hand.raw["points"] for hand in replay_match(match).hands] == [
        *([9, 5, 3, 1], [5, 5, 5, 3], [0, 0, 9, 9])
    ]
    assert rebuild_match(match_id=match.pk, check=True) == []
    until(dying, "Boolean(document.querySelector(\"tr[data-hand='3']\"))")
    expect(dying.locator(".scorer-notice")).to_contain_text("is now scoring")
    expect(dying.get_by_role("link", name="Enter hand 4")).to_be_hidden()
    expect(next_phone.get_by_role("link", name="Enter hand 4")).to_be_visible()
    expect(next_phone.locator(".scorer-notice")).to_be_hidden()


@pytest.mark.long(20)
@pytest.mark.rare
def test_camera_reads_the_codes_of_a_match_transfer(
    new_phone: Callable[..., Page],
    chromium_that_sees: Callable[[Sequence[bytes]], Browser],
) -> None:
    match = long_match()
    phone = new_phone()
    phone.goto(f"/m/{match.address}/")
    until_it_is_held(phone, match.address)
    pictures = list(codes_on(phone).values())
    assert len(pictures) > 1
    other = new_phone(
        browser=chromium_that_sees(pictures), permissions=["camera"], loses_network=True
    )
    other.goto("/")
    until_it_can_go_on_alone(other)
    other.context.set_offline(True)
    other.get_by_role("link", name="Take over a match").click()
    other.get_by_role("button", name="Scan codes").click()
    expect(other.locator("tr[data-hand='30']")).to_be_visible(timeout=60_000)
    assert words_of(other) == words_on_server(match)


def test_phone_without_a_camera_offers_alternatives(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone()
    phone.goto("/pad/bring/")
    phone.get_by_role("button", name="Scan codes").click()
    expect(phone.get_by_text("This page can’t use the camera")).to_be_visible()
    expect(phone.get_by_role("button", name="Scan codes")).to_be_hidden()
