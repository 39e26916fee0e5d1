"""A pool of matches, played by the rules, of which a long history is made."""

import json
from dataclasses import dataclass
from random import Random
from typing import Any

POOL, SEATS, HANDS = 60, 4, 10
OPTIONS = {"tricky": {"target": 1_000_000}, "tricky_dice": {"target": 1_000_000}}
GAMES = ("tricky", "tricky_dice", "db2t")
RECORDED = 5
"""Of so many matches of a game one is recorded trick by trick."""
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A match of the pool: its hands as the log has them, and what they came to."""

    game: str
    bodies: tuple[str, ...]
    contracts: tuple[Row, ...]
    """Bidder, bid, partner, solo, trump number, taken and made of each hand."""
    calls: tuple[tuple[Row, ...], ...]
    """Order, seat, value and solo of each call, hand by hand."""
    tricks: tuple[tuple[tuple[Row, tuple[Row, ...]], ...], ...]
    """Number, leader, winner, worth, trump, whether it was led, the turned card and
    whether it was the last; then order, seat and pieces of each play; hand by hand."""
    findings: tuple[int, ...]
    scores: tuple[tuple[tuple[int, int], ...], ...]
    """Points and total of each seat, hand by hand."""
    ranks: tuple[int, ...]


def play_pool(rng: Random) -> list[Played]:
    """Return matches that were played by the rules."""
    return [
        play_one(
            GAMES[number % len(GAMES)],
            rng,
            recorded=number // len(GAMES) % RECORDED == 0,
        )
        for number in range(POOL)
    ]


def play_one(game: str, rng: Random, *, recorded: bool) -> Played:
    """Return one match of ten hands."""
    from scoring.games.random_match import play_match
    from scoring.rules import play, start

    options = OPTIONS.get(game, {})
    record = play_match(game, SEATS, options, rng, tricks=recorded, most_hands=HANDS)
    state, scored = start(game, SEATS, options), []
    for hand in record.hands:
        state, one = play(state, hand)
        scored.append(one)
    return Played(
        game=game,
        bodies=tuple(json.dumps(hand) for hand in record.hands),
        contracts=tuple(map(_contract, record.hands, scored)),
        calls=tuple(map(_calls, record.hands)),
        tricks=tuple(map(_tricks, record.hands, scored)),
        findings=tuple(len(one.findings) for one in scored),
        scores=tuple(tuple(zip(one.scores, one.totals, strict=True)) for one in scored),
        ranks=tuple(state.ranks),
    )


def _contract(hand: Any, one: Any) -> Row:
    contract = hand.get("contract")
    if not contract:
        return (None, None, None, False, None, None, None)
    each = one.sums.get("tricks_won") or one.sums["points"]
    side = {contract["bidder"], contract.get("partner", contract["bidder"])}
    return (
        contract["bidder"],
        contract.get("bid", contract.get("tricks")),
        contract.get("partner"),
        bool(contract.get("solo")),
        contract.get("trump"),
        sum(each[seat] for seat in side),
        one.scores[contract["bidder"]] > 0,
    )


def _calls(hand: Any) -> tuple[Row, ...]:
    return tuple(
        (order, seat, call if isinstance(call, int) else None, call == "solo")
        for order, (seat, call) in enumerate(hand.get("bids", ()))
    )


def _tricks(hand: Any, one: Any) -> tuple[tuple[Row, tuple[Row, ...]], ...]:
    return tuple(
        (
            (
                number,
                won.leader,
                won.winner,
                won.worth,
                "" if won.trump is None else str(won.trump),
                won.trump_led,
                "",
                number == len(one.tricks),
            ),
            tuple(
                (
                    order,
                    (won.leader + order) % SEATS,
                    play if isinstance(play, str) else " ".join(play),
                )
                for order, play in enumerate(trick)
            ),
        )
        for number, (won, trick) in enumerate(
            zip(one.tricks, hand.get("tricks", ()), strict=True), start=1
        )
    )
