"""Tricky Dice: reading, scoring and ending."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.rules.game import (
    DealerGame,
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
from scoring.rules.options import choice_option, number_option
from scoring.rules.reading import (
    Faults,
    check_keys,
    read_each,
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
from scoring.rules.tricks import PlaySoFar
from scoring.rules.tricky_dice.bidding import (
    OPENING,
    PASS,
    SOLO,
    Contract,
    check_auction_result,
    parse_auction,
    read_auction,
    read_contract,
)
from scoring.rules.tricky_dice.tricks import (
    DICE_EACH,
    PIECES,
    SEATS,
    TRICKS,
    Piece,
    TrickTally,
    check_piece_counts,
    parse_pieces,
    read_plays,
    read_trump,
    tally_tricks,
    trick_result,
)
from scoring.rules.wording import SeatIndex, say, tricks_in_words
from scoring.rules.wording import gettext_noop as _

TARGET = 52
MADE_BONUS, SET_PENALTY = 5, 5
SOLO_FACTOR = 2
"""A solo wins and loses this many times as much (tricky_dice.score.solo)."""
MOST_BONUS = 1000
HOUSE_NUMBER = _("Enter a number from 0 to %(most)s.")
CONTRACT_KEYS = ("dealer", "bids", "trump", "contract")
IsSuddenDeath = bool
"""Whether a tie at the target has to be broken by the next hands (tricky_dice.end.sudden_death)."""


@dataclass(slots=True, kw_only=True)
class TrickyDiceHand(ParsedHand):
    """An entered hand of Tricky Dice."""

    dealer: int | None = None
    """None if an earlier refused hand left that open."""
    trump: Piece | None = None
    """The face of the trump die."""
    contract: Contract | None = None
    tricks_won: tuple[int, ...] | None = None
    """By seat, as entered; None if not entered."""
    die_tricks: tuple[int, ...] | None = None
    play_result: TrickTally | None = None
    """The result of the play, from sums or from tricks."""


class TrickyDice(DealerGame, TrickGame):
    """Tricky Dice, for four players."""

    id = "tricky_dice"
    name = "Tricky Dice"
    seats = range(SEATS, SEATS + 1)
    has_contract = True
    sum_keys = ("tricks_won", "die_tricks")
    options = {
        "target": number_option(
            _("Enter a target of 1 or more."), default=lambda _seats: TARGET
        ),
        "tricks_scored": choice_option(("team", "own"), "team"),
        "made_bonus": number_option(
            HOUSE_NUMBER, default=lambda _seats: MADE_BONUS, least=0, most=MOST_BONUS
        ),
        "set_penalty": number_option(
            HOUSE_NUMBER, default=lambda _seats: SET_PENALTY, least=0, most=MOST_BONUS
        ),
    }
    """The bonus and the penalty are house rules (tricky_dice.score.made, tricky_dice.score.set)."""

    def points_needed(self, state: MatchState) -> tuple[int | None, ...]:
        """Return the points that each seat needs to reach the target (tricky_dice.end.target)."""
        return missing_points(state.options["target"], state.totals)

    def hand_schema(self) -> Schema:
        seat = seat_schema(self.seats)
        partner_contract = object_schema(
            {
                "bidder": seat,
                "tricks": integer_schema(OPENING, TRICKS),
                "partner": seat,
                "solo": {"const": False},
            },
            ("bidder", "tricks", "partner"),
        )
        solo_contract = object_schema(
            {"bidder": seat, "solo": {"const": True}, "tricks": NONE, "partner": NONE},
            ("bidder", "solo"),
        )
        faces = [piece for piece in PIECES if len(piece) == 2]
        hand = object_schema(
            {
                "dealer": seat,
                "bids": auction_schema(self.seats, PASS, SOLO),
                "trump": enum_schema(faces),
                "contract": union_schema(partner_contract, solo_contract),
                "tricks_won": per_seat_schema(integer_schema(0, TRICKS), self.seats),
                "die_tricks": per_seat_schema(integer_schema(0, DICE_EACH), self.seats),
                "tricks": list_schema(
                    per_seat_schema(enum_schema(PIECES), self.seats), TRICKS, TRICKS
                ),
            },
            ("contract",),
        )
        dependencies = {
            "tricks": ["trump"],
            "tricks_won": ["die_tricks"],
            "die_tricks": ["tricks_won"],
        }
        sums_or_tricks = union_schema(
            {"required": ["tricks_won"]}, {"required": ["tricks"]}
        )
        return {**hand, **sums_or_tricks, "dependentRequired": dependencies}

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> TrickyDiceHand:
        dealer = self.read_lead_or_turn(state, raw, faults)
        trump, contract = _read_trump_and_contract(raw, dealer, faults)
        sums, tricks = None, None
        if "tricks" not in raw or "tricks_won" in raw or "die_tricks" in raw:
            sums = _read_sums(raw, faults)
        play_result = sums
        if "tricks" in raw:
            if "trump" not in raw:
                faults.add("trump", FORMAT, _("Enter the trump die."))
            if not isinstance(raw["tricks"], (list, tuple)):
                message = _("This must be a list of ten tricks.")
                faults.add("tricks", FORMAT, message)
            elif len(raw["tricks"]) != TRICKS:
                faults.add(
                    "tricks",
                    "tricky_dice.pieces",
                    _("%(count)s entered, but eight cards and two dice make ten."),
                    count=tricks_in_words(len(raw["tricks"])),
                )
            else:
                tricks = read_each(raw["tricks"], "tricks", faults, read_plays)
            play_result = None
            if tricks is not None and trump is not None and contract is not None:
                check_piece_counts(tricks, contract.bidder, trump, faults)
                play_result = tally_tricks(tricks, contract.bidder, trump)
                if sums is not None:
                    _check_sums_match_tricks(sums, play_result, faults)
        check_keys(raw, (*CONTRACT_KEYS, "tricks_won", "die_tricks", "tricks"), faults)
        return TrickyDiceHand(
            dealer=dealer,
            tricks_won=None if sums is None else sums.tricks_won,
            die_tricks=None if sums is None else sums.die_tricks,
            play_result=play_result,
            tricks=() if tricks is None else self.convert_checked_tricks(raw),
            **_contract_hand_arguments(raw, trump, contract),
        )

    def score(self, state: MatchState, hand: TrickyDiceHand) -> HandResult:
        """Return the scores of the hand (tricky_dice.score)."""
        contract, play_result, dealer = hand.contract, hand.play_result, hand.dealer
        assert contract is not None
        assert play_result is not None
        factor = SOLO_FACTOR if contract.is_solo else 1
        scores_own_tricks = state.options["tricks_scored"] == "own"
        seat_points = [
            tricks + die_tricks
            for tricks, die_tricks in zip(
                play_result.tricks_won, play_result.die_tricks, strict=True
            )
        ]
        side_tricks = sum(play_result.tricks_won[seat] for seat in contract.side_seats)
        setting_side = tuple(
            seat for seat in range(SEATS) if seat not in contract.side_seats
        )
        scores: list[int] = []
        lines: list[Explanation] = []
        for seat in range(SEATS):
            is_bidding = seat in contract.side_seats
            side = contract.side_seats if is_bidding else setting_side
            is_alone = scores_own_tricks or (contract.is_solo and not is_bidding)
            points = (
                seat_points[seat]
                if is_alone
                else sum(seat_points[member] for member in side)
            )
            if not is_bidding:
                clause, score = "setting", points
                text = say(
                    _("own tricks and die tricks: %(points)s")
                    if is_alone
                    else _("own side’s tricks and die tricks: %(points)s"),
                    points=points,
                )
            elif side_tricks >= contract.tricks:
                clause = "solo" if contract.is_solo else "made"
                bonus = factor * state.options["made_bonus"]
                score = bonus + points
                text = say(
                    _(
                        "made %(bid)s with %(taken)s tricks: %(bonus)s + %(points)s = %(score)s"
                    ),
                    bid=contract.tricks,
                    taken=side_tricks,
                    bonus=bonus,
                    points=points,
                    score=score,
                )
            else:
                clause = "solo" if contract.is_solo else "set"
                score = -factor * state.options["set_penalty"]
                text = say(
                    _("missed %(bid)s with %(taken)s: −%(lost)s"),
                    bid=contract.tricks,
                    taken=side_tricks,
                    lost=-score,
                )
            scores.append(score)
            lines.append(Explanation(seat, f"tricky_dice.score.{clause}", text))
        return HandResult(
            scores=tuple(scores),
            explain=LazyExplanation(tuple, (lines,)),
            turn=None if dealer is None else (dealer + 1) % SEATS,
            findings=play_result.findings,
            tricks=play_result.tricks,
            sums={
                "tricks_won": play_result.tricks_won,
                "die_tricks": play_result.die_tricks,
            },
            bidder=contract.bidder,
        )

    def parse_contract(
        self, state: MatchState, raw: Raw, faults: Faults
    ) -> TrickyDiceHand:
        dealer = self.read_lead_or_turn(state, raw, faults)
        trump, contract = _read_trump_and_contract(raw, dealer, faults)
        check_keys(raw, CONTRACT_KEYS, faults)
        return TrickyDiceHand(
            dealer=dealer, **_contract_hand_arguments(raw, trump, contract)
        )

    def normalize_unfinished_hand(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return an unfinished hand, without a partner in a solo and with 0 for missing die tricks."""
        hand = dict(raw)
        contract = hand.get("contract", {})
        if contract.get("solo"):
            hand["contract"] = {key: contract.get(key) for key in ("bidder", "solo")}
        with_dice = hand.pop("die_tricks", None) or [None] * SEATS
        if "tricks_won" in hand:
            hand["die_tricks"] = [count or 0 for count in with_dice]
        return super().normalize_unfinished_hand(state, hand)

    def parse_auction(
        self, state: MatchState, bids: Sequence[object], faults: Faults
    ) -> AuctionState:
        return parse_auction(bids, state.turn or 0, faults)

    def parse_pieces(
        self, state: MatchState, raw: Raw, pieces: Sequence[str], faults: Faults
    ) -> PlaySoFar | None:
        hand = self.parse_contract(state, raw, faults)
        if "trump" not in raw:
            faults.add("trump", FORMAT, _("Enter the trump die."))
        if faults.items or hand.trump is None or hand.contract is None:
            return None
        return parse_pieces(pieces, hand.contract.bidder, hand.trump, faults)

    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, IsSuddenDeath]:
        """Return the end if a player has won, else the ranks (tricky_dice.end)."""
        target = state.options["target"]
        ranks = rank_values(totals)
        if not state.carry and max(totals) < target:
            return MatchStatus(ranks), False
        best = best_seats(totals)
        if len(best) > 1:
            text = say(_("tied at %(total)s, so it’s sudden death"), total=max(totals))
            end_reason = Explanation(None, "tricky_dice.end.sudden_death", text)
            return MatchStatus(ranks, end_reason=end_reason), True
        clause = "sudden_death" if state.carry else "target"
        text = say(
            _("alone in the lead in sudden death, with %(total)s")
            if state.carry
            else _("the highest total when %(target)s was reached: %(total)s"),
            target=target,
            total=totals[best[0]],
        )
        end_reason = Explanation(best[0], f"tricky_dice.end.{clause}", text)
        return MatchStatus(
            ranks, finished=True, winners=best, end_reason=end_reason
        ), False

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        leader = read_seat(raw.get("leader"), SEATS, "leader", faults)
        trump = read_trump(raw.get("trump"), faults)
        plays = read_plays(raw.get("plays"), "plays", faults)
        check_keys(raw, ("game", "players", "leader", "trump", "plays"), faults)
        if raw.get("players", SEATS) != SEATS:
            faults.add("players", FORMAT, _("Tricky Dice is for 4 players."))
        if plays is not None:
            for place, piece in enumerate(plays):
                if piece in plays[:place]:
                    faults.add(
                        f"plays[{place}]",
                        "tricky_dice.pieces",
                        _("%(piece)s was already played. There’s only one of each."),
                        piece=piece,
                    )
        if faults.items or leader is None or trump is None or plays is None:
            return None
        return trick_result(plays, leader, trump)


