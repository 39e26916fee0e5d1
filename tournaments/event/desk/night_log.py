"""The log of a night: what people and the autopilot did, newest first.

Its lines come from three tables: the match logs, the penalties, and the events that neither has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import (
    CharField,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.games.registry import table_game
from scoring.matchlog.confirmations import DISPUTE_KEY, WAY_KEY
from scoring.models import ConfirmationWay, LogEntry
from scoring.models.log import CORRECTIONS, FREES_PHONE, FROM_HAND, SOMEONE
from tournaments.exact import format_exact_number
from tournaments.models import NightEvent, Penalty, Tournament, User
from tournaments.models.night_events import OWN_KINDS
from tournaments.models.round_names import round_name

LOGGED_KINDS = (
    *CORRECTIONS,
    LogEntry.Kind.CONFIRM,
    LogEntry.Kind.WITHDRAW,
    LogEntry.Kind.DISPUTE,
    LogEntry.Kind.RESEAT,
    LogEntry.Kind.CONFLICT,
    LogEntry.Kind.KEEP,
)
"""Kinds of entries of match logs that are lines of the night's log."""


LogKey = tuple[datetime, str, int]
"""The time of a line, and the name of its model and its primary key there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightLogLine:
    at: datetime
    who: str
    """An e-mail address, a name, or what acted."""
    subject: str
    """The player, round, table or hand; empty for the whole tournament."""
    what: str
    reason: str = ""
    url: str = ""
    """URL of the hand or sheet; empty without one."""


class NightLog:
    """The log of a tournament, with as many queries for any number of lines."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @property
    def keys(self) -> QuerySet[Any, LogKey]:
        """Return the keys of all lines, newest first, to be sliced before they are read."""
        events = _select_keys(self.tournament.night_events.all(), "at")
        entries = _select_keys(_logged_entries(self.tournament), "made_at")
        penalties = _select_keys(self.tournament.penalties.all(), "made_at")
        merged = events.union(entries, penalties, all=True)
        return merged.order_by("-moment", "source", "-row")

    def read_lines(self, keys: Sequence[LogKey]) -> list[NightLogLine]:
        """Return the lines with these keys, in their order."""
        pks: dict[str, list[int]] = {}
        for _at, source, row in keys:
            pks.setdefault(source, []).append(row)
        entries = LogEntry.objects.select_related("match__table__round").in_bulk(
            pks.get(LogEntry.__name__, ())
        )
        accounts = User.objects.in_bulk(
            {entry.account for entry in entries.values() if entry.account}
        )
        events = NightEvent.objects.select_related("by").in_bulk(
            pks.get(NightEvent.__name__, ())
        )
        penalties = Penalty.objects.select_related("entry", "made_by").in_bulk(
            pks.get(Penalty.__name__, ())
        )
        lines = []
        for _at, source, row in keys:
            if source == LogEntry.__name__:
                entry = entries[row]
                author = accounts.get(entry.account or 0)
                lines.append(self._line_of_entry(entry, author))
            elif source == Penalty.__name__:
                lines.append(_line_of_penalty(penalties[row]))
            else:
                lines.append(self._line_of_event(events[row]))
        return lines

    def _line_of_event(self, event: NightEvent) -> NightLogLine:
        who = _("autopilot")
        if event.by is not None:
            who = _account_name(event.by)
        elif event.kind in OWN_KINDS:
            who = _("the player’s phone")
        elif event.kind == NightEvent.Kind.MOVED_UP:
            who = _("automatic")
        subjects = [event.name] if event.name else []
        if event.table_number is not None:
            subjects.insert(
                0, self._table_subject(event.round_number or 0, event.table_number)
            )
        elif event.round_number is not None:
            last_number = event.last_round_number or event.round_number
            subjects.insert(0, self._rounds_subject(event.round_number, last_number))
        reason = _(event.reason) if event.reason else ""
        if event.kind == NightEvent.Kind.GAME_CHANGED:
            reason = str(table_game(event.reason).name)
        return NightLogLine(
            at=event.at,
            who=who,
            subject=" · ".join(subjects),
            what=event.get_kind_display(),
            reason=reason,
        )

    def _line_of_entry(self, entry: LogEntry, account: User | None) -> NightLogLine:
        match = entry.match
        subject = self._table_subject(match.table.round.number, match.table.number)
        url = match.get_absolute_url()
        what = entry.get_kind_display()
        reasons = [_(entry.reason)] if entry.reason else []
        if entry.hand_number is not None:
            hand = table_game(match.game).hand_text("number", entry.hand_number)
            subject = f"{subject} · {hand}"
            url = reverse("scoring:hand", args=[match.address, entry.hand_number])
        elif entry.kind == LogEntry.Kind.WITHDRAW and DISPUTE_KEY in (entry.body or {}):
            what = _("dispute withdrawn")
        elif entry.kind == LogEntry.Kind.RESEAT:
            body = entry.body or {}
            seat = _("Seat %(number)s") % {"number": body["seat"] + 1}
            subject = f"{subject} · {seat}"
            if FREES_PHONE in body:
                what = _("phone disconnected")
            else:
                values = {"name": body["name"], "hand": body.get(FROM_HAND, 1)}
                handover = _("%(name)s from hand %(hand)s on") % values
                reasons.insert(0, handover)
        who = _("the scorer’s phone")
        if account is not None:
            who = _account_name(account)
        elif entry.made_by not in ("", SOMEONE):
            who = entry.made_by
        elif entry.hand_number is None:
            who = _(SOMEONE)
        return NightLogLine(
            at=entry.made_at,
            who=who,
            subject=subject,
            what=what,
            reason=": ".join(reasons),
            url=url,
        )

    @cached_property
    def _round_names(self) -> dict[int, str]:
        names = {}
        for round_ in self.tournament.rounds.all().with_table_count():
            round_.tournament = self.tournament
            names[round_.number] = round_name(round_, round_.table_count)
        return names

    def _round_name(self, number: int) -> str:
        unknown = _("Round %(number)s") % {"number": number}
        return self._round_names.get(number, unknown)

    def _rounds_subject(self, first: int, last: int) -> str:
        if first == last:
            return self._round_name(first)
        return _("Rounds %(first)s to %(last)s") % {"first": first, "last": last}

    def _table_subject(self, round_number: int, table_number: int) -> str:
        values = {"round": self._round_name(round_number), "table": table_number}
        return _("%(round)s, table %(table)s") % values


