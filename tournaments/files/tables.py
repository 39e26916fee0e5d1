"""The tables of clubs and tournaments that can be taken along, each declared once."""

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from itertools import chain

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.rules import get_game
from tournaments.files.writing import Cell, Column, Table
from tournaments.history.club_records import contract_counts, game_statistics
from tournaments.history.leaderboard import (
    BoardLine,
    BoardQuery,
    with_open_tables,
)
from tournaments.models import SHOWN, Club, Place, Standings, StandingsRow, Tournament
from tournaments.models import Table as PlayedTable
from tournaments.models.round_names import round_name
from tournaments.people.identities import Person, PlayedTournament
from tournaments.standings import ranks_at_table
from tournaments.standings.tie_breaks import TIE_BREAKS

PLACES_AT_ONCE = 500


def _columns(**heads: str) -> list[Column]:
    return [Column(key=key, head=head) for key, head in heads.items()]


def players_table(club: Club, people: Collection[Person]) -> Table:
    """Return who played in a club, as its page has them."""
    return Table(
        name="players",
        of=club.name,
        zone=club.zone,
        columns=_columns(
            number=_("Number"),
            name=_("Name"),
            other_names=_("Further names"),
            tournaments=_("Tournaments"),
            last_at=_("Last here"),
        ),
        rows=(
            (
                person.player.pk,
                person.player.name,
                ", ".join(person.others),
                person.tournaments,
                person.last_at,
            )
            for person in people
        ),
    )


def played_table(club: Club, played: Collection[PlayedTournament]) -> Table:
    """Return the tournaments of a person, as their page has them."""
    return Table(
        name="played",
        of=club.name,
        zone=club.zone,
        columns=_columns(
            day=_("Day"),
            tournament=_("Tournament"),
            address=_("Address"),
            game=_("Game (key)"),
            rank=_("Rank"),
            points=_("Points"),
            unconfirmed=_("Tables not confirmed"),
            disputed=_("Tables disputed"),
        ),
        rows=(
            (
                one.entry.tournament.day,
                one.entry.tournament.name,
                one.entry.tournament.address,
                one.entry.tournament.game,
                one.row.rank if one.row else None,
                Fraction(str(one.row.points)) if one.row else None,
                one.row.unconfirmed if one.row else None,
                one.row.disputed if one.row else None,
            )
            for one in played
        ),
    )


def leaderboard_table(asked: BoardQuery, lines: Collection[BoardLine]) -> Table:
    """Return a leaderboard as it was asked for."""
    return Table(
        name="leaderboard",
        of=asked.club.name,
        zone=asked.club.zone,
        columns=_columns(
            rank=_("Rank"),
            player=_("Number"),
            name=_("Name"),
            points=_("Points"),
            tournaments=_("Tournaments"),
            tables=_("Tables"),
            average=_("Points a table"),
            wins=_("Wins"),
            place=_("Average place"),
            unconfirmed=_("Tables not confirmed"),
            disputed=_("Tables disputed"),
        ),
        rows=(
            (
                line.rank,
                line.player,
                line.name,
                line.points,
                line.attended,
                line.tables,
                line.average,
                line.wins,
                line.place,
                *tables,
            )
            for line, _moved, tables, _form in with_open_tables(asked, lines)
        ),
    )


def statistics_table(club: Club) -> Table:
    """Return what was played in a club, by game."""
    contracts = {row["game"]: row for row in contract_counts(club)}

    def rows() -> Iterator[tuple[Cell, ...]]:
        for figures in game_statistics(club):
            bid = contracts.get(figures["game"])
            yield (
                figures["game"],
                get_game(figures["game"]).name,
                figures["matches"],
                figures["hands"],
                figures["findings"],
                bid and bid["contracts"],
                bid and bid["set"],
            )

    return Table(
        name="statistics",
        of=club.name,
        zone=club.zone,
        columns=_columns(
            game=_("Game (key)"),
            game_name=_("Game"),
            matches=_("Matches"),
            hands=_("Hands"),
            findings=_("Findings"),
            contracts=_("Contracts"),
            set=_("Set"),
        ),
        rows=rows(),
    )


def entries_table(tournament: Tournament) -> Table:
    """Return who is entered in a tournament, in the order of entering."""
    return Table(
        name="entries",
        of=tournament.name,
        zone=tournament.club.zone,
        columns=_columns(
            number=_("Number"),
            name=_("Name"),
            state=_("State (key)"),
            state_words=_("State"),
        ),
        rows=(
            (entry.number, entry.name, entry.state, str(entry.get_state_display()))
            for entry in tournament.entries.by_number()
        ),
    )


