"""Thirteen players, three rounds, four phones, and no network from the first hand on."""

import time
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page

from scoring.models import Match
from tests.browser.offline import (
    enter_points,
    until_everything_is_sent,
    until_it_can_go_on_alone,
    until_it_is_held,
    words_of,
    words_on_server,
)
from tests.factories.matches import NOW
from tests.factories.tournaments import running_round, tournament_with
from tournaments.models import Table
from tournaments.operations import rounds
from tournaments.operations.results import standings_differences

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 3
PROMISED = 10
"""Seconds from the network's return to right standings."""


def test_an_evening_that_was_played_without_a_network_has_its_standings_at_once(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(13, rounds_planned=ROUNDS)
    tables: list[Table] = []
    for _round in range(ROUNDS):
        one = running_round(tournament)
        tables += one.tables.select_related("match")
        # Whoever expects no network opens all rounds first; late hands count.
        rounds.close(round_id=one.pk, now=NOW, override="no network tonight")
    seated = sorted({table.number for table in tables})
    phones = {number: new_phone(loses_network=True) for number in seated}
    for table in tables:
        assert table.match is not None
        phones[table.number].goto(table.match.get_absolute_url())
        until_it_is_held(phones[table.number], table.match)
    words = {}
    for phone in phones.values():
        until_it_can_go_on_alone(phone)
        phone.context.set_offline(True)
    rng = Random(1)
    for table in tables:
        assert table.match is not None
        phone = phones[table.number]
        words[table.match.pk] = play_through(phone, table.match, rng)
    assert not Match.objects.exclude(version=0).exists()
    back = time.monotonic()
    for phone in phones.values():
        phone.context.set_offline(False)
    for phone in phones.values():
        until_everything_is_sent(phone)
    assert time.monotonic() - back < PROMISED
    assert standings_differences(tournament) == []
    made = tournament.standings.current().get()
    assert made.rows.count() == 13
    assert made.entries == sum(Match.objects.values_list("version", flat=True))
    assert words == {match.pk: words_on_server(match) for match in Match.objects.all()}


def play_through(phone: Page, match: Match, rng: Random) -> str:
    """Play a match of Tricky Bid to its end; return its agreement words."""
    phone.get_by_role("link", name="All matches").click()
    phone.locator(f"a[href='{match.get_absolute_url()}']").click()
    seats = match.seats.count()
    for number in range(1, seats + 1):
        enter_points(phone, number, [rng.randint(0, 20) for _seat in range(seats)])
    return words_of(phone)
