"""What programs stumble over, and how something that is fine becomes hostile."""

import json
from collections.abc import Sequence
from copy import deepcopy
from random import Random
from typing import Any


class Raw:
    """A part of a JSON document as it is to be written, whether or not it is JSON."""

    def __init__(self, text: str) -> None:
        self.text = text


def words(text: str) -> list[str]:
    return text.split(" ")


TEXTS = [
    *("", " ", "\0", "a\0b", "\ufeff", "\n", "\r\nSet-Cookie: a=b", "\x1b[2J", "\x7f"),
    *words("\u202eabc \u200f\u05d0 \u2066x \u200b \ufffe \U0010ffff \ud800"),
    *("e\u0301" * 40, *words("👩‍👩‍👧‍👦 ß ı İ ﬀ ² ½ ١٢٣ Ⅷ")),
    *("A" * 101, "A" * 5_000, "9" * 400, "9" * 5_000, "," * 300, "\n" * 600),
    *words("""' " ';-- \\ % %s%n %00 {} {0} {{7*7}} &#0; javascript:alert(1)"""),
    *("' OR 1=1 --", "<script>alert(1)</script>", "</textarea><b>", " 1 "),
    *words("../../etc/passwd /dev/null //evil.example http://127.0.0.1:1/ file:///"),
    *words("=1+1 @SUM(A1) -1 +1 1e5 1e400 0x10 1_0 1,5 -0"),
    *words("NaN Infinity true null None [] __proto__ constructor"),
    *words("0001-01-01 9999-12-31 2026-02-30 2026-03-29T02:30 2026-10-25T02:30"),
    *words("0001-01-01T00:00 9999-12-31T23:59 24:00 2026-W01 10000-01-01T00:00"),
    *("00000000-0000-0000-0000-000000000000", "a@b", f"a@{'b' * 300}.org", "ä@ö.de"),
    *("1/0", "1/3", "-1/2", "1" * 60 + "/7", "2147483647", "2147483648", "-2147483649"),
    *words("9223372036854775807 9223372036854775808 18446744073709551616"),
    *words("Europe/Berlin Mars/Olympus de xx tlh-Latn-x-é #fff 1f4e8c"),
    *words("AAAA ==== -----BEGIN W10= eyJhbGciOiJub25lIn0.. %ED%A0%80"),
]
EDGES = [edge + more for edge in (2**31, 2**63) for more in (-1, 0)]
NUMBERS = [
    *(0, 1, -1, 2, 7, 99, 100, 1000, 10**6, -(10**6), 0.1, -0.0, 1.0, 1e308, 5e-324),
    *(*EDGES, -(2**31) - 1, -(2**63) - 1, 2**53 + 1, 10**400),
]
ODD = [
    *map(Raw, ["NaN", "Infinity", "-Infinity", "1e999", "'", "undefined", "01", ""]),
    *map(Raw, ["9" * 5_000, "[" * 400 + "]" * 400, "[" * 9_000]),
    *map(Raw, ['{"a":' * 3000 + "1" + "}" * 3000, '"\\ud800"', '"\\u0000"']),
]
VALUES: list[Any] = [
    *TEXTS,
    *NUMBERS,
    *ODD,
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


def some_value(chance: Random) -> Any:
    """Return something that is seldom what was asked for."""
    kinds: Sequence[Sequence[Any]] = (VALUES, TEXTS, NUMBERS)
    return deepcopy(chance.choice(chance.choice(kinds)))


def some_text(chance: Random) -> str:
    text = chance.choice(TEXTS) if chance.random() < 0.8 else str(some_number(chance))
    return text + chance.choice(TEXTS) if chance.random() < 0.1 else text


def some_number(chance: Random) -> int:
    whole = [number for number in NUMBERS if isinstance(number, int)]
    return chance.choice(whole) + chance.randint(-1, 1)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a document: what holds it, and under which key or number.

    >>> places({"a": [1]})
    [({'a': [1]}, 'a'), ([1], 0)]
    """
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        keys = range(len(holder)) if isinstance(holder, list) else list(holder)
        for key in keys:
            found.append((holder, key))
            if isinstance(holder[key], dict | list):
                waiting.append(holder[key])
    return found


def change_document(document: Any, chance: Random, others: Sequence[Any] = ()) -> Any:
    """Return a document with a few places changed; parts of others may come into it."""
    if not isinstance(document, dict | list) or chance.random() < 0.02:
        return some_value(chance)
    document = deepcopy(document)
    for _change in range(chance.choice((1, 1, 1, 2, 3))):
        here = places(document)
        if not here:
            return some_value(chance)
        holder, key = chance.choice(here)
        if isinstance(holder[key], dict | list) and chance.random() < 0.6:
            # Rather a leaf: what is large is mostly refused as a whole.
            holder, key = chance.choice(here)
        _change_at(holder, key, chance, others)
    return document


def _change_at(holder: Any, key: Any, chance: Random, others: Sequence[Any]) -> None:
    """Change one place: take it out, double it, or put something else there."""
    value, way = holder[key], chance.randrange(10)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(key, deepcopy(value))
    elif way == 1:
        holder[some_text(chance)] = holder.pop(key)
    elif way == 2:
        other = chance.choice(
            list(range(len(holder)) if isinstance(holder, list) else holder)
        )
        holder[key], holder[other] = holder[other], holder[key]
    elif way == 3 and others:
        other, other_key = chance.choice(places(list(others)))
        holder[key] = deepcopy(other[other_key])
    else:
        holder[key] = _instead(value, chance)


def _instead(value: Any, chance: Random) -> Any:
    near = chance.random() < 0.4
    if near and isinstance(value, int):
        return value + chance.choice((-2, -1, 1, 2))
    if near and isinstance(value, str):
        return value[: chance.randint(0, len(value))] + some_text(chance)
    if near and isinstance(value, list):
        return value * 2 if len(value) < 50 else value[:1]
    if chance.random() < 0.2:
        return chance.choice(([value], {"": value}, [value] * 3, str(value)))
    return some_value(chance)


def write_json(document: Any, chance: Random) -> bytes:
    """Return a document as JSON, now and then with a key twice, in another code, or cut."""
    raw: list[Raw] = []

    def placeholder(part: Raw) -> str:
        raw.append(part)
        return f"raw {len(raw) - 1}"

    text = json.dumps(document, default=placeholder, ensure_ascii=chance.random() < 0.9)
    for number, part in enumerate(raw):
        text = text.replace(f'"raw {number}"', part.text, 1)
    if isinstance(document, dict) and document and chance.random() < 0.02:
        twice = json.dumps({chance.choice(list(document)): chance.choice(TEXTS)})
        text = f"{twice[:-1]}, {text[1:]}"
    if chance.random() < 0.03:
        coding = chance.choice(("utf-16", "utf-8-sig", "latin-1", "utf-32"))
        return text.encode(coding, "replace")
    content = text.encode("utf-8", "surrogatepass")
    return mangle(content, chance) if chance.random() < 0.15 else content


def mangle(content: bytes, chance: Random) -> bytes:
    """Return bytes that were cut, turned over, or have something in them that they had not."""
    at, end = sorted(chance.randint(0, len(content)) for _end in range(2))
    way = chance.randrange(7)
    if way == 0:
        return content[:at]
    if way == 1:
        return content[at:]
    if way == 2:
        return content[:at] + content[end:]
    if way == 3:
        return content[:end] + content[at:]
    if way == 4 and content:
        at %= len(content)
        turned = bytes([content[at] ^ (1 << chance.randrange(8))])
        return content[:at] + turned + content[at + 1 :]
    if way == 5:
        return content[:at] + chance.randbytes(end % 40) + content[at:]
    return content[:at] + chance.choice(BYTES) + content[at:]
