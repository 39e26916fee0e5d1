"""Questions about a list that can be read in several ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

MOST_SHOWN = 4
"""Names of each reading of a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What somebody has to choose before a list is read."""

    field: str
    """The name of the field that takes the answer."""
    text: str
    proposed: str = ""
    """The answer that is chosen until another one is."""
    choices: Sequence[tuple[str, str]]
    """The value of each answer, and what the list says with it."""


def encoding_question(content: bytes, encodings: Sequence[str]) -> Question:
    """Return the question in which of these encodings a text is written.

    Each answer shows the first lines that it reads in its own way.
    """
    read = {encoding: content.decode(encoding).splitlines() for encoding in encodings}
    differing = [
        at
        for at, lines in enumerate(zip(*read.values(), strict=False))
        if len({*lines}) > 1
    ][:3]
    return Question(
        field="encoding",
        text=_("Which of these looks right?"),
        choices=[
            (encoding, " · ".join(lines[at] for at in differing))
            for encoding, lines in read.items()
        ],
    )


def names_question(readings: Mapping[str, Sequence[str]], *, field: str) -> Question:
    """Return the question which of these readings of a list are the names.

    Each answer shows the first names that it reads; equal readings are one answer.
    """
    distinct: dict[tuple[str, ...], str] = {}
    for key, names in readings.items():
        distinct.setdefault(tuple(names), key)
    return Question(
        field=field,
        text=_("Which of these are the names?"),
        choices=[
            (key, " · ".join(names[:MOST_SHOWN]) + " …" * (len(names) > MOST_SHOWN))
            for names, key in distinct.items()
        ],
    )
