"""Short ways to say what a hand is worth, or why it was refused."""

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

Reasons = list[tuple[str, str]]
"""Fields and clauses, in reading order."""


def match(
    game: str,
    seats: int,
    *hands: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
) -> tuple[MatchState, list[ScoredHand]]:
    """Return a match after the hands, and the hands as scored."""
    state = start(game, seats, options)
    scored: list[ScoredHand] = []
    for raw in hands:
        state, hand = play(state, raw)
        scored.append(hand)
    return state, scored


def refused(
    game: str,
    seats: int,
    *hands: object,
    options: Mapping[str, Any] | None = None,
) -> Reasons:
    """Return why the last of the hands is refused; nothing when it is not."""
    state = start(game, seats, options)
    *before, last = hands
    for raw in before:
        state, _hand = play(state, raw)
    return reasons(lambda: play(state, last))


def contract_refused(game: str, seats: int, raw: object) -> Reasons:
    """Return why a hand of which only the contract is known is refused."""
    return reasons(lambda: parse_unfinished_hand(start(game, seats), raw))


def options_refused(game: str, seats: int, options: Any) -> Reasons:
    """Return why a match cannot begin with these options."""
    return reasons(lambda: start(game, seats, options))


def trick_refused(document: object) -> Reasons:
    """Return why a trick cannot be scored."""
    return reasons(lambda: trick_answer(document))


def reasons(attempt: Any) -> Reasons:
    """Return the fields and clauses of the refusal that the attempt meets."""
    try:
        attempt()
    except Refusal as refusal:
        assert all(str(fault.message) for fault in refusal.faults)
        return [(fault.field, fault.clause) for fault in refusal.faults]
    return []


def changed(raw: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return a copy of a JSON value with one place changed."""
    if not path:
        return value
    copied: Any = dict(raw) if isinstance(raw, Mapping) else list(raw)
    first, *rest = path
    old = copied[first] if rest else None
    copied[first] = changed(old, rest, value)
    return copied
