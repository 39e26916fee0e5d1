"""The outlook of open tables, compared with every possible outcome."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.standings import (
    CountingRules,
    OpenTable,
    PlayerBye,
    PointPenalty,
    StandingsInput,
    TableResult,
    can_first_place_change,
    outlook,
    standings,
)
from tournaments.standings.prospects import Prospect, RankCondition, RankRange

PLAYERS = [f"P{number}" for number in range(8)]
BY_PLACE = ("wins", "head_to_head", "opponents", "beaten", "seconds")
SCORES = st.integers(0, 3)


class Night(NamedTuple):
    """A tournament whose last round is being played."""

    event: StandingsInput
    tables: Sequence[OpenTable]


@st.composite
def nights(draw: st.DrawFn, *, tie_breaks: Sequence[str] = BY_PLACE) -> Night:
    """Draw up to three finished rounds, and one to three open tables."""
    finished_rounds = draw(st.integers(0, 3))
    results, byes = [], []
    for number in range(1, finished_rounds + 1):
        remaining = draw(st.permutations(PLAYERS))
        for table in (1, 2):
            size = draw(st.integers(2, 4))
            results.append(
                TableResult(
                    round=number,
                    table=table,
                    scores={name: draw(SCORES) for name in remaining[:size]},
                )
            )
            remaining = remaining[size:]
        byes += [PlayerBye(round=number, player=name) for name in remaining[:1]]
    seated = draw(st.permutations(PLAYERS))
    sizes = draw(st.sampled_from([(2,), (3,), (4,), (2, 3), (3, 3), (2, 2, 2)]))
    tables = []
    for number, size in enumerate(sizes, start=1):
        tables.append(
            OpenTable(
                round=finished_rounds + 1, table=number, players=tuple(seated[:size])
            )
        )
        seated = seated[size:]
    penalties = [
        PointPenalty(player=draw(st.sampled_from(PLAYERS)), points=Fraction(3, 2))
        for _penalty in range(draw(st.integers(0, 1)))
    ]
    counting = CountingRules(
        points=draw(st.sampled_from(["linear", "pairwise", "wins"])),
        tie_breaks=draw(st.permutations(tie_breaks)),
        best=draw(st.sampled_from([0, 0, 2])),
        bye=draw(st.sampled_from(["average", "half", Fraction(2)])),
    )
    event = StandingsInput(
        tables=results,
        byes=byes,
        penalties=penalties,
        counting=counting,
        players=PLAYERS,
    )
    return Night(event, tables)


class End(NamedTuple):
    """One way in which a night can end."""

    event: StandingsInput
    places: Mapping[str, int]
    """By player, the rank at the open table."""
    alone: Mapping[str, bool]


def possible_ends(night: Night) -> Iterator[End]:
    """Yield every possible end, some several times, with scores below the table's size."""
    sizes = [len(table.players) for table in night.tables]
    for scores in product(*[product(range(size), repeat=size) for size in sizes]):
        results = [
            TableResult(
                round=table.round,
                table=table.table,
                scores=dict(zip(table.players, table_scores, strict=True)),
            )
            for table, table_scores in zip(night.tables, scores, strict=True)
        ]
        yield End(
            replace(night.event, tables=[*night.event.tables, *results]),
            {
                name: 1 + sum(other > score for other in result.scores.values())
                for result in results
                for name, score in result.scores.items()
            },
            {
                name: list(result.scores.values()).count(score) == 1
                for result in results
                for name, score in result.scores.items()
            },
        )


def with_voided_tables(night: Night) -> Iterator[StandingsInput]:
    """Yield the event as it ends if some of its open tables do not count."""
    for count in range(len(night.tables)):
        for counting in combinations(night.tables, count):
            for end in possible_ends(Night(night.event, counting)):
                yield end.event


def satisfies(condition: RankCondition, player: str, end: End) -> bool:
    """Return whether an end satisfies a condition."""
    return (
        end.places[player] == condition.place
        and end.alone[player]
        and all(end.places[other] >= best for other, best in condition.others.items())
    )


def prospects_of(night: Night) -> dict[str, Prospect]:
    result = outlook([night.event], night.tables)
    assert result is not None
    return {prospect.player: prospect for prospect in result.prospects}


@settings(max_examples=15)
@given(nights())
def test_rank_bounds_match_all_outcomes(
    night: Night,
) -> None:
    ranks: dict[str, list[int]] = {name: [] for name in PLAYERS}
    outcomes = [(end, standings(end.event)) for end in possible_ends(night)]
    for final_event in (
        *(end.event for end, _rows in outcomes),
        *with_voided_tables(night),
    ):
        for row in standings(final_event):
            ranks[row.player].append(row.rank)
    for name, prospect in prospects_of(night).items():
        assert prospect.reach == RankRange(min(ranks[name]), max(ranks[name]))
        for rank, conditions in prospect.within.items():
            assert prospect.reach.worst > rank
            for condition in conditions:
                ranks_reached = [
                    row.rank
                    for end, rows in outcomes
                    if satisfies(condition, name, end)
                    for row in rows
                    if row.player == name
                ]
                assert ranks_reached
                assert max(ranks_reached) <= rank


@settings(max_examples=20)
@given(nights(tie_breaks=("wins", "margin", "seconds")), st.randoms())
def test_no_scores_exceed_the_rank_bounds(night: Night, rng: Random) -> None:
    prospects = prospects_of(night)
    for _end in range(30):
        results = [
            TableResult(
                round=table.round,
                table=table.table,
                scores={name: rng.randint(-50, 50) for name in table.players},
            )
            for table in night.tables
        ]
        final_event = replace(night.event, tables=[*night.event.tables, *results])
        for row in standings(final_event):
            reach = prospects[row.player].reach
            assert reach.best <= row.rank <= reach.worst


