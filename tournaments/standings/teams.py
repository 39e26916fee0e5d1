"""The standings of teams: the points of the members add up."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import NamedTuple

from scoring.rules.wording import Sentence
from tournaments.standings.ranking import (
    RankingCause,
    explain_lead_or_tie,
    points_phrase,
)
from tournaments.standings.tie_breaks import TIE_BREAKS


class MemberScore(NamedTuple):
    """What one member adds to a team."""

    points: Fraction
    """Of all stages."""
    values: Mapping[str, Fraction | None]
    """By tie-break."""


class RankedTeam(NamedTuple):
    """One line of the standings of teams."""

    rank: int
    """Shared by teams level in everything: 1, 2, 2, 4."""
    team: str
    points: Fraction
    values: Mapping[str, Fraction | None]
    """By tie-break that applies to teams, in order."""
    reason: Sentence | None
    """Why the line is above the next if both have the same points; None if they differ."""


def team_standings(
    scores_by_team: Mapping[str, Sequence[MemberScore]], tie_breaks: Sequence[str]
) -> list[RankedTeam]:
    """Return a line for each team, best first; level teams are in the order of the mapping.

    A tie-break counts the sum of the members' values, or the best of them if a lower value is
    better. Head-to-head results only exist between players, so they don't apply. Raises KeyError
    for an unknown tie-break.
    """
    applied = [name for name in tie_breaks if TIE_BREAKS[name].compute is not None]
    unranked = [
        RankedTeam(
            rank=0,
            team=team,
            points=sum((score.points for score in scores), Fraction()),
            values={name: _combine_values(name, scores) for name in applied},
            reason=None,
        )
        for team, scores in scores_by_team.items()
    ]
    ordered = sorted(unranked, key=_sort_key)
    lines: list[RankedTeam] = []
    for _key, level in groupby(ordered, key=_sort_key):
        rank = len(lines) + 1
        lines += [line._replace(rank=rank) for line in level]
    reasons = [_explain(line, following) for line, following in pairwise(lines)]
    return [
        line._replace(reason=reason)
        for line, reason in zip(lines, [*reasons, None], strict=False)
    ]


def _combine_values(name: str, scores: Sequence[MemberScore]) -> Fraction | None:
    """Return the team's value of a tie-break; None if no member has one."""
    values = [
        value for score in scores if (value := score.values.get(name)) is not None
    ]
    if not values:
        return None
    return min(values) if TIE_BREAKS[name].lower_is_better else sum(values, Fraction())


def _sort_key(line: RankedTeam) -> tuple[object, ...]:
    """Return the key by which better teams come first, undefined values last."""
    return (
        -line.points,
        *(
            (False, value if TIE_BREAKS[name].lower_is_better else -value)
            if value is not None
            else (True, Fraction())
            for name, value in line.values.items()
        ),
    )


def _explain(line: RankedTeam, following: RankedTeam) -> Sentence | None:
    if line.points != following.points:
        return None
    causes = (
        RankingCause(TIE_BREAKS[name], value, following.values[name])
        for name, value in line.values.items()
        if value != following.values[name]
    )
    return explain_lead_or_tie(next(causes, None), points_phrase(line.points))
