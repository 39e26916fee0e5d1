"""What wants the director now, the most urgent first, each with the way to it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import caches
from django.db.models import Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from backups.archive import last_backup_at
from scoring.games.words import join_names
from scoring.matchlog.append import read_match
from scoring.models import LogEntry
from scoring.queue import SWEPT_WITHIN, swept_at
from tournaments.event.draw import advancing_into
from tournaments.event.late_seats import free_table
from tournaments.event.rounds import is_table_confirmed
from tournaments.event.stopped_tables import stop_sentences
from tournaments.event.table_results import read_stages
from tournaments.event.undecided_hands import undecided_hands
from tournaments.models import Entry, Place, Role, Round, Table, Tournament
from tournaments.models.round_names import round_name
from tournaments.models.rounds import CHANGES
from tournaments.names import reading_key
from tournaments.standings import staged_standings

SILENT_AFTER = timedelta(minutes=1)
"""How long a computation that was asked for may not have begun."""
BACKED_UP_WITHIN = timedelta(days=2)
"""How old the last backup may be, where the site is backed up each night."""
LOOKS_FOR_BACKUPS_EVERY = 10 * 60
"""Seconds; the folder may be on a slow disk, and desks ask each second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """One line of the strip above the desk."""

    what: str
    """`undecided`, `disputed`, `called`, `withdrawn`, `names`, `seat`, `left`, `arrived`, `reopened`, `unsettled`, `changed`,
    `agreeing`, `unconfirmed`, `kept`, `silent` or `backup`."""
    words: str
    address: str = ""
    """Where something can be done about it; empty where it is done at once."""
    action: str = ""
    posts_to: str = ""
    """Where one tap does something about it; empty where that takes a page."""
    act: str = ""
    needs: Role = Role.SCORER
    """The role that such a tap needs."""
    answered_at: str = ""
    """Where one tap tells a table that the director is coming; empty once it was told."""
    is_on_tile: bool = False
    """Whether a table on the desk says it as well."""

    @property
    def is_call(self) -> bool:
        """Tell whether people at a table wait for somebody to come."""
        return self.what in ("disputed", "called")


def collect_attention(
    tournament: Tournament,
    rounds: Sequence[Round],
    current: Round | None,
    tables: Iterable[Table],
    undecided: Mapping[int, int],
    absent: Sequence[Entry],
    departed: Sequence[Entry],
    now: datetime,
) -> list[Attention]:
    """Return what wants the director; `tables` are those of the current round.

    `undecided` are their hands with two versions, `absent` are those who are here and have no seat in it, `departed` those who left.
    """
    here = list(tables)
    conflicts = LogEntry.objects.filter(
        match__table__round__tournament=tournament, kind=LogEntry.Kind.CONFLICT
    )
    wanting = (
        Q(disputed=True)
        | Q(called_at__isnull=False)
        | Q(withdrawn_at__isnull=False)
        | ~Q(match__kept={})
        | Q(match__finished=False, match__in=conflicts.values("match"))
    )
    elsewhere = (
        Table.objects.filter(wanting, round__tournament=tournament, void=False)
        .filter(match__isnull=False)
        .select_related("match", "round")
        .order_by("round__number", "number")
    )
    earlier = [table for table in elsewhere if table not in here]
    return [
        *_undecided_hands(tournament, here, earlier, undecided),
        *_calls(tournament, here, earlier),
        *_withdrawn_disputes(tournament, here, earlier),
        *_pending_names(tournament),
        *_doubtful_seats(tournament),
        *_departed(tournament, departed),
        *_arrived(tournament, current, absent),
        *_late_arrivals(tournament, current, here, absent),
        *_reopened(tournament, rounds, current),
        *_changed(tournament, rounds),
        *_tables_to_agree(tournament, current, here),
        *_unconfirmed(tournament, rounds, current),
        *_unsent_entries(tournament, here, earlier),
        *_silent_worker(tournament, now),
        *_old_backup(now),
    ]


def _round_name(tournament: Tournament, round_: Round) -> str:
    round_.tournament = tournament
    return round_name(round_)


def _round_to_name(tournament: Tournament, table: Table, here: Sequence[Table]) -> str:
    """Return the round of a table; empty where its number is enough.

    So it is in the current round until that is closed, and in a league, whose matches are
    of no round.
    """
    is_open = table.round.state != Round.State.CLOSED
    if (table in here and is_open) or (tournament.is_league and not table.round.stage):
        return ""
    return _round_name(tournament, table.round)


