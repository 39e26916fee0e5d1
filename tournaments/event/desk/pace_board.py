"""The pace board: every table of a round with the time at which it will be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Min
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.models import LogEntry
from tournaments.event.desk.pace import Prediction, Progress, pace_of_room, predict
from tournaments.models import Round, Table

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


def pace_board(round_: Round, now: datetime) -> list[Pace]:
    """Return the tables of a round that go on, the last to finish first; three queries."""
    hands_at = _hands_at_by_match(round_)
    progress_by_table: dict[Table, Progress] = {}
    for table in round_.tables.with_people().filter(void=False):
        if (match := table.match) is None:
            continue
        table.round = round_
        totals = [seat.total for seat in match.seats.all()]
        progress_by_table[table] = Progress(
            game=match.game,
            seats=len(totals),
            options=match.options,
            started_at=match.started_at,
            hands_at=hands_at.get(match.pk, []),
            best=max(totals, default=0),
            finished=match.finished,
        )
    # Tables that are done say how fast the room plays.
    room = pace_of_room(list(progress_by_table.values()))
    lines = []
    for table, progress in progress_by_table.items():
        if progress.finished:
            continue
        prediction = predict(progress, room, now)
        over = _minutes_over(table, prediction, now)
        lines.append(
            Pace(
                table=table,
                hand=len(progress.hands_at) + 1,
                prediction=prediction,
                late=over is not None and over > 0,
                words=_words(over, progress, now),
            )
        )
    return sorted(lines, key=lambda line: line.prediction.ends_at, reverse=True)


def _hands_at_by_match(round_: Round) -> Mapping[int, list[datetime]]:
    """Return by match when each hand came in first; corrections came later."""
    entries = LogEntry.objects.filter(
        match__table__round=round_, kind=LogEntry.Kind.ENTER
    ).values_list("match", "hand_number")
    hands_at: dict[int, list[datetime]] = {}
    for match, _number, at in entries.annotate(first=Min("made_at")).order_by("first"):
        hands_at.setdefault(match, []).append(at)
    return hands_at


def _minutes_over(table: Table, prediction: Prediction, now: datetime) -> int | None:
    """Return by how many minutes a table will be late; None where there is no clock."""
    ends_at = table.ends_at
    if ends_at is None:
        return None
    if table.round.paused_at is not None:
        ends_at += now - table.round.paused_at
    return round((prediction.ends_at - ends_at) / timedelta(minutes=1))


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
    quiet = ngettext(
        "silent for %(minutes)s minute", "silent for %(minutes)s minutes", silent
    )
    return f"{words} · " + quiet % {"minutes": silent}
