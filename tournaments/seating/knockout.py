"""Knockout rounds: qualifiers and seating."""

from collections.abc import Mapping, Sequence
from itertools import combinations, zip_longest
from random import Random

from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say
from tournaments.seating.planned import (
    Draw,
    DrawRequest,
    build_seated_draw,
    count_meetings_with_separations,
)
from tournaments.seating.quality import Tables
from tournaments.seating.round_robin import FARTHEST
from tournaments.seating.tables import SeatingRefusal, TableSizeLimits, table_sizes

SEPARATION_COST = 100
"""The weight of a pair to keep apart, in meetings."""


def choose_qualifiers(
    tables: Tables, order: Sequence[int], per_table: int, sizing: TableSizeLimits
) -> list[int]:
    """Return the qualifiers, best first: `per_table` players of every table, and lucky losers.

    `tables` list their players from first place to last, `order` lists all players from best to
    last. The best of the others qualify as well, until the qualifiers fill tables. Raises
    SeatingRefusal if all players would qualify.
    """
    rank = {player: place for place, player in enumerate(order)}
    direct_qualifiers = sorted(
        (place, rank[player], player)
        for table in tables
        for place, player in enumerate(table[:per_table])
    )
    chosen = [player for _place, _rank, player in direct_qualifiers]
    candidates = sorted(
        {p for t in tables for p in t} - set(chosen), key=rank.__getitem__
    )
    while candidates and not _can_fill_tables(len(chosen), sizing):
        chosen.append(candidates.pop(0))
    if not candidates:
        raise SeatingRefusal(
            "advance",
            say(
                _(
                    "If %(each)s advance from each table, no one is "
                    "eliminated. Let fewer advance, or allow smaller "
                    "tables."
                ),
                each=per_table,
            ),
        )
    return chosen


def _can_fill_tables(players: int, sizing: TableSizeLimits) -> bool:
    try:
        return sum(table_sizes(players, sizing)) == players
    except SeatingRefusal:
        return False


def draw_knockout(request: DrawRequest, *, shuffle: bool = False) -> Draw:
    """Return one round of tables of equal strength, without byes.

    `request.players` are sorted from best to last: each table gets one of the best, one of the
    next, and so on, and repeated meetings are avoided if possible. `shuffle` ignores that order,
    for players without results. Raises SeatingRefusal if the players do not fill tables.
    """
    rng = Random(request.seed)
    players = list(request.players)
    if shuffle:
        rng.shuffle(players)
    check_knockout(len(players), request.sizing)
    sizes = table_sizes(len(players), request.sizing)
    # Rows of similar strength, one player for each table, in snake order.
    table_count = len(sizes)
    rows = [
        players[first : first + table_count]
        for first in range(0, len(players), table_count)
    ]
    for row in rows[1:-1:2] if len(rows[-1]) < table_count else rows[1::2]:
        row.reverse()
    _separate_repeat_opponents(
        rows, count_meetings_with_separations(request, SEPARATION_COST)
    )
    tables = [[p for p in table if p is not None] for table in zip_longest(*rows)]
    return build_seated_draw(request, [tables], [()])


def check_knockout(players: int, sizing: TableSizeLimits) -> None:
    """Raise SeatingRefusal if the players do not fill tables, and name numbers that do."""
    if sum(table_sizes(players, sizing)) == players:
        return
    raise SeatingRefusal(
        "players",
        say(
            _(
                "%(players)s players can’t be split into tables of %(least)s to "
                "%(most)s, and no one sits out in a knockout. %(fitting)s players "
                "would work."
            ),
            players=players,
            least=sizing.least,
            most=sizing.most,
            fitting=_format_nearest_fitting_counts(
                players, sizing, players + sizing.most
            ),
        ),
    )


def check_final(players: int, sizing: TableSizeLimits, available: int) -> None:
    """Raise SeatingRefusal if a final does not fill tables, and name sizes that do.

    `available` is the number of players available.
    """
    if _can_fill_tables(players, sizing):
        return
    if fitting := _format_nearest_fitting_counts(players, sizing, available):
        message = (
            _(
                "A final of %(players)s players can’t be split into tables of "
                "%(least)s. Choose %(fitting)s."
            )
            if sizing.least == sizing.most
            else _(
                "A final of %(players)s players can’t be split into tables of "
                "%(least)s to %(most)s. Choose %(fitting)s."
            )
        )
    else:
        message = _(
            "Not enough players are here for a final. A table needs at least %(least)s."
        )
    raise SeatingRefusal(
        "size",
        say(
            message,
            players=players,
            least=sizing.least,
            most=sizing.most,
            fitting=fitting,
        ),
    )


def _format_nearest_fitting_counts(
    players: int, sizing: TableSizeLimits, most: int
) -> str:
    """Return the two nearest numbers of players, up to `most`, that fill tables, as text.

    Empty if no number does.
    """
    fitting = [
        count
        for count in range(sizing.least, most + 1)
        if _can_fill_tables(count, sizing)
    ]
    nearest = sorted(fitting, key=lambda count: abs(count - players))[:2]
    return " / ".join(map(str, sorted(nearest)))


def list_unfillable_player_counts(sizing: TableSizeLimits) -> list[int]:
    """Return the numbers of players, up to 64, that do not fill tables of these sizes.

    >>> list_unfillable_player_counts(TableSizeLimits(preferred=4, least=4, most=5))
    [6, 7, 11]
    """
    return [
        players
        for players in range(sizing.least, FARTHEST + 1)
        if not _can_fill_tables(players, sizing)
    ]


def _separate_repeat_opponents(
    rows: list[list[int]], weights: Mapping[tuple[int, int], int]
) -> None:
    """Swap players of one row as long as that reduces repeated meetings."""

    def count_repeats(table: int, row: int, player: int) -> int:
        opponents = [
            other_row[table]
            for other_row in rows
            if other_row is not rows[row] and table < len(other_row)
        ]
        return sum(weights.get((min(o, player), max(o, player)), 0) for o in opponents)

    is_improved = True
    while is_improved:
        is_improved = False
        for number, row in enumerate(rows):
            for i, j in combinations(range(len(row)), 2):
                repeats_now = count_repeats(i, number, row[i]) + count_repeats(
                    j, number, row[j]
                )
                repeats_swapped = count_repeats(i, number, row[j]) + count_repeats(
                    j, number, row[i]
                )
                if repeats_swapped < repeats_now:
                    row[i], row[j] = row[j], row[i]
                    is_improved = True
