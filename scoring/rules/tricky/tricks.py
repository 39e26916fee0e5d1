"""Tricky's dice and tricks: winners, missed matches, and hands recorded die by die."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.reading import Faults, read_each
from scoring.rules.results import (
    FORMAT,
    Finding,
    TrickResult,
    WonTrick,
    points_of_tricks,
)
from scoring.rules.tricks import (
    PLAYED,
    Laid,
    PlayedTricks,
    PlaySoFar,
    Turn,
    VisiblePlay,
    chunks,
    missed_follows,
)
from scoring.rules.wording import Count, SeatIndex, ngettext_noop, say
from scoring.rules.wording import gettext_noop as _

KINDS = (4, 6, 8, 10, 12, 20)
"""Faces of the dice (tricky.pieces)."""
DICE_OF_A_KIND = 3
TRICKS = 9


class Die(NamedTuple):
    """A die with the number that it shows."""

    faces: int
    value: int


Play = tuple[Die, Die]
"""The two dice that a player plays in a trick."""

DICE = {
    f"d{faces}:{value}": Die(faces, value)
    for faces in KINDS
    for value in range(1, faces + 1)
}
"""Every die by its text in a record (tricky.pieces)."""


def known_play(raw: object) -> Play | None:
    """Return a player's two dice; None if they are impossible."""
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        return None
    one, other = raw
    first = DICE.get(one) if isinstance(one, str) else None
    second = DICE.get(other) if isinstance(other, str) else None
    return None if first is None or second is None else (first, second)


def read_play(raw: object, field: str, faults: Faults) -> Play | None:
    play = known_play(raw)
    if play is not None:
        return play
    if not isinstance(raw, (list, tuple)):
        faults.add(field, FORMAT, _("This must be a list of two dice."))
        return None
    if len(raw) != 2:
        faults.add(
            field,
            "tricky.trick.lead",
            _("%(count)s entered, but each player plays two dice."),
            count=Count(len(raw), ngettext_noop("die", "dice")),
        )
        return None
    for place, die in enumerate(raw):
        read_die(die, f"{field}[{place}]", faults)
    return None


def read_die(raw: object, field: str, faults: Faults) -> Die | None:
    if raw in (None, ""):
        faults.add(field, FORMAT, _("Enter a die."))
        return None
    if isinstance(raw, str):
        die = DICE.get(raw)
        if die is None:
            faults.add(
                field,
                "tricky.pieces",
                _("“%(die)s” isn’t a die. Write d20:17 for a 17 on a 20-sided die."),
                die=raw[:20],
            )
        return die
    faults.add(field, FORMAT, _("Write a die like “d20:17”."))
    return None


def read_plays(
    raw: object, seats: int, field: str, faults: Faults
) -> list[Play] | None:
    if not isinstance(raw, (list, tuple)):
        faults.add(field, FORMAT, _("This must be a list of plays."))
        return None
    if len(raw) != seats:
        faults.add(
            field,
            "tricky.trick.lead",
            _("%(count)s entered, but each of the %(seats)s players plays once."),
            count=Count(len(raw), ngettext_noop("play", "plays")),
            seats=seats,
        )
        return None
    # Field paths are only built for faults; most tricks have none.
    plays = [play for play in map(known_play, raw) if play is not None]
    return plays if len(plays) == seats else read_each(raw, field, faults, read_play)


def best_play(plays: Sequence[Play], trump: int | None) -> int:
    """Return the position of the play that wins a trick.

    Follows tricky.trick.trump if a trump number shows, else tricky.trick.plain.
    """
    if shows_trump(plays, trump):
        strengths = [_trump_strength(play, trump) for play in plays]
        return strengths.index(max(strengths))
    totals = [first.value + second.value for first, second in plays]
    return totals.index(max(totals))


def shows_trump(plays: Sequence[Play], trump: int | None) -> bool:
    """Return whether a trump number shows in the trick."""
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
    position = best_play(plays, trump)
    winner = (leader + position) % len(plays)
    who = SeatIndex(winner)
    if not shows_trump(plays, trump):
        first, second = plays[position]
        message = say(
            _("%(who)s has the highest total, %(total)s, and no trump was played."),
            who=who,
            total=first.value + second.value,
        )
        return TrickResult(winner, "tricky.trick.plain", message)
    strengths = [_trump_strength(play, trump) for play in plays]
    best = strengths.pop(position)
    rival = max(strengths)
    if rival == (0,):
        message = say(_("Only %(who)s played a trump."), who=who)
    elif best[0] > rival[0]:
        message = say(_("%(who)s played the trump number on both dice."), who=who)
    elif best == rival:
        message = say(_("Equal trumps: %(who)s played first."), who=who)
    else:
        place = next(place for place in (1, 2, 3) if best[place] != rival[place])
        values = {"best": abs(best[place]), "other": abs(rival[place])}
        message = say(_BEATS[place], who=who, **values)
    return TrickResult(winner, "tricky.trick.trump", message)


