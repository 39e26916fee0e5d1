"""Under random faults, no entry that a phone reported as stored is lost, and all phones agree.

Each script is a random mix of faults on two phones, the server, its worker and its
database. FAULT_SCRIPTS is the number of scripts, FAULT_FIRST the first seed, and
FAULT_STEPS the maximum number of random steps of each, besides the certain ones.
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

from tests.browser.faults import CERTAIN_STEPS, IN_TURN, Script, kinds_of
from tests.browser.faulty_phone import Act, Phone, find_check_words
from tests.browser.network import Network
from tests.browser.offline import until_true
from tests.browser.stored import Stored, page_of, stored_entries
from tests.site import Site, hosted

SCRIPTS = int(os.environ.get("FAULT_SCRIPTS", str(len(IN_TURN) // CERTAIN_STEPS)))
FIRST = int(os.environ.get("FAULT_FIRST", "0"))
MOST_STEPS = int(os.environ.get("FAULT_STEPS", "0"))
PARTS = 2 if len(IN_TURN) < SCRIPTS else 1
"""Number of tests that share the scripts: many scripts run in two processes, each with its own site."""
TABLE_INTERVAL = 4
"""One script of this many is played at a table of a tournament."""
KINDS_IN_LOG = {
    "enter": {"enter", "conflict", "superseded"},
    "replace": {"replace", "conflict", "superseded"},
    "void": {"void", "conflict", "superseded"},
    "keep": {"keep"},
}
"""Kinds that an entry may have in the log, by its kind on the phone."""
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
    """Return a function that creates two phones; the browser of the second one can be killed and restarted."""
    phones = []

    def make(counts: Counter[str]) -> list[Phone]:
        first = partial(chromium.new_context, viewport=SCREEN)
        second = partial(
            chromium_type.launch_persistent_context,
            tmp_path,
            executable_path=chromium_path,
            args=["--no-sandbox"],
            viewport=SCREEN,
        )
        phones.append(Phone(0, site, Network(site, counts), first, hours=0))
        network = Network(site, counts)
        phones.append(Phone(1, site, network, second, hours=3, profile=tmp_path))
        return phones

    yield make
    for phone in phones:
        phone.switch_off()


@contextmanager
def add_details_to_failure(script: Script) -> Iterator[None]:
    """Add the script and the pages of the phones to a failure."""
    try:
        yield
    except Exception as error:
        error.add_note(f"script {script.seed}: {script.steps_played}")
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
    counts: Counter[str] = Counter()
    phones = new_phones(counts)
    tables: list[str] = []
    seeds = range(FIRST + part, FIRST + SCRIPTS, PARTS)
    for seed in seeds:
        script = Script(site, phones, seed, counts)
        with add_details_to_failure(script):
            is_table = seed // PARTS % TABLE_INTERVAL == 1
            tables = tables or (site.tables() if is_table else [])
            script.begin(tables.pop() if is_table else "")
            script.play(MOST_STEPS)
            check(script)
    site.run("come_up_to_date")
    site.manage("rebuild", "--check")
    certain_kinds = {kind for seed in seeds for kind in kinds_of(seed)}
    never = certain_kinds - set(+counts)
    assert not never, f"never {never} in {counts}"


def check(script: Script) -> None:
    """Restore the network, and compare the promises of the phones with the log."""
    _reconnect(script)
    _check_results(script)
    if _choose_all(script):
        _check_results(script)
    stored = stored_entries(script.site, script.address)
    _check_keys(script, stored)
    _check_acts(script)
    for phone in script.phones:
        _check_shown(phone, script.address, stored)
        for entry in phone.stored:
            if entry["kind"] != "start":
                _check_entry(script, phone, entry, stored)
    page_faults = {
        phone.number: phone.faults for phone in script.phones if phone.faults
    }
    assert not page_faults, f"the pages said {page_faults}"


def _reconnect(script: Script) -> None:
    script.site.until_it_answers()
    for phone in script.phones:
        phone.open(script.address)
        if phone.is_offline and phone.is_ready:
            _check_own_record(phone, script.address)
    for phone in script.phones:
        phone.set_offline(offline=False)
        phone.network.deliver_late(Random(f"{script.seed} end"))
    for phone in script.phones:
        phone.send_all()


def _check_own_record(phone: Phone, address: str) -> None:
    """Check that an offline phone still has all entries that it reported as stored."""
    found = set(KEY.findall(phone.own_page(address)["record"]))
    missing = [
        entry
        for entry in phone.stored
        if entry["key"] not in found and entry["kind"] != "start"
    ]
    assert not missing, f"phone {phone.number} alone shows nothing of {missing}"


def _check_results(script: Script) -> None:
    """Check that the server and the phones show the same result."""
    address = script.address
    result = find_check_words(page_of(script.site, address))
    is_entered = any(
        entry.kind == "enter" for entry in stored_entries(script.site, address)
    )
    assert bool(result) == is_entered, f"the server shows the words {result!r}"
    for phone in script.phones:
        if phone.page.evaluate("Boolean(document.getElementById('sheet'))"):
            phone.wait_until_shown(result)
        phone.open(address)
        phone.wait_until_shown(result)
        if phone.is_ready:
            until_true(
                lambda phone=phone: (
                    find_check_words(phone.own_page(address)["text"]) == result
                ),  # type: ignore[misc]
                f"phone {phone.number} itself comes to {result}",
                20,
            )


def _choose_all(script: Script) -> int:
    rng = Random(f"{script.seed} choices")
    phone = script.phones[rng.randrange(len(script.phones))]
    attempts = chosen = 0
    while "entered twice" in page_of(script.site, script.address):
        chosen += script.choose(phone, rng)
        attempts += 1
        assert attempts < MOST_CHOICES, "each choice leaves another"
        phone.send_all()
    script.counts["choose"] += chosen
    return chosen


def _check_keys(script: Script, stored: Sequence[Stored]) -> None:
    """Check that the log has all stored entries, each once, and nothing else."""
    entries = [entry for phone in script.phones for entry in phone.stored]
    # A start has no entry in the log: the server creates the match with its own key.
    stored_keys = Counter(entry["key"] for entry in entries if entry["kind"] != "start")
    logged = Counter(entry.key for entry in stored)
    refused = [entry for phone in script.phones for entry in phone.refused]
    # All entries here are valid, so none may be refused.
    assert not refused, f"refused: {refused}"
    assert max(stored_keys.values(), default=1) == 1, "kept twice"
    assert +logged == stored_keys, (
        f"lost {stored_keys - logged}, from nowhere {logged - stored_keys}"
    )


def _kinds(script: Script) -> set[str]:
    return {entry["kind"] for phone in script.phones for entry in phone.stored}


def _check_acts(script: Script) -> None:
    acts = Counter(entry["act"] for phone in script.phones for entry in phone.stored)
    for number, act in enumerate(script.actions[1:], start=1):
        assert acts[number] <= 1, f"{act} was kept {acts[number]} times"
        assert acts[number] or act.kind != "enter", f"{act} was not kept"
    assert acts[0] <= 1, "something was kept that nobody did"


def _check_shown(phone: Phone, address: str, stored: Sequence[Stored]) -> None:
    """Check that every hand that was shown as stored is in the log with the same scores."""
    for shown_address, number, scores in phone.shown_hands:
        if not shown_address:
            assert number <= len(phone.stored), f"{number} entries were said to wait"
        elif shown_address == address:
            versions = [entry.points for entry in stored if entry.number == number]
            assert versions, f"hand {number} was shown as kept"
            points = [int(score) for score in scores if score.lstrip("-").isdigit()]
            is_there = points in versions or len(points) < len(scores)
            assert is_there, f"hand {number} was shown as {scores}, not {versions}"


def _check_entry(
    script: Script, phone: Phone, stored_entry: dict[str, Any], stored: Sequence[Stored]
) -> None:
    """Check that an entry is in the log as the phone stored it, with a valid kind."""
    (entry,) = (other for other in stored if other.key == stored_entry["key"])
    message = f"{stored_entry} is {entry}"
    assert entry.kind in KINDS_IN_LOG[stored_entry["kind"]], message
    assert entry.number == stored_entry["number"], message
    if stored_entry["kind"] not in {"enter", "replace"}:
        return
    assert entry.points == _points(stored_entry), message
    earlier = [other for other in stored if other.number == entry.number]
    earlier = [other for other in earlier if other.version < entry.version]
    if entry.kind == "conflict":
        _check_conflict(phone, entry, earlier)
    if entry.kind == "superseded":
        assert any(other.points == entry.points for other in earlier), (
            f"{message}, and new"
        )
    act = script.actions[stored_entry["act"]]
    if entry.kind == "replace" and act.shown_points:
        _check_replaced(act, entry, earlier)


def _points(entry: dict[str, Any]) -> list[int]:
    if entry.get("body"):
        return list(entry["body"]["points"])
    return [int(entry["fields"][f"points_{seat}"]) for seat in range(3)]


def _current_points(earlier: Sequence[Stored]) -> list[int] | None:
    entries = [entry for entry in earlier if entry.kind in {"enter", "replace"}]
    return entries[-1].points if entries else None


def _check_conflict(phone: Phone, entry: Stored, earlier: Sequence[Stored]) -> None:
    """Check that a conflict occurs only if another person entered the hand."""
    own_keys = {stored_entry["key"] for stored_entry in phone.stored}
    foreign = [other for other in earlier if other.key not in own_keys]
    assert foreign, f"nobody else had changed the hand of {entry}"


def _check_replaced(act: Act, entry: Stored, earlier: Sequence[Stored]) -> None:
    """Check that a correction replaces the version that its author saw."""
    assert list(act.shown_points) == _current_points(earlier), (
        f"{entry} replaces what {act} never saw"
    )
