"""The first three of a list, as they stand on a podium."""

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

LAST = 3


class Step(NamedTuple):
    """Those who share a rank."""

    rank: int
    names: tuple[str, ...]
    worth: str


def podium(lines: Iterable[tuple[int | None, str, str]]) -> list[Step]:
    """Return a step for each of the first three ranks that somebody has.

    `lines` are rank, name and what they have, in order; who has no rank stands nowhere.
    """
    ranked = ((rank, name, worth) for rank, name, worth in lines if rank)
    steps = []
    for rank, level in groupby(ranked, lambda line: line[0]):
        if rank > LAST:
            break
        people = list(level)
        names = tuple(name for _rank, name, _worth in people)
        steps.append(Step(rank=rank, names=names, worth=people[0][2]))
    return steps
