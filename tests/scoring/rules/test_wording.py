"""Sentences as they are read on a screen."""

from scoring.rules.wording import SeatIndex, points_in_words, say


def test_numbers_in_a_sentence_have_their_thousands_apart_where_it_is_read() -> None:
    sentence = say("%(seat)s has %(total)s", seat=SeatIndex(0), total=-12345)
    assert sentence.spoken(["Ann"]) == "Ann has \u221212\u202f345"
    assert str(sentence) == "seat 0 has -12345"
    counted = say("took %(points)s", points=points_in_words(2000))
    assert counted.spoken([]) == "took 2\u202f000 points"
