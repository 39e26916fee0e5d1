"""Tricky Dice: reading, scoring and ending."""

from collections.abc import Sequence
from typing import Any

from scoring.rules.auction import Auction
from scoring.rules.game import (
    End,
    Game,
    Judged,
    MatchState,
    Raw,
    best_seats,
    lacking,
    next_dealer,
    ranks_of,
)
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_whole,
    named_seat,
    read_choice,
    read_lead,
    read_seat,
    read_tally,
)
from scoring.rules.recording import Recorded
from scoring.rules.results import FORMAT, Explanation, JudgedTrick
from scoring.rules.tricky_dice.bidding import (
    Contract,
    check_outcome,
    hear_auction,
    read_auction,
    read_contract,
)
from scoring.rules.tricky_dice.recording import record
from scoring.rules.tricky_dice.tricks import (
    DICE_EACH,
    SEATS,
    TRICKS,
    Piece,
    PlayedTricks,
    check_pieces,
    judge_trick,
    play_out,
    read_plays,
    read_trump,
)
from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _

TARGET = 52
MADE, SET = 5, -5
SOLO_MADE, SOLO_SET = 10, -10
CONTRACT_KEYS = ("dealer", "bids", "trump", "contract")


class TrickyDice(Game):
    """Tricky Dice, for four players."""

    id = "tricky_dice"
    name = "Tricky Dice"
    seats = range(SEATS, SEATS + 1)
    has_contract = True
    records_tricks = True

    def option_defaults(self, seats: int) -> dict[str, Any]:
        """Return a target of 52, and points by team."""
        return {"target": TARGET, "tricks_scored": "team"}

    def check_option(
        self, name: str, value: object, seats: int, faults: Faults
    ) -> None:
        """Note a target that is not positive, or another way of counting tricks."""
        if name == "tricks_scored":
            read_choice(value, ("team", "own"), "options.tricks_scored", faults)
        elif not is_whole(value) or value < 1:
            faults.add("options.target", FORMAT, _("A target is a number from 1 up."))

    def next_turn(self, state: MatchState) -> dict[str, int]:
        """Return who deals, and who opens: the dealer's left (tricky_dice.dealer)."""
        dealer = state.turn or 0
        return {"dealer": dealer, "starter": (dealer + 1) % SEATS}

    def needs(self, state: MatchState) -> tuple[int | None, ...]:
        """Return what each total lacks to the target (tricky_dice.end.target)."""
        return lacking(state.options["target"], state.totals)

    def judge(self, state: MatchState, raw: Raw, faults: Faults) -> Judged | None:
        """Return what the hand is worth (tricky_dice.score)."""
        dealer = _read_dealer(state, raw, faults)
        trump, contract = _read_contract(raw, dealer, faults)
        played = _read_play(raw, trump, contract, faults)
        check_keys(raw, (*CONTRACT_KEYS, "tricks_won", "die_tricks", "tricks"), faults)
        if faults.found or contract is None or played is None:
            return None
        scored = _score(contract, played, own=state.options["tricks_scored"] == "own")
        return scored._replace(turn=None if dealer is None else (dealer + 1) % SEATS)

    def turn_after_refused(self, state: MatchState, raw: Raw) -> int | None:
        """Return the next dealer: the deal goes round whatever a hand comes to."""
        return next_dealer(state, raw)

    def check_contract(self, state: MatchState, raw: Raw, faults: Faults) -> None:
        """Note what is wrong with a hand that has been bid but not played."""
        _read_begun(state, raw, faults)

    def hear_auction(
        self, state: MatchState, bids: Sequence[object], faults: Faults
    ) -> Auction:
        """Return how far the bidding is; the dealer's left opens."""
        return hear_auction(bids, state.turn or 0, faults)

    def record(
        self, state: MatchState, raw: Raw, played: Sequence[str], faults: Faults
    ) -> Recorded | None:
        """Return the hand as far as its cards and dice were played."""
        trump, contract = _read_begun(state, raw, faults)
        if "trump" not in raw:
            faults.add("trump", FORMAT, _("The trump die is missing."))
        if faults.found or trump is None or contract is None:
            return None
        return record(played, contract.bidder, trump, faults)

    def end(
        self, state: MatchState, judged: Judged, totals: tuple[int, ...]
    ) -> tuple[End, bool]:
        """Return whether somebody has won (tricky_dice.end).

        What is carried on is whether the match is in sudden death.
        """
        target = state.options["target"]
        ranks = ranks_of(totals)
        if not state.carry and max(totals) < target:
            return End(ranks), False
        best = best_seats(totals)
        if len(best) > 1:
            tied = say(_("%(total)s is shared: sudden death"), total=max(totals))
            decided = Explanation(None, "tricky_dice.end.sudden_death", tied)
            return End(ranks, decided=decided), True
        clause = "sudden_death" if state.carry else "target"
        why = say(
            _("alone in front in sudden death, with %(total)s")
            if state.carry
            else _("the highest total when %(target)s was reached: %(total)s"),
            target=target,
            total=totals[best[0]],
        )
        decided = Explanation(best[0], f"tricky_dice.end.{clause}", why)
        return End(ranks, finished=True, winners=best, decided=decided), False

    def judge_trick(self, raw: Raw, faults: Faults) -> JudgedTrick | None:
        """Return who won one trick, by its pieces and the trump die alone."""
        leader = read_seat(raw.get("leader"), SEATS, "leader", faults)
        trump = read_trump(raw.get("trump"), faults)
        plays = read_plays(raw.get("plays"), "plays", faults)
        check_keys(raw, ("game", "players", "leader", "trump", "plays"), faults)
        if raw.get("players", SEATS) != SEATS:
            faults.add("players", FORMAT, _("Tricky Dice is played by 4."))
        if plays is not None:
            for place, piece in enumerate(plays):
                if piece in plays[:place]:
                    faults.add(
                        f"plays[{place}]",
                        "tricky_dice.pieces",
                        _("%(piece)s was played already; there is one of each."),
                        piece=piece,
                    )
        if faults.found or leader is None or trump is None or plays is None:
            return None
        return judge_trick(plays, leader, trump)