def seating_table(tournament: Tournament) -> Table:
    """Return who sits where in the rounds that everybody may see, byes included."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        for round_ in tournament.rounds.filter(state__in=SHOWN).order_by("number"):
            name = round_name(round_)
            for table in round_.tables.with_people():
                for place in table.places.all():
                    seat = place.index + 1
                    yield round_.number, table.number, seat, place.name, name
            byes = round_.byes.select_related("entry").order_by("entry__number")
            for bye in byes:
                yield round_.number, None, None, bye.entry.name, name

    return Table(
        name="seating",
        of=tournament.name,
        zone=tournament.club.zone,
        columns=_columns(
            round=_("Round"),
            table=_("Table"),
            seat=pgettext("head of a column", "Seat"),
            name=_("Name"),
            round_name=_("Name of the round"),
        ),
        rows=rows(),
    )


def seats_table(tournament: Tournament) -> Table:
    """Return where everybody sits, a line for each name and a column for each round.

    Table and seat have columns of their own; a bye has `bye` for its table. For programs there
    is one with both, as in `4.2`, which a spreadsheet would take for a number. The rounds are
    those that everybody may see.
    """
    shown = tournament.rounds.filter(state__in=SHOWN).order_by("number")
    numbers = {round_.number: round_name(round_) for round_ in shown}
    held = Place.objects.filter(table__round__in=shown)
    at: dict[tuple[int, int], tuple[str, int | str, int | None]] = {
        (entry, round_): (f"{table}.{index + 1}", table, index + 1)
        for entry, round_, table, index in held.values_list(
            "entry", "table__round__number", "table__number", "index"
        )
    }
    byes = shown.exclude(byes=None).values_list("byes__entry", "number")
    at |= dict.fromkeys(byes, ("bye", "bye", None))
    return Table(
        name="seats",
        of=tournament.name,
        zone=tournament.club.zone,
        columns=[
            *_columns(number=_("Number"), name=_("Name")),
            *(
                column
                for number, name in numbers.items()
                for column in (
                    Column(key=f"round_{number}", head=""),
                    Column(
                        key=f"round_{number}_table",
                        head=_("%(round)s: table") % {"round": name},
                    ),
                    Column(
                        key=f"round_{number}_seat",
                        head=_("%(round)s: seat") % {"round": name},
                    ),
                )
            ),
        ],
        rows=(
            (
                entry.number,
                entry.name,
                *chain.from_iterable(
                    at.get((entry.pk, n), (None, None, None)) for n in numbers
                ),
            )
            for entry in tournament.entries.by_number()
        ),
    )


def _ranks_at(
    game: str, totals: Sequence[tuple[Place, int | None]]
) -> Sequence[int | None]:
    """Return the rank of each place of a table; None before there are points."""
    points = [total for _place, total in totals if total is not None]
    if len(points) < len(totals):
        return [None] * len(totals)
    seats = [place.sitting for place, _total in totals]
    ranks = [seat.rank if seat else None for seat in seats]
    return ranks_at_table(get_game(game), points, ranks)


def _table_state(table: PlayedTable) -> str:
    if table.void:
        return "void"
    if table.match is None or table.match.finished:
        return "finished"
    return "running"


def results_table(tournament: Tournament) -> Table:
    """Return what everybody has at the tables of rounds that everybody may see."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        for round_ in tournament.rounds.filter(state__in=SHOWN).order_by("number"):
            name = round_name(round_)
            for table in round_.tables.with_people():
                totals = table.totals()
                game = table.match.game if table.match else table.game
                game = game or tournament.game
                ranks, result = _ranks_at(game, totals), table.result
                for (place, total), rank in zip(totals, ranks, strict=True):
                    yield (
                        round_.number,
                        table.number,
                        place.index + 1,
                        place.name,
                        game,
                        _table_state(table),
                        total,
                        rank,
                        name,
                        result,
                    )

    return Table(
        name="results",
        of=tournament.name,
        zone=tournament.club.zone,
        columns=_columns(
            round=_("Round"),
            table=_("Table"),
            seat=pgettext("head of a column", "Seat"),
            name=_("Name"),
            game=_("Game (key)"),
            state=_("State (key)"),
            points=_("Points"),
            rank=_("Rank"),
            round_name=_("Name of the round"),
            result_state=_("Confirmation (key)"),
        ),
        rows=rows(),
    )


def standings_table(tournament: Tournament, shown: Standings | None) -> Table:
    """Return standings, with the tie-breaks in their order; no rows for none."""
    lines: list[StandingsRow] = shown.lines() if shown else []
    tie_breaks = [
        name
        for name in tournament.tie_breaks
        if any(name in row.values for row in lines)
    ]
    exact: Callable[[object], Fraction | None] = lambda value: (  # noqa: E731
        None if value is None else Fraction(str(value))
    )
    return Table(
        name="standings",
        of=tournament.name,
        zone=tournament.club.zone,
        columns=[
            *_columns(
                rank=_("Rank"),
                number=_("Number"),
                name=_("Name"),
                points=_("Points"),
                tables=_("Tables"),
            ),
            *(
                Column(key=name, head=capfirst(pgettext(*TIE_BREAKS[name].label)))
                for name in tie_breaks
            ),
            *_columns(
                reason=_("Why above the next"),
                unconfirmed=_("Tables not confirmed"),
                disputed=_("Tables disputed"),
            ),
        ],
        rows=(
            (
                row.rank,
                row.entry.number,
                row.names,
                exact(row.points),
                row.tables,
                *(exact(row.values.get(name)) for name in tie_breaks),
                row.why,
                row.unconfirmed,
                row.disputed,
            )
            for row in lines
        ),
    )
