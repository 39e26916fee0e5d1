"""Wrong seats: people who sat otherwise than they were drawn, put right in one go."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.matchlog.append import read_match
from scoring.matchlog.commands import Author
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    match_of,
    running_round,
    tournament_with,
)
from tournaments.changes import RefusedError
from tournaments.event.seats import reseat_entries
from tournaments.event.table_results import rank_players
from tournaments.models import Round, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def one() -> Round:
    """Return a running round of two tables with a hand at the first."""
    running = running_round(tournament_with(9, least_size=4, most_size=4))
    first = running.tables.all()[0]
    enter_points(match_of(first), [20, 12, 5, 1])
    return running


def seats_of(table: Table) -> list[str]:
    """Return who sits at a table, as its places and its match agree."""
    names = [place.entry.name for place in table.places.order_by("index")]
    assert [seat.name for seat in match_of(table).seats.order_by("index")] == names
    return names


def correct(table: Table, names: list[str], **options: Any) -> Table:
    by_name = dict(table.round.tournament.entries.values_list("name", "pk"))
    details = {"author": Author(name="Ann"), "reason": "", "now": NOW}
    wish = {"key": uuid4(), "from_hand": 1, **details, **options}
    ids = [by_name[name] for name in names]
    return reseat_entries(table_id=table.pk, entry_ids=ids, **wish)


def test_swapped_players_get_the_points_of_their_seats(one: Round) -> None:
    table = one.tables.all()[0]
    ada, bo, cy, di = seats_of(table)
    correct(table, [bo, ada, cy, di])
    assert seats_of(table) == [bo, ada, cy, di]
    rows = rank_players(one.tournament, as_it_stands=True)
    names = dict(one.tournament.entries.values_list("pk", "name"))
    assert names[int(rows[0].player)] == bo


def test_repeated_seat_correction_is_applied_once(one: Round) -> None:
    table = one.tables.all()[0]
    here, key = seats_of(table), uuid4()
    for _twice in range(2):
        correct(table, [here[1], here[0], *here[2:]], key=key, from_hand=2)
    changes = [entry.body or {} for entry in match_of(table).log.seat_changes()]
    assert [change["from_hand"] for change in changes] == [1, 1, 2, 2]


@pytest.mark.parametrize(("from_hand", "first"), [(3, 5), (2, 2), (1, 1)])
def test_player_from_another_table_keeps_hands_played_there(
    one: Round, from_hand: int, first: int
) -> None:
    tables = one.tables.all()
    for table, hands in zip(tables, (1, 4), strict=True):
        for _hand in range(hands):
            enter_points(match_of(table), [9, 5, 3, 1])
    here, there = map(seats_of, tables)
    correct(tables[0], [there[2], *here[1:]], from_hand=from_hand)
    assert seats_of(tables[0]) == [there[2], *here[1:]]
    assert seats_of(tables[1]) == [there[0], there[1], here[0], there[3]]
    played = read_match(match_of(tables[1])).names_by_hand(range(1, 6))
    by_newcomer = [number for number, row in enumerate(played, 1) if row[2] == here[0]]
    assert by_newcomer == list(range(first, 6))
    assert {row[2] for row in played} <= {here[0], there[2]}


def test_rejects_invalid_seats(one: Round) -> None:
    table, other = one.tables.all()
    here, there = seats_of(table), seats_of(other)
    for names, from_hand, reason in (
        ([here[0], here[0], *here[2:]], 1, "two seats"),
        (here[:3], 1, "each seat"),
        (here, 3, "from 1 to the next one, 2"),
    ):
        with pytest.raises(RefusedError, match=reason):
            correct(table, names, from_hand=from_hand)
    turned = [here[1], here[0], *here[2:]]
    with pytest.raises(
        RefusedError, match="Choose the first hand this applies to"
    ) as refused:
        correct(table, turned, from_hand=None)
    assert refused.value.field == "from_hand"
    # Before the first hand nothing is asked.
    correct(other, [there[1], there[0], *there[2:]], from_hand=None)
    assert seats_of(other) == [there[1], there[0], *there[2:]]


def test_bye_moves_to_the_replaced_player(
    one: Round,
) -> None:
    table = one.tables.all()[0]
    out, here = one.byes.get().entry.name, seats_of(table)
    correct(table, [*here[:3], out])
    assert one.byes.get().entry.name == here[3]
    assert seats_of(table)[3] == out
