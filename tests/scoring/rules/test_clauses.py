"""Every clause of the games is held by a test that names it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = Path(__file__).parents[3] / "scoring" / "rules"

CLAUSES: dict[str, list[str]] = {}
for line in (TESTS.parents[1] / "cases" / "clauses.txt").read_text().splitlines():
    game_id, listed = line.split()
    CLAUSES.setdefault(game_id, []).append(listed)
"""What a record can keep or break, by game."""

CLAUSES["tricks_and_treats"] += [
    "treats.refill",
    "treats.trick.follow",
    "treats.trick.claim",
    "treats.trick.turn",
]
"""And what leaves no mark in a record, but is done on the board."""

AT_THE_TABLE = {"tricky.reroll"}
"""What is done at the table and leaves no mark anywhere."""

KNOWN = {clause for clauses in CLAUSES.values() for clause in clauses}
KNOWN |= {"record.format", "record.finished"}


def texts(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*.py")))


def cited() -> Iterator[str]:
    for path in RULES.rglob("*.py"):
        yield from re.findall(r"[\"( ]((?:\w+\.)+\w+)[\")]", path.read_text())


@pytest.mark.parametrize("game", CLAUSES)
def test_every_clause_is_cited_by_a_test_or_message(game: str) -> None:
    tests = texts(TESTS / game) + (TESTS / "sentences" / f"{game}.txt").read_text()
    named = {
        clause
        for clause in CLAUSES[game]
        if re.search(rf"\b{clause}(?!\w|\.\w)", tests)
    }
    assert set(CLAUSES[game]) - named == set()


def test_rules_cite_only_existing_clauses() -> None:
    """A family of clauses may be cited by what they begin with."""
    families = {clause.rpartition(".")[0] for clause in KNOWN}
    heads = {clause.split(".")[0] for clause in KNOWN} - {"record"}
    found = {clause for clause in cited() if clause.split(".")[0] in heads}
    assert len(found) > 50
    assert found - KNOWN - families == set()


def test_table_conduct_clauses_are_not_judged() -> None:
    assert AT_THE_TABLE.isdisjoint(cited())
