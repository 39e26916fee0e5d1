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
class ProgressHoles:
    count: int
    filled: int

    @property
    def row_length_in_steps(self) -> str:
        """Return the length of the row in steps, one less than its holes.

        The extra hundredth keeps rounding from losing the last hole.
        """
        return f"{self.count - 1}.01"

    @property
    def filled_length_in_steps(self) -> str:
        """Return the length of the filled part in steps, with the same extra hundredth."""
        return f"{max(self.filled - 1, 0)}.01"

    @property
    def filled_length_in_percent(self) -> str:
        """Return the length of the filled part as a percentage of the row."""
        share = max(self.filled - 1, 0) / (self.count - 1)
        return f"{max(share * 100, 0.1):.1f}%"


def played_hands_holes(match: Match, seats: int) -> ProgressHoles:
    """Return the hands that a table has played, out of the usual number in its match."""
    filled = match.hands_played
    total = max(table_game(match.game).usual_hand_count(seats), filled, 2)
    if match.has_counting_result:
        total = max(filled, 2)
        filled = total
    elif filled == total:
        total += 1
    count = min(total, MOST)
    return ProgressHoles(count=count, filled=filled * count // total)


def elapsed_time_lane(
    *, remaining: timedelta, minutes: int, steps: int
) -> ProgressHoles:
    """Return a lane of `steps` steps, filled up to the elapsed share of a round's time.

    The clock's script continues the lane in the same way.
    """
    elapsed_share = 1 - remaining / timedelta(minutes=minutes) if minutes else 1
    filled_steps = min(steps, max(0, int(steps * elapsed_share)))
    # The first step leads to the second hole.
    return ProgressHoles(
        count=steps + 1, filled=filled_steps + 1 if filled_steps else 0
    )


def elapsed_time_holes(
    *, remaining: timedelta, minutes: int, count: int
) -> ProgressHoles:
    """Return the elapsed share of a round of `minutes` minutes, as a row of `count` holes."""
    remaining_share = remaining / timedelta(minutes=max(minutes, 1))
    return ProgressHoles(
        count=count, filled=min(max(count - ceil(remaining_share * count), 0), count)
    )
