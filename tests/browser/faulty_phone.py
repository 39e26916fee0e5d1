"""A phone with many faults, and a record of the entries that it reported as stored."""

import json
import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Error, Page

from tests.browser.acts import FORM_HELPERS, RECORD_ENTRIES
from tests.browser.conftest import SHOWN_WITHIN, Watch
from tests.browser.network import Network
from tests.browser.offline import (
    PAGES_SEND_ALONE,
    SAVES_DATA,
    WANTS_OFFLINE,
    clock_wrong_by,
    until,
    until_true,
)
from tests.site import Site

SHEET_TEXT = "document.querySelector('#sheet')?.dataset.checkWords ?? ''"
IS_MATCH_STORED = "import('APP').then((app) => app.findMatch('%s')).then(Boolean)"
QUEUED_KEYS = "import('APP').then((app) => app.queuedEntries()).then((all) => all.map(({ key }) => key))"
OWN_PAGE = """import('APP').then(async (app) => {
  const { text } = await app.requestPage("GET", "/m/%s/");
  return { text, record: await app.callWorker("record", "%s") };
})"""


@dataclass(frozen=True, slots=True)
class Act:
    phone: int
    kind: str
    shown_points: tuple[int, ...] = ()
    """The points that the form of a correction showed initially."""


class Phone:
    """A phone, its network, and the entries that it reported as stored."""

    def __init__(
        self,
        number: int,
        site: Site,
        network: Network,
        switch_on: Callable[[], BrowserContext],
        *,
        hours: int,
        profile: Path | None = None,
    ) -> None:
        """Create a phone with a clock that is wrong by `hours`.

        Its storage is in the folder `profile`, which it needs to be killed.

        A phone with a wrong clock has Background Sync and saves data: its own server starts
        only when it is needed.
        """
        self.number, self.site, self.network = number, site, network
        self._switch_on, self._hours, self._profile = switch_on, hours, profile
        self.stored: list[dict[str, Any]] = []
        """Each stored entry, with its `act`."""
        self.refused: list[dict[str, Any]] = []
        """Entries that the server refused."""
        self.shown_hands: list[tuple[str, int, list[str]]] = []
        """Hands shown as stored or saved: address, number and scores; with an empty address, the
        number of waiting entries that was shown."""
        self.watches: list[Watch] = []
        self.is_offline = False
        self.start()

    def start(self) -> None:
        self.context = self._switch_on()
        self.context.set_default_timeout(SHOWN_WITHIN)
        self.context.expose_function("noteKept", self.note_stored)
        self.context.expose_function("noteRefused", self.note_refused)
        self.context.expose_function("noteShown", self.note_shown)
        self.context.add_init_script(RECORD_ENTRIES)
        self.context.add_init_script(clock_wrong_by(self._hours))
        self.context.add_init_script(SAVES_DATA if self._hours else PAGES_SEND_ALONE)
        self.context.add_init_script(WANTS_OFFLINE)
        self.network.carry_for(self.context)
        self.context.set_offline(self.is_offline)
        self.new_page()

    def note_stored(self, entry: dict[str, Any]) -> None:
        self.stored.append(entry)

    def note_refused(self, entry: dict[str, Any]) -> None:
        self.refused.append(entry)

    def note_shown(self, address: str, number: int, scores: list[str]) -> None:
        """Record a hand that is shown as stored, or as saved on the server."""
        self.shown_hands.append((address, number, scores))

    def die(self) -> None:
        """Kill its browser, and start it again with the same storage."""
        assert self._profile is not None
        kill_browser(self._profile)
        self.switch_off()
        self.start()

    def switch_off(self) -> None:
        with suppress(Error):
            self.context.close()

    def new_page(self) -> None:
        self.page: Page = self.context.new_page()
        host = urlsplit(self.site.url).netloc
        self.watches.append(Watch(self.page, host=host, loses_network=True))

    def forget(self) -> None:
        self.set_offline(offline=False)
        for record in (
            self.stored,
            self.refused,
            self.shown_hands,
            self.network.faults,
        ):
            record.clear()

    @property
    def faults(self) -> list[str]:
        """Return the faults of its pages."""
        return [fault for watch in self.watches for fault in watch.faults]

    def go(self, path: str) -> None:
        """Open a page like a tap on a link, which keeps the phone's own server running."""
        if self.page.url == "about:blank":
            self.page.goto(self.site.url)
        self.page.evaluate(
            self.with_app("path => import('APP').then((app) => app.openPage(path))"),
            path,
        )

    def open(self, address: str) -> None:
        self.go(f"/m/{address}/")

    @property
    def is_ready(self) -> bool:
        return bool(self.page.evaluate("'ready' in document.documentElement.dataset"))

    def give_time(self) -> None:
        """Wait until the phone is ready for offline, unless it saves data."""
        if not self._hours:
            until(self.page, "'ready' in document.documentElement.dataset")

    def wait_until_stored(self, address: str) -> None:
        """Wait until the phone has stored the match and the page of its next hand."""
        until(self.page, "Boolean(navigator.serviceWorker.controller)")
        until(self.page, self.with_app(IS_MATCH_STORED % address))
        until(self.page, f"caches.match('/m/{address}/hands/new/').then(Boolean)")

    def run_script(self, script: str, action: int, address: str, *args: object) -> Any:
        """Run a script on the page, and return its result; False if it could do nothing."""
        script = self.with_app(FORM_HELPERS + script)
        arguments = [action, address, *args]
        return self.page.evaluate(f"async (args) => {{ {script} }}", arguments)

    def with_app(self, script: str) -> str:
        """Return JavaScript with the address of the scorepad's script."""
        static = Path(self.site.environment["STATIC_ROOT"])
        hashed_paths = json.loads((static / "staticfiles.json").read_text())["paths"]
        return script.replace(
            "APP", f"/static/{hashed_paths['scoring/bundles/app.js']}"
        )

    def set_offline(self, *, offline: bool) -> None:
        self.is_offline = offline
        self.context.set_offline(offline)

    def reload(self) -> None:
        self.page.reload()

    def close_page(self, address: str) -> None:
        self.page.close(run_before_unload=False)
        self.new_page()
        self.page.goto(f"{self.site.url}/m/{address}/")

    def queued_keys(self) -> set[str]:
        """Return the keys of stored entries that are still queued."""
        return set(self.page.evaluate(self.with_app(QUEUED_KEYS)))

    def send_all(self, patience: float = 60) -> None:
        """Wait until the server has all entries; the network is signalled as back again and again."""

        def is_sent() -> bool:
            self.page.evaluate("dispatchEvent(new Event('online'))")
            with suppress(AssertionError):
                until(self.page, "!document.documentElement.dataset.queuedEntries", 1)
                return True
            return False

        until_true(is_sent, "everything is sent", patience)

    def wait_until_shown(self, text: str) -> None:
        """Wait until the open sheet shows the words, without a reload."""
        until(self.page, f"({SHEET_TEXT}) === {text!r}", 20)

    def own_page(self, address: str) -> dict[str, str]:
        """Return the page and the record of a match from the phone's own server."""
        script = OWN_PAGE % (address, address)
        answer: dict[str, str] = self.page.evaluate(self.with_app(script))
        return answer


def find_check_words(page: str) -> str:
    match = re.search('data-check-words="(.*?)"', page)
    return match[1] if match else ""


def kill_browser(profile: Path) -> None:
    profile_option = f"--user-data-dir={profile}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        # Processes can end in the meantime.
        with suppress(OSError):
            if profile_option in Path(folder, "cmdline").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
