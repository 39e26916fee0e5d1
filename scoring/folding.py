"""The state of a match as a fold over its log."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from scoring.rules import (
    Fault,
    MatchState,
    Record,
    Refusal,
    ScoredHand,
    check_contract,
    play,
    start,
)

LEADS = frozenset({"first_bidder", "dealer"})
"""What only the first hand of a record says."""


FINDINGS = "findings"
"""Under which the body of a `keep` says what the table made of findings."""
STAND, DIRECTOR = "stand", "director"
"""Let them stand; call the director."""


COUNTS = "counts"
"""Under which the body of a `propose` wishes that a hand is void, or counts again."""


class Entry(Protocol):
    """What the fold reads of a log entry."""

    @property
    def kind(self) -> str:
        """What the entry does."""

    @property
    def hand_number(self) -> int | None:
        """The hand that it concerns."""

    @property
    def body(self) -> Any:
        """What was entered."""

    @property
    def version(self) -> int:
        """The place of the entry in its log."""

    @property
    def base_version(self) -> int | None:
        """The last entry that its author had seen, where that is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedHand:
    """One hand as the log has it now."""

    number: int
    state: str
    """`contract`, `played`, `void` or `after_end`."""
    raw: Mapping[str, Any]
    """The hand as a match record writes it."""
    entry: Entry
    """The entry that the hand stands on."""
    history: tuple[Entry, ...]
    """Everything that was entered for this number, in order."""
    proposals: tuple[Entry, ...] = ()
    """What other phones have for it that differs, until somebody chooses."""
    scored: ScoredHand | None = None

    @property
    def decision(self) -> Entry | None:
        """Return the entry that says what is to become of a rule that was broken.

        None while nobody has said so since the hand was entered or changed.
        """
        last = self.history[-1] if self.history else None
        return last if last and FINDINGS in (last.body or {}) else None

    @property
    def raw_with_sums(self) -> Mapping[str, Any]:
        """Return the hand with the sums that its recorded tricks add up to."""
        sums = self.scored.sums if self.scored else {}
        return {**{key: list(values) for key, values in sums.items()}, **self.raw}

    def corrected(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was entered in its place, with what no form shows.

        That is who began the match, the auction while its contract stays, and the
        tricks while they come to what was entered.
        """
        before = self.raw_with_sums
        keys = ["first_bidder", "dealer"]
        if raw.get("contract") == before.get("contract"):
            keys.append("bids")
        if "tricks" in before and _lead_to(before) == _lead_to({**before, **raw}):
            keys += ["trump", "tricks"]
        return {**{key: before[key] for key in keys if key in before}, **raw}


def _lead_to(raw: Mapping[str, Any]) -> list[Any]:
    """Return what recorded tricks stand on, and what they come to."""
    contract = raw.get("contract") or {}
    keys = ("trump", "points", "tricks_won", "die_tricks")
    return [contract.get("bidder"), contract.get("trump"), *map(raw.get, keys)]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldedMatch:
    """A match as its log has it now."""

    hands: tuple[FoldedHand, ...]
    """By number, void ones and an open contract included."""
    state: MatchState

    @property
    def scored(self) -> list[FoldedHand]:
        """Return the hands that count."""
        return [hand for hand in self.hands if hand.scored is not None]

    def scored_raws(self) -> list[Mapping[str, Any]]:
        """Return the hands that count as a match record writes them."""
        return [hand.raw for hand in self.scored]

    @property
    def pending(self) -> FoldedHand | None:
        """Return the hand of which only the contract is known so far."""
        open_hands = [hand for hand in self.hands if hand.state == "contract"]
        return open_hands[-1] if open_hands else None

    @property
    def next_number(self) -> int:
        """Return the number that the next hand to be entered has."""
        if self.pending is not None:
            return self.pending.number
        return self.hands[-1].number + 1 if self.hands else 1

    def state_before(self, number: int) -> MatchState:
        """Return how the match stood before the hand with this number."""
        state = self.state
        if any(hand.number >= number for hand in self.scored):
            state = start(state.game.id, state.seats, state.options)
            for hand in self.scored:
                if hand.number < number:
                    state, _scored = play(state, hand.raw)
        leads = [
            hand.raw[key] for hand in self.hands for key in LEADS & hand.raw.keys()
        ]
        return state if state.number or not leads else replace(state, turn=leads[0])

    def hand(self, number: int) -> FoldedHand | None:
        """Return the hand with this number."""
        return next((hand for hand in self.hands if hand.number == number), None)


@dataclass(slots=True)
class _Slot:
    """What the log says so far of the hand with one number."""

    history: list[Entry] = field(default_factory=list)
    standing: Entry | None = None
    void: bool = False
    proposals: list[Entry] = field(default_factory=list)

    def hear(self, entry: Entry) -> None:
        self.history.append(entry)
        if entry.kind == "propose":
            self._hear_proposal(entry)
        elif entry.kind == "keep":
            self._hear_choice(entry)
        elif entry.kind != "late":
            # Whoever changes a hand has seen what else there was.
            self.proposals.clear()
        if entry.kind in ("enter", "replace", "contract"):
            self.standing = entry
            # Whoever says what a void hand was wants it to count.
            self.void = False
        elif entry.kind == "void":
            self.void = True
        elif entry.kind == "restore":
            self.void = False

    def _hear_proposal(self, entry: Entry) -> None:
        known = self.proposals if self.void else [self.standing, *self.proposals]
        if all(one is None or one.body != entry.body for one in known):
            self.proposals.append(entry)

    def _hear_choice(self, entry: Entry) -> None:
        """Let go of what its author had seen; what came since is to be chosen from."""
        seen = entry.base_version
        self.proposals = [
            one for one in self.proposals if seen is not None and one.version > seen
        ]


def wish_in(entry: Entry) -> str | None:
    """Return `void` or `restore` where that is what a proposal wants; None for a hand."""
    wishes = {False: "void", True: "restore"}
    body = entry.body
    if not isinstance(body, Mapping) or set(body) != {COUNTS}:
        return None
    return wishes[bool(body[COUNTS])]


def fold(
    game_id: str, seats: int, options: Mapping[str, Any], log: Iterable[Entry]
) -> FoldedMatch:
    """Return the match that the log tells, entry by entry.

    Raises Refusal where a hand cannot be after those before it; its faults then carry
    the number that the hand has in this match.
    """
    slots: dict[int, _Slot] = {}
    for entry in log:
        if entry.hand_number is not None:
            slots.setdefault(entry.hand_number, _Slot()).hear(entry)
    state = start(game_id, seats, options)
    lead: dict[str, Any] = {}
    hands: list[FoldedHand] = []
    for number in sorted(slots):
        slot = slots[number]
        assert slot.standing is not None
        raw = slot.standing.body
        if state.number == 0 and isinstance(raw, Mapping):
            # Who begins was said by the first hand; should that be void, it still holds.
            lead |= {key: raw[key] for key in LEADS if key in raw}
            raw = {**lead, **raw}
        state, kind, scored = _play_slot(state, slot, raw, number)
        hands.append(
            FoldedHand(
                number=number,
                state=kind,
                raw=raw,
                entry=slot.standing,
                history=tuple(slot.history),
                proposals=tuple(slot.proposals),
                scored=scored,
            )
        )
    return FoldedMatch(hands=tuple(hands), state=state)


def _play_slot(
    state: MatchState, slot: _Slot, raw: Any, number: int
) -> tuple[MatchState, str, ScoredHand | None]:
    assert slot.standing is not None
    if slot.void:
        return state, "void", None
    if state.finished:
        return state, "after_end", None
    try:
        if slot.standing.kind == "contract":
            check_contract(state, raw)
            return state, "contract", None
        after, scored = play(state, raw)
    except Refusal as refusal:
        raise Refusal(_numbered(refusal.faults, number)) from None
    return after, "played", scored


def _numbered(faults: Sequence[Fault], number: int) -> list[Fault]:
    return [fault._replace(hand=number) for fault in faults]


def record_of(
    game_id: str,
    names: Sequence[str],
    options: Mapping[str, Any],
    folded: FoldedMatch,
    meta: Mapping[str, Any] | None = None,
) -> Record:
    """Return the match record of the hands that count."""
    return Record(
        game=game_id,
        players=tuple(names),
        options=options,
        hands=tuple(folded.scored_raws()),
        meta=meta,
    )
