"""The standings: who is first, who is level, and why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _
from tournaments.standings.event import Event
from tournaments.standings.tally import Tally, tally
from tournaments.standings.tie_breaks import (
    HEAD_TO_HEAD,
    LOWER_IS_BETTER,
    TIE_BREAKS,
    Values,
    final_place,
    head_to_head,
    points_of,
)

WORST = Fraction(-(10**30))
"""Stands for a value that is undefined: behind all others."""
REASONS = {
    "wins": _(
        "equal with %(player)s on %(points)s points; %(value)s wins against %(other)s"
    ),
    "seconds": _(
        "equal with %(player)s on %(points)s points; "
        "%(value)s second places against %(other)s"
    ),
    "head_to_head": _(
        "equal with %(player)s on %(points)s points; "
        "between themselves %(value)s against %(other)s"
    ),
    "opponents": _(
        "equal with %(player)s on %(points)s points; "
        "opponents' average %(value)s against %(other)s"
    ),
    "opponents_all": _(
        "equal with %(player)s on %(points)s points; "
        "opponents' average over all tables %(value)s against %(other)s"
    ),
    "sonneborn_berger": _(
        "equal with %(player)s on %(points)s points; "
        "Sonneborn-Berger %(value)s against %(other)s"
    ),
    "beaten": _(
        "equal with %(player)s on %(points)s points; "
        "%(value)s opponents beaten against %(other)s"
    ),
    "margin": _(
        "equal with %(player)s on %(points)s points; margin %(value)s against %(other)s"
    ),
    "best_table": _(
        "equal with %(player)s on %(points)s points; "
        "best table %(value)s against %(other)s"
    ),
    "cut_one": _(
        "equal with %(player)s on %(points)s points; "
        "%(value)s without the worst table against %(other)s"
    ),
    "median": _(
        "equal with %(player)s on %(points)s points; "
        "%(value)s without the best and the worst table against %(other)s"
    ),
    "raw": _(
        "equal with %(player)s on %(points)s points; "
        "%(value)s points of the game against %(other)s"
    ),
    "percentage": _(
        "equal with %(player)s on %(points)s points; "
        "parts of the winner's score %(value)s against %(other)s"
    ),
    "share": _(
        "equal with %(player)s on %(points)s points; "
        "parts of the table's score %(value)s against %(other)s"
    ),
    "final_table": _(
        "equal with %(player)s on %(points)s points; "
        "table %(value)s against table %(other)s in the last round"
    ),
    "final_place": _(
        "equal with %(player)s on %(points)s points; "
        "place %(value)s against %(other)s at the last table"
    ),
    "lot": _(
        "equal with %(player)s on %(points)s points; lot %(value)s against %(other)s"
    ),
}
"""What separates who is level on points, by tie-break."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """One line of the standings."""

    rank: int
    """1, 2, 2, 4 where everything named is equal."""
    player: str
    points: Fraction
    tables: int
    """Tables that count, byes among them."""
    values: Mapping[str, Fraction | None]
    """By tie-break, in the order in which they are asked."""
    reason: Sentence | None
    """Why above the next; None for the last line."""


@dataclass(slots=True)
class Line:
    """A player on the way to a place."""

    player: str
    points: Fraction
    values: dict[str, Fraction | None]
    steps: tuple[tuple[str, Fraction | None], ...] = ()
    """Each tie-break that was asked so far, and its value."""


def standings(event: Event) -> tuple[StandingsRow, ...]:
    """Return every player's line, best first.

    The rows depend on what is in the event, not on the order in which it is listed.
    """
    counted = tally(event)
    order = event.counting.tie_breaks
    named = {
        name: TIE_BREAKS[name](event, counted) for name in order if name != HEAD_TO_HEAD
    }
    lines = [
        Line(
            player,
            points,
            {name: named[name][player] if name in named else None for name in order},
        )
        for player, points in points_of(event, counted).items()
    ]
    lines.sort(key=lambda line: line.player)
    if "final_table" in named:
        # Two at one table of the last round go by their places there.
        named["final_place"] = final_place(event, counted)
    placed = _placed(lines, named, counted, _steps(order))
    return tuple(_rows(placed, counted))


def _steps(order: Sequence[str]) -> list[str]:
    steps: list[str] = []
    for name in order:
        steps += [name, "final_place"] if name == "final_table" else [name]
    return steps


def _placed(
    lines: list[Line],
    named: Mapping[str, Values],
    counted: Tally,
    steps: Sequence[str],
) -> list[list[Line]]:
    """Return the lines in groups of who is level in everything, best group first."""
    groups = _split(lines, "", {line.player: line.points for line in lines})
    for name in steps:
        if name == HEAD_TO_HEAD:
            groups = [
                part
                for group in groups
                for part in _between_themselves(group, counted, first=True)
            ]
        else:
            groups = [
                part
                for group in groups
                for part in (
                    _split(group, name, named[name]) if len(group) > 1 else [group]
                )
            ]
    return groups


def _split(
    group: list[Line], name: str, values: Mapping[str, Fraction | None]
) -> list[list[Line]]:
    """Return the group in parts of equal value, the best part first."""
    sign = -1 if name in LOWER_IS_BETTER else 1
    parts: dict[Fraction, list[Line]] = {}
    for line in group:
        value = values[line.player]
        line.steps = (*line.steps, (name, value))
        parts.setdefault(WORST if value is None else sign * value, []).append(line)
    return [parts[value] for value in sorted(parts, reverse=True)]


def _between_themselves(
    group: list[Line], counted: Tally, *, first: bool
) -> list[list[Line]]:
    """Return the group split by head-to-head; each part is asked once more."""
    values = (
        head_to_head(counted, [line.player for line in group])
        if len(group) > 1
        else None
    )
    if values is None:
        return [group]
    for line in group:
        if first:
            line.values[HEAD_TO_HEAD] = values[line.player]
    parts = _split(group, HEAD_TO_HEAD, values)
    if len(parts) == 1 or not first:
        return parts
    return [
        again
        for part in parts
        for again in _between_themselves(part, counted, first=False)
    ]


def _rows(groups: list[list[Line]], counted: Tally) -> list[StandingsRow]:
    rows: list[StandingsRow] = []
    ordered = [line for group in groups for line in group]
    starts = accumulate((len(group) for group in groups), initial=1)
    ranks = [
        start for start, group in zip(starts, groups, strict=False) for _line in group
    ]
    for place, (line, rank) in enumerate(zip(ordered, ranks, strict=True)):
        one = counted.players[line.player]
        after = ordered[place + 1] if place + 1 < len(ordered) else None
        rows.append(
            StandingsRow(
                rank=rank,
                player=line.player,
                points=line.points,
                tables=len(one.points) + one.byes,
                values=line.values,
                reason=_reason(line, after) if after else None,
            )
        )
    return rows


def _reason(line: Line, after: Line) -> Sentence:
    """Return why a line stands above the one after it."""
    if line.points != after.points:
        return say(
            _("%(points)s points against %(others)s"),
            points=line.points,
            others=after.points,
        )
    for (name, value), (_name, other) in zip(line.steps, after.steps, strict=False):
        if value != other:
            return say(
                REASONS[name],
                player=after.player,
                points=line.points,
                value="–" if value is None else value,
                other="–" if other is None else other,
            )
    return say(
        _("equal with %(player)s on %(points)s points and in every tie-break"),
        player=after.player,
        points=line.points,
    )
