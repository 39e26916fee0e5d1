"""Worked examples of Tricky; the rules compute their results."""

from collections.abc import Mapping

from scoring.games.examples import Example, ExampleHands, ExampleTrick
from scoring.rules.game import Raw
from scoring.rules.wording import gettext_noop as _


def _raw_contract_hand(bidder: int, bid: int, trump: int | None, *points: int) -> Raw:
    """Return a hand of Tricky with its contract and the points of each seat."""
    contract = {"bidder": bidder, "bid": bid, "trump": trump}
    return {"contract": contract, "points": points}


EXAMPLES: Mapping[str, Example] = {
    "made": ExampleHands(
        _("The bid is made"),
        (_raw_contract_hand(1, 96, 7, 140, 120, 101),),
        explained_seats=(1, 0),
    ),
    "set": ExampleHands(
        _("The bid is missed"),
        (_raw_contract_hand(1, 96, 7, 150, 90, 121),),
        explained_seats=(1, 2),
    ),
    "no_trump": ExampleHands(
        _("No trump: the number of players counts"),
        (_raw_contract_hand(0, 120, None, 126, 88, 97),),
        explained_seats=(0,),
    ),
    "passed_out": ExampleHands(
        _("No one opens"), ({"passed_out": True},), explained_seats=(0, 1, 2)
    ),
    "plain": ExampleTrick(
        _("Trump 7, but no 7 is played"),
        {
            "trump": 7,
            "plays": [["d20:15", "d6:2"], ["d4:2", "d20:16"], ["d8:2", "d20:14"]],
        },
    ),
    "alone": ExampleTrick(
        _("Trump 3: one trump beats any total"),
        {
            "trump": 3,
            "plays": [["d20:20", "d10:6"], ["d6:6", "d8:3"], ["d12:6", "d20:18"]],
        },
    ),
    "second": ExampleTrick(
        _("Trump 3: the second die decides"),
        {
            "trump": 3,
            "plays": [["d20:3", "d6:5"], ["d4:3", "d12:9"], ["d10:3", "d20:8"]],
        },
    ),
    "faces": ExampleTrick(
        _("Trump 3: equal second dice"),
        {
            "trump": 3,
            "plays": [["d8:3", "d20:9"], ["d20:3", "d12:8"], ["d4:3", "d10:9"]],
        },
    ),
    "bidder_wins": ExampleHands(
        _("Two reach the target, one of them the bidder"),
        (
            _raw_contract_hand(0, 150, 19, 160, 100, 140),
            _raw_contract_hand(1, 150, 20, 290, 150, 60),
        ),
    ),
}
