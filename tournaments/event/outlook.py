"""Compute what the last rounds can still change, and store it with the standings."""

from collections.abc import Mapping
from typing import Any

from tournaments.event.table_results import ComputedStandings, read_results_by_stage
from tournaments.models import Round, Standings, Table, Tournament
from tournaments.standings import (
    OpenTable,
    Outlook,
    Prospect,
    RankCondition,
    RankRange,
    can_first_place_change,
    outlook,
)
from tournaments.standings.prospects import REPORTED_RANKS

IN_A_REQUEST = 200
"""Most outcomes that are ranked during a request."""
FORMATS_WITHOUT_OUTLOOK = (
    Tournament.Format.LEAGUE,
    Tournament.Format.HEATS,
    Tournament.Format.PAST,
)
"""Formats in which the number of remaining tables is unknown."""


def derive_outlook(
    tournament: Tournament, *, most_outcomes: int | None = None
) -> Outlook | None:
    """Return the ranks that each player can still reach; players are primary keys of entries.

    None unless the last round before the end or before the final is being played and only its
    open tables can change the standings: a disputed, unfinished or unconfirmed table of an
    earlier round can change them too. None also if unfinished tables cost points, only the best
    of each table advance, points are scores, or more than `most_outcomes` outcomes are open.
    """
    if (
        tournament.format in FORMATS_WITHOUT_OUTLOOK
        or tournament.unfinished == Tournament.UnfinishedTableRule.DEDUCT
    ):
        return None
    running_round = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if (
        running_round is None
        or tournament.rounds.filter(number__gt=running_round.number).exists()
    ):
        return None
    if running_round.is_playoff:
        if running_round.tables.count() > 1:
            return None
    elif running_round.number < tournament.rounds_planned:
        return None
    open_tables = list(
        Table.objects.filter(round__tournament=tournament)
        .without_final_result(tournament.quorum)
        .prefetch_related("places")
        .order_by("number")
    )
    if any(table.round_id != running_round.pk for table in open_tables):
        return None
    has_final = tournament.final_size and not running_round.stage
    final_ranks = [tournament.final_size] if has_final else []
    limits = {} if most_outcomes is None else {"most_outcomes": most_outcomes}
    return outlook(
        read_results_by_stage(
            tournament, except_tables=[table.pk for table in open_tables]
        ),
        [
            _open_table(table, round_number=running_round.number)
            for table in open_tables
        ],
        ranks=sorted({*REPORTED_RANKS, *final_ranks}),
        level_is_open=bool(final_ranks) or "lot" in tournament.tie_breaks,
        **limits,
    )


def is_first_place_unconfirmed(
    tournament: Tournament, computed: ComputedStandings
) -> bool:
    """Return whether a disputed or unconfirmed result can still change the first place.

    With such a result, True while a round runs and if the answer is unknown. Only players of
    the last stage can be first.
    """
    if not computed.open_tables or not computed.rows:
        return False
    last_stage = computed.rows[0].stage
    finalists = [int(row.player) for row in computed.rows if row.stage == last_stage]
    if not any(computed.unconfirmed[player] for player in finalists):
        return False
    is_running = tournament.rounds.filter(state=Round.State.RUNNING).exists()
    if is_running or tournament.unfinished == Tournament.UnfinishedTableRule.DEDUCT:
        return True
    tables = Table.objects.filter(pk__in=computed.open_tables)
    open_tables = list(tables.select_related("round").prefetch_related("places"))
    stages = read_results_by_stage(tournament, except_tables=computed.open_tables)[
        : last_stage + 1
    ]
    last_stage_tables = [
        table for table in open_tables if table.round.stage == last_stage
    ]
    has_earlier = len(last_stage_tables) < len(open_tables)
    return can_first_place_change(
        # Earlier stages only separate players that are level in the last.
        stages[last_stage:] if has_earlier else stages,
        [
            _open_table(
                table,
                round_number=table.number
                if tournament.is_league and not last_stage
                else table.round.number,
            )
            for table in last_stage_tables
        ],
        level_is_open=has_earlier or "lot" in tournament.tie_breaks,
        most_outcomes=IN_A_REQUEST,
    )


def _open_table(table: Table, *, round_number: int) -> OpenTable:
    return OpenTable(
        round=round_number,
        table=table.number,
        players=[str(place.entry_id) for place in table.places.all()],
    )


def store_outlook_with_standings(
    *, tournament_id: int, most_outcomes: int | None = None
) -> bool:
    """Compute the outlook and store it with the current standings; return whether it was stored.

    It is computed without a lock, because that may take seconds. If a result came in meanwhile,
    nothing is stored: new standings are already requested.
    """
    standings_without_outlook = Standings.objects.up_to_date().filter(
        tournament=tournament_id, outlook__isnull=True
    )
    current = standings_without_outlook.select_related("tournament").first()
    if current is None:
        return False
    computed = derive_outlook(current.tournament, most_outcomes=most_outcomes)
    if computed is None:
        return False
    if not Standings.objects.up_to_date().filter(pk=current.pk).exists():
        return False
    stored = Standings.objects.filter(pk=current.pk)
    return bool(stored.update(outlook=serialize_outlook(computed)))


def serialize_outlook(computed: Outlook) -> dict[str, Any]:
    return {
        "decides": computed.decides,
        "prospects": {
            prospect.player: {
                "reach": [prospect.reach.best, prospect.reach.worst],
                "within": {
                    str(rank): [
                        {"place": condition.place, "others": dict(condition.others)}
                        for condition in conditions
                    ]
                    for rank, conditions in prospect.within.items()
                },
            }
            for prospect in computed.prospects
        },
    }


def parse_stored_prospect(
    stored: Mapping[str, Any] | None, entry: int
) -> Prospect | None:
    """Return the stored prospect of an entry; None if there is none."""
    prospect = stored["prospects"].get(str(entry)) if stored else None
    if prospect is None:
        return None
    return Prospect(
        player=str(entry),
        reach=RankRange(*prospect["reach"]),
        within={
            int(rank): [RankCondition(**condition) for condition in conditions]
            for rank, conditions in prospect["within"].items()
        },
    )
