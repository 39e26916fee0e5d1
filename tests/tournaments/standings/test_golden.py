"""Tournaments whose every figure and reason is known."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tournaments.models.reasons import REPLACED, translate_reason
from tournaments.standings import (
    TIE_BREAKS,
    CountingRules,
    StandingsInput,
    TableResult,
    compute_document_standings,
    standings,
    unequal_mean_points_warning,
)
from tournaments.standings.event import Scheme
from tournaments.standings.points import place_points_by_seat
from tournaments.standings.ranking import (
    RankingCause,
    explain_lead_or_tie,
    points_phrase,
)

NINE = json.loads(
    (Path(__file__).parents[2] / "cases/tournament_of_nine.json").read_text()
)
COLUMNS = {
    "WIN": "wins",
    "BEAT": "beaten",
    "OPP": "opponents_all",
    "OPPX": "opponents",
    "SB": "sonneborn_berger",
    "CUT1": "cut_one",
    "MED": "median",
    "DIF": "margin",
    "BEST": "best_table",
    "RAW": "raw",
    "SHR": "share",
    "PCT": "percentage",
}


def document(tie_breaks: list[str]) -> str:
    tables = [
        {**table, "table": number} for number, table in enumerate(NINE["tables"], 1)
    ]
    return json.dumps(
        {
            "format": "trick-tournament",
            "version": 1,
            "tie_breaks": tie_breaks,
            "tables": tables,
        }
    )


def test_every_column_of_the_nine_players_is_as_published() -> None:
    result = compute_document_standings(document(list(COLUMNS.values())))
    for row in result["standings"]:
        expected = NINE["results"][row["player"]]
        assert row["points"] == expected["PTS"]
        assert row["tables"] == expected["TABLES"]
        values = {key: row["values"][name] for key, name in COLUMNS.items()}
        assert values == {key: str(expected[key]) for key in COLUMNS}


def test_nine_players_rank_as_published_with_reasons() -> None:
    order = ["wins", "opponents", "margin", "best_table"]
    rows = compute_document_standings(document(order))["standings"]
    assert {row["player"]: row["rank"] for row in rows} == NINE[
        "rank_PTS_WIN_OPPX_DIF_BEST"
    ]
    reasons = {row["player"]: row["reason"] for row in rows}
    assert reasons["P1"] == "13 points to the next player’s 49/4"
    assert reasons["P2"] == "tied on 43/4, 3/2 wins to 4/3"
    assert reasons["P7"] == ""


# A and D: five players, everyone meets everyone (FIDE's cross-table form).
CROSS_TABLE = {
    "AB": 1, "AE": 1, "AC": 0.5, "AD": 0, "BC": 1,
    "BD": 0.5, "BE": 0, "CD": 1, "CE": 0.5, "DE": 1,
}  # fmt: skip


def two_player_event(tie_breaks: list[str]) -> StandingsInput:
    tables = [
        TableResult(
            round=1 + number,
            table=1,
            scores={pair[0]: int(2 * result), pair[1]: int(2 - 2 * result)},
        )
        for number, (pair, result) in enumerate(CROSS_TABLE.items())
    ]
    places = {2: [Fraction(1), Fraction(0)]}
    counting = CountingRules(points="places", places=places, tie_breaks=tie_breaks)
    return StandingsInput(tables=tables, counting=counting)


def test_tables_of_two_give_the_published_buchholz_and_sonneborn_berger() -> None:
    event = two_player_event(["opponents_all", "sonneborn_berger", "wins"])
    rows = {row.player: row for row in standings(event)}
    points = {player: float(row.points) for player, row in rows.items()}
    assert points == {"A": 2.5, "B": 1.5, "C": 2, "D": 2.5, "E": 1.5}
    opponents = rows["A"].values["opponents_all"]
    berger = rows["A"].values["sonneborn_berger"]
    assert opponents is not None
    assert berger is not None
    # Both are averages here and sums there, over four games each.
    assert float(opponents * 4 * 4) == 7.5
    assert float(berger * 4) == 4.0


def test_head_to_head_is_applied_again_within_remaining_ties() -> None:
    # A beat B, B beat C, C beat D, D beat A and B; A beat C: A 2, D 2, B 1, C 1.
    games = [("A", "B"), ("A", "C"), ("B", "C"), ("C", "D"), ("D", "A"), ("D", "B")]
    tables = [
        TableResult(round=number, table=1, scores={winner: 1, loser: 0})
        for number, (winner, loser) in enumerate(games, start=1)
    ]
    counting = CountingRules(
        points="places", places={2: [Fraction(0)] * 2}, tie_breaks=["head_to_head"]
    )
    rows = standings(StandingsInput(tables=tables, counting=counting))
    assert [(row.rank, row.player) for row in rows] == [
        (1, "D"),
        (2, "A"),
        (3, "B"),
        (4, "C"),
    ]
    assert [row.values["head_to_head"] for row in rows] == [2, 2, 1, 1]
    assert str(rows[0].reason).endswith("better head to head")
    assert str(rows[1].reason).endswith("better head to head")


def test_missing_value_is_shown_as_a_dash() -> None:
    text = str(
        explain_lead_or_tie(
            RankingCause(TIE_BREAKS["best_table"], Fraction(2), None),
            points_phrase(Fraction(1)),
        )
    )
    assert text.endswith("best table 2 to –")


def test_overlong_value_is_rounded_in_the_sentence() -> None:
    long_value = Fraction(10**5_000 + 1, 10**5_000)
    text = str(
        explain_lead_or_tie(
            RankingCause(TIE_BREAKS["best_table"], long_value, Fraction(1)),
            points_phrase(Fraction(1)),
        )
    )
    assert text.endswith("best table ≈ 1 to 1")


def test_reasons_of_earlier_releases_read_like_current_ones() -> None:
    stored = {
        "template": "equal with %(player)s on %(points)s; %(value)s against %(other)s",
        "values": {
            "player": "K",
            "points": {"number": "10", "words": ["point", "points"]},
            "value": {
                "number": "120",
                "words": ["point of the game", "points of the game"],
            },
            "other": {"number": "110"},
        },
    }
    assert translate_reason(stored) == "tied on 10 points, 120 match points to 110"
    tie_breaks = [*TIE_BREAKS.values(), TIE_BREAKS["final_table"].then]
    templates = {tie_break.reason for tie_break in tie_breaks if tie_break}
    replacements = {
        template for template in REPLACED.values() if template.startswith("tied on")
    }
    assert replacements == templates | {"tied on %(points)s, all tie-breaks equal"}


def place_points(*points: int) -> list[Fraction]:
    return [Fraction(number) for number in points]


@pytest.mark.parametrize(
    ("points", "size", "expected"),
    [
        ("linear", 2, "4 1"),
        ("linear", 3, "4 5/2 1"),
        ("linear", 4, "4 3 2 1"),
        ("linear", 5, "4 13/4 5/2 7/4 1"),
        ("linear", 6, "4 17/5 14/5 11/5 8/5 1"),
        ("pairwise", 3, "2 0 -2"),
        ("pairwise", 4, "3 1 -1 -3"),
        ("pairwise", 5, "4 2 0 -2 -4"),
        ("pairwise", 6, "5 3 1 -1 -3 -5"),
        ("wins", 4, "1 0 0 0"),
    ],
)
def test_points_of_places_are_as_published(
    points: Scheme, size: int, expected: str
) -> None:
    points_by_place = place_points_by_seat(
        CountingRules(points=points), tuple(range(1, size + 1))
    )
    assert " ".join(map(str, points_by_place)) == expected


def test_scheme_that_favours_a_table_size_gives_a_warning() -> None:
    fair = {4: place_points(10, 6, 3, 1), 3: place_points(10, 4, 1)}
    assert unequal_mean_points_warning(fair) is None
    assert unequal_mean_points_warning({}) is None
    warning = unequal_mean_points_warning(
        {4: place_points(10, 6, 3, 1), 3: place_points(10, 6, 3)}
    )
    assert str(warning) == (
        "On average, a seat is worth 19/3 points at a table of 3 but only 5 at a table of 4. "
        "To be fair, use the same average for both."
    )


def test_smallest_of_equally_valued_sizes_is_named() -> None:
    places = {3: [Fraction(6)] * 3, 4: [Fraction(6)] * 4, 5: [Fraction(1)] * 5}
    warning = str(unequal_mean_points_warning(places))
    assert "a seat is worth 6 points at a table of 3" in warning
    assert "only 1 at a table of 5" in warning
