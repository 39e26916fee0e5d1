"""Tricky Dice: reading, scoring and ending."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scoring.rules.game import (
    DealerGame,
    End,
    HandResult,
    MatchState,
    Raw,
    best_seats,
    missing_points,
    rank_values,
)
from scoring.rules.hand import Hand, read_calls
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_whole,
    read_choice,
    read_each,
    read_seat,
    read_tally,
)
from scoring.rules.results import (
    FORMAT,
    Auction,
    Explanation,
    LazyExplanation,
    TrickResult,
)
from scoring.rules.schema import (
    NONE,
    Schema,
    any_of,
    auction_schema,
    enum_schema,
    integer_schema,
    list_schema,
    object_schema,
    seat_schema,
    seats_schema,
)
from scoring.rules.tricks import PlaySoFar
from scoring.rules.tricky_dice.bidding import (
    OPENING,
    PASS,
    SOLO,
    Contract,
    check_outcome,
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
    check_pieces,
    follow,
    play_out,
    read_plays,
    read_trump,
    trick_result,
)
from scoring.rules.wording import SeatIndex, say, tricks_in_words
from scoring.rules.wording import gettext_noop as _

TARGET = 52
MADE, SET = 5, -5
SOLO_MADE, SOLO_SET = 10, -10
CONTRACT_KEYS = ("dealer", "bids", "trump", "contract")


@dataclass(slots=True, kw_only=True)
class TrickyDiceHand(Hand):
    """An entered hand of Tricky Dice."""

    dealer: int | None = None
    """None if an earlier refused hand left that open."""
    trump: Piece | None = None
    """The face of the trump die."""
    contract: Contract | None = None
    tricks_won: tuple[int, ...] | None = None
    """By seat, as entered; None if not entered."""
    die_tricks: tuple[int, ...] | None = None
    played: TrickTally | None = None
    """The result of the play, from sums or from tricks."""


class TrickyDice(DealerGame):
    """Tricky Dice, for four players."""

    id = "tricky_dice"
    name = "Tricky Dice"
    seats = range(SEATS, SEATS + 1)
    has_contract = True
    sums = ("tricks_won", "die_tricks")

    def option_defaults(self, seats: int) -> dict[str, Any]:
        return {"target": TARGET, "tricks_scored": "team"}

    def check_option(
        self, name: str, value: object, seats: int, faults: Faults
    ) -> None:
        if name == "tricks_scored":
            read_choice(value, ("team", "own"), "options.tricks_scored", faults)
        elif not is_whole(value) or value < 1:
            faults.add("options.target", FORMAT, _("Enter a target of 1 or more."))

    def needs(self, state: MatchState) -> tuple[int | None, ...]:
        """Return the points that each seat needs to reach the target (tricky_dice.end.target)."""
        return missing_points(state.options["target"], state.totals)

    def options_schema(self) -> Schema:
        scored = enum_schema(("team", "own"))
        return object_schema({"target": integer_schema(1), "tricks_scored": scored})

    def hand_schema(self) -> Schema:
        seat = seat_schema(self.seats)
        together = object_schema(
            {
                "bidder": seat,
                "tricks": integer_schema(OPENING, TRICKS),
                "partner": seat,
                "solo": {"const": False},
            },
            ("bidder", "tricks", "partner"),
        )
        alone = object_schema(
            {"bidder": seat, "solo": {"const": True}, "tricks": NONE, "partner": NONE},
            ("bidder", "solo"),
        )
        faces = [piece for piece in PIECES if len(piece) == 2]
        hand = object_schema(
            {
                "dealer": seat,
                "bids": auction_schema(self.seats, PASS, SOLO),
                "trump": enum_schema(faces),
                "contract": any_of(together, alone),
                "tricks_won": seats_schema(integer_schema(0, TRICKS), self.seats),
                "die_tricks": seats_schema(integer_schema(0, DICE_EACH), self.seats),
                "tricks": list_schema(
                    seats_schema(enum_schema(PIECES), self.seats), TRICKS, TRICKS
                ),
            },
            ("contract",),
        )
        needs = {
            "tricks": ["trump"],
            "tricks_won": ["die_tricks"],
            "die_tricks": ["tricks_won"],
        }
        summed = any_of({"required": ["tricks_won"]}, {"required": ["tricks"]})
        return {**hand, **summed, "dependentRequired": needs}

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> TrickyDiceHand:
        dealer = self.read_lead(state, raw, faults)
        trump, contract = _read_contract(raw, dealer, faults)
        sums, tricks = None, None
        if "tricks" not in raw or "tricks_won" in raw or "die_tricks" in raw:
            sums = _read_sums(raw, faults)
        played = sums
        if "tricks" in raw:
            if "trump" not in raw:
                faults.add("trump", FORMAT, _("Enter the trump die."))
            if not isinstance(raw["tricks"], (list, tuple)):
                words = _("This must be a list of ten tricks.")
                faults.add("tricks", FORMAT, words)
            elif len(raw["tricks"]) != TRICKS:
                faults.add(
                    "tricks",
                    "tricky_dice.pieces",
                    _("%(count)s entered, but eight cards and two dice make ten."),
                    count=tricks_in_words(len(raw["tricks"])),
                )
            else:
                tricks = read_each(raw["tricks"], "tricks", faults, read_plays)
            played = None
            if tricks is not None and trump is not None and contract is not None:
                check_pieces(tricks, contract.bidder, trump, faults)
                played = play_out(tricks, contract.bidder, trump)
                if sums is not None:
                    _compare_sums(sums, played, faults)
        check_keys(raw, (*CONTRACT_KEYS, "tricks_won", "die_tricks", "tricks"), faults)
        return TrickyDiceHand(
            dealer=dealer,
            tricks_won=None if sums is None else sums.won,
            die_tricks=None if sums is None else sums.with_dice,
            played=played,
            tricks=() if tricks is None else self.parse_tricks(raw),
            **_contract_fields(raw, trump, contract),
        )

    def score(self, state: MatchState, hand: TrickyDiceHand) -> HandResult:
        """Return the scores of the hand (tricky_dice.score)."""
        contract, played, dealer = hand.contract, hand.played, hand.dealer
        assert contract is not None
        assert played is not None
        own = state.options["tricks_scored"] == "own"
        each = [a + b for a, b in zip(played.won, played.with_dice, strict=True)]
        taken = sum(played.won[seat] for seat in contract.side)
        setting = tuple(seat for seat in range(SEATS) if seat not in contract.side)
        scores: list[int] = []
        lines: list[Explanation] = []
        for seat in range(SEATS):
            is_bidding = seat in contract.side
            side = contract.side if is_bidding else setting
            alone = own or (contract.solo and not is_bidding)
            points = each[seat] if alone else sum(each[member] for member in side)
            if not is_bidding:
                clause, score = "setting", points
                text = say(
                    _("own tricks and die tricks: %(points)s")
                    if alone
                    else _("own side’s tricks and die tricks: %(points)s"),
                    points=points,
                )
            elif taken >= contract.tricks:
                clause = "solo" if contract.solo else "made"
                bonus = SOLO_MADE if contract.solo else MADE
                score = bonus + points
                text = say(
                    _(
                        "made %(bid)s with %(taken)s tricks: %(bonus)s + %(points)s = %(score)s"
                    ),
                    bid=contract.tricks,
                    taken=taken,
                    bonus=bonus,
                    points=points,
                    score=score,
                )
            else:
                clause = "solo" if contract.solo else "set"
                score = SOLO_SET if contract.solo else SET
                text = say(
                    _("missed %(bid)s with %(taken)s: −%(lost)s"),
                    bid=contract.tricks,
                    taken=taken,
                    lost=-score,
                )
            scores.append(score)
            lines.append(Explanation(seat, f"tricky_dice.score.{clause}", text))
        return HandResult(
            scores=tuple(scores),
            explain=LazyExplanation(tuple, (lines,)),
            turn=None if dealer is None else (dealer + 1) % SEATS,
            findings=played.findings,
            tricks=played.tricks,
            sums={"tricks_won": played.won, "die_tricks": played.with_dice},
            bidder=contract.bidder,
        )

    def parse_unfinished(
        self, state: MatchState, raw: Raw, faults: Faults
    ) -> TrickyDiceHand:
        dealer = self.read_lead(state, raw, faults)
        trump, contract = _read_contract(raw, dealer, faults)
        check_keys(raw, CONTRACT_KEYS, faults)
        return TrickyDiceHand(dealer=dealer, **_contract_fields(raw, trump, contract))

    def unfinished_hand(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return an unfinished hand, without a partner in a solo and with 0 for missing die tricks."""
        hand = dict(raw)
        contract = hand.get("contract", {})
        if contract.get("solo"):
            hand["contract"] = {key: contract.get(key) for key in ("bidder", "solo")}
        with_dice = hand.pop("die_tricks", None) or [None] * SEATS
        if "tricks_won" in hand:
            hand["die_tricks"] = [count or 0 for count in with_dice]
        return super().unfinished_hand(state, hand)

    def parse_auction(
        self, state: MatchState, bids: Sequence[object], faults: Faults
    ) -> Auction:
        return parse_auction(bids, state.turn or 0, faults)

    def follow(
        self, state: MatchState, raw: Raw, played: Sequence[str], faults: Faults
    ) -> PlaySoFar | None:
        hand = self.parse_unfinished(state, raw, faults)
        if "trump" not in raw:
            faults.add("trump", FORMAT, _("Enter the trump die."))
        if faults.listed or hand.trump is None or hand.contract is None:
            return None
        return follow(played, hand.contract.bidder, hand.trump, faults)

    def end(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[End, bool]:
        """Return the end if a player has won, else the ranks (tricky_dice.end).

        The second value says whether the match is in sudden death.
        """
        target = state.options["target"]
        ranks = rank_values(totals)
        if not state.carry and max(totals) < target:
            return End(ranks), False
        best = best_seats(totals)
        if len(best) > 1:
            tied = say(_("tied at %(total)s: sudden death"), total=max(totals))
            decided = Explanation(None, "tricky_dice.end.sudden_death", tied)
            return End(ranks, decided=decided), True
        clause = "sudden_death" if state.carry else "target"
        why = say(
            _("alone in the lead in sudden death, with %(total)s")
            if state.carry
            else _("the highest total when %(target)s was reached: %(total)s"),
            target=target,
            total=totals[best[0]],
        )
        decided = Explanation(best[0], f"tricky_dice.end.{clause}", why)
        return End(ranks, finished=True, winners=best, decided=decided), False

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
        if faults.listed or leader is None or trump is None or plays is None:
            return None
        return trick_result(plays, leader, trump)


def _contract_fields(
    raw: Raw, trump: Piece | None, contract: Contract | None
) -> dict[str, Any]:
    parts: dict[str, Any] = {"bids": read_calls(raw.get("bids")), "trump": trump}
    if contract is not None:
        parts |= {"contract": contract, "bidder": contract.bidder}
        parts |= {"partner": contract.partner, "solo": contract.solo}
        parts["bid"] = None if contract.solo else contract.tricks
    return parts


def _read_contract(
    raw: Raw, dealer: int | None, faults: Faults
) -> tuple[Piece | None, Contract | None]:
    outcome = read_auction(raw["bids"], dealer, faults) if "bids" in raw else None
    trump = read_trump(raw["trump"], faults) if "trump" in raw else None
    if "contract" not in raw:
        faults.add("contract", FORMAT, _("Enter the contract."))
        return trump, None
    contract = read_contract(raw["contract"], faults)
    if outcome is not None and contract is not None:
        check_outcome(outcome, contract, faults)
    return trump, contract


def _compare_sums(sums: TrickTally, played: TrickTally, faults: Faults) -> None:
    for field, entered, follows in (
        ("tricks_won", sums.won, played.won),
        ("die_tricks", sums.with_dice, played.with_dice),
    ):
        if entered != follows:
            faults.add(
                field,
                "tricky_dice.trick.win",
                _("The tricks give %(follows)s here. Enter these or none."),
                follows=", ".join(map(str, follows)),
            )


def _read_sums(raw: Raw, faults: Faults) -> TrickTally | None:
    won = read_tally(raw.get("tricks_won"), SEATS, "tricks_won", faults)
    for seat, taken in enumerate(won or ()):
        if taken < 0:
            faults.add(
                f"tricks_won[{seat}]",
                "tricky_dice.pieces",
                _("Tricks can’t be negative. Enter 0 for none."),
            )
    if won is not None and sum(won) != TRICKS:
        faults.add(
            "tricks_won",
            "tricky_dice.pieces",
            _("%(count)s entered, but 10 were played: %(gap)s too many.")
            if sum(won) > TRICKS
            else _("%(count)s entered, but 10 were played: %(gap)s missing."),
            count=tricks_in_words(sum(won)),
            gap=abs(sum(won) - TRICKS),
        )
    with_dice = read_tally(raw.get("die_tricks"), SEATS, "die_tricks", faults)
    if with_dice is None or won is None:
        return None
    for seat, (taken, dice) in enumerate(zip(won, with_dice, strict=True)):
        if not 0 <= dice <= DICE_EACH:
            faults.add(
                f"die_tricks[{seat}]",
                "tricky_dice.pieces",
                _("%(who)s has two dice, so 0 to 2 tricks with a die, not %(dice)s."),
                who=SeatIndex(seat),
                dice=dice,
            )
        elif dice > taken:
            faults.add(
                f"die_tricks[{seat}]",
                "tricky_dice.score.side",
                _("%(who)s took %(tricks)s, so at most %(taken)s with a die."),
                who=SeatIndex(seat),
                tricks=tricks_in_words(taken),
                taken=taken,
            )
    return TrickTally(tuple(won), tuple(with_dice), ())
