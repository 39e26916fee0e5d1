"""Reasons why one line of standings is above the next, stored for readers of any language."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.rules.wording import Count, Sentence
from tournaments.exact import distinct_texts, mixed
from tournaments.models.earlier_reasons import REPLACED

COMPARED = (("value", "other"), ("points", "others"))
"""Values of a reason that are compared with each other."""
NUMBER, WORDS = "number", "words"


def serialize_reason(reason: Sentence, names: Mapping[str, str]) -> dict[str, Any]:
    """Return a reason as it is stored: its template, and its values as JSON."""
    values: dict[str, Any] = {}
    for key, value in reason.values.items():
        if isinstance(value, Count):
            values[key] = {NUMBER: str(value.number), WORDS: list(value.noun_forms)}
            if not isinstance(value.number, Fraction | int):
                # Too long to be a number, so it is shown as it is written.
                values[key]["as_is"] = True
        elif isinstance(value, Fraction):
            values[key] = {NUMBER: str(value)}
        else:
            values[key] = str(value)
    if "player" in values:
        values["player"] = names.get(values["player"], "")
    return {"template": reason.template, "values": values}


def translate_reason(stored_reason: Mapping[str, Any]) -> str:
    """Return a stored reason in the active language."""
    values: Mapping[str, Any] = stored_reason["values"]
    numbers = {
        key: Fraction(value[NUMBER])
        for key, value in values.items()
        if isinstance(value, dict) and "as_is" not in value
    }
    texts = {
        key: value[NUMBER] if isinstance(value, dict) else value
        for key, value in values.items()
    } | {key: mixed(number) for key, number in numbers.items()}
    for first, second in COMPARED:
        if first in numbers and second in numbers:
            texts[first], texts[second] = distinct_texts(
                numbers[first], numbers[second]
            )
    for key, value in values.items():
        if isinstance(value, dict) and WORDS in value:
            # The plural form depends on the number, not on how it is written.
            texts[key] = _inflect(texts[key], numbers.get(key), value[WORDS])
    template = REPLACED.get(stored_reason["template"], stored_reason["template"])
    return gettext(template) % texts


def _inflect(
    number_text: str, number: Fraction | None, plural_forms: Sequence[str]
) -> str:
    singular, plural = (REPLACED.get(word, word) for word in plural_forms)
    count = Count(number if number is not None else number_text, (singular, plural))
    return count.in_words(ngettext, lambda _number: number_text)
