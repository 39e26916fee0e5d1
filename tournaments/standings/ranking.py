"""The ranking: points and tie-breaks in order, with a reason for each line."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias

from scoring.rules.wording import Sentence
from tournaments.standings.event import Event, Exact
from tournaments.standings.head_to_head import head_to_head
from tournaments.standings.reasons import POINTS, Cause, points_phrase, reason
from tournaments.standings.tally import Tally, tally
from tournaments.standings.tie_breaks import (
    HEAD_TO_HEAD,
    TIE_BREAKS,
    last_table_place,
    table_points,
)

Span: TypeAlias = tuple[int, int]
"""Positions from the first up to, but not including, the second."""
Values: TypeAlias = Sequence[Fraction | None]
"""By player, exact; None for undefined."""


class RankedPlayer(NamedTuple):
    """One line of the standings."""

    rank: int
    """Shared by players level in everything: 1, 2, 2, 4."""
    player: str
    points: Fraction
    tables: int
    """The number of tables that count, byes included."""
    values: Mapping[str, Fraction | None]
    """By tie-break, in the order in which they apply."""
    reason: Sentence | None
    """Why the line is above the next, or level with it; None for the last line."""
    stage: int = 0
    """The last stage that the player reached; 0 if the tournament has only one."""


def standings(event: Event) -> tuple[RankedPlayer, ...]:
    """Return every player's line, best first.

    The order in which the event lists its tables does not affect the result. Raises KeyError for
    an unknown tie-break, or a table size that `places` does not have.
    """
    event_tally = tally(event)
    points = table_points(event, event_tally)
    columns = {
        name: compute(event, event_tally)
        for name in event.counting.tie_breaks
        if (compute := TIE_BREAKS[name].compute)
    }
    totals = points.values()
    values = {name: column.values() for name, column in columns.items()}
    ladder = Ladder(event_tally)
    ladder.split(POINTS, points.numbers, totals)
    for name in event.counting.tie_breaks:
        if name == HEAD_TO_HEAD:
            ladder.split_by_head_to_head()
            values[name] = ladder.list_head_to_head_values()
            continue
        ladder.split(name, columns[name].numbers, values[name])
        if name == "final_table" and ladder.still_level:
            # Places separate the players of one table of the last round.
            places = last_table_place(event, event_tally)
            ladder.split("final_place", places.numbers, places.values())
    shown_values = {name: values[name] for name in event.counting.tie_breaks}
    ordered_totals = [
        total for player in ladder.order if (total := totals[player]) is not None
    ]
    # Format equal points only once: many lines share them.
    point_phrases = [
        phrase
        for points, level in groupby(ordered_totals)
        for phrase in [points_phrase(points)] * len(list(level))
    ]
    rows = []
    rank = 1
    for position, player in enumerate(ladder.order):
        if position in ladder.causes:
            rank = position + 1
        line_reason, next_position = None, position + 1
        if next_position < len(ladder.order):
            next_name = event_tally.names[ladder.order[next_position]]
            line_reason = reason(
                ladder.causes.get(next_position), point_phrases[position], next_name
            )
        # Positional arguments take a third of the time of keywords.
        row = RankedPlayer(
            rank,
            event_tally.names[player],
            ordered_totals[position],
            len(event_tally.tables_by_player[player]) + event_tally.byes[player],
            {name: by_player[player] for name, by_player in shown_values.items()},
            line_reason,
        )
        rows.append(row)
    return tuple(rows)


class Ladder:
    """The players being ranked: each step splits groups that are still level.

    Once two groups are split, players never move between them, so the cause of each split can
    be stored by position.
    """

    __slots__ = ("_among_level", "causes", "order", "still_level", "tally")

    def __init__(self, tally: Tally) -> None:
        """Begin with all players level, in the order of their names."""
        self.tally = tally
        self.order = list(range(len(tally.names)))
        self.still_level: list[Span] = [(0, len(self.order))] if self.order else []
        self.causes: dict[int, Cause] = {}
        """By position: why the line before it is above."""
        self._among_level: dict[int, Fraction] = {}

    def split(self, name: str, numbers: Sequence[Exact | None], values: Values) -> None:
        """Sort the players of each level group by their numbers, the better first.

        `values` are the exact values of the numbers, by player.
        """
        self.still_level = [
            part
            for span in self.still_level
            for part in self._split(span, name, numbers, values)
        ]

    def split_by_head_to_head(self) -> None:
        """Split each level group by head-to-head if all its players met; each part once more."""
        parts: list[Span] = []
        for span in self.still_level:
            results = head_to_head(self.tally, self.order[slice(*span)])
            if results is None:
                parts.append(span)
                continue
            self._among_level |= results
            level_parts = self._split(span, HEAD_TO_HEAD, results, results)
            if level_parts == [span]:
                parts.append(span)
                continue
            for part in level_parts:
                # All players of the group met, so all players of its parts did too.
                part_results = head_to_head(self.tally, self.order[slice(*part)])
                assert part_results is not None
                parts += self._split(part, HEAD_TO_HEAD, part_results, part_results)
        self.still_level = parts

    def list_head_to_head_values(self) -> list[Fraction | None]:
        """Return the head-to-head results by player; None if it was not applied to them."""
        return [self._among_level.get(player) for player in range(len(self.order))]

    def _split(
        self,
        span: Span,
        name: str,
        numbers: Sequence[Exact | None] | Mapping[int, Exact],
        values: Values | Mapping[int, Fraction],
    ) -> list[Span]:
        """Sort the span, undefined numbers last, and return the parts still level."""
        start, stop = span
        level = self.order[start:stop]
        defined = {
            player: number
            for player in level
            if (number := numbers[player]) is not None
        }
        higher_first = not (name in TIE_BREAKS and TIE_BREAKS[name].lower_is_better)
        part = sorted(defined, key=defined.__getitem__, reverse=higher_first)
        if len(part) < len(level):
            part += [player for player in level if numbers[player] is None]
        self.order[start:stop] = part
        edges = [start]
        for position, pair in enumerate(pairwise(part), start=start + 1):
            above, below = pair
            if numbers[above] != numbers[below]:
                self.causes[position] = Cause(name, values[above], values[below])
                edges.append(position)
        edges.append(stop)
        return [(first, last) for first, last in pairwise(edges) if last - first > 1]
