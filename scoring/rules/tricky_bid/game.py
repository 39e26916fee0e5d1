"""Tricky Bid: reading, scoring and ending."""

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
    rank_values,
)
from scoring.rules.hand import ParsedHand, RecordedTrick
from scoring.rules.options import number_option
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_integer,
    read_choice,
    read_each,
    read_integers_by_seat,
    read_object,
    read_seat,
)
from scoring.rules.results import FORMAT, Explanation, LazyExplanation, TrickResult
from scoring.rules.schema import (
    NONE,
    Schema,
    enum_schema,
    integer_schema,
    list_schema,
    object_schema,
    per_seat_schema,
    seat_schema,
    union_schema,
)
from scoring.rules.tricks import PLAYED_KEY, TURNED_PREFIX, PlaySoFar, PointTally
from scoring.rules.tricky_bid.tally import read_tally_points
from scoring.rules.tricky_bid.tricks import (
    CARDS,
    COLOURS,
    DEALS,
    MOST_POINTS,
    Card,
    Trick,
    parse_pieces,
    read_card,
    read_cards,
    tally_tricks,
    trick_result,
)
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say, tricks_in_words


@dataclass(slots=True, kw_only=True)
class TrickyBidHand(ParsedHand):
    """An entered round of Tricky Bid."""

    dealer: int | None = None
    """None if an earlier refused round left that open."""
    points: tuple[int, ...] | None = None
    """By seat, as entered; None if not entered."""
    play_result: PointTally | None = None
    """The result of the play, from points or from tricks."""


