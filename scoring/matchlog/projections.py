"""Projections of the log: standings, hands, scores and tricks.

While a match goes on, its sheet is read from the log, and only its standings are written.
Hands, scores and tricks are for histories: they are written once the match is settled.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.matchlog.commands import LoggedMatch
from scoring.matchlog.confirmations import confirmations_by_seat, result_words
from scoring.matchlog.replay import ReplayedHand
from scoring.matchlog.sittings import earlier_sittings, read_changed_seat_sittings
from scoring.models import Bid, Hand, HandScore, Match, Play, Player, Seat, Trick
from scoring.rules import RecordedTrick


def write_projections(logged: LoggedMatch) -> None:
    """Write all projections of a match that has none yet."""
    replayed = logged.replayed
    Match.objects.update_standings(
        logged.match, logged.seats, replayed.state, is_over=replayed.is_over
    )
    if logged.match.is_settled:
        write_hands_and_confirmations(logged, was_settled=False, since=1)


def write_hands_and_confirmations(
    logged: LoggedMatch, *, was_settled: bool, since: int | None
) -> None:
    """Write the hands and confirmations of a match that is or was settled.

    If the match was settled before, hands before number `since` stay, or all hands if it is
    None. The number of queries does not grow with the number of hands.
    """
    match = logged.match
    if since is not None or match.is_settled != was_settled:
        outdated = since if was_settled and match.is_settled and since else 1
        if was_settled:
            match.hands.filter(number__gte=outdated).delete()
        if match.is_settled:
            create_hand_rows(logged, from_hand=outdated)
    confirmed = confirmations_by_seat(logged.log, result_words(logged.replayed))
    for seat in logged.seats:
        confirmation = confirmed.get(seat.index)
        confirmed_at, confirmed_by = (
            (confirmation.since, confirmation.way) if confirmation else (None, "")
        )
        if (seat.confirmed_at, seat.confirmed_by) != (confirmed_at, confirmed_by):
            seat.confirmed_at, seat.confirmed_by = confirmed_at, confirmed_by
            seat.save(update_fields=["confirmed_at", "confirmed_by"])


def create_hand_rows(logged: LoggedMatch, *, from_hand: int) -> None:
    """Write the hands from number `from_hand` on; they must not have rows yet."""
    match, seats = logged.match, logged.seats
    changed = [hand for hand in logged.replayed.hands if hand.number >= from_hand]
    earlier = _earlier_player_ids(logged)
    rows = Hand.objects.bulk_create([_hand(match, hand) for hand in changed])
    by_number = {row.number: row for row in rows}
    HandScore.objects.bulk_create(
        [
            HandScore(
                hand_id=by_number[hand.number].pk,
                seat_id=seat.pk,
                points=points,
                total=total,
                played_by_id=earlier.get((seat.index, hand.number)),
            )
            for hand in changed
            if hand.scored is not None
            for seat, points, total in zip(
                seats, hand.scored.scores, hand.scored.totals, strict=True
            )
        ]
    )
    Bid.objects.bulk_create(
        [bid for hand in changed for bid in _bids(by_number[hand.number], hand, seats)]
    )
    tricks = list(_tricks(changed, by_number, seats))
    Trick.objects.bulk_create([trick for trick, _ in tricks])
    Play.objects.bulk_create(
        [
            play
            for trick, entered_trick in tricks
            for play in _plays(trick, entered_trick, seats)
        ]
    )


def _earlier_player_ids(logged: LoggedMatch) -> dict[tuple[int, int], int]:
    """Return the earlier players of seats that changed hands, by seat and hand.

    In a log from another server the players have other primary keys: those hands stay with the
    seat's current player.
    """
    sittings = read_changed_seat_sittings(logged.log)
    if not sittings:
        return {}
    players = {sitting.player for seat in sittings.values() for sitting in seat}
    names = dict(Player.objects.filter(pk__in=players).values_list("pk", "name"))
    return {
        (seat, hand.number): sitting.player
        for hand in logged.replayed.hands
        for seat, sitting in earlier_sittings(sittings, hand.number).items()
        if sitting is not None and names.get(sitting.player) == sitting.name
    }


def _hand(match: Match, hand: ReplayedHand) -> Hand:
    entered, scored = hand.hand, hand.scored
    side_total, is_made = None, None
    if scored is not None and entered.bidder is not None:
        # Tricks or points of the bidding side, in the unit of its bid. A contract that
        # was made scores points, and no other does.
        sums_by_seat = scored.sums.get("tricks_won") or scored.sums["points"]
        side = (entered.bidder, entered.partner)
        side_total = sum(sums_by_seat[seat] for seat in side if seat is not None)
        is_made = scored.scores[entered.bidder] > 0
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
        taken=side_total,
        made=is_made,
        findings=len(scored.findings) if scored else 0,
    )


def _bids(row: Hand, hand: ReplayedHand, seats: Sequence[Seat]) -> Iterator[Bid]:
    for order, call in enumerate(hand.hand.bids):
        yield Bid(
            hand=row,
            order=order,
            seat=seats[call.seat],
            value=call.bid if isinstance(call.bid, int) else None,
            solo=call.bid == "solo",
        )


def _tricks(
    hands: Sequence[ReplayedHand], rows: Mapping[int, Hand], seats: Sequence[Seat]
) -> Iterator[tuple[Trick, RecordedTrick]]:
    for hand in hands:
        if hand.scored is None or not hand.scored.tricks:
            continue
        trick_pairs = zip(hand.scored.tricks, hand.hand.tricks, strict=True)
        for number, (scored_trick, entered_trick) in enumerate(trick_pairs, start=1):
            trick = Trick(
                hand=rows[hand.number],
                number=number,
                leader=seats[scored_trick.leader],
                winner=seats[scored_trick.winner],
                worth=scored_trick.worth,
                trump="" if scored_trick.trump is None else str(scored_trick.trump),
                trump_led=scored_trick.trump_led,
                turned=entered_trick.turned,
                is_last=number == len(hand.scored.tricks),
            )
            yield trick, entered_trick


def _plays(
    trick: Trick, entered_trick: RecordedTrick, seats: Sequence[Seat]
) -> Iterator[Play]:
    antes = entered_trick.antes or ("",) * len(seats)
    for order, (pieces, ante) in enumerate(
        zip(entered_trick.plays, antes, strict=True)
    ):
        yield Play(
            trick=trick,
            order=order,
            seat=seats[(trick.leader.index + order) % len(seats)],
            pieces=" ".join(pieces),
            ante=ante,
        )


def _hand_values(row: Hand) -> tuple[object, ...]:
    contract = (row.bidder, row.bid, row.partner, row.solo, row.trump_number)
    return (row.game, row.state, *contract, row.taken, row.made, row.findings)


def _bid_values(bid: Bid) -> tuple[object, ...]:
    return (bid.hand.number, bid.order, bid.seat_id, bid.value, bid.solo)


def _play_values(play: Play) -> tuple[object, ...]:
    trick = play.trick
    return (
        (trick.hand.number, trick.number, play.order),
        (trick.leader_id, trick.winner_id, trick.worth, trick.is_last),
        (trick.trump, trick.trump_led, trick.turned),
        (play.seat_id, play.pieces, play.ante),
    )


def differences(logged: LoggedMatch) -> list[str]:
    """Return descriptions of stored rows that differ from the projection of the log."""
    match, replayed, state = logged.match, logged.replayed, logged.replayed.state
    seats = list(match.seats.order_by("index"))
    # Only a settled match has rows for its hands.
    hands = replayed.hands if match.as_it_stands or replayed.is_over else ()
    rows = {hand.number: _hand(match, hand) for hand in hands}
    earlier = _earlier_player_ids(logged)
    stored_hands = {hand.number: _hand_values(hand) for hand in match.hands.all()}
    derived_hands = {number: _hand_values(row) for number, row in rows.items()}
    stored_scores = {
        (score.hand.number, score.seat.index): (
            score.points,
            score.total,
            score.played_by_id,
        )
        for score in HandScore.objects.filter(hand__match=match).select_related(
            "hand", "seat"
        )
    }
    derived_scores = {
        (hand.number, seat): (
            hand.scored.scores[seat],
            hand.scored.totals[seat],
            earlier.get((seat, hand.number)),
        )
        for hand in hands
        if hand.scored
        for seat in range(state.seats)
    }
    stored_calls = Bid.objects.filter(hand__match=match).select_related("hand")
    calls = set(map(_bid_values, stored_calls)) ^ {
        _bid_values(bid)
        for hand in hands
        for bid in _bids(rows[hand.number], hand, seats)
    }
    stored_plays = Play.objects.filter(trick__hand__match=match)
    plays = set(map(_play_values, stored_plays.select_related("trick__hand"))) ^ {
        _play_values(play)
        for trick, entered_trick in _tricks(hands, rows, seats)
        for play in _plays(trick, entered_trick, seats)
    }
    descriptions = [
        *_unequal(stored_hands, derived_hands, "hand %s"),
        *_unequal(stored_scores, derived_scores, "hand %s, seat %s"),
    ]
    descriptions += [
        f"{row_kind} {place}: stored otherwise than it follows"
        for row_kind, differing_rows in (("call", calls), ("play", plays))
        for place in sorted({difference[:1] for difference in differing_rows}, key=str)
    ]
    stored = [(seat.total, seat.rank, seat.won) for seat in seats]
    derived = [
        (total, rank, replayed.is_over and seat in state.winners)
        for seat, (total, rank) in enumerate(
            zip(state.totals, state.ranks, strict=True)
        )
    ]
    stored_result = (stored, match.hands_played, match.finished)
    if stored_result != (derived, state.number, replayed.is_over):
        descriptions.append(f"standing: {stored} is stored, {derived} follows")
    confirmed = {}
    if match.is_settled:
        confirmed = confirmations_by_seat(logged.log, result_words(replayed))
    stored_confirmations = {
        seat.index: (seat.confirmed_at, seat.confirmed_by)
        for seat in logged.seats
        if seat.confirmed_at
    }
    derived_confirmations = {
        seat: (confirmation.since, confirmation.way)
        for seat, confirmation in confirmed.items()
    }
    descriptions += _unequal(
        stored_confirmations, derived_confirmations, "confirmation of seat %s"
    )
    return descriptions


def _unequal(
    stored: Mapping[Any, object], derived: Mapping[Any, object], place_template: str
) -> list[str]:
    """Return a line for each key at which the two differ; `place_template` formats the key."""
    places = sorted(stored.keys() | derived.keys())
    return [
        f"{place_template % place}: {stored.get(place)} is stored, {derived.get(place)} follows"
        for place in places
        if stored.get(place) != derived.get(place)
    ]
