"""Parse days with their month in words, serial days of spreadsheets, and places."""

import re
from datetime import date, timedelta

from tournaments.event.setup.spreadsheets import NUMBER_CELL, NUMBER_CELL_1904

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
WEEKDAYS = frozenset(
    (
        *("mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"),
        *("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
        *("mo", "di", "mi", "do", "fr", "sa", "so", "montag", "dienstag", "mittwoch"),
        *("donnerstag", "freitag", "samstag", "sonnabend", "sonntag"),
        *("lun", "mar", "mer", "jeu", "ven", "sam", "dim", "lundi", "mardi"),
        *("mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    )
)
"""Words before a day, which are ignored."""
MONTH_NUMBERS = {
    name: number for number, names in enumerate(MONTHS, 1) for name in names
}
IN_WORDS = re.compile(
    r"(\d{1,2})(?:\.|er\b|st\b|nd\b|rd\b|th\b)?[\s/-]*(?:of )?([^\W\d]+)\.?,?[\s/-]*['’]?(\d{2}|\d{4})"
)
IN_WORDS_MONTH_FIRST = re.compile(
    r"([^\W\d]+)\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s*(\d{4})"
)
FIRST_OF_SPREADSHEETS = date(1899, 12, 30)
SERIAL_DAYS = range(18_000, 80_000)
"""The serial numbers of spreadsheets accepted as days, from 1949 to 2119."""
DAYS_TO_1904 = 1462
"""The difference to serial numbers in workbooks of older Macs, which count from 1904."""
SERIAL = re.compile(rf"({NUMBER_CELL}*)([0-9]{{5}})(?:[.,][0-9]+)?")


def is_incomplete_day(text: str) -> bool:
    """Return whether a text is a month, or a day without its year.

    >>> [is_incomplete_day(text) for text in ("März 2025", "14.3.", "14 Mar", "14.3.2025")]
    [True, True, True, False]
    """
    match = re.fullmatch(
        r"(?:\d{1,2}\.? ?)?([^\W\d_]+)\.?(?: ?['’]?\d{2,4})?", text.strip().casefold()
    )
    is_month = match is not None and match[1] in MONTH_NUMBERS
    return (
        is_month
        or re.fullmatch(r"\d{1,2}[./]\d{1,2}\.?|\d{1,2}/\d{4}|\d{4}-\d{2}", text)
        is not None
    )


def day_in_words(text: str, *, today: date) -> date | None:
    """Return the day of a text with its month in words; None if it is not one.

    >>> day_in_words("01. okt 2024", today=date(2026, 1, 1))
    datetime.date(2024, 10, 1)
    """
    if match := IN_WORDS.fullmatch(text):
        name = MONTH_NUMBERS.get(match[2])
        year = full_year(match[3], today=today)
        return make_date(year, name, int(match[1])) if name else None
    if match := IN_WORDS_MONTH_FIRST.fullmatch(text):
        name = MONTH_NUMBERS.get(match[1])
        return make_date(int(match[3]), name, int(match[2])) if name else None
    return None


def serial_day(text: str) -> date | None:
    """Return the day of a spreadsheet's serial number, whose decimals (the time) are ignored.

    None if the text is not a number in `SERIAL_DAYS`.

    >>> serial_day("45730.81"), serial_day("457")
    (datetime.date(2025, 3, 14), None)
    """
    match = SERIAL.fullmatch(text)
    if match is None:
        return None
    days = int(match[2]) + DAYS_TO_1904 * (match[1] == NUMBER_CELL_1904)
    if days not in SERIAL_DAYS:
        return None
    return FIRST_OF_SPREADSHEETS + timedelta(days=days)


def full_year(year: str, *, today: date) -> int:
    """Return the full year; two digits mean the latest such year that is not in the future."""
    if len(year) == 4:
        return int(year)
    full = today.year - today.year % 100 + int(year)
    return full if full <= today.year else full - 100


def make_date(year: int, month: int, day: int) -> date | None:
    """Return the day, or None if it does not exist."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def parse_place(text: str) -> int | None:
    """Return a place in any common notation; None if the text is not a place.

    >>> parse_place("1."), parse_place("=2"), parse_place("2="), parse_place("3rd"), parse_place("0")
    (1, 2, 2, 3, None)
    >>> parse_place("1. Platz"), parse_place("2ème"), parse_place("3º")
    (1, 2, 3)
    """
    match = re.fullmatch(
        r"[=t]?\s*(\d{1,6})(\.0|\.|st|nd|rd|th|er?|ère|[èe]me|[ºª])?(?: platz| place)?\s*=?",
        text.casefold(),
    )
    place = int(match[1]) if match else 0
    return place or None
