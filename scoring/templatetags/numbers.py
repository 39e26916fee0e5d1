"""Numbers as people read them: a true minus, and thousands apart."""

from django import template

from scoring.rules.wording import format_number

register = template.Library()


@register.filter
def number(value: int | str | None) -> str:
    """Return a whole number with a true minus and thousands apart; what is none, as it is.

    >>> number(-20), number(12345), number(None), number("–")
    ('−20', '12\u202f345', '', '–')
    """
    if value is None:
        return ""
    if not isinstance(value, int):
        return value
    return format_number(value)


@register.filter
def gained(value: int) -> str:
    """Return a number of points with its sign; none has none.

    >>> gained(5), gained(-5), gained(0)
    ('+5', '−5', '0')
    """
    return f"+{number(value)}" if value > 0 else number(value)
