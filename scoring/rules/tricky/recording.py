"""A hand of Tricky, recorded die by die."""

from collections import Counter
from collections.abc import Sequence

from scoring.rules.reading import Faults
from scoring.rules.recording import PLAYED, Laid, Recorded, Turn, chunks
from scoring.rules.results import JudgedTrick
from scoring.rules.tricky.tricks import (
    DICE,
    DICE_OF_A_KIND,
    TRICKS,
    Die,
    Play,
    check_dice,
    judge_trick,
    read_die,
)
from scoring.rules.wording import gettext_noop as _


def record(
    words: Sequence[str], seats: int, leader: int, trump: int | None, faults: Faults
) -> Recorded | None:
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
            _("%(count)s dice entered; nine tricks have %(most)s."),
            count=len(read),
            most=2 * seats * TRICKS,
        )
    if faults.found:
        return None
    *whole, begun = [*chunks(read, 2 * seats), []]
    if whole and len(whole[-1]) < 2 * seats:
        begun = list(whole.pop())
    tricks = [[(one, other) for one, other in chunks(part, 2)] for part in whole]
    pairs = [(part[0], part[1]) for part in chunks(begun, 2) if len(part) == 2]
    check_dice([*tricks, *([pairs] if pairs else [])], seats, leader, trump, faults)
    return _follow(tricks, begun, seats, leader, trump)


def _follow(
    tricks: Sequence[Sequence[Play]],
    begun: Sequence[Die],
    seats: int,
    leader: int,
    trump: int | None,
) -> Recorded:
    taken = [0] * seats
    tallies = [tuple(taken)]
    used: list[Counter[int]] = [Counter() for _seat in range(seats)]
    leaders: list[int] = []
    judged: list[JudgedTrick] = []
    for plays in tricks:
        for place, play in enumerate(plays):
            used[(leader + place) % seats].update(die.faces for die in play)
        leaders.append(leader)
        judged.append(judge_trick(plays, leader, trump))
        leader = judged[-1].winner
        taken[leader] += sum(one.value + other.value for one, other in plays)
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
    return Recorded(
        tricks=tuple([list(map(_written, play)) for play in plays] for plays in tricks),
        leaders=tuple(leaders),
        judged=tuple(judged),
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
