"""Table sizes, and the command that draws a night."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seating import (
    SeatingRefusal,
    TableSizeLimits,
    choose_table_sizes,
)


@pytest.mark.parametrize(
    ("least", "preferred", "most"), [(1, 2, 2), (3, 2, 4), (2, 5, 4)]
)
def test_invalid_table_size_order_is_reported_at_its_field(
    least: int, preferred: int, most: int
) -> None:
    with pytest.raises(SeatingRefusal) as error:
        TableSizeLimits(least=least, preferred=preferred, most=most)
    assert error.value.field == "table"
    sentence = (
        f"The smallest table needs at least 2 players, and the table size {preferred} "
        f"must be between {least} and {most}."
    )
    assert str(error.value.message) == str(error.value) == sentence


@pytest.mark.parametrize(
    ("players", "sizing", "sizes"),
    [
        (3, TableSizeLimits(), [3]),
        (5, TableSizeLimits(), [5]),
        (5, TableSizeLimits(most=4), [4]),
        (11, TableSizeLimits(), [4, 4, 3]),
        (18, TableSizeLimits(least=4, most=4), [4, 4, 4, 4]),
        (24, TableSizeLimits(preferred=5, least=4, most=5), [5, 5, 5, 5, 4]),
        (6, TableSizeLimits(), [3, 3]),
        (8, TableSizeLimits(), [4, 4]),
        (9, TableSizeLimits(), [3, 3, 3]),
        (9, TableSizeLimits(least=4), [5, 4]),
        (10, TableSizeLimits(most=4), [4, 3, 3]),
        (11, TableSizeLimits(least=4), [5, 5]),
        (11, TableSizeLimits(preferred=5, least=5), [5, 5]),
        (7, TableSizeLimits(preferred=2, least=2, most=3), [3, 2, 2]),
        (14, TableSizeLimits(preferred=6, least=2, most=8), [5, 5, 4]),
    ],
)
def test_tables_use_preferred_size_or_the_nearest_within_limits(
    players: int, sizing: TableSizeLimits, sizes: list[int]
) -> None:
    assert choose_table_sizes(players, sizing) == sizes


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (0, "0 players aren’t enough. A table needs at least 3."),
        (1, "One player isn’t enough. A table needs at least 3."),
        (2, "2 players aren’t enough. A table needs at least 3."),
    ],
)
def test_too_few_players_error_names_the_required_number(
    players: int, sentence: str
) -> None:
    with pytest.raises(SeatingRefusal) as error:
        choose_table_sizes(players, TableSizeLimits())
    assert error.value.field == "players"
    assert str(error.value.message) == sentence


@given(st.integers(2, 400), st.integers(2, 8), st.integers(0, 2), st.integers(0, 2))
def test_table_sizes_differ_by_at_most_one_within_limits(
    players: int, preferred: int, fewer: int, more: int
) -> None:
    sizing = TableSizeLimits(
        preferred=preferred, least=max(2, preferred - fewer), most=preferred + more
    )
    try:
        sizes = choose_table_sizes(players, sizing)
    except SeatingRefusal as refusal:
        assert refusal.field == "players"
        assert players < sizing.least
        return
    assert sizing.least <= min(sizes) <= max(sizes) <= sizing.most
    assert max(sizes) - min(sizes) <= 1
    assert sum(sizes) <= players


def run_seat_command(*arguments: str) -> dict[str, Any]:
    output = StringIO()
    try:
        call_command("seat", *arguments, stdout=output)
    except SystemExit as exit_:
        assert exit_.code == 1
    result: dict[str, Any] = json.loads(output.getvalue())
    return result


def test_command_plans_a_night_around_played_rounds(tmp_path: Path) -> None:
    night = run_seat_command("--players", "17", "--rounds", "5", "--seed", "4")
    assert night["repeats"] == night["bound"] == 0
    assert night["most_meetings"] == 1
    path = tmp_path / "played.json"
    path.write_text(json.dumps({"rounds": night["rounds"][:2]}))
    replanned = run_seat_command(
        "--players", "17", "--rounds", "5", "--played", str(path), "--active", "3-19"
    )
    assert replanned["rounds"][:2] == night["rounds"][:2]
    for tables in replanned["rounds"][2:]:
        assert sorted(p for table in tables for p in table) == list(range(3, 20))


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ("--players 1 --rounds 1", "players"),
        ("--players 9 --rounds 0", "rounds"),
        ("--players 9 --rounds 1 --table 1", "table"),
        ("--players 9 --rounds 1 --min 5", "table"),
        ("--players 9 --rounds 1 --active 1,x", "active"),
        ("--players 9 --rounds 1 --active 5-1", "active"),
        ("--players 9 --rounds 1 --active 1,2", "players"),
        ("--players 9 --rounds 1 --played /nowhere", "played"),
    ],
)
def test_command_reports_errors_by_field(arguments: str, field: str) -> None:
    result = run_seat_command(*arguments.split())
    assert result["error"]["field"] == field
    assert result["error"]["message"].endswith(".")


@pytest.mark.parametrize(
    ("played", "field"),
    [
        ("{", "played"),
        ("7", "played"),
        ('{"rounds": [7]}', "played.rounds[0]"),
        ('{"rounds": [[[]]]}', "played.rounds[0][0]"),
        ('{"rounds": [[[1, "2"]]]}', "played.rounds[0][0]"),
        ('{"rounds": [[[1, 2, 3], [1, 5, 6]]]}', "played.rounds[0][1]"),
        ('{"rounds": [[], [], []]}', "rounds"),
    ],
)
def test_command_rejects_invalid_played_rounds(
    tmp_path: Path, played: str, field: str
) -> None:
    path = tmp_path / "played.json"
    path.write_text(played)
    result = run_seat_command("--players", "9", "--rounds", "2", "--played", str(path))
    assert result["error"]["field"] == field
