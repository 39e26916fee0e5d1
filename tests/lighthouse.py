"""Rate eight pages of a hosted site with Lighthouse.

`script/lighthouse` runs it, with Lighthouse from npm and a running PostgreSQL. It prints the scores of each page and
the audits that cost points, and fails below the limits.

Other programs on the machine make a page slower and never quicker. So a slow page is measured again, and if
Lighthouse finds the machine slower than `UNDISTURBED`, a lower limit applies. Transferred bytes are measured by
tests/browser/test_weight.py.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

from tests.site import Site, free_port, hosted
from tests.statics import cached_statics

LEAST_SCORES: Mapping[str, int] = {
    "accessibility": 100,
    "best-practices": 100,
    "seo": 100,
}
"""Least scores of a page, out of 100."""
PERFORMANCE, DISTURBED = 98, 90
TRIES = 6
UNDISTURBED = 2500
"""Lighthouse's `benchmarkIndex` of an idle machine.

The two cores on which the limits were set reach 3,300 to 3,900 when idle. Below 2,200 the
same page got anything from 91 to 97 points."""
RUNNER = Path(__file__).with_suffix(".js")
CHROMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ON_A_LAPTOP = {"projector"}
NOT_INDEXED = {"entry", "projector"}
"""Pages that search engines must not index."""
# Lighthouse takes a row that is half behind the bottom button for a small one;
# tests/browser/test_sizes.py measures the targets of taps.
SKIPPED = ["target-size"]
SEARCH_ENGINE_AUDITS = ["is-crawlable", "meta-description"]
FIND_PAGES = """
import json
from django.urls import reverse
from scoring.models import Match
from tournaments.models import Tournament
tournament = Tournament.objects.filter(phase="running").order_by("pk")[0]
match = Match.objects.filter(finished=False, address__startswith="demo").order_by("pk")[0]
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
print(json.dumps(looked_at))
"""


class Lighthouse:
    def __init__(self, port: int) -> None:
        self.runner = subprocess.Popen(
            ["node", str(RUNNER), str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def report(self, page: str, url: str) -> Mapping[str, Any]:
        """Return the report of a page on a phone, or on a laptop for pages in `ON_A_LAPTOP`."""
        assert self.runner.stdin
        assert self.runner.stdout
        skip = [*SKIPPED, *(SEARCH_ENGINE_AUDITS if page in NOT_INDEXED else [])]
        options = {"url": url, "isWide": page in ON_A_LAPTOP, "skip": skip}
        print(json.dumps(options), file=self.runner.stdin, flush=True)
        report: Mapping[str, Any] = json.loads(self.runner.stdout.readline())
        return report

    def faults(self, page: str, url: str) -> list[str]:
        """Print the scores of a page; return those below the limits. Measures again while only speed is too low."""
        low: list[str] = []
        report: Mapping[str, Any] = {}
        for _try in range(TRIES):
            report = self.report(page, url)
            audits, machine = report["audits"], report["environment"]["benchmarkIndex"]
            scores = {
                name: round(100 * category["score"])
                for name, category in report["categories"].items()
            }
            least_performance = PERFORMANCE if machine >= UNDISTURBED else DISTURBED
            limits = {**LEAST_SCORES, "performance": least_performance}
            low = [name for name, least in limits.items() if scores[name] < least]
            largest = audits["largest-contentful-paint"]["numericValue"]
            shift = audits["cumulative-layout-shift"]["numericValue"]
            print(
                f"{page:12} {scores}  LCP {largest:.0f} ms  CLS {shift:.3f}  (machine {machine:.0f})",
                *low,
                flush=True,
            )
            if low != ["performance"]:
                break
        return [*low, *(short_audits(report) if set(low) - {"performance"} else ())]

    def end(self) -> None:
        self.runner.kill()
        self.runner.wait()


def short_audits(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the audits that cost points, each with the first element that it names."""
    audits = report["audits"]
    for category in report["categories"].values():
        for ref in category["auditRefs"]:
            audit = audits.get(ref["id"], {})
            score = audit.get("score")
            if ref["weight"] and score is not None and score < 0.9:
                items = audit.get("details", {}).get("items", [])
                nodes = [item["node"]["selector"] for item in items if "node" in item]
                details = audit.get("displayValue", audit["title"])
                yield f"{ref['id']} ({details}: {nodes[:1]})"


def pages_of(site: Site) -> Mapping[str, str]:
    site.manage("demo")
    pages = json.loads(site.manage("shell", "--no-imports", "-c", FIND_PAGES))
    # Follow redirects.
    return {page: urlopen(site.url + path).geturl() for page, path in pages.items()}  # noqa: S310 - our own


def main(*names_given: str) -> int:
    """Print the scores of all pages, or of those given; return 1 if one is too low."""
    names = filter(None, (os.environ.get("CHROMIUM"), *CHROMES))
    path = next(filter(None, map(shutil.which, names)))
    name = f"tricky_lighthouse_{os.getpid()}"
    with (
        hosted(name, cached_statics(), has_worker=False) as site,
        sync_playwright() as playwright,
    ):
        pages = {
            page: url
            for page, url in pages_of(site).items()
            if not names_given or page in names_given
        }
        # After the site has taken its port.
        port = free_port()
        options = ["--no-sandbox", f"--remote-debugging-port={port}"]
        browser = playwright.chromium.launch(executable_path=path, args=options)
        lighthouse = Lighthouse(port)
        faults = {page: lighthouse.faults(page, url) for page, url in pages.items()}
        lighthouse.end()
        browser.close()
    for page, page_faults in faults.items():
        if page_faults:
            print("✗", page, *page_faults)
    # An unknown page name is a failure.
    return 1 if any(faults.values()) or not faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