def _match_address(table: Table) -> str:
    return table.match.get_absolute_url() if table.match else ""


def _act_of_table(tournament: Tournament, table: Table, verb: str) -> str:
    place = [tournament.address, table.round.number, table.number]
    return reverse("tournaments:table_act", args=[*place, verb])


def _undecided_hands(
    tournament: Tournament,
    here: Sequence[Table],
    earlier: Sequence[Table],
    undecided: Mapping[int, int],
) -> list[Attention]:
    """Return the tables with a hand of which two versions stand."""
    numbers = {**undecided, **undecided_hands(earlier)}
    lines = []
    for table in [*here, *earlier]:
        if table.match is None or table.pk not in numbers:
            continue
        name = _round_to_name(tournament, table, here)
        words = (
            _("%(round)s, table %(table)s: hand %(hand)s has two versions.")
            if name
            else _("Table %(table)s: hand %(hand)s has two versions.")
        )
        hand = numbers[table.pk]
        lines.append(
            Attention(
                what="undecided",
                words=words % {"table": table.number, "round": name, "hand": hand},
                address=reverse("scoring:hand", args=[table.match.address, hand]),
                action=_("Choose"),
            )
        )
    return lines


def _calls(
    tournament: Tournament, here: Sequence[Table], earlier: Sequence[Table]
) -> list[Attention]:
    """Return who waits for the director, disputes first; of this round tiles tell it too."""
    lines = []
    for table in [*here, *earlier]:
        if not (table.disputed or table.called_at):
            continue
        name = _round_to_name(tournament, table, here)
        if table.disputed:
            words = (
                _("%(round)s, table %(table)s does not agree on its result.")
                if name
                else _("Table %(table)s does not agree on its result.")
            )
        else:
            words = (
                _("%(round)s, table %(table)s calls.")
                if name
                else _("Table %(table)s calls.")
            )
        line = Attention(
            what="disputed" if table.disputed else "called",
            words=words % {"table": table.number, "round": name},
            address=_match_address(table),
            action=_("To the match"),
            posts_to=_act_of_table(tournament, table, "settle"),
            act=_("Settled"),
            answered_at=""
            if table.coming_at or not table.called_at
            else _act_of_table(tournament, table, "answer"),
            is_on_tile=table in here,
        )
        lines.append(line)
    return sorted(lines, key=lambda line: line.what != "disputed")


def _withdrawn_disputes(
    tournament: Tournament, here: Sequence[Table], earlier: Sequence[Table]
) -> list[Attention]:
    """Return the tables whose dispute is gone without the director, until somebody saw that."""
    lines = []
    for table in [*here, *earlier]:
        if table.withdrawn_at is None or table.disputed:
            continue
        name = _round_to_name(tournament, table, here)
        words = (
            _("%(round)s, table %(table)s withdrew its dispute.")
            if name
            else _("Table %(table)s withdrew its dispute.")
        )
        lines.append(
            Attention(
                what="withdrawn",
                words=words % {"table": table.number, "round": name},
                address=_match_address(table),
                action=_("To the match"),
                posts_to=_act_of_table(tournament, table, "seen"),
                act=_("Seen"),
            )
        )
    return lines


def _pending_names(tournament: Tournament) -> list[Attention]:
    count = len(tournament.pending_names)
    if not count:
        return []
    is_over = tournament.phase == Tournament.Phase.FINISHED
    words = (
        ngettext(
            "%(n)s name of a list was not entered.",
            "%(n)s names of a list were not entered.",
            count,
        )
        if is_over
        else ngettext(
            "%(n)s name is not entered yet: it waits for your answer.",
            "%(n)s names are not entered yet: they wait for your answer.",
            count,
        )
    )
    return [
        Attention(
            what="names",
            words=words % {"n": count},
            address=reverse("tournaments:entries", args=[tournament.address]),
            action=_("To the players") if is_over else _("Answer"),
        )
    ]


def _doubtful_seats(tournament: Tournament) -> list[Attention]:
    """Return whom a phone named at a table, if the name is like that of somebody known."""
    entries = LogEntry.objects.doubtful_seats().filter(
        match__table__round__tournament=tournament
    )
    changes = entries.select_related("match__table").order_by("pk")
    words = _("Table %(table)s: “%(name)s” sat down. Who is this?")
    lines = []
    for entry in changes:
        body, match = dict(entry.body or {}), entry.match
        page = reverse("scoring:match_seats", args=[match.address])
        lines.append(
            Attention(
                what="seat",
                words=words % {"table": match.table.number, "name": body["name"]},
                address=f"{page}?{urlencode({'seat': body['seat']})}",
                action=_("Answer"),
            )
        )
    return lines