def _contract_hand_arguments(
    raw: Raw, trump: Piece | None, contract: Contract | None
) -> dict[str, Any]:
    parts: dict[str, Any] = {"bids": calls_or_empty(raw.get("bids")), "trump": trump}
    if contract is not None:
        parts |= {"contract": contract, "bidder": contract.bidder}
        parts |= {"partner": contract.partner, "solo": contract.is_solo}
        parts["bid"] = None if contract.is_solo else contract.tricks
    return parts


def _read_trump_and_contract(
    raw: Raw, dealer: int | None, faults: Faults
) -> tuple[Piece | None, Contract | None]:
    highest_bid = read_auction(raw["bids"], dealer, faults) if "bids" in raw else None
    trump = read_trump(raw["trump"], faults) if "trump" in raw else None
    if "contract" not in raw:
        faults.add("contract", FORMAT, _("Enter the contract."))
        return trump, None
    contract = read_contract(raw["contract"], faults)
    if highest_bid is not None and contract is not None:
        check_auction_result(highest_bid, contract, faults)
    return trump, contract


def _check_sums_match_tricks(
    sums: TrickTally, tricks_tally: TrickTally, faults: Faults
) -> None:
    for field, entered_counts, trick_counts in (
        ("tricks_won", sums.tricks_won, tricks_tally.tricks_won),
        ("die_tricks", sums.die_tricks, tricks_tally.die_tricks),
    ):
        if entered_counts != trick_counts:
            faults.add(
                field,
                "tricky_dice.trick.win",
                _(
                    "According to the tricks, this is %(follows)s. Enter these numbers "
                    "or none."
                ),
                follows=", ".join(map(str, trick_counts)),
            )


