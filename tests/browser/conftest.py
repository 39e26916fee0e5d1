"""Phones at a table: real Chromium pages that fail a test when they misbehave."""

import os
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import (
    Browser,
    BrowserType,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

from tests.browser.camera import make_video
from tests.browser.demo_site import demo, lens  # noqa: F401
from tests.browser.memory import Memory
from tests.browser.offline import PAGES_SEND_ALONE, SAVES_DATA, WANTS_OFFLINE
from tests.statics import collect_statics

# Playwright's loop runs in the thread that also queries the database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Refused entries get 409 or 422, and rate limits 429, which Chromium logs as errors.
REFUSED_MESSAGE = re.compile(r"Failed to load resource.* status of (409|422|429)\b")
# htmx logs a preview that was aborted for a newer one or the next page.
ABORTED_MESSAGE = re.compile(r"^htmx:(sendAbort|afterRequest)\b")
# Messages of Chromium and htmx while there is no network.
OFFLINE_MESSAGE = re.compile(
    r"net::ERR_|^htmx:(sendError|afterRequest|timeout)\b|status of 5|Status Error Code 5"
)
FOLDER = Path(__file__).parent
# Each phone is new for its test, too short-lived to gain from an optimizing compiler.
COMPILES_ONCE = "--js-flags=--liftoff-only"
SHOWN_WITHIN = 30_000
"""Milliseconds that a busy machine may need until a page shows something."""
expect.set_options(timeout=SHOWN_WITHIN)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium_type() -> Iterator[BrowserType]:
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of the Chromium in CHROMIUM, else of the smallest one installed."""
    names = (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium")
    path = next(filter(None, map(shutil.which, filter(None, names))), None)
    if path is None:
        pytest.skip("no Chromium found; name one in CHROMIUM")
    return path


@pytest.fixture(scope="session")
def chromium(chromium_type: BrowserType, chromium_path: str) -> Iterator[Browser]:
    browser = chromium_type.launch(
        executable_path=chromium_path, args=["--no-sandbox", COMPILES_ONCE]
    )
    yield browser
    browser.close()


class Watch:
    """Records faults of a page: requests to other hosts, and logged errors."""

    def __init__(self, page: Page, *, host: str, loses_network: bool = False) -> None:
        self.host = host
        self.loses_network = loses_network
        self.faults: list[str] = []
        page.on("request", self.request)
        page.on("console", self.console)
        page.on("pageerror", lambda error: self.faults.append(f"uncaught: {error}"))

    def request(self, request: Request) -> None:
        address = urlsplit(request.url)
        outside = address.scheme in {"http", "https", "ws", "wss"}
        if outside and address.netloc != self.host:
            self.faults.append(f"asked another host: {request.url}")

    def console(self, message: ConsoleMessage) -> None:
        expected = [
            REFUSED_MESSAGE,
            ABORTED_MESSAGE,
            *([OFFLINE_MESSAGE] if self.loses_network else []),
        ]
        is_expected = any(pattern.search(message.text) for pattern in expected)
        if message.type == "error" and not is_expected:
            self.faults.append(f"console: {message.text}")


@pytest.fixture(scope="session")
def statics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Collect static files as in production, bundled and with hashed names, and use them."""
    root = collect_statics(tmp_path_factory)
    hashed = {"BACKEND": "tricky_site.http.statics.IncrementallyCompressedStatics"}
    storages = {**settings.STORAGES, "staticfiles": hashed}
    with override_settings(STATIC_ROOT=root, STORAGES=storages):
        yield root


@pytest.fixture(scope="session")
def live_server(statics: Path) -> Iterator[LiveServer]:
    """Serve the site, with static files as in production."""
    server = LiveServer("localhost", start=False)
    # The site itself serves static files, as in production.
    server.thread.static_handler = lambda site: site  # type: ignore[assignment]
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def memory(statics: Path) -> Memory:
    return Memory(statics)


@pytest.fixture
def launch_with_camera(
    chromium_type: BrowserType, chromium_path: str, tmp_path: Path
) -> Iterator[Callable[[Sequence[bytes]], Browser]]:
    """Return a function that launches browsers with a camera that shows pictures one after the other.

    The headless shell has no such camera.
    """
    browsers = []

    def launch(pictures: Sequence[bytes]) -> Browser:
        video = tmp_path / "camera.y4m"
        video.write_bytes(make_video(pictures))
        camera = [
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={video}",
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
def new_phone(
    chromium: Browser, memory: Memory, live_server: LiveServer
) -> Iterator[Callable[..., Page]]:
    """Return a function that creates phones; further keywords go to Playwright's `new_context`.

    With `loses_network` a phone may log network errors, has a service worker, and starts its
    own server once it is idle (not with `is_ready=False`), which it has started before (not
    with `is_new`). Other phones save data and fetch nothing ahead, to keep tests fast; they
    have no service worker unless `service_workers` is given.
    With `sends_without_a_page` a phone has Background Sync. With `browser` it does not use the
    shared browser.
    """
    contexts = []
    watches = []

    def make(
        *,
        browser: Browser = chromium,
        loses_network: bool = False,
        sends_without_a_page: bool = False,
        is_ready: bool = True,
        is_new: bool = False,
        **options: object,
    ) -> Page:
        context = browser.new_context(
            **{  # type: ignore[arg-type]
                "base_url": live_server.url,
                "viewport": {"width": 390, "height": 844},
                "device_scale_factor": 2,
                "has_touch": True,
                "is_mobile": True,
                "locale": "en",
                "service_workers": "allow" if loses_network else "block",
                **options,
            }
        )
        context.set_default_timeout(SHOWN_WITHIN)
        base_url = str(options.get("base_url", live_server.url))
        if not sends_without_a_page:
            context.add_init_script(PAGES_SEND_ALONE)
        if not loses_network:
            context.add_init_script(SAVES_DATA)
        elif is_ready:
            context.add_init_script(WANTS_OFFLINE)
        if loses_network and not is_new:
            memory.restore_to(context)
        contexts.append(context)
        page = context.new_page()
        host = urlsplit(base_url).netloc
        watches.append(Watch(page, host=host, loses_network=loses_network))
        return page

    yield make
    for context in contexts:
        memory.save_from(context)
        context.close()
    assert [fault for watch in watches for fault in watch.faults] == []


@pytest.fixture
def phone(new_phone: Callable[..., Page]) -> Page:
    return new_phone()


@pytest.fixture
def pub_phone(new_phone: Callable[..., Page]) -> Page:
    return new_phone(loses_network=True)


@pytest.fixture
def second_phone(new_phone: Callable[..., Page]) -> Page:
    return new_phone()


@pytest.fixture
def phone_without_javascript(new_phone: Callable[..., Page]) -> Page:
    return new_phone(java_script_enabled=False)


@pytest.fixture
def laptop(new_phone: Callable[..., Page]) -> Page:
    return new_phone(
        viewport={"width": 1440, "height": 900}, is_mobile=False, has_touch=False
    )
