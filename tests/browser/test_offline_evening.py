"""An evening without a network: every table has a phone, which goes offline before the first hand.

EVENING_PLAYERS is the number of players (six sit at two tables, thirteen at four), EVENING_ROUNDS
the number of rounds.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from playwright.sync_api import Page

from tests.browser.offline import (
    enter_points,
    read_check_words,
    until_true,
    wait_until_offline_ready,
    wait_until_sent,
    wait_until_stored,
)
from tests.factories.matches import NOW
from tests.factories.tournaments import running_round, tournament_with
from tests.site import Site, hosted
from tournaments.event import rounds

PLAYERS = int(os.environ.get("EVENING_PLAYERS", "6"))
ROUNDS = int(os.environ.get("EVENING_ROUNDS", "1"))
STANDINGS_SECONDS = 10
"""Seconds from the network's return to current standings."""
LAY = "from tests.browser.test_offline_evening import lay_tables; lay_tables()"
COUNTED = """
    SELECT s.entries = (SELECT sum(version) FROM scoring_match),
        (SELECT count(*) FROM tournaments_standingsrow WHERE standings_id = s.id)
    FROM tournaments_standings s ORDER BY s.version DESC, s.id DESC LIMIT 1
"""


class TableInfo(NamedTuple):
    """A table of the evening: its number, the address of its match, its number of seats."""

    number: int
    address: str
    seats: int


def lay_tables() -> None:
    """Print the tables of an evening with all rounds started."""
    tournament = tournament_with(PLAYERS, rounds_planned=ROUNDS)
    tables = []
    for _round in range(ROUNDS):
        round_ = running_round(tournament)
        for table in round_.tables.select_related("match"):
            assert table.match is not None
            seats = table.match.seats.count()
            tables.append(TableInfo(table.number, table.match.address, seats))
        # Without a network all rounds are started and closed first; late hands count.
        rounds.close(round_id=round_.pk, now=NOW, override="no network tonight")
    print(json.dumps(tables))


@pytest.fixture
def site(statics: Path) -> Iterator[Site]:
    with hosted(f"tricky_evening_{os.getpid()}", statics) as running:
        yield running


@pytest.fixture
def tables(site: Site) -> list[TableInfo]:
    process = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", LAY],
        env=site.environment,
        check=True,
        capture_output=True,
    )
    return [TableInfo(*table) for table in json.loads(process.stdout)]


@pytest.mark.long(35)
@pytest.mark.rare
def test_offline_evening_has_standings_at_once_when_online(
    new_phone: Callable[..., Page], site: Site, tables: list[TableInfo]
) -> None:
    phones = {
        number: new_phone(loses_network=True, base_url=site.url)
        for number in sorted({table.number for table in tables})
    }
    for table in tables:
        phones[table.number].goto(f"/m/{table.address}/")
        wait_until_stored(phones[table.number], table.address)
    for phone in phones.values():
        wait_until_offline_ready(phone)
        phone.context.set_offline(True)
    rng = Random(1)
    check_words = {
        table.address: play_through(phones[table.number], table, rng)
        for table in tables
    }
    assert not has_hands(site)
    online_at = time.monotonic()
    for phone in phones.values():
        phone.context.set_offline(False)
    for phone in phones.values():
        wait_until_sent(phone)
    message = "the standings are late"
    until_true(
        lambda: are_standings_current(site),
        message,
        online_at + STANDINGS_SECONDS - time.monotonic(),
    )
    site.manage("rebuild", "--check")
    for table in tables:
        phones[table.number].goto(f"/m/{table.address}/")
        assert read_check_words(phones[table.number]) == check_words[table.address]


def play_through(phone: Page, table: TableInfo, rng: Random) -> str:
    phone.get_by_role("link", name="All matches").click()
    phone.locator(f"a[href='/m/{table.address}/']").click()
    for number in range(1, table.seats + 1):
        points = [rng.randint(1, 20) for _seat in range(table.seats)]
        enter_points(phone, number, points)
    return read_check_words(phone)


def has_hands(site: Site) -> bool:
    with site.database() as database:
        return bool(database.execute("SELECT 1 FROM scoring_logentry").fetchall())


def are_standings_current(site: Site) -> bool:
    with site.database() as database:
        return (True, PLAYERS) in database.execute(COUNTED).fetchall()
