"""A match: a sequence of hands, each scored from the state before it."""

from collections.abc import Callable, Mapping, Sequence
from operator import add
from typing import Any

from scoring.rules.game import Game, MatchState
from scoring.rules.hand import ParsedHand
from scoring.rules.reading import Faults, check_keys, read_object
from scoring.rules.registry import GAMES, get_game
from scoring.rules.results import FINISHED, FORMAT, AuctionState, ScoredHand
from scoring.rules.tricks import PLAYED_KEY, PlaySoFar
from scoring.rules.wording import gettext_noop as _

MALFORMED_HAND_ERRORS = (
    ArithmeticError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
"""Errors that a game can raise if its input is not a hand at all."""


def start(
    game_id: str, seats: int, options: Mapping[str, Any] | None = None
) -> MatchState:
    """Return a match before its first hand.

    Raises Refusal if the game is unknown, cannot be played by this number of players,
    or an option is impossible.
    """
    game = GAMES.get(game_id) or get_game(game_id)
    faults = Faults()
    if seats not in game.seats:
        faults.add(
            "players",
            FORMAT,
            _("%(game)s is for %(least)s to %(most)s players, not %(count)s.")
            if len(game.seats) > 1
            else _("%(game)s is for %(most)s players, not %(count)s."),
            game=game.name,
            least=game.seats[0],
            most=game.seats[-1],
            count=seats,
        )
        faults.raise_if_any()
    defaults = game.option_defaults(seats)
    chosen = read_object(options or {}, "options", faults) or {}
    for name, value in chosen.items():
        if name in defaults:
            game.options[name].check(value, f"options.{name}", faults)
    check_keys(chosen, defaults.keys(), faults, "options.")
    faults.raise_if_any()
    options = {**defaults, **chosen}
    return MatchState(
        game=game.variant_for_options(options),
        seats=seats,
        options=options,
        number=0,
        totals=(0,) * seats,
        turn=0,
        carry=None,
        ranks=(1,) * seats,
    )


def play(state: MatchState, raw: object) -> tuple[MatchState, ScoredHand]:
    """Return the match after the hand, and the hand as scored.

    Raises Refusal with every fault of the hand.
    """
    faults = Faults(state.number + 1)
    if state.finished:
        faults.add(
            "", FINISHED, _("The match is already over. This hand can’t be added.")
        )
        faults.raise_if_any()
    hand = read_object(raw, "", faults)
    if hand is not None and PLAYED_KEY in hand:
        message = _("This hand isn’t complete. Play on, or enter its totals.")
        faults.add(PLAYED_KEY, FORMAT, message)
    hand = faults.raise_or_return(hand)
    parsed = state.game.parse(state, hand, faults)
    faults.raise_if_any()
    result = state.game.score(state, parsed)
    totals = tuple(map(add, state.totals, result.scores))
    status, carry = state.game.find_status_and_carry(state, result, totals)
    # Positional arguments take half the time of keywords, and this runs for every hand.
    next_state = MatchState(
        state.game,
        state.seats,
        state.options,
        state.number + 1,
        totals,
        result.turn,
        carry,
        *status,
    )
    scored_hand = ScoredHand(
        next_state.number,
        result.scores,
        totals,
        result.findings,
        result.explain,
        result.tricks,
        result.sums,
        parsed,
    )
    return next_state, scored_hand


def skip_refused_hand(state: MatchState, raw: object) -> MatchState:
    """Return the match after a hand that was refused.

    Used to find faults in later hands: the number advances, and so does the turn
    unless it depends on the result of the hand.
    """
    turn = (
        state.game.turn_after_refused_hand(state, raw)
        if isinstance(raw, Mapping)
        else None
    )
    return state._replace(number=state.number + 1, turn=turn)


def parse_unfinished_hand(state: MatchState, raw: object) -> ParsedHand:
    """Return an unfinished hand: its contract, or its pieces under `played`.

    Raises Refusal if either is impossible, or the game has no contracts.
    """
    if isinstance(raw, Mapping) and PLAYED_KEY in raw:
        parse_pieces(state, raw)
        return state.game.parse_loosely(state, raw)
    faults = Faults(state.number + 1)
    if state.finished:
        faults.add("", FINISHED, _("The match is over. No more contracts count."))
    hand = faults.raise_or_return(read_object(raw, "", faults))
    unfinished = state.game.parse_contract_or_parts(state, hand, faults)
    faults.raise_if_any()
    return unfinished


def parse_pieces(state: MatchState, raw: object) -> PlaySoFar:
    """Return the state of a hand that is recorded piece by piece.

    `raw` is the hand with its pieces under `played`, in playing order, instead of the
    tricks. Raises Refusal if they are impossible, or the game does not record pieces.
    """
    faults = Faults(state.number + 1)
    if state.finished:
        faults.add("", FINISHED, _("The match is over. No more tricks count."))
    hand = faults.raise_or_return(read_object(raw, "", faults))
    pieces = hand.get(PLAYED_KEY)
    if not isinstance(pieces, list) or not all(
        isinstance(piece, str) for piece in pieces
    ):
        faults.add(PLAYED_KEY, FORMAT, _("This must be a list of cards or dice."))
        faults.raise_if_any()
    other_fields = {key: value for key, value in hand.items() if key != PLAYED_KEY}
    return faults.raise_or_return(
        state.game.parse_pieces(state, other_fields, pieces or [], faults)
    )


def fill_in_derived_parts(state: MatchState, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a hand from a form, with the parts that follow from the rules.

    Pieces of a complete hand become its tricks; declarations without a choice are
    filled in. Impossible parts stay unchanged: `play` reports them.
    """
    return _compute_or_copy(raw, lambda: state.game.fill_in_derived_parts(state, raw))


def normalize_unfinished_hand(
    state: MatchState, raw: Mapping[str, Any]
) -> dict[str, Any]:
    """Return an unfinished hand from a form, as the log stores it.

    Impossible parts stay unchanged: `parse_unfinished_hand` reports them.
    """
    return _compute_or_copy(
        raw, lambda: state.game.normalize_unfinished_hand(state, raw)
    )


def fill_in_unshown_fields(
    game: Game, previous: Mapping[str, Any], raw: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the replacement of a hand, completed with the fields that no form shows.

    `previous` is that hand, with the sums of its tricks. Impossible parts stay unchanged:
    `play` reports them.
    """
    return _compute_or_copy(raw, lambda: game.fill_in_unshown_fields(previous, raw))


def _compute_or_copy(
    raw: Mapping[str, Any], compute: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    try:
        return compute()
    except MALFORMED_HAND_ERRORS:
        return dict(raw)


def parse_auction(state: MatchState, bids: Sequence[object]) -> AuctionState:
    """Return the state of the auction of the next hand after these bids.

    Each is `[seat, bid]`, as in a match record. Raises Refusal if a bid is impossible
    or the game has no auction.
    """
    faults = Faults(state.number + 1)
    if state.finished:
        faults.add("", FINISHED, _("The match is over. No one can bid now."))
        faults.raise_if_any()
    return faults.raise_or_return(state.game.parse_auction(state, bids, faults))
