"""Values that often break programs, and functions that make valid input hostile."""

import json
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any


class Raw:
    """Literal text in a JSON document, valid or not."""

    def __init__(self, text: str) -> None:
        self.text = text


def split_words(text: str) -> list[str]:
    return text.split(" ")


TEXTS = [
    *("", " ", "\0", "a\0b", "\ufeff", "\n", "\r\nSet-Cookie: a=b", "\x1b[2J", "\x7f"),
    *split_words("\u202eabc \u200f\u05d0 \u2066x \u200b \ufffe \U0010ffff \ud800"),
    *("e\u0301" * 40, *split_words("👩‍👩‍👧‍👦 ß ı İ ﬀ ² ½ ١٢٣ Ⅷ")),
    *("A" * 101, "A" * 5_000, "9" * 400, "9" * 5_000, "," * 300, "\n" * 600),
    *split_words("""' " ';-- \\ % %s%n %00 {} {0} {{7*7}} &#0; javascript:alert(1)"""),
    *("' OR 1=1 --", "<script>alert(1)</script>", "</textarea><b>", " 1 "),
    *split_words(
        "../../etc/passwd /dev/null //evil.example http://127.0.0.1:1/ file:///"
    ),
    *split_words("=1+1 @SUM(A1) -1 +1 1e5 1e400 0x10 1_0 1,5 -0"),
    *split_words("NaN Infinity true null None [] __proto__ constructor"),
    *split_words("0001-01-01 9999-12-31 2026-02-30 2026-03-29T02:30 2026-10-25T02:30"),
    *split_words("0001-01-01T00:00 9999-12-31T23:59 24:00 2026-W01 10000-01-01T00:00"),
    *("00000000-0000-0000-0000-000000000000", "a@b", f"a@{'b' * 300}.org", "ä@ö.de"),
    *("1/0", "1/3", "-1/2", "1" * 60 + "/7", "2147483647", "2147483648", "-2147483649"),
    *split_words("9223372036854775807 9223372036854775808 18446744073709551616"),
    *split_words("Europe/Berlin Mars/Olympus de xx tlh-Latn-x-é #fff 1f4e8c"),
    *split_words("AAAA ==== -----BEGIN W10= eyJhbGciOiJub25lIn0.. %ED%A0%80"),
]
EDGES = [edge + more for edge in (2**31, 2**63) for more in (-1, 0)]
NUMBERS = [
    *(0, 1, -1, 2, 7, 99, 100, 1000, 10**6, -(10**6), 0.1, -0.0, 1.0, 1e308, 5e-324),
    *(*EDGES, -(2**31) - 1, -(2**63) - 1, 2**53 + 1, 10**400),
]
ODD_JSON = [
    *map(Raw, ["NaN", "Infinity", "-Infinity", "1e999", "'", "undefined", "01", ""]),
    *map(Raw, ["9" * 5_000, "[" * 400 + "]" * 400, "[" * 9_000]),
    *map(Raw, ['{"a":' * 3000 + "1" + "}" * 3000, '"\\ud800"', '"\\u0000"']),
]
VALUES: list[Any] = [
    *TEXTS,
    *NUMBERS,
    *ODD_JSON,
    *(None, True, False, [], {}, [[]], [None], {"": None}, {"__proto__": {"a": 1}}),
    *([0] * 300, {str(number): number for number in range(80)}),
]
BYTES = [
    *(
        b"\0",
        b"\xff",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"\xc0\xaf",
        b"\n",
    ),
    *(b'"', b"{", b"]", b",", b";;;;", b"\t", b"PK\x03\x04", b"\r\n\r\n", b"%"),
    b"A" * 3000,
]


def some_value(rng: Random) -> Any:
    """Return a random value, rarely one of the expected type."""
    kinds: Sequence[Sequence[Any]] = (VALUES, TEXTS, NUMBERS)
    return deepcopy(rng.choice(rng.choice(kinds)))


def some_text(rng: Random) -> str:
    text = rng.choice(TEXTS) if rng.random() < 0.8 else str(some_number(rng))
    return text + rng.choice(TEXTS) if rng.random() < 0.1 else text


def some_number(rng: Random) -> int:
    integers = [number for number in NUMBERS if isinstance(number, int)]
    return rng.choice(integers) + rng.randint(-1, 1)