def _select_keys(rows: QuerySet[Any], moment: str) -> QuerySet[Any, LogKey]:
    source = Value(rows.model.__name__, output_field=CharField())
    keys: QuerySet[Any, LogKey] = (
        rows.order_by()
        .annotate(moment=F(moment), source=source, row=F("pk"))
        .values_list("moment", "source", "row")
    )
    return keys


def _logged_entries(tournament: Tournament) -> QuerySet[LogEntry]:
    """Return the entries of match logs that are lines of the night's log.

    A director confirms for every seat at once: of these entries only the first is a line.
    """
    by_director = {f"body__{WAY_KEY}": ConfirmationWay.DIRECTOR}
    confirmed_before = LogEntry.objects.filter(
        kind=LogEntry.Kind.CONFIRM,
        match=OuterRef("match"),
        version=OuterRef("version") - 1,
        made_at=OuterRef("made_at"),
        **by_director,
    )
    is_repeated = Q(kind=LogEntry.Kind.CONFIRM, **by_director) & Q(
        Exists(confirmed_before)
    )
    entries = LogEntry.objects.filter(match__table__round__tournament=tournament)
    return entries.filter(kind__in=LOGGED_KINDS).exclude(is_repeated)


def _line_of_penalty(penalty: Penalty) -> NightLogLine:
    who = _account_name(penalty.made_by) if penalty.made_by else ""
    return NightLogLine(
        at=penalty.made_at,
        who=who,
        subject=penalty.entry.name,
        what=_("penalty given"),
        reason=f"−{format_exact_number(penalty.points)}: {penalty.reason}",
    )


def _account_name(user: User) -> str:
    return user.email if user.is_active else _("a deleted account")
