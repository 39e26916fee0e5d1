"""Drawings of pieces, alone and in sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from scoring.locales.numbers import format_value
from scoring.rules.wording import CountedNoun, SeatIndex, Sentence, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPiece:
    """The look of a piece, which differs in shape as well as in colour."""

    face: str
    """The text on it."""
    name: str
    """Its name for screen readers."""
    shape: str = ""
    """`card`, `cube` for a card on a die, `tint` for a card of one colour, `token`, `treat-piece`."""
    kind: str = ""
    """Kind of die, as in d20."""
    sign: str = ""
    """Name of the sign drawn on it."""
    icon: str = ""
    """Name of the icon next to a treat."""
    tint: str = ""
    """The letter of its colour or suit; empty for none."""
    is_trump: bool = False


class ExamplePlay(NamedTuple):
    """The play of one player in the trick of an example."""

    pieces: Sequence[DrawnPiece]
    ante: DrawnPiece | None = None
    declared: DrawnPiece | None = None
    """Only in games with declarations."""


DrawPiece = Callable[[str], DrawnPiece | None]
"""Returns the drawing for a text in a record; None if it is not a piece."""


def render_piece(piece: DrawnPiece) -> SafeString:
    markup: SafeString = render_to_string("scoring/_piece.html", {"piece": piece})
    return mark_safe(markup.strip())  # noqa: S308 - a template has escaped it


def format_with_pieces(template: str, **values: object) -> SafeString:
    """Return a sentence with its values, pieces as drawings."""
    html_values = {
        key: render_piece(value)
        if isinstance(value, DrawnPiece)
        else conditional_escape(format_value(value))
        for key, value in values.items()
    }
    return mark_safe(escape(template) % html_values)  # noqa: S308 - all parts are


def translate_with_pieces(
    sentence: Sentence, names: Sequence[str], draw: DrawPiece
) -> SafeString:
    """Return a translated sentence of the rules, with its pieces as drawings."""
    values: dict[str, object] = {}
    for key, value in sentence.values.items():
        if isinstance(value, SeatIndex):
            values[key] = names[value]
        elif isinstance(value, CountedNoun):
            values[key] = value.in_words(ngettext, format_value)
        elif isinstance(value, int):
            values[key] = value
        else:
            # A value can list several pieces, separated by commas.
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
    return format_with_pieces(gettext(sentence.template), **values)
