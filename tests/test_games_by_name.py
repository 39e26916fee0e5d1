"""Nothing but a game's own two packages names it; `PACKAGES` lists it once."""

import ast
import re
from pathlib import Path

from django.conf import settings

from scoring.rules import GAMES
from scoring.rules.registry import PACKAGES

ROOT = Path(settings.BASE_DIR)
REGISTRY = "scoring/rules/registry.py"
THE_HOUSE = {
    # Tricky is also what the whole site is called.
    "scoring/models/matches.py",
    "tricky_site/celery.py",
    "tricky_site/settings.py",
}
OWN = tuple(
    f"{package.replace('.', '/')}/"
    for rules in PACKAGES
    for package in (rules, rules.replace(".rules.", ".games."))
) + tuple(f"templates/scoring/games/{game}/" for game in GAMES)


def sources(suffix: str) -> list[str]:
    names = [
        path.relative_to(ROOT).as_posix()
        for folder in ("scoring", "tournaments", "tricky_site", "templates")
        for path in (ROOT / folder).rglob(f"*{suffix}")
    ]
    return sorted(name for name in names if not name.startswith(OWN))


def names_in(source: str) -> set[str]:
    """Return the games that code names: as a text, or as a part of a module's name."""
    tree = ast.parse(source)
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words.add(node.value)
        elif isinstance(node, ast.ImportFrom):
            words |= set((node.module or "").split("."))
            words |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            words |= {part for alias in node.names for part in alias.name.split(".")}
    return words & GAMES.keys()


def test_no_module_names_a_game() -> None:
    named = {
        name: games
        for name in sources(".py")
        if name != REGISTRY
        and (games := names_in((ROOT / name).read_text()))
        and not (name in THE_HOUSE and games == {"tricky"})
    }
    assert named == {}


def test_no_page_names_a_game() -> None:
    others = re.compile(rf"\b({'|'.join(GAMES.keys() - {'tricky'})})\b")
    pages = sources(".html")
    assert [name for name in pages if others.search((ROOT / name).read_text())] == []
