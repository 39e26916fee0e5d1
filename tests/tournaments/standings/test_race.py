"""The race: after each round everybody has what the standings said then."""

from dataclasses import replace

from hypothesis import given

from tests.tournaments.standings.test_properties import events
from tournaments.standings import Event, TableResult, standings
from tournaments.standings.race import list_rounds_and_point_courses


@given(events())
def test_race_matches_the_standings_after_each_round(
    event: Event,
) -> None:
    rounds, courses = list_rounds_and_point_courses([event])
    for place, last in enumerate(rounds):
        then = replace(
            event,
            tables=[table for table in event.tables if table.round <= last],
            byes=[bye for bye in event.byes if bye.round <= last],
            penalties=[given for given in event.penalties if given.round <= last],
        )
        for row in standings(then if last != rounds[-1] else event):
            assert courses[row.player][place] == row.points


def test_race_adds_points_of_both_stages() -> None:
    first = TableResult(round=1, scores={"Ann": 4, "Bo": 3, "Cy": 2, "Di": 1})
    final = TableResult(round=2, scores={"Ann": 1, "Bo": 2})
    rounds, courses = list_rounds_and_point_courses(
        [Event(tables=[first]), Event(tables=[final])]
    )
    assert rounds == [1, 2]
    assert courses == {"Ann": [4, 5], "Bo": [3, 7], "Cy": [2, 2], "Di": [1, 1]}
