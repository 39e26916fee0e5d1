"""Drawing rounds: whole nights, one round from the standings, cuts and knockouts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from scoring.rules import GAMES
from tournaments.models import Bye, Entry, Place, Round, Table, Tournament
from tournaments.operations.changes import RefusedError, changed
from tournaments.operations.results import freeze
from tournaments.results import standings_of
from tournaments.seating import (
    Draw,
    Played,
    Quality,
    SeatingRefusal,
    Sizing,
    Wish,
    draw_knockout,
    draw_round_robin,
    draw_swiss,
    going_on,
    plan_night,
    quality,
)
from tournaments.standings import StandingsRow

Format = Tournament.Format


@dataclass(frozen=True, slots=True, kw_only=True)
class _Board:
    """What a draw starts from: rounds that stay, and what is wished of the new ones."""

    tournament: Tournament
    kept: Sequence[Round]
    games: Mapping[int, str]
    """By round, the game that the director chose for it."""
    redrawn: int
    """The stage of the rounds that are drawn again; 0 where there were none."""
    wish: Wish

    @property
    def stage(self) -> int:
        """Return the stage of what is drawn next."""
        last = self.kept[-1].stage if self.kept else 0
        if self.tournament.format == Format.KNOCKOUT:
            return last + 1 if self.kept else 0
        return last + 1 if last else self.redrawn

    def game(self, number: int) -> str:
        """Return what a round plays."""
        return self.games.get(number) or self.tournament.game_of_round(number)


@transaction.atomic
def draw(*, tournament_id: int, seed: int | None = None) -> list[Round]:
    """Return the rounds that were drawn: all that are left of a planned night, else one.

    Rounds that are drawn and not yet published are drawn again. Raises RefusedError
    where too few are here, or the round before is still open.
    """
    board = _board(tournament_id, seed)
    return _draw_and_store(board)


@transaction.atomic
def cut(
    *, tournament_id: int, size: int, now: datetime, seed: int | None = None
) -> list[Round]:
    """Return the first round of the final: so many of the best go on.

    The standings are frozen as they are. Raises RefusedError while a round is open,
    where the last to go on and the first who is out are level, and for a size that
    makes no table.
    """
    board = _board(tournament_id, seed)
    _check_closed(board.kept)
    if not board.kept or board.kept[-1].stage or board.stage > 1:
        raise RefusedError(
            "final", _("A final follows the rounds that all play; draw as usual.")
        )
    board.tournament.final_size = size
    board.tournament.save(update_fields=["final_size"])
    freeze(
        tournament_id=tournament_id,
        name=f"cut after round {board.kept[-1].number}",
        now=now,
    )
    return _draw_and_store(replace(board, redrawn=1))


def _board(tournament_id: int, seed: int | None) -> _Board:
    """Return the board with everything cleared that is drawn and not published."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.is_league and not tournament.rounds.filter(state="closed").exists():
        raise RefusedError(
            "round", _("In a league nothing is drawn: its members begin their matches.")
        )
    cleared = tournament.rounds.filter(state=Round.State.DRAWN)
    games = {one.number: one.game for one in cleared if one.game}
    redrawn = max((one.stage for one in cleared), default=0)
    cleared.delete()
    kept = list(tournament.rounds.order_by("number"))
    return _Board(
        tournament=tournament,
        kept=kept,
        games=games,
        redrawn=redrawn,
        wish=_wish(tournament, kept, seed),
    )


def _wish(tournament: Tournament, kept: Sequence[Round], seed: int | None) -> Wish:
    here = tournament.entries.playing().by_number().values_list("pk", flat=True)
    return Wish(
        players=list(here),
        played=[played(one) for one in kept],
        apart=_apart(tournament),
        seed=tournament.seed if seed is None else seed,
    )


def _apart(tournament: Tournament) -> list[tuple[int, int]]:
    """Return the pairs that are not to share a table."""
    pairs = Entry.apart.through.objects.filter(from_entry__tournament=tournament)
    return list(pairs.values_list("from_entry", "to_entry"))


