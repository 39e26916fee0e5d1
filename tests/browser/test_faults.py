"""Whatever fails, nothing that a phone called kept is lost, and everybody agrees.

Each script is a random mix of faults on two phones, the server, its worker and its
database. FAULT_SCRIPTS says how many are played, FAULT_FIRST with which seed they begin.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random

import pytest
from playwright.sync_api import Browser, Error, ViewportSize

from tests.browser.faults import HOURS, Phone, Script
from tests.site import Site, hosted

SCRIPTS = int(os.environ.get("FAULT_SCRIPTS", "50"))
FIRST = int(os.environ.get("FAULT_FIRST", "0"))
PARTS = 2
"""Tests, so that two processes can share the scripts."""
SCREEN: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def site(worker_id: str) -> Iterator[Site]:
    """Return a whole site."""
    number = os.getpid()
    with hosted(f"tricky_faults_{number}", 9_000 + number % 900) as running:
        yield running


@contextmanager
def telling(seed: int, phones: list[Phone]) -> Iterator[None]:
    """Say of a failure which script it was, and what each phone shows."""
    try:
        yield
    except Exception as error:
        error.add_note(f"script {seed}")
        for phone in phones:
            with suppress(Error):
                shown = phone.page.locator("body").inner_text()
                error.add_note(f"{phone.page.url} shows: {shown}")
        raise


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_lost_and_all_agree_whatever_fails(
    chromium: Browser, site: Site, part: int
) -> None:
    rng = Random(part)
    phones = [
        Phone(chromium.new_context(viewport=SCREEN), site, rng, hours=hours)
        for hours in HOURS
    ]
    for seed in range(FIRST + part, FIRST + SCRIPTS, PARTS):
        for phone in phones:
            phone.kept.clear()
        with telling(seed, phones):
            script = Script(site, phones, seed)
            script.play()
            script.check()
    for phone in phones:
        phone.context.close()
