"""Ranks that are still possible, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.locales.sentences import join_names
from tournaments.event.outlook import parse_stored_prospect
from tournaments.models import (
    Standings,
    Tournament,
)
from tournaments.standings import Prospect, RankCondition
from tournaments.standings.tie_breaks import TIE_BREAKS


class OutlookBadge(NamedTuple):
    tone: str
    """`ok` or `wait`."""
    icon: str
    label: str
    reason: str


FEW = 4
"""Names in a sentence; more are counted."""
WIDEST = 24
"""Most ranks in a row of holes; for more there is only text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachableRanksLane:
    """All ranks as a row of holes, with the range that a player can still reach.

    Ends are in percent of the row. A length is the number of steps between holes plus 0.01,
    since rounding would drop the last hole otherwise.
    """

    length: str
    reach_start: str
    reach_end: str
    reach_length: str
    peg_at: str
    """Position of the peg, at the current rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnProspect:
    """The ranks that the visitor can still reach."""

    sentence: str
    claims: Sequence[OutlookBadge]
    footnote: str
    """How it was computed, and its limits."""
    lane: ReachableRanksLane | None
    best: int
    worst: int
    rank: int
    last_rank: int


def own_prospect(
    tournament: Tournament, standings: Standings | None, entry: int | None
) -> OwnProspect | None:
    """Return the ranks that an entry can still reach; None if they are not stored; two queries."""
    prospect = (
        parse_stored_prospect(standings.outlook, entry) if standings and entry else None
    )
    if prospect is None or standings is None or standings.outlook is None:
        return None
    rows = list(standings.rows.values_list("entry", "rank", "entry__name", "stage"))
    names = {str(pk): name for pk, _rank, name, _stage in rows}
    rank = next((rank for pk, rank, _name, _stage in rows if pk == entry), None)
    if rank is None:
        # Newer standings have just replaced these.
        return None
    reach, last_rank = prospect.reach, len(rows)
    plan = plan_after_round(tournament)
    footnote = [_("Based on every possible outcome of the open tables.")]
    if not plan.is_end:
        footnote.append(_("An extra round could change this."))
    if standings.outlook["decides"]:
        tie_break = TIE_BREAKS[str(standings.outlook["decides"])]
        footnote.append(_(tie_break.open_note))
    lane = None
    if 1 < last_rank <= WIDEST:
        lane = ReachableRanksLane(
            length=_dash_length(last_rank - 1),
            reach_start=_hole_position_percent(reach.best, last_rank),
            reach_end=_hole_position_percent(reach.worst, last_rank),
            reach_length=_dash_length(reach.worst - reach.best),
            peg_at=_hole_position_percent(rank, last_rank),
        )
    return OwnProspect(
        sentence=_own_reach_sentence(prospect, plan, last_rank=last_rank),
        claims=list(_goal_badges(plan, prospect, names, last_rank=last_rank)),
        footnote=" ".join(footnote),
        lane=lane,
        best=reach.best,
        worst=reach.worst,
        rank=rank,
        last_rank=last_rank,
    )


class PlanAfterRound(NamedTuple):
    """The plan after the running round."""

    final: int
    """Number of players in the planned final; 0 without one."""
    is_end: bool
    """Whether no round can follow, planned or not."""


def plan_after_round(tournament: Tournament) -> PlanAfterRound:
    """Return the plan after the running round; at most one query.

    Only a knockout or a final is the end: otherwise the director can add a round or a final.
    """
    is_knockout = tournament.format == Tournament.Format.KNOCKOUT
    is_end = is_knockout or tournament.rounds.filter(stage__gt=0).exists()
    return PlanAfterRound(final=0 if is_end else tournament.final_size, is_end=is_end)


def reachable_ranks_in_words(
    prospect: Prospect | None, plan: PlanAfterRound, *, last_rank: int
) -> str:
    """Return the possible final ranks for a line of the standings; empty if all are or unknown.

    `last_rank` is the last rank of all.
    """
    if prospect is None:
        return ""
    reach = prospect.reach
    if plan.final:
        return _("in the planned final") if reach.worst <= plan.final else ""
    if (reach.best, reach.worst) == (1, last_rank):
        return ""
    best, worst = ordinal(reach.best), ordinal(reach.worst)
    if best == worst:
        text = (
            _("%(place)s for certain")
            if plan.is_end
            else _("%(place)s after this round")
        )
        return text % {"place": best}
    text = (
        _("will finish between %(best)s and %(worst)s")
        if plan.is_end
        else _("between %(best)s and %(worst)s after this round")
    )
    return text % {"best": best, "worst": worst}


def _own_reach_sentence(
    prospect: Prospect, plan: PlanAfterRound, *, last_rank: int
) -> str:
    reach, final = prospect.reach, plan.final
    if final and reach.worst <= final:
        return _("You’re in the planned final")
    if final and reach.best > final:
        return _("The planned final is out of reach")
    if final:
        return _("You can still reach the final")
    if (reach.best, reach.worst) == (1, last_rank):
        return _("Every rank is still possible")
    best, worst = ordinal(reach.best), ordinal(reach.worst)
    if best == worst:
        text = (
            _("You’re %(place)s for certain")
            if plan.is_end
            else _("You’ll be %(place)s after this round")
        )
        return text % {"place": best}
    text = (
        _("You’ll finish between %(best)s and %(worst)s")
        if plan.is_end
        else _("You’ll be between %(best)s and %(worst)s after this round")
    )
    return text % {"best": best, "worst": worst}


def _goal_badges(
    plan: PlanAfterRound,
    prospect: Prospect,
    names: Mapping[str, str],
    *,
    last_rank: int,
) -> Iterator[OutlookBadge]:
    """Yield badges for the settled rank, then for open goals and their conditions."""
    reach, final = prospect.reach, plan.final
    if reach.best == reach.worst or (final and reach.worst <= final):
        return
    reason = _("whatever happens at the other tables")
    # A final has no other table.
    if reach.worst < last_rank and not (final or plan.is_end):
        at_worst = _("At worst %(place)s") % {"place": ordinal(reach.worst)}
        yield OutlookBadge("ok", "check", at_worst, reason)
    # Before a final, ranks only decide its players.
    goals = (
        {final: _("In the final")} if final else {1: _("First"), 3: _("On the podium")}
    )
    for rank, goal in goals.items():
        conditions = prospect.within.get(rank, ())
        if conditions:
            first, *other_conditions = (
                _condition_in_words(condition, names) for condition in conditions
            )
            text = _("%(goal)s if you %(condition)s")
            alternatives = [
                _("or %(condition)s") % {"condition": other}
                for other in other_conditions
            ]
            yield OutlookBadge(
                "wait",
                "hourglass",
                text % {"goal": goal, "condition": first},
                " ".join(alternatives),
            )
    if reach.best > 1 and not final:
        text = _("At best %(place)s")
        yield OutlookBadge(
            "wait", "hourglass", text % {"place": ordinal(reach.best)}, ""
        )


def _condition_in_words(condition: RankCondition, names: Mapping[str, str]) -> str:
    if condition.place == 1:
        own = _("win your table")
    else:
        own = _("come %(place)s at your table") % {"place": ordinal(condition.place)}
    opponents = []
    for opponent, best in condition.others.items():
        text = _("%(name)s finishes %(place)s or worse")
        if best == 2:
            text = _("%(name)s doesn’t win theirs")
        opponents.append(text % {"name": names[opponent], "place": ordinal(best)})
    if not opponents:
        return own
    return _("%(own)s and %(others)s") % {"own": own, "others": join_names(opponents)}


def _hole_position_percent(rank: int, last_rank: int) -> str:
    return f"{100 * (rank - 1) / (last_rank - 1):.2f}%"


def _dash_length(steps: int) -> str:
    return f"{steps + 0.01:.2f}"


def contenders_sentence(standings: Standings | None) -> str:
    """Return the possible winners for the projector, or the sure finalists; empty if unknown."""
    if standings is None or not standings.outlook:
        return ""
    rows = list(standings.rows.values_list("entry", "entry__name"))
    prospects = {
        entry: parse_stored_prospect(standings.outlook, entry) for entry, _name in rows
    }
    reaches = {
        entry: prospect.reach for entry, prospect in prospects.items() if prospect
    }

    plan = plan_after_round(standings.tournament)
    if plan.final:
        finalists = [
            name
            for entry, name in rows
            if entry in reaches and reaches[entry].worst <= plan.final
        ]
        text = _("In the planned final: %(names)s.")
        return text % {"names": join_names(finalists)} if finalists else ""
    winners = [
        name for entry, name in rows if entry in reaches and reaches[entry].best == 1
    ]
    certain = [
        name for entry, name in rows if entry in reaches and reaches[entry].worst == 1
    ]
    if len(winners) == 1 and certain == winners:
        text = (
            _("%(name)s has won, whatever happens.")
            if plan.is_end
            else _("%(name)s wins unless a round is added.")
        )
        return text % {"name": winners[0]}
    if 0 < len(winners) <= FEW:
        text = _("%(names)s can still win.")
        return text % {"names": join_names(winners)}
    text = ngettext(
        "%(n)s player can still win.", "%(n)s players can still win.", len(winners)
    )
    return text % {"n": len(winners)} if winners else ""
