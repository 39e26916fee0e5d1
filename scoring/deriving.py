"""Writing what follows from the log: how everybody stands; hands, scores and tricks.

While a match goes on its sheet is read from the log, and only its standing is written.
Hands, scores and tricks are what histories ask for: they are written once it is settled.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.folding import FoldedHand, FoldedMatch
from scoring.models import Bid, Hand, HandScore, LogEntry, Match, Play, Seat, Trick


def write_derived(
    match: Match,
    folded: FoldedMatch,
    *,
    since: int = 1,
    seats: Sequence[Seat] | None = None,
) -> None:
    """Write how everybody stands, and the hands of a match that is settled.

    Hands before number `since` stay as they are where the match was settled before. The
    number of queries does not grow with the number of hands. `seats`, in order, are
    asked for where they are not given.
    """
    if seats is None:
        seats = list(match.seats.order_by("index"))
    was_settled = match.is_settled
    _write_standing(match, folded, seats)
    if was_settled:
        outdated = since if match.is_settled else 1
        match.hands.filter(number__gte=outdated).delete()
    if match.is_settled:
        write_hands(match, folded, seats, since=since if was_settled else 1)


def write_hands(
    match: Match, folded: FoldedMatch, seats: Sequence[Seat], *, since: int = 1
) -> None:
    """Write the hands from number `since` on, of which nothing is written yet."""
    changed = [hand for hand in folded.hands if hand.number >= since]
    rows = Hand.objects.bulk_create([_hand(match, hand) for hand in changed])
    by_number = {row.number: row for row in rows}
    HandScore.objects.bulk_create(
        [
            score
            for hand in changed
            for score in _scores(by_number[hand.number], hand, seats)
        ]
    )
    Bid.objects.bulk_create(
        [bid for hand in changed for bid in _bids(by_number[hand.number], hand, seats)]
    )
    _write_tricks(changed, by_number, seats)


def _hand(match: Match, hand: FoldedHand) -> Hand:
    assert isinstance(hand.entry, LogEntry)
    contract = hand.raw.get("contract") or {}
    return Hand(
        match=match,
        number=hand.number,
        entry=hand.entry,
        state=hand.state,
        bidder=contract.get("bidder"),
        bid=contract.get("bid", contract.get("tricks")),
        partner=contract.get("partner"),
        solo=bool(contract.get("solo")),
        trump_number=contract.get("trump"),
        findings=len(hand.scored.findings) if hand.scored else 0,
    )


def _scores(row: Hand, hand: FoldedHand, seats: Sequence[Seat]) -> Iterator[HandScore]:
    if hand.scored is None:
        return
    for seat, points, total in zip(
        seats, hand.scored.scores, hand.scored.totals, strict=True
    ):
        yield HandScore(hand_id=row.pk, seat_id=seat.pk, points=points, total=total)


def _bids(row: Hand, hand: FoldedHand, seats: Sequence[Seat]) -> Iterator[Bid]:
    for order, (seat, value) in enumerate(hand.raw.get("bids", ())):
        yield Bid(
            hand=row,
            order=order,
            seat=seats[seat],
            value=value if isinstance(value, int) else None,
            solo=value == "solo",
        )


def _write_tricks(
    hands: Sequence[FoldedHand], rows: Mapping[int, Hand], seats: Sequence[Seat]
) -> None:
    made = list(_tricks(hands, rows, seats))
    Trick.objects.bulk_create([trick for trick, _ in made])
    Play.objects.bulk_create(
        [play for trick, raw in made for play in _plays(trick, raw, seats)]
    )


def _tricks(
    hands: Sequence[FoldedHand], rows: Mapping[int, Hand], seats: Sequence[Seat]
) -> Iterator[tuple[Trick, Any]]:
    """Return each recorded trick with what its hand says of it."""
    for hand in hands:
        if hand.scored is None or not hand.scored.tricks:
            continue
        told = zip(hand.scored.tricks, hand.raw["tricks"], strict=True)
        for number, (won, raw) in enumerate(told, start=1):
            trick = Trick(
                hand=rows[hand.number],
                number=number,
                leader=seats[won.leader],
                winner=seats[won.winner],
            )
            yield trick, raw


def _plays(trick: Trick, raw: Any, seats: Sequence[Seat]) -> Iterator[Play]:
    plays, antes = raw, [""] * len(seats)
    if isinstance(raw, Mapping):
        plays, antes = raw["plays"], raw["antes"]
    for order, (pieces, ante) in enumerate(zip(plays, antes, strict=True)):
        yield Play(
            trick=trick,
            order=order,
            seat=seats[(trick.leader.index + order) % len(seats)],
            pieces=pieces if isinstance(pieces, str) else " ".join(pieces),
            ante=ante,
        )


def _write_standing(match: Match, folded: FoldedMatch, seats: Sequence[Seat]) -> None:
    state = folded.state
    for seat in seats:
        seat.total = state.totals[seat.index]
        seat.rank = state.ranks[seat.index]
        seat.won = seat.index in state.winners
    Seat.objects.write_standing(seats)
    match.hands_played = state.number
    match.finished = state.finished
    match.save(update_fields=["version", "hands_played", "finished", "kept"])


def _values(row: Hand) -> tuple[object, ...]:
    contract = (row.bidder, row.bid, row.partner, row.solo, row.trump_number)
    return (row.state, row.entry_id, *contract, row.findings)


def _calls(bid: Bid) -> tuple[object, ...]:
    return (bid.hand.number, bid.order, bid.seat_id, bid.value, bid.solo)


def _pieces(play: Play) -> tuple[object, ...]:
    trick = play.trick
    return (
        (trick.hand.number, trick.number, play.order),
        (trick.leader_id, trick.winner_id, play.seat_id, play.pieces, play.ante),
    )


def _written(match: Match, folded: FoldedMatch) -> Sequence[FoldedHand]:
    """Return the hands that have rows: those of a match that is settled."""
    return folded.hands if match.as_it_stands or folded.state.finished else ()


def _recorded_differences(match: Match, folded: FoldedMatch) -> list[str]:
    """Return the calls and plays that are stored otherwise than they follow."""
    seats = list(match.seats.order_by("index"))
    hands = _written(match, folded)
    rows = {hand.number: _hand(match, hand) for hand in hands}
    calls = {
        _calls(bid) for hand in hands for bid in _bids(rows[hand.number], hand, seats)
    }
    plays = {
        _pieces(play)
        for trick, raw in _tricks(hands, rows, seats)
        for play in _plays(trick, raw, seats)
    }
    stored_calls = Bid.objects.filter(hand__match=match).select_related("hand")
    stored_plays = Play.objects.filter(trick__hand__match=match)
    calls ^= set(map(_calls, stored_calls))
    plays ^= set(map(_pieces, stored_plays.select_related("trick__hand")))
    return [
        f"{what} {place}: stored otherwise than it follows"
        for what, found in (("call", calls), ("play", plays))
        for place in sorted({difference[:1] for difference in found}, key=str)
    ]


def differences(match: Match, folded: FoldedMatch) -> list[str]:
    """Return what is stored of the match and does not follow from its log."""
    return [
        *_hand_differences(match, folded),
        *_score_differences(match, folded),
        *_recorded_differences(match, folded),
        *_standing_differences(match, folded),
    ]


def _unequal(
    stored: Mapping[Any, object], follows: Mapping[Any, object], told: str
) -> list[str]:
    """Return a line for each place where the two differ, `told` what it is."""
    places = sorted(stored.keys() | follows.keys())
    return [
        f"{told % place}: {stored.get(place)} is stored, {follows.get(place)} follows"
        for place in places
        if stored.get(place) != follows.get(place)
    ]


def _hand_differences(match: Match, folded: FoldedMatch) -> list[str]:
    stored = {hand.number: _values(hand) for hand in match.hands.all()}
    derived = {
        hand.number: _values(_hand(match, hand)) for hand in _written(match, folded)
    }
    return _unequal(stored, derived, "hand %s")


def _score_differences(match: Match, folded: FoldedMatch) -> list[str]:
    rows = HandScore.objects.filter(hand__match=match).select_related("hand", "seat")
    stored = {
        (score.hand.number, score.seat.index): (score.points, score.total)
        for score in rows
    }
    follows = {
        (hand.number, seat): (hand.scored.scores[seat], hand.scored.totals[seat])
        for hand in _written(match, folded)
        if hand.scored
        for seat in range(folded.state.seats)
    }
    return _unequal(stored, follows, "hand %s, seat %s")


def _standing_differences(match: Match, folded: FoldedMatch) -> list[str]:
    state = folded.state
    seats = match.seats.order_by("index")
    stored = [(seat.total, seat.rank, seat.won) for seat in seats]
    follows = [
        (state.totals[seat], state.ranks[seat], seat in state.winners)
        for seat in range(state.seats)
    ]
    is_same = (stored, match.hands_played, match.finished) == (
        follows,
        state.number,
        state.finished,
    )
    return [] if is_same else [f"standing: {stored} is stored, {follows} follows"]
