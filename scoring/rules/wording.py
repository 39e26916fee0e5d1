"""Sentences that the rules say, kept apart from the language they are said in.

A sentence is a template and its values, so that a screen can translate the template
and put the players' names where the rules only know seats.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple


def gettext_noop(template: str) -> str:
    """Return the template unchanged: it marks a sentence for translation."""
    return template


class SeatIndex(int):
    """A seat, counted from 0 clockwise; reads as "seat 2" until names are known."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the words for the seat, counted from 0 as in a match record."""
        return f"seat {int(self)}"


class Sentence(NamedTuple):
    """A sentence of the rules: a printf-style template and the values in it."""

    template: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        """Return the English sentence, seats by number."""
        return self.template % self.values

    def spoken(
        self, names: Sequence[str], translate: Callable[[str], str] = str
    ) -> str:
        """Return the sentence in the language of `translate`, seats by name."""
        values = {
            key: names[value] if isinstance(value, SeatIndex) else value
            for key, value in self.values.items()
        }
        return translate(self.template) % values


def say(template: str, **values: object) -> Sentence:
    """Return the sentence that `template` makes with `values`."""
    return Sentence(template, values)
