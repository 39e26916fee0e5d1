"""Rounds and their tables: who sits where, and what a director does to them."""

from collections.abc import Callable, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Field, Query, Router, Schema, Status

from scoring.api.matches import MatchOut, as_told, match_at, refused_by_rules
from scoring.api.operations import DIRECT, SCORE, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import ProblemError, not_there, refused
from scoring.api.schemas import Address, Given, Name, Number, OptionalReason, Text, Yes
from scoring.matchlog.client_keys import bind_key
from scoring.matchlog.commands import Author
from scoring.rules import Refusal, game_named
from scoring.sync.rights import FOLLOWS
from tournaments.api.access import (
    AtTournament,
    by_whom,
    check_token,
    entry_at,
    require,
    round_at,
    table_at,
    tournament_at,
)
from tournaments.event import draw as drawing
from tournaments.event import results, rounds, taken_back
from tournaments.event import tables as games
from tournaments.event.leagues import begin_match
from tournaments.event.rights import (
    begins_only_for,
    may_begin,
    may_write_at,
    why_follows,
)
from tournaments.event.seats import correct_seats
from tournaments.models import SHOWN, Role, Round, Table, Tournament
from tournaments.models.round_names import round_name

router = Router(tags=["Rounds and tables"])

Clock = Literal["longer", "pause", "resume", "last_hand"]


class RoundLine(Schema):
    """A round in a list."""

    number: int
    name: str = Field(description="What it is called, as in `Final` or `Round 3`.")
    state: str = Field(description="`drawn`, `published`, `running` or `closed`.")
    stage: int
    game: str = Field(description="Its own; empty for what the tournament says.")
    ends_at: datetime | None
    paused_at: datetime | None
    last_hand_at: datetime | None
    override: str = Field(description="Why it was closed although something was open.")

    @staticmethod
    def resolve_name(round_: Round | Mapping[str, Any]) -> str:
        """Return the name of a round, or the one that it was answered with."""
        return round_name(round_) if isinstance(round_, Round) else round_["name"]


class RoundPage(Page[RoundLine]):
    """Rounds by number."""


class PlaceOut(Schema):
    """A seat at a table and who was drawn to it."""

    index: int = Field(description="Counted from 0 clockwise; seat 0 begins.")
    entry: int = Field(description="The number of the entry.")
    name: str = Field(description="Who sits there.")
    total: int | None
    confirmed_at: datetime | None
    confirmed_by: Literal["", "own", "table", "director"] = Field(
        description="On their own phone, on a shared one, or by the director."
    )


class TableOut(Schema):
    """One table of a round."""

    number: int
    match: str | None = Field(description="The address of its match, once it runs.")
    game: str
    is_finished: bool
    is_void: bool
    is_disputed: bool
    called_at: datetime | None
    coming_at: datetime | None = Field(
        description="Since when a director is coming; null while nobody answered."
    )
    extra_minutes: int
    places: list[PlaceOut]


class RoundOut(RoundLine):
    """A round: who sits where, and who sits out."""

    tables: list[TableOut]
    byes: list[int] = Field(description="Numbers of entries that sit out.")


class DrawGiven(Given):
    """How a round is drawn."""

    seed: Annotated[int, Field(strict=True, ge=0, le=99_999_999)] | None = Field(
        None, description="The same seed draws the same again."
    )
    as_planned_night: Yes = Field(
        False, description="Go on as a planned night where a round robin cannot be."
    )


class DrawnOut(Schema):
    """What was drawn."""

    rounds: list[RoundLine]


class CloseGiven(Given):
    """Closing a round."""

    override: OptionalReason = Field(
        "", description="Why it is closed although something is open."
    )


class ClockGiven(Given):
    """What becomes of the clock."""

    verb: Clock


class GameGiven(Given):
    """What is played."""

    game: Name


class SwapGiven(Given):
    """Who exchanges places, by the numbers of their entries."""

    entry: Annotated[int, Field(strict=True, ge=1, le=32767)]
    other: Annotated[int, Field(strict=True, ge=1, le=32767)]


class SwappedOut(Schema):
    """Repeats of the draw before and after."""

    before: int
    after: int


class SeatsGiven(Given):
    """Who really sits at a table, by the numbers of their entries in seat order."""

    key: UUID
    entries: Annotated[
        list[Annotated[int, Field(strict=True, ge=1, le=32767)]],
        Field(min_length=1, max_length=8),
    ]
    from_hand: Annotated[int, Field(strict=True, ge=1, le=32767)] = 1
    reason: Text = ""


