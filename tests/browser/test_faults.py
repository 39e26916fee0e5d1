"""Whatever fails, nothing that a phone called kept is lost, and everybody agrees.

Each script is a random mix of faults on two phones, the server, its worker and its
database. FAULT_SCRIPTS says how many are played, FAULT_FIRST with which seed they begin,
FAULT_STEPS how many steps by chance each has at most, beside those that are sure.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Error, ViewportSize

from tests.browser.faults import IN_TURN, SURE, Script, kinds_of
from tests.browser.faulty_phone import Act, Phone, words_in
from tests.browser.network import Network
from tests.browser.offline import until_true
from tests.browser.stored import Stored, page_of, stored_entries
from tests.site import Site, hosted

SCRIPTS = int(os.environ.get("FAULT_SCRIPTS", str(len(IN_TURN) // SURE)))
FIRST = int(os.environ.get("FAULT_FIRST", "0"))
MOST_STEPS = int(os.environ.get("FAULT_STEPS", "0"))
PARTS = 2 if len(IN_TURN) < SCRIPTS else 1
"""Tests that share the scripts: many are played by two processes, each at its own site."""
EVERY_TABLE = 4
"""Which scripts are played at a table of a tournament."""
BECOMES = {
    "enter": {"enter", "conflict", "superseded"},
    "replace": {"replace", "conflict", "superseded"},
    "void": {"void", "conflict", "superseded"},
    "keep": {"keep"},
}
"""As what an entry may be in the log, by what it was on the phone."""
KEY = re.compile(r'"key":\s*"([0-9a-f-]{36})"')
MOST_CHOICES = 30
SCREEN: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def site(statics: Path) -> Iterator[Site]:
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
def test_phones_and_server_agree_without_loss_under_random_faults(
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


def check(script: Script) -> None:
    """Let the network return, and hold the promises against what is there."""
    _come_together(script)
    _check_words(script)
    if _choose_all(script):
        _check_words(script)
    stored = stored_entries(script.site, script.address)
    _check_keys(script, stored)
    _check_acts(script)
    for phone in script.phones:
        _check_shown(phone, script.address, stored)
        for entry in phone.kept:
            if entry["kind"] != "start":
                _check_entry(script, phone, entry, stored)
    faults = {phone.number: phone.faults for phone in script.phones if phone.faults}
    assert not faults, f"the pages said {faults}"


def _come_together(script: Script) -> None:
    script.site.until_it_answers()
    for phone in script.phones:
        phone.open(script.address)
        if phone.is_away and phone.is_ready:
            _check_own_record(phone, script.address)
    for phone in script.phones:
        phone.set_away(away=False)
        phone.network.deliver_late(Random(f"{script.seed} end"))
    for phone in script.phones:
        phone.send_all()


def _check_own_record(phone: Phone, address: str) -> None:
    """Check that a phone without a network still has all that it called kept."""
    there = set(KEY.findall(phone.own_page(address)["record"]))
    gone = [
        entry
        for entry in phone.kept
        if entry["key"] not in there and entry["kind"] != "start"
    ]
    assert not gone, f"phone {phone.number} alone shows nothing of {gone}"


def _check_words(script: Script) -> None:
    """Check that every page comes to the same words: the server's, and the phones' own."""
    address = script.address
    words = words_in(page_of(script.site, address))
    entered = any(one.kind == "enter" for one in stored_entries(script.site, address))
    assert bool(words) == entered, f"the server shows the words {words!r}"
    for phone in script.phones:
        if phone.page.evaluate("Boolean(document.getElementById('sheet'))"):
            phone.until_it_shows(words)
        phone.open(address)
        phone.until_it_shows(words)
        if phone.is_ready:
            until_true(
                lambda phone=phone: words_in(phone.own_page(address)["text"]) == words,  # type: ignore[misc]
                f"phone {phone.number} itself comes to {words}",
                20,
            )


def _choose_all(script: Script) -> int:
    rng = Random(f"{script.seed} choices")
    phone = script.phones[rng.randrange(len(script.phones))]
    tried = chosen = 0
    while "entered twice" in page_of(script.site, script.address):
        chosen += script.choose(phone, rng)
        tried += 1
        assert tried < MOST_CHOICES, "each choice leaves another"
        phone.send_all()
    script.happened["choose"] += chosen
    return chosen


def _check_keys(script: Script, stored: Sequence[Stored]) -> None:
    """Check that the log has what was kept, each once, and nothing else."""
    entries = [entry for phone in script.phones for entry in phone.kept]
    # The server stores a start under a key of its own: that the match is there is all it leaves.
    stored_keys = Counter(entry["key"] for entry in entries if entry["kind"] != "start")
    there = Counter(entry.key for entry in stored)
    refused = [entry for phone in script.phones for entry in phone.refused]
    # All that is entered here is possible, so nothing may be refused and let go.
    assert not refused, f"refused: {refused}"
    assert max(stored_keys.values(), default=1) == 1, "kept twice"
    assert +there == stored_keys, (
        f"lost {stored_keys - there}, from nowhere {there - stored_keys}"
    )


def _kinds(script: Script) -> set[str]:
    return {entry["kind"] for phone in script.phones for entry in phone.kept}


def _check_acts(script: Script) -> None:
    acts = Counter(entry["act"] for phone in script.phones for entry in phone.kept)
    for number, act in enumerate(script.acts[1:], start=1):
        assert acts[number] <= 1, f"{act} was kept {acts[number]} times"
        assert acts[number] or act.kind != "enter", f"{act} was not kept"
    assert acts[0] <= 1, "something was kept that nobody did"


def _check_shown(phone: Phone, address: str, stored: Sequence[Stored]) -> None:
    """Check that every hand that was shown as kept is in the log as it was shown."""
    for where, number, scores in phone.shown:
        if not where:
            assert number <= len(phone.kept), f"{number} entries were said to wait"
        elif where == address:
            versions = [one.points for one in stored if one.number == number]
            assert versions, f"hand {number} was shown as kept"
            whole = [int(score) for score in scores if score.lstrip("-").isdigit()]
            is_there = whole in versions or len(whole) < len(scores)
            assert is_there, f"hand {number} was shown as {scores}, not {versions}"


def _check_entry(
    script: Script, phone: Phone, kept: dict[str, Any], stored: Sequence[Stored]
) -> None:
    """Check that an entry is in the log as it was kept, and stands where it should."""
    (entry,) = (one for one in stored if one.key == kept["key"])
    message = f"{kept} is {entry}"
    assert entry.kind in BECOMES[kept["kind"]], message
    assert entry.number == kept["number"], message
    if kept["kind"] not in {"enter", "replace"}:
        return
    assert entry.points == _points(kept), message
    before = [one for one in stored if one.number == entry.number]
    before = [one for one in before if one.version < entry.version]
    if entry.kind == "conflict":
        _check_beside(phone, entry, before)
    if entry.kind == "superseded":
        assert any(one.points == entry.points for one in before), f"{message}, and new"
    act = script.acts[kept["act"]]
    if entry.kind == "replace" and act.saw:
        _check_replaced(act, entry, before)


def _points(kept: dict[str, Any]) -> list[int]:
    if kept.get("body"):
        return list(kept["body"]["points"])
    return [int(kept["fields"][f"points_{seat}"]) for seat in range(3)]


def _standing(before: Sequence[Stored]) -> list[int] | None:
    whole = [one for one in before if one.kind in {"enter", "replace"}]
    return whole[-1].points if whole else None


def _check_beside(phone: Phone, entry: Stored, before: Sequence[Stored]) -> None:
    """Check that two versions stand side by side only where two people entered one."""
    own = {stored_entry["key"] for stored_entry in phone.kept}
    others = [one for one in before if one.key not in own]
    assert others, f"nobody else had changed the hand of {entry}"


def _check_replaced(act: Act, entry: Stored, before: Sequence[Stored]) -> None:
    """Check that a correction takes the place of what its author saw, and nothing else."""
    assert list(act.saw) == _standing(before), f"{entry} replaces what {act} never saw"
