"""Worked examples of any game; the rules compute their results."""

from collections.abc import Mapping

from scoring.games.examples import Example, ExampleHands
from scoring.rules.wording import gettext_noop as _

EXAMPLES: Mapping[str, Example] = {
    "hand": ExampleHands(
        _("A hand of Hearts"),
        ({"points": [5, 0, 8, 13]},),
        explained_seats=(0, 3),
        seats=4,
    ),
    "end": ExampleHands(
        _("Playing to 100, lowest total wins"),
        ({"points": [12, 60, 4, 28]}, {"points": [26, 45, 20, 13]}),
        seats=4,
        options={"target": 100, "lowest_wins": True},
    ),
}
