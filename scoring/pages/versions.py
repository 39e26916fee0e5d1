"""Two versions of a hand beside one another: what each says, and where they differ."""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, NamedTuple


class Words(NamedTuple):
    """Some words of a sentence."""

    text: str
    differ: bool
    """Whether the other version says something else here."""


def seats_that_differ(
    version: Mapping[str, Any], other: Mapping[str, Any], names: Sequence[str]
) -> list[str]:
    """Return who has something else in another version; nobody where more than that differs.

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
    """Return sentences with the words marked that another version does not say there.

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
