"""Table sizes, fields, published schedules, and Swiss rounds."""

import json
from collections import Counter
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seating import (
    PlayedRound,
    SeatingRefusal,
    TableSizeLimits,
    Wish,
    draw_swiss,
    meetings,
    repeats_bound,
    table_sizes,
)

EIGHT = "1032|5647 1743|6250 6721|5304 4160|2753 7360|5214 4623|7510 3615|4072"
TWELVE = [
    [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
    [[6, 9, 5, 1], [11, 8, 10, 3], [2, 4, 12, 7]],
    [[8, 1, 9, 2], [7, 5, 4, 11], [12, 3, 6, 10]],
]


def test_published_chart_of_eight_has_each_pair_meet_three_times() -> None:
    rounds = [
        [[int(player) for player in table] for table in one.split("|")]
        for one in EIGHT.split()
    ]
    assert Counter(meetings(rounds).values()) == {3: 28}


def test_a_published_chart_of_twelve_repeats_nine_pairs_of_at_least_six() -> None:
    assert Counter(meetings(TWELVE).values()) == {1: 36, 2: 9}
    assert repeats_bound(TWELVE) == 6


@given(st.integers(2, 400), st.integers(2, 8), st.integers(0, 2), st.integers(0, 2))
def test_table_sizes_differ_by_at_most_one_within_limits(
    players: int, preferred: int, fewer: int, more: int
) -> None:
    sizing = TableSizeLimits(
        preferred=preferred, least=max(2, preferred - fewer), most=preferred + more
    )
    try:
        sizes = table_sizes(players, sizing)
    except SeatingRefusal as refusal:
        assert refusal.field == "players"
        assert players < sizing.least
        return
    assert sizing.least <= min(sizes) <= max(sizes) <= sizing.most
    assert max(sizes) - min(sizes) <= 1
    assert sum(sizes) <= players


def swiss_event(players: int, rounds: int, seed: int) -> tuple[int, int]:
    """Play an event by skill and luck; return its repeats and most meetings."""
    rng = Random(seed)
    skill = {player: rng.gauss(0, 1) for player in range(1, players + 1)}
    points = dict.fromkeys(skill, Fraction())
    played: list[PlayedRound] = []
    found = (0, 0)
    for number in range(rounds):
        order = sorted(skill, key=lambda p: (-points[p], rng.random()))
        draw = draw_swiss(Wish(players=order, played=played, seed=number), points)
        for table in draw.rounds[0]:
            result = sorted(table, key=lambda p: skill[p] + rng.gauss(0, 1.2))
            for place, player in enumerate(result):
                points[player] += 1 + Fraction(3 * place, len(table) - 1)
        played.append(PlayedRound(tables=draw.rounds[0], byes=draw.byes[0]))
        found = (draw.quality.repeats, draw.quality.most_meetings)
    return found


@pytest.mark.long(6)
def test_large_swiss_event_rarely_repeats_and_never_meets_three_times() -> None:
    events = [swiss_event(200, 7, seed) for seed in range(2)]
    assert sum(repeats for repeats, _most in events) / len(events) <= 3
    assert max(most for _repeats, most in events) <= 2


def test_swiss_round_seats_adjacent_ranks_together() -> None:
    points = {player: Fraction(40 - player, 4) for player in range(1, 41)}
    draw = draw_swiss(Wish(players=range(1, 41)), points)
    spread = [max(table) - min(table) for table in draw.rounds[0]]
    assert max(spread) <= 6


def seat(*arguments: str) -> dict[str, Any]:
    printed = StringIO()
    try:
        call_command("seat", *arguments, stdout=printed)
    except SystemExit as ended:
        assert ended.code == 1
    answer: dict[str, Any] = json.loads(printed.getvalue())
    return answer


def test_command_plans_a_night_around_played_rounds(tmp_path: Path) -> None:
    night = seat("--players", "17", "--rounds", "5", "--seed", "4")
    assert night["repeats"] == night["bound"] == 0
    assert night["most_meetings"] == 1
    path = tmp_path / "played.json"
    path.write_text(json.dumps({"rounds": night["rounds"][:2]}))
    replanned = seat(
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
    answer = seat(*arguments.split())
    assert answer["error"]["field"] == field
    assert answer["error"]["message"].endswith(".")


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
    answer = seat("--players", "9", "--rounds", "2", "--played", str(path))
    assert answer["error"]["field"] == field
