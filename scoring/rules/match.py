"""A match as a fold: one hand after another, each judged on what came before."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.rules.game import Judged, MatchState
from scoring.rules.reading import Faults, check_keys, read_object
from scoring.rules.registry import game_named
from scoring.rules.results import FINISHED, FORMAT, ScoredHand
from scoring.rules.wording import gettext_noop as _


def start(
    game_id: str, seats: int, options: Mapping[str, Any] | None = None
) -> MatchState:
    """Return a match before its first hand.

    Raises Refusal where the game is unknown, cannot be played by so many, or an
    option cannot be.
    """
    game = game_named(game_id)
    faults = Faults()
    if seats not in game.seats:
        faults.add(
            "players",
            FORMAT,
            _("%(game)s is played by %(least)s to %(most)s; %(count)s are seated.")
            if len(game.seats) > 1
            else _("%(game)s is played by %(most)s; %(count)s are seated."),
            game=game.name,
            least=game.seats[0],
            most=game.seats[-1],
            count=seats,
        )
        faults.refuse()
    checked = _read_options(game_id, seats, options or {}, faults)
    faults.refuse()
    return MatchState(
        game=game,
        seats=seats,
        options=checked,
        number=0,
        totals=(0,) * seats,
        ranks=(1,) * seats,
        turn=0,
    )


def _read_options(
    game_id: str, seats: int, raw: Mapping[str, Any], faults: Faults
) -> dict[str, Any]:
    game = game_named(game_id)
    options = game.option_defaults(seats)
    given = read_object(raw, "options", faults) or {}
    for name, value in given.items():
        if name in options:
            game.check_option(name, value, seats, faults)
    check_keys(given, options.keys(), faults, "options.")
    return {**options, **given}


def play(state: MatchState, raw: object) -> tuple[MatchState, ScoredHand]:
    """Return the match after the hand, and the hand as scored.

    Raises Refusal with every fault of the hand.
    """
    faults = Faults(state.number + 1)
    if state.finished:
        faults.add("", FINISHED, _("The match is over; this hand came after its end."))
        faults.refuse()
    hand = read_object(raw, "", faults)
    judged = state.game.judge(state, hand, faults) if hand is not None else None
    faults.refuse()
    assert judged is not None
    return _after(state, judged)


def _after(state: MatchState, judged: Judged) -> tuple[MatchState, ScoredHand]:
    totals = tuple(map(int.__add__, state.totals, judged.scores))
    end, carry = state.game.end(state, judged, totals)
    after = MatchState(
        game=state.game,
        seats=state.seats,
        options=state.options,
        number=state.number + 1,
        totals=totals,
        ranks=end.ranks,
        turn=judged.turn,
        carry=carry,
        finished=end.finished,
        winners=end.winners,
        decided=end.decided,
    )
    scored = ScoredHand(
        number=after.number,
        scores=judged.scores,
        totals=totals,
        findings=judged.findings,
        explanation=judged.explanation,
        tricks=judged.tricks,
        sums=judged.sums,
    )
    return after, scored


def skip(state: MatchState, raw: object) -> MatchState:
    """Return the match after a hand that was refused.

    It serves to go on looking for faults behind it: the number counts on, and so does
    the turn where it does not depend on what the hand came to.
    """
    turn = (
        state.game.turn_after_refused(state, raw) if isinstance(raw, Mapping) else None
    )
    return replace(state, number=state.number + 1, turn=turn)


def check_contract(state: MatchState, raw: object) -> None:
    """Check a hand of which only the contract is known so far.

    Raises Refusal where that contract cannot be, or the game knows no contracts.
    """
    faults = Faults(state.number + 1)
    if state.finished:
        faults.add("", FINISHED, _("The match is over; no further contract counts."))
    hand = read_object(raw, "", faults)
    faults.refuse()
    assert hand is not None
    state.game.check_contract(state, hand, faults)
    faults.refuse()
