"""A round robin: everybody meets everybody equally often, where such a schedule is."""

from dataclasses import replace
from functools import cache

from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say
from tournaments.seating.designs import best_design, level_design
from tournaments.seating.planned import Draw, Wish, plan_night
from tournaments.seating.tables import SeatingRefusal, Sizing

FARTHEST = 64
"""Up to so many players the sizes are named for which there is one."""


def draw_round_robin(wish: Wish) -> Draw:
    """Return all rounds; every pair shares a table equally often, tables being full.

    At tables of two an odd one sits out in turn. Raises SeatingRefusal where no schedule
    is known for so many players, and names numbers for which one is.
    """
    size = wish.sizing.preferred
    players = len(wish.players)
    if size == 2 and players % 2 and players > 1:
        # The player who meets the empty chair sits out.
        chair = min(wish.players) - 1
        drawn = draw_round_robin(replace(wish, players=[*wish.players, chair]))
        return replace(
            drawn,
            rounds=tuple(
                tuple(table for table in tables if chair not in table)
                for tables in drawn.rounds
            ),
            byes=tuple(
                tuple(
                    player
                    for table in tables
                    if chair in table
                    for player in table
                    if player != chair
                )
                for tables in drawn.rounds
            ),
        )
    check_round_robin(players, size)
    rounds = rounds_of_all(players, size)
    full = Sizing(preferred=size, least=size, most=size)
    return plan_night(replace(wish, sizing=full), rounds)


def check_round_robin(players: int, size: int) -> None:
    """Raise SeatingRefusal where no schedule is known, and name numbers for which one is."""
    odd_one_sits_out = size == 2 and players % 2 and players > 1
    if odd_one_sits_out or rounds_of_all(players, size):
        return
    raise SeatingRefusal(
        "players",
        say(
            _(
                "No schedule is known in which %(players)s players at tables of "
                "%(size)s all meet equally often. There is one for %(known)s players; "
                "a planned night comes closest for any other number."
            ),
            players=players,
            size=size,
            known=", ".join(map(str, round_robins(size))),
        ),
    )


@cache
def rounds_of_all(players: int, size: int) -> int:
    """Return the rounds in which all pairs meet equally often; 0 where none are known.

    >>> rounds_of_all(16, 4), rounds_of_all(12, 4), rounds_of_all(13, 4)
    (5, 11, 0)
    """
    if size < 2 or players < size or players % size:
        return 0
    once, left = divmod(players - 1, size - 1)
    if not left and len(best_design(players, size)) >= once:
        return once
    return len(level_design(players, size))


def round_robins(size: int) -> list[int]:
    """Return the numbers of players, up to 64, that full tables of a size can all meet at.

    >>> round_robins(5)
    [5, 25]
    """
    return [
        players for players in range(size, FARTHEST + 1) if rounds_of_all(players, size)
    ]