class LeagueMatchGiven(Given):
    """A match between members of a league, by the numbers of their entries in seat order."""

    key: UUID
    game: Name
    entries: Annotated[
        list[Annotated[int, Field(strict=True, ge=1, le=32767)]],
        Field(min_length=1, max_length=8),
    ]


def _table_told(table: Table, tournament: Tournament) -> dict[str, Any]:
    """Return a table as it is answered; asks nothing where it came `with_people`."""
    totals = {place.pk: total for place, total in table.totals()}
    return {
        "number": table.number,
        "match": table.match.address if table.match else None,
        "game": games.game_at(table, tournament),
        "is_finished": bool(table.match and table.match.finished),
        "is_void": table.void,
        "is_disputed": table.disputed,
        "called_at": table.called_at,
        "coming_at": table.coming_at,
        "extra_minutes": table.extra_minutes,
        "places": [_place_told(place, table, totals) for place in table.places.all()],
    }


def _place_told(place: Any, table: Table, totals: Mapping[int, int | None]) -> Any:
    place.table = table
    return {
        "index": place.index,
        "entry": place.entry.number,
        "name": place.name,
        "total": totals[place.pk],
        "confirmed_at": place.confirmed_at,
        "confirmed_by": place.confirmed_by,
    }


def _round_told(round_: Round) -> dict[str, Any]:
    """Return a round as it is answered; a constant number of queries."""
    tables = list(round_.tables.with_people())
    for table in tables:
        table.round = round_
    stored = RoundLine.model_fields.keys() - {"name"}
    lines = {field: getattr(round_, field) for field in stored}
    byes = round_.byes.order_by("entry__number")
    return {
        **lines,
        "name": round_name(round_, len(tables)),
        "tables": [_table_told(table, round_.tournament) for table in tables],
        "byes": list(byes.values_list("entry__number", flat=True)),
    }


@reads(router, "/tournaments/{address}/rounds", RoundPage)
def tournament_rounds(
    request: HttpRequest, address: Address, asked: Query[PageAsked]
) -> Any:
    """The rounds of a tournament; those that are drawn and not published for its people."""
    at = tournament_at(request, address)
    listed = at.tournament.rounds.all()
    if at.role is None:
        listed = listed.filter(state__in=SHOWN)
    page, following = page_of_rows(request, listed, asked, "number")
    return {"items": page, "next": following}


@reads(router, "/tournaments/{address}/rounds/{number}", RoundOut)
def round_seating(request: HttpRequest, address: Address, number: Number) -> Any:
    """Who sits where in a round, how their matches stand, and who sits out."""
    return _round_told(round_at(tournament_at(request, address), number))


@reads(router, "/tournaments/{address}/rounds/{number}/tables/{table}", TableOut)
def round_table(
    request: HttpRequest, address: Address, number: Number, table: Number
) -> Any:
    """One table of a round."""
    at = tournament_at(request, address)
    return _table_told(table_at(at, number, table), at.tournament)


@writes(
    router,
    "/tournaments/{address}/rounds",
    DrawnOut,
    needs=DIRECT,
    status=201,
    check=require(Role.DIRECTOR),
)
def draw(request: HttpRequest, address: Address, given: DrawGiven) -> Any:
    """Draw the next round, or all that are left of a planned night."""
    tournament = tournament_at(request, address).tournament
    drawn = drawing.draw(
        tournament_id=tournament.pk,
        seed=given.seed,
        as_planned_night=given.as_planned_night,
    )
    return Status(HTTPStatus.CREATED, {"rounds": drawn})