def _departed(tournament: Tournament, departed: Sequence[Entry]) -> list[Attention]:
    """Return who left and is seated in a round that is not over, the first such round of each."""
    if not departed:
        return []
    places = (
        Place.objects.filter(
            round__tournament=tournament,
            entry__in=departed,
            table__void=False,
        )
        .exclude(round__state=Round.State.CLOSED)
        .exclude(table__match__finished=True)
        .select_related("entry", "table", "round")
        .order_by("-round__number")
    )
    latest = {
        place.entry_id: place
        for place in places
        if not _is_drawn_anew(tournament, place.round)
    }
    return [
        Attention(
            what="left",
            words=_("%(name)s has left, and is seated at table %(table)s (%(round)s).")
            % {
                "name": place.entry.name,
                "table": place.table.number,
                "round": _round_name(tournament, place.round),
            },
            address=reverse(
                "tournaments:table_seats",
                args=[tournament.address, place.round.number, place.table.number],
            ),
            action=_("Change the seats"),
            **_redraw_action(tournament, place.round),
        )
        for place in latest.values()
    ]


def _is_drawn_anew(tournament: Tournament, round_: Round) -> bool:
    """Tell whether a night that runs itself draws a round again for those who are here then."""
    runs = tournament.autopilot == Tournament.Autopilot.RUN
    return runs and round_.state == Round.State.DRAWN and not round_.stage


def _redraw_action(tournament: Tournament, round_: Round) -> dict[str, Any]:
    """Return the tap that draws a round again, if nobody has seen its seats yet."""
    if round_.state != Round.State.DRAWN or round_.stage:
        return {}
    return {
        "posts_to": reverse("tournaments:draw", args=[tournament.address]),
        "act": _("Draw again"),
        "needs": Role.DIRECTOR,
    }


def _arrived(
    tournament: Tournament, current: Round | None, absent: Sequence[Entry]
) -> list[Attention]:
    """Return who is here and has no seat in a round that is about to be played."""
    to_come = (Round.State.DRAWN, Round.State.PUBLISHED)
    if current is None or current.state not in to_come or tournament.is_league:
        return []
    if current.stage or _is_drawn_anew(tournament, current):
        # Who did not go on has no seat, and none to miss.
        return []
    byes = set(current.byes.values_list("entry_id", flat=True))
    names = [entry.name for entry in absent if entry.pk not in byes]
    if not names:
        return []
    return [
        Attention(
            what="arrived",
            words=_has_no_seat(len(names))
            % {
                "names": join_names(names),
                "round": _round_name(tournament, current),
            },
            address=reverse("tournaments:entries", args=[tournament.address]),
            action=_("To the players"),
            **_redraw_action(tournament, current),
        )
    ]


def _has_no_seat(count: int) -> str:
    return ngettext(
        "%(names)s is here and has no seat (%(round)s).",
        "%(names)s are here and have no seat (%(round)s).",
        count,
    )


def _late_arrivals(
    tournament: Tournament,
    current: Round | None,
    here: Sequence[Table],
    absent: Sequence[Entry],
) -> list[Attention]:
    """Return who is here and has no seat in the round that is played."""
    if current is None or current.state != Round.State.RUNNING:
        return []
    if current.stage or tournament.is_league:
        return []
    byes = set(current.byes.values_list("entry_id", flat=True)) if absent else set()
    late = [entry for entry in absent if entry.pk not in byes]
    table = free_table(tournament, current, here) if late else None
    if table is None:
        names = join_names([entry.name for entry in late])
        name = _round_name(tournament, current)
        words = _has_no_seat(len(late)) % {"names": names, "round": name}
        drawn_once = (Tournament.Format.KNOCKOUT, Tournament.Format.ROUND_ROBIN)
        takes_newcomers = tournament.format not in drawn_once
        if takes_newcomers and current.number < tournament.rounds_planned:
            plays = _("They play from the next round on.")
            words = f"{words} {plays}"
        return [Attention(what="arrived", words=words)] if late else []
    return [
        Attention(
            what="arrived",
            words=_("%(name)s is here, and table %(table)s has not begun.")
            % {"name": entry.name, "table": table.number},
            posts_to=reverse(
                "tournaments:entry_seat", args=[tournament.address, entry.number]
            ),
            act=_("Seat them at table %(table)s") % {"table": table.number},
        )
        for entry in late
    ]


