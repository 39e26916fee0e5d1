"""A hand of Tricky, recorded die by die."""

from collections import Counter
from collections.abc import Sequence

from scoring.rules.piece_by_piece import PLAYED, Laid, PlaySoFar, Turn, chunks
from scoring.rules.reading import Faults
from scoring.rules.results import TrickResult
from scoring.rules.tricky.tricks import (
    DICE,
    DICE_OF_A_KIND,
    TRICKS,
    Die,
    Play,
    check_dice,
    read_die,
    trick_result,
)
from scoring.rules.wording import Count, ngettext_noop
from scoring.rules.wording import gettext_noop as _


def follow(
    words: Sequence[str], seats: int, leader: int, trump: int | None, faults: Faults
) -> PlaySoFar | None:
    """Return the hand as far as it was played; the bidder leads the first trick.

    `words` are dice as a record writes them, two from each player in playing order.
    """
    dice = [
        read_die(word, f"{PLAYED}[{place}]", faults) for place, word in enumerate(words)
    ]
    read = [die for die in dice if die is not None]
    if len(read) > 2 * seats * TRICKS:
        faults.add(
            PLAYED,
            "tricky.trick.lead",
            _("%(count)s entered; nine tricks have %(most)s."),
            count=Count(len(read), ngettext_noop("die", "dice")),
            most=2 * seats * TRICKS,
        )
    if faults.listed:
        return None
    *whole, begun = [*chunks(read, 2 * seats), []]
    if whole and len(whole[-1]) < 2 * seats:
        begun = list(whole.pop())
    tricks = [[(first, second) for first, second in chunks(part, 2)] for part in whole]
    pairs = [(part[0], part[1]) for part in chunks(begun, 2) if len(part) == 2]
    recorded = _play_so_far(tricks, begun, seats, leader, trump)
    leaders = [leader, *(result.winner for result in recorded.results)]
    check_dice([*tricks, pairs], leaders, seats, faults)
    return recorded


def _play_so_far(
    tricks: Sequence[Sequence[Play]],
    begun: Sequence[Die],
    seats: int,
    leader: int,
    trump: int | None,
) -> PlaySoFar:
    taken = [0] * seats
    tallies = [tuple(taken)]
    used: list[Counter[int]] = [Counter() for _seat in range(seats)]
    leaders: list[int] = []
    results: list[TrickResult] = []
    for plays in tricks:
        for place, play in enumerate(plays):
            used[(leader + place) % seats].update(die.faces for die in play)
        leaders.append(leader)
        results.append(trick_result(plays, leader, trump))
        leader = results[-1].winner
        taken[leader] += sum(first.value + second.value for first, second in plays)
        tallies.append(tuple(taken))
    laid = []
    for place, dice in enumerate(chunks(begun, 2)):
        seat = (leader + place) % seats
        used[seat].update(die.faces for die in dice)
        laid.append(Laid(seat, "play", tuple(map(_written, dice))))
    turn = None
    if len(tricks) < TRICKS:
        seat = (leader + len(begun) // 2) % seats
        turn = Turn(seat, "play", _spent(used[seat]))
    return PlaySoFar(
        tricks=tuple([list(map(_written, play)) for play in plays] for plays in tricks),
        leaders=tuple(leaders),
        results=tuple(results),
        laid=tuple(laid),
        turn=turn,
        tallies=tuple(tallies),
    )


def _spent(used: Counter[int]) -> frozenset[str]:
    """Return every face of the kinds of which all three dice are gone."""
    gone = {faces for faces, count in used.items() if count >= DICE_OF_A_KIND}
    return frozenset(word for word, die in DICE.items() if die.faces in gone)


def _written(die: Die) -> str:
    return f"d{die.faces}:{die.value}"
