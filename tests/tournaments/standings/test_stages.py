"""Stages: after cuts and in knockouts, players who advanced further rank higher."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings import (
    CountingRules,
    StandingsInput,
    TableResult,
    standings,
)
from tournaments.standings.stages import staged_standings


def table(round_: int, number: int, **scores: int) -> TableResult:
    return TableResult(round=round_, table=number, scores=scores)


COUNTING = CountingRules(tie_breaks=("wins", "margin"))
FIRST = StandingsInput(
    counting=COUNTING,
    tables=[
        table(1, 1, Ann=40, Bo=30, Cy=20, Di=10),
        table(1, 2, Ed=41, Flo=25, Gus=24, Hal=10),
    ],
)
FINAL = StandingsInput(
    counting=COUNTING, tables=[table(2, 1, Bo=9, Ann=5, Ed=5, Flo=1)]
)


def test_final_decides_the_first_places_with_a_reason_for_each_row() -> None:
    rows = staged_standings([FIRST, FINAL])
    assert (int(rows[0].points), rows[0].tables) == (4, 2)
    assert [(row.rank, row.player, row.stage) for row in rows] == [
        (1, "Bo", 1),
        (2, "Ed", 1),
        (3, "Ann", 1),
        (4, "Flo", 1),
        (5, "Gus", 0),
        (6, "Cy", 0),
        (7, "Di", 0),
        (7, "Hal", 0),
    ]
    assert [str(row.reason) for row in rows] == [
        "4 points to the next player’s 5/2",
        "tied in this stage, ranked higher before",
        "5/2 points to the next player’s 1",
        "advanced further than Gus",
        "tied on 2, better margin",
        "2 points to the next player’s 1",
        "tied on 1, all tie-breaks equal",
        "None",
    ]


@given(st.lists(st.integers(0, 3), min_size=8, max_size=8), st.integers(2, 8))
def test_finalists_rank_above_all_others(scores: list[int], finalists: int) -> None:
    names = "ABCDEFGH"
    first = StandingsInput(
        tables=[
            table(1, number, **dict(zip(names[half], scores[half], strict=True)))
            for number, half in enumerate((slice(0, 4), slice(4, 8)), start=1)
        ]
    )
    seated = [row.player for row in standings(first)][:finalists]
    final = StandingsInput(tables=[table(2, 1, **dict.fromkeys(seated, 7))])
    rows = staged_standings([first, final])
    assert sorted(row.player for row in rows) == sorted(names)
    assert {row.player for row in rows[:finalists]} == set(seated)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def test_only_the_best_tables_count_if_limited() -> None:
    event = StandingsInput(
        tables=[
            table(1, 1, Ann=9, Bo=5, Cy=1),
            table(2, 1, Ann=1, Bo=5, Cy=9),
            table(3, 1, Ann=9, Bo=5),
        ],
        counting=CountingRules(best=2),
    )
    points = {row.player: row.points for row in standings(event)}
    assert points == {"Ann": 8, "Bo": 5, "Cy": 5}


def test_tied_finalists_are_separated_by_a_tie_break() -> None:
    final = StandingsInput(
        counting=COUNTING,
        tables=[
            table(2, 1, Ann=9, Bo=3, Cy=2, Di=1),
            table(2, 2, Ed=5, Flo=3, Gus=2, Hal=1),
        ],
    )
    rows = staged_standings([FIRST, final])
    assert [(row.rank, row.player) for row in rows[:2]] == [(1, "Ann"), (2, "Ed")]
    assert str(rows[0].reason) == ("tied on 4, better margin")


def test_eliminated_player_between_finalists_leaves_no_reason() -> None:
    final = StandingsInput(counting=COUNTING, tables=[table(2, 1, Ann=2, Cy=2)])
    rows = staged_standings([FIRST, final])
    assert [(row.rank, row.player) for row in rows[:3]] == [
        (1, "Ann"),
        (2, "Cy"),
        (3, "Ed"),
    ]
    assert str(rows[0].reason) == ("tied in this stage, ranked higher before")
    assert str(rows[2].reason) == "4 points to the next player’s 3"
    assert "Bo" in [row.player for row in rows]


def test_finalists_reordered_by_the_previous_round_have_own_reasons() -> None:
    final = StandingsInput(
        counting=COUNTING,
        tables=[
            table(2, 1, Ann=5, Cy=0),
            table(2, 2, Ed=5, Flo=0),
            table(2, 3, Bo=3, Gus=0),
        ],
    )
    rows = staged_standings([FIRST, final])[:3]
    assert [(row.rank, row.player) for row in rows] == [
        (1, "Ed"),
        (2, "Ann"),
        (3, "Bo"),
    ]
    assert [str(row.reason) for row in rows[:2]] == [
        "tied in this stage, ranked higher before",
        "tied on 4, better margin",
    ]
