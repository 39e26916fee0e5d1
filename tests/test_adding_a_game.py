"""The guide to adding a game is true of every game that is there."""

import re
import tomllib
from pathlib import Path

import pytest

from scoring.forms.matches import OPTIONS
from scoring.playing.season import LIKELY_TABLES
from scoring.rules import GAMES
from tournaments.estimates import MINUTES_A_HAND

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "docs" / "adding-a-game.md"
PLACES = sorted(set(re.findall(r"`([\w./]+<game>[\w./]*)`", GUIDE.read_text())))


def test_the_guide_names_the_places_that_a_game_needs() -> None:
    assert "scoring/rules/<game>/game.py" in PLACES
    assert len(PLACES) >= 8


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("place", PLACES)
def test_every_game_has_every_place_of_the_guide(game_id: str, place: str) -> None:
    if "/" not in place:
        pytest.fail(f"{place} is not a path")
    assert (ROOT / place.replace("<game>", game_id)).exists()


@pytest.mark.parametrize("game_id", GAMES)
def test_every_game_has_its_row_in_the_small_tables(game_id: str) -> None:
    for table in (OPTIONS, LIKELY_TABLES, MINUTES_A_HAND):
        assert game_id in table


def test_no_game_may_import_another() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts = settings["tool"]["importlinter"]["contracts"]
    fenced = {
        module
        for contract in contracts
        if contract["type"] == "independence"
        for module in contract["modules"]
    }
    assert {f"scoring.rules.{game_id}" for game_id in GAMES} <= fenced
