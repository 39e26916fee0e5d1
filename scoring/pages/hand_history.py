"""The auction and tricks of a hand: from its rows once its match is settled, else from the log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from scoring.games.registry import table_game
from scoring.games.words import describe_calls
from scoring.matchlog.sittings import names_at_hand, read_changed_seat_sittings
from scoring.models import Hand, Match, Play
from scoring.pages.sheet import Sheet, load_sheet
from scoring.pages.trick_by_trick import (
    TrickLine,
    laid_line,
    play_view,
    trick_line,
    turned_card,
)
from scoring.rules import Call, LaidPieces, score_trick


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """The recorded calls and tricks of a hand."""

    auction: Sequence[tuple[str, str]] = ()
    """Names and calls, in order."""
    tricks: Sequence[TrickLine] = ()
    findings: int = 0
    """The number of broken rules in its tricks."""


def load_hand_history(
    match: Match, number: int, sheet: Sheet | None = None
) -> HandHistory:
    """Return the history of a hand; pass `sheet` to avoid reading the log again."""
    if match.is_settled:
        return stored_history(match, number)
    return replayed_history((sheet or load_sheet(match)).for_hand(number), number)


def stored_history(match: Match, number: int) -> HandHistory:
    """Return the history of a hand of a settled match, from its rows; five queries at most."""
    hand = match.hands.filter(number=number, state=Hand.State.PLAYED).first()
    if hand is None:
        return HandHistory()
    seats = match.seats.order_by("index")
    names = names_at_hand(
        seats, read_changed_seat_sittings(match.log.seat_changes()), number
    )
    calls = hand.bids.order_by("order").select_related("seat")
    bid_calls = [
        Call(bid.seat.index, str(bid) if bid.value is None else bid.value)
        for bid in calls
    ]
    return HandHistory(
        auction=describe_calls(bid_calls, names),
        tricks=list(_stored_tricks(hand, names)),
        findings=hand.findings,
    )


def replayed_history(sheet: Sheet, number: int) -> HandHistory:
    """Return the history of a hand from the log, for a match that is not settled."""
    replayed = sheet.replayed.hand(number)
    if replayed is None or replayed.scored is None:
        return HandHistory()
    tricks: Sequence[TrickLine] = ()
    if replayed.scored.tricks:
        state_before = sheet.replayed.state_before(number)
        tricks = play_view(
            state_before,
            replayed.game.convert_tricks_to_pieces(replayed.raw),
            sheet.names,
        ).tricks
    return HandHistory(
        auction=describe_calls(replayed.hand.bids, sheet.names),
        tricks=tricks,
        findings=len(replayed.scored.findings),
    )


def _stored_tricks(hand: Hand, names: Sequence[str]) -> Iterator[TrickLine]:
    table = table_game(hand.game)
    pieces = table.pieces
    if pieces is None:
        # Tricks of this game are not recorded.
        return
    plays = Play.objects.order_by("order").select_related("seat")
    tricks = hand.tricks.order_by("number").select_related("leader", "winner")
    tally = [0] * len(names)
    for trick in tricks.prefetch_related(Prefetch("plays", plays)):
        tally[trick.winner.index] += trick.worth
        laid: list[LaidPieces] = []
        antes: list[str] = []
        play_values: list[str | tuple[str, ...]] = []
        for play in trick.plays.all():
            play_pieces = tuple(play.pieces.split())
            play_values.append(play_pieces if len(play_pieces) > 1 else play_pieces[0])
            laid.append(LaidPieces(play.seat.index, "play", play_pieces))
            if play.ante:
                # Antes come before all plays.
                laid.insert(
                    len(antes), LaidPieces(play.seat.index, "ante", (play.ante,))
                )
                antes.append(play.ante)
        document = {
            "game": hand.game,
            "players": len(names),
            "leader": trick.leader.index,
            "trump": int(trick.trump) if trick.trump.isdigit() else trick.trump or None,
            "plays": play_values,
            **({"antes": antes} if antes else {}),
        }
        yield trick_line(
            table,
            number=trick.number,
            result=score_trick(document),
            laid=[
                laid_line(pieces, seat_pieces, names, trick.trump)
                for seat_pieces in laid
            ],
            turned=turned_card(pieces, trick.turned),
            worth=trick.worth,
            tally=tally,
            names=names,
            trump=trick.trump,
        )
