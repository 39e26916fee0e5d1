"""Worked examples, scored by the rules themselves.

An example has the played hands and its subject. Its scores are computed by the rules,
so that pages always show the scores that a table would get.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from scoring.rules import MatchState, ScoredHand, TrickResult, play, start

Raw = Mapping[str, Any]

NAMES = ("Ann", "Bo", "Cy", "Di")
"""Names of the seats in every example."""


class ExampleHands(NamedTuple):
    """Consecutive hands, of which the last is explained."""

    title: str
    hands: tuple[Raw, ...]
    explained_seats: tuple[int, ...] = ()
    """Seats whose scores it explains; if none, it explains the state of the match."""
    seats: int = 3
    options: Raw = MappingProxyType({})


class ExampleTrick(NamedTuple):
    """One trick or contest, seat 0 leading."""

    title: str
    trick: Raw
    seats: int = 3


class WorkedHand(NamedTuple):
    """An example with its last hand as scored by the rules."""

    example: ExampleHands
    scored: ScoredHand
    state: MatchState


class WorkedTrick(NamedTuple):
    """An example with the result of its trick."""

    example: ExampleTrick
    result: TrickResult


Example = ExampleHands | ExampleTrick
Worked = WorkedHand | WorkedTrick


def score_example_hands(game: str, example: ExampleHands) -> WorkedHand:
    """Return an example with its last hand as scored. Raises Refusal if a hand is impossible."""
    *earlier, last = example.hands
    state = start(game, example.seats, example.options)
    for raw in earlier:
        state, _scored = play(state, raw)
    state, scored = play(state, last)
    return WorkedHand(example, scored, state)
