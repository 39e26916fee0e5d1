"""How a tournament stands, read for its next step."""

from datetime import timedelta

from tournaments.event.autopilot.decision import Night
from tournaments.event.draw import table_sizing
from tournaments.event.rounds import next_step
from tournaments.event.undecided_hands import undecided_hands
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
    tables: list[Table] = []
    if last is not None:
        tables = list(last.tables.filter(void=False).select_related("match"))
        for table in tables:
            table.round = last
    number = current.number if current else len(rounds) + 1
    step = next_step(tournament, rounds, len(tables))
    sizing = table_sizing(tournament, tournament.game_of_round(number))
    unconfirmed: set[int] = set()
    if last is not None and tournament.quorum != Tournament.Quorum.NONE:
        waiting = last.tables.all().unconfirmed(tournament.quorum)
        unconfirmed = set(waiting.values_list("pk", flat=True))
    is_open = [
        table
        for table in tables
        if table.match is None or not table.match.finished or table.pk in unconfirmed
    ]
    ends = [table.ends_at for table in is_open if table.ends_at is not None]
    deciding = tables
    if step != "close":
        # Seats of a night that was drawn as a whole depend on no result.
        depends = step in ("finish", "cut") or tournament.one_by_one
        closed = Table.objects.filter(
            round__tournament=tournament, round__state=Round.State.CLOSED, void=False
        )
        deciding = list(closed.select_related("match")) if depends else []
    undecided = undecided_hands(deciding)
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
        unsettled=[
            table.number
            for table in deciding
            if table.disputed or table.pk in undecided
        ],
        grace=timedelta(minutes=tournament.grace),
        counts_late=tournament.counts_late,
    )
