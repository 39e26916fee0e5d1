"""The leaderboard of teams: what their members scored for them in the tournaments of a season."""

from collections.abc import Hashable
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from scoring.locales.sentences import join_names
from tournaments.exact import to_common_denominator
from tournaments.history.leaderboard import (
    BoardQuery,
    highest_values,
    open_result_counts_by_player,
    select_counting_results,
)
from tournaments.models import Entry
from tournaments.names import name_key
from tournaments.people.identities import direct_merge_targets, root_player


class TeamBoardLine(NamedTuple):
    rank: int
    label: str
    members: tuple[str, ...]
    """Everyone who scored for the team, in the order of their first tournament."""
    is_named: bool
    """False for a team that is known by its members."""
    points: Fraction
    attended: int
    """The number of tournaments."""
    is_open: bool
    """Whether a table of a member can still change."""


def team_leaderboard(query: BoardQuery, today: date) -> list[TeamBoardLine]:
    """Return the teams of a leaderboard, best first; empty if no tournament was in teams.

    A team is the same in another tournament if it has the same name, or the same members if it
    has none. If only the best tournaments count, those of the team do. One query without teams.
    """
    club, results = query.club, select_counting_results(query, today)
    entries = Entry.objects.filter(
        tournament__in=results.values("tournament"), tournament__team_size__gt=0
    ).exclude(team="")
    rows = list(entries.values_list("tournament", "team", "player"))
    if not rows:
        return []
    merged_into = direct_merge_targets(club)
    players_by_team: dict[tuple[int, str], set[int]] = {}
    for tournament, team, player in rows:
        members = players_by_team.setdefault((tournament, team), set())
        members.add(root_player(player, merged_into))
    team_by_player = {
        (tournament, player): team
        for (tournament, team), players in players_by_team.items()
        for player in players
    }
    worths = [
        (tournament, player, name, worth)
        for tournament, player, name, worth in results.order_by(
            "held_on", "tournament", "player__name"
        ).values_list(
            "tournament", "player", "player__name", query.counted_points_column
        )
        if (tournament, player) in team_by_player
    ]
    common = to_common_denominator(worth for *_row, worth in worths)
    parts: dict[Hashable, dict[int, int]] = {}
    labels: dict[Hashable, str] = {}
    names: dict[Hashable, dict[int, str]] = {}
    for tournament, player, name, worth in worths:
        team = team_by_player[tournament, player]
        key: Hashable = frozenset(players_by_team[tournament, team])
        if not team.isdecimal():
            key = name_key(team)
            labels[key] = team
        by_tournament = parts.setdefault(key, {})
        by_tournament[tournament] = (
            by_tournament.get(tournament, 0) + common.parts[worth]
        )
        names.setdefault(key, {})[player] = name
    totals = {
        key: sum(highest_values(list(by_tournament.values()), query.best_of))
        for key, by_tournament in parts.items()
    }
    ordered = sorted(totals, key=lambda key: (-totals[key], *names[key].values()))
    counts = open_result_counts_by_player(query)
    lines: list[TeamBoardLine] = []
    for position, key in enumerate(ordered, start=1):
        is_level = position > 1 and totals[key] == totals[ordered[position - 2]]
        member_names = tuple(names[key].values())
        lines.append(
            TeamBoardLine(
                rank=lines[-1].rank if is_level else position,
                label=labels.get(key) or join_names(member_names),
                members=member_names,
                is_named=key in labels,
                points=common.to_fraction(totals[key]),
                attended=len(parts[key]),
                is_open=any(counts[player].unconfirmed for player in names[key]),
            )
        )
    return lines
