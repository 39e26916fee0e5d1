"""The sentence of each line: why it stands above the next."""

from fractions import Fraction
from typing import NamedTuple

from scoring.rules.wording import Count, Sentence, ngettext_noop, points_in_words, say
from scoring.rules.wording import gettext_noop as _

POINTS = "points"
"""Stands for the points themselves where a step of the ladder is named."""
LONGEST = 1 << 4_000
"""Beyond what a sentence spells out; Python writes none of 4,300 digits."""


class Cause(NamedTuple):
    """What puts one line above the next."""

    name: str
    """`points` or a tie-break."""
    value: Fraction | None
    other: Fraction | None


REASONS = {
    "wins": _("equal with %(player)s on %(points)s; %(value)s against %(other)s"),
    "seconds": _("equal with %(player)s on %(points)s; %(value)s against %(other)s"),
    "head_to_head": _(
        "equal with %(player)s on %(points)s; "
        "between themselves %(value)s against %(other)s"
    ),
    "opponents": _(
        "equal with %(player)s on %(points)s; "
        "opponents' average %(value)s against %(other)s"
    ),
    "opponents_all": _(
        "equal with %(player)s on %(points)s; "
        "opponents' average over all tables %(value)s against %(other)s"
    ),
    "sonneborn_berger": _(
        "equal with %(player)s on %(points)s; "
        "Sonneborn-Berger %(value)s against %(other)s"
    ),
    "beaten": _(
        "equal with %(player)s on %(points)s; %(value)s beaten against %(other)s"
    ),
    "margin": _(
        "equal with %(player)s on %(points)s; margin %(value)s against %(other)s"
    ),
    "best_table": _(
        "equal with %(player)s on %(points)s; best table %(value)s against %(other)s"
    ),
    "cut_one": _(
        "equal with %(player)s on %(points)s; "
        "%(value)s without the worst table against %(other)s"
    ),
    "median": _(
        "equal with %(player)s on %(points)s; "
        "%(value)s without the best and the worst table against %(other)s"
    ),
    "raw": _("equal with %(player)s on %(points)s; %(value)s against %(other)s"),
    "percentage": _(
        "equal with %(player)s on %(points)s; "
        "parts of the winner's score %(value)s against %(other)s"
    ),
    "share": _(
        "equal with %(player)s on %(points)s; "
        "parts of the table's score %(value)s against %(other)s"
    ),
    "final_table": _(
        "equal with %(player)s on %(points)s; "
        "table %(value)s against table %(other)s in the last round"
    ),
    "final_place": _(
        "equal with %(player)s on %(points)s; "
        "place %(value)s against %(other)s at the last table"
    ),
    "lot": _("equal with %(player)s on %(points)s; lot %(value)s against %(other)s"),
}
"""What separates who is level on points, by tie-break."""


COUNTED = {
    "wins": ngettext_noop("win", "wins"),
    "seconds": ngettext_noop("second place", "second places"),
    "beaten": ngettext_noop("opponent", "opponents"),
    "raw": ngettext_noop("point of the game", "points of the game"),
}
"""What the value of a tie-break is a number of."""


def said_points(points: Fraction) -> Count:
    """Return the points of a line as its sentence says them."""
    return points_in_words(_shown(points))


def reason(cause: Cause | None, on_points: Count, after: str) -> Sentence:
    """Return why a line stands above that of `after`, or is level without a cause."""
    if cause is None:
        return say(
            _("equal with %(player)s on %(points)s and in every tie-break"),
            player=after,
            points=on_points,
        )
    if cause.name == POINTS:
        return say(
            _("%(points)s against %(others)s"),
            points=on_points,
            others=_shown(cause.other),
        )
    value = _shown(cause.value)
    return say(
        REASONS[cause.name],
        player=after,
        points=on_points,
        value=Count(value, COUNTED[cause.name]) if cause.name in COUNTED else value,
        other=_shown(cause.other),
    )


def _shown(value: Fraction | None) -> Fraction | str:
    """Return the value as a sentence can hold it: exact, unless it fills a page."""
    if value is None:
        return "–"
    over, under = value.as_integer_ratio()
    if -LONGEST < over < LONGEST and under < LONGEST:
        return value
    return f"≈ {float(value):g}"