def value_places(value: Any) -> list[tuple[Any, Any]]:
    """Return the container and the key of every value in a document.

    >>> value_places({"a": [1]})
    [({'a': [1]}, 'a'), ([1], 0)]
    """
    places: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        container = waiting.pop()
        keys = range(len(container)) if isinstance(container, list) else list(container)
        for key in keys:
            places.append((container, key))
            if isinstance(container[key], dict | list):
                waiting.append(container[key])
    return places


def change_document(document: Any, rng: Random, others: Sequence[Any] = ()) -> Any:
    """Return a copy of a document with a few values changed, perhaps by parts of others."""
    if not isinstance(document, dict | list) or rng.random() < 0.02:
        return some_value(rng)
    document = deepcopy(document)
    for _change in range(rng.choice((1, 1, 1, 2, 3))):
        candidates = value_places(document)
        if not candidates:
            return some_value(rng)
        holder, key = rng.choice(candidates)
        if isinstance(holder[key], dict | list) and rng.random() < 0.6:
            # Prefer leaves: changes of large parts are mostly refused as a whole.
            holder, key = rng.choice(candidates)
        _change_at(holder, key, rng, others)
    return document


def _change_at(holder: Any, key: Any, rng: Random, others: Sequence[Any]) -> None:
    """Change one value: remove, duplicate, move or replace it."""
    value, action = holder[key], rng.randrange(10)
    if action == 0:
        del holder[key]
    elif action == 1 and isinstance(holder, list):
        holder.insert(key, deepcopy(value))
    elif action == 1:
        holder[some_text(rng)] = holder.pop(key)
    elif action == 2:
        other = rng.choice(
            list(range(len(holder)) if isinstance(holder, list) else holder)
        )
        holder[key], holder[other] = holder[other], holder[key]
    elif action == 3 and others:
        other, other_key = rng.choice(value_places(list(others)))
        holder[key] = deepcopy(other[other_key])
    else:
        holder[key] = _replacement(value, rng)


def _replacement(value: Any, rng: Random) -> Any:
    is_similar = rng.random() < 0.4
    if is_similar and isinstance(value, int):
        return value + rng.choice((-2, -1, 1, 2))
    if is_similar and isinstance(value, str):
        return value[: rng.randint(0, len(value))] + some_text(rng)
    if is_similar and isinstance(value, list):
        return value * 2 if len(value) < 50 else value[:1]
    if rng.random() < 0.2:
        return rng.choice(([value], {"": value}, [value] * 3, str(value)))
    return some_value(rng)


def write_json(document: Any, rng: Random) -> bytes:
    """Return a document as JSON, sometimes with a duplicate key, in another encoding, or mangled."""
    raw_parts: list[Raw] = []

    def placeholder(part: Raw) -> str:
        raw_parts.append(part)
        return f"raw {len(raw_parts) - 1}"

    text = json.dumps(document, default=placeholder, ensure_ascii=rng.random() < 0.9)
    for number, part in enumerate(raw_parts):
        text = text.replace(f'"raw {number}"', part.text, 1)
    if isinstance(document, dict) and document and rng.random() < 0.02:
        duplicate = json.dumps({rng.choice(list(document)): rng.choice(TEXTS)})
        text = f"{duplicate[:-1]}, {text[1:]}"
    if rng.random() < 0.03:
        encoding = rng.choice(("utf-16", "utf-8-sig", "latin-1", "utf-32"))
        return text.encode(encoding, "replace")
    content = text.encode("utf-8", "surrogatepass")
    return mangle(content, rng) if rng.random() < 0.15 else content


def mangle(content: bytes, rng: Random) -> bytes:
    """Return bytes with a part cut, repeated, flipped or inserted."""
    start, end = sorted(rng.randint(0, len(content)) for _end in range(2))
    action = rng.randrange(7)
    if action == 0:
        return content[:start]
    if action == 1:
        return content[start:]
    if action == 2:
        return content[:start] + content[end:]
    if action == 3:
        return content[:end] + content[start:]
    if action == 4 and content:
        start %= len(content)
        flipped = bytes([content[start] ^ (1 << rng.randrange(8))])
        return content[:start] + flipped + content[start + 1 :]
    if action == 5:
        return content[:start] + rng.randbytes(end % 40) + content[start:]
    return content[:start] + rng.choice(BYTES) + content[start:]