_BEATS = {
    1: _("Several trumps: %(who)s has the second die %(best)s, which beats %(other)s."),
    2: _("Equal trumps: %(who)s has the larger trump die, d%(best)s beats d%(other)s."),
    3: _(
        "Equal trumps: %(who)s has the smaller second die, d%(best)s beats d%(other)s."
    ),
}
"""The sentence for a tie of trumps, by the index of the value that decides."""


def play_out(
    tricks: Sequence[Sequence[Play]], seats: int, leader: int, trump: int | None
) -> PlayedTricks:
    """Return the result of a hand's tricks; the bidder leads the first.

    Findings name seats that held a matching number and played none (tricky.trick.match).
    """
    won: list[WonTrick] = []
    shown: list[list[VisiblePlay[int]]] = []
    for plays in tricks:
        winner = (leader + best_play(plays, trump)) % seats
        worth = sum([first.value + second.value for first, second in plays])
        first, second = plays[0]
        led = None if trump is None else trump in (first.value, second.value)
        won.append(WonTrick(leader, winner, worth, trump, led))
        shown.append(
            [
                VisiblePlay((leader + place) % seats, {first.value, second.value})
                for place, (first, second) in enumerate(plays)
            ]
        )
        leader = winner
    findings = tuple(
        Finding(
            missed.trick,
            missed.seat,
            "tricky.trick.match",
            say(
                _(
                    "%(who)s could have matched with %(value)s in trick %(trick)s but didn’t."
                ),
                who=SeatIndex(missed.seat),
                value=min(missed.could),
                trick=missed.trick,
            ),
        )
        for missed in missed_follows(shown)
    )
    return PlayedTricks(points_of_tricks(won, seats), findings, tuple(won))


def check_dice(
    tricks: Sequence[Sequence[Play]],
    leaders: Sequence[int],
    seats: int,
    faults: Faults,
) -> None:
    """Note a fault for seats that played more than three dice of a kind (tricky.pieces)."""
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
                        _(
                            "%(who)s plays %(count)s d%(faces)s, but everyone has only three."
                        ),
                        who=SeatIndex((leader + place) % seats),
                        count=kinds[faces],
                        faces=faces,
                    )


def follow(
    words: Sequence[str], seats: int, leader: int, trump: int | None, faults: Faults
) -> PlaySoFar | None:
    """Return the state of the hand after these dice; the bidder leads the first trick.

    `words` are dice as written in a record, two from each player in playing order.
    """
    dice = [
        read_die(word, f"{PLAYED}[{place}]", faults) for place, word in enumerate(words)
    ]
    read = [die for die in dice if die is not None]
    if len(read) > 2 * seats * TRICKS:
        faults.add(
            PLAYED,
            "tricky.trick.lead",
            _("%(count)s entered, but nine tricks have only %(most)s."),
            count=Count(len(read), ngettext_noop("die", "dice")),
            most=2 * seats * TRICKS,
        )
    if faults.listed:
        return None
    used: list[Counter[int]] = [Counter() for _seat in range(seats)]
    tricks: list[list[Play]] = []
    leaders = [leader]
    results: list[TrickResult] = []
    tallies = [(0,) * seats]
    laid: list[Laid] = []
    pairs: list[Play] = []
    for pair in chunks(read, 2):
        seat = (leader + len(pairs)) % seats
        used[seat].update(die.faces for die in pair)
        laid.append(Laid(seat, "play", tuple(map(_format_die, pair))))
        if len(pair) < 2:
            break
        pairs.append((pair[0], pair[1]))
        if len(pairs) == seats:
            result = trick_result(pairs, leader, trump)
            taken = list(tallies[-1])
            leader = result.winner
            taken[leader] += sum(first.value + second.value for first, second in pairs)
            tallies.append(tuple(taken))
            results.append(result)
            leaders.append(leader)
            tricks.append(pairs)
            pairs, laid = [], []
    check_dice([*tricks, pairs], leaders, seats, faults)
    turn = None
    if len(tricks) < TRICKS:
        seat = (leader + len(pairs)) % seats
        # The kinds of which all three dice have been played.
        gone = {faces for faces, count in used[seat].items() if count >= DICE_OF_A_KIND}
        spent = frozenset(word for word, die in DICE.items() if die.faces in gone)
        turn = Turn(seat, "play", spent)
    return PlaySoFar(
        tricks=tuple(
            [list(map(_format_die, play)) for play in plays] for plays in tricks
        ),
        leaders=tuple(leaders[:-1]),
        results=tuple(results),
        laid=tuple(laid),
        turn=turn,
        tallies=tuple(tallies),
    )


def _format_die(die: Die) -> str:
    return f"d{die.faces}:{die.value}"
