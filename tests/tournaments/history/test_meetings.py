"""Who was ahead of whom: pages of players and of records know one definition."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from tests.factories.history import counted
from tests.factories.tournaments import ClubFactory
from tournaments.exact import percent
from tournaments.history.club_records import ahead_matrix
from tournaments.history.player_stats import opponents_of
from tournaments.models import Club, Table

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
NAMES = [f"Player {number}" for number in range(7)]


def club_of_evenings(rng: Random) -> Club:
    club: Club = ClubFactory.create()
    for day in range(1, 9):
        size = rng.choice([3, 4, 5])
        points = [rng.randint(0, 3) for _seat in range(size)]
        counted(
            f"2026-05-{day:02}",
            rng.sample(NAMES, rng.choice([size, 2 * size if size == 3 else size])),
            club=club,
            points=points,
            table_size=size,
            least_size=size,
            most_size=size,
        )
    return club


def slow_meetings(club: Club) -> dict[tuple[str, str], tuple[int, Fraction]]:
    """Return by pair how often they met, and how often the first came out ahead."""
    met: Counter[tuple[str, str]] = Counter()
    ahead: dict[tuple[str, str], Fraction] = {}
    for table in Table.objects.filter(round__tournament__club=club):
        assert table.match is not None
        for first, second in permutations(table.match.seats.all(), 2):
            pair = first.name, second.name
            met[pair] += 1
            won = Fraction(first.total > second.total)
            won += Fraction(first.total == second.total, 2)
            ahead[pair] = ahead.get(pair, Fraction()) + won
    return {pair: (met[pair], ahead[pair]) for pair in met}


@pytest.mark.parametrize("seed", range(6))
def test_the_matrix_and_the_pages_of_players_say_what_the_tables_say(seed: int) -> None:
    club = club_of_evenings(Random(seed))
    meetings = slow_meetings(club)
    ids = dict(club.results.values_list("player__name", "player"))
    names = sorted(ids)
    matrix = ahead_matrix(club, [ids[name] for name in names])
    for row, name in zip(matrix, names, strict=True):
        opponents = {one.name: one for one in opponents_of(club, ids[name])}
        assert opponents.keys() == {other for first, other in meetings if first == name}
        for share, other in zip(row, names, strict=True):
            met, ahead = meetings.get((name, other), (0, Fraction()))
            assert share == (percent(ahead, met) if met >= 3 else None)
            if met:
                assert opponents[other].met == met
                assert opponents[other].share == percent(ahead, met)
                assert opponents[other].few == (met < 3)
