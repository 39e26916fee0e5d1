"""The table's referee: a hand that is being played, told piece by piece."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from scoring.retelling import SUIT_SIGNS, tell_piece
from scoring.rules import Laid, MatchState, Recorded, Refusal, Turn
from scoring.rules import record as follow
from scoring.rules.reading import seats_from
from scoring.rules.tricky_dice.bidding import SOLO_TRICKS

Raw = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidLine:
    """What one seat has put into the trick, as the table says it."""

    seat: int
    name: str
    pieces: str
    is_ante: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickLine:
    """A trick that is complete, as the table says it."""

    number: int
    winner: str
    why: str
    clause: str
    laid: Sequence[LaidLine]
    ante_won: int | None
    """What the antes brought; None in games without."""
    turned: str
    """The card that its winner turned for a new trump; empty for none."""
    tally: Sequence[tuple[str, int]]
    """What everybody had after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayView:
    """A hand as far as it was played."""

    faults: Sequence[str] = ()
    tricks: Sequence[TrickLine] = ()
    laid: Sequence[LaidLine] = ()
    asks: str = ""
    """Who is to do what; empty once the hand is complete."""
    aid: str = ""
    """What to keep in mind: trump, what was led."""
    tally: Sequence[tuple[str, int]] = ()
    goal: str = ""
    """How far the bidding side is; empty without a contract."""
    spent: str = ""
    """Pieces that cannot be tapped, between spaces."""
    opens: str = ""
    """The key whose pieces most players put down now."""
    may_turn: bool = False
    waits: bool = False
    """Whether something has to be said before the first piece."""

    @property
    def last(self) -> TrickLine | None:
        """Return the trick that was just won; None while the next is played."""
        return self.tricks[-1] if self.tricks and not self.laid else None


def play_view(state: MatchState, raw: Raw, names: Sequence[str]) -> PlayView:
    """Return a hand as far as it was played; `raw` has its pieces under `played`."""
    try:
        seen = follow(state, raw)
    except Refusal as refusal:
        faults = [fault.message.spoken(names, gettext) for fault in refusal.faults]
        return PlayView(faults=faults)
    game = state.game.id
    return PlayView(
        tricks=trick_lines(game, seen, names),
        laid=[_laid_line(game, laid, names) for laid in seen.laid],
        asks=_asks(game, seen.turn, seen.laid, names) if seen.turn else "",
        aid=_aid(game, raw, seen) if seen.turn else "",
        tally=list(zip(names, seen.taken, strict=True)),
        goal=_goal(raw.get("contract"), seen.taken, names),
        spent=" ".join(sorted(seen.turn.spent)) if seen.turn else "",
        opens=_opens(game, seen),
        may_turn=seen.may_turn,
    )


def trick_lines(game: str, seen: Recorded, names: Sequence[str]) -> list[TrickLine]:
    """Return the complete tricks of a hand, as the table says them."""
    return [
        _trick_line(game, seen, number, names) for number in range(len(seen.tricks))
    ]


def _trick_line(
    game: str, seen: Recorded, number: int, names: Sequence[str]
) -> TrickLine:
    trick, judged = seen.tricks[number], seen.judged[number]
    antes = trick["antes"] if isinstance(trick, Mapping) else []
    plays = trick["plays"] if isinstance(trick, Mapping) else trick
    turned = trick.get("turned", "") if isinstance(trick, Mapping) else ""
    seats = seats_from(seen.leaders[number], len(names))
    laid = [
        Laid(seat, asks, (play,) if isinstance(play, str) else tuple(play))
        for asks, pieces in (("ante", antes), ("play", plays))
        for seat, play in zip(seats, pieces, strict=False)
    ]
    return TrickLine(
        number=number + 1,
        winner=names[judged.winner],
        why=judged.message.spoken(names, gettext),
        clause=judged.clause,
        laid=[_laid_line(game, one, names) for one in laid],
        ante_won=judged.ante_won,
        turned=tell_piece(game, turned) if turned else "",
        tally=list(zip(names, seen.tallies[number + 1], strict=True)),
    )


def _laid_line(game: str, laid: Laid, names: Sequence[str]) -> LaidLine:
    return LaidLine(
        seat=laid.seat,
        name=names[laid.seat],
        pieces=" ".join(tell_piece(game, piece) for piece in laid.pieces),
        is_ante=laid.asks == "ante",
    )


def _asks(game: str, turn: Turn, laid: Sequence[Laid], names: Sequence[str]) -> str:
    name = {"name": names[turn.seat]}
    if turn.asks == "trump":
        return gettext("Which card was turned for trump?")
    if turn.asks == "ante":
        return gettext("%(name)s: ante?") % name
    if game == "tricky" and laid and len(laid[-1].pieces) == 1:
        return gettext("%(name)s: second die?") % name
    if game == "tricky":
        return gettext("%(name)s: two dice?") % name
    return gettext("%(name)s: played?") % name


def _led(seen: Recorded) -> Sequence[str]:
    """Return what was led to the trick; empty before."""
    played = [laid for laid in seen.laid if laid.asks == "play"]
    return played[0].pieces if played else ()


def _aid(game: str, raw: Raw, seen: Recorded) -> str:
    led = _led(seen)
    told = [_trump(game, raw, seen)]
    if game == "tricky" and len(led) == 2:
        numbers = " / ".join(key for key, _ in groupby(p.split(":")[1] for p in led))
        told.append(gettext("Led: %(led)s; match one of them.") % {"led": numbers})
    elif game != "tricky" and led:
        values = {"led": tell_piece(game, led[0])}
        told.append(gettext("Led: %(led)s; follow if you can.") % values)
    return " ".join(filter(None, told))


def _trump(game: str, raw: Raw, seen: Recorded) -> str:
    if game == "tricky":
        trump = raw["contract"]["trump"]
        if trump is None:
            return gettext("No trump.")
        return gettext("Trump: %(trump)s.") % {"trump": trump}
    if game == "tricky_dice":
        rank, suit = tell_piece(game, raw["trump"])[:-1], raw["trump"][1]
        values = {"suit": SUIT_SIGNS[suit], "rank": rank}
        return (
            gettext("Trump: %(suit)s; %(rank)s is the highest, above the ace.") % values
        )
    if not seen.trump:
        return ""
    return gettext("Trump: %(trump)s.") % {"trump": tell_piece(game, seen.trump)}


def _goal(contract: Raw | None, taken: Sequence[int], names: Sequence[str]) -> str:
    if not contract:
        return ""
    side = [contract["bidder"], contract.get("partner")]
    seats = [seat for seat in side if seat is not None]
    values = {
        "names": " + ".join(names[seat] for seat in seats),
        "taken": sum(taken[seat] for seat in seats),
        "bid": contract.get("bid", contract.get("tricks", SOLO_TRICKS)),
    }
    return gettext("%(names)s: %(taken)s of %(bid)s") % values


def _opens(game: str, seen: Recorded) -> str:
    """Return the key of the suit or colour that was led, where one is followed."""
    led = _led(seen)
    if game == "tricky" or not led or seen.turn is None:
        return ""
    return led[0][0] if game == "tricky_bid" else led[0][1]
