"""Days, places and points as people write them in their lists."""

import re
from datetime import date, timedelta
from fractions import Fraction

MONTHS = (
    ("jan", "januar", "january", "janvier", "jän", "jänner"),
    ("feb", "februar", "february", "février", "fevrier", "fév", "fev"),
    ("mar", "mär", "märz", "maerz", "march", "mars", "mrz"),
    ("apr", "april", "avril", "avr"),
    ("may", "mai"),
    ("jun", "juni", "june", "juin"),
    ("jul", "juli", "july", "juillet", "juil"),
    ("aug", "august", "août", "aout"),
    ("sep", "sept", "september", "septembre"),
    ("oct", "okt", "oktober", "october", "octobre"),
    ("nov", "november", "novembre"),
    ("dec", "dez", "dezember", "december", "déc", "décembre", "decembre"),
)
MONTH_NAMED = {name: number for number, names in enumerate(MONTHS, 1) for name in names}
IN_WORDS = re.compile(r"(\d{1,2})\.?\s*([^\W\d]+)\.?,?\s*(\d{2}|\d{4})")
IN_WORDS_MONTH_FIRST = re.compile(
    r"([^\W\d]+)\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s*(\d{4})"
)
IN_NUMBERS = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})")
YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
FIRST_OF_SPREADSHEETS = date(1899, 12, 30)
SERIAL_DAYS = range(18_000, 80_000)
"""Days of spreadsheets that are of our time."""
GROUPED = re.compile(r"[-+]?[1-9]\d{0,2}([.,' \u00a0\u2009\u202f])\d{3}(\1\d{3})*")
DECIMAL = re.compile(r"[-+]?\d{1,13}([.,]\d{1,6})?")


def day_of(text: str) -> date | None:
    """Return the day that is written in one of the usual ways; None for none.

    Where day and month could be either, the day comes first.

    >>> {day_of(text) for text in ("2025-03-14 00:00:00", "14.3.2025", "14/03/25")}
    {datetime.date(2025, 3, 14)}
    >>> day_of("01. Okt 2024"), day_of("03/14/2024")
    (datetime.date(2024, 10, 1), datetime.date(2024, 3, 14))
    """
    text = " ".join(text.split()).casefold()
    words = text.partition(" 00:")[0].partition("t00:")[0]
    if found := YEAR_FIRST.match(words):
        return _day(*map(int, found.groups()))
    if found := IN_NUMBERS.fullmatch(words):
        first, _sign, second, year = found.groups()
        day, month = int(first), int(second)
        if month > 12 >= day:
            day, month = month, day
        return _day(_full(year), month, day)
    if found := IN_WORDS.fullmatch(words):
        name = MONTH_NAMED.get(found[2])
        return _day(_full(found[3]), name, int(found[1])) if name else None
    if found := IN_WORDS_MONTH_FIRST.fullmatch(words):
        name = MONTH_NAMED.get(found[1])
        return _day(int(found[3]), name, int(found[2])) if name else None
    if words.isascii() and words.isdigit() and int(words) in SERIAL_DAYS:
        return FIRST_OF_SPREADSHEETS + timedelta(days=int(words))
    return None


def _full(year: str) -> int:
    """Return a year in full; two digits are of this century."""
    return int(year) + (2000 if len(year) == 2 else 0)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def place_of(text: str) -> int | None:
    """Return a place, however it is marked; None for what is none.

    >>> place_of("1."), place_of("=2"), place_of("2="), place_of("3rd"), place_of("0")
    (1, 2, 2, 3, None)
    """
    found = re.fullmatch(
        r"[=t]?\s*(\d{1,6})(\.0|\.|st|nd|rd|th|e|er)?\s*=?", text.casefold()
    )
    place = int(found[1]) if found else 0
    return place or None


def points_of(text: str) -> Fraction | None:
    """Return points with a decimal comma or point, or with thousands apart; None for none.

    >>> points_of("12,5"), points_of("1.234"), points_of("−3"), points_of("1'234,5")
    (Fraction(25, 2), Fraction(1234, 1), Fraction(-3, 1), Fraction(2469, 2))
    """
    text = text.strip().replace("−", "-")
    whole, decimals = text, ""
    mixed = re.fullmatch(r"(.*[.,' \u00a0\u2009\u202f].*)([.,])(\d{1,6})", text)
    if mixed and mixed[2] not in mixed[1]:
        whole, decimals = mixed[1], mixed[3]
    if grouped := GROUPED.fullmatch(whole):
        return Fraction(f"{whole.replace(grouped[1], '')}.{decimals or 0}")
    if DECIMAL.fullmatch(text):
        return Fraction(text.replace(",", "."))
    return None
