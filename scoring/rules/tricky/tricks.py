"""Tricky's dice and tricks: who wins, and who could have matched."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.following import Shown, missed_follows
from scoring.rules.reading import Faults, named_seat, read_each
from scoring.rules.results import (
    FORMAT,
    Finding,
    TrickResult,
    WonTrick,
    points_of_tricks,
)
from scoring.rules.wording import Count, Sentence, ngettext_noop, say
from scoring.rules.wording import gettext_noop as _

KINDS = (4, 6, 8, 10, 12, 20)
"""Faces of the dice (tricky.pieces)."""
DICE_OF_A_KIND = 3
TRICKS = 9


class Die(NamedTuple):
    """A die that shows a number."""

    faces: int
    value: int


Play = tuple[Die, Die]
"""The two dice that a player puts into a trick."""

DICE = {
    f"d{faces}:{value}": Die(faces, value)
    for faces in KINDS
    for value in range(1, faces + 1)
}
"""Every die as a record writes it (tricky.pieces)."""


def known_play(raw: object) -> Play | None:
    """Return a player's two dice; None where they cannot be."""
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        return None
    one, other = raw
    first = DICE.get(one) if isinstance(one, str) else None
    second = DICE.get(other) if isinstance(other, str) else None
    return None if first is None or second is None else (first, second)


def read_play(raw: object, field: str, faults: Faults) -> Play | None:
    """Return a player's two dice, else note what is wrong with them."""
    play = known_play(raw)
    if play is not None:
        return play
    if not isinstance(raw, (list, tuple)):
        faults.add(field, FORMAT, _("A list of two dice is expected here."))
        return None
    if len(raw) != 2:
        faults.add(
            field,
            "tricky.trick.lead",
            _("%(count)s entered; each player puts two dice into a trick."),
            count=Count(len(raw), ngettext_noop("die", "dice")),
        )
        return None
    for place, die in enumerate(raw):
        read_die(die, f"{field}[{place}]", faults)
    return None


def read_die(raw: object, field: str, faults: Faults) -> Die | None:
    """Return the die, else note what is wrong with it."""
    if raw in (None, ""):
        faults.add(field, FORMAT, _("A die is missing here."))
        return None
    if isinstance(raw, str):
        die = DICE.get(raw)
        if die is None:
            faults.add(
                field,
                "tricky.pieces",
                _("“%(die)s” is no die: write d20:17 for a 17 on twenty faces."),
                die=raw[:20],
            )
        return die
    faults.add(field, FORMAT, _("A die is written as in “d20:17”."))
    return None


def read_plays(
    raw: object, seats: int, field: str, faults: Faults
) -> list[Play] | None:
    """Return the plays of a trick in playing order, else note what is wrong."""
    if not isinstance(raw, (list, tuple)):
        faults.add(field, FORMAT, _("A list of plays is expected here."))
        return None
    if len(raw) != seats:
        faults.add(
            field,
            "tricky.trick.lead",
            _("%(count)s entered; each of the %(seats)s players plays once."),
            count=Count(len(raw), ngettext_noop("play", "plays")),
            seats=seats,
        )
        return None
    # Where nothing is wrong nobody asks where it stands.
    plays = [play for play in map(known_play, raw) if play is not None]
    return plays if len(plays) == seats else read_each(raw, field, faults, read_play)


def best_play(plays: Sequence[Play], trump: int | None) -> int:
    """Return the position of the play that wins a trick.

    Follows tricky.trick.trump where a trump number shows, else tricky.trick.plain.
    """
    if shows_trump(plays, trump):
        strengths = [_trump_strength(play, trump) for play in plays]
        return strengths.index(max(strengths))
    totals = [first.value + second.value for first, second in plays]
    return totals.index(max(totals))


def shows_trump(plays: Sequence[Play], trump: int | None) -> bool:
    """Tell whether a trump number shows in the trick."""
    return trump in [die.value for play in plays for die in play]


def _trump_strength(play: Play, trump: int | None) -> tuple[int, ...]:
    first, second = play
    if first.value == trump and second.value == trump:
        trump_die, second_die = (
            (first, second) if first.faces >= second.faces else (second, first)
        )
        return 2, trump_die.value, trump_die.faces, -second_die.faces
    if first.value == trump:
        return 1, second.value, first.faces, -second.faces
    if second.value == trump:
        return 1, first.value, second.faces, -first.faces
    return (0,)


