"""Eight pages as Lighthouse sees them, on a site that is hosted as it would be.

Run by `script/lighthouse`, where npm has brought Lighthouse and PostgreSQL and Redis run.
It prints what each page got, what took points, how long its largest part and a tap
take, and how much is sent; it fails beyond the limits.

Accessibility, best practices, search engines and bytes are the same each time. Speed is
not: whoever else uses the machine makes a page slower, never quicker. So a page that
is too slow is looked at again, and its best look counts. Where the machine itself was
slower than `UNDISTURBED` meanwhile, by Lighthouse's own measure, wider limits hold.

The short form is for every change: one look at each page, then others at those that are
too slow as a whole, once the machine has done something else meanwhile; nothing is
weighed or tapped.
"""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, Response, sync_playwright

from tests.browser.first_visit import IS_NEVER_IDLE, SCRIPTS, STYLES, WHOLE
from tests.site import Site, free_port, hosted
from tests.statics import kept

ALWAYS: Mapping[str, int] = {"accessibility": 100, "best-practices": 100, "seo": 100}
"""What a page gets at least, of 100."""
TRIES = 6
SHORT = "--short"
UNDISTURBED = 2500
"""Lighthouse's `benchmarkIndex` of a machine that has little else to do.

The two cores on which the limits were set reach 3,300 to 3,900 alone. Below 2,200 the same
page got anything from 91 to 97 points."""
RUNNER = Path(__file__).with_suffix(".js")
CHROMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ON_A_LAPTOP = {"projector"}
NOT_TO_BE_FOUND = {"entry", "projector"}
"""Pages that search engines are told to leave alone."""
# A row that is half behind the act at the bottom counts as small there; what people can
# hit is measured by tests/browser/test_sizes.py.
SKIPPED = ["target-size"]
OF_SEARCH_ENGINES = ["is-crawlable", "meta-description"]
FIND_PAGES = """
import json
from django.urls import reverse
from scoring.models import Match
from tournaments.models import Tournament
tournament = Tournament.objects.filter(phase="running").order_by("pk")[0]
match = Match.objects.filter(finished=False, address__startswith="demo").order_by("pk")[0]
over = Match.objects.filter(finished=True).order_by("pk")[0]
club, address = tournament.club, tournament.address
player = tournament.entries.exclude(player=None).order_by("pk")[0].player
looked_at = {
    "home": reverse("scoring:home"),
    "sheet": match.get_absolute_url(),
    "entry": reverse("scoring:hand_new", args=[match.address]),
    "tournament": tournament.get_absolute_url(),
    "leaderboard": reverse("tournaments:leaderboards", args=[club.slug]),
    "club": club.get_absolute_url(),
    "player": reverse("tournaments:player", args=[club.slug, player.pk]),
    "projector": reverse("tournaments:projector", args=[address]),
}
weighed = {
    "end": over.get_absolute_url(),
    "new match": reverse("scoring:match_new"),
    "correction": reverse("scoring:hand_correct", args=[match.address, 1]),
    "tricks": reverse("scoring:hand_new_by_tricks", args=[match.address]),
    "who won": reverse("scoring:who_won"),
    "rules": reverse("scoring:how_to_play_game", args=["tricky"]),
    "clubs": reverse("tournaments:clubs"),
    "records": reverse("tournaments:records", args=[club.slug]),
    "sign-in": reverse("account_login"),
}
print(json.dumps([looked_at, weighed]))
"""
TAPS = """() => {
  window.slowest = 0;
  const note = (list) => {
    for (const { duration, interactionId } of list.getEntries()) {
      if (interactionId) window.slowest = Math.max(window.slowest, duration);
    }
  };
  new PerformanceObserver(note).observe({ type: "event", durationThreshold: 16 });
}"""
SEEN = "() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen, 50)))"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How fast a page has to be: out of 100, milliseconds twice, and by how much it may jump."""

    performance: int
    largest: int
    tap: int
    shift: float = 0.02


ALONE = Limits(performance=98, largest=1500, tap=200)
DISTURBED = Limits(performance=90, largest=2000, tap=400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a page got, from 0 to 100 for each category, and what took points."""

    page: str
    scores: Mapping[str, int]
    short: Sequence[str]
    largest: float
    """Milliseconds until its largest part is there, with a slow processor and network."""
    shift: float
    machine: float
    """How fast the machine was."""

    @property
    def limits(self) -> Limits:
        """Return what holds on a machine that was as fast."""
        return ALONE if self.machine >= UNDISTURBED else DISTURBED

    @property
    def is_fast(self) -> bool:
        """Tell whether it is as fast as it is to be on a machine that does nothing else."""
        return not self._slow(ALONE)

    @property
    def is_slow(self) -> bool:
        """Tell whether it is slower as a whole than the machine excuses."""
        return self.scores["performance"] < self.limits.performance

    @property
    def faults(self) -> Sequence[str]:
        """Return what is not as it should be, in words."""
        return [*self._low(), *self._slow(self.limits)]

    @property
    def faults_in_short(self) -> Sequence[str]:
        """Return the same, of speed no more than that it is slow as a whole."""
        return [*self._low(), *(["performance"] if self.is_slow else [])]

    def _low(self) -> list[str]:
        """Return what is the same each time and short of what it is to be, with its reasons."""
        low = [name for name, least in ALWAYS.items() if self.scores[name] < least]
        return [*low, *(self.short if low else ())]

    def _slow(self, limits: Limits) -> list[str]:
        checks = {
            "performance": self.scores["performance"] >= limits.performance,
            "largest part": self.largest <= limits.largest,
            "shift": self.shift < limits.shift,
        }
        return [name for name, holds in checks.items() if not holds]

    def __str__(self) -> str:
        """Return all of it in a line."""
        scores = "  ".join(f"{name} {score:3}" for name, score in self.scores.items())
        return (
            f"{self.page:12} {scores}  LCP {self.largest:4.0f} ms  CLS {self.shift:.3f}"
            f"  (machine {self.machine:.0f})"
        )


