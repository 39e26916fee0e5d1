"""Tricks and Treats: reading, scoring and ending."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.rules.game import (
    End,
    Game,
    HandResult,
    MatchState,
    Raw,
    best_seats,
    rank_values,
)
from scoring.rules.hand import Hand
from scoring.rules.reading import (
    Faults,
    add_number_fault,
    check_keys,
    is_whole,
    read_flag,
    read_list,
    read_object,
    read_tally,
    read_whole,
)
from scoring.rules.results import FORMAT, Explanation, LazyExplanation, TrickResult
from scoring.rules.schema import (
    FLAG,
    Schema,
    integer_schema,
    object_schema,
    seats_schema,
)
from scoring.rules.tricks_and_treats.pieces import (
    CARDS,
    DEFAULT_MIX,
    HELD_KINDS,
    MIXERS,
    NEVER_HELD,
    TOKENS,
    TREATS,
    TRUMP_TOKENS,
    worth,
)
from scoring.rules.tricks_and_treats.tricks import read_trick, trick_result
from scoring.rules.wording import (
    Count,
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

LEFT_AT_END = 10
BOUNDS = "treats.score.bounds"


class Holdings(NamedTuple):
    """The possessions of the players after a deal, by seat, and the tokens left in the grid."""

    claimed: tuple[int, ...]
    """Numbers of claimed trump tokens, which can never be lost."""
    treats: tuple[int, ...]
    """Numbers of treats; a candy counts as one."""
    points: tuple[int, ...]
    """Points for the treats."""
    grid_left: int

    @classmethod
    def empty(cls, seats: int) -> "Holdings":
        """Return the holdings before the first deal."""
        return cls((0,) * seats, (0,) * seats, (0,) * seats, TOKENS - 1)


@dataclass(slots=True, kw_only=True)
class TreatsHand(Hand):
    """A deal of Tricks and Treats, as it was entered."""

    tokens: tuple[int, ...] | None = None
    """By seat, like the treats; None if not entered."""
    treats: tuple[dict[str, int], ...] | None = None
    grid_left: int | None = None


class TricksAndTreats(Game):
    """Tricks and Treats, for three to six players."""

    id = "tricks_and_treats"
    name = "Tricks and Treats"
    seats = range(3, 7)

    def option_defaults(self, seats: int) -> dict[str, Any]:
        return {"treats": dict(DEFAULT_MIX), "shrinking_deck": False}

    def check_option(
        self, name: str, value: object, seats: int, faults: Faults
    ) -> None:
        """Note a fault if the mix does not have 22 treats, three of them mixers (treats.tokens)."""
        if name == "shrinking_deck":
            read_flag(value, "options.shrinking_deck", faults)
            return
        mix = read_object(value, "options.treats", faults)
        if mix is None:
            return
        before = len(faults.listed)
        check_keys(mix, DEFAULT_MIX, faults, "options.treats.")
        for kind, count in mix.items():
            if not is_whole(count) or count < 0:
                words = _("Enter 0 or more.")
                faults.add(f"options.treats.{kind}", FORMAT, words)
        if len(faults.listed) > before:
            return
        if sum(mix.values()) != TREATS or mix.get("mixer") != MIXERS:
            faults.add(
                "options.treats",
                "treats.tokens",
                _(
                    "A mix needs 22 treats, three of them mixers. This one has %(count)s."
                ),
                count=sum(mix.values()),
            )

    def options_schema(self) -> Schema:
        mix = {kind: integer_schema(0, TREATS) for kind in DEFAULT_MIX}
        mix["mixer"] = {"const": MIXERS}
        return object_schema(
            {"treats": object_schema(mix, ("mixer",)), "shrinking_deck": FLAG}
        )

    def hand_schema(self) -> Schema:
        held = object_schema({kind: integer_schema(0) for kind in HELD_KINDS})
        deal = {
            "tokens": seats_schema(integer_schema(0), self.seats),
            "treats": seats_schema(held, self.seats),
            "grid_left": integer_schema(0, TOKENS - 1),
        }
        return object_schema(deal, tuple(deal))

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> TreatsHand:
        before = _holdings_before(state)
        tokens = _read_tokens(raw.get("tokens"), state.seats, before, faults)
        listed = read_list(raw.get("treats"), state.seats, "treats", faults)
        read = [
            _read_treat_counts(held, f"treats[{seat}]", faults)
            for seat, held in enumerate(listed or ())
        ]
        treats = [held for held in read if held is not None]
        mix: Mapping[str, int] = state.options["treats"]
        for kind in HELD_KINDS:
            count = sum(held.get(kind, 0) for held in treats)
            if count > mix.get(kind, 0):
                faults.add(
                    "treats",
                    BOUNDS,
                    _("%(count)s × %(kind)s held, but the game has only %(most)s."),
                    count=count,
                    kind=Word.from_record(kind),
                    most=mix.get(kind, 0),
                )
        left = read_whole(raw.get("grid_left"), "grid_left", faults)
        if left is not None and not faults.listed:
            # With impossible tokens the number left cannot be checked.
            elsewhere = sum(before.claimed) + sum(tokens or ())
            elsewhere += sum(sum(held.values()) for held in treats)
            most = min(TOKENS - 1, TOKENS - elsewhere)
            if left < 0:
                words = _("Enter 0 or more.")
                faults.add("grid_left", "treats.tokens", words)
            elif left > most:
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
            grid_left=left,
        )

    def score(self, state: MatchState, hand: TreatsHand) -> HandResult:
        """Return the scores of the deal (treats.score)."""
        assert hand.tokens is not None
        assert hand.treats is not None
        assert hand.grid_left is not None
        before = _holdings_before(state)
        after = Holdings(
            claimed=tuple(map(int.__add__, before.claimed, hand.tokens)),
            treats=tuple(sum(held.values()) for held in hand.treats),
            points=tuple(worth(held) for held in hand.treats),
            grid_left=hand.grid_left,
        )
        scores: list[int] = []
        lines: list[Explanation] = []
        for seat, claimed in enumerate(hand.tokens):
            scores.append(claimed + after.points[seat] - before.points[seat])
            text = say(
                _("%(claimed)s claimed, treats now worth %(now)s (before: %(then)s)"),
                claimed=tokens_in_words(claimed),
                now=after.points[seat],
                then=before.points[seat],
            )
            lines.append(Explanation(seat, "treats.score", text))
        return HandResult(
            tuple(scores), LazyExplanation(tuple, (lines,)), 0, carry=after
        )

    def end(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[End, Holdings]:
        """Return the end if ten or fewer tokens are left, else the ranks (treats.end)."""
        held: Holdings = result.carry
        standing = list(zip(totals, held.treats, strict=True))
        ranks = rank_values(standing)
        if held.grid_left > LEFT_AT_END:
            return End(ranks), held
        winners = best_seats(standing)
        level = len(best_seats(totals)) > 1
        text = say(
            _("equal on %(points)s and %(treats)s held")
            if len(winners) > 1
            else _("equal on %(points)s, most treats held: %(held)s")
            if level
            else _("the highest total with %(left)s left: %(total)s"),
            total=max(totals),
            points=points_in_words(max(totals)),
            treats=_treats_in_words(standing[winners[0]][1]),
            held=standing[winners[0]][1],
            left=tokens_in_words(held.grid_left),
        )
        seat = winners[0] if len(winners) == 1 else None
        decided = Explanation(seat, "treats.end", text)
        return End(ranks, True, winners, decided), held

    def explain_tie_break(
        self, state: MatchState, seat: int, other: int
    ) -> Sentence | None:
        """Return a sentence on the treats that decide between two seats (treats.end.ranks)."""
        held = _holdings_before(state).treats
        return say(
            _("equal with %(other)s on %(points)s, %(treats)s held against %(fewer)s"),
            other=SeatIndex(other),
            points=points_in_words(state.totals[seat]),
            treats=_treats_in_words(held[seat]),
            fewer=held[other],
        )

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        trick = read_trick(raw, faults)
        return None if trick is None else trick_result(trick, faults)


def _treats_in_words(number: int) -> Count:
    return Count(number, ngettext_noop("treat", "treats"))


def _holdings_before(state: MatchState) -> Holdings:
    held: Holdings | None = state.carry
    return held or Holdings.empty(state.seats)


def _read_tokens(
    raw: object, seats: int, before: Holdings, faults: Faults
) -> list[int] | None:
    tokens = read_tally(raw, seats, "tokens", faults)
    if tokens is None:
        return None
    for seat, claimed in enumerate(tokens):
        if claimed < 0:
            faults.add(
                f"tokens[{seat}]",
                BOUNDS,
                _("Enter 0 or more. Claimed tokens are never lost."),
            )
    tricks = len(CARDS) // seats
    claimed = sum(before.claimed) + sum(tokens)
    if sum(tokens) > tricks:
        faults.add(
            "tokens",
            BOUNDS,
            _(
                "%(claimed)s claimed in a deal of %(tricks)s, at most one for each: "
                "%(over)s too many."
            ),
            claimed=tokens_in_words(sum(tokens)),
            tricks=tricks_in_words(tricks),
            over=sum(tokens) - tricks,
        )
    elif claimed > TRUMP_TOKENS:
        faults.add(
            "tokens",
            BOUNDS,
            _(
                "%(claimed)s tokens claimed in the match, but there are only 60: %(over)s "
                "too many."
            ),
            claimed=claimed,
            over=claimed - TRUMP_TOKENS,
        )
    return tokens


def _read_treat_counts(
    raw: object, field: str, faults: Faults
) -> dict[str, int] | None:
    entered = read_object(raw, field, faults)
    if entered is None:
        return None
    held: dict[str, int] = {}
    for kind, count in entered.items():
        path = f"{field}.{kind}"
        if kind in NEVER_HELD:
            faults.add(
                path,
                BOUNDS,
                _("No one can hold a %(kind)s."),
                kind=Word.from_record(kind),
            )
        elif kind not in HELD_KINDS:
            faults.add(path, FORMAT, _("“%(kind)s” isn’t a treat."), kind=kind)
        elif not is_whole(count):
            add_number_fault(count, path, faults)
        elif count < 0:
            faults.add(path, BOUNDS, _("Enter 0 or more."))
        else:
            held[kind] = count
    return held
