"""Whatever is sent, nothing breaks, and what is refused changes nothing."""

import logging
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from random import Random
from typing import Any

import pytest
from django.db import transaction

from tests.fuzz.attempt import Attempt, Fault, describe_fault
from tests.fuzz.files import Files
from tests.fuzz.requests import Requests
from tests.fuzz.site import Site, count_writes, written_since

ALL = 2_000
"""So many come by every address."""
INPUTS = int(os.environ.get("INPUTS", ALL))
SEED = int(os.environ.get("SEED", "1"))
KINDS = os.environ.get("KINDS", "").split()
"""What alone is sent, where that is said."""
STRETCH = 50
"""Inputs that meet what those before them left; then the site is as it was."""
SHARES = {"files": 30, "deliveries": 15, "forms": 17, "pages": 18}
"""What is drawn, of so many."""
MOST_FAULTS = 20


class RolledBackError(Exception):
    """Raised so that the site is as it was before."""


@pytest.fixture(autouse=True)
def quiet(settings: Any) -> Iterator[None]:
    """Keep no line of the log, ask nobody to wait, and try passwords quickly."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class Run:
    def __init__(self) -> None:
        self.site = Site()
        files = Files(self.site)
        requests = Requests(self.site)
        self.addresses = len(requests.patterns)
        requests.uploads = files.uploads
        self.kinds: Mapping[str, Callable[[Random], Attempt]] = {
            "files": files.file,
            "deliveries": requests.delivery,
            "forms": requests.form,
            "pages": requests.page,
        }
        self.faults: dict[str, str] = {}
        self.times: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.slowest: dict[str, tuple[float, str]] = {}
        count_writes()

    def drawn(self, number: int) -> Attempt:
        chance = Random(f"{SEED} {number}")
        shares = {kind: SHARES[kind] for kind in KINDS} or SHARES
        (kind,) = chance.choices(list(shares), list(shares.values()))
        return self.kinds[kind](chance)

    def stretch(self, attempts: Iterator[Attempt]) -> None:
        """Send some inputs, one after the other; each fault is told with what came before it."""
        before: list[Attempt] = []
        with self._as_it_was():
            for attempt in attempts:
                began = time.process_time()
                fault = self._played(attempt)
                took = time.process_time() - began
                self.times[attempt.kind] += round(took * 1e6)
                self.counts[attempt.kind] += 1
                if took > self.slowest.get(attempt.kind, (0.0, ""))[0]:
                    self.slowest[attempt.kind] = (took, str(attempt)[:120])
                if fault and fault.what not in self.faults:
                    those = "\n".join(f"after {each}" for each in before)
                    self.faults[fault.what] = f"{those}\n{attempt}\n{fault.more}"
                before.append(attempt)

    @contextmanager
    def _as_it_was(self) -> Iterator[None]:
        with transaction.atomic():
            self.site.be_as_before()
            written_since()
            yield
            transaction.set_rollback(True)

    def _played(self, attempt: Attempt) -> Fault | None:
        """Return what is wrong with what becomes of an input; what it did stays, unless it broke."""
        fault: Fault | None = None
        with suppress(RolledBackError), transaction.atomic():
            try:
                fault = attempt.play(self.site)
            except Exception as error:
                fault = describe_fault(error, attempt.kind)
            if fault:
                raise RolledBackError
        return fault


@pytest.mark.long(30)
@pytest.mark.one_database
@pytest.mark.django_db
def test_no_hostile_input_breaks_anything_and_no_refusal_writes() -> None:
    run = Run()
    for first in count(0, STRETCH):
        if run.counts.total() >= INPUTS:
            break
        run.stretch(map(run.drawn, range(first, first + STRETCH)))
        if len(run.faults) >= MOST_FAULTS:
            break
    for kind, sent in sorted(run.counts.items()):
        spent = run.times[kind] / 1e6
        took, slow = run.slowest[kind]
        print(f"{kind}: {sent:,} in {spent:.1f} s, at most {took:.2f} s: {slow}")
    if not KINDS and INPUTS >= ALL:
        assert min(run.counts["forms"], run.counts["pages"]) >= run.addresses
    told = [f"== {what}\n{more}" for what, more in run.faults.items()]
    if told:
        pytest.fail(
            f"SEED={SEED}: {len(told)} faults\n\n" + "\n\n".join(told), pytrace=False
        )
