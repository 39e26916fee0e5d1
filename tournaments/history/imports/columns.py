"""Parse the numbers, days and places of whole columns, because single cells can be ambiguous."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Generic, Literal, TypeAlias, TypeVar
from unicodedata import numeric

from tournaments.event.setup.spreadsheets import NUMBER_CELL, NUMBER_CELL_1904

DecimalSign: TypeAlias = Literal[".", ","]
DayOrder: TypeAlias = Literal["dmy", "mdy"]
Value = TypeVar("Value", date, Fraction)
Notation = TypeVar("Notation", DecimalSign, DayOrder)

DECIMAL_SIGNS: tuple[DecimalSign, DecimalSign] = (".", ",")
GROUPS = {".": r"[,' \u00a0\u2009\u202f’]", ",": r"[.' \u00a0\u2009\u202f’]"}
"""The thousands separators, by decimal sign."""
VULGAR = re.compile(r"([-+]?)(\d{0,13})\s?([¼-¾⅐-⅞])")
MIXED = re.compile(r"([-+]?)(?:(\d{1,13})\s+)?(\d{1,13})\s?[/⁄]\s?(\d{1,6})")
CLOCK = r"(?:[ap]\.?\s?m\.?|uhr|h)"
TIME = rf"\d{{1,2}}(?:[:.h]\d{{2}}(?:[:.]\d{{2}}(?:\.\d+)?)?\s*{CLOCK}?|\s*{CLOCK})"
TIME_AFTER = re.compile(
    rf"[ t,]+\(?(?:(?:um|ab|at|from|à|a las|@)\s+)?"
    rf"(?:\d{{1,2}}(?:[:.]\d{{2}})?\s*[-–]\s*)?{TIME}\)?\s*(?:z|[-+]\d{{2}}:?\d{{2}})?$"
)
ARTICLE = re.compile(r"^(?:den|am|le|the|el) ")
"""An article before a day, as in “Samstag, den 1. Februar 2025”."""
NUMERIC_DAY = re.compile(r"(\d{1,2})([./-])\s?(\d{1,2})\2\s?['’]?(\d{4}|\d{2})")
LONGEST_DAY = 80
"""The most characters of a day with its weekday and time."""
YEAR_FIRST_DAY = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReading(Generic[Notation, Value]):
    """The interpretation of a column."""

    notation: Notation | None
    """The notation of all cells; None if they use both."""
    is_settled: bool
    """Whether a cell or an answer determines the notation; otherwise `notation` is a proposal."""
    values: Sequence[Value | None]
    """By line: the value of the cell; None if it is empty or cannot be parsed."""
    example: str = ""
    """A cell that has another value in the other notation; empty if there is none."""

    def count_values(self, texts: Iterable[str]) -> list[tuple[str, Value, int]]:
        """Return each text with its value and its number of lines, in order."""
        pairs = [
            (text.strip(), value)
            for text, value in zip(texts, self.values, strict=True)
            if value is not None
        ]
        return [(text, value, n) for (text, value), n in Counter(pairs).items()]


def read_points(
    texts: Sequence[str], *, answer: DecimalSign | None = None, proposed: DecimalSign
) -> ColumnReading[DecimalSign, Fraction]:
    """Return the interpretation of a column of points.

    >>> [str(value) for value in read_points(["12.5", "12.375"], proposed=",").values]
    ['25/2', '99/8']
    >>> read_points(["12.375"], proposed=",").is_settled
    False
    """
    is_percent = {text: text.rstrip().endswith("%") for text in texts if text.strip()}
    is_mixed = len({*is_percent.values()}) > 1
    return _read_column(
        texts,
        # In a column with plain numbers, 50 % may be a half or fifty.
        lambda text, sign: (
            None if is_mixed and is_percent.get(text) else parse_number(text, sign)
        ),
        DECIMAL_SIGNS,
        answer=answer,
        proposed=proposed,
    )


def read_days(
    texts: Sequence[str],
    *,
    today: date,
    answer: DayOrder | None = None,
    proposed: DayOrder,
) -> ColumnReading[DayOrder, date]:
    """Return the interpretation of a column of days.

    Years of two digits are not in the future. Numbers are serial days of spreadsheets.

    >>> days = ["3/14/2025", "4/11/2025"]
    >>> str(read_days(days, today=date(2026, 1, 1), proposed="dmy").values[1])
    '2025-04-11'
    """
    orders: tuple[DayOrder, DayOrder] = ("dmy", "mdy")
    serials = {
        text: day
        for text in {*texts}
        if (day := parse_serial_day(" ".join(text.split())))
    }
    # In a column of written days a plain number is a mistake, unless it is a workbook's cell.
    if any(
        parse_day(text, order, today=today)
        for text in (serials and {*texts} - {*serials})
        for order in orders
        if not YEAR_FIRST_DAY.match(text.strip())
    ):
        serials = {
            text: day for text, day in serials.items() if text.startswith(NUMBER_CELL)
        }
    return _read_column(
        texts,
        lambda text, order: serials.get(text) or parse_day(text, order, today=today),
        orders,
        answer=answer,
        proposed=proposed,
    )


def _read_column(
    texts: Sequence[str],
    parse: Callable[[str, Notation], Value | None],
    notations: tuple[Notation, Notation],
    *,
    answer: Notation | None,
    proposed: Notation,
) -> ColumnReading[Notation, Value]:
    first_notation, second_notation = notations
    parsed = [
        (parse(text, first_notation), parse(text, second_notation)) for text in texts
    ]
    evidence: set[Notation] = set()
    for first, second in parsed:
        if second is None and first is not None:
            evidence.add(first_notation)
        if first is None and second is not None:
            evidence.add(second_notation)
    example = next(
        (
            text.strip()
            for text, (first, second) in zip(texts, parsed, strict=True)
            if first is not None and second is not None and first != second
        ),
        "",
    )
    settled = next(iter(evidence)) if len(evidence) == 1 else answer
    notation = settled or proposed
    preferred = [
        (first, second) if notation == first_notation else (second, first)
        for first, second in parsed
    ]
    values = [first if first is not None else second for first, second in preferred]
    return ColumnReading(
        notation=None if len(evidence) == 2 and not example else notation,
        is_settled=settled is not None or not example,
        values=values,
        example=example,
    )


def parse_number(text: str, decimal: DecimalSign) -> Fraction | None:
    """Return the number in a text with this decimal sign; None if it is not a number.

    >>> str(parse_number("10½", ".")), str(parse_number("10 1/2", ".")), str(parse_number("–2,5", ","))
    ('21/2', '21/2', '-5/2')
    >>> parse_number("1.234", ","), parse_number("1.23", ","), parse_number("50 %", ",")
    (Fraction(1234, 1), None, Fraction(50, 1))
    """
    if text.startswith(NUMBER_CELL):
        decimal = "."
    text = text.lstrip(NUMBER_CELL).strip().removesuffix("%").rstrip()
    text = re.sub(r"^[−–‒]\s?", "-", text)
    if match := VULGAR.fullmatch(text):
        part = Fraction(numeric(match[3])).limit_denominator(16)
        return _apply_sign(match[1], int(match[2] or 0) + part)
    if match := MIXED.fullmatch(text):
        if not int(match[4]):
            return None
        part = Fraction(int(match[3]), int(match[4]))
        return _apply_sign(match[1], int(match[2] or 0) + part)
    group, sign = GROUPS[decimal], re.escape(decimal)
    plain = rf"[-+]?\d{{1,13}}(?:{sign}\d{{1,40}})?"
    format_number = (
        rf"[-+]?[1-9]\d{{0,2}}({group})\d{{3}}(?:\1\d{{3}})*(?:{sign}\d{{1,40}})?"
    )
    if re.fullmatch(plain, text, re.ASCII) or re.fullmatch(format_number, text):
        return Fraction(re.sub(group, "", text).replace(decimal, "."))
    return None


def _apply_sign(sign: str, number: Fraction) -> Fraction:
    return -number if sign == "-" else number


def parse_day(text: str, order: DayOrder, *, today: date) -> date | None:
    """Return the day in a text with this order of day and month; None if it is not a day.

    A time after the day and a weekday before it are ignored. If dots separate the numbers, the
    day comes first whenever possible.
    """
    if len(text) > LONGEST_DAY:
        return None
    text_of_day = TIME_AFTER.sub("", " ".join(text.split()).casefold()).rstrip(" ,.")
    weekday, _space, after_weekday = text_of_day.partition(" ")
    # “Mar” before a whole day is mardi, otherwise March.
    if weekday.rstrip(".,") in WEEKDAYS and (
        day := _parse_day_text(after_weekday, order, today)
    ):
        return day
    return _parse_day_text(text_of_day, order, today)


def _parse_day_text(text: str, order: DayOrder, today: date) -> date | None:
    text = ARTICLE.sub("", text)
    if match := YEAR_FIRST_DAY.fullmatch(text):
        return make_date(*map(int, match.groups()))
    match = NUMERIC_DAY.fullmatch(text)
    if match is None:
        return parse_day_in_words(text, today=today)
    first, second = int(match[1]), int(match[3])
    year = full_year(match[4], today=today)
    if (order == "mdy" and not (match[2] == "." and second <= 12)) or (
        match[2] == "." and second > 12 >= first
    ):
        first, second = second, first
    return make_date(year, second, first)


def format_unambiguous_number(number: Fraction) -> str:
    """Return the number as text that has the same value in every column of a list.

    >>> format_unambiguous_number(Fraction(81, 8)), format_unambiguous_number(Fraction(10, 3))
    ('10.1250', '10/3')
    """
    if number.denominator == 1:
        return str(number.numerator)
    scale = 1
    while scale <= 40 and (number * 10**scale).denominator > 1:
        scale += 1
    if scale > 40:
        return f"{number.numerator}/{number.denominator}"
    # Three decimals could be read as thousands.
    scale += scale == 3
    digits = f"{abs(number.numerator) * 10**scale // number.denominator:0{scale + 1}d}"
    sign = "-" if number < 0 else ""
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}"


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


def parse_day_in_words(text: str, *, today: date) -> date | None:
    """Return the day of a text with its month in words; None if it is not one.

    >>> parse_day_in_words("01. okt 2024", today=date(2026, 1, 1))
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


def parse_serial_day(text: str) -> date | None:
    """Return the day of a spreadsheet's serial number, whose decimals (the time) are ignored.

    None if the text is not a number in `SERIAL_DAYS`.

    >>> parse_serial_day("45730.81"), parse_serial_day("457")
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