def _reopened(
    tournament: Tournament, rounds: Sequence[Round], current: Round | None
) -> list[Attention]:
    """Return the tables of closed rounds whose match is not over, and that changed since."""
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
            words=_words_of_change(table)
            % {"table": table.number, "round": _round_name(tournament, table.round)},
            address=_match_address(table),
            action=_("To the match"),
        )
        for table in tables
    ]


def _words_of_change(table: Table) -> str:
    """Return what happened at a table of a closed round whose match is not over."""
    match = table.match
    assert match is not None
    if read_match(match, up_to=table.seen_version).replayed.is_over:
        return _("%(round)s, table %(table)s is open again.")
    since = match.log.filter(version__gt=table.seen_version)
    if since.filter(kind__in=set(CHANGES) - {LogEntry.Kind.ENTER}).exists():
        return _("%(round)s, table %(table)s: changed after the round was closed.")
    return _("%(round)s, table %(table)s: a late hand came in.")


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
            words=_("%(round)s, table %(table)s: changed after the round was closed.")
            % {"table": table.number, "round": _round_name(tournament, table.round)},
            address=_match_address(table),
            action=_("To the match"),
            posts_to=_act_of_table(tournament, table, "seen"),
            act=_("Seen"),
        )
        for table in tables
    ]
    return [*_unsettled(tournament, rounds), *lines] if lines else []


def _unsettled(tournament: Tournament, rounds: Sequence[Round]) -> list[Attention]:
    """Return that others would play on, had it been drawn from what is known now."""
    chosen = [round_ for round_ in rounds if round_.stage]
    if not chosen:
        return []
    first, last = chosen[0], chosen[-1]
    knockout = tournament.format == Tournament.Format.KNOCKOUT
    lines: list[Attention] = []
    if not knockout:
        seated = set(first.places.values_list("entry_id", flat=True))
        candidates = first.candidates()
        everybody = staged_standings(read_stages(tournament)[:1])
        rows = [row for row in everybody if int(row.player) in candidates]
        best = {int(row.player) for row in rows[: len(seated)]}
        # Whoever is level with the last who goes on is not behind.
        worst = rows[len(seated) - 1].rank
        behind = {int(row.player) for row in rows if row.rank > worst} & seated
        lines += _others_would_play(tournament, first, best - seated, behind)
    if knockout or last != first:
        seated = set(last.places.values_list("entry_id", flat=True))
        now = set(advancing_into(last))
        lines += _others_would_play(tournament, last, now - seated, seated - now)
    return lines


def _others_would_play(
    tournament: Tournament, round_: Round, coming: Iterable[int], leaving: Iterable[int]
) -> list[Attention]:
    names = dict(tournament.entries.values_list("pk", "name"))
    listed = {
        "in": join_names(sorted((names[entry] for entry in coming), key=reading_key)),
        "out": join_names(sorted((names[entry] for entry in leaving), key=reading_key)),
    }
    if not listed["out"]:
        return []
    return [
        Attention(
            what="unsettled",
            words=_(
                "%(round)s: by what is known now, %(in)s would play instead of %(out)s."
            )
            % {**listed, "round": _round_name(tournament, round_)},
            address=tournament.get_absolute_url(),
            action=_("To the standings"),
        )
    ]


def _tables_to_agree(
    tournament: Tournament, current: Round | None, here: Sequence[Table]
) -> list[Attention]:
    """Return the tables that are over, where they keep their round open by agreeing to nothing.

    While others play, those may still agree by themselves.
    """
    counted = [table for table in here if not table.void]
    is_over = all(table.match and table.match.finished for table in counted)
    if current is None or current.state != Round.State.RUNNING or not is_over:
        return []
    quorum = tournament.quorum
    silent = [table for table in counted if not is_table_confirmed(table, quorum)]
    silent = [table for table in silent if not table.disputed]
    if len(silent) < 2 or tournament.is_league:
        return []
    numbers = ", ".join(map(str, sorted(table.number for table in silent)))
    return [
        Attention(
            what="agreeing",
            words=_("All have played. Tables %(tables)s have not agreed yet.")
            % {"tables": numbers},
            posts_to=reverse(
                "tournaments:round_act",
                args=[tournament.address, current.number, "agree"],
            ),
            act=_("Agree for them"),
            needs=Role.DIRECTOR,
        )
    ]


