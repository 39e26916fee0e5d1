"""Whatever fails, nothing that a phone called kept is lost, and everybody agrees.

Each script is a random mix of faults on two phones, the server, its worker and its
database. FAULT_SCRIPTS says how many are played, FAULT_FIRST with which seed they begin,
FAULT_STEPS how many steps by chance each has at most, beside those that are sure.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, Error, ViewportSize

from tests.browser.faults import IN_TURN, SURE, Script, kinds_of
from tests.browser.faulty_phone import Phone
from tests.browser.network import Network
from tests.browser.promises import check
from tests.site import Site, hosted

SCRIPTS = int(os.environ.get("FAULT_SCRIPTS", str(len(IN_TURN) // SURE)))
FIRST = int(os.environ.get("FAULT_FIRST", "0"))
MOST_STEPS = int(os.environ.get("FAULT_STEPS", "0"))
PARTS = 2 if len(IN_TURN) < SCRIPTS else 1
"""Tests that share the scripts: many are played by two processes, each at its own site."""
EVERY_TABLE = 4
"""Which scripts are played at a table of a tournament."""
SCREEN: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def site(statics: Path) -> Iterator[Site]:
    """Return a whole site."""
    with hosted(f"tricky_faults_{os.getpid()}", statics) as running:
        yield running


NewPhones = Callable[[Counter[str]], list[Phone]]


@pytest.fixture
def new_phones(
    chromium: Browser,
    chromium_type: BrowserType,
    chromium_path: str,
    site: Site,
    tmp_path: Path,
) -> Iterator[NewPhones]:
    """Return a maker of two phones; the second one can die and be switched on again."""
    phones = []

    def make(happened: Counter[str]) -> list[Phone]:
        first = partial(chromium.new_context, viewport=SCREEN)
        second = partial(
            chromium_type.launch_persistent_context,
            tmp_path,
            executable_path=chromium_path,
            args=["--no-sandbox"],
            viewport=SCREEN,
        )
        phones.append(Phone(0, site, Network(site, happened), first, hours=0))
        network = Network(site, happened)
        phones.append(Phone(1, site, network, second, hours=3, profile=tmp_path))
        return phones

    yield make
    for phone in phones:
        phone.switch_off()


@contextmanager
def telling(script: Script) -> Iterator[None]:
    """Say of a failure which script it was, and what each phone shows."""
    try:
        yield
    except Exception as error:
        error.add_note(f"script {script.seed}: {script.told}")
        for phone in script.phones:
            with suppress(Error):
                shown = phone.page.locator("body").inner_text()
                error.add_note(f"{phone.page.url} shows: {shown}")
        raise


@pytest.mark.long(60)
@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_is_lost_and_all_agree_whatever_fails(
    new_phones: NewPhones, site: Site, part: int
) -> None:
    happened: Counter[str] = Counter()
    phones = new_phones(happened)
    tables: list[str] = []
    seeds = range(FIRST + part, FIRST + SCRIPTS, PARTS)
    for seed in seeds:
        script = Script(site, phones, seed, happened)
        with telling(script):
            is_table = seed // PARTS % EVERY_TABLE == 1
            tables = tables or (site.tables() if is_table else [])
            script.begin(tables.pop() if is_table else "")
            script.play(MOST_STEPS)
            check(script)
    site.run("come_up_to_date")
    site.manage("rebuild", "--check")
    sure = {kind for seed in seeds for kind in kinds_of(seed)}
    never = sure - set(+happened)
    assert not never, f"never {never} in {happened}"