class TrickyBid(DealerGame, TrickGame):
    """Tricky Bid, for two to six players."""

    id = "tricky_bid"
    name = "Tricky Bid"
    seats = range(2, 7)
    sum_keys = ("points",)
    options = {
        "multiple": number_option(_("Enter 1 or more."), default=lambda _seats: 1)
    }

    def hand_schema(self) -> Schema:
        card = enum_schema(CARDS)
        trick = object_schema(
            {
                "antes": per_seat_schema(card, self.seats),
                "plays": per_seat_schema(card, self.seats),
                "turned": union_schema(card, NONE),
            },
            ("antes", "plays"),
        )
        counts = [deal.tricks for deal in DEALS.values()]
        hand = object_schema(
            {
                "dealer": seat_schema(self.seats),
                "points": per_seat_schema(integer_schema(0), self.seats),
                "trump": card,
                "tricks": list_schema(trick, min(counts), max(counts)),
            }
        )
        points_or_tricks = union_schema(
            {"required": ["points"]}, {"required": ["tricks"]}
        )
        return {**hand, **points_or_tricks, "dependentRequired": {"tricks": ["trump"]}}

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> TrickyBidHand:
        dealer = self.read_lead_or_turn(state, raw, faults)
        if "tally" in raw:
            # A record has only the sums of a tally, so a tally here is one with faults.
            read_tally_points(raw["tally"], state.seats, faults)
            if faults.items:
                return TrickyBidHand(dealer=dealer)
        points, play_result, tricks = None, None, None
        if "points" in raw:
            points = _read_points(raw["points"], state.seats, faults)
        if "tricks" in raw:
            trump = read_card(raw.get("trump"), "trump", faults)
            tricks = _read_tricks(raw["tricks"], state.seats, faults)
            if trump is not None and tricks is not None:
                play_result = _check_and_tally_tricks(
                    tricks, trump, dealer, points, state.seats, faults
                )
        else:
            if "points" not in raw:
                faults.add("points", FORMAT, _("Enter the points won."))
            if "trump" in raw:
                read_card(raw["trump"], "trump", faults)
            play_result = None if points is None else PointTally(points, ())
        check_keys(raw, ("dealer", "points", "trump", "tricks"), faults)
        return TrickyBidHand(
            dealer=dealer,
            points=points,
            play_result=play_result,
            tricks=() if tricks is None else self.convert_checked_tricks(raw),
        )

    def score(self, state: MatchState, hand: TrickyBidHand) -> HandResult:
        """Return the scores of the round (tricky_bid.score)."""
        dealer, play_result = hand.dealer, hand.play_result
        assert play_result is not None
        return HandResult(
            scores=play_result.points,
            explain=LazyExplanation(_explain_scores, (play_result.points,)),
            turn=None if dealer is None else (dealer + 1) % state.seats,
            findings=play_result.findings,
            tricks=play_result.tricks,
            sums={"points": play_result.points},
        )

    def fill_in_derived_parts(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        completed = super().fill_in_derived_parts(state, raw)
        # Winners without antes are not a tally yet.
        if any(trick.get("antes") for trick in completed.get("tally", ()) if trick):
            faults = Faults()
            points = read_tally_points(completed["tally"], state.seats, faults)
            if faults.items:
                return completed
            completed["points"] = points
        completed.pop("tally", None)
        if "tricks" in completed and PLAYED_KEY in raw:
            completed["trump"] = raw[PLAYED_KEY][0]
        return completed

    def convert_checked_trick(self, checked_trick: Any) -> RecordedTrick:
        plays = tuple((card,) for card in checked_trick["plays"])
        antes, turned = checked_trick["antes"], checked_trick.get("turned")
        return RecordedTrick(plays, tuple(antes), turned or "")

    def list_pieces(self, raw: Raw) -> list[str]:
        tricks = self.convert_checked_tricks(raw)
        cards: list[str] = [raw["trump"]] if tricks else []
        for trick in tricks:
            cards += [*trick.antes, *(card for play in trick.plays for card in play)]
            if trick.turned:
                cards.append(TURNED_PREFIX + trick.turned)
        return cards

    def convert_tricks_to_pieces(self, raw: Raw) -> dict[str, Any]:
        return {
            key: value
            for key, value in super().convert_tricks_to_pieces(raw).items()
            if key in (*self.lead_keys, PLAYED_KEY)
        }

    def parse_pieces(
        self, state: MatchState, raw: Raw, pieces: Sequence[str], faults: Faults
    ) -> PlaySoFar | None:
        dealer = self.read_lead_or_turn(state, raw, faults)
        check_keys(raw, ("dealer",), faults)
        if faults.items or dealer is None:
            return None
        return parse_pieces(pieces, state.seats, (dealer + 1) % state.seats, faults)

    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, None]:
        """Return the end if all rounds are played, else the ranks (tricky_bid.end)."""
        rounds = state.seats * state.options["multiple"]
        if state.number + 1 < rounds:
            return MatchStatus(rank_values(totals)), None
        winners = best_seats(totals)
        text = say(
            _("the highest total after %(rounds)s rounds: %(total)s")
            if len(winners) == 1
            else _("a tie for the highest total after %(rounds)s rounds: %(total)s"),
            rounds=rounds,
            total=max(totals),
        )
        seat = winners[0] if len(winners) == 1 else None
        end_reason = Explanation(seat, "tricky_bid.end", text)
        return MatchStatus(rank_values(totals), True, winners, end_reason), None

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        seats = raw.get("players")
        if not is_integer(seats) or seats not in self.seats:
            faults.add("players", FORMAT, _("Tricky Bid is for 2 to 6 players."))
            return None
        starter = read_seat(raw.get("leader"), seats, "leader", faults)
        trump = read_choice(raw.get("trump"), tuple(COLOURS), "trump", faults)
        antes = None
        if "antes" in raw:
            antes = read_cards(raw["antes"], seats, "antes", faults)
        plays = read_cards(raw.get("plays"), seats, "plays", faults)
        check_keys(
            raw, ("game", "players", "leader", "trump", "antes", "plays"), faults
        )
        field_by_card: dict[Card, str] = {}
        _note_repeats(antes or (), "antes", field_by_card, faults)
        _note_repeats(plays or (), "plays", field_by_card, faults)
        if faults.items or starter is None or trump is None or plays is None:
            return None
        return trick_result(plays, antes, starter, trump)


def _explain_scores(points_by_seat: tuple[int, ...]) -> list[Explanation]:
    return [
        Explanation(
            seat,
            "tricky_bid.score",
            say(_("won antes worth %(points)s"), points=points),
        )
        for seat, points in enumerate(points_by_seat)
    ]