def played(one: Round) -> Played:
    """Return who sat where in a round, and who sat out."""
    places = one.places.order_by("table__number", "index")
    seated = places.values_list("table__number", "entry_id")
    return Played(
        tables=[
            [entry for _table, entry in table]
            for _number, table in groupby(seated, key=lambda row: row[0])
        ],
        byes=list(one.byes.values_list("entry_id", flat=True)),
    )


def sizing_of(tournament: Tournament, game: str) -> Sizing:
    """Return how many sit at a table: as the tournament has it, as the game allows."""
    offered = tournament.games or list(GAMES)
    chosen = offered if tournament.game_choice == "table" else [game]
    seats = {count for one in chosen for count in GAMES[one].seats}
    fits = range(
        max(tournament.least_size, min(seats)),
        min(tournament.most_size, max(seats)) + 1,
    )
    # A game for exactly four is played by four, whatever the evening usually has.
    allowed = [size for size in fits if size in seats] or sorted(seats)
    preferred = min(allowed, key=lambda size: abs(size - tournament.table_size))
    return Sizing(preferred=preferred, least=min(allowed), most=max(allowed))


def _draw_and_store(board: _Board) -> list[Round]:
    try:
        drawn = _drawn(board)
    except SeatingRefusal as refusal:
        raise RefusedError(refusal.field, str(refusal.message)) from None
    before = [one.tables for one in board.wish.played]
    rounds = [
        _store(
            board,
            len(board.kept) + count,
            drawn.rounds[count - 1],
            drawn.byes[count - 1],
            quality([*before, *drawn.rounds[:count]], board.wish.apart),
        )
        for count in range(1, len(drawn.rounds) + 1)
    ]
    night = {"repeats": drawn.quality.repeats, "bound": drawn.quality.bound}
    for one in rounds:
        one.seed, one.quality["night"] = drawn.seed, night
    Round.objects.bulk_update(rounds, ["seed", "quality"])
    changed(board.tournament.pk)
    return rounds


def _drawn(board: _Board) -> Draw:
    tournament, stage = board.tournament, board.stage
    if tournament.format == Format.KNOCKOUT and stage == 0:
        return draw_knockout(_next(board), shuffle=True)
    if stage == 1 and not board.kept[-1].stage and tournament.format != Format.KNOCKOUT:
        return draw_knockout(replace(_next(board), players=_finalists(board)))
    if stage:
        return draw_knockout(replace(_next(board), players=_through(board)))
    if tournament.format == Format.SWISS:
        return _swiss(board)
    if tournament.format == Format.ROUND_ROBIN:
        return _round_robin(board)
    if tournament.format == Format.HEATS:
        return plan_night(_next(board), 1)
    return _planned(board)


def _next(board: _Board) -> Wish:
    """Return the wish for the next round alone."""
    game = board.game(len(board.kept) + 1)
    return replace(
        board.wish,
        sizing=sizing_of(board.tournament, game),
        seed=board.wish.seed + len(board.kept),
    )


def _planned(board: _Board) -> Draw:
    first = len(board.kept) + 1
    left = range(first, board.tournament.rounds_planned + 1)
    if not left:
        raise RefusedError(
            "rounds", _("All rounds are drawn; plan more of them in the settings.")
        )
    sizings = [sizing_of(board.tournament, board.game(number)) for number in left]
    wish = replace(board.wish, sizing=sizings[0], sizings=sizings)
    return plan_night(wish, len(left))


def _round_robin(board: _Board) -> Draw:
    if board.kept:
        raise RefusedError(
            "round",
            _(
                "A round robin is drawn once, for those who begin it. To seat others, "
                "make it a planned night in the settings and draw again."
            ),
        )
    return draw_round_robin(replace(_next(board), seed=board.wish.seed))


def _swiss(board: _Board) -> Draw:
    _check_closed(board.kept)
    points = {int(row.player): row.points for row in standings_of(board.tournament)}
    wish = _next(board)
    place = {player: number for number, player in enumerate(points)}
    ordered = sorted(wish.players, key=lambda player: place.get(player, len(place)))
    none = Fraction()
    return draw_swiss(
        replace(wish, players=ordered),
        {player: points.get(player, none) for player in ordered},
        strictness=board.tournament.strictness,
    )


