"""Worked examples of Tricky Bid; the rules compute their results."""

from collections.abc import Mapping

from scoring.games.examples import Example, ExampleHands, ExampleTrick
from scoring.rules.wording import gettext_noop as _

EXAMPLES: Mapping[str, Example] = {
    "trumped": ExampleTrick(
        _("Trump is green"),
        {
            "trump": "G",
            "antes": ["B9", "Y4", "B5", "R2"],
            "plays": ["P7", "P12", "G3", "P1"],
        },
        seats=4,
    ),
    "plain": ExampleTrick(
        _("Trump is red, but no red is played"),
        {
            "trump": "R",
            "antes": ["Y13", "Y2", "G10", "Y6"],
            "plays": ["B8", "B11", "G15", "B3"],
        },
        seats=4,
    ),
    "round": ExampleHands(
        _("A round"), ({"points": [31, 17, 0, 22]},), explained_seats=(0, 2), seats=4
    ),
    "shared": ExampleHands(
        _("The last round"),
        ({"points": [31, 40, 12]}, {"points": [24, 8, 37]}, {"points": [15, 22, 9]}),
    ),
}