@writes(
    router,
    "/tournaments/{address}/put-back",
    DrawnOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def put_back(request: HttpRequest, address: Address) -> Any:
    """Put back the draw that was taken back last."""
    tournament = tournament_at(request, address).tournament
    return {"rounds": taken_back.put_back(tournament_id=tournament.pk)}


def _at_round(
    request: HttpRequest, address: str, number: int
) -> tuple[AtTournament, Round]:
    at = tournament_at(request, address)
    return at, round_at(at, number)


def _after(at: AtTournament, number: int) -> Any:
    """Return a round as it is after something was done to it."""
    return _round_told(round_at(at, number))


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/publish",
    RoundOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def round_publish(request: HttpRequest, address: Address, number: Number) -> Any:
    """Show everybody who sits where."""
    at, round_ = _at_round(request, address, number)
    rounds.publish(round_id=round_.pk)
    return _after(at, number)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/start",
    RoundOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def round_start(request: HttpRequest, address: Address, number: Number) -> Any:
    """Start a round: every table has its match, and the clock runs."""
    at, round_ = _at_round(request, address, number)
    rounds.start(round_id=round_.pk, now=timezone.now())
    return _after(at, number)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/close",
    RoundOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def round_close(
    request: HttpRequest, address: Address, number: Number, given: CloseGiven
) -> Any:
    """Close a round; what blocks it is named, and can be overridden with a reason."""
    at, round_ = _at_round(request, address, number)
    rounds.close(round_id=round_.pk, now=timezone.now(), override=given.override)
    return _after(at, number)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/reopen",
    RoundOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def round_reopen(request: HttpRequest, address: Address, number: Number) -> Any:
    """Open a closed round again; what was built on it is named."""
    at, round_ = _at_round(request, address, number)
    rounds.open_again(round_id=round_.pk)
    return _after(at, number)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.DIRECTOR),
)
def round_cancel(request: HttpRequest, address: Address, number: Number) -> Any:
    """Take a draw back, and those after it; not once a hand is in."""
    _at, round_ = _at_round(request, address, number)
    rounds.cancel(round_id=round_.pk)
    return Status(HTTPStatus.NO_CONTENT, None)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/clock",
    RoundOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def round_clock(
    request: HttpRequest, address: Address, number: Number, given: ClockGiven
) -> Any:
    """Give five minutes more, pause the clock, let it go on, or call the last hand."""
    at, round_ = _at_round(request, address, number)
    rounds.set_clock(round_id=round_.pk, verb=given.verb, now=timezone.now())
    return _after(at, number)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/game",
    RoundOut,
    needs=DIRECT,
    method="PUT",
    check=require(Role.DIRECTOR),
)
def round_game(
    request: HttpRequest, address: Address, number: Number, given: GameGiven
) -> Any:
    """Let a round that is not begun play another game."""
    at, round_ = _at_round(request, address, number)
    games.set_game(round_id=round_.pk, game=_known_game(given.game))
    return _after(at, number)


def _known_game(game: str) -> str:
    try:
        return game_named(game).id
    except Refusal as refusal:
        raise refused_by_rules(refusal) from None


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/swap",
    SwappedOut,
    needs=DIRECT,
    check=require(Role.DIRECTOR),
)
def round_swap(
    request: HttpRequest, address: Address, number: Number, given: SwapGiven
) -> Any:
    """Let two players exchange their places in a round that has not begun."""
    at, round_ = _at_round(request, address, number)
    before, after = rounds.swap(
        round_id=round_.pk,
        entry_id=entry_at(at.tournament, given.entry).pk,
        other_id=entry_at(at.tournament, given.other).pk,
    )
    return {"before": before, "after": after}


Act = Callable[[HttpRequest, Table], object]


def _agree(request: HttpRequest, table: Table) -> object:
    return results.confirm_for_table(
        table_id=table.pk, author=_director(request), now=timezone.now()
    )


def _settle(request: HttpRequest, table: Table) -> object:
    return results.settle(
        table_id=table.pk, author=_director(request), now=timezone.now()
    )


def _director(request: HttpRequest) -> Author:
    return Author(name=by_whom(request).public_name[:80], may_change_closed=True)


ACTS: Mapping[str, Act] = {
    "more_time": lambda request, table: rounds.give_time(table_id=table.pk),
    "answer": lambda request, table: results.answer_call(
        table_id=table.pk, now=timezone.now()
    ),
    "settle": _settle,
    "seen": lambda request, table: Table.objects.filter(pk=table.pk).see(),
    "agree": _agree,
    "void": lambda request, table: results.set_void(
        table_id=table.pk, void=True, by=by_whom(request)
    ),
    "restore": lambda request, table: results.set_void(table_id=table.pk, void=False),
}
"""What whoever directs does to a table."""
SAYS: Mapping[str, Act] = {
    "dispute": lambda request, table: results.dispute(
        table_id=table.pk, now=timezone.now()
    ),
    "call": lambda request, table: results.call_director(
        table_id=table.pk, now=timezone.now()
    ),
    "withdraw": lambda request, table: results.withdraw_call(table_id=table.pk),
}
"""What the players at a table say."""


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/tables/{table}/acts/{verb}",
    TableOut,
    needs=DIRECT,
    check=require(Role.SCORER),
)
def table_act(
    request: HttpRequest,
    address: Address,
    number: Number,
    table: Number,
    verb: Literal["more_time", "answer", "settle", "seen", "agree", "void", "restore"],
) -> Any:
    """Answer a call, settle it or a dispute, agree for a table, void or restore it, give it time."""
    at = tournament_at(request, address)
    ACTS[verb](request, table_at(at, number, table))
    return _table_told(table_at(at, number, table), at.tournament)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/tables/{table}/seats",
    TableOut,
    needs=DIRECT,
    method="PUT",
    check=require(Role.SCORER),
)
def table_seats(
    request: HttpRequest,
    address: Address,
    number: Number,
    table: Number,
    given: SeatsGiven,
) -> Any:
    """Put right who sits at a table, from any hand on."""
    at = tournament_at(request, address)
    chosen = table_at(at, number, table)
    if len(given.entries) != len(chosen.places.all()):
        raise refused("entries", gettext("Name somebody for each seat of the table."))
    correct_seats(
        table_id=chosen.pk,
        key=given.key,
        entry_ids=_entry_ids(at.tournament, given.entries),
        from_hand=given.from_hand,
        author=Author(name=by_whom(request).public_name[:80], may_change_closed=True),
        reason=given.reason,
        now=timezone.now(),
    )
    return _table_told(table_at(at, number, table), at.tournament)


