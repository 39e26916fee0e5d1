"""A hand in words: the entry, the points of each player, and differences of two versions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext

from scoring.games.registry import table_game
from scoring.locales.sentences import translate
from scoring.matchlog.replay import COUNTS, DIRECTOR, FINDINGS
from scoring.rules import PLAYED_KEY, ScoredHand

Raw = Mapping[str, Any]
UNREADABLE = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def describe_hand(game: str, raw: Raw, names: Sequence[str]) -> list[str]:
    """Return sentences that describe a hand except its single tricks.

    The log also has bodies that were never validated; for a senseless one the sentence says so.
    """
    sentences: list[str] = []
    try:
        if COUNTS in raw:
            counts = gettext("This hand counts again.")
            void = gettext("This hand is void and doesn’t count.")
            sentences.append(counts if raw[COUNTS] else void)
        sentences += table_game(game).describe(raw, names)
        if FINDINGS in raw:
            called = gettext("The director was called to decide.")
            stand = gettext("Left as played.")
            sentences.append(called if raw[FINDINGS] == DIRECTOR else stand)
        if PLAYED_KEY in raw:
            count = len(raw[PLAYED_KEY])
            words = ngettext(
                "%(count)s piece played so far.",
                "%(count)s pieces played so far.",
                count,
            )
            sentences.append(words % {"count": count})
    except UNREADABLE:
        sentences = []
    return sentences or ([gettext("This entry isn’t a valid hand.")] if raw else [])


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """One line of explanation for a seat's points in a hand, or for the whole table."""

    seat: int | None
    """None for the whole table."""
    name: str
    """Empty for the whole table."""
    points: int | None
    """The points from the hand, on the first line of each seat; else None."""
    text: str
    clause: str
    total: tuple[int, int] | None
    """The totals before and after the hand, on the first line of each seat; else None."""
    is_made: bool = False
    """Whether it is a line of the bidder of a contract that was made."""


def result_lines(names: Sequence[str], scored: ScoredHand) -> list[ResultLine]:
    """Return the rules' explanation of a hand as lines, in order."""
    lines: list[ResultLine] = []
    # Points and total are on the first of a player's lines only.
    unsaid = set(range(len(names)))
    for line in scored.explanation:
        seat, points, total = line.seat, None, None
        if seat in unsaid:
            unsaid.remove(seat)
            points = scored.scores[seat]
            total = scored.totals[seat] - points, scored.totals[seat]
        lines.append(
            ResultLine(
                seat=seat,
                name="" if seat is None else names[seat],
                points=points,
                text=translate(line.text, names),
                clause=line.clause,
                total=total,
                is_made=seat is not None
                and seat == scored.hand.bidder
                and (points or 0) > 0,
            )
        )
    return lines


class Words(NamedTuple):
    """A part of a sentence."""

    text: str
    differ: bool
    """Whether the other version differs here."""


def seats_that_differ(
    version: Mapping[str, Any], other: Mapping[str, Any], names: Sequence[str]
) -> list[str]:
    """Return the names of the seats with other values in another version; empty if more differs.

    >>> seats_that_differ({"points": [9, 5]}, {"points": [9, 6]}, ["Ann", "Bo"])
    ['Bo']
    """
    differ: set[str] = set()
    for key in version.keys() | other.keys():
        values, others = version.get(key), other.get(key)
        if values == others:
            continue
        if not isinstance(values, list) or not isinstance(others, list):
            return []
        if not len(values) == len(others) == len(names):
            return []
        seats = zip(names, values, others, strict=True)
        differ |= {name for name, value, beside in seats if value != beside}
    return [name for name in names if name in differ]


def marked(told: Sequence[str], other: Sequence[str]) -> list[list[Words]]:
    """Return sentences split into parts, each marked if another version differs there.

    >>> marked(["Ann 96, Bo 171"], ["Ann 96, Bo 162"])[0][1]
    Words(text='171', differ=True)
    """
    sentences = []
    for sentence, beside in zip_longest(told, other[: len(told)], fillvalue=""):
        words, others = sentence.split(), beside.split()
        matching = SequenceMatcher(None, words, others, autojunk=False)
        sentences.append(
            [
                Words(" ".join(words[start:end]), differ=tag != "equal")
                for tag, start, end, _start, _end in matching.get_opcodes()
                if start < end
            ]
        )
    return sentences
