"""JSON text, read strictly: what stands twice is found, not overwritten."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any


class RepeatedKey(Exception):  # noqa: N818 - what was found, not what went wrong
    """A key that stands twice in the object at `path`."""

    def __init__(self, path: str, key: str) -> None:
        """Keep where it is and what it is."""
        super().__init__(f"{key} stands twice in {path}")
        self.path = path
        self.key = key


def parse(document: bytes | str) -> Any:
    """Return what the JSON text holds.

    Raises RepeatedKey, or ValueError for what is no JSON (constants such as NaN
    included).
    """
    repeats: list[tuple[dict[str, Any], str]] = []

    def collected(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        mapping = dict(pairs)
        if len(mapping) != len(pairs):
            key, _times = Counter(key for key, _value in pairs).most_common(1)[0]
            repeats.append((mapping, key))
        return mapping

    try:
        raw = json.loads(
            document, object_pairs_hook=collected, parse_constant=_reject_constant
        )
    except RecursionError:
        raise ValueError("nested too deep") from None
    # By identity: another object may hold the same.
    keys = {id(mapping): key for mapping, key in repeats}
    for path, inner in _objects(raw) if keys else ():
        if id(inner) in keys:
            raise RepeatedKey(path, keys[id(inner)])
    return raw


def _reject_constant(name: str) -> object:
    raise ValueError(name)


def _objects(raw: Any) -> Iterator[tuple[str, Any]]:
    """Yield every object inside with its path, as in `tables[3].scores`."""
    # A stack of its own: what JSON nests may be deeper than calls can be.
    left: list[tuple[str, Any]] = [("", raw)]
    while left:
        path, inner = left.pop()
        if isinstance(inner, dict):
            yield path, inner
            left += [
                (f"{path}.{key}" if path else key, value)
                for key, value in inner.items()
            ]
        elif isinstance(inner, list):
            left += [(f"{path}[{number}]", value) for number, value in enumerate(inner)]
