"""How soon a slow phone can be used, and how soon it could go on alone.

python -m tests.benchmarks.bench_phone

Chromium's pages run in processes that are stopped five sixths of the time, so every thread of theirs
is six times slower: what is read and tapped, and the worker with the phone's own server. The
server of the site and the rest of the browser are not. WebKitGTK's run as they are. The clock starts when the page is
opened; its own server starts once the page was at rest for four seconds.
"""

import json
import os
import re
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

from playwright.sync_api import BrowserContext, Page, sync_playwright

from tests.benchmarks.extent import SHORT
from tests.benchmarks.machine import speed
from tests.lighthouse import FIND_PAGES
from tests.site import Site, hosted
from tests.statics import cached_statics

WANTED = "localStorage.setItem('tricky-offline-wanted', '1')"
"""Asks for the phone to be ready for offline."""
SLOWER = 6
RUNS_FOR = 0.004
"""Seconds; then it is stopped five times as long."""
STARTS = 1 if SHORT else 5
PATIENCE = 240
USED_S, ALONE_S, TASK_MS, WEBKIT_S, WEBKIT_MB = 1.5, 12, 200, 15, 250
"""Until a key of the pad answers, until its own server does, the longest task of the thread that draws
meanwhile; in WebKitGTK until its own server answers, and the memory that it takes."""
NOTES = """
  (() => {
    // What earlier pages tapped is a draft, and once all of it is full no key is left.
    try { for (const place of Object.keys(localStorage)) if (place.startsWith("tricky-form:")) localStorage.removeItem(place); } catch {}
    const noted = (globalThis.noted = { longest: 0, tasks: [] });
    new PerformanceObserver((list) => {
      for (const { duration, startTime } of list.getEntries()) noted.tasks.push([Math.round(startTime), Math.round(duration)]);
    }).observe({ type: "longtask", buffered: true });
    const tries = setInterval(() => {
      const key = document.querySelector("[data-tray]:not([hidden]) button");
      const before = [...document.querySelectorAll("form.entry input")].map(({ value, checked }) => `${value} ${checked}`).join();
      key?.click();
      const after = [...document.querySelectorAll("form.entry input")].map(({ value, checked }) => `${value} ${checked}`).join();
      if (before === after) return;
      noted.used = performance.now();
      clearInterval(tries);
    }, 20);
    const looks = setInterval(() => {
      if (!document.documentElement || !("ready" in document.documentElement.dataset)) return;
      noted.ready = performance.now();
      clearInterval(looks);
    }, 20);
  })();
"""
IS_KEPT = "caches.has('tricky-memory')"


class Start(NamedTuple):
    """What one opening of the page took: seconds, milliseconds, and MB."""

    used: float
    ready: float
    longest: float
    memory: float


def processes(kind: bytes) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if kind in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


def memory(kind: bytes) -> float:
    held = 0
    for pid in processes(kind):
        with suppress(OSError):
            told = Path(f"/proc/{pid}/smaps_rollup").read_text()
            held += sum(map(int, re.findall(r"Private\w+: +(\d+)", told)))
    return held / 1024


RENDERER = b"--type=renderer"
WEB_PROCESS = b"WebKitWebProcess"


@contextmanager
def slowed() -> Iterator[None]:
    over = Event()

    def say(pids: list[int], what: signal.Signals) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, what)

    def slow() -> None:
        pids: list[int] = []
        looks = 0.0
        while not over.is_set():
            if time.monotonic() > looks:
                pids, looks = processes(RENDERER), time.monotonic() + 0.1
            say(pids, signal.SIGCONT)
            time.sleep(RUNS_FOR)
            say(pids, signal.SIGSTOP)
            time.sleep(RUNS_FOR * (SLOWER - 1))
        say(processes(RENDERER), signal.SIGCONT)

    thread = Thread(target=slow)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def until_ready(page: Page) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while True:
        noted: dict[str, Any] = page.evaluate("globalThis.noted ?? {}")
        if "ready" in noted and "used" in noted:
            return noted
        assert time.monotonic() < deadline, noted
        time.sleep(0.25)


