"""In a club room: a phone trusts the server and keeps score offline."""

import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.accessible import assert_accessible
from tests.browser.offline import (
    WANTS_OFFLINE,
    enter_points,
    expect_badge,
    start_match,
    wait_until_offline_ready,
    wait_until_sent,
)
from tests.factories import new_match
from tests.site import free_port
from tests.tls import assert_modern_tls
from tricky_site.settings import BASE_DIR

NAME = "tricky.club"
"""Host name of the server; a browser doesn't treat it as its own machine."""
MAPPED = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
STARTS_WITHIN = 240


class Host:
    """A server in a club room, started with `script/https`."""

    def __init__(self, folder: Path, statics: Path) -> None:
        self.folder, self.statics = folder, statics
        self.port = free_port()
        self.https_port = free_port(self.port + 1)

    @property
    def http_url(self) -> str:
        return f"http://{NAME}:{self.port}"

    @property
    def url(self) -> str:
        return f"https://{NAME}:{self.https_port}"

    def environment(self) -> dict[str, str]:
        site_settings = {
            "DATABASE_URL",
            "CELERY_BROKER_URL",
            "CELERY_QUEUE",
            "SECRET_KEY",
        }
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in site_settings
        }
        return environment | {
            "ALLOWED_HOSTS": f"{NAME},localhost,127.0.0.1",
            "HOST": "127.0.0.1",
            "HTTPS_PORT": str(self.https_port),
            "PORT": str(self.port),
            "STATIC_ROOT": str(self.statics),
            "TRICKY_VAR": str(self.folder / "var"),
        }

    def authority(self) -> bytes:
        """Return the certificate for phones, as the trust page offers it."""
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.port}/trust/tricky.crt", timeout=30
        ) as answer:
            content: bytes = answer.read()
        return content

    def answers(self) -> bool:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5)
            urllib.request.urlopen(f"https://127.0.0.1:{self.https_port}/", timeout=5)
        except URLError as error:
            return "certificate verify failed" in str(error)
        return False


@contextmanager
def room_host(folder: Path, statics: Path) -> Iterator[Host]:
    """Yield a running host; stop it with SIGTERM."""
    host = Host(folder, statics)
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        cwd=BASE_DIR,
        env=host.environment(),
        check=True,
    )
    with (folder / "log").open("wb") as log:
        script = subprocess.Popen(
            ["script/https"],
            cwd=BASE_DIR,
            env=host.environment(),
            stdout=log,
            stderr=log,
        )
    try:
        deadline = time.monotonic() + STARTS_WITHIN
        while not host.answers():
            log_text = (folder / "log").read_text()
            assert script.poll() is None, log_text
            assert time.monotonic() < deadline, log_text
            time.sleep(0.2)
        yield host
    finally:
        script.terminate()
        script.wait(timeout=30)


def trust(home: Path, certificate: bytes) -> None:
    """Add a certificate to the authorities of a home directory, as a user does."""
    store = home / ".pki/nssdb"
    store.mkdir(parents=True)
    file = home / "tricky.crt"
    file.write_bytes(certificate)
    database = ["-d", f"sql:{store}"]
    add_command = ["-A", "-n", "Tricky", "-t", "C,,", "-i", str(file)]
    for command in (["-N", "--empty-password"], add_command):
        subprocess.run(["certutil", *command, *database], check=True)


PATIENCE = 30_000
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, statics: Path) -> Iterator[Host]:
    with room_host(tmp_path_factory.mktemp("room"), statics) as host:
        yield host


@pytest.fixture(scope="module")
def launch_browser(
    chromium_type: BrowserType, chromium_path: str
) -> Iterator[Callable[..., Browser]]:
    browsers = []

    def launch(home: Path | None = None) -> Browser:
        environment = {**os.environ, "HOME": str(home)} if home else dict(os.environ)
        browsers.append(
            chromium_type.launch(
                executable_path=chromium_path,
                args=["--no-sandbox", MAPPED],
                env=environment,  # type: ignore[arg-type]
            )
        )
        return browsers[-1]

    yield launch
    for browser in browsers:
        browser.close()


@pytest.fixture(scope="module")
def untrusting_browser(launch_browser: Callable[..., Browser]) -> Browser:
    return launch_browser()


def context_of(browser: Browser, **options: object) -> BrowserContext:
    context = browser.new_context(
        **{"viewport": {"width": 390, "height": 844}, "locale": "en", **options}  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE)
    return context


