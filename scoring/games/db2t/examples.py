"""Worked examples of DB2T; the rules compute their results."""

from collections.abc import Mapping

from scoring.games.examples import Example, ExampleHands, ExampleTrick
from scoring.rules.game import Raw
from scoring.rules.wording import gettext_noop as _


def _raw_actor(dice: list[int], declared: str | None) -> Raw:
    return {"dice": dice, "declared": declared}


EXAMPLES: Mapping[str, Example] = {
    "followed": ExampleTrick(
        _("Ann declares a pair"),
        {
            "tier": "pair",
            "actors": [
                _raw_actor([2, 2, 5], "pair"),
                _raw_actor([6, 6, 1], "pair"),
                _raw_actor([3, 5, 6], None),
            ],
        },
    ),
    "trumped": ExampleTrick(
        _("Prial is the trump tier"),
        {
            "tier": "pair",
            "trump": "prial",
            "actors": [
                _raw_actor([2, 2, 5], "pair"),
                _raw_actor([6, 6, 1], "pair"),
                _raw_actor([1, 1, 1], "prial"),
            ],
        },
    ),
    "tied": ExampleTrick(
        _("Equal sums"),
        {
            "tier": "straight",
            "actors": [
                _raw_actor([3, 2, 4], "straight"),
                _raw_actor([4, 3, 2], "straight"),
                _raw_actor([1, 2, 3], "straight"),
            ],
        },
    ),
    "contest": ExampleHands(
        _("A contest"),
        (
            {
                "inciter": 0,
                "tier": "flush",
                "actors": [
                    _raw_actor([5, 3, 3], "flush"),
                    _raw_actor([2, 6, 6], "flush"),
                    _raw_actor([1, 4, 6], None),
                ],
            },
        ),
        explained_seats=(1, 0),
    ),
    "shared": ExampleHands(
        _("The last contest"),
        (
            {
                "inciter": 0,
                "tier": "high",
                "actors": [
                    _raw_actor([5, 6, 3], "high"),
                    _raw_actor([2, 4, 1], "high"),
                    None,
                ],
            },
            {
                "inciter": 1,
                "tier": "high",
                "actors": [
                    _raw_actor([1, 2, 3], "high"),
                    _raw_actor([2, 4, 1], "high"),
                    None,
                ],
                "ended": True,
            },
        ),
    ),
}
