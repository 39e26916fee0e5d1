"""Sharing a result: the phone's own means, with the picture where it takes files."""

import pytest
from playwright.sync_api import Page, expect

from tests.factories import entered_match

pytestmark = pytest.mark.django_db(transaction=True)

WON = {"points": [30, 12, 5]}
NOTES_WHAT_IS_SHARED = """
navigator.share = async ({ files = [], url, text }) => {
  const sizes = await Promise.all(files.map(async (file) => (await createImageBitmap(file)).width));
  document.documentElement.dataset.shared = JSON.stringify({ sizes, url, text });
};
navigator.canShare = ({ files }) => TAKES_FILES || !files;
"""


def share(phone: Page, *, takes_files: bool, is_there: bool = False) -> str:
    """Return what the phone is asked to share at the end of a match.

    Where the picture is to be there, the thumb lies on the button until it is.
    """
    match = entered_match([WON, WON, WON], "tricky_bid")
    takes = str(takes_files).lower()
    phone.add_init_script(NOTES_WHAT_IS_SHARED.replace("TAKES_FILES", takes))
    phone.goto(match.get_absolute_url())
    button = phone.get_by_role("button", name="Share the result")
    if is_there:
        # However slow the server is: nobody who shares waits for long.
        with phone.expect_response("**/picture.png*"):
            button.hover()
    button.click()
    told = phone.locator("html[data-shared]")
    expect(told).to_be_attached()
    shared = told.get_attribute("data-shared") or ""
    assert match.get_absolute_url() in shared
    assert "Ann 90" in shared
    return shared


def test_the_picture_goes_along_where_the_phone_takes_files(phone: Page) -> None:
    assert '"sizes":[1200]' in share(phone, takes_files=True, is_there=True)


def test_the_link_goes_alone_where_it_does_not(phone: Page) -> None:
    assert '"sizes":[]' in share(phone, takes_files=False)


def test_nobody_waits_for_a_picture_that_is_on_its_way(phone: Page) -> None:
    phone.route("**/picture.png*", lambda route: None)
    assert '"sizes":[]' in share(phone, takes_files=True)
