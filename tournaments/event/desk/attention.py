"""Find what needs the director now, the most urgent first, each with a link or a button."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
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
from scoring.games.registry import table_game
from scoring.locales.sentences import join_names
from scoring.matchlog.append import read_match
from scoring.models import LogEntry
from scoring.queue import SWEPT_WITHIN, last_sweep_unix_time
from tournaments.event.draw import qualified_entry_ids
from tournaments.event.late_arrivals import find_table_with_room
from tournaments.event.rounds import is_table_confirmed
from tournaments.event.separations import separated_entry_ids, separated_pairs
from tournaments.event.table_results import read_results_by_stage
from tournaments.event.tables import (
    early_stop_phrases,
    first_undecided_hand_by_table,
)
from tournaments.event.waiting_list import ONE_DRAW
from tournaments.models import Entry, Place, Role, Round, Table, Tournament
from tournaments.models.round_names import round_name
from tournaments.models.rounds import CHANGES
from tournaments.names import localized_sort_key
from tournaments.standings import staged_standings

SILENT_AFTER = timedelta(minutes=1)
"""The worker counts as silent if a requested computation has not begun after this time."""
BACKED_UP_WITHIN = timedelta(days=2)
"""Accepted age of the last backup, on a server that is backed up each night."""
LOOKS_FOR_BACKUPS_EVERY = 10 * 60
"""Seconds; the folder may be on a slow disk, and desks ask each second."""


class CorrectionLink(NamedTuple):
    """A link to the form that corrects a hand, and then leads back to the desk."""

    url: str
    label: str


def last_hand_correction_link(table: Table) -> CorrectionLink | None:
    """Return the link that corrects the last hand of a disputed table; None for any other table."""
    match = table.match
    if not table.disputed or match is None or not match.hands_played:
        return None
    number = match.hands_played
    url = reverse("scoring:hand_correct", args=[match.address, number])
    label = table_game(match.game).hand_text("correct", number)
    return CorrectionLink(f"{url}?leads=desk", label)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttentionLine:
    """One line of the strip above the desk."""

    kind: str
    """`undecided`, `disputed`, `called`, `withdrawn`, `names`, `seat`, `left`, `arrived`, `reopened`, `unsettled`, `changed`,
    `agreeing`, `unconfirmed`, `kept`, `silent` or `backup`."""
    message: str
    address: str = ""
    """URL of the page where the director can deal with it; empty if one tap does."""
    link_label: str = ""
    correction: CorrectionLink | None = None
    """Shown instead of that page to those with the required role."""
    note: str = ""
    """What players wrote about it; may be empty."""
    post_url: str = ""
    """URL for a tap that deals with it; empty if that needs a page."""
    button_label: str = ""
    required_role: Role = Role.SCORER
    """The role required for that tap."""
    answer_url: str = ""
    """URL for a tap that answers the call: the director is coming. Empty once answered."""
    is_on_tile: bool = False
    """Whether the table's tile on the desk shows it as well."""

    @property
    def is_call_or_dispute(self) -> bool:
        """Return whether a table is waiting for someone to come."""
        return self.kind in ("disputed", "called")


