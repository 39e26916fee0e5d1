"""How soon a slow phone can be used, and how soon it is ready for offline.

python -m tests.benchmarks.bench_phone

Chromium's page processes are stopped five sixths of the time, so that all their threads are six
times slower, including the worker with the phone's own server; the site and the rest of the browser
are not. WebKitGTK runs at full speed. Time counts from the opening of the page; its own server
starts after the page was idle for four seconds.
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

WANT_OFFLINE = "localStorage.setItem('tricky-offline-wanted', '1')"
"""Asks for the phone to be ready for offline."""
SLOWDOWN = 6
RUN_SECONDS = 0.004
"""Seconds; then the process is stopped for five times as long."""
STARTS = 1 if SHORT else 5
PATIENCE = 240
USABLE_S, OFFLINE_S, TASK_MS, WEBKIT_S, WEBKIT_MB = 1.5, 12, 200, 15, 250
"""Goals: time until a key of the pad works, until the phone's own server answers, and the longest task
of the main thread; in WebKitGTK time until its own server answers, and its memory."""
RECORD_TIMES = """
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
IS_SNAPSHOT_STORED = "caches.has('tricky-memory')"


class PageLoad(NamedTuple):
    """Measurements of one page load: seconds, seconds, milliseconds and MB."""

    used: float
    ready: float
    longest: float
    memory: float


def processes(kind: bytes) -> list[int]:
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if kind in (folder / "cmdline").read_bytes():
                pids.append(int(folder.name))
    return pids


def memory(kind: bytes) -> float:
    total = 0
    for pid in processes(kind):
        with suppress(OSError):
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            total += sum(map(int, re.findall(r"Private\w+: +(\d+)", rollup)))
    return total / 1024


RENDERER = b"--type=renderer"
WEB_PROCESS = b"WebKitWebProcess"


@contextmanager
def slow_pages() -> Iterator[None]:
    is_over = Event()

    def send_signal(pids: list[int], signal_: signal.Signals) -> None:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal_)

    def stop_and_continue() -> None:
        pids: list[int] = []
        next_look = 0.0
        while not is_over.is_set():
            if time.monotonic() > next_look:
                pids, next_look = processes(RENDERER), time.monotonic() + 0.1
            send_signal(pids, signal.SIGCONT)
            time.sleep(RUN_SECONDS)
            send_signal(pids, signal.SIGSTOP)
            time.sleep(RUN_SECONDS * (SLOWDOWN - 1))
        send_signal(processes(RENDERER), signal.SIGCONT)

    thread = Thread(target=stop_and_continue)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def until_ready(page: Page) -> dict[str, Any]:
    deadline = time.monotonic() + PATIENCE
    while True:
        times: dict[str, Any] = page.evaluate("globalThis.noted ?? {}")
        if "ready" in times and "used" in times:
            return times
        assert time.monotonic() < deadline, times
        time.sleep(0.25)


def open_page(context: BrowserContext, url: str) -> PageLoad:
    page = context.new_page()
    memory_before = memory(RENDERER)
    page.goto(url, wait_until="commit")
    times = until_ready(page)
    memory_used = memory(RENDERER) - memory_before
    longest = max([task for start, task in times["tasks"]], default=0)
    page.close()
    return PageLoad(times["used"] / 1000, times["ready"] / 1000, longest, memory_used)


def report(label: str, figure: str, *, is_met: bool) -> None:
    print(f"{label:<52} {figure}: {'met' if is_met else 'MISSED'}", flush=True)


def measure_chromium(url: str) -> None:
    """Measure a first visit at full speed, then openings of the page on a slow phone."""
    names = (os.environ.get("CHROMIUM"), "chromium-headless-shell", "chromium")
    path = next(filter(None, map(shutil.which, filter(None, names))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"]
        )

        def new_context() -> BrowserContext:
            context = browser.new_context(
                viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True
            )
            context.set_default_timeout(PATIENCE * 1000)
            context.add_init_script(f"try {{ {WANT_OFFLINE} }} catch {{}}")
            context.add_init_script(RECORD_TIMES)
            return context

        context = new_context()
        page = context.new_page()
        page.goto(url)
        first_times = until_ready(page)
        page.wait_for_function(IS_SNAPSHOT_STORED)
        page.close()
        print(
            f"first visit, at full speed: used after {first_times['used'] / 1000:.2f} s, alone after {first_times['ready'] / 1000:.1f} s"
        )
        fast_load = open_page(context, url)
        print(
            f"later, at full speed: used after {fast_load.used:.2f} s, alone after {fast_load.ready:.1f} s, "
            f"longest task {fast_load.longest:.0f} ms, {fast_load.memory:.0f} MB"
        )
        with slow_pages():
            loads = [open_page(context, url) for _load in range(STARTS)]
            first_slow = open_page(new_context(), url)
        browser.close()
    for label, index, goal, unit in (
        ("the pad can be used", 0, USABLE_S, "s"),
        ("its own server answers", 1, OFFLINE_S, "s"),
        ("longest task meanwhile", 2, TASK_MS, "ms"),
    ):
        times = sorted(load_[index] for load_ in loads)
        middle, digits = times[len(times) // 2], 0 if unit == "ms" else 2
        figure = (
            f"{middle:.{digits}f} {unit}, at worst {times[-1]:.{digits}f} (goal {goal})"
        )
        report(f"{SLOWDOWN} times slower: {label}", figure, is_met=middle <= goal)
    print(
        f"{SLOWDOWN} times slower, first visit: used after {first_slow.used:.2f} s, alone after {first_slow.ready:.1f} s, "
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
        for visit in ("first", *["later"] * (STARTS - 1)):
            phone.navigate(origin)
            phone.evaluate(WANT_OFFLINE)
            memory_before = memory(WEB_PROCESS)
            started_at = time.monotonic()
            phone.navigate(url)
            while not phone.evaluate("'ready' in document.documentElement.dataset"):
                assert time.monotonic() - started_at < PATIENCE
                time.sleep(0.1)
            seconds, memory_used = (
                time.monotonic() - started_at,
                memory(WEB_PROCESS) - memory_before,
            )
            report(
                f"WebKitGTK, {visit}: its own server answers",
                f"{seconds:.1f} s (goal {WEBKIT_S}), {memory_used:.0f} MB more (goal {WEBKIT_MB})",
                is_met=seconds <= WEBKIT_S and memory_used <= WEBKIT_MB,
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
    speed_before = speed()
    with hosted(
        f"tricky_phone_{os.getpid()}", cached_statics(), has_worker=False
    ) as site:
        url = entry_of(site)
        measure_chromium(url)
        measure_webkit(url, site.url)
    print(f"machine {speed_before:.2f} before and {speed():.2f} after")


if __name__ == "__main__":
    main()