def _read_dealer(state: MatchState, raw: Raw, faults: Faults) -> int | None:
    return read_lead(
        raw,
        "dealer",
        first=state.number == 0,
        turn=state.turn,
        seats=SEATS,
        faults=faults,
    )


def _read_begun(
    state: MatchState, raw: Raw, faults: Faults
) -> tuple[Piece | None, Contract | None]:
    """Return trump and contract of a hand of which nothing else is known."""
    told = _read_contract(raw, _read_dealer(state, raw, faults), faults)
    check_keys(raw, CONTRACT_KEYS, faults)
    return told


def _read_contract(
    raw: Raw, dealer: int | None, faults: Faults
) -> tuple[Piece | None, Contract | None]:
    outcome = read_auction(raw["bids"], dealer, faults) if "bids" in raw else None
    trump = read_trump(raw["trump"], faults) if "trump" in raw else None
    if "contract" not in raw:
        faults.add("contract", FORMAT, _("The contract is missing."))
        return trump, None
    contract = read_contract(raw["contract"], faults)
    if outcome is not None and contract is not None:
        check_outcome(outcome, contract, faults)
    return trump, contract


def _read_play(
    raw: Raw, trump: Piece | None, contract: Contract | None, faults: Faults
) -> PlayedTricks | None:
    sums = None
    if "tricks" not in raw or "tricks_won" in raw or "die_tricks" in raw:
        sums = _read_sums(raw, faults)
    if "tricks" not in raw:
        return sums
    if "trump" not in raw:
        faults.add("trump", FORMAT, _("The trump die is missing."))
    tricks = _read_tricks(raw["tricks"], faults)
    if tricks is None or trump is None or contract is None:
        return None
    check_pieces(tricks, contract.bidder, trump, faults)
    played = play_out(tricks, contract.bidder, trump)
    if sums is not None:
        _check_sums(sums, played, faults)
    return played


def _check_sums(sums: PlayedTricks, played: PlayedTricks, faults: Faults) -> None:
    """Note sums that the recorded tricks do not come to."""
    for field, entered, found in (
        ("tricks_won", sums.won, played.won),
        ("die_tricks", sums.with_dice, played.with_dice),
    ):
        if entered != found:
            faults.add(
                field,
                "tricky_dice.trick.win",
                _("The tricks come to %(found)s here; enter these or none."),
                found=", ".join(map(str, found)),
            )


def _read_sums(raw: Raw, faults: Faults) -> PlayedTricks | None:
    won = read_tally(raw.get("tricks_won"), SEATS, "tricks_won", faults)
    if won is not None:
        _check_won(won, faults)
    with_dice = read_tally(raw.get("die_tricks"), SEATS, "die_tricks", faults)
    if with_dice is None or won is None:
        return None
    for seat, (taken, dice) in enumerate(zip(won, with_dice, strict=True)):
        _check_dice(seat, taken, dice, faults)
    return PlayedTricks(tuple(won), tuple(with_dice), ())


