"""Whatever is sent, nothing breaks, and what is refused changes nothing."""

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

import pytest
from django.db import transaction

from tests.fuzz.files import Files, HostileFile
from tests.fuzz.requests import HostileRequest, Requests
from tests.fuzz.site import Fault, Site, count_writes, describe_fault, written_since

ALL = 2_000
"""So many come by every address."""
INPUTS = int(os.environ.get("INPUTS", ALL))
SEED = int(os.environ.get("SEED", "1"))
STRETCH = 50
"""Inputs that meet what those before them left; then the site is as it was."""
SHARES = {"files": 30, "deliveries": 15, "forms": 17, "pages": 18}
"""What is drawn, of so many."""
MOST_FAULTS = 20
Attempt = HostileFile | HostileRequest


class RolledBackError(Exception):
    """Raised so that the site is as it was before."""


@pytest.fixture(autouse=True)
def quiet(settings: Any) -> Iterator[None]:
    """Keep no line of the log, ask nobody to wait, and try passwords quickly."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def play(attempt: Attempt, site: Site) -> Fault | None:
    """Return what is wrong with what becomes of an input; what it did stays, unless it broke."""
    fault: Fault | None = None
    with suppress(RolledBackError), transaction.atomic():
        try:
            fault = attempt.play(site)
        except Exception as error:
            fault = describe_fault(error, attempt.kind)
        if fault:
            raise RolledBackError
    return fault


@pytest.mark.long(30)
@pytest.mark.one_database
@pytest.mark.django_db
def test_no_hostile_input_breaks_anything_and_no_refusal_writes() -> None:
    site = Site()
    files, requests = Files(site), Requests(site)
    requests.uploads = files.uploads
    draw: dict[str, Callable[[Random], Attempt]] = {
        "files": files.file,
        "deliveries": requests.delivery,
        "forms": requests.form,
        "pages": requests.page,
    }
    count_writes()
    faults: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for first in count(0, STRETCH):
        if counts.total() >= INPUTS or len(faults) >= MOST_FAULTS:
            break
        before: list[Attempt] = []
        with transaction.atomic():
            site.be_as_before()
            written_since()
            for number in range(first, first + STRETCH):
                chance = Random(f"{SEED} {number}")
                (kind,) = chance.choices(list(SHARES), list(SHARES.values()))
                attempt = draw[kind](chance)
                counts[kind] += 1
                fault = play(attempt, site)
                if fault and fault.what not in faults:
                    those = "\n".join(f"after {each}" for each in before)
                    faults[fault.what] = f"{those}\n{attempt}\n{fault.more}"
                before.append(attempt)
            transaction.set_rollback(True)
    print(counts)
    if INPUTS >= ALL:
        assert min(counts["forms"], counts["pages"]) >= len(requests.patterns)
    told = [f"== {what}\n{more}" for what, more in faults.items()]
    if told:
        pytest.fail(
            f"SEED={SEED}: {len(told)} faults\n\n" + "\n\n".join(told), pytrace=False
        )
