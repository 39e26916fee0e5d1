"""Pieces as they look, alone and in sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from scoring.rules.wording import Count, SeatIndex, Sentence, Word, format_value


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPiece:
    """How a piece looks, by its shape as well as by its colour."""

    face: str
    """What stands on it."""
    words: str
    """What it is called where nobody sees it."""
    shape: str = ""
    """`card`, `cube` for a card on a die, `tint` for a card of one colour, `token`, `treat-piece`."""
    kind: str = ""
    """Of a die, as in d20."""
    sign: str = ""
    """What is drawn on it, by its name among the signs."""
    icon: str = ""
    """What stands beside a treat, by its name among the icons."""
    tint: str = ""
    """The letter of its colour or suit; empty for none."""
    is_trump: bool = False


class PlayedExample(NamedTuple):
    """What one player put into the trick of an example."""

    pieces: Sequence[DrawnPiece]
    ante: DrawnPiece | None = None
    declared: DrawnPiece | None = None
    """In games with declarations."""


DrawPiece = Callable[[str], DrawnPiece | None]
"""Tells how a piece looks that a record writes like this; None where it is none."""


def render_piece(piece: DrawnPiece) -> SafeString:
    markup: SafeString = render_to_string("scoring/_piece.html", {"piece": piece})
    return mark_safe(markup.strip())  # noqa: S308 - a template has escaped it


def with_pieces(template: str, **values: object) -> SafeString:
    """Return a sentence with its values, and drawn those that are pieces."""
    written_out = {
        key: render_piece(value)
        if isinstance(value, DrawnPiece)
        else conditional_escape(format_value(value))
        for key, value in values.items()
    }
    return mark_safe(escape(template) % written_out)  # noqa: S308 - all parts are


def translate_with_pieces(
    sentence: Sentence, names: Sequence[str], draw: DrawPiece
) -> SafeString:
    """Return a sentence of the rules as it is read, the pieces in it drawn."""
    values: dict[str, object] = {}
    for key, value in sentence.values.items():
        if isinstance(value, SeatIndex):
            values[key] = names[value]
        elif isinstance(value, Count):
            values[key] = value.in_words(ngettext, format_value)
        elif isinstance(value, int):
            values[key] = value
        else:
            # What commas part, each piece among it drawn.
            text = str(value)
            parts = [(part, draw(part)) for part in text.split(", ")]
            if any(piece for _part, piece in parts):
                markup = [
                    render_piece(piece) if piece else escape(gettext(part))
                    for part, piece in parts
                ]
                values[key] = mark_safe(", ".join(markup))  # noqa: S308 - all parts are escaped
            else:
                values[key] = gettext(text) if isinstance(value, Word) else text
    return with_pieces(gettext(sentence.template), **values)
