"""The parts of every player's points, and their course over the rounds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import nlargest
from typing import Any, NamedTuple

from tournaments.standings.event import (
    BYE_KINDS,
    ByeKind,
    PlayerBye,
    StandingsInput,
)
from tournaments.standings.tally import tally_event
from tournaments.standings.tie_breaks import (
    points_by_player_and_table_or_bye,
    total_points,
)

STORED_BYES: Mapping[bool | str, ByeKind | None] = {
    False: None,
    True: "drawn",
    **{kind: kind for kind in BYE_KINDS},
}
"""Byes as JSON; earlier releases stored only whether it was one."""


class PointPart(NamedTuple):
    """The points of one table or bye."""

    round: int
    points: Fraction
    bye: ByeKind | None = None
    """The kind of a bye; None for a table."""
    counts: bool = True
    """False in an earlier stage, or if only the best tables count and this is none of them."""


class PointParts(NamedTuple):
    """Everything that a player's points in the standings consist of."""

    parts: Sequence[PointPart] = ()
    """In order of rounds."""
    penalty: Fraction = Fraction()
    """Points deducted in the player's last stage."""

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "PointParts":
        """Return what `to_json` wrote; nothing from an empty mapping.

        Raises LookupError for an unknown kind of bye.
        """
        return cls(
            [
                PointPart(int(number), Fraction(points), STORED_BYES[bye], bool(counts))
                for number, points, bye, counts in stored.get("parts", [])
            ],
            Fraction(stored.get("penalty", "0")),
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "parts": [
                [part.round, str(part.points), part.bye or False, part.counts]
                for part in self.parts
            ],
            "penalty": str(self.penalty),
        }

    @property
    def rounds(self) -> set[int]:
        return {part.round for part in self.parts}

    def in_round(self, number: int) -> list[PointPart]:
        return [part for part in self.parts if part.round == number]

    @property
    def counted_bye_points(self) -> Fraction:
        """Return the points of byes that count."""
        byes = (part.points for part in self.parts if part.bye and part.counts)
        return sum(byes, Fraction())

    @property
    def uncounted_table_points(self) -> Fraction:
        """Return the points of tables that don't count."""
        tables = [part for part in self.parts if not (part.bye or part.counts)]
        return sum((part.points for part in tables), Fraction())


def point_parts(stages: Sequence[StandingsInput]) -> Mapping[str, PointParts]:
    """Return the parts of each player's points; their total equals the points of `staged_standings`."""
    by_player: dict[str, PointParts] = {}
    for event in stages:
        event_tally = tally_event(event)
        byes_by_player: dict[str, list[PlayerBye]] = defaultdict(list)
        counted_byes = event.byes_like_tables()
        for bye in counted_byes:
            byes_by_player[bye.player].append(bye)
        uncounted_parts: dict[str, list[PointPart]] = defaultdict(list)
        for bye in event.byes:
            if bye not in counted_byes:
                part = PointPart(bye.round, Fraction(), bye=bye.kind)
                uncounted_parts[bye.player].append(part)
        columns = zip(
            event_tally.names,
            event_tally.tables_by_player,
            points_by_player_and_table_or_bye(event_tally),
            event_tally.penalties,
            strict=True,
        )
        for name, tables, points, penalty in columns:
            best = event.counting.best or len(points)
            counted = set(nlargest(best, range(len(points)), key=points.__getitem__))
            sources: list[tuple[int, ByeKind | None]] = [
                *((event_tally.rounds[table], None) for table in tables),
                *((bye.round, bye.kind) for bye in byes_by_player[name]),
            ]
            parts = [
                PointPart(
                    round_number,
                    Fraction(points[position], event_tally.point_scale),
                    bye=bye_kind,
                    counts=position in counted,
                )
                for position, (round_number, bye_kind) in enumerate(sources)
            ]
            parts += uncounted_parts[name]
            earlier_parts = by_player.get(name, PointParts()).parts
            by_player[name] = PointParts(
                [
                    *(part._replace(counts=False) for part in earlier_parts),
                    *sorted(parts, key=lambda part: part.round),
                ],
                penalty,
            )
    return by_player


def list_rounds_and_point_courses(
    stages: Sequence[StandingsInput],
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
            event_tally = tally_event(event_so_far)
            points = total_points(event_tally).unscaled_values()
            for name, worth in zip(event_tally.names, points, strict=True):
                course = courses.setdefault(name, [Fraction()] * len(rounds))
                course[place] += worth or Fraction()
    return rounds, courses
