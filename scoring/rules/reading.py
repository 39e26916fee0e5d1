"""Validation of input: every fault is collected, with its clause and field."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

from scoring.rules.results import FORMAT, Fault, Refusal
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

Value = TypeVar("Value")

LIMIT = 10**1000
"""Larger than any number on a scorepad; sums of smaller numbers can still be printed."""


class Faults:
    """The faults of one entry, in the order in which they are read."""

    __slots__ = ("hand", "items")

    def __init__(self, hand: int | None = None) -> None:
        """Collect the faults of the hand with this number, or if None of the document."""
        self.hand = hand
        self.items: list[Fault] = []

    def add(self, field: str, clause: str, template: str, **values: object) -> None:
        """Note that `field` breaks `clause`."""
        self.items.append(Fault(field, clause, say(template, **values), self.hand))

    def raise_if_any(self) -> None:
        if self.items:
            raise Refusal(self.items)

    def raise_or_return(self, value: Value | None) -> Value:
        """Return a value that was read. Raises Refusal if there is a fault; only then can it be None."""
        self.raise_if_any()
        assert value is not None
        return value


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether the value is a whole number (JSON's true and 1.0 are not)."""
    return type(value) is int and abs(value) < LIMIT


def check_keys(
    raw: Mapping[str, Any], allowed: Collection[str], faults: Faults, path: str = ""
) -> None:
    """Note every key of `raw` that is not known."""
    # Nearly always all keys are known, so they are compared at once first.
    if isinstance(allowed, frozenset) and allowed.issuperset(raw):
        return
    for key in raw:
        if key not in allowed:
            faults.add(
                f"{path}{key}",
                FORMAT,
                _("“%(key)s” isn’t allowed here. Use only %(known)s."),
                key=key,
                known=", ".join(sorted(allowed)),
            )


def read_object(raw: object, field: str, faults: Faults) -> Mapping[str, Any] | None:
    """Return `raw` if it is an object, else note a fault and return None."""
    # Checking for the exact type first is faster than isinstance with an ABC.
    if type(raw) is dict or isinstance(raw, Mapping):
        return raw
    faults.add(field, FORMAT, _("Must be an object."))
    return None


def read_list(
    raw: object, length: int, field: str, faults: Faults
) -> Sequence[Any] | None:
    """Return `raw` if it is a list with one value for each of `length` seats, else note a fault."""
    if not isinstance(raw, (list, tuple)):
        faults.add(
            field, FORMAT, _("This must be a list of %(length)s values."), length=length
        )
        return None
    if len(raw) != length:
        faults.add(
            field,
            FORMAT,
            _("Enter one value for each of the %(length)s seats, not %(count)s."),
            count=len(raw),
            length=length,
        )
        return None
    return raw


def read_integer(raw: object, field: str, faults: Faults) -> int | None:
    """Return `raw` if it is a whole number, else note a fault and return None."""
    if is_integer(raw):
        return raw
    add_number_fault(raw, field, faults)
    return None


def add_number_fault(raw: object, field: str, faults: Faults) -> None:
    """Note that a whole number is missing or that the value is something else."""
    is_missing = raw in (None, "")
    faults.add(
        field,
        FORMAT,
        _("Enter a number.") if is_missing else _("Enter a whole number."),
    )


def read_seat(raw: object, seats: int, field: str, faults: Faults) -> int | None:
    """Return `raw` if it is a seat of the table, else note a fault."""
    if is_seat(raw, seats):
        return raw
    add_seat_fault(raw, seats, field, faults)
    return None


def is_seat(value: object, seats: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < seats


def add_seat_fault(raw: object, seats: int, field: str, faults: Faults) -> None:
    """Note that a seat is missing or does not exist."""
    is_missing = raw in (None, "")
    faults.add(
        field,
        FORMAT,
        _("Choose a player.")
        if is_missing
        else _("This seat doesn’t exist. Seats are numbered from 0 to %(last)s."),
        last=seats - 1,
    )


def read_flag(raw: object, field: str, faults: Faults) -> bool:
    """Return `raw` if it is true or false, else note a fault and return False."""
    if isinstance(raw, bool):
        return raw
    faults.add(field, FORMAT, _("Must be true or false."))
    return False


def read_choice(
    raw: object, choices: Collection[str], field: str, faults: Faults
) -> str | None:
    """Return `raw` if it is one of the choices, else note a fault."""
    if isinstance(raw, str) and raw in choices:
        return raw
    faults.add(
        field,
        FORMAT,
        _("Choose an option.")
        if raw in (None, "")
        else _("Must be one of %(choices)s."),
        choices=", ".join(choices),
    )
    return None


def read_each(
    values: Sequence[object],
    field: str,
    faults: Faults,
    read: Callable[[object, str, Faults], Value | None],
) -> list[Value] | None:
    """Return every value of a list as parsed by `read`; None if any is invalid."""
    parsed_values = [
        read(value, f"{field}[{place}]", faults) for place, value in enumerate(values)
    ]
    valid_values = [value for value in parsed_values if value is not None]
    return valid_values if len(valid_values) == len(parsed_values) else None


def read_integers_by_seat(
    raw: object, seats: int, field: str, faults: Faults
) -> list[int] | None:
    """Return one whole number for each seat, else note a fault for every other value."""
    values = read_list(raw, seats, field, faults)
    if values is None:
        return None
    if all(map(is_integer, values)):
        return list(values)
    return read_each(values, field, faults, read_integer)


def clockwise_seats(first: int, seats: int) -> list[int]:
    """Return all seats clockwise, beginning with `first`.

    >>> clockwise_seats(2, 4)
    [2, 3, 0, 1]
    """
    return [(first + step) % seats for step in range(seats)]
