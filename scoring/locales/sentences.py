"""Sentences of the rules in the active language."""

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from scoring.locales.numbers import format_value
from scoring.rules.wording import Sentence


def translate(sentence: Sentence, names: Sequence[str] = ()) -> str:
    """Return a sentence in the active language, with the players' names by seat."""
    return sentence.in_words(names, gettext, ngettext, format_value)
