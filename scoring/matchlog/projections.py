"""Projections of the log: standings, hands, scores and tricks.

While a match goes on, its sheet is read from the log, and only its standings are written.
Hands, scores and tricks are for histories: they are written once the match counts.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.matchlog.commands import MatchSnapshot
from scoring.matchlog.confirmations import checksum_words_line, confirmations_by_seat
from scoring.matchlog.replay import ReplayedHand
from scoring.matchlog.seat_occupants import (
    earlier_occupants_at_hand,
    occupants_by_changed_seat,
)
from scoring.models import Bid, Hand, HandScore, Match, Play, Player, Trick


def create_projections(logged: MatchSnapshot) -> None:
    """Write all projections of a match that has none yet."""
    replayed = logged.replayed
    Match.objects.update_standings_and_progress(
        logged.match, logged.seats, replayed.state, is_over=replayed.is_over
    )
    if logged.match.has_counting_result:
        rewrite_hand_rows_and_confirmations(
            logged, had_counting_result=False, first_changed_hand=1
        )


def rewrite_hand_rows_and_confirmations(
    logged: MatchSnapshot, *, had_counting_result: bool, first_changed_hand: int | None
) -> None:
    """Write the hands and confirmations of a match whose result counts or counted.

    If the result counted before, hands before number `first_changed_hand` stay, or all hands if it is
    None. The number of queries does not grow with the number of hands.
    """
    match = logged.match
    if (
        first_changed_hand is not None
        or match.has_counting_result != had_counting_result
    ):
        outdated = (
            first_changed_hand
            if had_counting_result and match.has_counting_result and first_changed_hand
            else 1
        )
        if had_counting_result:
            match.hands.filter(number__gte=outdated).delete()
        if match.has_counting_result:
            create_hand_rows(logged, from_hand=outdated)
    confirmed = confirmations_by_seat(logged.log, checksum_words_line(logged.replayed))
    for seat in logged.seats:
        confirmation = confirmed.get(seat.index)
        confirmed_at, confirmed_by = (
            (confirmation.since, confirmation.way) if confirmation else (None, "")
        )
        if (seat.confirmed_at, seat.confirmed_by) != (confirmed_at, confirmed_by):
            seat.confirmed_at, seat.confirmed_by = confirmed_at, confirmed_by
            seat.save(update_fields=["confirmed_at", "confirmed_by"])


def create_hand_rows(logged: MatchSnapshot, *, from_hand: int) -> None:
    """Write the hands from number `from_hand` on; they must not have rows yet."""
    changed = [hand for hand in logged.replayed.hands if hand.number >= from_hand]
    hands, scores, bids, tricks, plays = _build_hand_rows(logged, changed)
    Hand.objects.bulk_create(hands)
    HandScore.objects.bulk_create(scores)
    Bid.objects.bulk_create(bids)
    Trick.objects.bulk_create(tricks)
    Play.objects.bulk_create(plays)


class _HandRows(NamedTuple):
    """Rows of hands, not stored yet."""

    hands: list[Hand]
    scores: list[HandScore]
    bids: list[Bid]
    tricks: list[Trick]
    plays: list[Play]


def _build_hand_rows(logged: MatchSnapshot, hands: Sequence[ReplayedHand]) -> _HandRows:
    seats, earlier = logged.seats, _earlier_player_ids_by_seat_and_hand(logged)
    rows = _HandRows([], [], [], [], [])
    for hand in hands:
        row = _build_hand_row(logged.match, hand)
        rows.hands.append(row)
        rows.bids.extend(
            Bid(
                hand=row,
                order=order,
                seat=seats[call.seat],
                value=call.bid if isinstance(call.bid, int) else None,
                solo=call.bid == "solo",
            )
            for order, call in enumerate(hand.hand.bids)
        )
        if hand.scored is None:
            continue
        rows.scores.extend(
            HandScore(
                hand=row,
                seat=seat,
                points=points,
                total=total,
                played_by_id=earlier.get((seat.index, hand.number)),
            )
            for seat, points, total in zip(
                seats, hand.scored.scores, hand.scored.totals, strict=True
            )
        )
        if not hand.scored.tricks:
            continue
        trick_pairs = zip(hand.scored.tricks, hand.hand.tricks, strict=True)
        for number, (scored_trick, entered_trick) in enumerate(trick_pairs, start=1):
            trick = Trick(
                hand=row,
                number=number,
                leader=seats[scored_trick.leader],
                winner=seats[scored_trick.winner],
                worth=scored_trick.worth,
                trump="" if scored_trick.trump is None else str(scored_trick.trump),
                trump_led=scored_trick.trump_led,
                turned=entered_trick.turned,
                is_last=number == len(hand.scored.tricks),
            )
            rows.tricks.append(trick)
            antes = entered_trick.antes or ("",) * len(seats)
            rows.plays.extend(
                Play(
                    trick=trick,
                    order=order,
                    seat=seats[(scored_trick.leader + order) % len(seats)],
                    pieces=" ".join(pieces),
                    ante=ante,
                )
                for order, (pieces, ante) in enumerate(
                    zip(entered_trick.plays, antes, strict=True)
                )
            )
    return rows


def _earlier_player_ids_by_seat_and_hand(
    logged: MatchSnapshot,
) -> dict[tuple[int, int], int]:
    """Return the earlier players of seats that changed hands, by seat and hand.

    In a log from another server the players have other primary keys: those hands stay with the
    seat's current player.
    """
    occupants = occupants_by_changed_seat(logged.log)
    if not occupants:
        return {}
    players = {occupant.player for seat in occupants.values() for occupant in seat}
    names = dict(Player.objects.filter(pk__in=players).values_list("pk", "name"))
    return {
        (seat, hand.number): occupant.player
        for hand in logged.replayed.hands
        for seat, occupant in earlier_occupants_at_hand(occupants, hand.number).items()
        if occupant is not None and names.get(occupant.player) == occupant.name
    }


def _build_hand_row(match: Match, hand: ReplayedHand) -> Hand:
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


def describe_projection_differences(logged: MatchSnapshot) -> list[str]:
    """Return descriptions of stored rows that differ from the projection of the log."""
    match, replayed, state = logged.match, logged.replayed, logged.replayed.state
    seats = list(match.seats.order_by("index"))
    # Only a match whose result counts has rows for its hands.
    hands = replayed.hands if match.as_it_stands or replayed.is_over else ()
    of_hand, plays = (
        {"hand__match": match},
        Play.objects.filter(trick__hand__match=match),
    )
    stored = _row_values_by_place(
        match.hands.all(),
        HandScore.objects.filter(**of_hand).select_related("hand", "seat"),
        Bid.objects.filter(**of_hand).select_related("hand"),
        plays.select_related("trick__hand"),
    )
    rows = _build_hand_rows(logged, hands)
    derived = _row_values_by_place(rows.hands, rows.scores, rows.bids, rows.plays)
    stored["standing"] = (
        [(seat.total, seat.rank, seat.won) for seat in seats],
        match.hands_played,
        match.finished,
    )
    derived["standing"] = (
        [
            (total, rank, replayed.is_over and seat in state.winners)
            for seat, (total, rank) in enumerate(
                zip(state.totals, state.ranks, strict=True)
            )
        ],
        state.number,
        replayed.is_over,
    )
    confirmed = {}
    if match.has_counting_result:
        confirmed = confirmations_by_seat(logged.log, checksum_words_line(replayed))
    for seat in logged.seats:
        if seat.confirmed_at:
            confirmed_values = (seat.confirmed_at, seat.confirmed_by)
            stored[f"confirmation of seat {seat.index}"] = confirmed_values
    for index, confirmation in confirmed.items():
        confirmed_values = (confirmation.since, confirmation.way)
        derived[f"confirmation of seat {index}"] = confirmed_values
    return [
        f"{place}: {stored.get(place)} is stored, {derived.get(place)} follows"
        for place in sorted(stored.keys() | derived.keys())
        if stored.get(place) != derived.get(place)
    ]


def _row_values_by_place(
    hands: Iterable[Hand],
    scores: Iterable[HandScore],
    bids: Iterable[Bid],
    plays: Iterable[Play],
) -> dict[str, tuple[object, ...]]:
    """Return the values of rows of one match, by descriptions of their places."""
    values: dict[str, tuple[object, ...]] = {}
    for hand in hands:
        contract = (hand.bidder, hand.bid, hand.partner, hand.solo, hand.trump_number)
        result = (hand.taken, hand.made, hand.findings)
        values[f"hand {hand.number}"] = (hand.game, hand.state, *contract, *result)
    for score in scores:
        place = f"hand {score.hand.number}, seat {score.seat.index}"
        values[place] = (score.points, score.total, score.played_by_id)
    for bid in bids:
        place = f"hand {bid.hand.number}, call {bid.order}"
        values[place] = (bid.seat_id, bid.value, bid.solo)
    for play in plays:
        trick = play.trick
        place = f"hand {trick.hand.number}, trick {trick.number}, play {play.order}"
        won = (trick.leader_id, trick.winner_id, trick.worth, trick.is_last)
        trump = (trick.trump, trick.trump_led, trick.turned)
        values[place] = (*won, *trump, play.seat_id, play.pieces, play.ante)
    return values
