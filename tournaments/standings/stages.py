"""The standings of a tournament in stages: players of a later stage rank above all others."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from scoring.rules.wording import Sentence, say
from scoring.rules.wording import gettext_noop as _
from tournaments.standings.event import StandingsInput
from tournaments.standings.ranking import (
    RankedPlayer,
    RankingCause,
    explain_lead_or_tie,
    points_phrase,
    standings,
)
from tournaments.standings.tie_breaks import TIE_BREAKS

Reasons: TypeAlias = Mapping[tuple[str, str], Sentence]
"""By pairs of players, the first directly above the second."""


def staged_standings(stages: Sequence[StandingsInput]) -> tuple[RankedPlayer, ...]:
    """Return every player's line; each stage counts for itself, the last one first.

    A player's rank and points are those of their last stage; earlier stages separate players
    level in it. With one stage the result equals that of `standings`. Raises the
    exceptions of `standings`.
    """
    rows = standings(stages[0])
    for number, event in enumerate(stages[1:], start=1):
        rows = rank_latest_stage_first(rows, standings(event), number)
    return rows


def rank_latest_stage_first(
    earlier_rows: Sequence[RankedPlayer], latest: Sequence[RankedPlayer], number: int
) -> tuple[RankedPlayer, ...]:
    """Return the lines of the next stage followed by all others, ranked again."""
    earlier = {row.player: row for row in earlier_rows}
    advanced_rows = sorted(
        latest, key=lambda row: (row.rank, earlier[row.player].rank, row.player)
    )
    advanced_players = {row.player for row in advanced_rows}
    other_rows = [row for row in earlier_rows if row.player not in advanced_players]
    rows = [
        row._replace(
            stage=number,
            tables=row.tables + (before := earlier[row.player]).tables,
            earlier_points=before.points + before.earlier_points,
        )
        for row in advanced_rows
    ]
    levels = [(number, row.rank, earlier[row.player].rank) for row in advanced_rows]
    levels += [(row.stage, row.rank, 0) for row in other_rows]
    ranks: list[int] = []
    for position, level in enumerate(levels):
        is_level = position > 0 and level == levels[position - 1]
        ranks.append(ranks[-1] if is_level else position + 1)
    ranked = [
        row._replace(rank=rank)
        for row, rank in zip([*rows, *other_rows], ranks, strict=True)
    ]
    known_reasons = {
        **_reasons_by_neighbours(earlier_rows, advanced_players),
        **_reasons_by_neighbours(latest, set()),
    }
    reasons = [
        _explain_staged_lead_or_tie(*pair, known_reasons) for pair in pairwise(ranked)
    ]
    return tuple(
        row._replace(reason=why)
        for row, why in zip(ranked, [*reasons, None], strict=True)
    )


def _reasons_by_neighbours(
    rows: Sequence[RankedPlayer], except_players: set[str]
) -> Reasons:
    """Return the reasons of neighbouring lines that are not level.

    Pairs with a player of `except_players` are left out.
    """
    return {
        (row.player, following.player): row.reason
        for row, following in pairwise(rows)
        if row.reason is not None
        and row.rank != following.rank
        and row.player not in except_players
        and following.player not in except_players
    }


def _explain_staged_lead_or_tie(
    row: RankedPlayer, following: RankedPlayer, known_reasons: Reasons
) -> Sentence:
    """Return why a line is above another, or level; it may not have been its next one before."""
    name = following.player
    if row.stage != following.stage:
        return say(_("advanced further than %(player)s"), player=name)
    if (row.player, name) in known_reasons:
        return known_reasons[row.player, name]
    on_points = points_phrase(row.points)
    if row.points != following.points:
        return explain_lead_or_tie(
            RankingCause(None, row.points, following.points), on_points
        )
    for key, value in row.values.items():
        if value != following.values[key]:
            cause = RankingCause(TIE_BREAKS[key], value, following.values[key])
            return explain_lead_or_tie(cause, on_points)
    if row.rank == following.rank:
        return explain_lead_or_tie(None, on_points)
    return say(_("tied in this stage, ranked higher before"))
