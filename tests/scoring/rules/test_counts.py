"""A sentence says "1 trick" and "2 tricks", and leaves the choice of words to a language."""

from fractions import Fraction

import pytest

from scoring.rules.wording import (
    Count,
    gettext_noop,
    points_in_words,
    say,
    tricks_in_words,
)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (0, "0 points"),
        (1, "1 point"),
        (2, "2 points"),
        (Fraction(1), "1 point"),
        (Fraction(1, 2), "1/2 points"),
        ("≈ 1e+99", "≈ 1e+99 points"),
    ],
)
def test_the_word_goes_with_the_number(
    points: Fraction | int | str, words: str
) -> None:
    assert str(points_in_words(points)) == words


def test_a_sentence_is_spoken_with_the_words_of_a_language() -> None:
    sentence = say(gettext_noop("%(count)s entered"), count=tricks_in_words(1))
    assert str(sentence) == "1 trick entered"
    said = sentence.spoken((), lambda _text: "%(count)s eingetragen", stiche)
    assert said == "1 Stich eingetragen"


def stiche(_singular: str, _plural: str, number: int) -> str:
    return "Stich" if number == 1 else "Stiche"


def test_a_number_is_written_as_its_reader_has_it() -> None:
    halves = Count(Fraction(5, 2), ("point", "points"))
    assert halves.spoken(write=lambda number: f"<{number}>") == "<5/2> points"
