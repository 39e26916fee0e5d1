"""Writing what follows from the log: how everybody stands; hands, scores and tricks.

While a match goes on its sheet is read from the log, and only its standing is written.
Hands, scores and tricks are what histories ask for: they are written once it is settled.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.matchlog.commands import LoggedMatch
from scoring.matchlog.confirmations import confirmed_seats, words_of
from scoring.matchlog.replay import ReplayedHand, ReplayedMatch
from scoring.models import Bid, Hand, HandScore, Match, Play, Seat, Trick
from scoring.rules import Hand as EnteredHand
from scoring.rules import PlayedTrick


def project(logged: LoggedMatch) -> None:
    """Write everything that follows from the log of a match of which nothing is written."""
    replayed = logged.replayed
    Match.objects.write_standing(
        logged.match, logged.seats, replayed.state, is_over=replayed.is_over
    )
    if logged.match.is_settled:
        project_settled(logged, was_settled=False, since=1)


def project_settled(
    logged: LoggedMatch, *, was_settled: bool, since: int | None
) -> None:
    """Write the hands of a match that is settled, or was, and who has confirmed its result.

    Hands before number `since`, or all where it is None, stay as they are where the match was
    settled before. The number of queries does not grow with the number of hands.
    """
    match = logged.match
    if since is not None or match.is_settled != was_settled:
        outdated = since if was_settled and match.is_settled and since else 1
        if was_settled:
            match.hands.filter(number__gte=outdated).delete()
        if match.is_settled:
            write_hands(match, logged.replayed, logged.seats, since=outdated)
    confirmed = confirmed_seats(logged.log, words_of(logged.replayed))
    for seat in logged.seats:
        counts = confirmed.get(seat.index)
        at, by = (counts.since, counts.by) if counts else (None, "")
        if (seat.confirmed_at, seat.confirmed_by) != (at, by):
            seat.confirmed_at, seat.confirmed_by = at, by
            seat.save(update_fields=["confirmed_at", "confirmed_by"])


def write_hands(
    match: Match, replayed: ReplayedMatch, seats: Sequence[Seat], *, since: int = 1
) -> None:
    """Write the hands from number `since` on, of which nothing is written yet."""
    changed = [hand for hand in replayed.hands if hand.number >= since]
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


def _hand(match: Match, hand: ReplayedHand) -> Hand:
    entered = hand.hand
    return Hand(
        match=match,
        game=match.game,
        number=hand.number,
        state=hand.state,
        bidder=entered.bidder,
        bid=entered.bid,
        partner=entered.partner,
        solo=entered.solo,
        trump_number=entered.trump_number,
        taken=_taken(hand, entered),
        made=_is_made(hand, entered),
        findings=len(hand.scored.findings) if hand.scored else 0,
    )


def _taken(hand: ReplayedHand, entered: EnteredHand) -> int | None:
    """Return what the side that bid took, counted as it bids; None without a contract."""
    if hand.scored is None or entered.bidder is None:
        return None
    sums = hand.scored.sums
    each: Sequence[int] = sums["tricks_won"] if "tricks_won" in sums else sums["points"]
    side = (entered.bidder, entered.partner)
    return sum(each[seat] for seat in side if seat is not None)


def _is_made(hand: ReplayedHand, entered: EnteredHand) -> bool | None:
    """Tell whether a contract was made: it brings points then, and only then."""
    if hand.scored is None or entered.bidder is None:
        return None
    return hand.scored.scores[entered.bidder] > 0


def _scores(
    row: Hand, hand: ReplayedHand, seats: Sequence[Seat]
) -> Iterator[HandScore]:
    if hand.scored is None:
        return
    for seat, points, total in zip(
        seats, hand.scored.scores, hand.scored.totals, strict=True
    ):
        yield HandScore(hand_id=row.pk, seat_id=seat.pk, points=points, total=total)


def _bids(row: Hand, hand: ReplayedHand, seats: Sequence[Seat]) -> Iterator[Bid]:
    for order, call in enumerate(hand.hand.bids):
        yield Bid(
            hand=row,
            order=order,
            seat=seats[call.seat],
            value=call.said if isinstance(call.said, int) else None,
            solo=call.said == "solo",
        )


def _write_tricks(
    hands: Sequence[ReplayedHand], rows: Mapping[int, Hand], seats: Sequence[Seat]
) -> None:
    made = list(_tricks(hands, rows, seats))
    Trick.objects.bulk_create([trick for trick, _ in made])
    Play.objects.bulk_create(
        [play for trick, played in made for play in _plays(trick, played, seats)]
    )


def _tricks(
    hands: Sequence[ReplayedHand], rows: Mapping[int, Hand], seats: Sequence[Seat]
) -> Iterator[tuple[Trick, PlayedTrick]]:
    """Return each recorded trick with what was played to it."""
    for hand in hands:
        if hand.scored is None or not hand.scored.tricks:
            continue
        won_and_played = zip(hand.scored.tricks, hand.hand.tricks, strict=True)
        for number, (won, played) in enumerate(won_and_played, start=1):
            trick = Trick(
                hand=rows[hand.number],
                number=number,
                leader=seats[won.leader],
                winner=seats[won.winner],
                worth=won.worth,
                trump="" if won.trump is None else str(won.trump),
                trump_led=won.trump_led,
                turned=played.turned,
                is_last=number == len(hand.scored.tricks),
            )
            yield trick, played


def _plays(trick: Trick, played: PlayedTrick, seats: Sequence[Seat]) -> Iterator[Play]:
    antes = played.antes or ("",) * len(seats)
    for order, (pieces, ante) in enumerate(zip(played.plays, antes, strict=True)):
        yield Play(
            trick=trick,
            order=order,
            seat=seats[(trick.leader.index + order) % len(seats)],
            pieces=" ".join(pieces),
            ante=ante,
        )


def _values(row: Hand) -> tuple[object, ...]:
    contract = (row.bidder, row.bid, row.partner, row.solo, row.trump_number)
    return (row.game, row.state, *contract, row.taken, row.made, row.findings)


def _calls(bid: Bid) -> tuple[object, ...]:
    return (bid.hand.number, bid.order, bid.seat_id, bid.value, bid.solo)


def _pieces(play: Play) -> tuple[object, ...]:
    trick = play.trick
    return (
        (trick.hand.number, trick.number, play.order),
        (trick.leader_id, trick.winner_id, trick.worth, trick.is_last),
        (trick.trump, trick.trump_led, trick.turned),
        (play.seat_id, play.pieces, play.ante),
    )


def _written(match: Match, replayed: ReplayedMatch) -> Sequence[ReplayedHand]:
    """Return the hands that have rows: those of a match that is settled."""
    return replayed.hands if match.as_it_stands or replayed.is_over else ()


def _recorded_differences(match: Match, replayed: ReplayedMatch) -> list[str]:
    """Return the calls and plays that are stored otherwise than they follow."""
    seats = list(match.seats.order_by("index"))
    hands = _written(match, replayed)
    rows = {hand.number: _hand(match, hand) for hand in hands}
    calls = {
        _calls(bid) for hand in hands for bid in _bids(rows[hand.number], hand, seats)
    }
    plays = {
        _pieces(play)
        for trick, played in _tricks(hands, rows, seats)
        for play in _plays(trick, played, seats)
    }
    stored_calls = Bid.objects.filter(hand__match=match).select_related("hand")
    stored_plays = Play.objects.filter(trick__hand__match=match)
    calls ^= set(map(_calls, stored_calls))
    plays ^= set(map(_pieces, stored_plays.select_related("trick__hand")))
    return [
        f"{what} {place}: stored otherwise than it follows"
        for what, differing in (("call", calls), ("play", plays))
        for place in sorted({difference[:1] for difference in differing}, key=str)
    ]


def differences(logged: LoggedMatch) -> list[str]:
    """Return what is stored of the match and does not follow from its log."""
    match, replayed = logged.match, logged.replayed
    return [
        *_hand_differences(match, replayed),
        *_score_differences(match, replayed),
        *_recorded_differences(match, replayed),
        *_standing_differences(match, replayed),
        *_confirmation_differences(logged),
    ]


def _unequal(
    stored: Mapping[Any, object], follows: Mapping[Any, object], place_words: str
) -> list[str]:
    """Return a line for each place where the two differ, `place_words` what it is."""
    places = sorted(stored.keys() | follows.keys())
    return [
        f"{place_words % place}: {stored.get(place)} is stored, {follows.get(place)} follows"
        for place in places
        if stored.get(place) != follows.get(place)
    ]


def _hand_differences(match: Match, replayed: ReplayedMatch) -> list[str]:
    stored = {hand.number: _values(hand) for hand in match.hands.all()}
    derived = {
        hand.number: _values(_hand(match, hand)) for hand in _written(match, replayed)
    }
    return _unequal(stored, derived, "hand %s")


def _score_differences(match: Match, replayed: ReplayedMatch) -> list[str]:
    rows = HandScore.objects.filter(hand__match=match).select_related("hand", "seat")
    stored = {
        (score.hand.number, score.seat.index): (score.points, score.total)
        for score in rows
    }
    follows = {
        (hand.number, seat): (hand.scored.scores[seat], hand.scored.totals[seat])
        for hand in _written(match, replayed)
        if hand.scored
        for seat in range(replayed.state.seats)
    }
    return _unequal(stored, follows, "hand %s, seat %s")


def _standing_differences(match: Match, replayed: ReplayedMatch) -> list[str]:
    state = replayed.state
    seats = match.seats.order_by("index")
    stored = [(seat.total, seat.rank, seat.won) for seat in seats]
    follows = [
        (
            state.totals[seat],
            state.ranks[seat],
            replayed.is_over and seat in state.winners,
        )
        for seat in range(state.seats)
    ]
    is_same = (stored, match.hands_played, match.finished) == (
        follows,
        state.number,
        replayed.is_over,
    )
    return [] if is_same else [f"standing: {stored} is stored, {follows} follows"]


def _confirmation_differences(logged: LoggedMatch) -> list[str]:
    stored = {
        seat.index: (seat.confirmed_at, seat.confirmed_by)
        for seat in logged.seats
        if seat.confirmed_at
    }
    settled = logged.match.is_settled
    words = words_of(logged.replayed)
    confirmed = confirmed_seats(logged.log, words) if settled else {}
    follows = {seat: (counts.since, counts.by) for seat, counts in confirmed.items()}
    return _unequal(stored, follows, "confirmation of seat %s")
