"""Places of form inputs in a match record, as attributes of the inputs.

Each input has its place, so that a phone can build the body of an entry without code for
each form; the forms on the server read posted values by the same attributes.

`data-path`: the place, as in `contract.bid`, `points[2]`, `actors[0].dice[1]`; two
    objects at the same place are merged.
`data-format`: `number` (digits are a number, anything else stays text) by default, or
    `text`, `json`, `words` (a list, split at spaces), `bids` (`0:90 1:pass`), or
    `joined` (concatenated with the others at that place, in order of `data-part`).
`data-json`: the value to use instead of that of the input.
`data-default`: the default value, which is left out.
`data-exclusive`: if this input is filled, all others except the bids are ignored.

Inputs that are empty or not checked are ignored, except for a checked choice with
`data-json`. The form has `data-empty-record`, the initial body, and `data-seats`, the length
of new lists.
"""

import json
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

STEP = re.compile(r"[^.\[\]]+|\[\d+\]")
LONGEST = 4_000
"""Numbers with this many digits or more stay text: Python parses at most 4,300 digits."""
Attrs = Mapping[str, Any]
Bids = list[list[Any]]
"""Pairs of a seat and its call, as in a match record."""


def path_attrs(
    path: str, *, parse_as: str = "", default: object = None, **extra: Any
) -> Attrs:
    """Return the attributes of an input whose value belongs at `path`."""
    attrs: dict[str, Any] = {"data-path": path}
    if parse_as:
        attrs["data-format"] = parse_as
    if default is not None:
        attrs["data-default"] = str(default)
    return {**attrs, **{f"data-{name}": value for name, value in extra.items()}}


def value_attrs(value: object, path: str | None = None) -> Attrs:
    """Return the attributes of a choice that stands for another value, optionally at another place."""
    attrs = {"data-json": json.dumps(value)}
    return attrs if path is None else {**attrs, "data-path": path}


def hidden_choice_attrs(*hiding_conditions: str) -> Attrs:
    """Return the attributes of a choice that is not offered while a field has one of these values.

    >>> hidden_choice_attrs("bidder=1", "bid=solo")
    {'data-excluded-by': 'bidder=1 bid=solo'}
    """
    return {"data-excluded-by": " ".join(hiding_conditions)}


def build_body(
    inputs: Iterable[tuple[Attrs, str | None]],
    initial_body: Mapping[str, Any],
    seats: int,
) -> dict[str, Any]:
    """Return the body of an entry from the attributes and text of each input.

    The text of an unchecked input is None.
    """
    body: dict[str, Any] = json.loads(json.dumps(initial_body))
    joined_parts: dict[str, dict[int, str]] = {}
    filled = [
        (attrs, text)
        for attrs, text in inputs
        if "data-path" in attrs
        and text is not None
        and (text.strip() or "data-json" in attrs)
    ]
    if any("data-exclusive" in attrs for attrs, _text in filled):
        body = {}
        filled = [
            pair
            for pair in filled
            if "data-exclusive" in pair[0] or pair[0].get("data-format") == "bids"
        ]
    for attrs, text in filled:
        if attrs.get("data-default") == text:
            continue
        path, kind = attrs["data-path"], attrs.get("data-format", "number")
        value: Any = text
        if kind == "joined":
            parts = joined_parts.setdefault(path, {})
            parts[int(attrs.get("data-part", len(parts)))] = text
            value = "".join(parts[place] for place in sorted(parts))
        elif "data-json" in attrs:
            value = json.loads(attrs["data-json"])
        elif kind == "number":
            value = number_or_text(text.strip())
        elif kind == "json":
            value = json.loads(text)
        elif kind == "words":
            value = text.split()
        elif kind == "bids":
            value = parse_bids(text)
        _set_value_at_path(body, path, value, seats)
    return body


def number_or_text(text: str) -> int | str:
    """Return the text as a number if it is one, else unchanged for the rules to check."""
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) < LONGEST
    return int(text) if is_number else text


def parse_bids(text: str) -> Bids:
    """Return the bids; parts that are not numbers stay text, for the rules to check."""
    pairs = (bid.partition(":") for bid in text.split())
    return [
        [_number_or_word(seat), _number_or_word(call)] for seat, _colon, call in pairs
    ]


def format_bids(bids: Iterable[Iterable[Any]]) -> str:
    return " ".join(":".join(map(str, bid)) for bid in bids)


def _number_or_word(word: str) -> int | str:
    is_number = word.isascii() and word.isdigit() and len(word) < 10
    return int(word) if is_number else word


def _set_value_at_path(body: dict[str, Any], path: str, value: Any, seats: int) -> None:
    steps = [
        int(step[1:-1]) if step.startswith("[") else step for step in STEP.findall(path)
    ]
    parent: Any = body
    for step, next_step in pairwise(steps):
        _extend_to_index(parent, step)
        child = parent.get(step) if isinstance(parent, dict) else parent[step]
        if child is None:
            # Lists have an item for each seat.
            child = parent[step] = [None] * seats if isinstance(next_step, int) else {}
        parent = child
    if not steps:
        body.update(value)
        return
    last = steps[-1]
    _extend_to_index(parent, last)
    child = parent.get(last) if isinstance(parent, dict) else parent[last]
    if isinstance(child, dict) and isinstance(value, dict):
        child.update(value)
    else:
        parent[last] = value


def _extend_to_index(parent: Any, step: int | str) -> None:
    if isinstance(step, int):
        parent.extend([None] * (step + 1 - len(parent)))
