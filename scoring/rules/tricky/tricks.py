"""Tricky's dice and tricks: winners, missed matches, and hands recorded die by die."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.reading import Faults, read_each
from scoring.rules.results import (
    FORMAT,
    RuleBreachFinding,
    TrickResult,
    WonTrick,
    sum_worth_by_winner,
)
from scoring.rules.tricks import (
    PLAYED_KEY,
    LaidPieces,
    NextTurn,
    PlayFeatures,
    PlaySoFar,
    PointTally,
    find_missed_follows,
    split_into_chunks,
)
from scoring.rules.wording import CountedNoun, SeatIndex, ngettext_noop, say
from scoring.rules.wording import gettext_noop as _

KINDS = (4, 6, 8, 10, 12, 20)
"""Faces of the dice (tricky.pieces)."""
DICE_OF_A_KIND = 3
TRICKS = 9


class Die(NamedTuple):
    """A die with the number that it shows."""

    faces: int
    value: int


DicePair = tuple[Die, Die]
"""The two dice that a player plays in a trick."""

DICE = {
    f"d{faces}:{value}": Die(faces, value)
    for faces in KINDS
    for value in range(1, faces + 1)
}
"""Every die by its text in a record (tricky.pieces)."""


def parse_dice_pair_or_none(raw: object) -> DicePair | None:
    """Return a player's two dice; None if they are impossible."""
    if not isinstance(raw, (list, tuple)) or len(raw) != 2:
        return None
    first_text, second_text = raw
    first = DICE.get(first_text) if isinstance(first_text, str) else None
    second = DICE.get(second_text) if isinstance(second_text, str) else None
    return None if first is None or second is None else (first, second)


def read_dice_pair(raw: object, field: str, faults: Faults) -> DicePair | None:
    play = parse_dice_pair_or_none(raw)
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
            count=CountedNoun(len(raw), ngettext_noop("die", "dice")),
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
) -> list[DicePair] | None:
    if not isinstance(raw, (list, tuple)):
        faults.add(field, FORMAT, _("This must be a list of plays."))
        return None
    if len(raw) != seats:
        faults.add(
            field,
            "tricky.trick.lead",
            _("%(count)s entered, but each of the %(seats)s players plays once."),
            count=CountedNoun(len(raw), ngettext_noop("play", "plays")),
            seats=seats,
        )
        return None
    # Field paths are only built for faults; most tricks have none.
    plays = [play for play in map(parse_dice_pair_or_none, raw) if play is not None]
    return (
        plays if len(plays) == seats else read_each(raw, field, faults, read_dice_pair)
    )


def best_play_position(plays: Sequence[DicePair], trump: int | None) -> int:
    """Return the position of the play that wins a trick.

    Follows tricky.trick.trump if a trump number shows, else tricky.trick.plain.
    """
    if shows_trump(plays, trump):
        strengths = [_trump_strength(play, trump) for play in plays]
        return strengths.index(max(strengths))
    totals = [first.value + second.value for first, second in plays]
    return totals.index(max(totals))


def shows_trump(plays: Sequence[DicePair], trump: int | None) -> bool:
    """Return whether a trump number shows in the trick."""
    return trump in [die.value for play in plays for die in play]


def _trump_strength(play: DicePair, trump: int | None) -> tuple[int, ...]:
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


def trick_result(
    plays: Sequence[DicePair], leader: int, trump: int | None
) -> TrickResult:
    position = best_play_position(plays, trump)
    winner = (leader + position) % len(plays)
    player = SeatIndex(winner)
    if not shows_trump(plays, trump):
        first, second = plays[position]
        message = say(
            _("%(who)s has the highest total, %(total)s, and no trump was played."),
            who=player,
            total=first.value + second.value,
        )
        return TrickResult(winner, "tricky.trick.plain", message)
    strengths = [_trump_strength(play, trump) for play in plays]
    best = strengths.pop(position)
    rival = max(strengths)
    if rival == (0,):
        message = say(_("Only %(who)s played a trump."), who=player)
    elif best[0] > rival[0]:
        message = say(_("%(who)s played the trump number on both dice."), who=player)
    elif best == rival:
        message = say(_("Equal trumps: %(who)s played first."), who=player)
    else:
        place = next(place for place in (1, 2, 3) if best[place] != rival[place])
        values = {"best": abs(best[place]), "other": abs(rival[place])}
        message = say(_TIE_TEMPLATES[place], who=player, **values)
    return TrickResult(winner, "tricky.trick.trump", message)


_TIE_TEMPLATES = {
    1: _("Several trumps: %(who)s’s second die shows %(best)s, which beats %(other)s."),
    2: _(
        "Equal trumps: %(who)s has the larger trump die (d%(best)s beats d%(other)s)."
    ),
    3: _(
        "Equal trumps: %(who)s has the smaller second die (d%(best)s beats d%(other)s)."
    ),
}
"""The sentence for a tie of trumps, by the index of the value that decides."""


