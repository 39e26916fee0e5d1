"""Some rounds of some tables, a phone each, and no network from the first hand on.

EVENING_PLAYERS says how many come: six sit at two tables, thirteen at four. EVENING_ROUNDS
says how many rounds they play.
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
    until_everything_is_sent,
    until_it_can_go_on_alone,
    until_it_is_held,
    until_true,
    words_of,
)
from tests.factories.matches import NOW
from tests.factories.tournaments import running_round, tournament_with
from tests.site import Site, hosted
from tournaments.event import rounds

PLAYERS = int(os.environ.get("EVENING_PLAYERS", "6"))
ROUNDS = int(os.environ.get("EVENING_ROUNDS", "1"))
PROMISED = 10
"""Seconds from the network's return to right standings."""
LAY = "from tests.browser.test_offline_evening import lay_tables; lay_tables()"
COUNTED = """
    SELECT s.entries = (SELECT sum(version) FROM scoring_match),
        (SELECT count(*) FROM tournaments_standingsrow WHERE standings_id = s.id)
    FROM tournaments_standings s ORDER BY s.version DESC, s.id DESC LIMIT 1
"""


class Laid(NamedTuple):
    """A table of the evening: its number, its match, how many sit there."""

    number: int
    address: str
    seats: int


def lay_tables() -> None:
    """Print the tables of an evening whose rounds have all been opened."""
    tournament = tournament_with(PLAYERS, rounds_planned=ROUNDS)
    laid = []
    for _round in range(ROUNDS):
        one = running_round(tournament)
        for table in one.tables.select_related("match"):
            assert table.match is not None
            seats = table.match.seats.count()
            laid.append(Laid(table.number, table.match.address, seats))
        # Whoever expects no network opens all rounds first; late hands count.
        rounds.close(round_id=one.pk, now=NOW, override="no network tonight")
    print(json.dumps(laid))


@pytest.fixture
def site(statics: Path) -> Iterator[Site]:
    with hosted(f"tricky_evening_{os.getpid()}", statics) as running:
        yield running


@pytest.fixture
def tables(site: Site) -> list[Laid]:
    process = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", LAY],
        env=site.environment,
        check=True,
        capture_output=True,
    )
    return [Laid(*table) for table in json.loads(process.stdout)]


@pytest.mark.long(35)
@pytest.mark.rare
def test_offline_evening_has_standings_at_once_when_online(
    new_phone: Callable[..., Page], site: Site, tables: list[Laid]
) -> None:
    phones = {
        number: new_phone(loses_network=True, base_url=site.url)
        for number in sorted({table.number for table in tables})
    }
    for table in tables:
        phones[table.number].goto(f"/m/{table.address}/")
        until_it_is_held(phones[table.number], table.address)
    for phone in phones.values():
        until_it_can_go_on_alone(phone)
        phone.context.set_offline(True)
    rng = Random(1)
    words = {
        table.address: play_through(phones[table.number], table, rng)
        for table in tables
    }
    assert not hands_on(site)
    back = time.monotonic()
    for phone in phones.values():
        phone.context.set_offline(False)
    for phone in phones.values():
        until_everything_is_sent(phone)
    late = "the standings are late"
    until_true(lambda: counted_on(site), late, back + PROMISED - time.monotonic())
    site.manage("rebuild", "--check")
    for table in tables:
        phones[table.number].goto(f"/m/{table.address}/")
        assert words_of(phones[table.number]) == words[table.address]


def play_through(phone: Page, table: Laid, rng: Random) -> str:
    phone.get_by_role("link", name="All matches").click()
    phone.locator(f"a[href='/m/{table.address}/']").click()
    for number in range(1, table.seats + 1):
        points = [rng.randint(1, 20) for _seat in range(table.seats)]
        enter_points(phone, number, points)
    return words_of(phone)


def hands_on(site: Site) -> bool:
    with site.database() as database:
        return bool(database.execute("SELECT 1 FROM scoring_logentry").fetchall())


def counted_on(site: Site) -> bool:
    with site.database() as database:
        return (True, PLAYERS) in database.execute(COUNTED).fetchall()