def _unconfirmed(
    tournament: Tournament, rounds: Sequence[Round], current: Round | None
) -> list[Attention]:
    """Return the earlier rounds with results to which too few have agreed.

    Tables that stopped with their round have a line of their own, also in the current one.
    """
    closed = [round_.pk for round_ in rounds if round_.state == Round.State.CLOSED]
    if not closed or tournament.quorum == Tournament.Quorum.NONE:
        return []
    tables = Table.objects.filter(round__in=closed).unconfirmed(tournament.quorum)
    finished: dict[Round, list[Table]] = {}
    stopped: dict[Round, list[Table]] = {}
    for table in (
        tables.select_related("round", "match")
        .prefetch_related("match__seats")
        .order_by("round__number", "number")
    ):
        if table.match is not None and not table.match.finished:
            stopped.setdefault(table.round, []).append(table)
        elif table.round != current:
            finished.setdefault(table.round, []).append(table)
    lines = [
        (
            f"{_round_name(tournament, round_)}: {'; '.join(stop_sentences(those))}.",
            those,
        )
        for round_, those in stopped.items()
    ]
    for round_, those in finished.items():
        numbers = ", ".join(str(table.number) for table in those)
        has_not_agreed = ngettext(
            "%(round)s: table %(tables)s has not agreed to its result.",
            "%(round)s: tables %(tables)s have not agreed to their results.",
            len(those),
        )
        name = _round_name(tournament, round_)
        lines.append((has_not_agreed % {"round": name, "tables": numbers}, those))
    return [
        Attention(
            what="unconfirmed",
            words=words,
            address=reverse(
                "tournaments:table",
                args=[tournament.address, first.round.number, first.number],
            ),
            action=_("To table %(table)s") % {"table": first.number},
        )
        for words, (first, *_others) in lines
    ]


def _unsent_entries(
    tournament: Tournament, here: Sequence[Table], earlier: Sequence[Table]
) -> list[Attention]:
    lines = []
    for table in [*here, *earlier]:
        if table.match is None or not table.match.waiting:
            continue
        waiting = table.match.waiting
        name = _round_to_name(tournament, table, here)
        words = (
            ngettext(
                "%(round)s: a phone at table %(table)s still holds %(n)s entry.",
                "%(round)s: phones at table %(table)s still hold %(n)s entries.",
                waiting,
            )
            if name
            else ngettext(
                "A phone at table %(table)s still holds %(n)s entry.",
                "Phones at table %(table)s still hold %(n)s entries.",
                waiting,
            )
        )
        lines.append(
            Attention(
                what="kept",
                words=words % {"table": table.number, "round": name, "n": waiting},
                address=_match_address(table),
                action=_("To the match"),
                is_on_tile=table in here,
            )
        )
    return lines


def _silent_worker(tournament: Tournament, now: datetime) -> list[Attention]:
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return []
    since = tournament.waiting_since
    if since is not None and since <= now - SILENT_AFTER:
        minutes = max(1, int((now - since).total_seconds() // 60))
        words = ngettext(
            "Standings wait for the worker since %(n)s minute: is it running?",
            "Standings wait for the worker since %(n)s minutes: is it running?",
            minutes,
        )
        return [
            Attention(
                what="silent",
                words=words % {"n": minutes},
                posts_to=reverse("tournaments:count", args=[tournament.address]),
                act=_("Count them now"),
            )
        ]
    if tournament.autopilot == Tournament.Autopilot.OFF:
        return []
    heard_at = swept_at()
    if heard_at is None or now.timestamp() - heard_at <= SWEPT_WITHIN:
        return []
    minutes = int((now.timestamp() - heard_at) // 60)
    words = _(
        "Nothing goes on by itself: the worker was last heard of %(n)s minutes ago. Is it running?"
    )
    return [Attention(what="silent", words=words % {"n": minutes})]


def _old_backup(now: datetime) -> list[Attention]:
    if not settings.BACKUP_FOLDER:
        return []
    last: datetime | None = caches["drawn"].get_or_set(
        "last-backup",
        lambda: last_backup_at(Path(settings.BACKUP_FOLDER)),
        LOOKS_FOR_BACKUPS_EVERY,
    )
    if last is None:
        words = _("This site has no backup yet: tell whoever runs it.")
    elif last < now - BACKED_UP_WITHIN:
        day = date_format(localtime(last), "DATE_FORMAT")
        words = _("The last backup is of %(day)s: tell whoever runs this site.")
        words %= {"day": day}
    else:
        return []
    return [Attention(what="backup", words=words)]