def tally_tricks(
    tricks: Sequence[Sequence[DicePair]], seats: int, leader: int, trump: int | None
) -> PointTally:
    """Return the result of a hand's tricks; the bidder leads the first.

    Findings name seats that held a matching number and played none (tricky.trick.match).
    """
    won_tricks: list[WonTrick] = []
    visible_tricks: list[list[PlayFeatures[int]]] = []
    for plays in tricks:
        winner = (leader + best_play_position(plays, trump)) % seats
        worth = sum([first.value + second.value for first, second in plays])
        first, second = plays[0]
        is_trump_led = None if trump is None else trump in (first.value, second.value)
        won_tricks.append(WonTrick(leader, winner, worth, trump, is_trump_led))
        visible_tricks.append(
            [
                PlayFeatures((leader + place) % seats, {first.value, second.value})
                for place, (first, second) in enumerate(plays)
            ]
        )
        leader = winner
    findings = tuple(
        RuleBreachFinding(
            missed.trick,
            missed.seat,
            "tricky.trick.match",
            say(
                _(
                    "%(who)s could have matched the %(value)s in trick %(trick)s but "
                    "didn’t."
                ),
                who=SeatIndex(missed.seat),
                value=min(missed.matching),
                trick=missed.trick,
            ),
        )
        for missed in find_missed_follows(visible_tricks)
    )
    return PointTally(
        sum_worth_by_winner(won_tricks, seats), findings, tuple(won_tricks)
    )


def check_dice_counts(
    tricks: Sequence[Sequence[DicePair]],
    leaders: Sequence[int],
    seats: int,
    faults: Faults,
) -> None:
    """Note a fault for seats that played more than three dice of a kind (tricky.pieces)."""
    counts_by_seat = [dict.fromkeys(KINDS, 0) for _seat in range(seats)]
    for number, (leader, plays) in enumerate(zip(leaders, tricks, strict=True)):
        for place, (first, second) in enumerate(plays):
            counts = counts_by_seat[(leader + place) % seats]
            first_faces, second_faces = first.faces, second.faces
            counts[first_faces] += 1
            counts[second_faces] += 1
            if (
                counts[first_faces] <= DICE_OF_A_KIND
                and counts[second_faces] <= DICE_OF_A_KIND
            ):
                continue
            for faces in {first_faces, second_faces}:
                if counts[faces] > DICE_OF_A_KIND:
                    faults.add(
                        f"tricks[{number}][{place}]",
                        "tricky.pieces",
                        _(
                            "%(who)s plays %(count)s d%(faces)s, but everyone has only three."
                        ),
                        who=SeatIndex((leader + place) % seats),
                        count=counts[faces],
                        faces=faces,
                    )


def parse_pieces(
    pieces: Sequence[str], seats: int, leader: int, trump: int | None, faults: Faults
) -> PlaySoFar | None:
    """Return the state of the hand after these dice; the bidder leads the first trick.

    `pieces` are dice as written in a record, two from each player in playing order.
    """
    dice = [
        read_die(text, f"{PLAYED_KEY}[{place}]", faults)
        for place, text in enumerate(pieces)
    ]
    valid_dice = [die for die in dice if die is not None]
    if len(valid_dice) > 2 * seats * TRICKS:
        faults.add(
            PLAYED_KEY,
            "tricky.trick.lead",
            _("%(count)s entered, but nine tricks have only %(most)s."),
            count=CountedNoun(len(valid_dice), ngettext_noop("die", "dice")),
            most=2 * seats * TRICKS,
        )
    if faults.items:
        return None
    counts_by_seat: list[Counter[int]] = [Counter() for _seat in range(seats)]
    tricks: list[list[DicePair]] = []
    leaders = [leader]
    results: list[TrickResult] = []
    tallies = [(0,) * seats]
    current_trick: list[LaidPieces] = []
    pairs: list[DicePair] = []
    for pair in split_into_chunks(valid_dice, 2):
        seat = (leader + len(pairs)) % seats
        counts_by_seat[seat].update(die.faces for die in pair)
        current_trick.append(LaidPieces(seat, "play", tuple(map(_format_die, pair))))
        if len(pair) < 2:
            break
        pairs.append((pair[0], pair[1]))
        if len(pairs) == seats:
            result = trick_result(pairs, leader, trump)
            tally = list(tallies[-1])
            leader = result.winner
            tally[leader] += sum(first.value + second.value for first, second in pairs)
            tallies.append(tuple(tally))
            results.append(result)
            leaders.append(leader)
            tricks.append(pairs)
            pairs, current_trick = [], []
    check_dice_counts([*tricks, pairs], leaders, seats, faults)
    turn = None
    if len(tricks) < TRICKS:
        seat = (leader + len(pairs)) % seats
        # The kinds of which all three dice have been played.
        used_up_kinds = {
            faces
            for faces, count in counts_by_seat[seat].items()
            if count >= DICE_OF_A_KIND
        }
        unplayable = frozenset(
            text for text, die in DICE.items() if die.faces in used_up_kinds
        )
        turn = NextTurn(seat, "play", unplayable)
    return PlaySoFar(
        tricks=tuple(
            [list(map(_format_die, play)) for play in plays] for plays in tricks
        ),
        leaders=tuple(leaders[:-1]),
        results=tuple(results),
        current_trick=tuple(current_trick),
        turn=turn,
        tallies=tuple(tallies),
    )


def _format_die(die: Die) -> str:
    return f"d{die.faces}:{die.value}"
