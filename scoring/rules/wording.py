"""Sentences of the rules, independent of the language in which they are shown.

A sentence is a template and its values, so that a screen can translate the template
and insert the players' names, of which the rules know only the seats.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

MINUS = "\u2212"


def format_number(number: int, separator: str = ",") -> str:
    """Return a whole number with a true minus sign and thousands separators.

    >>> format_number(-20), format_number(12345)
    ('−20', '12,345')
    """
    return f"{number:,}".replace("-", MINUS).replace(",", separator)


def gettext_noop(template: str) -> str:
    """Return the template unchanged: it marks a sentence for translation."""
    return template


def ngettext_noop(singular: str, plural: str) -> tuple[str, str]:
    """Return both words unchanged: it marks them for translation."""
    return singular, plural


def pgettext_noop(context: str, message: str) -> tuple[str, str]:
    """Return context and message unchanged: it marks them for translation."""
    return context, message


def choose_english_form(singular: str, plural: str, number: int) -> str:
    return singular if number == 1 else plural


class CountedNoun(NamedTuple):
    """A number of things; reads as "1 trick" or "3 tricks" within a sentence."""

    number: Fraction | int | str
    """Text if the number has too many digits to print."""
    noun_forms: tuple[str, str]
    """Singular and plural, marked by `ngettext_noop`."""

    def __str__(self) -> str:
        return self.in_words()

    def in_words(
        self,
        choose: Callable[[str, str, int], str] = choose_english_form,
        write: Callable[[object], str] = str,
    ) -> str:
        """Return the number as formatted by `write`, and the word chosen by `choose`.

        `choose` chooses between two words as `ngettext` does.
        """
        whole = isinstance(self.number, int) or self.number in (0, 1)
        # Fractions take the plural.
        n = int(self.number) if whole else 2
        return f"{write(self.number)} {choose(*self.noun_forms, n)}"


def format_value(value: object) -> str:
    """Return a value as text, whole numbers with thousands separators."""
    return format_number(value) if isinstance(value, int) else str(value)


class SeatIndex(int):
    """A seat, counted from 0 clockwise; reads as "seat 2" until names are known."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"seat {int(self)}"


class Word(str):
    """A game's word in English, translated when it is shown.

    The screen that offers the word as a choice marks it for translation.

    >>> Word.from_record("straight_flush")
    'straight flush'
    """

    __slots__ = ()

    @classmethod
    def from_record(cls, name: str) -> "Word":
        """Return the word for a name in a match record."""
        return cls(name.replace("_", " "))


class Sentence(NamedTuple):
    """A sentence of the rules: a printf-style template and the values in it."""

    template: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        return self.template % self.values

    def in_words(
        self,
        names: Sequence[str],
        translate: Callable[[str], str] = str,
        choose: Callable[[str, str, int], str] = choose_english_form,
        write: Callable[[object], str] = format_value,
    ) -> str:
        """Return the sentence in the language of `translate`, with the names of the seats.

        `choose` chooses between two words as `ngettext` does; `write` formats numbers.
        """
        values: dict[str, object] = {}
        for key, value in self.values.items():
            if isinstance(value, SeatIndex):
                values[key] = names[value]
            elif isinstance(value, CountedNoun):
                values[key] = value.in_words(choose, write)
            elif isinstance(value, Word):
                values[key] = translate(value)
            else:
                values[key] = write(value)
        return translate(self.template) % values


def tricks_in_words(number: int) -> CountedNoun:
    return CountedNoun(number, ngettext_noop("trick", "tricks"))


def tokens_in_words(number: int) -> CountedNoun:
    return CountedNoun(number, ngettext_noop("token", "tokens"))


def points_in_words(number: Fraction | int | str) -> CountedNoun:
    return CountedNoun(number, ngettext_noop("point", "points"))


def say(template: str, **values: object) -> Sentence:
    """Return a sentence from a template and its values."""
    return Sentence(template, values)
