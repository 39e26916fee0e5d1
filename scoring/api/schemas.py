"""Base classes and field types for the schemas of all operations."""

from datetime import date
from typing import Annotated, TypeVar
from unicodedata import normalize

from django.utils.translation import gettext
from ninja import Field, Schema
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
)

from scoring.locales.sentences import translate
from scoring.rules.names import find_name_fault, find_text_fault, normalize_text
from scoring.rules.wording import Sentence
from scoring.sync.protocol import YEARS

SomeDay = TypeVar("SomeDay", bound=date)
LARGEST_KEY = 2**63 - 1


class BodySchema(Schema):
    """What a program sends: a field that is not known is refused, never left out."""

    model_config = ConfigDict(extra="forbid")


Count = Annotated[int, Field(strict=True, ge=0, le=2**31 - 1)]
SmallInt = Annotated[int, Field(strict=True, ge=0, le=32767)]
EntryNumber = Annotated[int, Field(strict=True, ge=1, le=32767)]
Key = Annotated[int, Field(strict=True, ge=1, le=LARGEST_KEY)]
StrictBool = Annotated[bool, Field(strict=True)]

Number = Annotated[int, Field(ge=1, le=32767)]
"""In a path: number of a round, a table, an entry or a hand."""
Address = Annotated[str, Field(min_length=1, max_length=40)]
"""In a path: address of a club, a tournament or a match."""
Reference = Annotated[int, Field(ge=1, le=LARGEST_KEY)]
"""In a path: id of a player, a penalty or an announcement."""


def _raise_if_fault(fault: Sentence | None) -> None:
    """Raise ValueError if there is a fault, in the active language."""
    if fault:
        raise ValueError(translate(fault))


def _check_and_normalize_text(text: str) -> str:
    """Return a text with composed letters. Raises ValueError if it has unsafe characters."""
    _raise_if_fault(find_text_fault(text))
    return normalize("NFC", text)


def _check_and_normalize_name(name: str) -> str:
    """Return a name with composed letters and single spaces. Raises ValueError if it is invisible."""
    name = normalize_text(name)
    _raise_if_fault(find_name_fault(name))
    return name


def _text_constraints(most: int, least: int | None = None) -> StringConstraints:
    return StringConstraints(
        strict=True, min_length=least, max_length=most, pattern=r"^[^\x00]*$"
    )


Text = Annotated[str, _text_constraints(500), AfterValidator(_check_and_normalize_text)]
Name = Annotated[
    str, _text_constraints(80, 1), AfterValidator(_check_and_normalize_name)
]
OptionalReason = Annotated[
    str, _text_constraints(200), AfterValidator(_check_and_normalize_text)
]
Reason = Annotated[
    str, _text_constraints(200, 1), AfterValidator(_check_and_normalize_name)
]


def _require_timestamp_text(value: object) -> object:
    """Return a time if it is text. Numbers are refused, as their meaning is unclear."""
    if not isinstance(value, str):
        raise ValueError(gettext("Use the format 2026-03-12T19:30:00+01:00."))
    return value


def _check_year(day: SomeDay) -> SomeDay:
    """Return a date or time that every database can store, in every time zone."""
    if day.year not in YEARS:
        raise ValueError(gettext("Choose a year from 1970 to 2999."))
    return day


Moment = Annotated[
    AwareDatetime, BeforeValidator(_require_timestamp_text), AfterValidator(_check_year)
]
"""A time with its time zone."""
Day = Annotated[date, AfterValidator(_check_year)]
