"""Options of a match, declared once for defaults, checks and the JSON Schema."""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from scoring.rules.reading import Faults, is_integer, read_choice, read_flag
from scoring.rules.results import FORMAT
from scoring.rules.schema import (
    FLAG,
    NONE,
    Schema,
    enum_schema,
    integer_schema,
    union_schema,
)


class Option(NamedTuple):
    """One option of a game."""

    default: Callable[[int], Any]
    """Return the default for a number of seats."""
    check: Callable[[object, str, Faults], object]
    """Note the faults of a value, at a field."""
    schema: Schema


def flag_option() -> Option:
    """Return an option that is off by default."""
    return Option(lambda _seats: False, read_flag, FLAG)


def number_option(
    message: str,
    *,
    default: Callable[[int], int | None] = lambda _seats: None,
    least: int = 1,
    most: int | None = None,
) -> Option:
    """Return an option for a number of at least `least`; without a default it may be None."""

    def check(value: object, field: str, faults: Faults) -> None:
        is_allowed = is_integer(value) and least <= value <= (most or value)
        if not is_allowed and not (value is None and is_nullable):
            faults.add(field, FORMAT, message, most=most)

    is_nullable = default(2) is None
    number = integer_schema(least, most)
    schema = union_schema(number, NONE) if is_nullable else number
    return Option(default, check, schema)


def choice_option(choices: Collection[str], default: str | None) -> Option:
    """Return an option for one of the choices; without a default it may be None."""

    def check(value: object, field: str, faults: Faults) -> None:
        if value is not None or default is not None:
            read_choice(value, tuple(choices), field, faults)

    schema = enum_schema(choices)
    nullable_schema = union_schema(schema, NONE) if default is None else schema
    return Option(lambda _seats: default, check, nullable_schema)
