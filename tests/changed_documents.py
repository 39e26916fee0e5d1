"""Documents in which something was changed by chance: what a schema and a reader both judge."""

from copy import deepcopy
from random import Random
from typing import Any

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 10**19, 1.5, "", "x", "pass", "1/2"),
    *([], {}, [1], ["a", "b"], {"x": 1}),
)


def places(document: Any) -> list[tuple[Any, Any]]:
    """Return every place in a document: what holds it, and its key there."""
    found: list[tuple[Any, Any]] = []
    if isinstance(document, dict):
        found += [(document, key) for key in document]
    elif isinstance(document, list):
        found += [(document, number) for number in range(len(document))]
    return found + [inner for held, key in found for inner in places(held[key])]


def change_document(document: Any, rng: Random) -> Any:
    """Return the document with one thing left out, added or put in place of another."""
    document = deepcopy(document)
    held, key = rng.choice(places(document))
    way = rng.randrange(4)
    if way == 0:
        del held[key]
    elif way == 1 and isinstance(held, list):
        held.append(rng.choice(VALUES))
    elif way == 1:
        held["further"] = rng.choice(VALUES)
    elif way == 2 and isinstance(held[key], int) and not isinstance(held[key], bool):
        held[key] += rng.choice((-1, 1, 100))
    else:
        held[key] = deepcopy(rng.choice(VALUES))
    return document
