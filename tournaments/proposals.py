"""What an evening could look like: so many people, so much time, one game."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.rules import game_named
from tournaments.seating import SeatingRefusal, Sizing, Wish, plan_night, table_sizes

HANDS: Mapping[str, int] = {
    "tricky": 10,
    "tricky_dice": 6,
    "tricks_and_treats": 4,
    "db2t": 10,
}
"""Hands of a usual match, by the mean of random ones; Tricky Bid has one for each
player."""
MINUTES_A_HAND: Mapping[str, int] = {
    "tricky": 7,
    "tricky_dice": 6,
    "tricky_bid": 7,
    "tricks_and_treats": 8,
    "db2t": 3,
}
"""An estimate for people who know the game; the wizard says that it is one."""
BETWEEN = 8
"""Minutes for finding the next table."""
MOST_ROUNDS = 8
SIZES = (3, 4, 5)
FEWEST = 3
"""Two at a table is another game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One way to spend the evening."""

    rounds: int
    table_size: int
    least_size: int
    most_size: int
    sizes: tuple[int, ...]
    sit_out: int
    """How many sit out each round."""
    minutes: int
    """That all rounds are expected to take, with the changes between them."""
    round_minutes: int
    repeats: int
    bound: int


def match_minutes(game: str, seats: int) -> int:
    """Return how long a match is expected to take."""
    return HANDS.get(game, seats) * MINUTES_A_HAND[game]


def proposals(players: int, minutes: int, game: str) -> list[Proposal]:
    """Return planned nights that fit, the one with the fewest repeats first.

    Where not even one round fits, one round is proposed all the same, with the minutes
    that it takes. Empty for too few people.
    """
    seats = game_named(game).seats
    found = [
        proposal
        for size in SIZES
        if size in seats
        and (proposal := _proposal(players, minutes, game, size)) is not None
    ]
    return sorted(
        found,
        key=lambda one: (one.sit_out, one.minutes > minutes, one.repeats, -one.rounds),
    )


def _proposal(players: int, minutes: int, game: str, size: int) -> Proposal | None:
    seats = game_named(game).seats
    sizing = Sizing(
        preferred=size,
        least=max(size - 1, FEWEST, seats[0]),
        most=min(size + 1, seats[-1]),
    )
    try:
        sizes = table_sizes(players, sizing)
    except SeatingRefusal:
        return None
    each = match_minutes(game, sizes[0])
    rounds = min(max((minutes + BETWEEN) // (each + BETWEEN), 1), MOST_ROUNDS)
    wish = Wish(players=range(1, players + 1), sizing=sizing)
    quality = plan_night(wish, rounds).quality
    return Proposal(
        rounds=rounds,
        table_size=size,
        least_size=sizing.least,
        most_size=sizing.most,
        sizes=tuple(sizes),
        sit_out=players - sum(sizes),
        minutes=rounds * each + (rounds - 1) * BETWEEN,
        round_minutes=each,
        repeats=quality.repeats,
        bound=quality.bound,
    )
