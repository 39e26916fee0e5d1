"""Exact numbers: added up as they are, rounded only for display."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from django.utils.formats import get_format

from scoring.rules.wording import MINUS, format_number

EXACT_LENGTH = 60
"""Longest exact number in characters, as in `43/4`."""
MOST_PLACES = 9
"""Decimals that are shown at most; numbers that still look alike are written as fractions."""
KEPT_PLACES = 6
"""Decimals that are shown without rounding, as in exported tables."""
PARTS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 5): "⅕",
    Fraction(2, 5): "⅖",
    Fraction(3, 5): "⅗",
    Fraction(4, 5): "⅘",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
    Fraction(1, 8): "⅛",
    Fraction(3, 8): "⅜",
    Fraction(5, 8): "⅝",
    Fraction(7, 8): "⅞",
}


def percent(part: int | Fraction, whole: int) -> int:
    """Return a percentage as a whole number, rounded half to even; 0 only for none, and 100 only for all.

    >>> percent(1, 8), percent(3, 8), percent(Fraction(1, 2), 1)
    (12, 38, 50)
    >>> percent(299, 300), percent(1, 300), percent(3, 3), percent(0, 3)
    (99, 1, 100, 0)
    """
    if 0 < part < whole:
        return min(max(round(Fraction(100 * part, whole)), 1), 99)
    return round(Fraction(100 * part, whole))


def format_exact_number(value: object) -> str:
    """Return an exact number with a sign for its fraction, or with its decimals.

    A number with more than six decimals is rounded to two, or to as many as it needs not to look whole.

    >>> format_exact_number("43/4"), format_exact_number("-1/2"), format_exact_number("81/16"), format_exact_number("317/128"), format_exact_number(None)
    ('10¾', '−½', '5.0625', '2.48', '–')
    >>> format_exact_number("-4321/2"), format_exact_number("999.999"), format_exact_number("2999/3001")
    ('−2,160½', '999.999', '0.999')
    """
    return (
        "–"
        if value in (None, "")
        else _format_mixed_text(str(value), *_decimal_and_thousands_separators())
    )


@lru_cache(maxsize=4_096)
def _format_mixed_text(text: str, point: str, separator: str) -> str:
    """Return a number as `format_exact_number` does, from a cache: the lines of a night repeat a few numbers."""
    number = Fraction(text)
    sign = MINUS if number < 0 else ""
    whole, fraction = divmod(abs(number), 1)
    if fraction in PARTS:
        return (
            f"{sign}{format_number(whole, separator) if whole else ''}{PARTS[fraction]}"
        )
    if fraction == 0:
        return f"{sign}{format_number(whole, separator)}"
    return format_decimals(number, _choose_decimal_places(fraction))


def format_in_one_notation(values: Sequence[object]) -> list[str]:
    """Return the exact numbers of a column, all fractions as signs or all as decimals.

    >>> format_in_one_notation(["5/2", 3]), format_in_one_notation(["5/2", "37/12", 3])
    (['2½', '3'], ['2.50', '3.08', '3'])
    """
    numbers = [Fraction(str(value)) for value in values]
    if all(abs(number) % 1 in {0, *PARTS} for number in numbers):
        return [format_exact_number(number) for number in numbers]
    return [
        format_decimals(number, _choose_decimal_places(fraction))
        if (fraction := abs(number) % 1)
        else format_exact_number(number)
        for number in numbers
    ]


def _choose_decimal_places(part: Fraction) -> int:
    """Return the number of decimals with which a part of one is shown."""
    for places in range(2, KEPT_PLACES + 1):
        if (part * 10**places).denominator == 1:
            return places
    for places in range(2, EXACT_LENGTH):
        if 0 < round(part * 10**places) < 10**places:
            return places
    return EXACT_LENGTH


def format_decimals(number: Fraction, places: int) -> str:
    """Return a number to so many decimal places, rounded half to even.

    >>> format_decimals(Fraction(11, 3), 2), format_decimals(Fraction(1, 8), 2), format_decimals(Fraction(-1, 3), 1)
    ('3.67', '0.12', '−0.3')
    >>> format_decimals(Fraction(-12345, 10), 1)
    '−1,234.5'
    """
    point, separator = _decimal_and_thousands_separators()
    parts = round(number * 10**places)
    whole, decimals = divmod(abs(parts), 10**places)
    sign = MINUS if parts < 0 else ""
    return f"{sign}{format_number(whole, separator)}{point}{decimals:0{places}d}"


def _decimal_and_thousands_separators() -> tuple[str, str]:
    """Return the decimal and the thousands separator of the active language."""
    return str(get_format("DECIMAL_SEPARATOR")), str(get_format("THOUSAND_SEPARATOR"))


def format_distinct_pair(number: Fraction, other_number: Fraction) -> tuple[str, str]:
    """Return two numbers as `format_exact_number` does, with more decimals if they would look alike.

    >>> format_distinct_pair(Fraction(25, 11), Fraction(34, 15)), format_distinct_pair(Fraction(5, 2), Fraction(2))
    (('2.273', '2.267'), ('2½', '2'))
    >>> format_distinct_pair(Fraction(1, 7), Fraction(10**12 + 7, 7 * 10**12))
    ('1/7', '1000000000007/7000000000000')
    """
    if number == other_number or format_exact_number(number) != format_exact_number(
        other_number
    ):
        return format_exact_number(number), format_exact_number(other_number)
    for places in range(3, MOST_PLACES + 1):
        pair = format_decimals(number, places), format_decimals(other_number, places)
        if len(set(pair)) > 1:
            return pair
    return str(number), str(other_number)


class CommonDenominatorNumbers(NamedTuple):
    """Exact numbers as integers over one denominator, for fast sums and comparisons."""

    denominator: int
    parts: dict[str, int]
    """By the number as it is written."""

    def to_fraction(self, parts: int) -> Fraction:
        """Return the exact number for so many parts."""
        return Fraction(parts, self.denominator)


def to_common_denominator(numbers: Iterable[str]) -> CommonDenominatorNumbers:
    """Return numbers over their least common denominator; an empty text is 0.

    >>> to_common_denominator(["1/2", "2/3", "4"])
    CommonDenominatorNumbers(denominator=6, parts={'1/2': 3, '2/3': 4, '4': 24})
    """
    values = {number: Fraction(number or 0) for number in dict.fromkeys(numbers)}
    denominator = lcm(*(value.denominator for value in values.values()))
    return CommonDenominatorNumbers(
        denominator,
        {number: int(value * denominator) for number, value in values.items()},
    )