@dataclass(frozen=True, kw_only=True)
class AttentionFinder:
    """The data that the desk has read, and the lines that follow from it."""

    tournament: Tournament
    rounds: Sequence[Round]
    current: Round | None
    tables: Sequence[Table]
    """Tables of the current round."""
    undecided: Mapping[int, int]
    """By table of the current round, the number of its hand with two versions."""
    absent: Sequence[Entry]
    """Present players without a seat in the current round."""
    departed: Sequence[Entry]
    now: datetime

    def find(self) -> list[AttentionLine]:
        """Return what needs the director, the most urgent first."""
        return [
            *self._conflicting_hands(),
            *sorted(
                self._calls_and_disputes(), key=lambda line: line.kind != "disputed"
            ),
            *self._withdrawn_disputes(),
            *self._pending_names(),
            *self._doubtful_new_names(),
            *self._departed_players(),
            *self._present_without_seat(),
            *self._seated_despite_request(),
            *self._changed_unfinished_tables(),
            *self._changed_finished_tables(),
            *self._unconfirmed_tables_after_all_finished(),
            *self._unconfirmed_closed_rounds(),
            *self._unsent_entries(),
            *self._silent_worker(),
            *self._old_backup(),
        ]

    @cached_property
    def _other_round_tables_needing_director(self) -> list[Table]:
        """Tables of rounds other than the current one that need the director."""
        conflicts = LogEntry.objects.filter(
            match__table__round__tournament=self.tournament,
            kind=LogEntry.Kind.CONFLICT,
        )
        needs_director = (
            Q(disputed=True)
            | Q(called_at__isnull=False)
            | Q(withdrawn_at__isnull=False)
            | ~Q(match__kept={})
            | Q(match__finished=False, match__in=conflicts.values("match"))
        )
        elsewhere = Table.objects.filter(
            needs_director,
            round__tournament=self.tournament,
            void=False,
            match__isnull=False,
        )
        tables = elsewhere.select_related("match", "round")
        return [
            table
            for table in tables.order_by("round__number", "number")
            if table not in self.tables
        ]

    @property
    def _tables_to_check(self) -> list[Table]:
        return [*self.tables, *self._other_round_tables_needing_director]

    @cached_property
    def _closed_rounds(self) -> list[Round]:
        return [round_ for round_ in self.rounds if round_.state == Round.State.CLOSED]

    @cached_property
    def _tables_with_unseen_changes(self) -> list[Table]:
        """Tables of closed rounds with changes that have not been marked as seen at the desk."""
        if not self._closed_rounds:
            return []
        changed = Table.objects.filter(
            round__in=self._closed_rounds
        ).with_unseen_changes()
        tables = changed.select_related("match", "round")
        return list(tables.order_by("round__number", "number"))

    def _round_name(self, round_: Round) -> str:
        round_.tournament = self.tournament
        return round_name(round_)

    def _table_message(
        self, table: Table, with_round: str, without_round: str, **values: Any
    ) -> str:
        """Return a sentence about a table; `without_round` if the table's number is enough.

        That is so in the current round until it is closed, and in a league, where matches have
        no rounds.
        """
        is_open = table.round.state != Round.State.CLOSED
        is_league_match = self.tournament.is_league and not table.round.stage
        if (table in self.tables and is_open) or is_league_match:
            return without_round % {"table": table.number, **values}
        name = self._round_name(table.round)
        return with_round % {"table": table.number, "round": name, **values}

    def _match_line(
        self, kind: str, table: Table, message: str, **fields: Any
    ) -> AttentionLine:
        """Return a line with a link to the match of a table."""
        address = table.match.get_absolute_url() if table.match else ""
        return AttentionLine(
            kind=kind,
            message=message,
            address=address,
            link_label=_("Open score sheet"),
            **fields,
        )

    def _url(self, name: str, *args: object) -> str:
        return reverse(f"tournaments:{name}", args=[self.tournament.address, *args])

    def _table_action_url(self, table: Table, verb: str) -> str:
        return self._url("desk_table_action", table.round.number, table.number, verb)

    def _conflicting_hands(self) -> Iterator[AttentionLine]:
        numbers = {
            **self.undecided,
            **first_undecided_hand_by_table(self._other_round_tables_needing_director),
        }
        for table in self._tables_to_check:
            if table.match is None or table.pk not in numbers:
                continue
            hand = numbers[table.pk]
            yield AttentionLine(
                kind="undecided",
                message=self._table_message(
                    table,
                    _("%(round)s, table %(table)s: hand %(hand)s has two versions."),
                    _("Table %(table)s: hand %(hand)s has two versions."),
                    hand=hand,
                ),
                address=reverse("scoring:hand", args=[table.match.address, hand]),
                link_label=_("Choose version"),
            )

    def _calls_and_disputes(self) -> Iterator[AttentionLine]:
        """Yield the tables that dispute their result or call the director."""
        for table in self._tables_to_check:
            if table.disputed:
                message = self._table_message(
                    table,
                    _("%(round)s, table %(table)s disputes its result."),
                    _("Table %(table)s disputes its result."),
                )
            elif table.called_at:
                message = self._table_message(
                    table,
                    _("%(round)s, table %(table)s is calling you."),
                    _("Table %(table)s is calling you."),
                )
            else:
                continue
            is_answered = table.coming_at or not table.called_at
            yield self._match_line(
                "disputed" if table.disputed else "called",
                table,
                message,
                post_url=self._table_action_url(table, "settle"),
                button_label=_("Mark as settled"),
                answer_url=""
                if is_answered
                else self._table_action_url(table, "answer"),
                is_on_tile=table in self.tables,
                correction=last_hand_correction_link(table),
                note=table.dispute_reason_text,
            )

    def _withdrawn_disputes(self) -> Iterator[AttentionLine]:
        for table in self._tables_to_check:
            if table.withdrawn_at is not None and not table.disputed:
                message = self._table_message(
                    table,
                    _("%(round)s, table %(table)s withdrew its dispute."),
                    _("Table %(table)s withdrew its dispute."),
                )
                yield self._match_line(
                    "withdrawn",
                    table,
                    message,
                    post_url=self._table_action_url(table, "seen"),
                    button_label=_("Dismiss"),
                )

    def _pending_names(self) -> Iterator[AttentionLine]:
        count = len(self.tournament.pending_names)
        if not count:
            return
        is_finished = self.tournament.phase == Tournament.Phase.FINISHED
        message = (
            ngettext(
                "%(n)s name from a list wasn’t added.",
                "%(n)s names from a list weren’t added.",
                count,
            )
            if is_finished
            else ngettext(
                "%(n)s name needs your answer before it’s added.",
                "%(n)s names need your answer before they’re added.",
                count,
            )
        )
        yield AttentionLine(
            kind="names",
            message=message % {"n": count},
            address=self._url("entries"),
            link_label=_("See players") if is_finished else _("Answer"),
        )

    def _doubtful_new_names(self) -> Iterator[AttentionLine]:
        """Yield new names from phones at a table that are similar to those of known players."""
        entries = LogEntry.objects.seat_changes_with_lookalike_name().filter(
            match__table__round__tournament=self.tournament
        )
        message = _("Table %(table)s: “%(name)s” sat down. Who is this?")
        for entry in entries.select_related("match__table").order_by("pk"):
            body, match = dict(entry.body or {}), entry.match
            page = reverse("scoring:match_seats", args=[match.address])
            yield AttentionLine(
                kind="seat",
                message=message % {"table": match.table.number, "name": body["name"]},
                address=f"{page}?{urlencode({'seat': body['seat']})}",
                link_label=_("Answer"),
            )

    def _departed_players(self) -> Iterator[AttentionLine]:
        """Yield the departed players that still have a seat in an unfinished round, one line each.

        The line is about the first such round.
        """
        if not self.departed:
            return
        places = (
            Place.objects.filter(
                round__tournament=self.tournament,
                entry__in=self.departed,
                table__void=False,
            )
            .exclude(round__state=Round.State.CLOSED)
            .exclude(table__match__finished=True)
            .select_related("entry", "table", "round")
            .order_by("-round__number")
        )
        first = {
            place.entry_id: place
            for place in places
            if not self._is_redrawn_by_autopilot(place.round)
        }
        message = _(
            "%(name)s has left but still has a seat at table %(table)s (%(round)s)."
        )
        for place in first.values():
            round_, number = place.round, place.table.number
            name = self._round_name(round_)
            yield AttentionLine(
                kind="left",
                message=message
                % {"name": place.entry.name, "table": number, "round": name},
                address=self._url("table_seats", round_.number, number),
                link_label=_("Change seats"),
                **self._redraw_button_fields(round_),
            )

    def _is_redrawn_by_autopilot(self, round_: Round) -> bool:
        runs = self.tournament.autopilot == Tournament.Autopilot.RUN
        return runs and round_.state == Round.State.DRAWN and not round_.stage

    def _redraw_button_fields(self, round_: Round) -> dict[str, Any]:
        """Return the fields of a tap that draws a round again, if its seats are not published yet."""
        if round_.state != Round.State.DRAWN or round_.stage:
            return {}
        return {
            "post_url": self._url("draw"),
            "button_label": _("Draw again"),
            "required_role": Role.DIRECTOR,
        }

    def _seated_despite_request(self) -> Iterator[AttentionLine]:
        """Yield a line for each drawn round with seats of players that asked to sit it out."""
        for round_ in self.rounds:
            if round_.state != Round.State.DRAWN or round_.stage:
                continue
            if self._is_redrawn_by_autopilot(round_):
                continue
            seated = Entry.objects.filter(places__round=round_).by_number()
            names = [
                entry.name for entry in seated if round_.number in entry.bye_rounds
            ]
            if not names:
                continue
            message = ngettext(
                "%(names)s asked to sit out but has a seat (%(round)s).",
                "%(names)s asked to sit out but have a seat (%(round)s).",
                len(names),
            )
            yield AttentionLine(
                kind="arrived",
                message=message
                % {"names": join_names(names), "round": self._round_name(round_)},
                address=self._url("entries"),
                link_label=_("See players"),
                **self._redraw_button_fields(round_),
            )

    def _late_seat_hint(self, current: Round, entries: list[Entry]) -> str:
        """Return when players without a seat in the running round get one; empty if never."""
        later = [round_ for round_ in self.rounds if round_.number > current.number]
        if later and not self._is_redrawn_by_autopilot(later[0]):
            drawn_ids = {
                *later[0].places.values_list("entry_id", flat=True),
                *later[0].byes.values_list("entry_id", flat=True),
            }
            if any(entry.pk not in drawn_ids for entry in entries):
                return _("To seat late players, draw the next round again.")
        has_more = current.number < self.tournament.rounds_planned
        if self.tournament.format in ONE_DRAW or not has_more:
            return ""
        return _("Late players get a seat in the next round.")

    def _present_without_seat(self) -> Iterator[AttentionLine]:
        """Yield the present players without a seat or a bye in a round that is not closed.

        Nothing in leagues and in later stages, which are only for advancing players.
        """
        current = self.current
        if current is None or current.stage or self.tournament.is_league:
            return
        if not self.absent or current.state == Round.State.CLOSED:
            return
        byes = set(current.byes.values_list("entry_id", flat=True))
        entries = [entry for entry in self.absent if entry.pk not in byes]
        if not entries:
            return
        message = ngettext(
            "%(names)s is here but has no seat (%(round)s).",
            "%(names)s are here but have no seat (%(round)s).",
            len(entries),
        ) % {
            "names": join_names([entry.name for entry in entries]),
            "round": self._round_name(current),
        }
        if current.state != Round.State.RUNNING:
            if not self._is_redrawn_by_autopilot(current):
                yield AttentionLine(
                    kind="arrived",
                    message=message,
                    address=self._url("entries"),
                    link_label=_("See players"),
                    **self._redraw_button_fields(current),
                )
            return
        if find_table_with_room(current, self.tables) is None:
            message = f"{message} {self._late_seat_hint(current, entries)}".strip()
            yield AttentionLine(kind="arrived", message=message)
            return
        pairs = separated_pairs(self.tournament)
        for entry in entries:
            avoided_ids = separated_entry_ids(entry.pk, pairs)
            table = find_table_with_room(current, self.tables, avoided_ids)
            if table is None:
                continue
            yield AttentionLine(
                kind="arrived",
                message=_("%(name)s is here, and table %(table)s hasn’t started yet.")
                % {"name": entry.name, "table": table.number},
                post_url=self._url("entry_seat", entry.number),
                button_label=_("Seat at table %(table)s") % {"table": table.number},
            )

    def _changed_unfinished_tables(self) -> Iterator[AttentionLine]:
        """Yield the tables of closed rounds with an unfinished match that has changed since."""
        for table in self._tables_with_unseen_changes:
            match = table.match
            if match is None or match.finished or table.round == self.current:
                continue
            later_entries = match.log.filter(version__gt=table.seen_version)
            corrections = set(CHANGES) - {LogEntry.Kind.ENTER}
            if read_match(match, max_version=table.seen_version).replayed.is_over:
                message = _("%(round)s, table %(table)s is open again.")
            elif later_entries.filter(kind__in=corrections).exists():
                message = _(
                    "%(round)s, table %(table)s was changed after the round closed."
                )
            else:
                message = _("%(round)s, table %(table)s: a late hand came in.")
            name = self._round_name(table.round)
            message %= {"table": table.number, "round": name}
            yield self._match_line("reopened", table, message)

    def _changed_finished_tables(self) -> Iterator[AttentionLine]:
        """Yield the finished tables of closed rounds that were changed, and the consequences."""
        changed = [
            row
            for row in self._tables_with_unseen_changes
            if row.match and row.match.finished
        ]
        if changed:
            yield from self._outdated_qualifiers()
        message = _("%(round)s, table %(table)s was changed after the round closed.")
        for table in changed:
            name = self._round_name(table.round)
            yield self._match_line(
                "changed",
                table,
                message % {"table": table.number, "round": name},
                post_url=self._table_action_url(table, "seen"),
                button_label=_("Dismiss"),
            )

    def _outdated_qualifiers(self) -> Iterator[AttentionLine]:
        """Yield the later rounds that would have other players if they were drawn now."""
        stages = [round_ for round_ in self.rounds if round_.stage]
        if not stages:
            return
        first, last = stages[0], stages[-1]
        knockout = self.tournament.format == Tournament.Format.KNOCKOUT
        if not knockout:
            seated = set(first.places.values_list("entry_id", flat=True))
            candidates = first.entry_ids_at_draw()
            standings = staged_standings(read_results_by_stage(self.tournament)[:1])
            rows = [row for row in standings if int(row.player) in candidates]
            qualified = {int(row.player) for row in rows[: len(seated)]}
            # Players level with the last finalist are not behind.
            last_rank = rows[len(seated) - 1].rank
            unqualified = {
                int(row.player) for row in rows if row.rank > last_rank
            } & seated
            yield from self._outdated_qualifier_line(
                first, qualified - seated, unqualified
            )
        if knockout or last != first:
            seated = set(last.places.values_list("entry_id", flat=True))
            advancing = set(qualified_entry_ids(last))
            yield from self._outdated_qualifier_line(
                last, advancing - seated, seated - advancing
            )

    def _outdated_qualifier_line(
        self, round_: Round, added_ids: Iterable[int], removed_ids: Iterable[int]
    ) -> Iterator[AttentionLine]:
        names = dict(self.tournament.entries.values_list("pk", "name"))
        added_names, removed_names = (
            join_names(sorted((names[pk] for pk in entry_ids), key=localized_sort_key))
            for entry_ids in (added_ids, removed_ids)
        )
        if removed_names:
            message = _(
                "%(round)s: after the latest changes, %(in)s should play "
                "instead of %(out)s."
            )
            yield AttentionLine(
                kind="unsettled",
                message=message
                % {
                    "in": added_names,
                    "out": removed_names,
                    "round": self._round_name(round_),
                },
                address=self.tournament.get_absolute_url(),
                link_label=_("See standings"),
            )

    def _unconfirmed_tables_after_all_finished(self) -> Iterator[AttentionLine]:
        """Yield the tables without confirmation if all tables of the current round have finished.

        While others play, these tables may still confirm by themselves.
        """
        valid_tables = [table for table in self.tables if not table.void]
        all_finished = all(
            table.match and table.match.finished for table in valid_tables
        )
        current = self.current
        if current is None or current.state != Round.State.RUNNING or not all_finished:
            return
        unconfirmed_numbers = [
            table.number
            for table in valid_tables
            if not table.disputed
            and not is_table_confirmed(table, self.tournament.quorum)
        ]
        if len(unconfirmed_numbers) < 2 or self.tournament.is_league:
            return
        yield AttentionLine(
            kind="agreeing",
            message=_("Everyone has finished. Tables %(tables)s haven’t confirmed yet.")
            % {"tables": ", ".join(map(str, sorted(unconfirmed_numbers)))},
            post_url=self._url("round_action", current.number, "agree"),
            button_label=_("Confirm for these tables"),
            required_role=Role.DIRECTOR,
        )

    def _unconfirmed_closed_rounds(self) -> Iterator[AttentionLine]:
        """Yield the earlier rounds with results that too few players have confirmed.

        Tables that stopped with their round have a line of their own, also in the current one.
        """
        quorum = self.tournament.quorum
        if not self._closed_rounds or quorum == Tournament.Quorum.NONE:
            return
        tables = Table.objects.filter(round__in=self._closed_rounds).unconfirmed(quorum)
        tables = tables.select_related("round", "match").prefetch_related(
            "match__seats"
        )
        finished: dict[Round, list[Table]] = {}
        stopped: dict[Round, list[Table]] = {}
        for table in tables.order_by("round__number", "number"):
            if table.match is not None and not table.match.finished:
                stopped.setdefault(table.round, []).append(table)
            elif table.round != self.current:
                finished.setdefault(table.round, []).append(table)
        lines = [
            (
                f"{self._round_name(round_)}: {'; '.join(early_stop_phrases(round_tables))}.",
                round_tables,
            )
            for round_, round_tables in stopped.items()
        ]
        for round_, round_tables in finished.items():
            message = ngettext(
                "%(round)s: table %(tables)s hasn’t confirmed its result.",
                "%(round)s: tables %(tables)s haven’t confirmed their results.",
                len(round_tables),
            )
            numbers = ", ".join(str(table.number) for table in round_tables)
            name = self._round_name(round_)
            lines.append((message % {"round": name, "tables": numbers}, round_tables))
        for message, (first, *_remaining) in lines:
            yield AttentionLine(
                kind="unconfirmed",
                message=message,
                address=self._url("table", first.round.number, first.number),
                link_label=_("Open table %(table)s") % {"table": first.number},
            )

    def _unsent_entries(self) -> Iterator[AttentionLine]:
        for table in self._tables_to_check:
            if table.match is None or not (
                entry_count := table.match.unsent_entry_count
            ):
                continue
            message = self._table_message(
                table,
                ngettext(
                    "%(round)s, table %(table)s: %(n)s entry is still on a phone.",
                    "%(round)s, table %(table)s: %(n)s entries are still on phones.",
                    entry_count,
                ),
                ngettext(
                    "Table %(table)s: %(n)s entry is still on a phone.",
                    "Table %(table)s: %(n)s entries are still on phones.",
                    entry_count,
                ),
                n=entry_count,
            )
            is_on_tile = table in self.tables
            yield self._match_line("kept", table, message, is_on_tile=is_on_tile)

    def _silent_worker(self) -> Iterator[AttentionLine]:
        if settings.CELERY_TASK_ALWAYS_EAGER:
            return
        waiting_since = self.tournament.waiting_since
        if waiting_since is not None and waiting_since <= self.now - SILENT_AFTER:
            minutes = max(1, int((self.now - waiting_since).total_seconds() // 60))
            message = ngettext(
                "Standings have been waiting for the worker for %(n)s minute. Is it "
                "running?",
                "Standings have been waiting for the worker for %(n)s minutes. Is it "
                "running?",
                minutes,
            )
            yield AttentionLine(
                kind="silent",
                message=message % {"n": minutes},
                post_url=self._url("count_standings"),
                button_label=_("Update standings"),
            )
        elif (
            self.tournament.autopilot != Tournament.Autopilot.OFF
            and (heard_at := last_sweep_unix_time()) is not None
            and self.now.timestamp() - heard_at > SWEPT_WITHIN
        ):
            minutes = int((self.now.timestamp() - heard_at) // 60)
            message = _(
                "Automatic steps are stuck. The worker hasn’t responded for %(n)s "
                "minutes. Is it running?"
            )
            yield AttentionLine(kind="silent", message=message % {"n": minutes})

    def _old_backup(self) -> Iterator[AttentionLine]:
        if not settings.BACKUP_FOLDER:
            return
        last: datetime | None = caches["drawn"].get_or_set(
            "last-backup",
            lambda: last_backup_at(Path(settings.BACKUP_FOLDER)),
            LOOKS_FOR_BACKUPS_EVERY,
        )
        if last is None:
            message = _("This server has no backup yet. Tell the person who runs it.")
            yield AttentionLine(kind="backup", message=message)
        elif last < self.now - BACKED_UP_WITHIN:
            day = date_format(localtime(last), "DATE_FORMAT")
            message = _(
                "The last backup was on %(day)s. Tell the person who runs this server."
            )
            yield AttentionLine(kind="backup", message=message % {"day": day})
