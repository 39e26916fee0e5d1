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
            counts_sentence = gettext("This hand counts again.")
            void_sentence = gettext("This hand is void and doesn’t count.")
            sentences.append(counts_sentence if raw[COUNTS] else void_sentence)
        sentences += table_game(game).describe_raw_hand(raw, names)
        if FINDINGS in raw:
            director_sentence = gettext("The director was called to decide.")
            accepted_sentence = gettext("The hand was left as played.")
            sentences.append(
                director_sentence if raw[FINDINGS] == DIRECTOR else accepted_sentence
            )
        if PLAYED_KEY in raw:
            count = len(raw[PLAYED_KEY])
            template = ngettext(
                "%(count)s card or die played so far.",
                "%(count)s cards or dice played so far.",
                count,
            )
            sentences.append(template % {"count": count})
    except UNREADABLE:
        sentences = []
    return sentences or ([gettext("This entry isn’t a valid hand.")] if raw else [])


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationLine:
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


def explanation_lines(
    names: Sequence[str], scored: ScoredHand
) -> list[ExplanationLine]:
    """Return the rules' explanation of a hand as lines, in order."""
    lines: list[ExplanationLine] = []
    # Points and total are on the first of a player's lines only.
    remaining_seats = set(range(len(names)))
    for line in scored.explanation:
        seat, points, total = line.seat, None, None
        if seat in remaining_seats:
            remaining_seats.remove(seat)
            points = scored.scores[seat]
            total = scored.totals[seat] - points, scored.totals[seat]
        lines.append(
            ExplanationLine(
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


class TextPart(NamedTuple):
    """A part of a sentence."""

    text: str
    differs: bool
    """Whether the other version differs here."""


def differing_seat_names(
    version: Mapping[str, Any], other_version: Mapping[str, Any], names: Sequence[str]
) -> list[str]:
    """Return the names of the seats with other values in another version; empty if more differs.

    >>> differing_seat_names({"points": [9, 5]}, {"points": [9, 6]}, ["Ann", "Bo"])
    ['Bo']
    """
    differing_names: set[str] = set()
    for key in version.keys() | other_version.keys():
        values, other_values = version.get(key), other_version.get(key)
        if values == other_values:
            continue
        if not isinstance(values, list) or not isinstance(other_values, list):
            return []
        if not len(values) == len(other_values) == len(names):
            return []
        seats = zip(names, values, other_values, strict=True)
        differing_names |= {
            name for name, value, other_value in seats if value != other_value
        }
    return [name for name in names if name in differing_names]


def mark_differences(
    version_sentences: Sequence[str], other_sentences: Sequence[str]
) -> list[list[TextPart]]:
    """Return sentences split into parts, each marked if another version differs there.

    >>> mark_differences(["Ann 96, Bo 171"], ["Ann 96, Bo 162"])[0][1]
    TextPart(text='171', differs=True)
    """
    sentences = []
    for sentence, other_sentence in zip_longest(
        version_sentences, other_sentences[: len(version_sentences)], fillvalue=""
    ):
        words, other_words = sentence.split(), other_sentence.split()
        matching = SequenceMatcher(None, words, other_words, autojunk=False)
        sentences.append(
            [
                TextPart(" ".join(words[start:end]), differs=tag != "equal")
                for tag, start, end, _start, _end in matching.get_opcodes()
                if start < end
            ]
        )
    return sentences