def _check_won(won: list[int], faults: Faults) -> None:
    for seat, taken in enumerate(won):
        if taken < 0:
            faults.add(
                f"tricks_won[{seat}]",
                "tricky_dice.pieces",
                _("Tricks taken are never negative; none is 0."),
            )
    if sum(won) != TRICKS:
        faults.add(
            "tricks_won",
            "tricky_dice.pieces",
            _("%(count)s tricks entered, 10 were played: %(gap)s too many.")
            if sum(won) > TRICKS
            else _("%(count)s tricks entered, 10 were played: %(gap)s missing."),
            count=sum(won),
            gap=abs(sum(won) - TRICKS),
        )


def _check_dice(seat: int, taken: int, dice: int, faults: Faults) -> None:
    if not 0 <= dice <= DICE_EACH:
        faults.add(
            f"die_tricks[{seat}]",
            "tricky_dice.pieces",
            _("%(who)s has two dice, so 0 to 2 tricks with a die; not %(dice)s."),
            who=named_seat(seat),
            dice=dice,
        )
    elif dice > taken:
        faults.add(
            f"die_tricks[{seat}]",
            "tricky_dice.score.side",
            _("%(who)s took %(taken)s tricks, so at most %(taken)s with a die."),
            who=named_seat(seat),
            taken=taken,
        )


def _read_tricks(raw: object, faults: Faults) -> list[list[Piece]] | None:
    if not isinstance(raw, list | tuple):
        faults.add("tricks", FORMAT, _("A list of ten tricks is expected here."))
        return None
    if len(raw) != TRICKS:
        faults.add(
            "tricks",
            "tricky_dice.pieces",
            _("%(count)s tricks entered; eight cards and two dice make ten."),
            count=len(raw),
        )
        return None
    tricks = [
        read_plays(plays, f"tricks[{number}]", faults)
        for number, plays in enumerate(raw)
    ]
    read = [plays for plays in tricks if plays is not None]
    return read if len(read) == TRICKS else None


def _score(contract: Contract, played: PlayedTricks, *, own: bool) -> Judged:
    each = [a + b for a, b in zip(played.won, played.with_dice, strict=True)]
    taken = sum(played.won[seat] for seat in contract.side)
    made = taken >= contract.tricks
    lines: list[Explanation] = []
    scores: list[int] = []
    for seat in range(SEATS):
        bidding = seat in contract.side
        alone = own or (contract.solo and not bidding)
        side = (
            contract.side if bidding else tuple(set(range(SEATS)) - set(contract.side))
        )
        points = each[seat] if alone else sum(each[member] for member in side)
        score, line = (
            _bidding_line(seat, contract, points, taken, made=made)
            if bidding
            else _setting_line(seat, points, alone=alone)
        )
        scores.append(score)
        lines.append(line)
    return Judged(
        scores=tuple(scores),
        explanation=tuple(lines),
        turn=0,
        findings=played.findings,
        tricks=played.tricks,
        sums={"tricks_won": played.won, "die_tricks": played.with_dice},
        bidder=contract.bidder,
    )


def _bidding_line(
    seat: int, contract: Contract, points: int, taken: int, *, made: bool
) -> tuple[int, Explanation]:
    if made:
        bonus = SOLO_MADE if contract.solo else MADE
        score = bonus + points
        text = say(
            _("made %(bid)s with %(taken)s tricks: %(bonus)s + %(points)s = %(score)s"),
            bid=contract.tricks,
            taken=taken,
            bonus=bonus,
            points=points,
            score=score,
        )
    else:
        score = SOLO_SET if contract.solo else SET
        text = say(
            _("set: bid %(bid)s, took %(taken)s: −%(lost)s"),
            bid=contract.tricks,
            taken=taken,
            lost=-score,
        )
    outcome = "made" if made else "set"
    clause = "solo" if contract.solo else outcome
    return score, Explanation(seat, f"tricky_dice.score.{clause}", text)


def _setting_line(seat: int, points: int, *, alone: bool) -> tuple[int, Explanation]:
    text: Sentence = say(
        _("own tricks and die tricks: %(points)s")
        if alone
        else _("the setting side's tricks and die tricks: %(points)s"),
        points=points,
    )
    return points, Explanation(seat, "tricky_dice.score.setting", text)
