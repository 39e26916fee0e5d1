"""A pool of matches, played by the rules, of which a long history is made."""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

POOL, SEATS, HANDS = 60, 4, 10
OPTIONS = {"tricky": {"target": 1_000_000}, "tricky_dice": {"target": 1_000_000}}
GAMES = ("tricky", "tricky_dice", "db2t")
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A match of the pool: its hands as the log has them, and what they came to."""

    game: str
    bodies: tuple[str, ...]
    contracts: tuple[Row, ...]
    """Bidder, bid, partner, solo and trump number of each hand."""
    findings: tuple[int, ...]
    scores: tuple[tuple[tuple[int, int], ...], ...]
    """Points and total of each seat, hand by hand."""
    ranks: tuple[int, ...]


def play_pool(rng: Random) -> list[Played]:
    """Return matches that were played by the rules."""
    return [play_one(GAMES[number % len(GAMES)], rng) for number in range(POOL)]


def play_one(game: str, rng: Random) -> Played:
    """Return one match of ten hands."""
    from scoring.playing import play_match
    from scoring.rules import play, start

    options = OPTIONS.get(game, {})
    record = play_match(game, SEATS, options, rng, most_hands=HANDS)
    state, scored = start(game, SEATS, options), []
    for hand in record.hands:
        state, one = play(state, hand)
        scored.append(one)
    contracts = [hand.get("contract") or {} for hand in record.hands]
    return Played(
        game=game,
        bodies=tuple(json.dumps(hand) for hand in record.hands),
        contracts=tuple(
            (
                one.get("bidder"),
                one.get("bid", one.get("tricks")),
                one.get("partner"),
                bool(one.get("solo")),
                one.get("trump"),
            )
            for one in contracts
        ),
        findings=tuple(len(one.findings) for one in scored),
        scores=tuple(tuple(zip(one.scores, one.totals, strict=True)) for one in scored),
        ranks=tuple(state.ranks),
    )
