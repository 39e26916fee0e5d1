"""Sentences as they are read on a screen."""

from fractions import Fraction

import pytest

from scoring.rules.wording import (
    Count,
    SeatIndex,
    Word,
    gettext_noop,
    points_in_words,
    say,
    tricks_in_words,
)


def test_numbers_in_a_sentence_have_localized_thousands_separators() -> None:
    sentence = say("%(seat)s has %(total)s", seat=SeatIndex(0), total=-12345)
    assert sentence.in_words(["Ann"]) == "Ann has \u221212,345"
    assert str(sentence) == "seat 0 has -12345"
    counted = say("took %(points)s", points=points_in_words(2000))
    assert counted.in_words([]) == "took 2,000 points"


def test_game_terms_are_translated_with_their_sentence() -> None:
    german = {"met %(tier)s": "erfüllt: %(tier)s", "straight flush": "Straight Flush"}
    sentence = say("met %(tier)s", tier=Word.from_record("straight_flush"))
    assert str(sentence) == "met straight flush"
    assert sentence.in_words([], german.__getitem__) == "erfüllt: Straight Flush"


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
def test_word_agrees_with_its_number(points: Fraction | int | str, words: str) -> None:
    assert str(points_in_words(points)) == words


def test_sentence_is_rendered_with_a_languages_terms() -> None:
    sentence = say(gettext_noop("%(count)s entered"), count=tricks_in_words(1))
    assert str(sentence) == "1 trick entered"
    said = sentence.in_words((), lambda _text: "%(count)s eingetragen", stiche)
    assert said == "1 Stich eingetragen"


def stiche(_singular: str, _plural: str, number: int) -> str:
    return "Stich" if number == 1 else "Stiche"


def test_number_is_formatted_by_the_given_function() -> None:
    halves = Count(Fraction(5, 2), ("point", "points"))
    assert halves.in_words(write=lambda number: f"<{number}>") == "<5/2> points"
