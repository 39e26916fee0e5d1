"""One browser for all tests, with a page and a proxy for each."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pytest_django.live_server_helper import LiveServer

from tests.other_browsers.phone import Phone
from tests.proxy import Proxy, running_proxy

BROWSER = os.environ.get("OTHER_BROWSER", "")
collect_ignore_glob = [] if BROWSER else ["test_*.py"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Phone]:
    phone = start_browser()
    yield phone
    phone.close()


def start_browser() -> Phone:
    if BROWSER == "firefox":
        from tests.other_browsers.firefox import Firefox

        binary = shutil.which("firefox-esr") or shutil.which("firefox")
        assert binary, "no Firefox is installed"
        return Firefox("", binary)
    from tests.other_browsers.webkit import WebKit

    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
    assert driver, "webkit2gtk-driver is not installed"
    assert browsers, "WebKitGTK is not installed"
    return WebKit("", driver, str(browsers[-1]))


@pytest.fixture
def wire(live_server: LiveServer) -> Iterator[Proxy]:
    """Return a proxy to the server that can be cut: these browsers have no offline mode."""
    port = urlsplit(live_server.url).port
    assert port is not None
    with running_proxy(port) as proxy:
        yield proxy


@pytest.fixture
def phone(browser: Phone, wire: Proxy) -> Phone:
    """Return a page with the origin of this test's server."""
    browser.origin = f"http://127.0.0.1:{wire.port}"
    return browser
