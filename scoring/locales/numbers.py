"""Numbers as the active language writes them."""

from django.utils.formats import get_format

from scoring.rules import wording


def format_number(number: int) -> str:
    """Return a whole number with a true minus sign and the language's thousands separators.

    >>> format_number(-20), format_number(12345)
    ('−20', '12,345')
    """
    return wording.format_number(number, str(get_format("THOUSAND_SEPARATOR")))


def format_value(value: object) -> str:
    """Return a value as text, whole numbers with thousands separators."""
    return format_number(value) if isinstance(value, int) else str(value)
