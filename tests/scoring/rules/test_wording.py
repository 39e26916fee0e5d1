"""Sentences in words, as a screen shows them."""

from fractions import Fraction

import pytest

from scoring.rules.wording import CountedNoun, SeatIndex, Word, points_in_words, say


def test_sentence_uses_seats_until_names_are_known() -> None:
    sentence = say("%(seat)s has %(total)s", seat=SeatIndex(0), total=-12345)
    assert str(sentence) == "seat 0 has -12345"
    assert sentence.in_words(["Ann"]) == "Ann has \u221212,345"


def test_sentence_is_translated_with_its_terms_and_counts() -> None:
    german = {"met %(tier)s": "erfüllt: %(tier)s", "straight flush": "Straight Flush"}
    sentence = say("met %(tier)s", tier=Word.from_record("straight_flush"))
    assert str(sentence) == "met straight flush"
    assert sentence.in_words([], german.__getitem__) == "erfüllt: Straight Flush"
    counted = say("%(count)s", count=points_in_words(2000))
    assert counted.in_words([], choose=lambda *_words: "Punkte") == "2,000 Punkte"


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (0, "0 points"),
        (1, "1 point"),
        (2, "2 points"),
        (Fraction(1), "1 point"),
        (Fraction(1, 2), "1/2 points"),
        ("≈ 1e+99", "≈ 1e+99 points"),
    ],
)
def test_word_agrees_with_its_number(
    points: Fraction | int | str, expected: str
) -> None:
    assert str(points_in_words(points)) == expected


def test_number_is_formatted_by_the_given_function() -> None:
    halves = CountedNoun(Fraction(5, 2), ("point", "points"))
    assert halves.in_words(write=lambda number: f"<{number}>") == "<5/2> points"