def open_page(context: BrowserContext, url: str) -> Start:
    page = context.new_page()
    before = memory(RENDERER)
    page.goto(url, wait_until="commit")
    noted = until_ready(page)
    took = memory(RENDERER) - before
    longest = max([task for start, task in noted["tasks"]], default=0)
    page.close()
    return Start(noted["used"] / 1000, noted["ready"] / 1000, longest, took)


def report(what: str, figure: str, *, holds: bool) -> None:
    print(f"{what:<52} {figure}: {'met' if holds else 'MISSED'}", flush=True)


def measure_chromium(url: str) -> None:
    """Measure a first visit at full speed, then openings of the page on a slow phone."""
    names = (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium")
    path = next(filter(None, map(shutil.which, filter(None, names))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"]
        )

        def phone() -> BrowserContext:
            context = browser.new_context(
                viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
            )
            context.set_default_timeout(PATIENCE * 1000)
            context.add_init_script(f"try {{ {WANTED} }} catch {{}}")
            context.add_init_script(NOTES)
            return context

        context = phone()
        page = context.new_page()
        page.goto(url)
        first = until_ready(page)
        page.wait_for_function(IS_KEPT)
        page.close()
        print(
            f"first visit, at full speed: used after {first['used'] / 1000:.2f} s, alone after {first['ready'] / 1000:.1f} s"
        )
        quick = open_page(context, url)
        print(
            f"later, at full speed: used after {quick.used:.2f} s, alone after {quick.ready:.1f} s, "
            f"longest task {quick.longest:.0f} ms, {quick.memory:.0f} MB"
        )
        with slowed():
            starts = [open_page(context, url) for _start in range(STARTS)]
            first_slow = open_page(phone(), url)
        browser.close()
    for what, which, goal, unit in (
        ("the pad can be used", 0, USED_S, "s"),
        ("its own server answers", 1, ALONE_S, "s"),
        ("longest task meanwhile", 2, TASK_MS, "ms"),
    ):
        times = sorted(start[which] for start in starts)
        middle, digits = times[len(times) // 2], 0 if unit == "ms" else 2
        figure = (
            f"{middle:.{digits}f} {unit}, at worst {times[-1]:.{digits}f} (goal {goal})"
        )
        report(f"{SLOWER} times slower: {what}", figure, holds=middle <= goal)
    print(
        f"{SLOWER} times slower, first visit: used after {first_slow.used:.2f} s, alone after {first_slow.ready:.1f} s, "
        f"longest task {first_slow.longest:.0f} ms"
    )


def measure_webkit(url: str, origin: str) -> None:
    from tests.other_browsers.webkit import WebKit

    driver = shutil.which("WebKitWebDriver")
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
    if driver is None or not browsers:
        print("no WebKitGTK here")
        return
    phone = WebKit(origin, driver, str(browsers[-1]))
    try:
        for which in ("first", *["later"] * (STARTS - 1)):
            phone.navigate(origin)
            phone.evaluate(WANTED)
            before = memory(WEB_PROCESS)
            began = time.monotonic()
            phone.navigate(url)
            while not phone.evaluate("'ready' in document.documentElement.dataset"):
                assert time.monotonic() - began < PATIENCE
                time.sleep(0.1)
            took, held = time.monotonic() - began, memory(WEB_PROCESS) - before
            report(
                f"WebKitGTK, {which}: its own server answers",
                f"{took:.1f} s (goal {WEBKIT_S}), {held:.0f} MB more (goal {WEBKIT_MB})",
                holds=took <= WEBKIT_S and held <= WEBKIT_MB,
            )
            time.sleep(3)
    finally:
        phone.close()


def entry_of(site: Site) -> str:
    site.manage("demo")
    printed = site.manage("shell", "--no-imports", "-c", FIND_PAGES)
    address: str = json.loads(printed)["entry"]
    return site.url + address


def main() -> None:
    """Start a site as it is hosted, and measure both browsers on it."""
    before = speed()
    with hosted(
        f"tricky_phone_{os.getpid()}", cached_statics(), has_worker=False
    ) as site:
        url = entry_of(site)
        measure_chromium(url)
        measure_webkit(url, site.url)
    print(f"machine {before:.2f} before and {speed():.2f} after")


if __name__ == "__main__":
    main()
