"""Exact numbers as people read them."""

from fractions import Fraction

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
}


def mixed(value: object) -> str:
    """Return an exact number with a sign for its fraction, else to two decimals.

    >>> mixed("43/4"), mixed("-1/2"), mixed("317/128"), mixed(None)
    ('10¾', '−½', '2.48', '–')
    """
    if value in (None, ""):
        return "–"
    number = Fraction(str(value))
    sign = "−" if number < 0 else ""
    whole, rest = divmod(abs(number), 1)
    if rest == 0:
        return f"{sign}{whole}"
    if rest in PARTS:
        return f"{sign}{whole or ''}{PARTS[rest]}"
    return f"{sign}{float(abs(number)):.2f}"
