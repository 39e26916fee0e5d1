"""Every clause of the games is cited by a test."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
RULES = Path(__file__).parents[3] / "scoring" / "rules"

CLAUSES: dict[str, list[str]] = {}
for line in (TESTS.parents[1] / "cases" / "clauses.txt").read_text().splitlines():
    game_id, clause_id = line.split()
    CLAUSES.setdefault(game_id, []).append(clause_id)
"""Clauses that a record can keep or break, by game."""

CLAUSES["tricks_and_treats"] += [
    "treats.refill",
    "treats.trick.follow",
    "treats.trick.claim",
    "treats.trick.turn",
]
"""Clauses that only the board shows; a record does not."""

TABLE_CONDUCT = {"tricky.reroll"}
"""Clauses about conduct at the table, which nothing records."""

KNOWN_CLAUSES = {clause for clauses in CLAUSES.values() for clause in clauses}
KNOWN_CLAUSES |= {"record.format", "record.finished"}


def read_sources(folder: Path) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.rglob("*.py")))


def cited_clauses() -> Iterator[str]:
    for path in RULES.rglob("*.py"):
        yield from re.findall(r"[\"( ]((?:\w+\.)+\w+)[\")]", path.read_text())


@pytest.mark.parametrize("game", CLAUSES)
def test_every_clause_is_cited_by_a_test_or_message(game: str) -> None:
    tests = (
        read_sources(TESTS / game) + (TESTS / "sentences" / f"{game}.txt").read_text()
    )
    cited = {
        clause
        for clause in CLAUSES[game]
        if re.search(rf"\b{clause}(?!\w|\.\w)", tests)
    }
    assert set(CLAUSES[game]) - cited == set()


def test_rules_cite_only_existing_clauses() -> None:
    """A family of clauses may be cited by its prefix."""
    families = {clause.rpartition(".")[0] for clause in KNOWN_CLAUSES}
    prefixes = {clause.split(".")[0] for clause in KNOWN_CLAUSES} - {"record"}
    found = {clause for clause in cited_clauses() if clause.split(".")[0] in prefixes}
    assert len(found) > 50
    assert found - KNOWN_CLAUSES - families == set()


def test_table_conduct_clauses_are_not_judged() -> None:
    assert TABLE_CONDUCT.isdisjoint(cited_clauses())
