"""The ranking: points and tie-breaks in order, with a reason for each line."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple, TypeAlias

from scoring.rules.wording import CountedNoun, Sentence, points_in_words, say
from scoring.rules.wording import gettext_noop as _
from tournaments.standings.event import Exact, StandingsInput
from tournaments.standings.tally import Tally, tally_event
from tournaments.standings.tie_breaks import TIE_BREAKS, TieBreak, total_points

LONGEST = 1 << 4_000
"""Larger numbers are rounded in sentences; Python prints no int of more than 4,300 digits."""
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
    earlier_points: Fraction = Fraction()
    """The points of earlier stages, which `points` leave out."""


def standings(event: StandingsInput) -> tuple[RankedPlayer, ...]:
    """Return every player's line, best first.

    The order in which the event lists its tables does not affect the result. Raises KeyError for
    an unknown tie-break, or a table size that `places` does not have.
    """
    event_tally = tally_event(event)
    points = total_points(event_tally)
    totals = points.unscaled_values()
    ranking = StepwiseRanking(event_tally)
    ranking.split(None, points.numbers, totals)
    values: dict[str, Values] = {}
    for name in event.counting.tie_breaks:
        tie_break = TIE_BREAKS[name]
        values[name] = ranking.apply(tie_break)
        if tie_break.then and ranking.still_level:
            ranking.apply(tie_break.then)
    ordered_totals = [
        total for player in ranking.order if (total := totals[player]) is not None
    ]
    # Format equal points only once: many lines share them.
    point_phrases = [
        phrase
        for points, level in groupby(ordered_totals)
        for phrase in [points_phrase(points)] * len(list(level))
    ]
    rows = []
    rank = 1
    for position, player in enumerate(ranking.order):
        if position in ranking.causes:
            rank = position + 1
        line_reason, next_position = None, position + 1
        if next_position < len(ranking.order):
            line_reason = explain_lead_or_tie(
                ranking.causes.get(next_position), point_phrases[position]
            )
        # Positional arguments take a third of the time of keywords.
        row = RankedPlayer(
            rank,
            event_tally.names[player],
            ordered_totals[position],
            len(event_tally.tables_by_player[player]) + len(event_tally.byes[player]),
            {name: by_player[player] for name, by_player in values.items()},
            line_reason,
        )
        rows.append(row)
    return tuple(rows)


class StepwiseRanking:
    """The players being ranked: each step splits groups that are still level.

    Once two groups are split, players never move between them, so the cause of each split can
    be stored by position.
    """

    def __init__(self, tally: Tally) -> None:
        """Begin with all players level, in the order of their names."""
        self.tally = tally
        self.order = list(range(len(tally.names)))
        self.still_level: list[Span] = [(0, len(self.order))] if self.order else []
        self.causes: dict[int, RankingCause] = {}
        """By position: why the line before it is above."""

    def apply(self, tie_break: TieBreak) -> Values:
        """Split each level group by a tie-break, and return its values by player."""
        if tie_break.compute is None:
            return self._split_by_comparison(tie_break)
        column = tie_break.compute(self.tally)
        values = column.unscaled_values()
        self.split(tie_break, column.numbers, values)
        return values

    def split(
        self,
        tie_break: TieBreak | None,
        numbers: Sequence[Exact | None],
        values: Values,
    ) -> None:
        """Sort the players of each level group by their numbers, the better first.

        `tie_break` is None for points. `values` are the exact values of the numbers, by player.
        """
        self.still_level = [
            part
            for span in self.still_level
            for part in self._split(span, tie_break, numbers, values)
        ]

    def _split_by_comparison(self, tie_break: TieBreak) -> Values:
        """Split each level group by its players' results against each other; each part once more."""
        assert tie_break.compare is not None
        shown_results: dict[int, Fraction] = {}
        parts: list[Span] = []
        for span in self.still_level:
            results = tie_break.compare(self.tally, self.order[slice(*span)])
            if results is None:
                parts.append(span)
                continue
            shown_results |= results
            level_parts = self._split(span, tie_break, results, results)
            if level_parts == [span]:
                parts.append(span)
                continue
            for part in level_parts:
                # What applies to the whole group applies to its parts.
                part_results = tie_break.compare(self.tally, self.order[slice(*part)])
                assert part_results is not None
                parts += self._split(part, tie_break, part_results, part_results)
        self.still_level = parts
        return [shown_results.get(player) for player in range(len(self.order))]

    def _split(
        self,
        span: Span,
        tie_break: TieBreak | None,
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
        higher_first = tie_break is None or not tie_break.lower_is_better
        part = sorted(defined, key=defined.__getitem__, reverse=higher_first)
        if len(part) < len(level):
            part += [player for player in level if numbers[player] is None]
        self.order[start:stop] = part
        edges = [start]
        for position, pair in enumerate(pairwise(part), start=start + 1):
            above, below = pair
            if numbers[above] != numbers[below]:
                self.causes[position] = RankingCause(
                    tie_break, values[above], values[below]
                )
                edges.append(position)
        edges.append(stop)
        return [(first, last) for first, last in pairwise(edges) if last - first > 1]


class RankingCause(NamedTuple):
    """The step of a ranking that puts one line above the next, with the values of both."""

    tie_break: TieBreak | None
    """None if the points differ."""
    value: Fraction | None
    other: Fraction | None


def points_phrase(points: Fraction) -> CountedNoun:
    """Return the points of a line in words."""
    return points_in_words(_value_for_sentence(points))


def explain_lead_or_tie(lead: RankingCause | None, on_points: CountedNoun) -> Sentence:
    """Return why a line is above the next, or that both are level if `lead` is None."""
    if lead is None:
        return say(
            _("tied on %(points)s, all tie-breaks equal"), points=on_points.number
        )
    tie_break, value = lead.tie_break, _value_for_sentence(lead.value)
    other = _value_for_sentence(lead.other)
    if tie_break is None:
        return say(
            _("%(points)s to the next player’s %(others)s"),
            points=on_points,
            others=other,
        )
    return say(
        tie_break.reason,
        points=on_points.number,
        value=CountedNoun(value, tie_break.counted) if tie_break.counted else value,
        other=other,
    )


def _value_for_sentence(value: Fraction | None) -> Fraction | str:
    """Return the value for a sentence: exact unless it is too long, a dash for None."""
    if value is None:
        return "–"
    numerator, denominator = value.as_integer_ratio()
    if -LONGEST < numerator < LONGEST and denominator < LONGEST:
        return value
    return f"≈ {float(value):g}"
