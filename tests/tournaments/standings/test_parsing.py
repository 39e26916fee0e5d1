"""JSON that says a thing twice."""

import pytest

from tournaments.standings.parsing import RepeatedKey, parse


@pytest.mark.parametrize(
    ("text", "path", "key"),
    [
        ('{"a": 1, "a": 2}', "", "a"),
        ('{"t": [1, {"s": {"A": 1, "B": 2, "A": 3}}], "z": "a"}', "t[1].s", "A"),
        ('[{"b": {}, "c": [[], {"d": 1, "e": 2, "e": 3}]}]', "[0].c[1]", "e"),
        # The outer repeat overwrote the inner one, and is what can be named.
        ('{"a": {"b": 1, "b": 2}, "a": 3}', "", "a"),
    ],
)
def test_duplicate_key_is_reported_by_its_path(text: str, path: str, key: str) -> None:
    with pytest.raises(RepeatedKey) as found:
        parse(text)
    assert (found.value.path, found.value.key) == (path, key)


def test_unique_keys_are_read() -> None:
    assert parse(b'{"a": [1, {"a": null}]}') == {"a": [1, {"a": None}]}
