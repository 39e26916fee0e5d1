"""Worked examples of Tricky Dice; the rules compute their results."""

from collections.abc import Mapping

from scoring.games.examples import Example, ExampleHands, ExampleTrick
from scoring.rules.game import Raw
from scoring.rules.wording import gettext_noop as _

_SIDE: Raw = {
    "contract": {"bidder": 1, "tricks": 6, "partner": 3},
    "tricks_won": [2, 3, 1, 4],
    "die_tricks": [0, 1, 0, 2],
}
"""A contract that Bo and Di make."""

EXAMPLES: Mapping[str, Example] = {
    "made": ExampleHands(_("The bid is made"), (_SIDE,), explained_seats=(1,), seats=4),
    "set": ExampleHands(
        _("The bid is missed"),
        ({**_SIDE, "contract": {"bidder": 1, "tricks": 8, "partner": 3}},),
        explained_seats=(1, 0),
        seats=4,
    ),
    "solo": ExampleHands(
        _("A solo"),
        (
            {
                "contract": {"bidder": 0, "solo": True},
                "tricks_won": [6, 1, 3, 0],
                "die_tricks": [1, 0, 1, 0],
            },
        ),
        explained_seats=(0, 2),
        seats=4,
    ),
    "rank": ExampleTrick(
        _("The 8 of hearts is on the trump die"),
        {"trump": "8H", "plays": ["AS", "KS", "8S", "TS"]},
        seats=4,
    ),
    "trumped": ExampleTrick(
        _("The same, but someone has no spades"),
        {"trump": "8H", "plays": ["AS", "2H", "8S", "TS"]},
        seats=4,
    ),
    "card_and_die": ExampleTrick(
        _("A card and its twin on a die"),
        {"trump": "8H", "plays": ["QD*", "5D", "QD", "TD*"]},
        seats=4,
    ),
    "sudden_death": ExampleHands(_("Two share the lead"), (_SIDE,) * 4, seats=4),
}