def _read_sums(raw: Raw, faults: Faults) -> TrickTally | None:
    tricks_won = read_integers_by_seat(
        raw.get("tricks_won"), SEATS, "tricks_won", faults
    )
    for seat, tricks in enumerate(tricks_won or ()):
        if tricks < 0:
            faults.add(
                f"tricks_won[{seat}]",
                "tricky_dice.pieces",
                _("Tricks can’t be negative. Enter 0 for none."),
            )
    if tricks_won is not None and sum(tricks_won) != TRICKS:
        faults.add(
            "tricks_won",
            "tricky_dice.pieces",
            _("%(count)s entered, %(gap)s more than the 10 played.")
            if sum(tricks_won) > TRICKS
            else _("%(count)s entered, %(gap)s fewer than the 10 played."),
            count=tricks_in_words(sum(tricks_won)),
            gap=abs(sum(tricks_won) - TRICKS),
        )
    die_tricks = read_integers_by_seat(
        raw.get("die_tricks"), SEATS, "die_tricks", faults
    )
    if die_tricks is None or tricks_won is None:
        return None
    for seat, (tricks, dice) in enumerate(zip(tricks_won, die_tricks, strict=True)):
        if not 0 <= dice <= DICE_EACH:
            faults.add(
                f"die_tricks[{seat}]",
                "tricky_dice.pieces",
                _(
                    "%(who)s has two dice and can win 0 to 2 tricks with a "
                    "die, not %(dice)s."
                ),
                who=SeatIndex(seat),
                dice=dice,
            )
        elif dice > tricks:
            faults.add(
                f"die_tricks[{seat}]",
                "tricky_dice.score.side",
                _(
                    "%(who)s took %(tricks)s, so at most %(taken)s of them can be with "
                    "a die."
                ),
                who=SeatIndex(seat),
                tricks=tricks_in_words(tricks),
                taken=tricks,
            )
    return TrickTally(tuple(tricks_won), tuple(die_tricks), ())
