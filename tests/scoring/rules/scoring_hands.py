"""Helpers that score hands, or collect the faults of refused ones."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.rules import (
    MatchState,
    Refusal,
    ScoredHand,
    parse_unfinished_hand,
    play,
    start,
    trick_answer,
)

FaultList = list[tuple[str, str]]
"""Field and clause of each fault, in reading order."""


def play_hands(
    game: str,
    seats: int,
    *hands: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
) -> tuple[MatchState, list[ScoredHand]]:
    """Return the state of a match after the hands, and the scored hands."""
    state = start(game, seats, options)
    scored: list[ScoredHand] = []
    for raw in hands:
        state, hand = play(state, raw)
        scored.append(hand)
    return state, scored


def hand_faults(
    game: str,
    seats: int,
    *hands: object,
    options: Mapping[str, Any] | None = None,
) -> FaultList:
    """Return the faults of the last hand; none if it is accepted."""
    state = start(game, seats, options)
    *earlier_hands, last_hand = hands
    for raw in earlier_hands:
        state, _hand = play(state, raw)
    return collect_faults(lambda: play(state, last_hand))


def contract_faults(game: str, seats: int, raw: object) -> FaultList:
    """Return the faults of an unfinished hand."""
    return collect_faults(lambda: parse_unfinished_hand(start(game, seats), raw))


def option_faults(game: str, seats: int, options: Any) -> FaultList:
    """Return the faults of the options of a match."""
    return collect_faults(lambda: start(game, seats, options))


def trick_faults(trick: object) -> FaultList:
    """Return the faults of a single trick."""
    return collect_faults(lambda: trick_answer(trick))


def collect_faults(attempt: Any) -> FaultList:
    """Return field and clause of each fault with which the attempt is refused."""
    try:
        attempt()
    except Refusal as refusal:
        assert all(str(fault.message) for fault in refusal.faults)
        return [(fault.field, fault.clause) for fault in refusal.faults]
    return []


def replace_value(raw: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return a copy of a JSON value with one place changed."""
    if not path:
        return value
    copied: Any = dict(raw) if isinstance(raw, Mapping) else list(raw)
    first, *rest = path
    old = copied[first] if rest else None
    copied[first] = replace_value(old, rest, value)
    return copied
