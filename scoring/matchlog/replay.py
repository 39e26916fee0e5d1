"""Replaying a log to get the state of a match."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from scoring.rules import (
    Game,
    MatchRecord,
    MatchState,
    ParsedHand,
    Refusal,
    ScoredHand,
    fill_in_unshown_fields,
    parse_unfinished_hand,
    play,
    start,
)
from scoring.rules.results import EMPTY_SUMS, Sums

FINDINGS = "findings"
"""Key in the body of a `keep` for the table's decision on findings."""
STAND, DIRECTOR = "stand", "director"
"""Accept the findings; call the director."""


COUNTS = "counts"
"""Key in the body of a `conflict` that wants a hand to be void or to count again."""


class ReplayableEntry(Protocol):
    """The attributes of a log entry that the replay reads."""

    @property
    def kind(self) -> str:
        """One of `LogEntry.Kind`."""

    @property
    def hand_number(self) -> int | None:
        """The number of its hand; None if it concerns the whole match."""

    @property
    def body(self) -> Any:
        """The value of `LogEntry.body`."""

    @property
    def version(self) -> int:
        """The position of the entry in its log, from 1."""

    @property
    def base_version(self) -> int | None:
        """The version of the last entry that the author had seen; None if unknown."""

    @property
    def reason(self) -> str:
        """The reason for the entry; the text of a note."""

    @property
    def phone(self) -> str:
        """The phone that sent the entry; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedHand:
    """One hand in its current version."""

    game: Game
    number: int
    state: str
    """`contract`, `played`, `void` or `after_end`."""
    raw: Mapping[str, Any]
    """The hand in the format of the match record."""
    entry: ReplayableEntry
    """The entry with the current version."""
    history: tuple[ReplayableEntry, ...]
    """All entries with this number, in order."""
    proposals: tuple[ReplayableEntry, ...] = ()
    """Different versions from other phones, until someone chooses."""
    notes: tuple[str, ...] = ()
    """The notes on it, the oldest first."""
    scored: ScoredHand | None = None
    sums: Sums
    """The sums of its recorded tricks, even if the hand does not count."""
    hand: ParsedHand
    """The entered hand, parsed by its game."""

    @property
    def findings_decision(self) -> ReplayableEntry | None:
        """Return the entry with the table's decision on broken rules.

        None if there is none since the hand was entered or changed.
        """
        last = [entry for entry in self.history if entry.kind != "note"][-1]
        return last if FINDINGS in (last.body or {}) else None

    @property
    def raw_with_sums(self) -> Mapping[str, Any]:
        """Return `raw` with the sums of its recorded tricks."""
        sums = {key: list(values) for key, values in self.sums.items()}
        return {**sums, **self.raw}

    def fill_in_unshown_fields(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return a correction of the hand, completed by values that no form shows."""
        return fill_in_unshown_fields(self.game, self.raw_with_sums, raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedMatch:
    """A match in the state that results from its log."""

    hands: tuple[ReplayedHand, ...]
    """By number, including void hands and an open contract."""
    states: tuple[MatchState, ...]
    """The state of the match before each hand."""
    state: MatchState

    @property
    def scored_hands(self) -> list[ReplayedHand]:
        return [hand for hand in self.hands if hand.scored is not None]

    def scored_raws(self) -> list[Mapping[str, Any]]:
        """Return the hands that count, in the format of the match record."""
        return [hand.raw for hand in self.scored_hands]

    @property
    def pending_hand(self) -> ReplayedHand | None:
        """Return the hand that has only a contract so far."""
        open_hands = [hand for hand in self.hands if hand.state == "contract"]
        return open_hands[-1] if open_hands else None

    @property
    def conflicting_hands(self) -> list[ReplayedHand]:
        """Return the hands with several versions of which none has been chosen yet."""
        return [hand for hand in self.hands if hand.proposals]

    @property
    def is_over(self) -> bool:
        """Return whether the match has reached its end with no version left to choose."""
        return self.state.finished and not self.conflicting_hands

    @property
    def next_number(self) -> int:
        """Return the number of the next hand to enter."""
        if self.pending_hand is not None:
            return self.pending_hand.number
        return self.hands[-1].number + 1 if self.hands else 1

    @property
    def ranks_by_hand(self) -> Sequence[tuple[int, ...]]:
        """Return the ranks by seat after each scored hand."""
        states_after = zip(self.hands, (*self.states, self.state)[1:], strict=True)
        return [state.ranks for hand, state in states_after if hand.scored]

    def state_before(self, number: int) -> MatchState:
        """Return the state of the match before the hand with this number."""
        pairs = zip(self.hands, self.states, strict=True)
        state = next((s for hand, s in pairs if hand.number >= number), self.state)
        leads = [
            hand.raw[key]
            for hand in self.hands
            for key in state.game.lead_keys
            if key in hand.raw
        ]
        return state if state.number or not leads else state._replace(turn=leads[0])

    def with_entry(self, entry: ReplayableEntry) -> "ReplayedMatch":
        """Return the match with one more entry; hands before its own stay as they are.

        Raises Refusal as `replay` does.
        """
        number = entry.hand_number
        if number is None:
            return self
        hands_before = [hand for hand in self.hands if hand.number < number]
        entries_by_hand = {
            hand.number: _HandEntries.from_history(hand.history)
            for hand in self.hands[len(hands_before) :]
        }
        entries_by_hand.setdefault(number, _HandEntries()).add(entry)
        state = (
            self.states[len(hands_before)]
            if len(hands_before) < len(self.hands)
            else self.state
        )
        return _replay_hands(
            entries_by_hand, state, hands_before, self.states[: len(hands_before)]
        )

    def hand(self, number: int) -> ReplayedHand | None:
        return next((hand for hand in self.hands if hand.number == number), None)


@dataclass(slots=True)
class _HandEntries:
    """The entries so far of the hand with one number."""

    history: list[ReplayableEntry] = field(default_factory=list)
    current: ReplayableEntry | None = None
    void: bool = False
    proposals: list[ReplayableEntry] = field(default_factory=list)
    notes: list[ReplayableEntry] = field(default_factory=list)

    @classmethod
    def from_history(cls, history: Iterable[ReplayableEntry]) -> "_HandEntries":
        entries = cls()
        for entry in history:
            entries.add(entry)
        return entries

    def add(self, entry: ReplayableEntry) -> None:
        self.history.append(entry)
        if entry.kind == "note":
            self._add_note(entry)
        elif entry.kind == "conflict":
            versions = self.proposals if self.void else [self.current, *self.proposals]
            if all(
                version is None or version.body != entry.body for version in versions
            ):
                self.proposals.append(entry)
        elif entry.kind == "keep":
            # Drop the versions that its author had seen; later ones are still to choose
            # from.
            seen_version = entry.base_version
            self.proposals = [
                proposal
                for proposal in self.proposals
                if seen_version is not None and proposal.version > seen_version
            ]
        elif entry.kind != "superseded":
            # The author of a change has seen the other versions.
            self.proposals.clear()
        if entry.kind in ("enter", "replace", "contract"):
            self.current = entry
            # Entering a void hand makes it count again.
            self.void = False
        elif entry.kind in ("void", "restore"):
            self.void = entry.kind == "void"

    def _add_note(self, entry: ReplayableEntry) -> None:
        """Replace the notes that the author had seen; an empty note removes them."""
        seen_version = entry.base_version
        self.notes = [
            note
            for note in self.notes
            if seen_version is not None
            and note.version > seen_version
            and not (note.phone and note.phone == entry.phone)
        ]
        if entry.reason:
            self.notes.append(entry)


def get_conflicting_action(body: object) -> str | None:
    """Return `void` or `restore` if a conflict asks for that; None for a hand."""
    wishes = {False: "void", True: "restore"}
    if not isinstance(body, Mapping) or set(body) != {COUNTS}:
        return None
    return wishes[bool(body[COUNTS])]


def replay(
    game_id: str, seats: int, options: Mapping[str, Any], log: Iterable[ReplayableEntry]
) -> ReplayedMatch:
    """Return the match that results from a log, entry by entry.

    Raises Refusal if a hand is impossible after those before it; its faults have the number of
    the hand in this match.
    """
    entries_by_hand: dict[int, _HandEntries] = {}
    for entry in log:
        if entry.hand_number is not None:
            entries_by_hand.setdefault(entry.hand_number, _HandEntries()).add(entry)
    return _replay_hands(entries_by_hand, start(game_id, seats, options), (), ())


def _replay_hands(
    entries_by_hand: Mapping[int, _HandEntries],
    state: MatchState,
    hands_before: Sequence[ReplayedHand],
    states_before: Sequence[MatchState],
) -> ReplayedMatch:
    """Return the match after `hands_before` and, played from `state` on, the hands in `entries_by_hand`."""
    hands, states = list(hands_before), list(states_before)
    # The first hand names the seat that leads, even if the hand is void.
    first = hands[-1].raw if hands and not state.number else {}
    lead = {key: first[key] for key in state.game.lead_keys if key in first}
    for number in sorted(entries_by_hand):
        entries = entries_by_hand[number]
        assert entries.current is not None
        raw = entries.current.body
        if state.number == 0 and isinstance(raw, Mapping):
            lead |= {key: raw[key] for key in state.game.lead_keys if key in raw}
            raw = {**lead, **raw}
        states.append(state)
        kind, scored = "played", None
        try:
            if entries.void or state.finished:
                kind = "void" if entries.void else "after_end"
                # Such a hand was never validated.
                is_object = isinstance(raw, Mapping)
                hand = (
                    state.game.parse_loosely(state, raw) if is_object else ParsedHand()
                )
            elif entries.current.kind == "contract":
                kind, hand = "contract", parse_unfinished_hand(state, raw)
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
                entry=entries.current,
                history=tuple(entries.history),
                proposals=tuple(entries.proposals),
                notes=tuple(note.reason for note in entries.notes),
                scored=scored,
                sums=scored.sums
                if scored
                else _trick_sums_of_uncounted_hand(states[-1], raw),
                hand=hand,
            )
        )
    return ReplayedMatch(hands=tuple(hands), states=tuple(states), state=state)


def _trick_sums_of_uncounted_hand(state: MatchState, raw: Any) -> Sums:
    """Return the sums of the tricks of a hand that does not count."""
    if not isinstance(raw, Mapping) or "tricks" not in raw:
        return EMPTY_SUMS
    try:
        _state, scored = play(state._replace(finished=False), raw)
    except Refusal:
        return EMPTY_SUMS
    return scored.sums


def build_record(
    game_id: str,
    names: Sequence[str],
    options: Mapping[str, Any],
    replayed: ReplayedMatch,
    meta: Mapping[str, Any] | None = None,
) -> MatchRecord:
    return MatchRecord(
        game=game_id,
        players=tuple(names),
        options=options,
        hands=tuple(replayed.scored_raws()),
        meta=meta,
    )
