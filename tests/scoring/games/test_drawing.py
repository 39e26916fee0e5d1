"""Sentences of the rules with pieces drawn, in the reader's language."""

from scoring.games.drawing import translate_with_pieces
from scoring.games.tricks_and_treats.pieces import draw_token
from scoring.rules.wording import SeatIndex, Sentence, Word

HOLDS_NONE = "%(who)s doesn’t have this treat: %(treat)s."


def test_a_treat_is_drawn_within_its_sentence() -> None:
    sentence = Sentence(
        HOLDS_NONE, {"who": SeatIndex(0), "treat": Word.from_record("evil_eye")}
    )
    html = translate_with_pieces(sentence, ["Ann"], draw_token)
    assert html.startswith("Ann doesn’t have this treat: <")
    assert "treat-piece" in html


def test_list_of_tokens_draws_tokens_and_names_the_rest() -> None:
    tokens = ", ".join(Word.from_record(face) for face in ("ghost", "bomb", "P3"))
    template = "Tokens turned over: %(tokens)s. Any treats go to the mixer pile."
    html = translate_with_pieces(Sentence(template, {"tokens": tokens}), [], draw_token)
    assert html.count("treat-piece") == 1
    assert ", bomb, <" in html
