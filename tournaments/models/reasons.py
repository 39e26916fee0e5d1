"""Reasons why one line of standings is above the next, stored for readers of any language."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.rules.wording import CountedNoun, Sentence
from tournaments.exact import format_distinct_pair, format_exact_number

COMPARED = (("value", "other"), ("points", "others"))
"""Values of a reason that are compared with each other."""
NUMBER, WORDS = "number", "words"

_BY_TIE_BREAK = {
    "%(value)s against %(other)s": "%(value)s to %(other)s",
    "%(value)s beaten against %(other)s": "more opponents beaten",
    "%(value)s without the best and the worst table against %(other)s": (
        "more without best and worst"
    ),
    "%(value)s without the worst table against %(other)s": (
        "more without the worst table"
    ),
    "Sonneborn-Berger %(value)s against %(other)s": "better Sonneborn-Berger",
    "best table %(value)s against %(other)s": "best table %(value)s to %(other)s",
    "between themselves %(value)s against %(other)s": "better head to head",
    "lot %(value)s against %(other)s": "by tie-break draw",
    "margin %(value)s against %(other)s": "better margin",
    "opponents' average %(value)s against %(other)s": "tougher opponents",
    "opponents' average over all tables %(value)s against %(other)s": (
        "tougher opponents"
    ),
    "parts of the best score %(value)s against %(other)s": (
        "better share of best scores"
    ),
    "parts of the table's score %(value)s against %(other)s": (
        "better share of all points"
    ),
    "place %(value)s against %(other)s at the last table": (
        "better rank at the last table"
    ),
    "table %(value)s against table %(other)s in the last round": "better last table",
}
_BY_LONGER_TIE_BREAK = {
    "%(value)s beaten to %(other)s": "more opponents beaten",
    "%(value)s to %(other)s": "%(value)s to %(other)s",
    "ahead in the tie-break draw (%(value)s to %(other)s)": "by tie-break draw",
    "best table %(value)s to %(other)s": "best table %(value)s to %(other)s",
    "better Sonneborn-Berger (%(value)s to %(other)s)": "better Sonneborn-Berger",
    "better head to head (%(value)s to %(other)s)": "better head to head",
    "better margin (%(value)s to %(other)s)": "better margin",
    "better rank at the last table (%(value)s to %(other)s)": (
        "better rank at the last table"
    ),
    "better table in the last round (%(value)s to %(other)s)": "better last table",
    "higher share of all points (%(value)s to %(other)s)": "better share of all points",
    "higher share of the best scores (%(value)s to %(other)s)": (
        "better share of best scores"
    ),
    "more points without the best and worst table (%(value)s to %(other)s)": (
        "more without best and worst"
    ),
    "more points without the worst table (%(value)s to %(other)s)": (
        "more without the worst table"
    ),
    "tougher opponents (%(value)s to %(other)s)": "tougher opponents",
    "tougher opponents across all tables (%(value)s to %(other)s)": "tougher opponents",
}
REPLACED: Mapping[str, str] = (
    {
        "%(points)s against %(others)s": "%(points)s to the next player’s %(others)s",
        "equal with %(player)s on %(points)s and in every tie-break": (
            "tied on %(points)s, all tie-breaks equal"
        ),
        "level with %(player)s in this stage; rank %(rank)s before it against %(other)s": (
            "tied in this stage, ranked higher before"
        ),
        "tied with %(player)s on %(points)s and every tie-break": (
            "tied on %(points)s, all tie-breaks equal"
        ),
        "tied with %(player)s in this stage, ranked higher in the previous one "
        "(%(rank)s to %(other)s)": "tied in this stage, ranked higher before",
        "point of the game": "match point",
        "points of the game": "match points",
    }
    | {
        f"equal with %(player)s on %(points)s; {earlier}": f"tied on %(points)s, {now}"
        for earlier, now in _BY_TIE_BREAK.items()
    }
    | {
        f"tied with %(player)s on %(points)s, {earlier}": f"tied on %(points)s, {now}"
        for earlier, now in _BY_LONGER_TIE_BREAK.items()
    }
)
"""Templates and words stored by earlier releases, each with its replacement."""


def has_earlier_words(stored_reason: Mapping[str, Any]) -> bool:
    """Return whether an earlier release stored a reason in words that are shown as others now."""
    return stored_reason.get("template") in REPLACED


def serialize_reason(
    reason: Sentence, names_by_entry: Mapping[str, str]
) -> dict[str, Any]:
    """Return a reason as it is stored: its template, and its values as JSON.

    The value `player` is an entry's key as text; the name of its player is stored instead.
    """
    values: dict[str, Any] = {}
    for key, value in reason.values.items():
        if isinstance(value, CountedNoun):
            values[key] = {NUMBER: str(value.number), WORDS: list(value.noun_forms)}
            if not isinstance(value.number, Fraction | int):
                # Too long to be a number, so it is shown as it is written.
                values[key]["as_is"] = True
        elif isinstance(value, Fraction):
            values[key] = {NUMBER: str(value)}
        else:
            values[key] = str(value)
    if "player" in values:
        values["player"] = names_by_entry.get(values["player"], "")
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
    } | {key: format_exact_number(number) for key, number in numbers.items()}
    for first, second in COMPARED:
        if first in numbers and second in numbers:
            texts[first], texts[second] = format_distinct_pair(
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
    count = CountedNoun(
        number if number is not None else number_text, (singular, plural)
    )
    return count.in_words(ngettext, lambda _number: number_text)
