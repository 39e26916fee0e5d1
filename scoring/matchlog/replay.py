"""The state of a match: its log, replayed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from scoring.rules import (
    Game,
    Hand,
    MatchState,
    Record,
    Refusal,
    ScoredHand,
    check_contract,
    corrected_hand,
    play,
    start,
)
from scoring.rules.results import NO_SUMS, Sums

FINDINGS = "findings"
"""Under which the body of a `keep` says what the table made of findings."""
STAND, DIRECTOR = "stand", "director"
"""Let them stand; call the director."""


COUNTS = "counts"
"""Under which the body of a `conflict` wishes that a hand is void, or counts again."""


class ReplayEntry(Protocol):
    """What the replay reads of a log entry."""

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
class ReplayedHand:
    """One hand as the log has it now."""

    game: Game
    number: int
    state: str
    """`contract`, `played`, `void` or `after_end`."""
    raw: Mapping[str, Any]
    """The hand as a match record writes it."""
    entry: ReplayEntry
    """The entry that the hand stands on."""
    history: tuple[ReplayEntry, ...]
    """Everything that was entered for this number, in order."""
    proposals: tuple[ReplayEntry, ...] = ()
    """What other phones have for it that differs, until somebody chooses."""
    scored: ScoredHand | None = None
    sums: Sums
    """What its recorded tricks add up to, also if it does not count."""
    hand: Hand
    """What was entered, as its game parsed it."""

    @property
    def decision(self) -> ReplayEntry | None:
        """Return the entry that says what is to become of a rule that was broken.

        None while nobody has said so since the hand was entered or changed.
        """
        last = self.history[-1]
        return last if FINDINGS in (last.body or {}) else None

    @property
    def raw_with_sums(self) -> Mapping[str, Any]:
        """Return the hand with the sums that its recorded tricks add up to."""
        sums = {key: list(values) for key, values in self.sums.items()}
        return {**sums, **self.raw}

    def corrected(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was entered in its place, with what no form shows."""
        return corrected_hand(self.game, self.raw_with_sums, raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedMatch:
    """A match as its log has it now."""

    hands: tuple[ReplayedHand, ...]
    """By number, void ones and an open contract included."""
    states: tuple[MatchState, ...]
    """How the match stood before each of them."""
    state: MatchState

    @property
    def scored(self) -> list[ReplayedHand]:
        return [hand for hand in self.hands if hand.scored is not None]

    def scored_raws(self) -> list[Mapping[str, Any]]:
        """Return the hands that count as a match record writes them."""
        return [hand.raw for hand in self.scored]

    @property
    def pending(self) -> ReplayedHand | None:
        """Return the hand of which only the contract is known so far."""
        open_hands = [hand for hand in self.hands if hand.state == "contract"]
        return open_hands[-1] if open_hands else None

    @property
    def undecided(self) -> list[ReplayedHand]:
        """Return the hands with two versions, of which none is chosen yet."""
        return [hand for hand in self.hands if hand.proposals]

    @property
    def is_over(self) -> bool:
        """Tell whether the match is over: at its end, with nothing left to be chosen."""
        return self.state.finished and not self.undecided

    @property
    def next_number(self) -> int:
        """Return the number that the next hand to be entered has."""
        if self.pending is not None:
            return self.pending.number
        return self.hands[-1].number + 1 if self.hands else 1

    @property
    def ranks_by_hand(self) -> Sequence[tuple[int, ...]]:
        """Return the ranks by seat after each scored hand."""
        after = zip(self.hands, (*self.states, self.state)[1:], strict=True)
        return [state.ranks for hand, state in after if hand.scored]

    def state_before(self, number: int) -> MatchState:
        """Return how the match stood before the hand with this number."""
        later = zip(self.hands, self.states, strict=True)
        state = next((s for hand, s in later if hand.number >= number), self.state)
        leads = [
            hand.raw[key]
            for hand in self.hands
            for key in state.game.leads
            if key in hand.raw
        ]
        return state if state.number or not leads else state._replace(turn=leads[0])

    def with_entry(self, entry: ReplayEntry) -> "ReplayedMatch":
        """Return the match with one more entry; hands before its own stay as they are.

        Raises Refusal as `replay` does.
        """
        number = entry.hand_number
        if number is None:
            return self
        before = [hand for hand in self.hands if hand.number < number]
        slots = {
            hand.number: _Slot.from_history(hand.history)
            for hand in self.hands[len(before) :]
        }
        slots.setdefault(number, _Slot()).add(entry)
        state = (
            self.states[len(before)] if len(before) < len(self.hands) else self.state
        )
        return _play_slots(slots, state, before, self.states[: len(before)])

    def hand(self, number: int) -> ReplayedHand | None:
        return next((hand for hand in self.hands if hand.number == number), None)


@dataclass(slots=True)
class _Slot:
    """What the log says so far of the hand with one number."""

    history: list[ReplayEntry] = field(default_factory=list)
    standing: ReplayEntry | None = None
    void: bool = False
    proposals: list[ReplayEntry] = field(default_factory=list)

    @classmethod
    def from_history(cls, history: Iterable[ReplayEntry]) -> "_Slot":
        slot = cls()
        for entry in history:
            slot.add(entry)
        return slot

    def add(self, entry: ReplayEntry) -> None:
        self.history.append(entry)
        if entry.kind == "conflict":
            known = self.proposals if self.void else [self.standing, *self.proposals]
            if all(other is None or other.body != entry.body for other in known):
                self.proposals.append(entry)
        elif entry.kind == "keep":
            # Let go of what its author had seen; what came since is to be chosen from.
            seen = entry.base_version
            self.proposals = [
                proposal
                for proposal in self.proposals
                if seen is not None and proposal.version > seen
            ]
        elif entry.kind != "superseded":
            # Whoever changes a hand has seen what else there was.
            self.proposals.clear()
        if entry.kind in ("enter", "replace", "contract"):
            self.standing = entry
            # Whoever says what a void hand was wants it to count.
            self.void = False
        elif entry.kind in ("void", "restore"):
            self.void = entry.kind == "void"


def read_void_wish(body: object) -> str | None:
    """Return `void` or `restore` where that is what a conflict wants; None for a hand."""
    wishes = {False: "void", True: "restore"}
    if not isinstance(body, Mapping) or set(body) != {COUNTS}:
        return None
    return wishes[bool(body[COUNTS])]


def replay(
    game_id: str, seats: int, options: Mapping[str, Any], log: Iterable[ReplayEntry]
) -> ReplayedMatch:
    """Return the match that results from a log, entry by entry.

    Raises Refusal where a hand cannot be after those before it; its faults then carry
    the number that the hand has in this match.
    """
    slots: dict[int, _Slot] = {}
    for entry in log:
        if entry.hand_number is not None:
            slots.setdefault(entry.hand_number, _Slot()).add(entry)
    return _play_slots(slots, start(game_id, seats, options), (), ())


def _play_slots(
    slots: Mapping[int, _Slot],
    state: MatchState,
    hands_before: Sequence[ReplayedHand],
    states_before: Sequence[MatchState],
) -> ReplayedMatch:
    """Return the match after those hands and, from `state` on, these."""
    hands, states = list(hands_before), list(states_before)
    # Who begins was said by the first hand; should that be void, it still holds.
    first = hands[-1].raw if hands and not state.number else {}
    lead = {key: first[key] for key in state.game.leads if key in first}
    for number in sorted(slots):
        slot = slots[number]
        assert slot.standing is not None
        raw = slot.standing.body
        if state.number == 0 and isinstance(raw, Mapping):
            lead |= {key: raw[key] for key in state.game.leads if key in raw}
            raw = {**lead, **raw}
        states.append(state)
        kind, scored = "played", None
        try:
            if slot.void or state.finished:
                kind = "void" if slot.void else "after_end"
                # Nobody checked it.
                is_object = isinstance(raw, Mapping)
                hand = state.game.parse_loosely(state, raw) if is_object else Hand()
            elif slot.standing.kind == "contract":
                kind, hand = "contract", check_contract(state, raw)
            else:
                state, scored = play(state, raw)
                hand = scored.hand
        except Refusal as refusal:
            faults = [fault._replace(hand=number) for fault in refusal.faults]
            raise Refusal(faults) from None
        hands.append(
            ReplayedHand(
                game=state.game,
                number=number,
                state=kind,
                raw=raw,
                entry=slot.standing,
                history=tuple(slot.history),
                proposals=tuple(slot.proposals),
                scored=scored,
                sums=scored.sums if scored else _uncounted_sums(states[-1], raw),
                hand=hand,
            )
        )
    return ReplayedMatch(hands=tuple(hands), states=tuple(states), state=state)


def _uncounted_sums(state: MatchState, raw: Any) -> Sums:
    """Return what the tricks of a hand that does not count add up to."""
    if not isinstance(raw, Mapping) or "tricks" not in raw:
        return NO_SUMS
    try:
        _after, scored = play(state._replace(finished=False), raw)
    except Refusal:
        return NO_SUMS
    return scored.sums


def build_record(
    game_id: str,
    names: Sequence[str],
    options: Mapping[str, Any],
    replayed: ReplayedMatch,
    meta: Mapping[str, Any] | None = None,
) -> Record:
    return Record(
        game=game_id,
        players=tuple(names),
        options=options,
        hands=tuple(replayed.scored_raws()),
        meta=meta,
    )
