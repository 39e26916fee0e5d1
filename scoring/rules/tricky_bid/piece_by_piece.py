"""A round of Tricky Bid, recorded card by card, antes included."""

from collections.abc import Sequence
from typing import Any

from scoring.rules.piece_by_piece import PLAYED, TURNED, Laid, PlaySoFar, Turn
from scoring.rules.reading import Faults
from scoring.rules.results import TrickResult
from scoring.rules.tricky_bid.tricks import (
    CARDS,
    DEALS,
    Card,
    ante_won,
    best_card,
    read_card,
    trick_result,
)
from scoring.rules.wording import gettext_noop as _


class _Round:
    """The cards of a round, heard one after the other."""

    def __init__(self, seats: int, starter: int) -> None:
        self.seats, self.starter = seats, starter
        self.trump: Card | None = None
        self.trumps: list[str] = []
        self.tricks: list[dict[str, Any]] = []
        self.results: list[TrickResult] = []
        self.antes: list[Card] = []
        self.plays: list[Card] = []
        self.taken = [0] * seats
        self.tallies = [tuple(self.taken)]
        self.seen: dict[Card, int] = {}

    @property
    def leader(self) -> int:
        """Who starts the trick that is played (tricky_bid.trick.lead)."""
        return (self.starter + len(self.tricks)) % self.seats

    @property
    def is_over(self) -> bool:
        return len(self.tricks) == DEALS[self.seats].tricks

    def hear(self, card: Card, *, turned: bool) -> None:
        if turned or self.trump is None:
            self._turn(card)
        elif len(self.antes) < self.seats:
            self.antes.append(card)
        else:
            self.plays.append(card)
            if len(self.plays) == self.seats:
                self.trumps.append(str(self.trump))
                self._close(self.trump.colour)

    def _turn(self, card: Card) -> None:
        if self.tricks:
            self.tricks[-1]["turned"] = str(card)
        self.trump = card

    def _close(self, trump: str) -> None:
        position = best_card(self.plays, trump)
        winner = (self.leader + position) % self.seats
        self.results.append(trick_result(self.plays, self.antes, self.leader, trump))
        self.taken[winner] += ante_won(self.antes, position)
        self.tallies.append(tuple(self.taken))
        self.tricks.append(
            {
                "antes": list(map(str, self.antes)),
                "plays": list(map(str, self.plays)),
            }
        )
        self.antes, self.plays = [], []

    @property
    def may_turn(self) -> bool:
        """Tell whether the trick just won may bring a new trump."""
        begun = self.antes or self.plays
        return bool(self.tricks and not begun and "turned" not in self.tricks[-1])

    def turn(self) -> Turn | None:
        if self.is_over:
            return None
        spent = self._spent()
        if self.trump is None:
            return Turn(self.leader, "trump", spent)
        asks = "ante" if len(self.antes) < self.seats else "play"
        down = len(self.antes if asks == "ante" else self.plays)
        return Turn((self.leader + down) % self.seats, asks, spent)

    def _spent(self) -> frozenset[str]:
        """Return the cards that were seen, and colours that are not in play."""
        colours = {card.colour for card in self.seen}
        all_known = len(colours) == DEALS[self.seats].colours
        return frozenset(
            word
            for word, card in CARDS.items()
            if card in self.seen or (all_known and card.colour not in colours)
        )

    def laid(self) -> tuple[Laid, ...]:
        return tuple(
            Laid((self.leader + place) % self.seats, asks, (str(card),))
            for asks, cards in (("ante", self.antes), ("play", self.plays))
            for place, card in enumerate(cards)
        )


def follow(
    words: Sequence[str], seats: int, starter: int, faults: Faults
) -> PlaySoFar | None:
    """Return the round as far as it was played.

    `words` are cards as a record writes them: the one turned for trump, then for each
    trick everybody's antes and everybody's plays. After a trick `+` stands before the
    card that its winner turned (tricky_bid.trick.change).
    """
    round_ = _Round(seats, starter)
    for place, word in enumerate(words):
        field = f"{PLAYED}[{place}]"
        turned = word.startswith(TURNED)
        card = read_card(word.removeprefix(TURNED), field, faults)
        if card is None or not _fits(round_, card, field, faults, turned=turned):
            return None
        round_.seen[card] = place
        round_.hear(card, turned=turned)
    return PlaySoFar(
        tricks=tuple(round_.tricks),
        leaders=tuple((starter + turn) % seats for turn in range(len(round_.tricks))),
        results=tuple(round_.results),
        laid=round_.laid(),
        turn=round_.turn(),
        tallies=tuple(round_.tallies),
        trump=str(round_.trump or ""),
        trumps=tuple(round_.trumps),
        may_turn=round_.may_turn and not round_.is_over,
    )


def _fits(
    round_: _Round, card: Card, field: str, faults: Faults, *, turned: bool
) -> bool:
    """Tell whether the card can come now, else note why it cannot."""
    if card in round_.seen:
        faults.add(
            field,
            "tricky_bid.pieces",
            _("%(card)s is there already; there is one of each."),
            card=card,
        )
    elif turned and not round_.may_turn:
        faults.add(
            field,
            "tricky_bid.trick.change",
            _("A new trump is turned after a trick, once: %(card)s cannot be."),
            card=card,
        )
    elif round_.is_over and not turned:
        faults.add(
            field,
            "tricky_bid.deal",
            _("All %(tricks)s tricks are there; %(card)s is one card too many."),
            tricks=DEALS[round_.seats].tricks,
            card=card,
        )
    return not faults.listed
