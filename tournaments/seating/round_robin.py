"""Round robins: all pairs meet equally often, if such a schedule is known."""

from dataclasses import replace
from functools import cache

from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say
from tournaments.seating.designs import longest_design, triple_meeting_design
from tournaments.seating.planned import Draw, DrawRequest, plan_night
from tournaments.seating.tables import SeatingRefusal, TableSizeLimits

LARGEST_SUGGESTED_COUNT = 64
"""The largest number of players to suggest in messages."""


def draw_round_robin(request: DrawRequest) -> Draw:
    """Return all rounds at full tables; every pair shares a table equally often.

    With an odd number of players at tables of two, each sits out once. Raises SeatingRefusal if
    no schedule is known for so many players, and names numbers that have one.
    """
    size = request.sizing.preferred
    players = len(request.players)
    if size == 2 and players % 2 and players > 1:
        # The player paired with the empty chair sits out.
        chair = min(request.players) - 1
        full_draw = draw_round_robin(
            replace(request, players=[*request.players, chair])
        )
        return replace(
            full_draw,
            rounds=tuple(
                tuple(table for table in tables if chair not in table)
                for tables in full_draw.rounds
            ),
            byes=tuple(
                tuple(
                    player
                    for table in tables
                    if chair in table
                    for player in table
                    if player != chair
                )
                for tables in full_draw.rounds
            ),
        )
    check_round_robin(players, size)
    rounds = find_round_robin_round_count(players, size)
    assert rounds is not None
    full = TableSizeLimits(preferred=size, least=size, most=size)
    return plan_night(replace(request, sizing=full), rounds)


def check_round_robin(players: int, size: int) -> None:
    """Raise SeatingRefusal if no schedule is known, and name numbers of players that have one."""
    odd_one_sits_out = size == 2 and players % 2 and players > 1
    if odd_one_sits_out or find_round_robin_round_count(players, size):
        return
    raise SeatingRefusal(
        "players",
        say(
            _(
                "No known schedule lets %(players)s players at tables of %(size)s all "
                "meet equally often. Play with %(known)s players, or choose a planned "
                "night."
            ),
            players=players,
            size=size,
            known=", ".join(map(str, list_round_robin_player_counts(size))),
        ),
    )


@cache
def find_round_robin_round_count(players: int, size: int) -> int | None:
    """Return the number of rounds in which all pairs meet equally often; None if no schedule is known.

    >>> find_round_robin_round_count(16, 4), find_round_robin_round_count(12, 4), find_round_robin_round_count(13, 4)
    (5, 11, None)
    """
    if size < 2 or players < size or players % size:
        return None
    round_count, remainder = divmod(players - 1, size - 1)
    if not remainder and len(longest_design(players, size)) >= round_count:
        return round_count
    return len(triple_meeting_design(players, size)) or None


def list_round_robin_player_counts(
    size: int, *, up_to: int = LARGEST_SUGGESTED_COUNT
) -> list[int]:
    """Return the numbers of players with a round robin at tables of a size.

    >>> list_round_robin_player_counts(5)
    [5, 25]
    """
    return [
        players
        for players in range(size, up_to + 1)
        if find_round_robin_round_count(players, size)
    ]
