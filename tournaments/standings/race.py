"""The race: the points of every player after each round."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from tournaments.standings.event import Event
from tournaments.standings.tally import tally
from tournaments.standings.tie_breaks import table_points


def list_rounds_and_point_courses(
    stages: Sequence[Event],
) -> tuple[list[int], Mapping[str, list[Fraction]]]:
    """Return the round numbers in order, and by player the points after each of them.

    The points include byes and penalties, and stages add up. After the last round of a
    tournament with one stage they equal the points of the standings.
    """
    rounds = sorted({table.round for event in stages for table in event.tables})
    courses: dict[str, list[Fraction]] = {}
    for place, last in enumerate(rounds):
        for event in stages:
            # The last points include byes and penalties after the last table that counts.
            event_so_far = event
            if last != rounds[-1]:
                event_so_far = replace(
                    event,
                    tables=[table for table in event.tables if table.round <= last],
                    byes=[bye for bye in event.byes if bye.round <= last],
                    penalties=[
                        penalty for penalty in event.penalties if penalty.round <= last
                    ],
                )
            event_tally = tally(event_so_far)
            points = table_points(event_so_far, event_tally).values()
            for name, worth in zip(event_tally.names, points, strict=True):
                course = courses.setdefault(name, [Fraction()] * len(rounds))
                course[place] += worth or Fraction()
    return rounds, courses
