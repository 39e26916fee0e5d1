"""Nothing but a game's own two packages names it; `PACKAGES` lists it once."""

import re
from pathlib import Path

from django.conf import settings

from scoring.rules import GAMES
from scoring.rules.registry import PACKAGES

ROOT = Path(settings.BASE_DIR)
REGISTRY = "scoring/rules/registry.py"
OWN = tuple(
    f"{package.replace('.', '/')}/"
    for rules in PACKAGES
    for package in (rules, rules.replace(".rules.", ".games."))
) + tuple(f"templates/scoring/games/{game}/" for game in GAMES)
# Tricky is also what the whole site is called.
NAMED = "|".join(GAMES.keys() - {"tricky"})
BY_NAME = {
    # Examples in docstrings may.
    ".py": re.compile(
        rf"""^(?!\s*>>>).*(?:(["'])(?:{NAMED})\1|(?:from|import)\b.*\b(?:{NAMED})\b)""",
        re.MULTILINE,
    ),
    ".html": re.compile(rf"\b(?:{NAMED})\b"),
}


def test_no_module_or_template_hard_codes_a_game() -> None:
    sources = {
        path.relative_to(ROOT).as_posix(): path
        for folder in ("scoring", "tournaments", "tricky_site", "templates")
        for suffix in BY_NAME
        for path in (ROOT / folder).rglob(f"*{suffix}")
    }
    assert len(sources) > 500
    assert [
        name
        for name, path in sources.items()
        if name != REGISTRY
        and not name.startswith(OWN)
        and BY_NAME[path.suffix].search(path.read_text())
    ] == []
