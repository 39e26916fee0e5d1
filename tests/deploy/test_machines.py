"""Several machines: what deploy/ says is valid, and no acknowledged hand is lost whatever dies."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.deploy.load import OVER, Evening, LoggedResponse, Visitor
from tests.deploy.machines import (
    WEBS,
    WORKERS,
    Machines,
    entered,
    missing_tools,
)
from tests.statics import collect_statics

MISSING = missing_tools()
AWAY = 3
"""Seconds for which something is dead."""
BACK_WITHIN = 6
"""Seconds after which everybody is answered once what they wait for is there again."""


@pytest.fixture
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    if MISSING:
        pytest.skip(f"not installed: {', '.join(MISSING)}")
    made = Machines(collect_statics(tmp_path_factory))
    try:
        made.lay()
        yield made
    finally:
        made.end()


class Trial:
    def __init__(self, machines: Machines) -> None:
        self.machines = machines
        told = json.loads(machines.run("print_evening"))
        self.evening = Evening(machines.ports["https"], told)
        self.away: list[tuple[str, float, float]] = []

    @contextmanager
    def part_outage(self, name: str, so: str = "") -> Iterator[None]:
        """Kill a part, and note how long the site was without it, so called."""
        began = time.monotonic()
        self.machines.kill(name)
        time.sleep(AWAY)
        yield
        self.until_well()
        self.away.append((so or name, began, time.monotonic()))
        time.sleep(AWAY)

    def until_well(self) -> None:
        """Wait until a page comes three times, by whichever process."""
        visitor = Visitor(self.machines.ports["https"], self.evening.book, "probe")
        page, well = self.evening.told["pages"][0], 0
        began = time.monotonic()
        while well < 3:
            well = well + 1 if visitor.ask(page).status < 400 else 0
            assert time.monotonic() - began < 60, self.machines.logs()
            time.sleep(0.2)
        visitor.leave()

    def kill_and_start(self, name: str) -> None:
        with self.part_outage(name):
            self.machines.start(name)


FOR_GOOD = "primary, for good"
OF_THE_DATABASE = {"pgbouncer", "primary", FOR_GOOD}


def unexplained_failures(trial: Trial) -> list[tuple[str, LoggedResponse]]:
    """Return every failure that was not a 503 with `Retry-After` while the database was away."""
    return [
        ("?", said)
        for said in trial.evening.book.failures()
        if not (
            said.status == 503
            and said.headers.get("retry-after")
            and any(
                began - 1 <= said.ended and said.began <= ended + BACK_WITHIN
                for name, began, ended in trial.away
                if name in OF_THE_DATABASE
            )
        )
    ]


@pytest.mark.rare
@pytest.mark.long(240)
def test_no_hand_is_lost_or_doubled_if_a_process_dies(machines: Machines) -> None:
    trial = Trial(machines)
    evening = trial.evening
    try:
        evening.begin()
        kill_in_turn(machines, trial)
    finally:
        evening.end()

    with machines.connected() as database:
        for phone in evening.phones:
            # Of a long evening some matches come to their end.
            assert [said for said in phone.refused if OVER not in said.body] == []
            assert entered(database, phone.match) == phone.acknowledged
    machines.run("come_up_to_date")
    machines.manage("rebuild", "--check")
    print(Counter((said.who, said.status) for said in evening.book.said))
    hands = sum(len(phone.acknowledged) for phone in evening.phones)
    print({"hands": hands, "tries": sum(phone.tries for phone in evening.phones)})
    print({name: round(end - begin, 1) for name, begin, end in trial.away})
    assert hands >= len(evening.phones) * 10
    assert unexplained_failures(trial) == []


def kill_in_turn(machines: Machines, trial: Trial) -> None:
    """Restart the web processes, kill each part and start it again, and give up the primary."""
    book = trial.evening.book
    time.sleep(AWAY)
    began = time.monotonic()
    with machines.started_again():
        machines.restart_webs()
    assert book.failures(began, time.monotonic()) == []

    for name in (*WEBS, *WORKERS, "beat", "redis", "pgbouncer", "primary"):
        trial.kill_and_start(name)

    with trial.part_outage("standby"):
        machines.follow("The standby failed")
    machines.start("standby")
    machines.follow("The standby is back")
    time.sleep(AWAY)

    with trial.part_outage("primary", FOR_GOOD):
        machines.follow("The primary failed")
        machines.primary = "standby"
    time.sleep(AWAY)
