"""Several machines: what deploy/ says is valid, and no acknowledged hand is lost whatever dies.

KILLS says how often something is killed at whatever moment, FIRST_KILL with which chance:
`KILLS=500 script/test -s -m services tests/deploy/test_machines.py`.
"""

import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import mkdtemp

import pytest

from tests.deploy.load import (
    BETWEEN_HANDS,
    OVER,
    Book,
    Directed,
    Evening,
    LoggedResponse,
    Visitor,
)
from tests.deploy.machines import (
    WEBS,
    WORKERS,
    Machines,
    build_clock,
    entered,
    missing_tools,
)
from tests.processes import wait_until
from tests.statics import collect_statics

KILLS = int(os.environ.get("KILLS", "3"))
FIRST_KILL = int(os.environ.get("FIRST_KILL", "1"))
MISSING = missing_tools()
AWAY = 3
"""Seconds for which something is dead."""
BACK_WITHIN = 6
"""Seconds after which everybody is answered once what they wait for is there again."""


@contextmanager
def running_machines(
    paths: pytest.TempPathFactory, clock: Path | None = None
) -> Iterator[Machines]:
    """Give a site on several machines, with a clock that can be put."""
    if MISSING:
        pytest.skip(f"not installed: {', '.join(MISSING)}")
    made = Machines(collect_statics(paths), clock)
    try:
        made.lay()
        yield made
    finally:
        made.end()


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with running_machines(tmp_path_factory) as made:
        yield made


@pytest.fixture
def doomed_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    with running_machines(tmp_path_factory) as made:
        yield made


@pytest.fixture
def clock_machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    if shutil.which("cc") is None:
        pytest.skip("not installed: cc")
    folder = Path(mkdtemp(prefix="clock-"))
    # Read by whoever the servers of the data run as.
    folder.chmod(0o755)
    with running_machines(tmp_path_factory, build_clock(folder)) as made:
        yield made
    shutil.rmtree(folder)


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
def test_no_hand_is_lost_or_doubled_if_a_process_dies(
    doomed_machines: Machines,
) -> None:
    machines, trial = doomed_machines, Trial(doomed_machines)
    evening = trial.evening
    try:
        evening.begin()
        kill_in_turn(machines, trial)
    finally:
        evening.end()

    hands = count_acknowledged_hands(trial)
    print({name: round(end - begin, 1) for name, begin, end in trial.away})
    assert hands >= len(evening.phones) * 10
    assert unexplained_failures(trial) == []


def count_acknowledged_hands(trial: Trial) -> int:
    """Return how many hands were acknowledged, of which each is in the log once and none beside them.

    What is derived of them is as it would be derived anew.
    """
    machines, evening = trial.machines, trial.evening
    with machines.connected() as database:
        for phone in evening.phones:
            # Of a long evening some matches come to their end.
            assert [said for said in phone.refused if OVER not in said.body] == []
            assert entered(database, phone.match) == phone.acknowledged
            assert entered(database, phone.match, "replace") == phone.corrected
    machines.run("come_up_to_date")
    machines.manage("rebuild", "--check")
    print(Counter((said.who, said.status) for said in evening.book.said))
    hands = sum(len(phone.acknowledged) for phone in evening.phones)
    print({"hands": hands, "tries": sum(phone.tries for phone in evening.phones)})
    return hands


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


@pytest.mark.services
@pytest.mark.long(60)
def test_no_hand_is_lost_or_doubled_by_kills_at_random_times(
    machines: Machines,
) -> None:
    trial, chance = Trial(machines), Random(FIRST_KILL)
    killed: Counter[str] = Counter()
    try:
        trial.evening.begin()
        for _kill in range(KILLS):
            time.sleep(chance.uniform(0, 2))
            name = chance.choice(
                (chance.choice(WEBS), chance.choice(WORKERS), "primary")
            )
            machines.kill(name)
            time.sleep(chance.uniform(0, 0.5))
            machines.start(name)
            killed[name] += 1
        trial.until_well()
    finally:
        trial.evening.end()

    print(killed)
    assert count_acknowledged_hands(trial) > len(trial.evening.phones)


@pytest.mark.rare
@pytest.mark.long(120)
def test_no_hand_is_lost_or_doubled_if_the_clock_jumps_an_hour(
    clock_machines: Machines,
) -> None:
    machines, trial = clock_machines, Trial(clock_machines)
    evening = trial.evening
    evening.correcting = evening.phones[::2]
    director = Visitor(machines.ports["https"], evening.book, "director")
    web = Directed(machines.ports["web1"], Book(), "watcher")
    assert director.sign_in(evening.told["accounts"][2]).status == 302
    try:
        evening.begin()
        for hours in (0, 1, 0, -1, 0):
            machines.put_clock(hours)
            time.sleep(BETWEEN_HANDS)
            assert director.ask(evening.told["own"]).status == 200
            wait_until(lambda: web.ask("/readyz").status == 200, machines.logs)
    finally:
        evening.end()
        director.leave()
        web.leave()

    assert evening.book.failures() == []
    let_in = {
        said.status
        for said in evening.book.said
        if said.who == "sign-in" and said.asked.startswith("POST")
    }
    assert let_in == {302}
    # By its own worker, before anybody sweeps by hand.
    wait_until(lambda: json.loads(machines.run("print_behind")) == [], machines.logs)
    assert count_acknowledged_hands(trial) > len(evening.phones) * 4
    print({"corrections": sum(len(phone.corrected) for phone in evening.phones)})
