"""Worked examples of Tricks and Treats; the rules compute their results."""

from collections.abc import Mapping

from scoring.games.examples import Example, ExampleHands, ExampleTrick
from scoring.rules.game import Raw
from scoring.rules.wording import gettext_noop as _

_GRID: Raw = {
    "box": "left",
    "trumps": [
        {"card": "C4", "row": 2, "column": 0},
        {"card": "P9", "row": 5, "column": 3},
        {"card": "W2", "row": 1, "column": 3},
    ],
}
_TRUMPED = ["P12", "P9", "W2"]


def _raw_deal(tokens: list[int], treats: list[Raw], grid_left: int) -> Raw:
    return {"tokens": tokens, "treats": treats, "grid_left": grid_left}


_FIRST_DEAL = _raw_deal([5, 3, 4], [{"candy": 1, "spy": 1}, {}, {"ghost": 1}], 52)

EXAMPLES: Mapping[str, Example] = {
    "suit": ExampleTrick(
        _("No card matches a trump token"),
        {**_GRID, "plays": ["G5", "G11", "B12"]},
    ),
    "trump": ExampleTrick(
        _("C4 is nearest the box, and W2 is above P9"),
        {**_GRID, "plays": _TRUMPED},
    ),
    "evil_eye": ExampleTrick(
        _("The same, with an evil eye on Cy"),
        {**_GRID, "plays": _TRUMPED, "evil_eye": [2]},
    ),
    "master_trump": ExampleTrick(
        _("The same, with a master trump from Ann"),
        {**_GRID, "plays": _TRUMPED, "master_trump": [0]},
    ),
    "deal": ExampleHands(
        _("The first deal"),
        (_FIRST_DEAL,),
        explained_seats=(0,),
    ),
    "spent": ExampleHands(
        _("The second deal, after Ann used her spy and a thief stole her candy"),
        (
            _FIRST_DEAL,
            _raw_deal([2, 6, 4], [{}, {"candy": 1}, {"ghost": 1}], 31),
        ),
        explained_seats=(0, 1),
    ),
    "level": ExampleHands(
        _("Equal totals at the end"),
        (
            _raw_deal([6, 5, 5], [{}, {}, {}], 60),
            _raw_deal([5, 6, 5], [{}, {}, {}], 36),
            _raw_deal(
                [5, 6, 5], [{"ghost": 1, "spy": 1}, {"thief": 1}, {"candy": 1}], 9
            ),
        ),
    ),
}
