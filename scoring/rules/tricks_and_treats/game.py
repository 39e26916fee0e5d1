"""Tricks and Treats: reading, scoring and ending."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.rules.game import (
    End,
    Game,
    HandResult,
    MatchState,
    Raw,
    best_seats,
    ranks_of,
)
from scoring.rules.hand import Hand
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_whole,
    named_seat,
    note_no_number,
    read_flag,
    read_list,
    read_object,
    read_tally,
    read_whole,
)
from scoring.rules.results import FORMAT, Explanation, Told, TrickResult
from scoring.rules.schema import (
    FLAG,
    Schema,
    at_least,
    by_seat,
    closed,
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


class Held(NamedTuple):
    """What the players have after a deal, by seat, and how much lies in the grid."""

    claimed: tuple[int, ...]
    """Trump tokens, for good."""
    treats: tuple[int, ...]
    """How many treats; a candy is one."""
    points: tuple[int, ...]
    """What the treats are worth."""
    grid_left: int

    @classmethod
    def nothing(cls, seats: int) -> "Held":
        """Return what everybody has before the first deal."""
        return cls((0,) * seats, (0,) * seats, (0,) * seats, TOKENS - 1)


@dataclass(slots=True, kw_only=True)
class Deal(Hand):
    """A deal of Tricks and Treats, as it was entered."""

    tokens: tuple[int, ...] | None = None
    """By seat, as the treats; None where they are not said."""
    treats: tuple[dict[str, int], ...] | None = None
    grid_left: int | None = None


class TricksAndTreats(Game):
    """Tricks and Treats, for three to six players."""

    id = "tricks_and_treats"
    name = "Tricks and Treats"
    seats = range(3, 7)

    def option_defaults(self, seats: int) -> dict[str, Any]:
        """Return the treats as the game has them, and a deck that stays whole."""
        return {"treats": dict(DEFAULT_MIX), "shrinking_deck": False}

    def check_option(
        self, name: str, value: object, seats: int, faults: Faults
    ) -> None:
        """Note a mix that is not of 22 treats, three of them mixers (treats.tokens)."""
        if name == "shrinking_deck":
            read_flag(value, "options.shrinking_deck", faults)
        else:
            _check_mix(value, faults)

    def options_schema(self) -> Schema:
        """Return that of the mix of treats, and of the deck."""
        mix = {kind: at_least(0, TREATS) for kind in DEFAULT_MIX}
        mix["mixer"] = {"const": MIXERS}
        return closed({"treats": closed(mix, ("mixer",)), "shrinking_deck": FLAG})

    def hand_schema(self) -> Schema:
        """Return that of a deal."""
        held = closed({kind: at_least(0) for kind in HELD_KINDS})
        deal = {
            "tokens": by_seat(at_least(0), self.seats),
            "treats": by_seat(held, self.seats),
            "grid_left": at_least(0, TOKENS - 1),
        }
        return closed(deal, tuple(deal))

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> Deal:
        """Return the deal that a document describes."""
        before = _held_before(state)
        tokens = _read_tokens(raw.get("tokens"), state.seats, before, faults)
        treats = _read_treats(raw.get("treats"), state, faults)
        left = read_whole(raw.get("grid_left"), "grid_left", faults)
        if left is not None and not faults.listed:
            # Counted from tokens that cannot be, it would be wrong by itself.
            _check_left(left, tokens, treats, before, faults)
        check_keys(raw, ("tokens", "treats", "grid_left"), faults)
        return Deal(
            tokens=None if tokens is None else tuple(tokens),
            treats=None if treats is None else tuple(treats),
            grid_left=left,
        )

    def score(self, state: MatchState, hand: Deal) -> HandResult:
        """Return what the deal is worth (treats.score)."""
        assert hand.tokens is not None
        assert hand.treats is not None
        assert hand.grid_left is not None
        before = _held_before(state)
        after = Held(
            claimed=tuple(map(int.__add__, before.claimed, hand.tokens)),
            treats=tuple(sum(held.values()) for held in hand.treats),
            points=tuple(worth(held) for held in hand.treats),
            grid_left=hand.grid_left,
        )
        return _score(before, after, hand.tokens)

    def end(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[End, Held]:
        """Return whether ten or fewer tokens are left (treats.end)."""
        held: Held = result.carry
        standing = list(zip(totals, held.treats, strict=True))
        ranks = ranks_of(standing)
        if held.grid_left > LEFT_AT_END:
            return End(ranks), held
        winners = best_seats(standing)
        level = len(best_seats(totals)) > 1
        text = say(
            _("equal on %(points)s and %(treats)s held")
            if len(winners) > 1
            else _("equal on %(points)s; most treats held: %(held)s")
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

    def broke_tie(self, state: MatchState, seat: int, other: int) -> Sentence | None:
        """Return who holds how many treats (treats.end.ranks)."""
        held = _held_before(state).treats
        return say(
            _("equal with %(other)s on %(points)s; %(treats)s held against %(fewer)s"),
            other=named_seat(other),
            points=points_in_words(state.totals[seat]),
            treats=_treats_in_words(held[seat]),
            fewer=held[other],
        )

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        """Return who won one trick."""
        trick = read_trick(raw, faults)
        return None if trick is None else trick_result(trick, faults)


def _treats_in_words(number: int) -> Count:
    return Count(number, ngettext_noop("treat", "treats"))


def _held_before(state: MatchState) -> Held:
    held: Held | None = state.carry
    return held or Held.nothing(state.seats)


def _check_mix(raw: object, faults: Faults) -> None:
    mix = read_object(raw, "options.treats", faults)
    if mix is None:
        return
    before = len(faults.listed)
    check_keys(mix, DEFAULT_MIX, faults, "options.treats.")
    for kind, count in mix.items():
        if not is_whole(count) or count < 0:
            faults.add(
                f"options.treats.{kind}", FORMAT, _("A number from 0 up is expected.")
            )
    if len(faults.listed) > before:
        return
    if sum(mix.values()) != TREATS or mix.get("mixer") != MIXERS:
        faults.add(
            "options.treats",
            "treats.tokens",
            _("There are 22 treats, three of them mixers; this mix has %(count)s."),
            count=sum(mix.values()),
        )


def _read_tokens(
    raw: object, seats: int, before: Held, faults: Faults
) -> list[int] | None:
    tokens = read_tally(raw, seats, "tokens", faults)
    if tokens is None:
        return None
    for seat, claimed in enumerate(tokens):
        if claimed < 0:
            faults.add(
                f"tokens[{seat}]", BOUNDS, _("Tokens are claimed for good; at least 0.")
            )
    tricks = len(CARDS) // seats
    claimed = sum(before.claimed) + sum(tokens)
    if sum(tokens) > tricks:
        faults.add(
            "tokens",
            BOUNDS,
            _(
                "%(claimed)s claimed in a deal of %(tricks)s, each of which "
                "claims one at most: %(over)s fewer."
            ),
            claimed=tokens_in_words(sum(tokens)),
            tricks=tricks_in_words(tricks),
            over=sum(tokens) - tricks,
        )
    elif claimed > TRUMP_TOKENS:
        faults.add(
            "tokens",
            BOUNDS,
            _("%(claimed)s tokens claimed in the match; there are 60: %(over)s fewer."),
            claimed=claimed,
            over=claimed - TRUMP_TOKENS,
        )
    return tokens


def _read_treats(
    raw: object, state: MatchState, faults: Faults
) -> list[dict[str, int]] | None:
    treats = read_list(raw, state.seats, "treats", faults)
    if treats is None:
        return None
    read: list[dict[str, int]] = []
    for seat, held in enumerate(treats):
        treats_held = read_object(held, f"treats[{seat}]", faults)
        if treats_held is not None:
            read.append(_read_held(treats_held, f"treats[{seat}]", faults))
    mix: Mapping[str, int] = state.options["treats"]
    for kind in HELD_KINDS:
        count = sum(held.get(kind, 0) for held in read)
        if count > mix.get(kind, 0):
            faults.add(
                "treats",
                BOUNDS,
                _("%(count)s %(kind)s held; the game has %(most)s."),
                count=count,
                kind=Word.of(kind),
                most=mix.get(kind, 0),
            )
    return read if len(read) == state.seats else None


def _read_held(raw: Mapping[str, Any], field: str, faults: Faults) -> dict[str, int]:
    held: dict[str, int] = {}
    for kind, count in raw.items():
        path = f"{field}.{kind}"
        if kind in NEVER_HELD:
            faults.add(path, BOUNDS, _("A %(kind)s is never held."), kind=Word.of(kind))
        elif kind not in HELD_KINDS:
            faults.add(path, FORMAT, _("“%(kind)s” is no treat."), kind=kind)
        elif not is_whole(count):
            note_no_number(count, path, faults)
        elif count < 0:
            faults.add(path, BOUNDS, _("At least 0 are held."))
        else:
            held[kind] = count
    return held


def _check_left(
    left: int,
    tokens: list[int] | None,
    treats: list[dict[str, int]] | None,
    before: Held,
    faults: Faults,
) -> None:
    elsewhere = sum(before.claimed) + sum(tokens or ())
    elsewhere += sum(sum(held.values()) for held in treats or ())
    most = min(TOKENS - 1, TOKENS - elsewhere)
    if left < 0:
        faults.add("grid_left", "treats.tokens", _("At least 0 tokens are left."))
    elif left > most:
        faults.add(
            "grid_left",
            "treats.tokens",
            _("At most %(most)s can be left; the others lie with the players."),
            most=tokens_in_words(max(most, 0)),
        )


def _score(before: Held, after: Held, tokens: Sequence[int]) -> HandResult:
    scores: list[int] = []
    lines: list[Explanation] = []
    for seat, claimed in enumerate(tokens):
        change = after.points[seat] - before.points[seat]
        scores.append(claimed + change)
        text = say(
            _("%(claimed)s claimed; treats now worth %(now)s, before %(then)s"),
            claimed=tokens_in_words(claimed),
            now=after.points[seat],
            then=before.points[seat],
        )
        lines.append(Explanation(seat, "treats.score", text))
    return HandResult(tuple(scores), Told(tuple, (lines,)), 0, carry=after)
