"""How a hand was bid and played: from its rows once its match is settled, else the log."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch

from scoring.games.registry import table_game
from scoring.games.words import describe_calls
from scoring.models import Bid, Hand, Match, Play, Trick
from scoring.pages.sheet import Sheet, sheet_of
from scoring.pages.trick_by_trick import (
    TrickLine,
    laid_line,
    play_view,
    trick_line,
    turned_card,
)
from scoring.rules import Call, Laid, score_trick


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """A hand call by call and trick by trick, as far as that was recorded."""

    auction: Sequence[tuple[str, str]] = ()
    """Who called what, in order."""
    tricks: Sequence[TrickLine] = ()
    findings: int = 0
    """How many rules were broken in its tricks."""


def history_of(match: Match, number: int, sheet: Sheet | None = None) -> HandHistory:
    """Return how a hand was bid and played; `sheet` spares reading the log again."""
    if match.is_settled:
        return history_in_rows(match, number)
    return history_in_log(sheet or sheet_of(match), number)


def history_in_rows(match: Match, number: int) -> HandHistory:
    """Return a hand of a match that is settled, from its rows; five queries at most."""
    hand = match.hands.filter(number=number, state=Hand.State.PLAYED).first()
    if hand is None:
        return HandHistory()
    names = [seat.name for seat in match.seats.all()]
    calls = hand.bids.order_by("order").select_related("seat")
    return HandHistory(
        auction=describe_calls(
            [Call(bid.seat.index, _call(bid)) for bid in calls], names
        ),
        tricks=list(_stored_tricks(hand, names)),
        findings=hand.findings,
    )


def history_in_log(sheet: Sheet, number: int) -> HandHistory:
    """Return a hand of a match that goes on, as its log has it."""
    replayed = sheet.replayed.hand(number)
    if replayed is None or replayed.scored is None:
        return HandHistory()
    tricks: Sequence[TrickLine] = ()
    if replayed.scored.tricks:
        before = sheet.replayed.state_before(number)
        tricks = play_view(
            before, replayed.game.as_played(replayed.raw), sheet.names
        ).tricks
    return HandHistory(
        auction=describe_calls(replayed.hand.bids, sheet.names),
        tricks=tricks,
        findings=len(replayed.scored.findings),
    )


def _call(bid: Bid) -> int | str:
    """Return a call as a record writes it."""
    return bid.value if bid.value is not None else str(bid)


def _stored_tricks(hand: Hand, names: Sequence[str]) -> Iterator[TrickLine]:
    table = table_game(hand.game)
    pieces = table.pieces
    if pieces is None:
        # Nobody writes down the tricks of such a game.
        return
    plays = Play.objects.order_by("order").select_related("seat")
    tricks = hand.tricks.order_by("number").select_related("leader", "winner")
    tally = [0] * len(names)
    for trick in tricks.prefetch_related(Prefetch("plays", plays)):
        tally[trick.winner.index] += trick.worth
        yield trick_line(
            table,
            number=trick.number,
            result=score_trick(_document(hand, trick, len(names))),
            laid=[laid_line(pieces, laid, names, trick.trump) for laid in _laid(trick)],
            turned=turned_card(pieces, trick.turned),
            worth=trick.worth,
            tally=tally,
            names=names,
            trump=trick.trump,
        )


def _laid(trick: Trick) -> list[Laid]:
    """Return what was put into a trick, the antes first."""
    plays = trick.plays.all()
    antes = [Laid(play.seat.index, "ante", (play.ante,)) for play in plays if play.ante]
    return [
        *antes,
        *(Laid(play.seat.index, "play", tuple(play.pieces.split())) for play in plays),
    ]


def _document(hand: Hand, trick: Trick, seats: int) -> dict[str, Any]:
    """Return the document of a single trick, from which the rules say why it was won."""
    plays = trick.plays.all()
    pieces = [play.pieces.split() for play in plays]
    antes = [play.ante for play in plays if play.ante]
    return {
        "game": hand.game,
        "players": seats,
        "leader": trick.leader.index,
        "trump": int(trick.trump) if trick.trump.isdigit() else trick.trump or None,
        "plays": [play if len(play) > 1 else play[0] for play in pieces],
        **({"antes": antes} if antes else {}),
    }
