"""Who could have followed what was led, as a hand's recorded tricks show afterwards."""

from collections import defaultdict
from collections.abc import Sequence, Set
from typing import Generic, NamedTuple, TypeVar

Thing = TypeVar("Thing", int, str)
"""What is followed: a number, a suit, a colour."""


class Shown(NamedTuple, Generic[Thing]):
    """What one seat put into a trick, as far as following goes."""

    seat: int
    shows: Set[Thing]
    """Suits, colours or numbers of what was played."""
    held_besides: Set[Thing] = frozenset()
    """Those of what left the hand before this trick was led, and so was held earlier."""


class Missed(NamedTuple, Generic[Thing]):
    """Somebody who held what was led, and showed none of it."""

    trick: int
    """Counted from 1."""
    place: int
    """In the order of the trick."""
    seat: int
    could: Set[Thing]
    """What of it they held."""


def missed_follows(tricks: Sequence[Sequence[Shown[Thing]]]) -> list[Missed[Thing]]:
    """Return who held what was led and did not follow, in playing order.

    Read backwards, so that what is still to be played is what was held.
    """
    held: dict[int, set[Thing]] = defaultdict(set)
    missed: list[Missed[Thing]] = []
    for number in range(len(tricks), 0, -1):
        plays = tricks[number - 1]
        led = plays[0].shows
        missed[:0] = [
            Missed(number, place, seat, could)
            for place, (seat, shows, _besides) in enumerate(plays)
            if led.isdisjoint(shows) and (could := led & held[seat])
        ]
        for seat, shows, besides in plays:
            held[seat].update(shows, besides)
    return missed