@pytest.mark.long(60)
@pytest.mark.skipif(shutil.which("certutil") is None, reason="no certutil")
def test_trusting_phone_switches_to_https_and_scores_offline(
    host: Host, launch_browser: Callable[..., Browser], tmp_path: Path
) -> None:
    trust(tmp_path, host.authority())
    context = context_of(launch_browser(tmp_path))
    context.add_init_script(WANTS_OFFLINE)
    phone = context.new_page()
    phone.goto(f"{host.http_url}/matches/new/?game=tricky_bid#from-a-code")
    phone.wait_for_url(f"{host.url}/matches/new/?game=tricky_bid#from-a-code")
    start_match(phone, "tricky_bid", ("Ann", "Bo", "Cy", "Di"))
    wait_until_offline_ready(phone)
    context.set_offline(True)
    enter_points(phone, 1, (9, 5, 3, 1))
    expect_badge(phone, 1, "only on this phone")
    phone.reload()
    expect_badge(phone, 1, "only on this phone")
    wait_until_offline_ready(phone)
    enter_points(phone, 2, (1, 2, 3, 4))
    assert phone.locator("[data-https-notice]:visible").count() == 0
    context.set_offline(False)
    phone.evaluate("dispatchEvent(new Event('online'))")
    wait_until_sent(phone, 60)
    other_phone = context_of(
        launch_browser(tmp_path), java_script_enabled=False
    ).new_page()
    other_phone.goto(phone.url)
    expect(other_phone.locator("tr[data-hand='2']")).to_be_attached()


def test_trust_instructions_work_without_scripts(
    host: Host, untrusting_browser: Browser
) -> None:
    phone = context_of(
        untrusting_browser, user_agent=IPHONE, java_script_enabled=False
    ).new_page()
    phone.goto(f"{host.http_url}/m/where-somebody-went/?secret=1")
    expect(phone.locator(".pictures li .picture:visible")).to_have_count(3)
    expect(phone.get_by_alt_text("not yet")).to_be_visible()
    link = phone.get_by_role("link", name="Open Tricky")
    target = f"{host.url}/m/where-somebody-went/?secret=1"
    expect(link).to_have_attribute("href", target)
    with phone.expect_download() as download:
        phone.get_by_role("link", name="Download the profile").first.click()
    assert download.value.suggested_filename.startswith("tricky.")
    phone.context.close()


def test_trust_page_is_accessible_and_fits_every_screen(
    host: Host, untrusting_browser: Browser
) -> None:
    page = context_of(untrusting_browser, user_agent=IPHONE).new_page()
    page.goto(f"{host.http_url}/trust/")
    assert_accessible(page)
    assert page.locator(".primary:visible").count() == 1
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


@pytest.mark.long(10)
def test_untrusting_phone_is_warned_once(
    host: Host, untrusting_browser: Browser
) -> None:
    phone = context_of(untrusting_browser, ignore_https_errors=True).new_page()
    phone.goto(f"{host.url}/matches/new/?game=tricky_bid")
    start_match(phone, "tricky_bid", ("Ann", "Bo", "Cy", "Di"))
    warning = phone.get_by_text("doesn’t trust the server yet")
    expect(warning).to_be_visible()
    instructions = phone.locator("[data-instructions] a")
    expect(instructions).to_have_attribute("href", f"{host.http_url}/trust/")
    dismiss_notice(phone)
    expect(warning).to_be_hidden()
    enter_points(phone, 1, (9, 5, 3, 1))
    phone.reload()
    expect(phone.locator("tr[data-hand='1']")).to_be_attached()
    expect(warning).to_be_hidden()
    phone.context.close()


@pytest.mark.django_db(transaction=True)
def test_phone_warns_once_if_https_is_unavailable(
    live_server: LiveServer, untrusting_browser: Browser, settings: object
) -> None:
    settings.ALLOWED_HOSTS = [NAME]  # type: ignore[attr-defined]
    port = live_server.url.rpartition(":")[2]
    match = new_match("tricky_bid", 4)
    phone = context_of(untrusting_browser).new_page()
    phone.goto(f"http://{NAME}:{port}{match.get_absolute_url()}")
    warning = phone.get_by_text("the server doesn’t use HTTPS")
    expect(warning).to_be_visible()
    assert_accessible(phone)
    dismiss_notice(phone)
    expect(warning).to_be_hidden()
    phone.goto(f"http://{NAME}:{port}/")
    expect(phone.get_by_role("link", name=re.compile("New match"))).to_be_visible()
    expect(warning).to_be_hidden()
    phone.context.close()


def dismiss_notice(phone: Page) -> None:
    phone.get_by_role("button", name="Got it").click()


def test_room_host_rejects_old_tls(host: Host) -> None:
    assert_modern_tls(NAME, host.https_port, has_older=False)
