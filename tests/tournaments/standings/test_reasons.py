"""Sentences: one for every tie-break, and short enough to be read."""

from fractions import Fraction

from tournaments.models.earlier_reasons import REPLACED
from tournaments.models.reasons import translate_reason
from tournaments.standings.reasons import Cause, points_phrase, reason
from tournaments.standings.tie_breaks import TIE_BREAKS


def test_every_tie_break_has_its_sentence() -> None:
    for name, tie_break in TIE_BREAKS.items():
        assert tie_break.label[1]
        assert tie_break.explanation or name == "final_place"
        assert tie_break.open_note or not tie_break.by_scores
        cause = Cause(name, Fraction(2), Fraction(3, 2))
        text = str(reason(cause, points_phrase(Fraction(10)), "K"))
        assert text.startswith("tied with K on 10 points, ")
        assert "2" in text
        assert "3/2" in text


def test_missing_value_is_shown_as_a_dash() -> None:
    text = str(reason(Cause("lot", Fraction(2), None), points_phrase(Fraction(1)), "K"))
    assert text.endswith("ahead in the tie-break draw (2 to –)")


def test_overlong_value_is_rounded_in_the_sentence() -> None:
    long = Fraction(10**5_000 + 1, 10**5_000)
    text = str(
        reason(Cause("share", long, Fraction(1)), points_phrase(Fraction(1)), "K")
    )
    assert text.endswith("(≈ 1 to 1)")


def test_reasons_of_earlier_releases_read_like_current_ones() -> None:
    stored = {
        "template": "equal with %(player)s on %(points)s; %(value)s against %(other)s",
        "values": {
            "player": "K",
            "points": {"number": "10", "words": ["point", "points"]},
            "value": {
                "number": "120",
                "words": ["point of the game", "points of the game"],
            },
            "other": {"number": "110"},
        },
    }
    assert (
        translate_reason(stored) == "tied with K on 10 points, 120 match points to 110"
    )
    templates = {tie_break.reason for tie_break in TIE_BREAKS.values()}
    assert templates >= {now for now in REPLACED.values() if "%(value)s" in now}
