"""What comes next in a night, and when: a function of how it stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from tournaments.models import AutoStep, Tournament

Autopilot, Kind = Tournament.Autopilot, AutoStep.Kind

AT_ONCE = datetime.min.replace(tzinfo=UTC)
"""The earliest moment of a step that waits for nothing but its notice."""
LAST_HAND_BEFORE = timedelta(minutes=5)
"""Before the clock is over the last hand is called."""
NOTICE = {
    Kind.SEAT: timedelta(seconds=60),
    Kind.START: timedelta(minutes=2),
    Kind.LAST_HAND: timedelta(),
    Kind.CLOSE: timedelta(seconds=60),
    Kind.CUT: timedelta(seconds=60),
    Kind.FINISH: timedelta(minutes=3),
}
"""How long a step stands announced before it is done."""
HELPS_WITH = (Kind.LAST_HAND, Kind.CLOSE)
"""What is done where a director seats and starts the rounds."""


class Obstacle(StrEnum):
    """What a night waits for."""

    PEOPLE = "people"
    """Too few are here to make a table."""
    LISTING = "listing"
    """It is a draft, which players cannot see."""
    CLOCK = "clock"
    """The clock is paused."""
    TABLES = "tables"
    """Tables still play, or have not agreed."""
    SETTLING = "settling"
    """A table is disputed, or has two versions of a hand."""


class NextStep(NamedTuple):
    """The step that comes next, and when it may be done at the earliest."""

    kind: AutoStep.Kind
    number: int
    not_before: datetime
    is_overdue: bool = False
    """Whether it is done without notice, for people did it already."""

    @property
    def notice(self) -> timedelta:
        """Return how long it stands announced."""
        return timedelta() if self.is_overdue else NOTICE[self.kind]


class Waiting(NamedTuple):
    """What keeps a night from its next step."""

    what: Obstacle
    tables: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """How a tournament stands, as far as its next step depends on it."""

    autopilot: str
    step: str
    """What a director would do next, as the desk has it."""
    number: int
    """The round that this is about."""
    starts_at: datetime
    is_draft: bool
    has_hand: bool
    """Whether a hand is in of the round whose seats are shown."""
    present: int
    least: int
    """How many make a table."""
    ends_at: datetime | None
    """When the clock is over at the last table that is open."""
    is_paused: bool
    last_hand_called: bool
    open_tables: Sequence[int]
    """Tables that are not finished, or whose result is not agreed."""
    unsettled: Sequence[int]
    """Tables that are disputed or have two versions of a hand: people settle that."""
    grace: timedelta
    counts_late: bool


def choose_step(night: Night) -> NextStep | Waiting | None:
    """Return the next step of a night or what it waits for; None where it is not run by itself.

    Asked again later, with nothing changed, the answer is the same.
    """
    if night.autopilot == Autopilot.OFF or not night.step:
        return None
    wanted = (
        _step_in_round(night) if night.step == "close" else _step_between_rounds(night)
    )
    is_others = (
        isinstance(wanted, NextStep)
        and night.autopilot == Autopilot.HELP
        and wanted.kind not in HELPS_WITH
    )
    return None if is_others else wanted


def _step_between_rounds(night: Night) -> NextStep | Waiting:
    if night.is_draft:
        return Waiting(Obstacle.LISTING)
    if night.unsettled:
        return Waiting(Obstacle.SETTLING, tuple(night.unsettled))
    match night.step:
        case "draw" | "publish":
            if night.present < night.least and night.number > 1:
                # Those who are left make no table any more: what was played counts.
                return NextStep(Kind.FINISH, night.number - 1, AT_ONCE)
            if night.present < night.least:
                return Waiting(Obstacle.PEOPLE)
            return NextStep(Kind.SEAT, night.number, night.starts_at)
        case "start":
            # The first hand at any table is the round's beginning.
            return NextStep(
                Kind.START, night.number, AT_ONCE, is_overdue=night.has_hand
            )
        case "cut":
            return NextStep(Kind.CUT, night.number, AT_ONCE)
        case _:
            return NextStep(Kind.FINISH, night.number, AT_ONCE)


def _step_in_round(night: Night) -> NextStep | Waiting:
    if night.unsettled:
        return Waiting(Obstacle.SETTLING, tuple(night.unsettled))
    if not night.open_tables:
        return NextStep(Kind.CLOSE, night.number, AT_ONCE)
    if night.is_paused:
        return Waiting(Obstacle.CLOCK)
    if night.ends_at is not None and not night.last_hand_called:
        return NextStep(Kind.LAST_HAND, night.number, night.ends_at - LAST_HAND_BEFORE)
    if night.ends_at is not None and night.counts_late:
        return NextStep(Kind.CLOSE, night.number, night.ends_at + night.grace)
    return Waiting(Obstacle.TABLES, tuple(night.open_tables))
