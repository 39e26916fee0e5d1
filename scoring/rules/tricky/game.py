"""Tricky: reading, scoring and ending."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.rules.game import (
    HandResult,
    MatchState,
    MatchStatus,
    Raw,
    TrickGame,
    best_seats,
    missing_points,
    rank_values,
)
from scoring.rules.hand import ParsedHand, calls_or_empty
from scoring.rules.options import number_option
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_integer,
    read_each,
    read_flag,
    read_integers_by_seat,
    read_seat,
)
from scoring.rules.results import (
    FORMAT,
    AuctionState,
    Explanation,
    LazyExplanation,
    TrickResult,
)
from scoring.rules.schema import (
    NONE,
    Schema,
    auction_schema,
    enum_schema,
    integer_schema,
    list_schema,
    object_schema,
    per_seat_schema,
    seat_schema,
    union_schema,
)
from scoring.rules.tricks import PlaySoFar, PointTally
from scoring.rules.tricky.bidding import (
    OPENING_PER_SEAT,
    PASS,
    TRUMPS,
    Contract,
    check_auction_result,
    parse_auction,
    read_auction,
    read_contract,
    read_trump,
)
from scoring.rules.tricky.tricks import (
    DICE,
    KINDS,
    TRICKS,
    check_dice_counts,
    parse_pieces,
    read_plays,
    tally_tricks,
    trick_result,
)
from scoring.rules.wording import SeatIndex, say, tricks_in_words
from scoring.rules.wording import gettext_noop as _

LEAST_PER_SEAT = 3 * len(KINDS)
MOST_PER_SEAT = 3 * sum(KINDS)
PASSED_OUT_LOSS = 20
MOST_PASSED_OUT_LOSS = 1000
EMPTY_CONTRACT = (None, None, None)
PLAYED_HAND_KEYS = frozenset({"first_bidder", "bids", "contract", "points", "tricks"})
"""The keys allowed in a hand that was not passed out."""


@dataclass(slots=True, kw_only=True)
class TrickyHand(ParsedHand):
    """An entered hand of Tricky."""

    turn: int | None = None
    """The first bidder; None if an earlier refused hand left that open."""
    passed_out: bool = False
    contract: Contract | None = None
    points: tuple[int, ...] | None = None
    """By seat, as entered; None if not entered."""
    play_result: PointTally | None = None
    """The result of the play, from points or from tricks."""


class Tricky(TrickGame):
    """Tricky, for two to five players."""

    id = "tricky"
    name = "Tricky"
    seats = range(2, 6)
    has_contract = True
    lead_keys = ("first_bidder",)
    sum_keys = ("points",)
    options = {
        "target": number_option(
            _("Enter a target of 1 or more."), default=lambda seats: 1000 * seats
        ),
        "minimum_bid": number_option(
            _("Enter a minimum bid from 1 to %(most)s."),
            default=lambda seats: OPENING_PER_SEAT * seats,
            most=MOST_PER_SEAT * seats[-1],
        ),
        "passed_out_loss": number_option(
            _("Enter a number from 0 to %(most)s."),
            default=lambda _seats: PASSED_OUT_LOSS,
            least=0,
            most=MOST_PASSED_OUT_LOSS,
        ),
    }
    """The minimum bid and the loss when all pass are house rules (tricky.bid.minimum, tricky.bid.passed_out)."""

    def next_lead_seats(self, state: MatchState) -> dict[str, int]:
        """Return the first bidder (tricky.bid.first)."""
        return {"first_bidder": state.turn or 0}

    def points_needed(self, state: MatchState) -> tuple[int | None, ...]:
        """Return the points that each seat needs to reach the target (tricky.end.target)."""
        return missing_points(state.options["target"], state.totals)

    def hand_schema(self) -> Schema:
        shared_properties = {
            "first_bidder": seat_schema(self.seats),
            "bids": auction_schema(self.seats, PASS),
        }
        contract = {
            "bidder": seat_schema(self.seats),
            "bid": integer_schema(1),
            "trump": union_schema(integer_schema(TRUMPS[0], TRUMPS[-1]), NONE),
        }
        play = list_schema(enum_schema(DICE), 2, 2)
        played_schema = object_schema(
            {
                **shared_properties,
                "contract": object_schema(contract, tuple(contract)),
                "points": per_seat_schema(integer_schema(0), self.seats),
                "tricks": list_schema(
                    per_seat_schema(play, self.seats), TRICKS, TRICKS
                ),
            },
            ("contract",),
        )
        points_or_tricks = union_schema(
            {"required": ["points"]}, {"required": ["tricks"]}
        )
        passed_out_schema = object_schema(
            {**shared_properties, "passed_out": {"const": True}}, ("passed_out",)
        )
        return union_schema({**played_schema, **points_or_tricks}, passed_out_schema)

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> TrickyHand:
        turn = self.read_lead_or_turn(state, raw, faults)
        if "passed_out" in raw:
            return _parse_passed_out(state, raw, turn, faults)
        contract = _read_contract(state, raw, turn, faults)
        points = None
        if "points" in raw:
            points = _read_points(raw["points"], state.seats, faults)
        play_result, tricks = None, None
        if "tricks" in raw:
            if not isinstance(raw["tricks"], (list, tuple)):
                message = _("This must be a list of nine tricks.")
                faults.add("tricks", FORMAT, message)
            elif len(raw["tricks"]) != TRICKS:
                faults.add(
                    "tricks",
                    "tricky.trick.lead",
                    _("%(count)s entered, but a hand has nine."),
                    count=tricks_in_words(len(raw["tricks"])),
                )
            else:
                tricks = read_each(
                    raw["tricks"],
                    "tricks",
                    faults,
                    lambda plays, field, faults: read_plays(
                        plays, state.seats, field, faults
                    ),
                )
            if tricks is not None and contract is not None:
                play_result = tally_tricks(
                    tricks, state.seats, contract.bidder, contract.trump
                )
                leaders = [trick.leader for trick in play_result.tricks]
                check_dice_counts(tricks, leaders, state.seats, faults)
                if points is not None and points != play_result.points:
                    faults.add(
                        "points",
                        "tricky.score.points",
                        _(
                            "The tricks give %(points)s. Enter these points or leave "
                            "them out."
                        ),
                        points=", ".join(map(str, play_result.points)),
                    )
        elif points is not None:
            play_result = PointTally(points, ())
        elif "points" not in raw:
            faults.add("points", FORMAT, _("Enter the points taken."))
        check_keys(raw, PLAYED_HAND_KEYS, faults)
        bidder, bid, trump = contract or EMPTY_CONTRACT
        return TrickyHand(
            turn=turn,
            points=points,
            play_result=play_result,
            tricks=() if tricks is None else self.convert_checked_tricks(raw),
            bids=calls_or_empty(raw["bids"]) if "bids" in raw else (),
            contract=contract,
            bidder=bidder,
            bid=bid,
            trump_number=trump,
        )

    def score(self, state: MatchState, hand: TrickyHand) -> HandResult:
        """Return the scores of the hand (tricky.score.made, tricky.score.set)."""
        if hand.passed_out:
            lost = state.options["passed_out_loss"]
            text = say(_("no one opened: %(lost)s points lost"), lost=lost)
            lines = [
                Explanation(seat, "tricky.bid.passed_out", text)
                for seat in range(state.seats)
            ]
            scores = [-lost] * state.seats
            return HandResult(
                tuple(scores), LazyExplanation(tuple, (lines,)), hand.turn
            )
        contract, play_result = hand.contract, hand.play_result
        assert contract is not None
        assert play_result is not None
        points, bidder = play_result.points, contract.bidder
        if points[bidder] >= contract.bid:
            scores = list(points)
            scores[bidder] = contract.bid * max(contract.trump or 0, state.seats)
        else:
            scores = [seat_points * 3 // 2 for seat_points in points]
            scores[bidder] = 0
        # The seat with the highest score bids first next; in a tie the first clockwise.
        highest = max(scores)
        turn = hand.turn
        if scores.count(highest) == 1:
            turn = scores.index(highest)
        elif turn is not None:
            while scores[turn] != highest:
                turn = (turn + 1) % state.seats
        final_scores = tuple(scores)
        return HandResult(
            final_scores,
            LazyExplanation(_explain_scores, (contract, points, final_scores)),
            turn,
            play_result.findings,
            play_result.tricks,
            bidder,
            {"points": points},
        )

    def parse_contract(self, state: MatchState, raw: Raw, faults: Faults) -> TrickyHand:
        turn = self.read_lead_or_turn(state, raw, faults)
        contract = _read_contract(state, raw, turn, faults)
        check_keys(raw, ("first_bidder", "bids", "contract"), faults)
        bidder, bid, trump = contract or EMPTY_CONTRACT
        return TrickyHand(
            turn=turn,
            bids=calls_or_empty(raw.get("bids")),
            contract=contract,
            bidder=bidder,
            bid=bid,
            trump_number=trump,
        )

    def parse_auction(
        self, state: MatchState, bids: Sequence[object], faults: Faults
    ) -> AuctionState:
        return parse_auction(state, bids, faults)

    def parse_pieces(
        self, state: MatchState, raw: Raw, pieces: Sequence[str], faults: Faults
    ) -> PlaySoFar | None:
        contract = self.parse_contract(state, raw, faults).contract
        if faults.items or contract is None:
            return None
        return parse_pieces(
            pieces, state.seats, contract.bidder, contract.trump, faults
        )

    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, None]:
        """Return the end if a player has won, else the ranks (tricky.end)."""
        target = state.options["target"]
        highest = max(totals)
        if highest < target:
            return MatchStatus(rank_values(totals)), None
        candidates = [seat for seat, total in enumerate(totals) if total >= target]
        best = best_seats(totals)
        clause = "tricky.end.bidder"
        if len(candidates) == 1:
            winner = candidates[0]
            text = say(_("the only one at %(target)s or more"), target=target)
        elif result.bidder is not None and result.bidder in candidates:
            winner = result.bidder
            text = say(_("several reached %(target)s: the bidder wins"), target=target)
        elif len(best) == 1:
            winner, clause = best[0], "tricky.end.highest"
            text = say(
                _("several reached %(target)s: the highest total wins"), target=target
            )
        else:
            text = say(_("tied at %(total)s: play on"), total=highest)
            tie = Explanation(None, "tricky.end.tie", text)
            return MatchStatus(rank_values(totals), end_reason=tie), None
        other_ranks = rank_values([*totals[:winner], *totals[winner + 1 :]])
        ranks = [rank + 1 for rank in other_ranks]
        ranks.insert(winner, 1)
        end_reason = Explanation(winner, clause, text)
        return MatchStatus(tuple(ranks), True, (winner,), end_reason), None

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        seats = raw.get("players")
        if not is_integer(seats) or seats not in self.seats:
            faults.add("players", FORMAT, _("Tricky is for 2 to 5 players."))
            return None
        leader = read_seat(raw.get("leader"), seats, "leader", faults)
        trump = read_trump(raw.get("trump", ""), "trump", faults)
        plays = read_plays(raw.get("plays"), seats, "plays", faults)
        check_keys(raw, ("game", "players", "leader", "trump", "plays"), faults)
        if faults.items or plays is None or leader is None:
            return None
        return trick_result(plays, leader, trump)


def _parse_passed_out(
    state: MatchState, raw: Raw, turn: int | None, faults: Faults
) -> TrickyHand:
    if not read_flag(raw["passed_out"], "passed_out", faults) and not faults.items:
        faults.add("passed_out", FORMAT, _("Leave out “passed_out” unless it’s true."))
    if "bids" in raw:
        result = read_auction(raw["bids"], state, turn, faults)
        if result is not None and result.bidder is not None:
            faults.add(
                "bids",
                "tricky.bid.passed_out",
                _("%(who)s bid %(bid)s, so the hand wasn’t passed out."),
                who=SeatIndex(result.bidder),
                bid=result.bid,
            )
    check_keys(raw, ("first_bidder", "passed_out", "bids"), faults)
    return TrickyHand(turn=turn, passed_out=True, bids=calls_or_empty(raw.get("bids")))


def _read_contract(
    state: MatchState, raw: Raw, turn: int | None, faults: Faults
) -> Contract | None:
    result = None
    if "bids" in raw:
        result = read_auction(raw["bids"], state, turn, faults)
    if "contract" not in raw:
        faults.add(
            "contract", FORMAT, _("Enter the contract, or choose “Everyone passed”.")
        )
        return None
    contract = read_contract(raw["contract"], state, faults)
    if result is not None and contract is not None:
        check_auction_result(result, contract, faults)
    return contract


def _read_points(raw: object, seats: int, faults: Faults) -> tuple[int, ...] | None:
    points = read_integers_by_seat(raw, seats, "points", faults)
    if points is None:
        return None
    for seat, seat_points in enumerate(points) if min(points) < 0 else ():
        if seat_points < 0:
            faults.add(
                f"points[{seat}]",
                "tricky.score.points",
                _("Points can’t be negative. Enter 0 for no tricks."),
            )
    total, least, most = sum(points), LEAST_PER_SEAT * seats, MOST_PER_SEAT * seats
    if not least <= total <= most:
        faults.add(
            "points",
            "tricky.score.points",
            _("The points add up to %(total)s, at least %(missing)s too few.")
            if total < least
            else _("The points add up to %(total)s, at least %(over)s too many."),
            total=total,
            missing=least - total,
            over=total - most,
        )
    return tuple(points)


def _explain_scores(
    contract: Contract, points: tuple[int, ...], scores: tuple[int, ...]
) -> list[Explanation]:
    bidder, bid, trump = contract
    seats, bidder_points = len(points), points[bidder]
    is_made = bidder_points >= bid
    clause = "tricky.score.made" if is_made else "tricky.score.set"
    lines: list[Explanation] = []
    for seat, (seat_points, score) in enumerate(zip(points, scores, strict=True)):
        if is_made:
            template = _("took %(taken)s, bid made: %(taken)s")
        elif seat_points % 2 == 0:
            template = _("took %(taken)s, bid missed: %(taken)s × 1½ = %(score)s")
        else:
            template = _(
                "took %(taken)s, bid missed: %(taken)s × 1½ = %(score)s, rounded down"
            )
        text = say(template, taken=seat_points, score=score)
        lines.append(Explanation(seat, clause, text))
    if not is_made:
        template = _("missed %(bid)s with %(taken)s: %(short)s short")
    elif trump is not None and trump >= seats:
        template = _(
            "made %(bid)s with %(taken)s: %(bid)s × %(factor)s (trump) = %(score)s"
        )
    else:
        template = _(
            "made %(bid)s with %(taken)s: %(bid)s × %(factor)s (players) = %(score)s"
        )
    text = say(
        template,
        bid=bid,
        taken=bidder_points,
        short=bid - bidder_points,
        factor=max(trump or 0, seats),
        score=scores[bidder],
    )
    lines[bidder] = Explanation(bidder, clause, text)
    return lines
