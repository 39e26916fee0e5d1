"""What the rules are asked about a hand that somebody entered, and entries before a match is read."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from scoring.rules import (
    MatchState,
    Refusal,
    begun,
    check_contract,
    complete,
    corrected,
    follow,
    hear_auction,
    play,
    start,
)
from scoring.sync.protocol import UnreadableError, read_entry
from tests.fuzz.attempt import Fault
from tests.fuzz.commands import RECORD_DOCUMENTS
from tests.fuzz.faults import fault_of
from tests.fuzz.hostile import changed, written


class Moment(NamedTuple):
    """A match before one of its hands, and that hand."""

    state: MatchState
    hand: Mapping[str, Any]


def _moments() -> list[Moment]:
    moments = []
    for record in RECORD_DOCUMENTS:
        state = start(record["game"], len(record["players"]), record["options"])
        for hand in record["hands"][:4]:
            moments.append(Moment(state, hand))
            state, _scored = play(state, hand)
    return moments


MOMENTS = _moments()


def _bids(raw: Mapping[str, Any]) -> list[Any]:
    """Return a list, whatever is in it: nobody asks of anything else."""
    bids = raw.get("bids")
    return bids if isinstance(bids, list) else list(raw.values())


ASKED: Mapping[str, Callable[[Moment, Any], object]] = {
    "play": lambda moment, raw: play(moment.state, raw),
    "complete": lambda moment, raw: complete(moment.state, raw),
    "begun": lambda moment, raw: begun(moment.state, raw),
    "corrected": lambda moment, raw: corrected(moment.state.game, moment.hand, raw),
    "check_contract": lambda moment, raw: check_contract(moment.state, raw),
    "follow": lambda moment, raw: follow(moment.state, raw),
    "hear_auction": lambda moment, raw: hear_auction(moment.state, _bids(raw)),
}
"""What a phone's entry and a program's question come to."""


@dataclass(frozen=True)
class Entered:
    """A hand, when it was entered, and what is asked of it."""

    moment: int
    question: str
    content: bytes
    kind: str = "hands"

    def with_content(self, content: bytes) -> "Entered":
        """Return the same with another hand."""
        return replace(self, content=content)

    def play(self, site: object) -> Fault | None:
        """Ask; return what broke."""
        try:
            raw = json.loads(self.content)
        except (ValueError, RecursionError):
            return None
        if not isinstance(raw, dict) and self.question != "play":
            return None
        try:
            ASKED[self.question](MOMENTS[self.moment], raw)
        except Refusal as refusal:
            is_said = all(str(fault.message).strip() for fault in refusal.faults)
            return None if is_said else Fault(f"{self.question} refused without a word")
        except Exception as error:
            return fault_of(error, self.question)
        return None


@dataclass(frozen=True)
class Read:
    """An entry as it comes, before any match is looked for."""

    content: bytes
    kind: str = "entries"

    def with_content(self, content: bytes) -> "Read":
        """Return another entry."""
        return replace(self, content=content)

    def play(self, site: object) -> Fault | None:
        """Read it; return what broke."""
        try:
            read_entry(self.content)
        except UnreadableError as told:
            return (
                None
                if str(told).strip()
                else Fault("an entry was refused without a word")
            )
        except Exception as error:
            return fault_of(error, "read_entry")
        return None


def hand(chance: Random) -> Entered:
    """Return a hand that is hostile somewhere."""
    number = chance.randrange(len(MOMENTS))
    raw: Any = MOMENTS[number].hand
    others: Sequence[Any] = ()
    if chance.random() < 0.2:
        others = [chance.choice(MOMENTS).hand]
    if chance.random() < 0.2:
        pieces = ["played", "bids", "tally", "rerolls", "die_tricks", "contract"]
        raw = {
            **raw,
            chance.choice(pieces): chance.choice(([], {}, [[0, 1]], ["7", "8"], None)),
        }
    question = chance.choice(list(ASKED))
    return Entered(number, question, written(changed(raw, chance, others), chance))


def entry(chance: Random) -> Read:
    """Return an entry that is hostile somewhere."""
    told = {
        "format": "trick-entry",
        "version": 1,
        "key": "3b0c2e52-6d0f-4c0e-8a58-2f2d6f3c8b11",
        "kind": "enter",
        "number": 1,
        "base": 0,
        "body": chance.choice(MOMENTS).hand,
        "made_by": "Ann",
        "phone": "0123456789abcdef",
        "waiting": 1,
        "entered_at": "2026-03-12T20:00:00+01:00",
    }
    return Read(written(changed(told, chance), chance))