def _read_points(raw: object, seats: int, faults: Faults) -> tuple[int, ...] | None:
    points = read_integers_by_seat(raw, seats, "points", faults)
    if points is None:
        return None
    for seat, seat_points in enumerate(points):
        if seat_points < 0:
            faults.add(
                f"points[{seat}]",
                "tricky_bid.score",
                _("Points can’t be negative. Enter 0 for no antes."),
            )
    total, most = sum(points), MOST_POINTS[seats]
    if total > most:
        faults.add(
            "points",
            "tricky_bid.score",
            _(
                "The points add up to %(total)s, but the antes are worth at most %(most)s."
            ),
            total=total,
            most=most,
        )
    return tuple(points)


def _read_tricks(raw: object, seats: int, faults: Faults) -> list[Trick] | None:
    if not isinstance(raw, (list, tuple)):
        faults.add("tricks", FORMAT, _("This must be a list of tricks."))
        return None
    expected = DEALS[seats].tricks
    if len(raw) != expected:
        faults.add(
            "tricks",
            "tricky_bid.deal",
            _("%(count)s entered, but %(seats)s players play %(expected)s."),
            count=tricks_in_words(len(raw)),
            seats=seats,
            expected=expected,
        )
        return None

    def read_trick(raw: object, field: str, faults: Faults) -> Trick | None:
        trick = read_object(raw, field, faults)
        if trick is None:
            return None
        antes = read_cards(trick.get("antes"), seats, f"{field}.antes", faults)
        plays = read_cards(trick.get("plays"), seats, f"{field}.plays", faults)
        turned = None
        if trick.get("turned") is not None:
            turned = read_card(trick["turned"], f"{field}.turned", faults)
        check_keys(trick, ("antes", "plays", "turned"), faults, f"{field}.")
        return None if antes is None or plays is None else Trick(antes, plays, turned)

    return read_each(raw, "tricks", faults, read_trick)


def _check_and_tally_tricks(
    tricks: list[Trick],
    trump: Card,
    dealer: int | None,
    points: tuple[int, ...] | None,
    seats: int,
    faults: Faults,
) -> PointTally:
    """Return the result of recorded tricks; note impossible cards and points."""
    field_by_card: dict[Card, str] = {trump: "trump"}
    for number, trick in enumerate(tricks):
        field = f"tricks[{number}]"
        _note_repeats(trick.antes, f"{field}.antes", field_by_card, faults)
        _note_repeats(trick.plays, f"{field}.plays", field_by_card, faults)
        if trick.turned is not None:
            _note_repeat(trick.turned, f"{field}.turned", field_by_card, faults)
    colour_count = DEALS[seats].colours
    used_colours = {card.colour for card in field_by_card}
    if len(used_colours) > colour_count:
        faults.add(
            "tricks",
            "tricky_bid.deal",
            _(
                "%(shown)s colours were played, but %(seats)s players use only "
                "%(colours)s."
            ),
            shown=len(used_colours),
            seats=seats,
            colours=colour_count,
        )
    if dealer is None:
        # The starting player is unknown after a refused hand, and so are the winners.
        return PointTally(points or (0,) * seats, ())
    result = tally_tricks(tricks, seats, (dealer + 1) % seats, trump.colour)
    if points is not None and points != result.points:
        faults.add(
            "points",
            "tricky_bid.score",
            _("The tricks give %(points)s. Enter these points or leave them out."),
            points=", ".join(map(str, result.points)),
        )
    return result


def _note_repeats(
    cards: Sequence[Card], field: str, field_by_card: dict[Card, str], faults: Faults
) -> None:
    for place, card in enumerate(cards):
        _note_repeat(card, f"{field}[{place}]", field_by_card, faults)


def _note_repeat(
    card: Card, field: str, field_by_card: dict[Card, str], faults: Faults
) -> None:
    if card not in field_by_card:
        field_by_card[card] = field
        return
    is_trump = field_by_card[card] == "trump"
    faults.add(
        field,
        "tricky_bid.trump" if is_trump else "tricky_bid.pieces",
        _("%(card)s is the trump card, so no one holds it.")
        if is_trump
        else _("%(card)s is already in %(before)s. There’s only one of each."),
        card=card,
        before=field_by_card[card],
    )
