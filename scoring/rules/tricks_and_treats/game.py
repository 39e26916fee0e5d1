"""Tricks and Treats: reading, scoring and ending."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from scoring.rules.game import (
    Game,
    HandResult,
    MatchState,
    MatchStatus,
    Raw,
    best_seats,
    rank_values,
)
from scoring.rules.hand import ParsedHand
from scoring.rules.options import Option, flag_option
from scoring.rules.reading import (
    Faults,
    add_number_fault,
    check_keys,
    is_integer,
    read_integer,
    read_integers_by_seat,
    read_list,
    read_object,
)
from scoring.rules.results import FORMAT, Explanation, LazyExplanation, TrickResult
from scoring.rules.schema import (
    Schema,
    integer_schema,
    object_schema,
    per_seat_schema,
)
from scoring.rules.tricks_and_treats.pieces import (
    CARDS,
    DEFAULT_MIX,
    HOLDABLE_KINDS,
    MIXERS,
    TOKENS,
    TREATS,
    TRUMP_TOKENS,
    UNHOLDABLE_KINDS,
    treat_points,
)
from scoring.rules.tricks_and_treats.tricks import read_trick, trick_result
from scoring.rules.wording import (
    CountedNoun,
    SeatIndex,
    Sentence,
    Word,
    ngettext_noop,
    points_in_words,
    say,
    tokens_in_words,
    tricks_in_words,
)
from scoring.rules.wording import gettext_noop as _

MOST_LEFT_AT_END = 10
BOUNDS = "treats.score.bounds"


class HoldingsBySeat(NamedTuple):
    """The possessions of the players after a deal, by seat, and the tokens left in the grid."""

    claimed_counts: tuple[int, ...]
    """Numbers of claimed trump tokens, which can never be lost."""
    treat_counts: tuple[int, ...]
    """Numbers of treats; a candy counts as one."""
    treat_points: tuple[int, ...]
    """Points for the treats."""
    grid_left: int

    @classmethod
    def empty(cls, seats: int) -> "HoldingsBySeat":
        """Return the holdings before the first deal."""
        return cls((0,) * seats, (0,) * seats, (0,) * seats, TOKENS - 1)


@dataclass(slots=True, kw_only=True)
class TreatsHand(ParsedHand):
    """A deal of Tricks and Treats, as it was entered."""

    tokens: tuple[int, ...] | None = None
    """By seat, like the treats; None if not entered."""
    treats: tuple[dict[str, int], ...] | None = None
    grid_left: int | None = None


def _check_treat_mix(value: object, field: str, faults: Faults) -> None:
    """Note a fault if the mix does not have 22 treats, three of them mixers (treats.tokens)."""
    mix = read_object(value, field, faults)
    if mix is None:
        return
    fault_count = len(faults.items)
    check_keys(mix, DEFAULT_MIX, faults, f"{field}.")
    for kind, count in mix.items():
        if not is_integer(count) or count < 0:
            faults.add(f"{field}.{kind}", FORMAT, _("Enter 0 or more."))
    if len(faults.items) > fault_count:
        return
    if sum(mix.values()) != TREATS or mix.get("mixer") != MIXERS:
        faults.add(
            field,
            "treats.tokens",
            _("A mix needs 22 treats, three of them mixers. This one has %(count)s."),
            count=sum(mix.values()),
        )


class TricksAndTreats(Game):
    """Tricks and Treats, for three to six players."""

    id = "tricks_and_treats"
    name = "Tricks and Treats"
    seats = range(3, 7)
    options = {
        "treats": Option(
            lambda _seats: dict(DEFAULT_MIX),
            _check_treat_mix,
            object_schema(
                {
                    **{kind: integer_schema(0, TREATS) for kind in DEFAULT_MIX},
                    "mixer": {"const": MIXERS},
                },
                ("mixer",),
            ),
        ),
        "shrinking_deck": flag_option(),
    }

    def hand_schema(self) -> Schema:
        treats_schema = object_schema(
            {kind: integer_schema(0) for kind in HOLDABLE_KINDS}
        )
        deal = {
            "tokens": per_seat_schema(integer_schema(0), self.seats),
            "treats": per_seat_schema(treats_schema, self.seats),
            "grid_left": integer_schema(0, TOKENS - 1),
        }
        return object_schema(deal, tuple(deal))

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> TreatsHand:
        holdings = _holdings_before(state)
        tokens = _read_claimed_counts(raw.get("tokens"), state.seats, holdings, faults)
        raw_treats = read_list(raw.get("treats"), state.seats, "treats", faults)
        parsed_treats = [
            _read_treat_counts(counts, f"treats[{seat}]", faults)
            for seat, counts in enumerate(raw_treats or ())
        ]
        treats = [counts for counts in parsed_treats if counts is not None]
        mix: Mapping[str, int] = state.options["treats"]
        for kind in HOLDABLE_KINDS:
            count = sum(counts.get(kind, 0) for counts in treats)
            if count > mix.get(kind, 0):
                faults.add(
                    "treats",
                    BOUNDS,
                    _("%(count)s × %(kind)s is too many. The game has only %(most)s."),
                    count=count,
                    kind=Word.from_record(kind),
                    most=mix.get(kind, 0),
                )
        grid_left = read_integer(raw.get("grid_left"), "grid_left", faults)
        if grid_left is not None and not faults.items:
            # With impossible tokens the number left cannot be checked.
            count_elsewhere = sum(holdings.claimed_counts) + sum(tokens or ())
            count_elsewhere += sum(sum(counts.values()) for counts in treats)
            most = min(TOKENS - 1, TOKENS - count_elsewhere)
            if grid_left < 0:
                message = _("Enter 0 or more.")
                faults.add("grid_left", "treats.tokens", message)
            elif grid_left > most:
                faults.add(
                    "grid_left",
                    "treats.tokens",
                    _("At most %(most)s can be left. The players have the others."),
                    most=tokens_in_words(max(most, 0)),
                )
        check_keys(raw, ("tokens", "treats", "grid_left"), faults)
        return TreatsHand(
            tokens=None if tokens is None else tuple(tokens),
            treats=tuple(treats) if len(treats) == state.seats else None,
            grid_left=grid_left,
        )

    def score(self, state: MatchState, hand: TreatsHand) -> HandResult:
        """Return the scores of the deal (treats.score)."""
        assert hand.tokens is not None
        assert hand.treats is not None
        assert hand.grid_left is not None
        before = _holdings_before(state)
        after = HoldingsBySeat(
            claimed_counts=tuple(map(int.__add__, before.claimed_counts, hand.tokens)),
            treat_counts=tuple(sum(counts.values()) for counts in hand.treats),
            treat_points=tuple(treat_points(counts) for counts in hand.treats),
            grid_left=hand.grid_left,
        )
        scores: list[int] = []
        lines: list[Explanation] = []
        for seat, token_count in enumerate(hand.tokens):
            scores.append(
                token_count + after.treat_points[seat] - before.treat_points[seat]
            )
            text = say(
                _("%(claimed)s claimed, treats now worth %(now)s (%(then)s before)"),
                claimed=tokens_in_words(token_count),
                now=after.treat_points[seat],
                then=before.treat_points[seat],
            )
            lines.append(Explanation(seat, "treats.score", text))
        return HandResult(
            tuple(scores), LazyExplanation(tuple, (lines,)), 0, carry=after
        )

    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, HoldingsBySeat]:
        """Return the end if ten or fewer tokens are left, else the ranks (treats.end)."""
        holdings: HoldingsBySeat = result.carry
        rank_keys = list(zip(totals, holdings.treat_counts, strict=True))
        ranks = rank_values(rank_keys)
        if holdings.grid_left > MOST_LEFT_AT_END:
            return MatchStatus(ranks), holdings
        winners = best_seats(rank_keys)
        is_tied = len(best_seats(totals)) > 1
        text = say(
            _("tied on %(points)s and %(treats)s")
            if len(winners) > 1
            else _("tied on %(points)s, most treats: %(held)s")
            if is_tied
            else _("the highest total with %(left)s left: %(total)s"),
            total=max(totals),
            points=points_in_words(max(totals)),
            treats=_treats_in_words(rank_keys[winners[0]][1]),
            held=rank_keys[winners[0]][1],
            left=tokens_in_words(holdings.grid_left),
        )
        seat = winners[0] if len(winners) == 1 else None
        end_reason = Explanation(seat, "treats.end", text)
        return MatchStatus(ranks, True, winners, end_reason), holdings

    def explain_tie_break(
        self, state: MatchState, seat: int, other_seat: int
    ) -> Sentence | None:
        """Return a sentence on the treats that decide between two seats (treats.end.ranks)."""
        treat_counts = _holdings_before(state).treat_counts
        return say(
            _("tied with %(other)s on %(points)s, %(treats)s to %(fewer)s"),
            other=SeatIndex(other_seat),
            points=points_in_words(state.totals[seat]),
            treats=_treats_in_words(treat_counts[seat]),
            fewer=treat_counts[other_seat],
        )

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        trick = read_trick(raw, faults)
        return None if trick is None else trick_result(trick, faults)


def _treats_in_words(number: int) -> CountedNoun:
    return CountedNoun(number, ngettext_noop("treat", "treats"))


def _holdings_before(state: MatchState) -> HoldingsBySeat:
    holdings: HoldingsBySeat | None = state.carry
    return holdings or HoldingsBySeat.empty(state.seats)


def _read_claimed_counts(
    raw: object, seats: int, holdings: HoldingsBySeat, faults: Faults
) -> list[int] | None:
    tokens = read_integers_by_seat(raw, seats, "tokens", faults)
    if tokens is None:
        return None
    for seat, token_count in enumerate(tokens):
        if token_count < 0:
            faults.add(
                f"tokens[{seat}]",
                BOUNDS,
                _("Enter 0 or more. Claimed tokens are never lost."),
            )
    tricks = len(CARDS) // seats
    total_claimed = sum(holdings.claimed_counts) + sum(tokens)
    if sum(tokens) > tricks:
        faults.add(
            "tokens",
            BOUNDS,
            _(
                "%(tricks)s bring at most one token each, so %(claimed)s is %(over)s "
                "too many."
            ),
            claimed=tokens_in_words(sum(tokens)),
            tricks=tricks_in_words(tricks),
            over=sum(tokens) - tricks,
        )
    elif total_claimed > TRUMP_TOKENS:
        faults.add(
            "tokens",
            BOUNDS,
            _(
                "There are only 60 tokens, so %(claimed)s claimed in the match is "
                "%(over)s too many."
            ),
            claimed=total_claimed,
            over=total_claimed - TRUMP_TOKENS,
        )
    return tokens


def _read_treat_counts(
    raw: object, field: str, faults: Faults
) -> dict[str, int] | None:
    raw_counts = read_object(raw, field, faults)
    if raw_counts is None:
        return None
    counts: dict[str, int] = {}
    for kind, count in raw_counts.items():
        path = f"{field}.{kind}"
        if kind in UNHOLDABLE_KINDS:
            faults.add(
                path,
                BOUNDS,
                _("No one can hold a %(kind)s."),
                kind=Word.from_record(kind),
            )
        elif kind not in HOLDABLE_KINDS:
            faults.add(path, FORMAT, _("“%(kind)s” isn’t a treat."), kind=kind)
        elif not is_integer(count):
            add_number_fault(count, path, faults)
        elif count < 0:
            faults.add(path, BOUNDS, _("Enter 0 or more."))
        else:
            counts[kind] = count
    return counts
