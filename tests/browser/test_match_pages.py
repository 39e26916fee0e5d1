"""The pages of a match on a phone: scripts and accessibility."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible, box_of
from tests.browser.playing import go_by_menu, open_menu, start_match
from tests.factories import HAND, entered_match

pytestmark = pytest.mark.django_db(transaction=True)


def read_names(page: Page) -> list[str]:
    return [seat.input_value() for seat in page.locator(".seats input").all()][:3]


def test_seats_are_filled_by_taps_and_reordered_by_arrows_or_dragging(
    phone: Page,
) -> None:
    phone.goto(entered_match([HAND]).get_absolute_url())
    phone.goto("/matches/new/?game=tricky")
    phone.evaluate("document.fonts.ready.then(() => true)")
    chip = phone.locator("[data-player]").first
    chip.click()
    assert read_names(phone)[0] == chip.inner_text()
    chip.click()
    assert read_names(phone)[0] == ""
    for seat, name in enumerate(("Ann", "Bo", "Cy")):
        phone.locator(f'[name="name_{seat}"]').fill(name)
    phone.get_by_role("button", name="Move Seat 1 down").click()
    assert read_names(phone) == ["Bo", "Ann", "Cy"]
    phone.get_by_role("button", name="Move Seat 3 up").click()
    assert read_names(phone) == ["Bo", "Cy", "Ann"]
    labels = phone.locator(".seats label")
    first, third = box_of(labels.nth(0)), box_of(labels.nth(2))
    phone.mouse.move(first.left + 9, first.top + 9)
    phone.mouse.down()
    phone.mouse.move(third.left + 9, third.top + 9, steps=5)
    phone.mouse.up()
    assert read_names(phone) == ["Cy", "Ann", "Bo"]
    # Only the seats and options of a game are shown.
    phone.goto("/matches/new/?game=tricky_dice")
    expect(phone.locator(".seats li:visible")).to_have_count(4)
    phone.get_by_text("Options", exact=True).click()
    expect(phone.locator("#id_target")).to_be_visible()
    expect(phone.locator("#id_contests")).to_be_hidden()


def test_menu_closes_on_escape_or_outside_tap_and_theme_is_kept(
    phone: Page,
) -> None:
    match = entered_match([HAND])
    phone.goto(match.get_absolute_url())
    dots = phone.locator(".page-menu > summary")
    dots.focus()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("link", name="Share this match")).to_be_visible()
    phone.keyboard.press("Tab")
    expect(phone.get_by_role("link", name="Share this match")).to_be_focused()
    phone.keyboard.press("Escape")
    expect(phone.locator(".page-menu > .menu-panel")).to_be_hidden()
    expect(dots).to_be_focused()
    address = phone.url
    menu = open_menu(phone)
    assert_accessible(phone)
    phone.mouse.click(60, 60)
    expect(menu).to_be_hidden()
    assert phone.url == address
    phone.goto("/you/")
    phone.get_by_text("Dark", exact=True).click()
    phone.goto(f"{match.get_absolute_url()}hands/1/")
    expect(phone.locator("html")).to_have_attribute("data-theme", "dark")


def test_sheet_shows_its_qr_code_and_offline_its_age(
    phone: Page,
) -> None:
    phone.goto(entered_match([HAND]).get_absolute_url())
    go_by_menu(phone, "Share this match")
    expect(phone.locator("details.share")).to_have_attribute("open", "")
    code = phone.get_by_alt_text("QR code for this page")
    expect(code).to_be_visible()
    phone.wait_for_load_state("networkidle")
    assert code.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    connection = phone.evaluate(
        "document.querySelector('[data-live]').dispatchEvent(new CustomEvent("
        "'htmx:afterRequest', {detail: {successful: false}}))"
        " && document.querySelector('#connection').textContent"
    )
    assert connection.startswith("Offline. Last updated")


RECORD_SHARE = """
navigator.share = async ({ files = [], url, text }) => {
  const sizes = await Promise.all(files.map(async (file) => (await createImageBitmap(file)).width));
  document.documentElement.dataset.shared = JSON.stringify({ sizes, url, text });
};
navigator.canShare = ({ files }) => TAKES_FILES || !files;
"""


def share_result(
    phone: Page, *, takes_files: bool, wait_for_picture: bool = False
) -> str:
    """Return the data that the page shares at the end of a match.

    With `wait_for_picture`, wait for the picture before the tap.
    """
    match = entered_match([{"points": [30, 12, 5]}] * 3, "tricky_bid")
    takes_files_js = str(takes_files).lower()
    phone.add_init_script(RECORD_SHARE.replace("TAKES_FILES", takes_files_js))
    phone.goto(match.get_absolute_url())
    button = phone.get_by_role("button", name="Share the result")
    if wait_for_picture:
        # Sharing waits only briefly for a slow server.
        with phone.expect_response("**/picture.png*"):
            button.hover()
    button.click()
    element = phone.locator("html[data-shared]")
    expect(element).to_be_attached()
    shared = element.get_attribute("data-shared") or ""
    assert match.get_absolute_url() in shared
    assert "Ann 90" in shared
    return shared


@pytest.mark.parametrize(
    ("takes_files", "sizes"), [(True, '"sizes":[1200]'), (False, '"sizes":[]')]
)
def test_share_includes_the_picture_if_supported(
    phone: Page, sizes: str, *, takes_files: bool
) -> None:
    assert sizes in share_result(
        phone, takes_files=takes_files, wait_for_picture=takes_files
    )


def test_share_does_not_wait_for_a_slow_picture(phone: Page) -> None:
    phone.route("**/picture.png*", lambda route: None)
    assert '"sizes":[]' in share_result(phone, takes_files=True)


def test_install_is_offered_once_and_theme_colour_follows_the_game(
    phone: Page,
) -> None:
    offer = phone.get_by_role("complementary", name="Add to home screen")
    phone.goto("/")
    expect(offer).to_have_count(0)
    theme_colour = phone.locator("meta[name=theme-color]").first
    home_colour = theme_colour.get_attribute("content")
    start_match(phone, "tricky")
    phone.reload()
    expect(theme_colour).not_to_have_attribute("content", str(home_colour))
    phone.goto("/")
    expect(offer).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("link", name="New match")).to_be_visible()
    expect(offer).to_be_hidden()
