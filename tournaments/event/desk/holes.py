"""Rows of holes that show progress: the hands of a table or the time of a round."""

from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from scoring.games.registry import table_game
from scoring.models import Match

TIME = 15
"""Number of holes for a round's clock."""
MOST = 10
"""Most holes of a table; in a longer match a hole covers several hands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holes:
    count: int
    filled: int

    @property
    def steps(self) -> str:
        """Return the length of the row in steps, one less than its holes.

        The extra hundredth keeps rounding from losing the last hole.
        """
        return f"{self.count - 1}.01"

    @property
    def run_steps(self) -> str:
        """Return the length of the filled part in steps, with the same extra hundredth."""
        return f"{max(self.filled - 1, 0)}.01"

    @property
    def run(self) -> str:
        """Return the length of the filled part as a percentage of the row."""
        share = max(self.filled - 1, 0) / (self.count - 1)
        return f"{max(share * 100, 0.1):.1f}%"


def hand_holes(match: Match, seats: int) -> Holes:
    """Return the hands that a table has played, out of the usual number in its match."""
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
    """Return a lane of `steps` steps, filled up to the elapsed share of a round's time.

    The clock's script continues the lane in the same way.
    """
    gone = 1 - left / timedelta(minutes=minutes) if minutes else 1
    passed = min(steps, max(0, int(steps * gone)))
    # The first step leads to the second hole.
    return Holes(count=steps + 1, filled=passed + 1 if passed else 0)


def elapsed_holes(*, left: timedelta, minutes: int, count: int) -> Holes:
    """Return the elapsed share of a round of `minutes` minutes, as a row of `count` holes."""
    share = left / timedelta(minutes=max(minutes, 1))
    return Holes(count=count, filled=min(max(count - ceil(share * count), 0), count))
