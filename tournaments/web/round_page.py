"""What the page of a round shows: its tables, or where everybody sits."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import SHOWN, Bye, Place, Round, Table, Tournament
from tournaments.models.round_names import round_name
from tournaments.names import reading_key
from tournaments.web.bracket import Branch, bracket
from tournaments.web.event_pages import Segment, round_segments


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedTable:
    """A table of a round as it lies in its list."""

    table: Table
    places: Sequence[tuple[Place, int | None]]
    """In the order of the seats, each with its points."""
    is_mine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPage:
    """A round as everybody sees it."""

    name: str
    rounds: Sequence[Segment]
    """All rounds that are shown; none where there is only this."""
    places: Sequence[Place]
    """Everybody by name, where one asks for the seats."""
    tables: Sequence[SeatedTable]
    branches: Sequence[Branch]
    """In place of the tables, where only some go on."""
    byes: Sequence[Bye]
    mine: Sequence[int]
    """Whose entries it is that look: of a family several."""


def round_page(
    tournament: Tournament, round_: Round, *, by_name: bool, mine: Sequence[int]
) -> RoundPage:
    """Return a round, by the names of who plays or by its tables."""
    tables: Sequence[Table] = ()
    places: Sequence[Place] = ()
    branches: Sequence[Branch] = ()
    if by_name:
        sat = round_.places.select_related("entry", "table")
        places = sorted(sat, key=lambda place: reading_key(place.entry.name))
    else:
        tables = _tables(tournament, round_)
    is_bracket = bool(tables) and round_.plays_off
    if is_bracket:
        further = tournament.rounds.filter(number=round_.number + 1, state__in=SHOWN)
        following = further.first()
        drawn = _tables(tournament, following) if following else ()
        branches = bracket(tournament, tables, drawn, mine)
    return RoundPage(
        name=round_name(round_, len(tables) or round_.tables.count()),
        rounds=round_segments(tournament, round_, by_name=by_name),
        places=places,
        tables=() if is_bracket else [_seated(table, mine) for table in tables],
        branches=branches,
        byes=sorted(
            round_.byes.select_related("entry"),
            key=lambda bye: reading_key(bye.entry.name),
        ),
        mine=mine,
    )


def _tables(tournament: Tournament, round_: Round) -> list[Table]:
    latest_first = "-number" if tournament.is_league else "number"
    return list(round_.tables.with_people().order_by(latest_first))


def _seated(table: Table, mine: Sequence[int]) -> SeatedTable:
    places = table.totals()
    return SeatedTable(
        table=table,
        places=places,
        is_mine=any(place.entry_id in mine for place, _total in places),
    )
