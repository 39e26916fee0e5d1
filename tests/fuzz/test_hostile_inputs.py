"""No input breaks anything, and refused inputs write nothing."""

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
from tests.fuzz.site import Fault, Site, describe_fault, record_writes, take_writes

ENOUGH_FOR_ALL = 2_000
"""Enough inputs to visit every address."""
INPUTS = int(os.environ.get("INPUTS", ENOUGH_FOR_ALL))
SEED = int(os.environ.get("SEED", "1"))
BATCH = 50
"""Inputs per batch; after each batch the site is restored."""
SHARES = {"files": 30, "deliveries": 15, "forms": 17, "pages": 18}
"""Relative frequencies of the kinds."""
MOST_FAULTS = 20
Attempt = HostileFile | HostileRequest


class RolledBackError(Exception):
    """Raised to roll back the transaction."""


@pytest.fixture(autouse=True)
def quiet_and_fast(settings: Any) -> Iterator[None]:
    """Disable logging, and use a fast password hasher."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def play(attempt: Attempt, site: Site) -> Fault | None:
    """Send an input and return the fault, if any; a fault is rolled back, other changes stay."""
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
    record_writes()
    faults: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for first in count(0, BATCH):
        if counts.total() >= INPUTS or len(faults) >= MOST_FAULTS:
            break
        previous: list[Attempt] = []
        with transaction.atomic():
            site.reset()
            take_writes()
            for number in range(first, first + BATCH):
                rng = Random(f"{SEED} {number}")
                (kind,) = rng.choices(list(SHARES), list(SHARES.values()))
                attempt = draw[kind](rng)
                counts[kind] += 1
                fault = play(attempt, site)
                if fault and fault.summary not in faults:
                    earlier = "\n".join(f"after {input_}" for input_ in previous)
                    faults[fault.summary] = f"{earlier}\n{attempt}\n{fault.details}"
                previous.append(attempt)
            transaction.set_rollback(True)
    print(counts)
    if INPUTS >= ENOUGH_FOR_ALL:
        assert min(counts["forms"], counts["pages"]) >= len(requests.patterns)
    messages = [f"== {summary}\n{details}" for summary, details in faults.items()]
    if messages:
        pytest.fail(
            f"SEED={SEED}: {len(messages)} faults\n\n" + "\n\n".join(messages),
            pytrace=False,
        )
