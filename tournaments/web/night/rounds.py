"""Tables of a round, and where each knockout table leads."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import ResultState
from tournaments.models import SHOWN, Bye, Place, Round, Table, Tournament
from tournaments.models.round_names import round_name
from tournaments.names import reading_key
from tournaments.web.night.pages import Segment, round_segments

SHAPES = 8
"""Of which a player keeps the same from table to table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """Somebody at one table of the bracket."""

    place: Place
    shape: int
    total: int | None
    is_me: bool
    state: str
    """`won` for who went on, `out` for who did not, `at` while nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """A table of the bracket."""

    table: Table
    contenders: Sequence[Contender]

    @property
    def entries(self) -> set[int]:
        """Return who sits there."""
        return {contender.place.entry_id for contender in self.contenders}


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Tables from which some go on to one and the same; `into` is None while it is not drawn."""

    words: str
    duels: Sequence[Duel]
    into: Duel | None


def bracket(
    tournament: Tournament,
    tables: Sequence[Table],
    following: Sequence[Table],
    mine: Sequence[int],
) -> list[Branch]:
    """Return a round of which some go on, as far as it leads by now.

    Where all who go on from a table meet again at one, it stands under theirs. Where
    they part, or nothing further is drawn, the tables stand for themselves.
    """
    went_on = {place.entry_id for table in following for place in table.places.all()}
    duels = _duels(tournament, tables, went_on, mine)
    nexts = _duels(tournament, following, set(), mine)
    if not nexts:
        return [Branch(words="", duels=duels, into=None)]
    leads_to = [
        [number for number, duel in enumerate(nexts) if duel.entries & one.entries]
        for one in duels
    ]
    if any(len(numbers) > 1 for numbers in leads_to):
        words = _words(len(nexts), None)
        return [
            Branch(words="", duels=duels, into=None),
            Branch(words=words, duels=nexts, into=None),
        ]
    return [
        Branch(
            words=_words(len(nexts), number),
            duels=[
                duel
                for duel, numbers in zip(duels, leads_to, strict=True)
                if numbers == [number]
            ],
            into=into,
        )
        for number, into in enumerate(nexts)
    ]


def _words(tables: int, number: int | None) -> str:
    """Return where a branch leads, by how many tables there are then."""
    if tables == 1:
        return _("To the final")
    if tables == 2 and number is not None:
        return (
            _("To the first semi-final")
            if number == 0
            else _("To the second semi-final")
        )
    if number is None and tables == 2:
        return _("Then the semi-finals")
    if number is None:
        return ngettext("Then, at %(n)s table", "Then, at %(n)s tables", tables) % {
            "n": tables
        }
    return _("To table %(number)s") % {"number": number + 1}


def _duels(
    tournament: Tournament,
    tables: Sequence[Table],
    went_on: set[int],
    mine: Sequence[int],
) -> list[Duel]:
    """Return the tables of a round, of which so many are known to have gone on."""
    goes_on = 1 if len(tables) == 1 else max(1, tournament.advance)
    return [
        Duel(
            table=table,
            contenders=[
                Contender(
                    place=place,
                    shape=(place.entry.number - 1) % SHAPES,
                    total=total,
                    is_me=place.entry_id in mine,
                    state=_state(table, place, total, went_on, goes_on),
                )
                for place, total in table.totals()
            ],
        )
        for table in tables
    ]


def _state(
    table: Table, place: Place, total: int | None, went_on: set[int], goes_on: int
) -> str:
    """Return who went on; while that is not drawn, who will by the points of the table."""
    if went_on:
        return "won" if place.entry_id in went_on else "out"
    if table.void or total is None or not (table.match and table.match.finished):
        return "at"
    if table.result_state != ResultState.FINAL:
        return "at"
    ranks = {seat.index: seat.rank for seat in table.match.seats.all()}
    return "won" if ranks[place.index] <= goes_on else "out"


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