def _entry_ids(tournament: Tournament, numbers: list[int]) -> list[int]:
    """Return entries by their numbers, in one query; raises ProblemError."""
    known = dict(
        tournament.entries.filter(number__in=numbers).values_list("number", "pk")
    )
    for number in numbers:
        if number not in known:
            raise refused(
                "entries",
                gettext("Nobody has the number %(number)s here.") % {"number": number},
            )
    return [known[number] for number in numbers]


def _check_player(
    request: HttpRequest, address: str, number: str, table: str, **_others: str
) -> None:
    """Raise ProblemError if the account may not write at a table."""
    tournament = check_token(request, address).tournament
    try:
        places = int(number), int(table)
    except ValueError:
        raise not_there() from None
    shown = table_at(AtTournament(tournament, None), *places)
    if not may_write_at(shown, tournament, request):
        raise ProblemError(
            "not-allowed", why_follows(tournament, request) or gettext(FOLLOWS)
        )


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/tables/{table}/says/{verb}",
    TableOut,
    needs=SCORE,
    check=_check_player,
    problems=frozenset({410}),
)
def table_say(
    request: HttpRequest,
    address: Address,
    number: Number,
    table: Number,
    verb: Literal["dispute", "call", "withdraw"],
) -> Any:
    """Dispute a result, call the director or cancel the call, as those who play at a table do."""
    at, shown = _at_table(request, address, number, table)
    SAYS[verb](request, shown)
    return _table_told(table_at(at, number, table), at.tournament)


@writes(
    router,
    "/tournaments/{address}/rounds/{number}/tables/{table}/game",
    TableOut,
    needs=SCORE,
    check=_check_player,
    method="PUT",
    problems=frozenset({410}),
)
def table_choose(
    request: HttpRequest,
    address: Address,
    number: Number,
    table: Number,
    given: GameGiven,
) -> Any:
    """Choose what a table plays, where tables do."""
    at, shown = _at_table(request, address, number, table)
    games.choose_game(
        table_id=shown.pk, game=_known_game(given.game), now=timezone.now()
    )
    return _table_told(table_at(at, number, table), at.tournament)


def _at_table(
    request: HttpRequest, address: str, number: int, table: int
) -> tuple[AtTournament, Table]:
    """Return a table while its tournament goes on; raises ProblemError."""
    at = tournament_at(request, address)
    shown = table_at(AtTournament(at.tournament, None), number, table)
    if at.tournament.phase == Tournament.Phase.FINISHED:
        raise ProblemError("closed", gettext("The tournament is finished."))
    return at, shown


def _check_beginner(request: HttpRequest, address: str) -> None:
    """Raise ProblemError if the account may not begin a match of a league."""
    tournament = check_token(request, address).tournament
    if not may_begin(tournament, request):
        raise ProblemError(
            "not-allowed", why_follows(tournament, request) or gettext(FOLLOWS)
        )


@writes(
    router,
    "/tournaments/{address}/matches",
    MatchOut,
    needs=SCORE,
    status=201,
    check=_check_beginner,
)
def league_match(
    request: HttpRequest, address: Address, given: LeagueMatchGiven
) -> Any:
    """Begin a match between members of a league; the same key gives the same match."""
    tournament = tournament_at(request, address).tournament
    begun = begin_match(
        tournament_id=tournament.pk,
        key=bind_key(given.key, "account", tournament.pk, by_whom(request).pk),
        entry_ids=_entry_ids(tournament, given.entries),
        game=_known_game(given.game),
        only_with=begins_only_for(tournament, request),
        now=timezone.now(),
    )
    assert begun.match is not None
    return Status(HTTPStatus.CREATED, as_told(match_at(begun.match.address)))
