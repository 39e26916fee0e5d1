"""The pace board: every table of a round with the time at which it will be done."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import LogEntry
from tournaments.models import Round, Table
from tournaments.pace import Prediction, Progress, pace_of_room, predict

LONG_SILENT = 15
"""Minutes after which a table is said to be silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """One line of the board."""

    table: Table
    hand: int
    """The one that is being played."""
    prediction: Prediction
    late: bool
    words: str


def pace_of(one: Round, now: datetime) -> list[Pace]:
    """Return the tables of a round that go on, the last to finish first; three queries."""
    tables = [
        table
        for table in one.tables.with_people().filter(void=False)
        if table.match is not None
    ]
    moments = _moments(one)
    known = {
        table.pk: _progress(table, moments.get(table.match_id or 0, []))
        for table in tables
    }
    room = pace_of_room(list(known.values()))
    lines = list(_lines(one, tables, known, room, now))
    return sorted(lines, key=lambda line: line.prediction.ends_at, reverse=True)


def _moments(one: Round) -> Mapping[int, list[datetime]]:
    """Return by match when each hand came in first; corrections came later."""
    entries = LogEntry.objects.filter(
        match__table__round=one, kind=LogEntry.Kind.ENTER
    ).values_list("match", "hand_number")
    found: dict[int, list[datetime]] = {}
    for match, _number, at in entries.annotate(first=Min("made_at")).order_by("first"):
        found.setdefault(match, []).append(at)
    return found


def _progress(table: Table, hands_at: list[datetime]) -> Progress:
    match = table.match
    assert match is not None
    seats = list(match.seats.all())
    return Progress(
        game=match.game,
        seats=len(seats),
        options=match.options,
        started_at=match.started_at,
        hands_at=hands_at,
        best=max((seat.total for seat in seats), default=0),
        finished=match.finished,
    )


def _lines(
    one: Round,
    tables: list[Table],
    known: Mapping[int, Progress],
    room: Mapping[str, float],
    now: datetime,
) -> Iterator[Pace]:
    for table in tables:
        progress = known[table.pk]
        if progress.finished:
            continue
        table.round = one
        found = predict(progress, room, now)
        over = _minutes_over(table, found, now)
        yield Pace(
            table=table,
            hand=len(progress.hands_at) + 1,
            prediction=found,
            late=over is not None and over > 0,
            words=_words(over, progress, now),
        )


def _minutes_over(table: Table, found: Prediction, now: datetime) -> int | None:
    """Return by how many minutes a table will be late; None where there is no clock."""
    ends_at = table.ends_at
    if ends_at is None:
        return None
    if table.round.paused_at is not None:
        ends_at += now - table.round.paused_at
    return round((found.ends_at - ends_at) / timedelta(minutes=1))


def _words(over: int | None, progress: Progress, now: datetime) -> str:
    last = max(progress.hands_at, default=progress.started_at)
    silent = int((now - last) / timedelta(minutes=1))
    if over is None or over <= 0:
        words = _("in time")
    else:
        words = ngettext("%(over)s minute over", "%(over)s minutes over", over) % {
            "over": over
        }
    if silent < LONG_SILENT:
        return words
    return f"{words} · " + _("silent for %(minutes)s minutes") % {"minutes": silent}