def _check_closed(kept: Sequence[Round]) -> None:
    still = [one.number for one in kept if one.state != Round.State.CLOSED]
    if still:
        raise RefusedError(
            "round",
            _(
                "Round %(number)s is still open; "
                "what comes next is drawn from its results."
            )
            % {"number": still[0]},
        )


def _finalists(board: _Board) -> list[int]:
    """Return the best who are here, as many as the final has."""
    _check_closed(board.kept)
    size = board.tournament.final_size
    here = set(board.wish.players)
    rows = [row for row in standings_of(board.tournament) if int(row.player) in here]
    if len(rows) > size and rows[size - 1].rank == rows[size].rank:
        raise _level(board, rows, size)
    return [int(row.player) for row in rows[:size]]


def _level(board: _Board, rows: Sequence[StandingsRow], size: int) -> RefusedError:
    rank = rows[size].rank
    names = dict(board.tournament.entries.values_list("pk", "name"))
    level = [names[int(row.player)] for row in rows if row.rank == rank]
    return RefusedError(
        "final",
        _(
            "%(names)s are level on rank %(rank)s, and only %(size)s go on: draw lots, "
            "or let more or fewer play the final."
        )
        % {"names": ", ".join(level), "rank": rank, "size": size},
    )


def _through(board: _Board) -> list[int]:
    """Return who goes on from the tables of the last round, the best first."""
    _check_closed(board.kept)
    last = board.kept[-1]
    tournament = board.tournament
    order = [int(row.player) for row in standings_of(tournament)]
    places = _places_at_tables(last)
    rank = {player: number for number, player in enumerate(order)}
    here = set(board.wish.players)
    tables = [
        sorted(
            (p for p in table if p in here), key=lambda p: (places.get(p, 0), rank[p])
        )
        for table in board.wish.played[-1].tables
    ]
    if len(tables) == 1:
        raise RefusedError(
            "round", _("The final is played; all that is left is to finish.")
        )
    sizing = sizing_of(tournament, board.game(last.number + 1))
    return going_on(tables, order, tournament.advance, sizing)


def _places_at_tables(one: Round) -> dict[int, int]:
    """Return by player the place at their table; nobody has one at a void table."""
    found: dict[int, int] = {}
    for table in one.tables.with_people().filter(void=False):
        if table.match is None:
            continue
        totals = {seat.index: seat.total for seat in table.match.seats.all()}
        for place in table.places.all():
            own = totals[place.index]
            found[place.entry_id] = 1 + sum(total > own for total in totals.values())
    return found


def _store(
    board: _Board,
    number: int,
    tables: Sequence[Sequence[int]],
    out: Sequence[int],
    found: Quality,
) -> Round:
    one = Round.objects.create(
        tournament=board.tournament,
        number=number,
        stage=board.stage,
        game=board.games.get(number, ""),
        seed=board.wish.seed,
        quality=quality_value(found),
    )
    stored = Table.objects.bulk_create(
        Table(round=one, number=place) for place, _seats in enumerate(tables, start=1)
    )
    Place.objects.bulk_create(
        Place(round=one, table=table, index=index, entry_id=entry)
        for table, seats in zip(stored, tables, strict=True)
        for index, entry in enumerate(seats)
    )
    Bye.objects.bulk_create(Bye(round=one, entry_id=entry) for entry in out)
    return one


def quality_value(found: Quality) -> dict[str, Any]:
    """Return the quality of a draw, up to a round, as JSON holds it."""
    return {
        "repeats": found.repeats,
        "bound": found.bound,
        "most_meetings": found.most_meetings,
        "again": [list(pair) for pair in found.again],
        "together": [list(pair) for pair in found.together],
    }


def measure(one: Round) -> None:
    """Say again how good the seating is up to this round, after a change by hand."""
    rounds = one.tournament.rounds.filter(number__lte=one.number).order_by("number")
    found = quality([played(each).tables for each in rounds], _apart(one.tournament))
    one.quality = quality_value(found)
    one.save(update_fields=["quality"])
