"""Worked examples of every game, scored and judged by the rules themselves.

An example says what was played and what it is about. What it comes to is asked of the
rules, so that no page can tell another score than a table gets.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.rules import JudgedTrick, MatchState, ScoredHand, judged_trick, play, start
from scoring.rules.wording import gettext_noop as _

Raw = Mapping[str, Any]

NAMES = ("Ann", "Bo", "Cy", "Di")
"""Who sits where in every example."""


class HandExample(NamedTuple):
    """Hands in a row, of which the last is told."""

    title: str
    hands: tuple[Raw, ...]
    tells: tuple[int, ...] = ()
    """Seats whose scores it is about; none: how the match stands after it."""
    seats: int = 3


class TrickExample(NamedTuple):
    """One trick or contest, seat 0 leading."""

    title: str
    trick: Raw
    seats: int = 3


class WorkedHand(NamedTuple):
    """An example with what the rules make of its last hand."""

    example: HandExample
    scored: ScoredHand
    after: MatchState


class WorkedTrick(NamedTuple):
    """An example with who won its trick."""

    example: TrickExample
    judged: JudgedTrick


Example = HandExample | TrickExample
Worked = WorkedHand | WorkedTrick


@cache
def worked_examples(game: str) -> Mapping[str, Worked]:
    """Return the examples of a game by name, each scored or judged by its rules."""
    return MappingProxyType(
        {name: _work(game, example) for name, example in EXAMPLES[game].items()}
    )


def _work(game: str, example: Example) -> Worked:
    if isinstance(example, TrickExample):
        lead = {"inciter": 0} if game == "db2t" else {"leader": 0}
        document = {"game": game, "players": example.seats, **lead, **example.trick}
        return WorkedTrick(example, judged_trick(document))
    *earlier, last = example.hands
    state = start(game, example.seats)
    for raw in earlier:
        state, _scored = play(state, raw)
    after, scored = play(state, last)
    return WorkedHand(example, scored, after)


def _bid(bidder: int, bid: int, trump: int | None, *points: int) -> Raw:
    """Return a hand of Tricky: who bid what, and the points that each seat took."""
    contract = {"bidder": bidder, "bid": bid, "trump": trump}
    return {"contract": contract, "points": points}


_TRICKY: Mapping[str, Example] = {
    "made": HandExample(
        _("The bid is made"),
        (_bid(1, 96, 7, 140, 120, 101),),
        tells=(1, 0),
    ),
    "set": HandExample(
        _("The bid is set"),
        (_bid(1, 96, 7, 150, 90, 121),),
        tells=(1, 2),
    ),
    "no_trump": HandExample(
        _("No trump: the number of players counts"),
        (_bid(0, 120, None, 126, 88, 97),),
        tells=(0,),
    ),
    "passed_out": HandExample(
        _("Nobody opens"), ({"passed_out": True},), tells=(0, 1, 2)
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
        _("Two reach the target, and one of them bid"),
        (
            _bid(0, 150, 19, 160, 100, 140),
            _bid(1, 150, 20, 290, 150, 60),
        ),
    ),
}

_SIDE: Raw = {
    "contract": {"bidder": 1, "tricks": 6, "partner": 3},
    "tricks_won": [2, 3, 1, 4],
    "die_tricks": [0, 1, 0, 2],
}
"""A bid that Bo and Di make."""

_TRICKY_DICE: Mapping[str, Example] = {
    "made": HandExample(_("The bid is made"), (_SIDE,), tells=(1,), seats=4),
    "set": HandExample(
        _("The bid is set"),
        ({**_SIDE, "contract": {"bidder": 1, "tricks": 8, "partner": 3}},),
        tells=(1, 0),
        seats=4,
    ),
    "solo": HandExample(
        _("A solo"),
        (
            {
                "contract": {"bidder": 0, "solo": True},
                "tricks_won": [6, 1, 3, 0],
                "die_tricks": [1, 0, 1, 0],
            },
        ),
        tells=(0, 2),
        seats=4,
    ),
    "rank": TrickExample(
        _("The 8 of hearts is on the trump die"),
        {"trump": "8H", "plays": ["AS", "KS", "8S", "TS"]},
        seats=4,
    ),
    "trumped": TrickExample(
        _("The same, and somebody has no spade"),
        {"trump": "8H", "plays": ["AS", "2H", "8S", "TS"]},
        seats=4,
    ),
    "card_and_die": TrickExample(
        _("A card and its twin on a die"),
        {"trump": "8H", "plays": ["QD*", "5D", "QD", "TD*"]},
        seats=4,
    ),
    "sudden_death": HandExample(_("Two in front"), (_SIDE,) * 4, seats=4),
}

_TRICKY_BID: Mapping[str, Example] = {
    "trumped": TrickExample(
        _("Trump is green"),
        {
            "trump": "G",
            "antes": ["B9", "Y4", "B5", "R2"],
            "plays": ["P7", "P12", "G3", "P1"],
        },
        seats=4,
    ),
    "plain": TrickExample(
        _("Trump is red, but no red is played"),
        {
            "trump": "R",
            "antes": ["Y13", "Y2", "G10", "Y6"],
            "plays": ["B8", "B11", "G15", "B3"],
        },
        seats=4,
    ),
    "round": HandExample(
        _("A round"), ({"points": [31, 17, 0, 22]},), tells=(0, 2), seats=4
    ),
    "shared": HandExample(
        _("The last round"),
        ({"points": [31, 40, 12]}, {"points": [24, 8, 37]}, {"points": [15, 22, 9]}),
    ),
}

_GRID: Raw = {
    "box": "left",
    "trumps": [
        {"card": "C4", "row": 2, "column": 0},
        {"card": "P9", "row": 5, "column": 3},
        {"card": "W2", "row": 1, "column": 3},
    ],
}
_TRUMPED = ["P12", "P9", "W2"]


def _deal(tokens: list[int], treats: list[Raw], grid_left: int) -> Raw:
    return {"tokens": tokens, "treats": treats, "grid_left": grid_left}


_FIRST_DEAL = _deal([5, 3, 4], [{"candy": 1, "spy": 1}, {}, {"ghost": 1}], 52)

_TREATS: Mapping[str, Example] = {
    "suit": TrickExample(
        _("No card matches a trump token"),
        {**_GRID, "plays": ["G5", "G11", "B12"]},
    ),
    "trump": TrickExample(
        _("C4 lies nearest to the box, then W2 above P9"),
        {**_GRID, "plays": _TRUMPED},
    ),
    "evil_eye": TrickExample(
        _("The same, with an evil eye on Cy"),
        {**_GRID, "plays": _TRUMPED, "evil_eye": [2]},
    ),
    "master_trump": TrickExample(
        _("The same, with a master trump from Ann"),
        {**_GRID, "plays": _TRUMPED, "master_trump": [0]},
    ),
    "deal": HandExample(
        _("The first deal"),
        (_FIRST_DEAL,),
        tells=(0,),
    ),
    "spent": HandExample(
        _("The second deal: Ann’s spy is used, her candy stolen"),
        (
            _FIRST_DEAL,
            _deal([2, 6, 4], [{}, {"candy": 1}, {"ghost": 1}], 31),
        ),
        tells=(0, 1),
    ),
    "level": HandExample(
        _("Level at the end"),
        (
            _deal([6, 5, 5], [{}, {}, {}], 60),
            _deal([5, 6, 5], [{}, {}, {}], 36),
            _deal([5, 6, 5], [{"ghost": 1, "spy": 1}, {"thief": 1}, {"candy": 1}], 9),
        ),
    ),
}


def _actor(dice: list[int], declared: str | None) -> Raw:
    return {"dice": dice, "declared": declared}


_DB2T: Mapping[str, Example] = {
    "followed": TrickExample(
        _("Ann declares a pair"),
        {
            "tier": "pair",
            "actors": [
                _actor([2, 2, 5], "pair"),
                _actor([6, 6, 1], "pair"),
                _actor([3, 5, 6], None),
            ],
        },
    ),
    "trumped": TrickExample(
        _("Prial is the trump tier"),
        {
            "tier": "pair",
            "trump": "prial",
            "actors": [
                _actor([2, 2, 5], "pair"),
                _actor([6, 6, 1], "pair"),
                _actor([1, 1, 1], "prial"),
            ],
        },
    ),
    "tied": TrickExample(
        _("Equal sums"),
        {
            "tier": "straight",
            "actors": [
                _actor([3, 2, 4], "straight"),
                _actor([4, 3, 2], "straight"),
                _actor([1, 2, 3], "straight"),
            ],
        },
    ),
    "contest": HandExample(
        _("A contest"),
        (
            {
                "inciter": 0,
                "tier": "flush",
                "actors": [
                    _actor([5, 3, 3], "flush"),
                    _actor([2, 6, 6], "flush"),
                    _actor([1, 4, 6], None),
                ],
            },
        ),
        tells=(1, 0),
    ),
    "shared": HandExample(
        _("The last contest"),
        (
            {
                "inciter": 0,
                "tier": "high",
                "actors": [_actor([5, 6, 3], "high"), _actor([2, 4, 1], "high"), None],
            },
            {
                "inciter": 1,
                "tier": "high",
                "actors": [_actor([1, 2, 3], "high"), _actor([2, 4, 1], "high"), None],
                "ended": True,
            },
        ),
    ),
}

EXAMPLES: Mapping[str, Mapping[str, Example]] = MappingProxyType(
    {
        "tricky": _TRICKY,
        "tricky_dice": _TRICKY_DICE,
        "tricky_bid": _TRICKY_BID,
        "tricks_and_treats": _TREATS,
        "db2t": _DB2T,
    }
)
"""What was played in each example, by game and name; the results are the rules'."""
