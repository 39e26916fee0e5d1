"""How a tournament stands, read for its next step."""

from datetime import timedelta

from scoring.matchlog.append import replay_match
from scoring.models import LogEntry, Match
from tournaments.event.autopilot.decision import Night
from tournaments.event.desk.overview import next_step
from tournaments.event.draw import sizing_of
from tournaments.event.rounds import is_table_confirmed
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
    is_open = [table for table in tables if not _is_done(table, tournament)]
    ends = [table.ends_at for table in is_open if table.ends_at is not None]
    asked = tables if step == "close" else _on_which_depends(tournament, step)
    return Night(
        autopilot=tournament.autopilot,
        step=step,
        number=number if step != "finish" else len(rounds),
        starts_at=tournament.starts_at,
        is_draft=tournament.listing == Tournament.Listing.DRAFT,
        present=tournament.entries.playing().count(),
        least=sizing.least,
        ends_at=max(ends, default=None),
        is_paused=current is not None and current.paused_at is not None,
        last_hand_called=current is not None and current.last_hand_at is not None,
        open_tables=[table.number for table in is_open],
        unsettled=[table.number for table in asked if _is_unsettled(table)],
        grace=timedelta(minutes=tournament.grace),
        counts_late=tournament.counts_late,
    )


def _tables_of(round_: Round) -> list[Table]:
    tables = list(round_.tables.with_people().filter(void=False))
    for table in tables:
        table.round = round_
    return tables


def _is_done(table: Table, tournament: Tournament) -> bool:
    is_over = table.match is not None and table.match.finished
    return is_over and is_table_confirmed(table, tournament.quorum)


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


def _is_unsettled(table: Table) -> bool:
    return table.disputed or (table.match is not None and _has_versions(table.match))


def _has_versions(match: Match) -> bool:
    """Return whether two versions of a hand wait for a choice; the log is replayed for few."""
    conflicts = match.log.filter(kind=LogEntry.Kind.CONFLICT)
    return conflicts.exists() and bool(replay_match(match).undecided)
