"""Sentences as they are read on a screen."""

from scoring.rules.wording import SeatIndex, Word, points_in_words, say


def test_numbers_in_a_sentence_have_their_thousands_apart_where_it_is_read() -> None:
    sentence = say("%(seat)s has %(total)s", seat=SeatIndex(0), total=-12345)
    assert sentence.spoken(["Ann"]) == "Ann has \u221212\u202f345"
    assert str(sentence) == "seat 0 has -12345"
    counted = say("took %(points)s", points=points_in_words(2000))
    assert counted.spoken([]) == "took 2\u202f000 points"


def test_a_word_of_a_game_is_said_in_the_language_of_its_sentence() -> None:
    german = {"met %(tier)s": "erfüllt: %(tier)s", "straight flush": "Straight Flush"}
    sentence = say("met %(tier)s", tier=Word.of("straight_flush"))
    assert str(sentence) == "met straight flush"
    assert sentence.spoken([], german.__getitem__) == "erfüllt: Straight Flush"
