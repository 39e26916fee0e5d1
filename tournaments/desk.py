"""What the director's desk shows, gathered in a constant number of queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.utils.translation import gettext as _

from tournaments.models import Entry, Place, Round, Table, Tournament
from tournaments.operations.rounds import agreed, blocking


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """One table as its card shows it."""

    table: Table
    state: str
    """`waiting`, `playing`, `unagreed`, `done`, `disputed`, `called` or `void`."""
    words: str
    places: Sequence[Place]
    minutes_silent: int | None
    """Since it was last heard of; None before its first hand."""

    @property
    def wants_director(self) -> bool:
        """Tell whether somebody should go there."""
        return self.state in ("disputed", "called")


ORDER = ("disputed", "called", "playing", "unagreed", "waiting", "void", "done")
"""What needs the director first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Everything about now."""

    tournament: Tournament
    rounds: Sequence[Round]
    current: Round | None
    """The round that runs, else the next one that is drawn."""
    tables: Sequence[TableView]
    blocks: Sequence[str]
    entered: int
    here: int
    again: Sequence[str]
    """Who meets again by the draw, and how often."""
    together: Sequence[str]
    """Who was to be kept apart, and could not be."""

    @property
    def digest(self) -> str:
        """Return what changes whenever anything does that the tables show."""
        told = [
            (
                view.table.number,
                view.words,
                view.minutes_silent,
                [place.agreed_at is not None for place in view.places],
            )
            for view in self.tables
        ]
        state = self.current.state if self.current else ""
        return sha256(repr((told, self.blocks, state)).encode()).hexdigest()[:16]


def desk_of(tournament: Tournament, now: datetime) -> Desk:
    """Return the desk of a tournament at a moment."""
    rounds = list(tournament.rounds.order_by("number"))
    current = next(
        (one for one in rounds if one.state != Round.State.CLOSED),
        rounds[-1] if rounds else None,
    )
    tables: list[TableView] = []
    if current is not None:
        current.tournament = tournament
        views = [
            table_view(table, tournament, now)
            for table in current.tables.with_people().order_by("number")
        ]
        tables = sorted(views, key=lambda view: ORDER.index(view.state))
    entries = list(tournament.entries.values_list("pk", "name", "state"))
    names = {pk: name for pk, name, _state in entries}
    running = current is not None and current.state == Round.State.RUNNING
    return Desk(
        tournament=tournament,
        rounds=rounds,
        current=current,
        tables=tables,
        blocks=blocking(current) if running and current else [],
        entered=len(entries),
        here=sum(state == Entry.State.PRESENT for _pk, _name, state in entries),
        again=_pairs(current, names, "again"),
        together=_pairs(current, names, "together"),
    )


def _pairs(current: Round | None, names: Mapping[int, str], key: str) -> list[str]:
    """Return the pairs that a draw's quality names, in words."""
    quality: dict[str, list[list[int]]] = current.quality if current else {}
    return [
        f"{names[one]} – {names[other]}" + (f" ({times[0]}×)" if times else "")
        for one, other, *times in quality.get(key, [])
        if one in names and other in names
    ]


def table_view(table: Table, tournament: Tournament, now: datetime) -> TableView:
    """Return a table with its state in words."""
    silent = None
    if table.heard_at is not None:
        silent = int((now - table.heard_at).total_seconds() // 60)
    state, words = _state(table, tournament)
    return TableView(
        table=table,
        state=state,
        words=words,
        places=list(table.places.all()),
        minutes_silent=silent,
    )


def _state(table: Table, tournament: Tournament) -> tuple[str, str]:
    match = table.match
    if table.void:
        return "void", _("void")
    if table.disputed:
        return "disputed", _("disputed")
    if table.called_at is not None:
        return "called", _("calls the director")
    if match is None or not match.version:
        return "waiting", _("not started")
    if not match.finished:
        return "playing", _("hand %(number)s") % {"number": match.hands_played + 1}
    if not agreed(table, tournament.quorum):
        return "unagreed", _("waits for confirmation")
    return "done", _("done")
