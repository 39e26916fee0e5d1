"""Sentences of the rules and lists of names in the active language."""

from collections.abc import Iterable, Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext

from scoring.locales.numbers import format_value
from scoring.rules.wording import Sentence


def translate(sentence: Sentence, names: Sequence[str] = ()) -> str:
    """Return a sentence in the active language, with the players' names by seat."""
    return sentence.in_words(names, gettext, ngettext, format_value)


def join_names(names: Iterable[str]) -> str:
    """Return the names as a list in words, as in *Ann, Bo and Cy*."""
    return get_text_list(list(names), gettext("and"))
