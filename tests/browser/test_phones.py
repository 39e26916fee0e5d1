"""The phones that the other browser tests are played with."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.accessible import assert_accessible
from tests.browser.conftest import Watch


def test_request_to_another_host_is_detected(chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        watch = Watch(page, host="localhost")
        page.set_content('<img src="http://127.0.0.1:9/picture.png" alt="">')
        page.wait_for_load_state("load")
        assert watch.faults[0].startswith("asked another host: http://127.0.0.1:9/")


def test_axe_detects_violations(phone: Page) -> None:
    phone.set_content("<html lang=en><title>x</title><main><h1>x</h1><img></main>")
    with pytest.raises(AssertionError, match="image-alt"):
        assert_accessible(phone)
