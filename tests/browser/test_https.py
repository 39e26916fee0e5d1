"""In a club room: a phone trusts the machine there, and keeps score without the network."""

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
    see_mark,
    start_match,
    until_everything_is_sent,
    until_it_can_go_on_alone,
)
from tests.factories import new_match
from tests.site import free_port
from tests.tls import assert_speaks_no_old_tls
from tricky_site.settings import BASE_DIR

NAME = "tricky.club"
"""What the machine is called; to a browser that is no name of its own machine."""
MAPPED = f"--host-resolver-rules=MAP {NAME} 127.0.0.1"
STARTS_WITHIN = 240


class Host:
    """A machine in a club room, on which somebody has started `script/https`."""

    def __init__(self, folder: Path, statics: Path) -> None:
        self.folder, self.statics = folder, statics
        self.port = free_port()
        self.https_port = free_port(self.port + 1)

    @property
    def plain(self) -> str:
        return f"http://{NAME}:{self.port}"

    @property
    def url(self) -> str:
        return f"https://{NAME}:{self.https_port}"

    def environment(self) -> dict[str, str]:
        ours = {"DATABASE_URL", "CELERY_BROKER_URL", "CELERY_QUEUE", "SECRET_KEY"}
        environment = {
            name: value for name, value in os.environ.items() if name not in ours
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
        """Return the certificate that phones are to trust, as the first page hands it out."""
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
    """Give a host that runs; it is ended as its operator would end it."""
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
    """Add a certificate to the authorities of the home directory, as a user does."""
    store = home / ".pki/nssdb"
    store.mkdir(parents=True)
    file = home / "tricky.crt"
    file.write_bytes(certificate)
    at = ["-d", f"sql:{store}"]
    added = ["-A", "-n", "Tricky", "-t", "C,,", "-i", str(file)]
    for command in (["-N", "--empty-password"], added):
        subprocess.run(["certutil", *command, *at], check=True)


PATIENCE = 30_000
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, statics: Path) -> Iterator[Host]:
    with room_host(tmp_path_factory.mktemp("room"), statics) as host:
        yield host


@pytest.fixture(scope="module")
def launched(
    chromium_type: BrowserType, chromium_path: str
) -> Iterator[Callable[..., Browser]]:
    browsers = []

    def launch(home: Path | None = None) -> Browser:
        lives = {**os.environ, "HOME": str(home)} if home else dict(os.environ)
        browsers.append(
            chromium_type.launch(
                executable_path=chromium_path,
                args=["--no-sandbox", MAPPED],
                env=lives,  # type: ignore[arg-type]
            )
        )
        return browsers[-1]

    yield launch
    for browser in browsers:
        browser.close()


@pytest.fixture(scope="module")
def stranger(launched: Callable[..., Browser]) -> Browser:
    return launched()


def context_of(browser: Browser, **options: object) -> BrowserContext:
    context = browser.new_context(
        **{"viewport": {"width": 390, "height": 844}, "locale": "en", **options}  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE)
    return context


@pytest.mark.long(60)
@pytest.mark.skipif(shutil.which("certutil") is None, reason="no certutil")
def test_trusting_phone_switches_to_https_and_scores_offline(
    host: Host, launched: Callable[..., Browser], tmp_path: Path
) -> None:
    trust(tmp_path, host.authority())
    context = context_of(launched(tmp_path))
    context.add_init_script(WANTS_OFFLINE)
    phone = context.new_page()
    phone.goto(f"{host.plain}/matches/new/?game=tricky_bid#from-a-code")
    phone.wait_for_url(f"{host.url}/matches/new/?game=tricky_bid#from-a-code")
    start_match(phone, "tricky_bid", ("Ann", "Bo", "Cy", "Di"))
    until_it_can_go_on_alone(phone)
    context.set_offline(True)
    enter_points(phone, 1, (9, 5, 3, 1))
    see_mark(phone, 1, "only on this phone")
    phone.reload()
    see_mark(phone, 1, "only on this phone")
    until_it_can_go_on_alone(phone)
    enter_points(phone, 2, (1, 2, 3, 4))
    assert phone.locator("[data-https-notice]:visible").count() == 0
    context.set_offline(False)
    phone.evaluate("dispatchEvent(new Event('online'))")
    until_everything_is_sent(phone, 60)
    elsewhere = context_of(launched(tmp_path), java_script_enabled=False).new_page()
    elsewhere.goto(phone.url)
    expect(elsewhere.locator("tr[data-hand='2']")).to_be_attached()


def test_trust_instructions_work_without_scripts(host: Host, stranger: Browser) -> None:
    phone = context_of(
        stranger, user_agent=IPHONE, java_script_enabled=False
    ).new_page()
    phone.goto(f"{host.plain}/m/where-somebody-went/?secret=1")
    expect(phone.locator(".pictures li .picture:visible")).to_have_count(3)
    expect(phone.get_by_alt_text("not yet")).to_be_visible()
    on = phone.get_by_role("link", name="Open Tricky")
    there = f"{host.url}/m/where-somebody-went/?secret=1"
    expect(on).to_have_attribute("href", there)
    with phone.expect_download() as loaded:
        phone.get_by_role("link", name="Download the profile").first.click()
    assert loaded.value.suggested_filename.startswith("tricky.")
    phone.context.close()


def test_trust_page_is_accessible_and_fits_every_screen(
    host: Host, stranger: Browser
) -> None:
    page = context_of(stranger, user_agent=IPHONE).new_page()
    page.goto(f"{host.plain}/trust/")
    assert_accessible(page)
    assert page.locator(".primary:visible").count() == 1
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


@pytest.mark.long(10)
def test_untrusting_phone_is_warned_once(host: Host, stranger: Browser) -> None:
    phone = context_of(stranger, ignore_https_errors=True).new_page()
    phone.goto(f"{host.url}/matches/new/?game=tricky_bid")
    start_match(phone, "tricky_bid", ("Ann", "Bo", "Cy", "Di"))
    words = phone.get_by_text("doesn’t trust this server")
    expect(words).to_be_visible()
    how = phone.locator("[data-instructions] a")
    expect(how).to_have_attribute("href", f"{host.plain}/trust/")
    understood(phone)
    expect(words).to_be_hidden()
    enter_points(phone, 1, (9, 5, 3, 1))
    phone.reload()
    expect(phone.locator("tr[data-hand='1']")).to_be_attached()
    expect(words).to_be_hidden()
    phone.context.close()


@pytest.mark.django_db(transaction=True)
def test_phone_warns_once_if_https_is_unavailable(
    live_server: LiveServer, stranger: Browser, settings: object
) -> None:
    settings.ALLOWED_HOSTS = [NAME]  # type: ignore[attr-defined]
    port = live_server.url.rpartition(":")[2]
    match = new_match("tricky_bid", 4)
    phone = context_of(stranger).new_page()
    phone.goto(f"http://{NAME}:{port}{match.get_absolute_url()}")
    words = phone.get_by_text("the server must use HTTPS")
    expect(words).to_be_visible()
    assert_accessible(phone)
    understood(phone)
    expect(words).to_be_hidden()
    phone.goto(f"http://{NAME}:{port}/")
    expect(phone.get_by_role("link", name=re.compile("New match"))).to_be_visible()
    expect(words).to_be_hidden()
    phone.context.close()


def understood(phone: Page) -> None:
    phone.get_by_role("button", name="Got it").click()


def test_room_host_rejects_old_tls(host: Host) -> None:
    assert_speaks_no_old_tls(NAME, host.https_port, has_older=False)
