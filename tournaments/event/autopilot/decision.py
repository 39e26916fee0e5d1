"""Find the next step of a night and its earliest time, without changing the tournament."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from tournaments.event.draw import table_sizing
from tournaments.event.rounds import next_step
from tournaments.event.tables import first_undecided_by_table
from tournaments.models import AutoStep, Round, Table, Tournament

Autopilot, Kind = Tournament.Autopilot, AutoStep.Kind

ANY_TIME = datetime.min.replace(tzinfo=UTC)
"""Earliest time of a step that only waits for its notice period."""
LAST_HAND_BEFORE = timedelta(minutes=5)
"""The last hand is called this long before the clock runs out."""
NOTICE = {
    Kind.SEAT: timedelta(seconds=60),
    Kind.START: timedelta(minutes=2),
    Kind.LAST_HAND: timedelta(),
    Kind.CLOSE: timedelta(seconds=60),
    Kind.CUT: timedelta(seconds=60),
    Kind.FINISH: timedelta(minutes=3),
}
"""How long a step is announced before it is done."""
ASSISTED_KINDS = (Kind.LAST_HAND, Kind.CLOSE)
"""The only steps done if the autopilot just helps; a director seats and starts the rounds."""
WITHOUT_ROUNDS = (Tournament.Format.LEAGUE, Tournament.Format.PAST)
"""Formats in which rounds are not seated."""


class Obstacle(StrEnum):
    """A reason why a night has to wait."""

    PEOPLE = "people"
    """Too few players are here to make a table."""
    LISTING = "listing"
    """The tournament is a draft, which players cannot see."""
    CLOCK = "clock"
    """The clock is paused."""
    TABLES = "tables"
    """Tables are still playing or have not confirmed."""
    SETTLING = "settling"
    """A table is disputed, or has two versions of a hand."""


class NextStep(NamedTuple):
    """The next step of a night and the earliest time for it."""

    kind: AutoStep.Kind
    number: int
    earliest_at: datetime
    is_overdue: bool = False
    """Whether it is done without notice, because it has already happened at the tables."""

    @property
    def notice_period(self) -> timedelta:
        """Return how long the step is announced before it is done."""
        return timedelta() if self.is_overdue else NOTICE[self.kind]


class Waiting(NamedTuple):
    """The reason why a night cannot take its next step yet."""

    obstacle: Obstacle
    tables: tuple[int, ...] = ()


def pending_step(tournament: Tournament) -> NextStep | Waiting | None:
    """Return the next step of a tournament or the reason for waiting; None if people do it.

    The result stays the same until the tournament changes.
    """
    if tournament.format in WITHOUT_ROUNDS or tournament.autopilot == Autopilot.OFF:
        return None
    rounds = list(tournament.rounds.order_by("number"))
    unclosed = [round_ for round_ in rounds if round_.state != Round.State.CLOSED]
    last = next(iter(unclosed or rounds[-1:]), None)
    tables: list[Table] = []
    if last is not None:
        tables = list(last.tables.filter(void=False).select_related("match"))
        for table in tables:
            table.round = last
    step = next_step(tournament, rounds, len(tables))
    if not step:
        return None
    if step == "close" and last is not None:
        pending = _step_in_round(last, tables)
    else:
        number = unclosed[0].number if unclosed else len(rounds) + (step != "finish")
        pending = _step_between_rounds(tournament, step, number, tables)
    only_helps = tournament.autopilot == Autopilot.HELP
    if (
        only_helps
        and isinstance(pending, NextStep)
        and pending.kind not in ASSISTED_KINDS
    ):
        return None
    return pending


def _unsettled_table_numbers(tables: Sequence[Table]) -> tuple[int, ...]:
    """Return the numbers of tables that are disputed or have two versions of a hand."""
    undecided = first_undecided_by_table(tables)
    return tuple(
        table.number for table in tables if table.disputed or table.pk in undecided
    )


def _step_between_rounds(
    tournament: Tournament, step: str, number: int, tables: Sequence[Table]
) -> NextStep | Waiting:
    if tournament.listing == Tournament.Listing.DRAFT:
        return Waiting(Obstacle.LISTING)
    # The seats of a night that is drawn at once do not depend on results.
    if step in ("finish", "cut") or tournament.is_drawn_from_results:
        closed = Table.objects.filter(
            round__tournament=tournament, round__state=Round.State.CLOSED, void=False
        )
        if unsettled := _unsettled_table_numbers(list(closed.select_related("match"))):
            return Waiting(Obstacle.SETTLING, unsettled)
    match step:
        case "draw" | "publish":
            present = tournament.entries.playing().count()
            game = tournament.game_of_round(number)
            if present >= table_sizing(tournament, game).least:
                return NextStep(Kind.SEAT, number, tournament.starts_at)
            if number > 1:
                # Too few players are left for a table: the results so far count.
                return NextStep(Kind.FINISH, number - 1, ANY_TIME)
            return Waiting(Obstacle.PEOPLE)
        case "start":
            # The first hand at any table starts the round.
            has_hand = any(table.match and table.match.version for table in tables)
            return NextStep(Kind.START, number, ANY_TIME, is_overdue=has_hand)
        case "cut":
            return NextStep(Kind.CUT, number, ANY_TIME)
        case _:
            return NextStep(Kind.FINISH, number, ANY_TIME)


def _step_in_round(round_: Round, tables: Sequence[Table]) -> NextStep | Waiting:
    tournament, number = round_.tournament, round_.number
    if unsettled := _unsettled_table_numbers(tables):
        return Waiting(Obstacle.SETTLING, unsettled)
    unconfirmed: set[int] = set()
    if tournament.quorum != Tournament.Quorum.NONE:
        waiting = round_.tables.all().unconfirmed(tournament.quorum)
        unconfirmed = set(waiting.values_list("pk", flat=True))
    open_tables = [
        table
        for table in tables
        if table.match is None or not table.match.finished or table.pk in unconfirmed
    ]
    if not open_tables:
        return NextStep(Kind.CLOSE, number, ANY_TIME)
    if round_.paused_at is not None:
        return Waiting(Obstacle.CLOCK)
    ends = [table.ends_at for table in open_tables if table.ends_at is not None]
    if ends and round_.last_hand_at is None:
        return NextStep(Kind.LAST_HAND, number, max(ends) - LAST_HAND_BEFORE)
    if ends and tournament.counts_late:
        grace = timedelta(minutes=tournament.grace)
        return NextStep(Kind.CLOSE, number, max(ends) + grace)
    return Waiting(Obstacle.TABLES, tuple(table.number for table in open_tables))
