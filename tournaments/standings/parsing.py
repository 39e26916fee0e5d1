"""A strict JSON parser: a repeated key is an error instead of being overwritten."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn


class RepeatedKey(Exception):  # noqa: N818 - named after the finding
    """A key that the object at `path` has twice."""

    def __init__(self, path: str, key: str) -> None:
        """Store the path of the object and the key."""
        super().__init__(f"{key} stands twice in {path}")
        self.path = path
        self.key = key


def parse(document: bytes | str) -> Any:
    """Return the value of a JSON text.

    Raises RepeatedKey, or ValueError if the text is not JSON (constants such as NaN are not).
    """
    repeats: list[tuple[dict[str, Any], str]] = []

    def record_repeated_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        mapping = dict(pairs)
        if len(mapping) != len(pairs):
            key, _times = Counter(key for key, _value in pairs).most_common(1)[0]
            repeats.append((mapping, key))
        return mapping

    def reject(constant: str) -> NoReturn:
        raise ValueError(constant)

    try:
        raw = json.loads(
            document, object_pairs_hook=record_repeated_keys, parse_constant=reject
        )
    except RecursionError:
        raise ValueError("nested too deep") from None
    # By identity: another object may have equal content.
    keys = {id(mapping): key for mapping, key in repeats}
    # An explicit stack: JSON may be nested deeper than Python's recursion limit.
    pending: list[tuple[str, Any]] = [("", raw)] if keys else []
    while pending:
        path, inner = pending.pop()
        if isinstance(inner, dict):
            if id(inner) in keys:
                raise RepeatedKey(path, keys[id(inner)])
            pending += [
                (f"{path}.{key}" if path else key, value)
                for key, value in inner.items()
            ]
        elif isinstance(inner, list):
            pending += [
                (f"{path}[{number}]", value) for number, value in enumerate(inner)
            ]
    return raw
