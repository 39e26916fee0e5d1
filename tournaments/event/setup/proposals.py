"""Propose nights for a number of players, the time available and a game."""

from dataclasses import dataclass, replace

from scoring.games.registry import table_game
from scoring.rules import get_game
from tournaments.seating import (
    DrawRequest,
    SeatingQuality,
    SeatingRefusal,
    TableSizeLimits,
    choose_table_sizes,
    find_round_robin_round_count,
    plan_night,
)

BREAK_MINUTES = 8
"""Minutes between rounds, to find the next table."""
MOST_ROUNDS = 8
LEAST_BEFORE_A_FINAL = 2
SIZES = (2, 3, 4, 5)
BY_TWOS = (2, 5)
"""Numbers of players for which tables of two are allowed, if the game is played by two.

With other numbers tables are larger, because two at a table play a different kind of game.
"""
LONGEST = 1.5
"""A round lasts at most this multiple of the expected length of its match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightProposal:
    """A way to spend the evening."""

    format: str
    """A format of tournaments: `planned`, `round_robin` or `swiss`."""
    rounds: int
    """Rounds for all players, without the final."""
    final_size: int
    """Players in the final; 0 for none."""
    table_size: int
    least_size: int
    most_size: int
    sizes: tuple[int, ...]
    sit_out: int
    """Number of players that sit out each round."""
    minutes: int
    """Expected minutes of all rounds, with the breaks between them."""
    round_minutes: int
    repeats: int | None
    """Repeated pairings, and the fewest possible (`bound`); None if results decide the seating."""
    bound: int

    @property
    def distinguishing_parts(self) -> tuple[object, ...]:
        """Return the parts that players would notice; different table sizes may result in the same."""
        setting = (self.format, self.rounds, self.final_size, self.sizes)
        return (*setting, self.minutes, self.repeats)


class NightQualityCache:
    """Qualities of planned nights of a number of players; sizes with the same tables are drawn once."""

    def __init__(self, players: int) -> None:
        self.players = players
        self._qualities: dict[tuple[tuple[int, ...], int], SeatingQuality] = {}

    def seating_quality(self, sizing: TableSizeLimits, rounds: int) -> SeatingQuality:
        """Return the quality of a night of `rounds` rounds."""
        tables = tuple(choose_table_sizes(self.players, sizing)), rounds
        if tables not in self._qualities:
            request = DrawRequest(players=range(1, self.players + 1), sizing=sizing)
            # It does not matter here which players get the smaller tables.
            self._qualities[tables] = plan_night(
                request, rounds, balance_small_tables=False
            ).quality
        return self._qualities[tables]


def expected_match_minutes(game: str, seats: int) -> int:
    """Return the expected minutes of a match among people that know the game."""
    game_info = table_game(game)
    return game_info.usual_hand_count(seats) * game_info.minutes_a_hand


def propose_nights(players: int, minutes: int, game: str) -> list[NightProposal]:
    """Return proposals for the time, the best first.

    For each size of table: a planned night (and a round robin of as many rounds, if there is
    time for one), the same with a final, and a Swiss event. Fewer players sitting out come
    first, then nights within the time, nights without a final and with all repeats known, and
    fewer repeats. If not even one round fits, one round is proposed all the same, with its real
    minutes. Empty for too few players.
    """
    seats = get_game(game).seats
    qualities = NightQualityCache(players)
    unordered: list[NightProposal] = []
    for size in SIZES:
        if size not in seats or (size == 2 and players != 2):
            continue
        night = _longest_night(qualities, minutes, game, size)
        if night is None:
            continue
        full_rounds = find_round_robin_round_count(players, size)
        if full_rounds and 1 < full_rounds <= night.rounds:
            shorter = _proposal_with_rounds(night, qualities, full_rounds)
            unordered += [shorter, replace(shorter, format="round_robin")]
        else:
            unordered.append(night)
        if night.rounds > LEAST_BEFORE_A_FINAL:
            shorter = _proposal_with_rounds(night, qualities, night.rounds - 1)
            unordered.append(replace(shorter, final_size=size, minutes=night.minutes))
            if len(night.sizes) > size:
                unordered.append(replace(night, format="swiss", repeats=None))
    distinct = {
        proposal.distinguishing_parts: proposal for proposal in reversed(unordered)
    }
    return sorted(
        distinct.values(),
        key=lambda proposal: (
            proposal.sit_out,
            proposal.minutes > minutes,
            proposal.final_size > 0 or proposal.repeats is None,
            proposal.repeats or 0,
            -proposal.rounds,
            # A dropout breaks a round robin, but not a planned night.
            proposal.format == "round_robin",
        ),
    )


def _proposal_with_rounds(
    night: NightProposal, qualities: NightQualityCache, rounds: int
) -> NightProposal:
    sizing = TableSizeLimits(
        preferred=night.table_size, least=night.least_size, most=night.most_size
    )
    quality = qualities.seating_quality(sizing, rounds)
    return replace(
        night,
        rounds=rounds,
        minutes=rounds * night.round_minutes + (rounds - 1) * BREAK_MINUTES,
        repeats=quality.repeats,
        bound=quality.bound,
    )


def _longest_night(
    qualities: NightQualityCache, minutes: int, game: str, size: int
) -> NightProposal | None:
    players, seats = qualities.players, get_game(game).seats
    fewest = 2 if players in BY_TWOS else 3
    sizing = TableSizeLimits(
        preferred=size,
        least=max(size - 1, fewest, seats[0]),
        most=min(size + 1, seats[-1]),
    )
    try:
        sizes = choose_table_sizes(players, sizing)
    except SeatingRefusal:
        return None
    minutes_each = expected_match_minutes(game, sizes[0])
    rounds = min(
        max((minutes + BREAK_MINUTES) // (minutes_each + BREAK_MINUTES), 1), MOST_ROUNDS
    )
    # The rest of the evening is shared by the rounds: nobody likes to be called away.
    available_minutes = (minutes - (rounds - 1) * BREAK_MINUTES) // rounds
    round_minutes = max(
        minutes_each, min(available_minutes, int(minutes_each * LONGEST))
    )
    quality = qualities.seating_quality(sizing, rounds)
    return NightProposal(
        format="planned",
        rounds=rounds,
        final_size=0,
        table_size=size,
        least_size=sizing.least,
        most_size=sizing.most,
        sizes=tuple(sizes),
        sit_out=players - sum(sizes),
        minutes=rounds * round_minutes + (rounds - 1) * BREAK_MINUTES,
        round_minutes=round_minutes,
        repeats=quality.repeats,
        bound=quality.bound,
    )
