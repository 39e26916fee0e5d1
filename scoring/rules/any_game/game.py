"""Any game: reading, scoring and ending."""

from dataclasses import dataclass

from scoring.rules.game import (
    DealerGame,
    Game,
    HandResult,
    MatchState,
    MatchStatus,
    Options,
    Raw,
    missing_points,
)
from scoring.rules.hand import ParsedHand
from scoring.rules.names import find_name_fault
from scoring.rules.options import Option, flag_option, number_option
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_integer,
    read_flag,
    read_integers_by_seat,
    read_list,
)
from scoring.rules.results import FORMAT, Explanation, Fault, LazyExplanation
from scoring.rules.schema import (
    FLAG,
    NONE,
    Schema,
    integer_schema,
    object_schema,
    per_seat_schema,
    seat_schema,
    union_schema,
)
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

MOST_POINTS = 1_000_000
"""The most points of a hand, won or lost; also the highest target."""
MOST_HANDS = 1000
LONGEST_TITLE = 40
UP_TO = _("Enter a number from 1 to %(most)s, or leave the field empty.")


@dataclass(slots=True, kw_only=True)
class AnyGameHand(ParsedHand):
    """A hand of any game as it was entered."""

    dealer: int | None = None
    """None if an earlier refused hand left that open."""
    points: tuple[int, ...] = ()
    """By seat."""
    ends_match: bool = False


def _check_title(value: object, field: str, faults: Faults) -> None:
    if not isinstance(value, str) or len(value) > LONGEST_TITLE:
        faults.add(
            field,
            FORMAT,
            _("Enter a title of at most %(most)s characters."),
            most=LONGEST_TITLE,
        )
    elif value and (fault := find_name_fault(value)):
        faults.items.append(Fault(field, FORMAT, fault))


class AnyGame(DealerGame):
    """Any game for two to eight players."""

    id = "any_game"
    name = _("Any game")
    seats = range(2, 9)
    has_comparable_hands = False
    options = {
        "title": Option(
            lambda _seats: "",
            _check_title,
            {"type": "string", "maxLength": LONGEST_TITLE},
        ),
        "lowest_wins": flag_option(),
        "target": number_option(UP_TO, most=MOST_POINTS),
        "hands": number_option(UP_TO, most=MOST_HANDS),
        "bids": flag_option(),
    }

    def variant_for_options(self, options: Options) -> Game:
        return FEWEST_POINTS if options.get("lowest_wins") is True else self

    def hand_schema(self) -> Schema:
        number = integer_schema(-MOST_POINTS, MOST_POINTS)
        return object_schema(
            {
                "dealer": seat_schema(self.seats),
                "bids": per_seat_schema(union_schema(number, NONE), self.seats),
                "points": per_seat_schema(number, self.seats),
                "ended": FLAG,
            },
            ("points",),
        )

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> AnyGameHand:
        has_bids = state.options["bids"]
        allowed_keys = ("dealer", "points", "ended", *(("bids",) if has_bids else ()))
        dealer = self.read_lead_or_turn(state, raw, faults)
        bids: tuple[int | None, ...] = ()
        if has_bids and "bids" in raw:
            bids = _read_bids(raw["bids"], state.seats, faults)
        points = read_integers_by_seat(raw.get("points"), state.seats, "points", faults)
        for seat, number in enumerate(points or ()):
            _check_number_bounds(number, f"points[{seat}]", "any_game.score", faults)
        ends_match = _read_ends_match(state, raw, faults)
        check_keys(raw, allowed_keys, faults)
        return AnyGameHand(
            dealer=dealer,
            points=tuple(points or ()),
            seat_bids=bids,
            ends_match=ends_match,
        )

    def parse_loosely(self, state: MatchState, raw: Raw) -> AnyGameHand:
        # The options are not always known here, so bids are read whenever there are any.
        return self.parse(
            state._replace(options={**state.options, "bids": True}), raw, Faults()
        )

    def score(self, state: MatchState, hand: AnyGameHand) -> HandResult:
        """Return the points as entered (any_game.score), and the next dealer (any_game.dealer)."""
        dealer = hand.dealer
        return HandResult(
            scores=hand.points,
            explain=LazyExplanation(_explain_scores, (hand.points, hand.seat_bids)),
            turn=None if dealer is None else (dealer + 1) % state.seats,
            carry=hand.ends_match,
        )

    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, None]:
        """Return the end at the target, after the last hand or when agreed; else the ranks (any_game.end)."""
        ranks = self.rank_points(totals)
        options = state.options
        target = options["target"]
        has_ended = (
            result.carry
            or (target is not None and max(totals) >= target)
            or state.number + 1 == options["hands"]
        )
        if not has_ended:
            return MatchStatus(ranks), None
        winners = tuple([seat for seat, rank in enumerate(ranks) if rank == 1])
        is_shared = len(winners) > 1
        if self.fewest_points_win:
            template = (
                _("a tie for the lowest total: %(total)s")
                if is_shared
                else _("the lowest total: %(total)s")
            )
        else:
            template = (
                _("a tie for the highest total: %(total)s")
                if is_shared
                else _("the highest total: %(total)s")
            )
        end_reason = Explanation(
            None if is_shared else winners[0],
            "any_game.end.ranks",
            say(template, total=totals[winners[0]]),
        )
        return MatchStatus(ranks, True, winners, end_reason), None

    def points_needed(self, state: MatchState) -> tuple[int | None, ...]:
        """Return the points that each seat needs to reach the target; None if that loses."""
        target = state.options["target"]
        if target is None or self.fewest_points_win:
            return (None,) * state.seats
        return missing_points(target, state.totals)


