"""Documents with one random change, to compare the verdicts of a schema and a reader."""

from copy import deepcopy
from random import Random
from typing import Any

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 7, 10**19, 1.5, "", "x", "pass", "1/2"),
    *([], {}, [1], ["a", "b"], {"x": 1}),
)


def value_places(document: Any) -> list[tuple[Any, Any]]:
    """Return the container and the key of every value in a document."""
    places: list[tuple[Any, Any]] = []
    if isinstance(document, dict):
        places += [(document, key) for key in document]
    elif isinstance(document, list):
        places += [(document, number) for number in range(len(document))]
    return places + [
        inner for container, key in places for inner in value_places(container[key])
    ]


def change_document(document: Any, rng: Random) -> Any:
    """Return a copy of the document with one value removed, added or replaced."""
    document = deepcopy(document)
    container, key = rng.choice(value_places(document))
    action = rng.randrange(4)
    if action == 0:
        del container[key]
    elif action == 1 and isinstance(container, list):
        container.append(rng.choice(VALUES))
    elif action == 1:
        container["further"] = rng.choice(VALUES)
    elif (
        action == 2
        and isinstance(container[key], int)
        and not isinstance(container[key], bool)
    ):
        container[key] += rng.choice((-1, 1, 100))
    else:
        container[key] = deepcopy(rng.choice(VALUES))
    return document
