"""Tricky: reading, scoring and ending."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.rules.auction import Auction
from scoring.rules.game import (
    End,
    HandResult,
    MatchState,
    Raw,
    TrickGame,
    best_seats,
    lacking,
    ranks_of,
)
from scoring.rules.hand import Hand, read_calls
from scoring.rules.piece_by_piece import PlaySoFar
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_whole,
    named_seat,
    read_each,
    read_flag,
    read_lead,
    read_seat,
    read_tally,
)
from scoring.rules.results import FORMAT, Explanation, Told, TrickResult
from scoring.rules.schema import (
    NONE,
    Schema,
    at_least,
    bids_of,
    by_seat,
    closed,
    either,
    list_of,
    seat_of,
    word_of,
)
from scoring.rules.tricky.bidding import (
    OPENING_PER_SEAT,
    PASS,
    TRUMPS,
    Contract,
    check_outcome,
    hear_auction,
    read_auction,
    read_contract,
    read_trump,
)
from scoring.rules.tricky.piece_by_piece import follow
from scoring.rules.tricky.tricks import (
    DICE,
    KINDS,
    TRICKS,
    Play,
    PlayedTricks,
    check_dice,
    play_out,
    read_plays,
    trick_result,
)
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say, tricks_in_words

LEAST_PER_SEAT = 3 * len(KINDS)
MOST_PER_SEAT = 3 * sum(KINDS)
PASSED_OUT = -20
NO_CONTRACT = (None, None, None)
PLAYED_HAND = frozenset({"first_bidder", "bids", "contract", "points", "tricks"})
"""What a hand that was played may hold."""


@dataclass(slots=True, kw_only=True)
class TrickyHand(Hand):
    """A hand of Tricky, as it was entered."""

    turn: int | None = None
    """Who bid first; None where a refused hand before it left that open."""
    passed_out: bool = False
    contract: Contract | None = None
    points: tuple[int, ...] | None = None
    """By seat, as they were entered; None where they are not said."""
    played: PlayedTricks | None = None
    """What the play came to, by points or by tricks."""


class Tricky(TrickGame):
    """Tricky, for two to five players."""

    id = "tricky"
    name = "Tricky"
    seats = range(2, 6)
    has_contract = True
    leads = ("first_bidder",)
    sums = ("points",)

    def option_defaults(self, seats: int) -> dict[str, Any]:
        """Return the target: 1000 points for each player."""
        return {"target": 1000 * seats}

    def check_option(
        self, name: str, value: object, seats: int, faults: Faults
    ) -> None:
        """Note a target that is not a positive whole number."""
        if not is_whole(value) or value < 1:
            faults.add("options.target", FORMAT, _("A target is a number from 1 up."))

    def next_turn(self, state: MatchState) -> dict[str, int]:
        """Return who bids first (tricky.bid.first)."""
        return {"first_bidder": state.turn or 0}

    def needs(self, state: MatchState) -> tuple[int | None, ...]:
        """Return what each total lacks to the target (tricky.end.target)."""
        return lacking(state.options["target"], state.totals)

    def options_schema(self) -> Schema:
        """Return that of the target."""
        return closed({"target": at_least(1)})

    def hand_schema(self) -> Schema:
        """Return that of a hand that was played, or passed out."""
        lead = {
            "first_bidder": seat_of(self.seats),
            "bids": bids_of(self.seats, PASS),
        }
        contract = {
            "bidder": seat_of(self.seats),
            "bid": at_least(OPENING_PER_SEAT * self.seats[0]),
            "trump": either(at_least(TRUMPS[0], TRUMPS[-1]), NONE),
        }
        play = list_of(word_of(DICE), 2, 2)
        played = closed(
            {
                **lead,
                "contract": closed(contract, tuple(contract)),
                "points": by_seat(at_least(0), self.seats),
                "tricks": list_of(by_seat(play, self.seats), TRICKS, TRICKS),
            },
            ("contract",),
        )
        summed = either({"required": ["points"]}, {"required": ["tricks"]})
        passed_out = closed({**lead, "passed_out": {"const": True}}, ("passed_out",))
        return either({**played, **summed}, passed_out)

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> TrickyHand:
        """Return the hand that a document describes."""
        turn = _read_turn(state, raw, faults)
        if "passed_out" in raw:
            _check_passed_out(state, raw, turn, faults)
            bids = read_calls(raw.get("bids"))
            return TrickyHand(turn=turn, passed_out=True, bids=bids)
        contract = _read_contract(state, raw, turn, faults)
        points = None
        if "points" in raw:
            points = _read_points(raw["points"], state.seats, faults)
        bids = read_calls(raw["bids"]) if "bids" in raw else ()
        played, tricks = None, None
        if "tricks" in raw:
            tricks = _read_tricks(raw["tricks"], state.seats, faults)
            played = _play_out(tricks, contract, points, state.seats, faults)
        elif points is not None:
            played = PlayedTricks(points, ())
        elif "points" not in raw:
            faults.add("points", FORMAT, _("The points taken are missing."))
        check_keys(raw, PLAYED_HAND, faults)
        bidder, bid, trump = contract or NO_CONTRACT
        return TrickyHand(
            turn=turn,
            points=points,
            played=played,
            tricks=() if tricks is None else self.parse_tricks(raw),
            bids=bids,
            contract=contract,
            bidder=bidder,
            bid=bid,
            trump_number=trump,
        )

    def score(self, state: MatchState, hand: TrickyHand) -> HandResult:
        """Return what the hand is worth (tricky.score.made, tricky.score.set)."""
        if hand.passed_out:
            return _score_passed_out(state.seats, hand.turn)
        assert hand.contract is not None
        assert hand.played is not None
        return _score(hand.contract, hand.played, hand.turn)

    def parse_begun(self, state: MatchState, raw: Raw, faults: Faults) -> TrickyHand:
        """Return a hand that has been bid but not played."""
        turn = _read_turn(state, raw, faults)
        contract = _read_contract(state, raw, turn, faults)
        check_keys(raw, ("first_bidder", "bids", "contract"), faults)
        bidder, bid, trump = contract or NO_CONTRACT
        return TrickyHand(
            turn=turn,
            bids=read_calls(raw.get("bids")),
            contract=contract,
            bidder=bidder,
            bid=bid,
            trump_number=trump,
        )

    def hear_auction(
        self, state: MatchState, bids: Sequence[object], faults: Faults
    ) -> Auction:
        """Return how far the bidding is."""
        return hear_auction(bids, state.seats, state.turn, faults)

    def follow(
        self, state: MatchState, raw: Raw, played: Sequence[str], faults: Faults
    ) -> PlaySoFar | None:
        """Return the hand as far as its dice were played."""
        contract = self.parse_begun(state, raw, faults).contract
        if faults.listed or contract is None:
            return None
        return follow(played, state.seats, contract.bidder, contract.trump, faults)

    def end(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[End, None]:
        """Return whether somebody has won (tricky.end)."""
        return _end(state.options["target"], result.bidder, totals), None

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        """Return who won one trick, by its dice and trump number alone."""
        seats = raw.get("players")
        if not is_whole(seats) or seats not in self.seats:
            faults.add("players", FORMAT, _("Tricky is played by 2 to 5."))
            return None
        leader = read_seat(raw.get("leader"), seats, "leader", faults)
        trump = read_trump(raw, "trump", faults)
        plays = read_plays(raw.get("plays"), seats, "plays", faults)
        check_keys(raw, ("game", "players", "leader", "trump", "plays"), faults)
        if faults.listed or plays is None or leader is None:
            return None
        return trick_result(plays, leader, trump)


def _check_passed_out(
    state: MatchState, raw: Raw, turn: int | None, faults: Faults
) -> None:
    if not read_flag(raw["passed_out"], "passed_out", faults) and not faults.listed:
        faults.add("passed_out", FORMAT, _("Leave “passed_out” out unless it is true."))
    if "bids" in raw:
        outcome = read_auction(raw["bids"], state, turn, faults)
        if outcome is not None and outcome.bidder is not None:
            faults.add(
                "bids",
                "tricky.bid.passed_out",
                _("%(who)s bid %(bid)s, so the hand was not passed out."),
                who=named_seat(outcome.bidder),
                bid=outcome.bid,
            )
    check_keys(raw, ("first_bidder", "passed_out", "bids"), faults)


def _score_passed_out(seats: int, turn: int | None) -> HandResult:
    return HandResult(
        scores=(PASSED_OUT,) * seats,
        explain=Told(_passed_out_lines, (seats,)),
        turn=turn,
    )


def _passed_out_lines(seats: int) -> list[Explanation]:
    lost = say(_("nobody opened: 20 points lost"))
    return [Explanation(seat, "tricky.bid.passed_out", lost) for seat in range(seats)]


def _read_turn(state: MatchState, raw: Raw, faults: Faults) -> int | None:
    if "first_bidder" not in raw:
        return state.turn
    return read_lead(
        raw,
        "first_bidder",
        first=state.number == 0,
        turn=state.turn,
        seats=state.seats,
        faults=faults,
    )


def _read_contract(
    state: MatchState, raw: Raw, turn: int | None, faults: Faults
) -> Contract | None:
    outcome = None
    if "bids" in raw:
        outcome = read_auction(raw["bids"], state, turn, faults)
    if "contract" not in raw:
        faults.add(
            "contract", FORMAT, _("A contract is missing, or the hand was passed out.")
        )
        return None
    contract = read_contract(raw["contract"], state.seats, faults)
    if outcome is not None and contract is not None:
        check_outcome(outcome, contract, faults)
    return contract


def _play_out(
    tricks: list[list[Play]] | None,
    contract: Contract | None,
    points: tuple[int, ...] | None,
    seats: int,
    faults: Faults,
) -> PlayedTricks | None:
    """Return what recorded tricks come to; note points that they do not come to."""
    if tricks is None or contract is None:
        return None
    played = play_out(tricks, seats, contract.bidder, contract.trump)
    check_dice(tricks, [trick.leader for trick in played.tricks], seats, faults)
    if points is not None and points != played.points:
        faults.add(
            "points",
            "tricky.score.points",
            _("The tricks come to %(points)s; enter these points or none."),
            points=", ".join(map(str, played.points)),
        )
    return played


def _read_points(raw: object, seats: int, faults: Faults) -> tuple[int, ...] | None:
    points = read_tally(raw, seats, "points", faults)
    if points is None:
        return None
    for seat, taken in enumerate(points) if min(points) < 0 else ():
        if taken < 0:
            faults.add(
                f"points[{seat}]",
                "tricky.score.points",
                _("Points taken are never negative; without a trick they are 0."),
            )
    total, least, most = sum(points), LEAST_PER_SEAT * seats, MOST_PER_SEAT * seats
    if not least <= total <= most:
        faults.add(
            "points",
            "tricky.score.points",
            _("All points add up to %(total)s; at least %(missing)s more were rolled.")
            if total < least
            else _("All points add up to %(total)s; the dice hold %(over)s fewer."),
            total=total,
            missing=least - total,
            over=total - most,
        )
    return tuple(points)


def _read_tricks(raw: object, seats: int, faults: Faults) -> list[list[Play]] | None:
    if not isinstance(raw, (list, tuple)):
        faults.add("tricks", FORMAT, _("A list of nine tricks is expected here."))
        return None
    if len(raw) != TRICKS:
        faults.add(
            "tricks",
            "tricky.trick.lead",
            _("%(count)s entered; a hand has nine."),
            count=tricks_in_words(len(raw)),
        )
        return None
    return read_each(
        raw,
        "tricks",
        faults,
        lambda plays, field, faults: read_plays(plays, seats, field, faults),
    )


def _score(contract: Contract, played: PlayedTricks, turn: int | None) -> HandResult:
    points = played.points
    seats = len(points)
    bidder = contract.bidder
    if points[bidder] >= contract.bid:
        scores = list(points)
        scores[bidder] = contract.bid * max(contract.trump or 0, seats)
        lines = _made_lines
    else:
        scores = [taken * 3 // 2 for taken in points]
        scores[bidder] = 0
        lines = _set_lines
    scored = tuple(scores)
    return HandResult(
        scored,
        Told(lines, (contract, points, scored)),
        _first_bidder(scores, turn),
        played.findings,
        played.tricks,
        bidder,
        {"points": points},
    )


def _made_lines(
    contract: Contract, points: tuple[int, ...], scores: tuple[int, ...]
) -> list[Explanation]:
    seats = len(points)
    if contract.trump is not None and contract.trump >= seats:
        made = _(
            "made %(bid)s with %(taken)s: %(bid)s × %(factor)s (trump) = %(score)s"
        )
    else:
        made = _(
            "made %(bid)s with %(taken)s: %(bid)s × %(factor)s (players) = %(score)s"
        )
    lines = [
        Explanation(
            seat, "tricky.score.made", say(_("took %(taken)s: %(taken)s"), taken=taken)
        )
        for seat, taken in enumerate(points)
    ]
    lines[contract.bidder] = Explanation(
        contract.bidder,
        "tricky.score.made",
        say(
            made,
            bid=contract.bid,
            taken=points[contract.bidder],
            factor=max(contract.trump or 0, seats),
            score=scores[contract.bidder],
        ),
    )
    return lines


def _set_lines(
    contract: Contract, points: tuple[int, ...], scores: tuple[int, ...]
) -> list[Explanation]:
    lines = [
        Explanation(
            seat,
            "tricky.score.set",
            say(
                _("took %(taken)s against a set bid: %(taken)s × 1½ = %(score)s")
                if taken % 2 == 0
                else _(
                    "took %(taken)s against a set bid: %(taken)s × 1½ = %(score)s, rounded down"
                ),
                taken=taken,
                score=score,
            ),
        )
        for seat, (taken, score) in enumerate(zip(points, scores, strict=True))
    ]
    lines[contract.bidder] = Explanation(
        contract.bidder,
        "tricky.score.set",
        say(
            _("set: bid %(bid)s, took %(taken)s, %(short)s short"),
            bid=contract.bid,
            taken=points[contract.bidder],
            short=contract.bid - points[contract.bidder],
        ),
    )
    return lines


def _first_bidder(scores: list[int], turn: int | None) -> int | None:
    """Return who bids first next: the highest score, first clockwise from `turn`.

    None where the highest is shared and whose turn it was is not known.
    """
    highest = max(scores)
    if scores.count(highest) == 1:
        return scores.index(highest)
    if turn is None:
        return None
    return min(best_seats(scores), key=lambda seat: (seat - turn) % len(scores))


def _end(target: int, bidder: int | None, totals: tuple[int, ...]) -> End:
    if max(totals) < target:
        return End(ranks_of(totals))
    candidates = [seat for seat, total in enumerate(totals) if total >= target]
    best = best_seats(totals)
    if len(candidates) == 1:
        text = say(_("the only one at %(target)s or more"), target=target)
        return _won(candidates[0], "tricky.end.bidder", text, totals)
    if bidder in candidates:
        assert bidder is not None
        text = say(_("several reached %(target)s; the bidder wins"), target=target)
        return _won(bidder, "tricky.end.bidder", text, totals)
    if len(best) == 1:
        text = say(_("several reached %(target)s; the highest wins"), target=target)
        return _won(best[0], "tricky.end.highest", text, totals)
    tied = Explanation(
        None,
        "tricky.end.tie",
        say(_("%(total)s is shared: play on"), total=max(totals)),
    )
    return End(ranks_of(totals), decided=tied)


def _won(seat: int, clause: str, text: Any, totals: tuple[int, ...]) -> End:
    others = [total for index, total in enumerate(totals) if index != seat]
    ranks = [rank + 1 for rank in ranks_of(others)]
    ranks.insert(seat, 1)
    return End(
        ranks=tuple(ranks),
        finished=True,
        winners=(seat,),
        decided=Explanation(seat, clause, text),
    )
