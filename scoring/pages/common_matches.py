"""How the people of a match did in all the matches that they played together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

from scoring.models import Match, Seat
from scoring.rules.names import same_name_key


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRecord:
    """What one of the people reached in the matches of all of them."""

    name: str
    wins: int
    mean_rank: float
    ahead: Sequence[int | None]
    """In how many matches they ranked ahead of each of the people; None in their own place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedMatches:
    matches: Sequence[Match]
    """The finished matches of all these people, in the given order."""
    people: Sequence[PlayerRecord]
    """Most wins first; empty before the first finished match."""


def find_common_matches(
    names: Sequence[str], matches: Iterable[Match]
) -> SharedMatches:
    """Return the finished matches in which all these people sat, and how they did.

    Names count as in one match: equal but for upper and lower case. Matches with more people
    count as well. The matches must be fetched with their seats.
    """
    keys = [same_name_key(name) for name in names]
    found: list[tuple[Match, dict[str, Seat]]] = []
    for match in matches:
        seats = {same_name_key(seat.name): seat for seat in match.seats.all()}
        if match.finished and seats.keys() >= set(keys):
            found.append((match, seats))
    if not found:
        return SharedMatches(matches=(), people=())
    wins = {key: sum(seats[key].won for _match, seats in found) for key in keys}
    rank_sums = {key: sum(seats[key].rank for _match, seats in found) for key in keys}
    ahead = {
        pair: sum(seats[pair[0]].rank < seats[pair[1]].rank for _match, seats in found)
        for pair in permutations(keys, 2)
    }
    order = sorted(keys, key=lambda key: (-wins[key], rank_sums[key]))
    names_by_key = dict(zip(keys, names, strict=True))
    return SharedMatches(
        matches=[match for match, _seats in found],
        people=[
            PlayerRecord(
                name=names_by_key[key],
                wins=wins[key],
                mean_rank=rank_sums[key] / len(found),
                ahead=[ahead.get((key, other)) for other in order],
            )
            for key in order
        ],
    )
