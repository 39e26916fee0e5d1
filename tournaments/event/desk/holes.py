"""Rows of holes: the hands of a table, the time of a round."""

from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from scoring.games.registry import table_game
from scoring.models import Match

TIME = 15
"""Holes of a round's clock."""
MOST = 10
"""Holes of a table; of longer matches each stands for several hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holes:
    count: int
    filled: int

    @property
    def steps(self) -> str:
        """Return the length that the row counts itself, a hole a step and one at its start.

        A hundredth more than the steps, or rounding loses the last hole.
        """
        return f"{self.count - 1}.01"

    @property
    def run_steps(self) -> str:
        """Return the length of its filled part, counted in the same way."""
        return f"{max(self.filled - 1, 0)}.01"

    @property
    def run(self) -> str:
        """Return how far the filled part reaches, as a share of the row."""
        share = max(self.filled - 1, 0) / (self.count - 1)
        return f"{max(share * 100, 0.1):.1f}%"


def hand_holes(match: Match, seats: int) -> Holes:
    """Return the hands that a table has played, of those that its match usually has."""
    played = match.hands_played
    hands = max(table_game(match.game).usual_hands(seats), played, 2)
    if match.is_settled:
        hands = max(played, 2)
        played = hands
    elif played == hands:
        hands += 1
    count = min(hands, MOST)
    return Holes(count=count, filled=played * count // hands)


def elapsed_lane(*, left: timedelta, minutes: int, steps: int) -> Holes:
    """Return a lane of so many steps, filled as far as the clock of a round has come.

    The script of the clock goes on filling it in the same way.
    """
    gone = 1 - left / timedelta(minutes=minutes) if minutes else 1
    passed = min(steps, max(0, int(steps * gone)))
    # The first step leads to the second hole.
    return Holes(count=steps + 1, filled=passed + 1 if passed else 0)


def elapsed_holes(*, left: timedelta, minutes: int, count: int) -> Holes:
    """Return how much of a round of so many minutes has passed."""
    share = left / timedelta(minutes=max(minutes, 1))
    return Holes(count=count, filled=min(max(count - ceil(share * count), 0), count))
