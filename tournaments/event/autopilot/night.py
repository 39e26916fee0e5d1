"""How a tournament stands, read for its next step."""

from collections.abc import Sequence
from datetime import timedelta

from scoring.matchlog.append import replay_match
from scoring.models import LogEntry, Match
from tournaments.event.autopilot.decision import Night
from tournaments.event.desk.overview import next_step
from tournaments.event.draw import sizing_of
from tournaments.models import Round, Table, Tournament

WITHOUT = (Tournament.Format.LEAGUE, Tournament.Format.PAST)
"""Formats whose rounds nobody seats."""


def read_night(tournament: Tournament) -> Night | None:
    """Return how a tournament stands; None for one that has no rounds to run."""
    if tournament.format in WITHOUT:
        return None
    rounds = list(tournament.rounds.order_by("number"))
    unclosed = [round_ for round_ in rounds if round_.state != Round.State.CLOSED]
    current = unclosed[0] if unclosed else None
    last = current or (rounds[-1] if rounds else None)
    tables = _tables_of(last) if last else []
    number = current.number if current else len(rounds) + 1
    step = next_step(tournament, rounds, len(tables))
    sizing = sizing_of(tournament, tournament.game_of_round(number))
    is_open = _open_tables(tables, last, tournament)
    ends = [table.ends_at for table in is_open if table.ends_at is not None]
    asked = tables if step == "close" else _on_which_depends(tournament, step)
    return Night(
        autopilot=tournament.autopilot,
        step=step,
        number=number if step != "finish" else len(rounds),
        starts_at=tournament.starts_at,
        has_hand=step == "start"
        and any(table.match is not None and table.match.version for table in tables),
        is_draft=tournament.listing == Tournament.Listing.DRAFT,
        present=tournament.entries.playing().count(),
        least=sizing.least,
        ends_at=max(ends, default=None),
        is_paused=current is not None and current.paused_at is not None,
        last_hand_called=current is not None and current.last_hand_at is not None,
        open_tables=[table.number for table in is_open],
        unsettled=_unsettled(asked),
        grace=timedelta(minutes=tournament.grace),
        counts_late=tournament.counts_late,
    )


def _tables_of(round_: Round) -> list[Table]:
    tables = list(round_.tables.filter(void=False).select_related("match"))
    for table in tables:
        table.round = round_
    return tables


def _open_tables(
    tables: Sequence[Table], last: Round | None, tournament: Tournament
) -> list[Table]:
    """Return those that are not finished, or whose result is not agreed."""
    silent: set[int] = set()
    if last is not None and tournament.quorum != Tournament.Quorum.NONE:
        unconfirmed = last.tables.all().unconfirmed(tournament.quorum)
        silent = set(unconfirmed.values_list("pk", flat=True))
    return [
        table
        for table in tables
        if table.match is None or not table.match.finished or table.pk in silent
    ]


def _on_which_depends(tournament: Tournament, step: str) -> list[Table]:
    """Return the tables of closed rounds whose result the step depends on.

    Seats of a night that was drawn as a whole depend on none.
    """
    if step not in ("finish", "cut") and not tournament.one_by_one:
        return []
    closed = Table.objects.filter(
        round__tournament=tournament, round__state=Round.State.CLOSED, void=False
    )
    return list(closed.select_related("match"))


def _unsettled(tables: Sequence[Table]) -> list[int]:
    """Return the numbers of tables that are disputed, or have two versions of a hand.

    The log is replayed for the few that have a conflict.
    """
    with_conflict = Match.objects.filter(
        pk__in=[table.match_id for table in tables if table.match_id],
        log__kind=LogEntry.Kind.CONFLICT,
    )
    undecided = {
        match.pk for match in with_conflict.distinct() if replay_match(match).undecided
    }
    return [
        table.number
        for table in tables
        if table.disputed or table.match_id in undecided
    ]
