"""Worked examples of Tricky; the rules compute their results."""

from collections.abc import Mapping

from scoring.games.examples import Example, HandExample, TrickExample
from scoring.rules.game import Raw
from scoring.rules.wording import gettext_noop as _


def _bid(bidder: int, bid: int, trump: int | None, *points: int) -> Raw:
    """Return a hand of Tricky with its contract and the points of each seat."""
    contract = {"bidder": bidder, "bid": bid, "trump": trump}
    return {"contract": contract, "points": points}


EXAMPLES: Mapping[str, Example] = {
    "made": HandExample(
        _("The bid is made"),
        (_bid(1, 96, 7, 140, 120, 101),),
        explained_seats=(1, 0),
    ),
    "set": HandExample(
        _("The bid is missed"),
        (_bid(1, 96, 7, 150, 90, 121),),
        explained_seats=(1, 2),
    ),
    "no_trump": HandExample(
        _("No trump: the number of players counts"),
        (_bid(0, 120, None, 126, 88, 97),),
        explained_seats=(0,),
    ),
    "passed_out": HandExample(
        _("No one opens"), ({"passed_out": True},), explained_seats=(0, 1, 2)
    ),
    "plain": TrickExample(
        _("Trump 7, but no 7 is played"),
        {
            "trump": 7,
            "plays": [["d20:15", "d6:2"], ["d4:2", "d20:16"], ["d8:2", "d20:14"]],
        },
    ),
    "alone": TrickExample(
        _("Trump 3: one trump beats any total"),
        {
            "trump": 3,
            "plays": [["d20:20", "d10:6"], ["d6:6", "d8:3"], ["d12:6", "d20:18"]],
        },
    ),
    "second": TrickExample(
        _("Trump 3: the second die decides"),
        {
            "trump": 3,
            "plays": [["d20:3", "d6:5"], ["d4:3", "d12:9"], ["d10:3", "d20:8"]],
        },
    ),
    "faces": TrickExample(
        _("Trump 3: equal second dice"),
        {
            "trump": 3,
            "plays": [["d8:3", "d20:9"], ["d20:3", "d12:8"], ["d4:3", "d10:9"]],
        },
    ),
    "bidder_wins": HandExample(
        _("Two reach the target, one of them the bidder"),
        (
            _bid(0, 150, 19, 160, 100, 140),
            _bid(1, 150, 20, 290, 150, 60),
        ),
    ),
}
