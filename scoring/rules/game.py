"""The base classes of all games, and the state of a match that they score."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, TypeVar

from scoring.rules.hand import ParsedHand, RecordedTrick
from scoring.rules.options import Option
from scoring.rules.reading import Faults, is_seat, read_seat
from scoring.rules.results import (
    EMPTY_SUMS,
    FORMAT,
    AuctionState,
    Explanation,
    LazyExplanation,
    RuleBreachFinding,
    Sums,
    TrickResult,
    WonTrick,
)
from scoring.rules.schema import Schema
from scoring.rules.tricks import PLAYED_KEY, PlaySoFar
from scoring.rules.wording import Sentence
from scoring.rules.wording import gettext_noop as _

Options = Mapping[str, Any]
"""The options of a match, complete and checked."""

Raw = Mapping[str, Any]
"""A hand or a trick, as parsed from JSON."""


Points = TypeVar("Points", int, Fraction)


class HandResult(NamedTuple):
    """The scores of one hand, and the values that the next hand depends on."""

    scores: tuple[int, ...]
    explain: LazyExplanation
    turn: int | None
    """The first bidder or dealer of the next hand; None if an earlier refused hand
    left that open."""
    findings: tuple[RuleBreachFinding, ...] = ()
    tricks: tuple[WonTrick, ...] = ()
    """Leader and winner of each trick; empty if only sums were entered."""
    bidder: int | None = None
    """The seat that held the contract; None if there was none."""
    sums: Sums = EMPTY_SUMS
    """The sums of the play, either entered or computed from the tricks."""
    carry: Any = None
    """Anything else that the next hand depends on: an immutable value of the game."""


class MatchStatus(NamedTuple):
    """Whether the match is over after a hand, and why."""

    ranks: tuple[int, ...]
    """By seat; 1 is best."""
    finished: bool = False
    winners: tuple[int, ...] = ()
    end_reason: Explanation | None = None
    """How the winner was found; also why a match that could be over goes on."""


class MatchState(NamedTuple):
    """A match after some of its hands; the next hand is scored from it."""

    game: "Game"
    seats: int
    options: Options
    number: int
    """Hands played."""
    totals: tuple[int, ...]
    turn: int | None
    """First bidder or dealer of the next hand; None if it cannot be known."""
    carry: Any
    """The game's own value; see `HandResult.carry`."""
    # The fields from here on are those of `MatchStatus`.
    ranks: tuple[int, ...]
    """Of the running totals while unfinished; 1 is best, ties share a rank."""
    finished: bool = False
    winners: tuple[int, ...] = ()
    end_reason: Explanation | None = None

    @property
    def next_lead_seats(self) -> dict[str, int] | None:
        """Leader or dealer of the next hand, as in a match record; None once finished."""
        return None if self.finished else self.game.next_lead_seats(self)

    @property
    def points_needed(self) -> tuple[int | None, ...]:
        """Points that each seat still needs to reach the target; None if the game has no target."""
        return self.game.points_needed(self)