def event_of(*tables: Mapping[str, int], **counting: object) -> StandingsInput:
    """Return an event of one table a round."""
    return StandingsInput(
        tables=[
            TableResult(round=number, table=1, scores=scores)
            for number, scores in enumerate(tables, start=1)
        ],
        counting=CountingRules(**counting),  # type: ignore[arg-type]
    )


def test_first_place_conditions_include_second_if_the_rival_fails() -> None:
    night = Night(
        event_of(
            {"Ann": 9, "Cy": 5, "Di": 0},
            {"Bo": 9, "Ed": 5, "Fay": 0},
            tie_breaks=["wins", "seconds"],
        ),
        [
            OpenTable(round=3, table=1, players=["Ann", "Ed", "Di"]),
            OpenTable(round=3, table=2, players=["Bo", "Cy", "Fay"]),
        ],
    )
    ann = prospects_of(night)["Ann"]
    assert ann.reach.best == 1
    assert list(ann.within[1]) == [
        RankCondition(place=1),
        RankCondition(place=2, others={"Bo": 2}),
    ]


def test_score_tie_break_is_named_and_leaves_ties_open() -> None:
    event = event_of({"Ann": 9, "Bo": 1}, tie_breaks=["wins", "margin", "lot"])
    result = outlook([event], [OpenTable(round=2, table=1, players=["Ann", "Bo"])])
    assert result is not None
    assert result.decides == "margin"
    assert [prospect.reach for prospect in result.prospects] == [RankRange(1, 2)] * 2


def test_eliminated_player_keeps_the_place_behind_the_later_stage() -> None:
    first = event_of({"Ann": 9, "Bo": 5, "Cy": 0}, tie_breaks=["wins"])
    final = StandingsInput(tables=[], counting=first.counting, players=["Ann", "Bo"])
    result = outlook([first, final], [OpenTable(round=2, players=["Ann", "Bo"])])
    assert result is not None
    assert {prospect.player: prospect.reach for prospect in result.prospects} == {
        "Ann": RankRange(1, 2),
        "Bo": RankRange(1, 2),
        "Cy": RankRange(3, 3),
    }


@pytest.mark.parametrize(
    ("tables", "open_count", "expected"),
    [(40, 1, True), (3, 2, True), (11, 2, False)],
)
def test_too_many_outcomes_give_no_conditions(
    tables: int, open_count: int, expected: object
) -> None:
    names = [f"P{number:03}" for number in range(4 * tables)]
    seated = {table: names[4 * table : 4 * table + 4] for table in range(tables)}
    open_tables = [
        OpenTable(round=1, table=table, players=seated[table])
        for table in range(open_count)
    ]
    results = [
        TableResult(
            round=1,
            table=table,
            scores={name: seat for seat, name in enumerate(seated[table])},
        )
        for table in range(open_count, tables)
    ]
    result = outlook([StandingsInput(tables=results)], open_tables)
    assert (result is not None) is expected


def winners(event: StandingsInput) -> frozenset[str]:
    return frozenset(row.player for row in standings(event) if row.rank == 1)


@settings(max_examples=15)
@given(nights())
def test_first_place_is_certain_only_if_every_outcome_agrees(night: Night) -> None:
    final_events = [end.event for end in possible_ends(night)]
    winner_groups = {
        winners(event) for event in (*final_events, *with_voided_tables(night))
    }
    assert can_first_place_change([night.event], night.tables) == (
        len(winner_groups) > 1
    )
    # Even with too many outcomes to rank, a leader whom points prove certain is certain.
    if not can_first_place_change([night.event], night.tables, most_outcomes=1):
        assert len(winner_groups) == 1


@pytest.mark.parametrize(
    ("points", "tables", "can_change"),
    [
        # Three tables of four have too many outcomes to rank; 12 is three tables won.
        (12, 3, False),
        (4, 3, True),
        (8, 1, False),
        (4, 1, True),
    ],
)
def test_points_prove_a_certain_leader_if_outcomes_are_too_many(
    points: int,
    tables: int,
    can_change: bool,  # noqa: FBT001 - a parameter
) -> None:
    others = [f"P{number}" for number in range(4 * tables)]
    results = [
        TableResult(round=number, table=1, scores={"Ada": 9, "Ben": 1})
        for number in range(1, points // 4 + 1)
    ]
    event = StandingsInput(tables=results, players=["Ada", "Ben", *others])
    open_tables = [
        OpenTable(round=9, table=number, players=others[4 * number : 4 * number + 4])
        for number in range(tables)
    ]
    assert can_first_place_change([event], open_tables) == can_change


@pytest.mark.parametrize(("tables", "can_change"), [(0, False), (1, True)])
def test_scores_as_points_can_change_with_any_open_table(
    tables: int,
    can_change: bool,  # noqa: FBT001 - a parameter
) -> None:
    played = TableResult(round=1, table=1, scores={"Ada": 900, "Ben": 1})
    event = StandingsInput(tables=[played], counting=CountingRules(points="raw"))
    open_tables = [OpenTable(round=2, table=1, players=["Cy", "Di"])][:tables]
    assert can_first_place_change([event], open_tables) == can_change
    assert outlook([event], open_tables) is None
