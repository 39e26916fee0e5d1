"""Knockout rounds: qualifiers and seating."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say
from tournaments.seating.planned import Draw, DrawRequest
from tournaments.seating.quality import Tables
from tournaments.seating.round_robin import LARGEST_SUGGESTED_COUNT
from tournaments.seating.seeded import SeedPattern, draw_seeded
from tournaments.seating.tables import (
    SeatingRefusal,
    TableSizeLimits,
    choose_table_sizes,
)


def choose_qualifiers_or_refuse(
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
        sizes = choose_table_sizes(players, sizing.without_chosen_byes())
    except SeatingRefusal:
        return False
    return sum(sizes) == players


def draw_knockout(
    request: DrawRequest,
    *,
    pattern: SeedPattern = SeedPattern.SNAKE,
    shuffle: bool = False,
) -> Draw:
    """Return one round without byes, of tables of equal strength unless the `pattern` is another.

    `request.players` are sorted from best to last. Repeated meetings are avoided if possible.
    `shuffle` ignores that order, for players without results. Raises SeatingRefusal if the
    players do not fill tables.
    """
    check_knockout(len(request.players), request.sizing)
    players = list(request.players)
    if shuffle:
        Random(request.seed).shuffle(players)
    sizing = request.sizing.without_chosen_byes()
    return draw_seeded(
        replace(request, players=players, sizing=sizing, resting=()), pattern
    )


def check_knockout(players: int, sizing: TableSizeLimits) -> None:
    """Raise SeatingRefusal if the players do not fill tables, and name numbers that do."""
    if sum(choose_table_sizes(players, sizing.without_chosen_byes())) == players:
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


def check_final(
    players: int, sizing: TableSizeLimits, *, largest_suggestion: int
) -> None:
    """Raise SeatingRefusal if a final does not fill tables, and name sizes that do.

    A `largest_suggestion` below every possible size means too few players.
    """
    if _can_fill_tables(players, sizing):
        return
    if fitting := _format_nearest_fitting_counts(players, sizing, largest_suggestion):
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


def list_unfillable_player_counts(
    sizing: TableSizeLimits, *, up_to: int = LARGEST_SUGGESTED_COUNT
) -> list[int]:
    """Return the numbers of players that do not fill tables of these sizes.

    >>> list_unfillable_player_counts(TableSizeLimits(preferred=4, least=4, most=5))
    [6, 7, 11]
    """
    return [
        players
        for players in range(sizing.least, up_to + 1)
        if not _can_fill_tables(players, sizing)
    ]
