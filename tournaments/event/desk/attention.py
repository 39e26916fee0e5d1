"""What wants the director now, the most urgent first, each with the way to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.table_results import stages_of
from tournaments.models import Entry, Place, Round, Table, Tournament
from tournaments.standings import staged_standings

SILENT_AFTER = timedelta(minutes=1)
"""How long a computation that was asked for may not have begun."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """One line of the strip above the desk."""

    what: str
    """`disputed`, `called`, `left`, `arrived`, `reopened`, `unsettled`, `changed`,
    `unconfirmed`, `kept` or `silent`."""
    words: str
    address: str = ""
    """Where something can be done about it; empty for nowhere here."""
    action: str = ""
    seen_at: str = ""
    """Where somebody posts that they have seen it; empty where it goes by itself."""

    @property
    def is_call(self) -> bool:
        """Tell whether people at a table wait for somebody to come."""
        return self.what in ("disputed", "called")


def attention_for(
    tournament: Tournament,
    rounds: Sequence[Round],
    current: Round | None,
    tables: Iterable[Table],
    absent: Sequence[Entry],
    now: datetime,
) -> list[Attention]:
    """Return what wants the director; `tables` are those of the current round.

    `absent` are those who are here and have no seat in it.
    """
    listed = list(tables)
    return [
        *_calls(listed),
        *_departed(tournament),
        *_arrived(tournament, current, absent),
        *_reopened(rounds, current),
        *_changed(tournament, rounds),
        *_unconfirmed(tournament, rounds, current),
        *_kept(listed),
        *_silent(tournament, now),
    ]


def _match_address(table: Table) -> str:
    return table.match.get_absolute_url() if table.match else ""


def _calls(tables: Iterable[Table]) -> list[Attention]:
    disputed = [
        Attention(
            what="disputed",
            words=_("Table %(table)s does not agree on its result.")
            % {"table": table.number},
            address=_match_address(table),
            action=_("To the match"),
        )
        for table in tables
        if table.disputed
    ]
    called = [
        Attention(
            what="called",
            words=_("Table %(table)s calls.") % {"table": table.number},
            address=_match_address(table),
            action=_("To the match"),
        )
        for table in tables
        if table.called_at is not None and not table.disputed
    ]
    return disputed + called


def _departed(tournament: Tournament) -> list[Attention]:
    """Return who left and is seated in a round that is not over, the first such round of each."""
    places = (
        Place.objects.filter(
            round__tournament=tournament,
            entry__state=Entry.State.DROPPED,
            table__void=False,
        )
        .exclude(round__state=Round.State.CLOSED)
        .exclude(table__match__finished=True)
        .select_related("entry", "table", "round")
        .order_by("-round__number")
    )
    return [
        Attention(
            what="left",
            words=_(
                "%(name)s has left, and is seated at table %(table)s of round %(round)s."
            )
            % {
                "name": place.entry.name,
                "table": place.table.number,
                "round": place.round.number,
            },
            address=reverse(
                "tournaments:table_seats",
                args=[tournament.address, place.round.number, place.table.number],
            ),
            action=_("Change the seats"),
        )
        for place in {place.entry_id: place for place in places}.values()
    ]


def _arrived(
    tournament: Tournament, current: Round | None, absent: Sequence[Entry]
) -> list[Attention]:
    """Return who is here and has no seat in a round that is about to be played."""
    to_come = (Round.State.DRAWN, Round.State.PUBLISHED)
    if current is None or current.state not in to_come or tournament.is_league:
        return []
    if current.stage:
        # Who did not go on has no seat, and none to miss.
        return []
    byes = set(current.byes.values_list("entry_id", flat=True))
    names = [entry.name for entry in absent if entry.pk not in byes]
    if not names:
        return []
    words = ngettext(
        "%(names)s is here and has no seat in round %(number)s.",
        "%(names)s are here and have no seat in round %(number)s.",
        len(names),
    )
    return [
        Attention(
            what="arrived",
            words=words % {"names": ", ".join(names), "number": current.number},
            address=reverse("tournaments:entries", args=[tournament.address]),
            action=_("To the players"),
        )
    ]


def _reopened(rounds: Sequence[Round], current: Round | None) -> list[Attention]:
    """Return the tables of closed rounds that a correction has opened again."""
    closed = [
        round_.pk
        for round_ in rounds
        if round_.state == Round.State.CLOSED and round_ != current
    ]
    tables = (
        Table.objects.filter(round__in=closed, void=False, match__finished=False)
        # One that the director closed unfinished counts as it stands, and was not opened.
        .changed_since_closed()
        .filter(match__version__gt=0)
        .select_related("match", "round")
        .order_by("round__number", "number")
        if closed
        else []
    )
    return [
        Attention(
            what="reopened",
            words=_("Table %(table)s of round %(round)s is open again.")
            % {"table": table.number, "round": table.round.number},
            address=_match_address(table),
            action=_("To the match"),
        )
        for table in tables
    ]


def _changed(tournament: Tournament, rounds: Sequence[Round]) -> list[Attention]:
    """Return the tables of closed rounds that somebody changed, and what that unsettled."""
    closed = [round_.pk for round_ in rounds if round_.state == Round.State.CLOSED]
    tables = (
        Table.objects.filter(round__in=closed, match__finished=True)
        .changed_since_closed()
        .select_related("match", "round")
        .order_by("round__number", "number")
        if closed
        else []
    )
    lines = [
        Attention(
            what="changed",
            words=_(
                "Table %(table)s of round %(round)s was changed after the round was "
                "closed."
            )
            % {"table": table.number, "round": table.round.number},
            address=_match_address(table),
            action=_("To the match"),
            seen_at=reverse(
                "tournaments:table_act",
                args=[tournament.address, table.round.number, table.number, "seen"],
            ),
        )
        for table in tables
    ]
    return [*_unsettled(tournament, rounds), *lines] if lines else []


def _unsettled(tournament: Tournament, rounds: Sequence[Round]) -> list[Attention]:
    """Return that others would play the final, had it been drawn from what is known now."""
    finals = [round_ for round_ in rounds if round_.stage]
    if not finals or tournament.format == Tournament.Format.KNOCKOUT:
        return []
    first = finals[0]
    seated = set(first.places.values_list("entry_id", flat=True))
    here = set(tournament.entries.playing().values_list("pk", flat=True)) | seated
    everybody = staged_standings(stages_of(tournament)[:1])
    rows = [row for row in everybody if int(row.player) in here]
    best = {int(row.player) for row in rows[: len(seated)]}
    # Whoever is level with the last who goes on is not behind.
    worst = rows[len(seated) - 1].rank
    behind = {int(row.player) for row in rows if row.rank > worst} & seated
    if not behind:
        return []
    names = dict(tournament.entries.values_list("pk", "name"))
    return [
        Attention(
            what="unsettled",
            words=_(
                "By what is known now, %(in)s would play the final instead of %(out)s."
            )
            % {
                "in": ", ".join(sorted(names[entry] for entry in best - seated)),
                "out": ", ".join(sorted(names[entry] for entry in behind)),
            },
            address=tournament.get_absolute_url(),
            action=_("To the standings"),
        )
    ]


def _unconfirmed(
    tournament: Tournament, rounds: Sequence[Round], current: Round | None
) -> list[Attention]:
    """Return the earlier rounds with results to which too few have agreed."""
    earlier = [round_.pk for round_ in rounds if round_ != current]
    if not earlier or tournament.quorum == Tournament.Quorum.NONE:
        return []
    tables = Table.objects.filter(
        round__in=earlier, round__state=Round.State.CLOSED
    ).unconfirmed(tournament.quorum)
    by_round: dict[int, list[str]] = {}
    for table in tables.select_related("round").order_by("round__number", "number"):
        by_round.setdefault(table.round.number, []).append(str(table.number))
    return [
        Attention(
            what="unconfirmed",
            words=ngettext(
                "Round %(round)s: table %(tables)s has not agreed to its result.",
                "Round %(round)s: tables %(tables)s have not agreed to their results.",
                len(numbers),
            )
            % {"round": number, "tables": ", ".join(numbers)},
            address=reverse(
                "tournaments:table", args=[tournament.address, number, numbers[0]]
            ),
            action=_("To table %(table)s") % {"table": numbers[0]},
        )
        for number, numbers in by_round.items()
    ]


def _kept(tables: Iterable[Table]) -> list[Attention]:
    """Return the tables whose phones hold entries that have not arrived."""
    return [
        Attention(
            what="kept",
            words=ngettext(
                "A phone at table %(table)s still holds %(n)s entry.",
                "Phones at table %(table)s still hold %(n)s entries.",
                table.match.waiting,
            )
            % {"table": table.number, "n": table.match.waiting},
            address=_match_address(table),
            action=_("To the match"),
        )
        for table in tables
        if table.match and table.match.waiting
    ]


def _silent(tournament: Tournament, now: datetime) -> list[Attention]:
    """Return that standings wait for a worker that is not heard of."""
    asked = tournament.asked_at
    if settings.CELERY_TASK_ALWAYS_EAGER or asked is None or asked > now - SILENT_AFTER:
        return []
    minutes = max(1, int((now - asked).total_seconds() // 60))
    words = ngettext(
        "Standings wait for the worker since %(n)s minute: is it running?",
        "Standings wait for the worker since %(n)s minutes: is it running?",
        minutes,
    )
    return [Attention(what="silent", words=words % {"n": minutes})]