def trick_result(plays: Sequence[Play], leader: int, trump: int | None) -> TrickResult:
    """Return who won the trick, and why."""
    position = best_play(plays, trump)
    winner = (leader + position) % len(plays)
    if shows_trump(plays, trump):
        why = _why_trump(plays, position, trump, winner)
        return TrickResult(winner, "tricky.trick.trump", why)
    first, second = plays[position]
    message = say(
        _("%(who)s has the highest total, %(total)s, and no trump shows."),
        who=named_seat(winner),
        total=first.value + second.value,
    )
    return TrickResult(winner, "tricky.trick.plain", message)


def _why_trump(
    plays: Sequence[Play], position: int, trump: int | None, winner: int
) -> Sentence:
    """Return by what the winner's trump was the best."""
    strengths = [_trump_strength(play, trump) for play in plays]
    best = strengths.pop(position)
    rival = max(strengths)
    who = named_seat(winner)
    if rival == (0,):
        return say(_("%(who)s alone played a trump."), who=who)
    if best[0] > rival[0]:
        return say(_("%(who)s played the trump number on both dice."), who=who)
    differing = [place for place in (1, 2, 3) if best[place] != rival[place]]
    if not differing:
        return say(_("Equal trumps: %(who)s played first."), who=who)
    place = differing[0]
    values = {"best": abs(best[place]), "other": abs(rival[place])}
    return say(_BEATS[place], who=who, **values)


_BEATS = {
    1: _("Several trumps: %(who)s has the second die %(best)s, which beats %(other)s."),
    2: _("Equal trumps: %(who)s has the larger trump die, d%(best)s beats d%(other)s."),
    3: _(
        "Equal trumps: %(who)s has the smaller second die, d%(best)s beats d%(other)s."
    ),
}
"""What decides between trumps, by its place in their strengths."""


class PlayedTricks(NamedTuple):
    """What nine tricks came to."""

    points: tuple[int, ...]
    """Numbers on the dice taken, by seat (tricky.score.points)."""
    findings: tuple[Finding, ...]
    tricks: tuple[WonTrick, ...] = ()


def play_out(
    tricks: Sequence[Sequence[Play]], seats: int, leader: int, trump: int | None
) -> PlayedTricks:
    """Return what the tricks of a hand came to, the bidder leading the first."""
    won: list[WonTrick] = []
    for plays in tricks:
        winner = (leader + best_play(plays, trump)) % seats
        worth = sum([first.value + second.value for first, second in plays])
        first, second = plays[0]
        led = None if trump is None else trump in (first.value, second.value)
        won.append(WonTrick(leader, winner, worth, trump, led))
        leader = winner
    findings = _revokes(tricks, [trick.leader for trick in won], seats)
    return PlayedTricks(points_of_tricks(won, seats), findings, tuple(won))


def _revokes(
    tricks: Sequence[Sequence[Play]], leaders: Sequence[int], seats: int
) -> tuple[Finding, ...]:
    """Return who held a matching number and played none (tricky.trick.match)."""
    shown = [
        [
            Shown((leader + place) % seats, {first.value, second.value})
            for place, (first, second) in enumerate(plays)
        ]
        for leader, plays in zip(leaders, tricks, strict=True)
    ]
    return tuple(
        _revoke(missed.trick, missed.seat, min(missed.could))
        for missed in missed_follows(shown)
    )


def _revoke(trick: int, seat: int, value: int) -> Finding:
    message = say(
        _("%(who)s held a %(value)s in trick %(trick)s and did not match."),
        who=named_seat(seat),
        value=value,
        trick=trick,
    )
    return Finding(trick, seat, "tricky.trick.match", message)


def check_dice(
    tricks: Sequence[Sequence[Play]],
    leaders: Sequence[int],
    seats: int,
    faults: Faults,
) -> None:
    """Note who played more than three dice of a kind (tricky.pieces)."""
    used = [dict.fromkeys(KINDS, 0) for _seat in range(seats)]
    for number, (leader, plays) in enumerate(zip(leaders, tricks, strict=True)):
        for place, (first, second) in enumerate(plays):
            kinds = used[(leader + place) % seats]
            one, other = first.faces, second.faces
            kinds[one] += 1
            kinds[other] += 1
            if kinds[one] <= DICE_OF_A_KIND and kinds[other] <= DICE_OF_A_KIND:
                continue
            for faces in {one, other}:
                if kinds[faces] > DICE_OF_A_KIND:
                    faults.add(
                        f"tricks[{number}][{place}]",
                        "tricky.pieces",
                        _("%(who)s plays %(count)s d%(faces)s; each has three."),
                        who=named_seat((leader + place) % seats),
                        count=kinds[faces],
                        faces=faces,
                    )