class Lighthouse:
    """Looks at pages, one after the other, in one browser."""

    def __init__(self, port: int) -> None:
        """Begin, in the browser that is spoken to at a port."""
        self.runner = subprocess.Popen(
            ["node", str(RUNNER), str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def look(self, page: str, url: str) -> Look:
        """Return what it says of a page on a phone, or on a laptop where it hangs there."""
        assert self.runner.stdin
        assert self.runner.stdout
        skip = [*SKIPPED, *(OF_SEARCH_ENGINES if page in NOT_TO_BE_FOUND else [])]
        wanted = {"url": url, "isWide": page in ON_A_LAPTOP, "skip": skip}
        print(json.dumps(wanted), file=self.runner.stdin, flush=True)
        return read(page, json.loads(self.runner.stdout.readline()))

    def best(self, page: str, url: str) -> Look:
        """Return the best look at a page, again while it is slow."""
        looks = [self.look(page, url)]
        while not looks[-1].is_fast and len(looks) < TRIES:
            looks.append(self.look(page, url))
        return min(looks, key=lambda look: (not look.is_fast, look.largest))

    def end(self) -> None:
        """Let it go."""
        self.runner.kill()
        self.runner.wait()


def read(page: str, report: Mapping[str, Any]) -> Look:
    """Return what stands in a report."""
    categories, audits = report["categories"], report["audits"]
    weighed = {
        ref["id"]
        for category in categories.values()
        for ref in category["auditRefs"]
        if ref["weight"] and ref["id"] in audits
    }
    return Look(
        page=page,
        scores={
            name: round(100 * category["score"])
            for name, category in categories.items()
        },
        short=[
            f"{name} ({why(audits[name])})"
            for name in sorted(weighed)
            if (score := audits[name]["score"]) is not None and score < 0.9
        ],
        largest=audits["largest-contentful-paint"]["numericValue"],
        shift=audits["cumulative-layout-shift"]["numericValue"],
        machine=report["environment"]["benchmarkIndex"],
    )


def why(audit: Mapping[str, Any]) -> str:
    """Return what an audit says in short, and the first part of the page that it means."""
    said = audit.get("displayValue", audit["title"])
    nodes = [
        item["node"]["selector"]
        for item in audit.get("details", {}).get("items", [])
        if "node" in item
    ]
    return f"{said}: {nodes[0]}" if nodes else str(said)


@contextmanager
def phone(browser: Browser, url: str) -> Iterator[Page]:
    """Give a page of a phone that has never been there."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        is_mobile=True,
        has_touch=True,
        service_workers="block",
        base_url=url,
    )
    yield context.new_page()
    context.close()


def weigh(page: Page, url: str) -> Counter[str]:
    """Return how many bytes a first visit is sent, by what they are; headers not counted."""
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.add_init_script(IS_NEVER_IDLE)
    page.goto(url)
    page.wait_for_load_state("networkidle")
    weights: Counter[str] = Counter()
    for answer in answers:
        # What is kept for later is fetched by the page once it is there.
        if answer.ok and answer.request.resource_type not in {"fetch", "xhr"}:
            size = answer.request.sizes()["responseBodySize"]
            weights[answer.request.resource_type] += size
    return weights


def slowest_tap(page: Page, url: str) -> float:
    """Return how many milliseconds the slowest tap of an entry takes on a slow processor."""
    page.goto(url)
    page.locator("[data-tray]").wait_for()
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.evaluate(TAPS)
    for _tap in range(12):
        page.locator("[data-tray] :is(button, label):visible").first.tap()
        page.evaluate(SEEN)
    return float(page.evaluate("slowest"))


def best_tap(browser: Browser, site: str, url: str) -> float:
    """Return the same of the best of some entries."""
    taps: list[float] = []
    while len(taps) < TRIES and (not taps or taps[-1] > ALONE.tap):
        with phone(browser, site) as page:
            taps.append(slowest_tap(page, url))
    return min(taps)


def pages_of(site: Site) -> Sequence[Mapping[str, str]]:
    """Return the addresses of what is looked at, and of what is only weighed."""
    site.manage("demo")
    printed = site.manage("shell", "--no-imports", "-c", FIND_PAGES)
    return [
        # A page that leads on to another is not looked at, but that other.
        {page: urlopen(site.url + path).geturl() for page, path in pages.items()}  # noqa: S310 - our own
        for pages in json.loads(printed)
    ]


def too_heavy(weights: Counter[str]) -> bool:
    """Tell whether a first visit takes more than it may."""
    return (
        weights["stylesheet"] > STYLES
        or weights["script"] > SCRIPTS
        or weights.total() > WHOLE
    )


def say(words: str, faults: Sequence[str] = ()) -> bool:
    """Print what was measured; return whether nothing is wrong with it."""
    print(words, *(["✗", *faults] if faults else []), flush=True)
    return not faults


def measured(
    site: Site, browser: Browser, port: int, wanted: Sequence[str]
) -> Iterator[bool]:
    """Print what each page got; yield whether it is good."""
    looked_at, weighed = pages_of(site)
    lighthouse = Lighthouse(port)
    machine = 0.0
    for page, url in looked_at.items():
        if not wanted or page in wanted:
            look = lighthouse.best(page, url)
            machine = look.machine
            yield say(str(look), look.faults)
    lighthouse.end()
    for page, url in {**looked_at, **weighed}.items():
        if not wanted or page in wanted:
            with phone(browser, site.url) as opened:
                weights = weigh(opened, url)
            parts = ", ".join(f"{kind} {weights[kind]:,}" for kind in sorted(weights))
            faults = ["too heavy"] if too_heavy(weights) else []
            yield say(f"{page:12} {weights.total():7,} bytes: {parts}", faults)
    if not wanted or "entry" in wanted:
        tap = best_tap(browser, site.url, looked_at["entry"])
        limits = ALONE if machine >= UNDISTURBED else DISTURBED
        faults = ["slow"] if tap > limits.tap else []
        yield say(f"INP {tap:.0f} ms at the entry of a hand", faults)


def measured_in_short(site: Site, port: int, wanted: Sequence[str]) -> Iterator[bool]:
    """Print what a look at each page said; yield whether it is good."""
    looked_at, _weighed = pages_of(site)
    waiting = {
        page: url for page, url in looked_at.items() if not wanted or page in wanted
    }
    lighthouse = Lighthouse(port)
    for tries_left in reversed(range(TRIES)):
        for page, url in tuple(waiting.items()):
            look = lighthouse.look(page, url)
            if look.is_slow and tries_left:
                say(f"{look}, to be looked at again")
            else:
                del waiting[page]
                yield say(str(look), look.faults_in_short)
    lighthouse.end()


def main(*arguments: str) -> int:
    """Print what is measured; return 1 where something is short."""
    is_short = SHORT in arguments
    wanted = [name for name in arguments if name != SHORT]
    begun = monotonic()
    names = filter(None, (os.environ.get("CHROMIUM"), *CHROMES))
    path = next(filter(None, map(shutil.which, names)))
    with (
        hosted(
            f"tricky_lighthouse_{os.getpid()}", kept(), has_worker=not is_short
        ) as site,
        sync_playwright() as playwright,
    ):
        # Once the site has its own.
        port = free_port()
        options = ["--no-sandbox", f"--remote-debugging-port={port}"]
        browser = playwright.chromium.launch(executable_path=path, args=options)
        if is_short:
            good = list(measured_in_short(site, port, wanted))
        else:
            good = list(measured(site, browser, port, wanted))
        browser.close()
    say(f"{monotonic() - begun:.0f} s")
    # A name that no page has is no page that is good.
    return 0 if good and all(good) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