class AnyGameFewestPoints(AnyGame):
    """Any game in which the lowest total wins."""

    fewest_points_win = True


FEWEST_POINTS = AnyGameFewestPoints()


def is_open_ended(options: Options) -> bool:
    """Return whether the players decide when the match ends."""
    return options["target"] is None and options["hands"] is None


def _read_bids(raw: object, seats: int, faults: Faults) -> tuple[int | None, ...]:
    bids = read_list(raw, seats, "bids", faults) or ()
    valid_bids: list[int | None] = []
    for seat, bid in enumerate(bids):
        field = f"bids[{seat}]"
        if bid is not None and not is_integer(bid):
            faults.add(field, FORMAT, _("Enter a whole number."))
        else:
            if bid is not None:
                _check_number_bounds(bid, field, "any_game.bid", faults)
            valid_bids.append(bid)
    return tuple(valid_bids) if len(valid_bids) == seats else ()


def _check_number_bounds(number: int, field: str, clause: str, faults: Faults) -> None:
    if abs(number) > MOST_POINTS:
        faults.add(
            field,
            clause,
            _("Enter a number from %(least)s to %(most)s."),
            least=-MOST_POINTS,
            most=MOST_POINTS,
        )


def _read_ends_match(state: MatchState, raw: Raw, faults: Faults) -> bool:
    """Return whether this hand ends a match of open length (any_game.end.agreed)."""
    is_last = "ended" in raw and read_flag(raw["ended"], "ended", faults)
    if is_last and not is_open_ended(state.options):
        faults.add(
            "ended",
            "any_game.end.agreed",
            _(
                "This match ends at its target or after its last hand. Leave out “ended”."
            ),
        )
    return is_last


def _explain_scores(
    points: tuple[int, ...], bids: tuple[int | None, ...]
) -> list[Explanation]:
    return [
        Explanation(
            seat,
            "any_game.score",
            say(_("scored %(points)s"), points=seat_points)
            if not bids or bids[seat] is None
            else say(
                _("bid %(bid)s, scored %(points)s"), bid=bids[seat], points=seat_points
            ),
        )
        for seat, seat_points in enumerate(points)
    ]
