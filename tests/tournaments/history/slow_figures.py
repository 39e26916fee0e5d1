"""Figures of bids and tricks, counted slowly from match records alone."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.rules import MatchRecord, MatchState, play, score_trick, start

Raw = Mapping[str, Any]


class SlowTrick(NamedTuple):
    """One trick of a match record."""

    leader: int
    winner: int
    worth: int
    trump_led: bool | None


def slow_tricks(state: MatchState, raw: Raw) -> Iterator[SlowTrick]:
    """Yield the tricks of a hand in order of play."""
    if "tricks" not in raw:
        return
    game, seats = state.game.id, state.seats
    dealer = raw.get("dealer", state.turn)
    leader = raw["contract"]["bidder"] if "contract" in raw else (dealer + 1) % seats
    has_trump = game == "tricky" or "trump" in raw
    trump: Any = raw["contract"]["trump"] if game == "tricky" else raw.get("trump")
    first = leader
    for number, trick in enumerate(raw["tricks"]):
        plays = trick["plays"] if game == "tricky_bid" else trick
        document = {"game": game, "players": seats, "leader": leader, "plays": plays}
        if has_trump:
            document["trump"] = trump[0] if game == "tricky_bid" else trump
        if game == "tricky_bid":
            document["antes"] = trick["antes"]
        result = score_trick(document)
        if game == "tricky":
            worth = sum(int(die.split(":")[1]) for pair in plays for die in pair)
            numbers = {int(die.split(":")[1]) for die in plays[0]}
            is_trump_led = None if trump is None else trump in numbers
        elif game == "tricky_dice":
            worth, is_trump_led = 1, plays[0][1] == trump[1]
        elif game == "tricky_bid":
            worth, is_trump_led = result.ante_won or 0, plays[0][0] == trump[0]
            trump = trick.get("turned") or trump
        else:
            assert not has_trump, f"say here what a trick of {game} is worth"
            worth, is_trump_led = 1, None
        yield SlowTrick(leader, result.winner, worth, is_trump_led)
        leader = result.winner if game != "tricky_bid" else (first + number + 1) % seats


@dataclass
class Figures:
    """All counts, by player's name and game."""

    opening_chances: Counter[Any] = field(default_factory=Counter)
    openings: Counter[Any] = field(default_factory=Counter)
    contracts: dict[Any, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    hands: Counter[Any] = field(default_factory=Counter)
    tricks: Counter[Any] = field(default_factory=Counter)
    leads: Counter[Any] = field(default_factory=Counter)
    trump_leads: Counter[Any] = field(default_factory=Counter)
    last_tricks: Counter[Any] = field(default_factory=Counter)
    most_tricks: Counter[Any] = field(default_factory=Counter)
    highest_worth: Counter[Any] = field(default_factory=Counter)
    longest_auction: int = 0
    contract_results: list[tuple[str, str, int, int, bool]] = field(
        default_factory=list
    )
    """Game, bidder, bid, tricks or points taken, and whether it was made."""

    def count(self, record: MatchRecord) -> None:
        state = start(record.game, len(record.players), record.options)
        for raw in record.hands:
            state_before = state
            state, scored = play(state, raw)
            self._auction(record, raw)
            tricks = list(slow_tricks(state_before, raw))
            self._tricks(record, tricks)
            if "contract" in raw:
                made = scored.scores[raw["contract"]["bidder"]] > 0
                self._contract(record, raw, tricks, made=made)

    def _auction(self, record: MatchRecord, raw: Raw) -> None:
        calls = raw.get("bids", ())
        self.longest_auction = max(self.longest_auction, len(calls))
        for seat, call in calls:
            key = record.players[seat], record.game
            self.opening_chances[key] += 1
            if call != "pass":
                self.openings[key] += 1
                return

    def _tricks(self, record: MatchRecord, tricks: Sequence[SlowTrick]) -> None:
        if not tricks:
            return
        keys = [(name, record.game) for name in record.players]
        self.hands.update(keys)
        for trick in tricks:
            self.tricks[keys[trick.winner]] += 1
            self.leads[keys[trick.leader]] += trick.trump_led is not None
            self.trump_leads[keys[trick.leader]] += trick.trump_led is True
            most = max(self.highest_worth[record.game], trick.worth)
            self.highest_worth[record.game] = most
        self.last_tricks[keys[tricks[-1].winner]] += 1
        [(_seat, most)] = Counter(one.winner for one in tricks).most_common(1)
        self.most_tricks[record.game] = max(self.most_tricks[record.game], most)

    def _contract(
        self, record: MatchRecord, raw: Raw, tricks: Sequence[SlowTrick], *, made: bool
    ) -> None:
        contract = raw["contract"]
        if contract.get("solo"):
            return
        points_by_seat = raw.get("points", raw.get("tricks_won")) or [
            sum(one.worth for one in tricks if one.winner == seat)
            for seat in range(len(record.players))
        ]
        side = {contract["bidder"], contract.get("partner", contract["bidder"])}
        bid = contract.get("bid", contract.get("tricks"))
        points = sum(points_by_seat[seat] for seat in side)
        name = record.players[contract["bidder"]]
        self.contracts[name, record.game].append((bid, points))
        self.contract_results.append((record.game, name, bid, points, made))


def mean(values: Sequence[int]) -> Fraction | None:
    return Fraction(sum(values), len(values)) if values else None
