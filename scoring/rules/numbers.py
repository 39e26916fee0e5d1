"""Whole numbers as people read them."""

MINUS, THIN_SPACE = "\u2212", "\u202f"


def grouped(number: int) -> str:
    """Return a whole number with a true minus and its thousands apart.

    >>> grouped(-20), grouped(12345)
    ('−20', '12\u202f345')
    """
    return f"{number:,}".replace("-", MINUS).replace(",", THIN_SPACE)