class Game(ABC):
    """One game: how its hands are parsed and scored, and when its match is over.

    Every method is a pure function of its arguments. A method with a `faults` parameter
    notes impossible parts there; its result is then not used.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    seats: ClassVar[range]
    """The possible numbers of players."""
    has_contract: ClassVar[bool] = False
    """Whether a hand begins with a contract that can be entered before it is played."""

    records_tricks: ClassVar[bool] = False
    """Whether a hand can be recorded piece by piece."""

    fewest_points_win: ClassVar[bool] = False
    """Whether fewer points are better."""
    has_comparable_hands: ClassVar[bool] = True
    """Whether the points of hands of different matches can be compared, for records."""

    options: ClassVar[Mapping[str, Option]] = {}
    lead_keys: ClassVar[tuple[str, ...]] = ()
    """Keys of the first hand of a match that name its leader or dealer."""

    def variant_for_options(self, options: Options) -> "Game":
        """Return the game with these options; another one if they change who is ahead."""
        return self

    def comparable_points(self, points: Points) -> Points:
        """Return the points as a number of which larger is always better."""
        return -points if self.fewest_points_win else points

    def rank_points(self, points: Sequence[Points]) -> tuple[int, ...]:
        """Return the rank of each number of points; equal ones share the better."""
        return rank_values([self.comparable_points(value) for value in points])

    def option_defaults(self, seats: int) -> dict[str, Any]:
        """Return the default of every option."""
        return {name: option.default(seats) for name, option in self.options.items()}

    def hand_schema(self) -> Schema:
        """Return the JSON Schema of a hand in a match record; by default any object.

        It may accept hands that `parse` refuses, never the reverse.
        """
        return {"type": "object"}

    @abstractmethod
    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> ParsedHand:
        """Return the hand of this game that a document describes.

        Impossible parts are noted, in the order in which they are read, and left
        out of the hand.
        """

    @abstractmethod
    def score(self, state: MatchState, hand: Any) -> HandResult:
        """Return the scores of a hand that was parsed without a fault."""

    @abstractmethod
    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, Any]:
        """Return the end or ranks of the match after the hand, and the new `carry`."""

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        """Return the winner of the trick that a document describes."""
        faults.add("game", FORMAT, _("You can’t look up single tricks in this game."))
        return None

    def parse_contract_or_parts(
        self, state: MatchState, raw: Raw, faults: Faults
    ) -> ParsedHand:
        """Return a hand that is not complete.

        That is its contract or, in a game without contracts, the parts entered so far.
        """
        return self.parse_contract(state, raw, faults)

    def parse_contract(self, state: MatchState, raw: Raw, faults: Faults) -> ParsedHand:
        """Return a hand that has only its contract and what comes before that, such as the bids."""
        faults.add("contract", FORMAT, _("This game has no contract."))
        return ParsedHand()

    def parse_loosely(self, state: MatchState, raw: Raw) -> ParsedHand:
        """Return the readable parts of a hand, even of an impossible one."""
        return self.parse(state, raw, Faults())

    def fill_in_unshown_fields(self, previous: Raw, raw: Raw) -> dict[str, Any]:
        """Return the replacement of a hand, completed with the fields that no form shows.

        `previous` is that hand, with the sums of its tricks.
        """
        return {
            **{key: previous[key] for key in self.lead_keys if key in previous},
            **raw,
        }

    def convert_checked_tricks(self, checked_hand: Raw) -> tuple[RecordedTrick, ...]:
        """Return the recorded tricks of a hand without faults."""
        return ()

    def fill_in_derived_parts(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return a hand from a form, with the parts that follow from the rules.

        Nothing is validated: impossible parts stay unchanged.
        """
        return dict(raw)

    def normalize_unfinished_hand(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return an unfinished hand from a form, as the log stores it."""
        return self.fill_in_derived_parts(state, raw)

    def list_pieces(self, raw: Raw) -> list[str]:
        """Return the pieces of a hand with tricks, in playing order."""
        return []

    def convert_tricks_to_pieces(self, raw: Raw) -> dict[str, Any]:
        """Return a hand with tricks as it stood when its last piece was played."""
        return {**raw, PLAYED_KEY: self.list_pieces(raw)}

    def parse_auction(
        self, state: MatchState, bids: Sequence[object], faults: Faults
    ) -> AuctionState | None:
        """Return the state of the auction of the next hand after these bids."""
        faults.add("bids", FORMAT, _("This game has no auction."))
        return None

    def parse_pieces(
        self, state: MatchState, raw: Raw, pieces: Sequence[str], faults: Faults
    ) -> PlaySoFar | None:
        """Return the state of a hand after the pieces played so far, in playing order.

        `raw` has the rest of the hand, such as the contract.
        """
        faults.add(PLAYED_KEY, FORMAT, _("You can’t record this game play by play."))
        return None

    def read_lead_or_turn(
        self, state: MatchState, raw: Raw, faults: Faults
    ) -> int | None:
        """Return the seat that leads or deals: from the first hand, else from the match."""
        (key,) = self.lead_keys
        if key not in raw:
            return state.turn
        if state.number:
            faults.add(
                key,
                FORMAT,
                _("Only the first hand can set “%(key)s”. Leave it out here."),
                key=key,
            )
            return state.turn
        return read_seat(raw[key], state.seats, key, faults)

    def next_lead_seats(self, state: MatchState) -> dict[str, int]:
        """Return the leader or dealer of the next hand, by its keys in the match record."""
        return {}

    def turn_after_refused_hand(self, state: MatchState, raw: Raw) -> int | None:
        """Return the turn after a hand that was refused; None if unknown."""
        return None

    def points_needed(self, state: MatchState) -> tuple[int | None, ...]:
        """Return the points that each seat needs to reach the target; None if the game has no target."""
        return (None,) * state.seats

    def explain_tie_break(
        self, state: MatchState, seat: int, other_seat: int
    ) -> Sentence | None:
        """Return why a seat ranks ahead of another with equal points.

        None if the game breaks no ties.
        """
        return None


class TrickGame(Game):
    """A game whose hands can be recorded trick by trick, or by their sums."""

    records_tricks = True
    sum_keys: ClassVar[tuple[str, ...]]
    """Keys of the sums of the tricks."""

    def fill_in_unshown_fields(self, previous: Raw, raw: Raw) -> dict[str, Any]:
        """Return the replacement of a hand, completed with the fields that no form shows.

        These are the leader or dealer, the auction if the contract is unchanged, and
        the tricks if they still add up to the entered sums.
        """
        keys = [*self.lead_keys]
        if raw.get("contract") == previous.get("contract"):
            keys.append("bids")
        contract_and_sums = self._contract_and_sums({**previous, **raw})
        if (
            "tricks" in previous
            and self._contract_and_sums(previous) == contract_and_sums
        ):
            keys += ["trump", "tricks"]
        return {**{key: previous[key] for key in keys if key in previous}, **raw}

    def _contract_and_sums(self, raw: Raw) -> list[Any]:
        """Return the contract and the sums to which recorded tricks belong."""
        contract = raw.get("contract") or {}
        keys = ("trump", *self.sum_keys)
        return [contract.get("bidder"), contract.get("trump"), *map(raw.get, keys)]

    def list_pieces(self, raw: Raw) -> list[str]:
        """Return the pieces of a hand with tricks, in playing order."""
        tricks = self.convert_checked_tricks(raw)
        return [piece for trick in tricks for play in trick.plays for piece in play]

    def convert_tricks_to_pieces(self, raw: Raw) -> dict[str, Any]:
        """Return a hand with tricks as it stood when its last piece was played."""
        other_fields = {
            key: raw[key] for key in raw.keys() - {*self.sum_keys, "tricks"}
        }
        return {**other_fields, PLAYED_KEY: self.list_pieces(raw)}

    def fill_in_derived_parts(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return a hand with tricks if all its pieces were played, else the hand unchanged."""
        raw = self.normalize_unfinished_hand(state, raw)
        if PLAYED_KEY not in raw:
            return raw
        faults = Faults()
        other_fields = {key: value for key, value in raw.items() if key != PLAYED_KEY}
        progress = self.parse_pieces(state, other_fields, raw[PLAYED_KEY], faults)
        if faults.items or progress is None or progress.turn is not None:
            return raw
        return {**other_fields, "tricks": list(progress.tricks)}

    def normalize_unfinished_hand(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return a hand with its auction, if that leads to its contract.

        Its pieces do not become tricks, even after the last one: a hand is over only
        when a player saves it.
        """
        if "bids" not in raw:
            return dict(raw)
        faults = Faults()
        auction = self.parse_auction(state, raw["bids"], faults)
        if auction is not None and not faults.items:
            contract = auction.contract or {}
            if contract and contract.items() <= raw.get("contract", {}).items():
                return dict(raw)
            if auction.is_passed_out and "passed_out" in raw:
                return dict(raw)
        return {key: value for key, value in raw.items() if key != "bids"}

    def convert_checked_trick(self, checked_trick: Any) -> RecordedTrick:
        """Return a recorded trick: a piece from each seat, or a list of pieces."""
        plays = [
            (play,) if isinstance(play, str) else tuple(play) for play in checked_trick
        ]
        return RecordedTrick(tuple(plays))

    def convert_checked_tricks(self, checked_hand: Raw) -> tuple[RecordedTrick, ...]:
        """Return the recorded tricks of a hand without faults."""
        return tuple(map(self.convert_checked_trick, checked_hand.get("tricks", ())))


class DealerGame(Game):
    """A game in which the deal rotates and the player to the dealer's left starts."""

    lead_keys = ("dealer",)

    def next_lead_seats(self, state: MatchState) -> dict[str, int]:
        """Return the dealer and the starter of the next hand."""
        dealer = state.turn or 0
        return {"dealer": dealer, "starter": (dealer + 1) % state.seats}

    def turn_after_refused_hand(self, state: MatchState, raw: Raw) -> int | None:
        """Return the next dealer: the deal rotates even after a refused hand."""
        dealer = raw.get("dealer", state.turn) if state.number == 0 else state.turn
        if not is_seat(dealer, state.seats):
            return None
        return (dealer + 1) % state.seats


def rank_values(values: Sequence[Any]) -> tuple[int, ...]:
    """Return the rank of each value, the highest first; equal values share a rank.

    >>> rank_values([12, 30, 12, 5])
    (2, 1, 2, 4)
    """
    ordered = sorted(values, reverse=True)
    return tuple([ordered.index(value) + 1 for value in values])


def best_seats(values: Sequence[Any]) -> tuple[int, ...]:
    """Return the seats that share the highest value.

    >>> best_seats([3, 9, 9])
    (1, 2)
    """
    highest = max(values)
    return tuple([seat for seat, value in enumerate(values) if value == highest])


def missing_points(target: int, totals: Sequence[int]) -> tuple[int, ...]:
    """Return the difference of each total to `target`, at least 0."""
    return tuple(max(target - total, 0) for total in totals)
