"""The reason of each line of the standings: why it is above the next."""

from fractions import Fraction
from typing import NamedTuple

from scoring.rules.wording import Count, Sentence, points_in_words, say
from scoring.rules.wording import gettext_noop as _
from tournaments.standings.tie_breaks import TIE_BREAKS

POINTS = "points"
"""The name of the first step of the ladder, the points themselves."""
LONGEST = 1 << 4_000
"""Larger numbers are rounded in sentences; Python prints no int of more than 4,300 digits."""


class Cause(NamedTuple):
    """The step of the ladder that puts one line above the next, with the values of both."""

    name: str
    """`points` or a tie-break."""
    value: Fraction | None
    other: Fraction | None


def points_phrase(points: Fraction) -> Count:
    """Return the points of a line in words."""
    return points_in_words(_shorten_value(points))


def reason(cause: Cause | None, on_points: Count, next_player: str) -> Sentence:
    """Return why a line is above that of `next_player`, or that both are level if there is no cause."""
    if cause is None:
        return say(
            _("tied with %(player)s on %(points)s and every tie-break"),
            player=next_player,
            points=on_points,
        )
    if cause.name == POINTS:
        return say(
            _("%(points)s to the next player’s %(others)s"),
            points=on_points,
            others=_shorten_value(cause.other),
        )
    tie_break, value = TIE_BREAKS[cause.name], _shorten_value(cause.value)
    return say(
        tie_break.reason,
        player=next_player,
        points=on_points,
        value=Count(value, tie_break.counted) if tie_break.counted else value,
        other=_shorten_value(cause.other),
    )


def _shorten_value(value: Fraction | None) -> Fraction | str:
    """Return the value for a sentence: exact unless it is too long, a dash for None."""
    if value is None:
        return "–"
    numerator, denominator = value.as_integer_ratio()
    if -LONGEST < numerator < LONGEST and denominator < LONGEST:
        return value
    return f"≈ {float(value):g}"
