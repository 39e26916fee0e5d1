"""Only a game's own packages name it; `PACKAGES` lists it once."""

import re
from pathlib import Path

from django.conf import settings

from scoring.rules import GAMES
from scoring.rules.registry import PACKAGES

ROOT = Path(settings.BASE_DIR)
REGISTRY = "scoring/rules/registry.py"
OWN_PACKAGES = tuple(
    f"{package.replace('.', '/')}/"
    for rules in PACKAGES
    for package in (rules, rules.replace(".rules.", ".games."))
) + tuple(f"templates/scoring/games/{game}/" for game in GAMES)
# Tricky is also the name of the site.
GAME_NAMES = "|".join(GAMES.keys() - {"tricky"})
BY_NAME = {
    # Examples in docstrings may name games.
    ".py": re.compile(
        rf"""^(?!\s*>>>).*(?:(["'])(?:{GAME_NAMES})\1|(?:from|import)\b.*\b(?:{GAME_NAMES})\b)""",
        re.MULTILINE,
    ),
    ".html": re.compile(rf"\b(?:{GAME_NAMES})\b"),
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
        and not name.startswith(OWN_PACKAGES)
        and BY_NAME[path.suffix].search(path.read_text())
    ] == []
