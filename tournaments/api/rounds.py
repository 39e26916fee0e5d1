"""Rounds and their tables: seatings, and what directors and players do there."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext
from ninja import Field, Schema

from scoring.api.matches import (
    ConfirmedBy,
    MatchOut,
    ResultKey,
    SerializedMatch,
    serialize_match,
)
from scoring.api.operations import GONE, SCORE, Operations
from scoring.api.problems import ProblemError
from scoring.api.schemas import (
    BodySchema,
    EntryNumber,
    Name,
    Number,
    OptionalReason,
    StrictBool,
    Text,
)
from scoring.matchlog.client_keys import derive_key_for_owner
from scoring.models import Match
from scoring.rules import get_game
from scoring.sync.rights import FOLLOWS
from tournaments.api.access import TournamentRequest, director, scorer
from tournaments.api.entries import ALLOWS_TOGETHER, SeatExchangeInput
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import results
from tournaments.event import rounds as verbs
from tournaments.event import tables as games
from tournaments.event.rights import (
    entry_id_required_in_match,
    may_begin_match,
    may_write_at_table,
    table_read_only_hint,
)
from tournaments.event.seats import seat_and_exchange_entries
from tournaments.event.tables import begin_league_match
from tournaments.models import Round, Table, Tournament
from tournaments.models.round_names import round_name
from tournaments.models.rounds import LONGEST_DISPUTE_REASON

SeatedEntries = Annotated[list[EntryNumber], Field(min_length=1, max_length=8)]


class RoundLine(Schema):
    number: int
    name: str = Field(description="The display name, as in `Final` or `Round 3`.")
    state: str = Field(description="`drawn`, `published`, `running` or `closed`.")
    stage: int
    game: str = Field(
        description="The game of this round; empty for the game of the tournament."
    )
    ends_at: datetime | None
    paused_at: datetime | None
    last_hand_at: datetime | None
    override: str = Field(description="The reason for closing it with open tables.")

    @staticmethod
    def resolve_name(round_: Round) -> str:
        return round_name(round_)


class PlaceOut(Schema):
    """A seat at a table, with the entry that was drawn for it."""

    index: int = Field(description="Counted clockwise from 0; seat 0 begins.")
    entry: int = Field(description="The number of the entry.")
    name: str = Field(description="The name of the player in the seat.")
    total: int | None
    confirmed_at: datetime | None
    confirmed_by: ConfirmedBy


class TableOut(Schema):
    number: int
    match: str | None = Field(
        description="The address of its match; null until it starts."
    )
    game: str
    is_finished: bool
    is_void: bool = Field(alias="void")
    is_disputed: bool = Field(alias="disputed")
    result: ResultKey = Field(alias="result_state_or_open")
    called_at: datetime | None
    coming_at: datetime | None = Field(
        description="When a director answered the call; null until then."
    )
    extra_minutes: int
    places: list[PlaceOut]

    @staticmethod
    def resolve_match(table: Table) -> str | None:
        return table.match.address if table.match else None

    @staticmethod
    def resolve_game(table: Table) -> str:
        return games.game_of_table(table, table.round.tournament)

    @staticmethod
    def resolve_is_finished(table: Table) -> bool:
        return bool(table.match and table.match.finished)

    @staticmethod
    def resolve_places(table: Table) -> list[dict[str, Any]]:
        """Return the seats with their totals; no query if the table came `with_places_and_entries`."""
        stored = ("index", "name", "confirmed_at", "confirmed_by")
        return [
            {
                **{name: getattr(place, name) for name in stored},
                "entry": place.entry.number,
                "total": total,
            }
            for place, total in table.places_with_totals()
        ]


class RoundOut(RoundLine):
    """A round with its seating and byes."""

    tables: list[TableOut]
    byes: list[int] = Field(description="The numbers of the entries that sit out.")
    requested_byes: list[int] = Field(
        description="Those of them that sit out on request."
    )

    @staticmethod
    def resolve_tables(round_: Round) -> QuerySet[Table]:
        return round_.tables.with_places_and_entries()

    @staticmethod
    def resolve_byes(round_: Round) -> list[int]:
        byes = round_.byes.order_by("entry__number")
        return list(byes.values_list("entry__number", flat=True))

    @staticmethod
    def resolve_requested_byes(round_: Round) -> list[int]:
        byes = round_.byes.select_related("entry", "round").order_by("entry__number")
        return [bye.entry.number for bye in byes if bye.kind == "requested"]


class DrawInput(BodySchema):
    seed: Annotated[int, Field(strict=True, ge=0, le=99_999_999)] | None = Field(
        None, description="The same seed gives the same draw."
    )
    table_fill: Tournament.TableFill | None = Field(
        None,
        description="The tables if not all can be full. Stays for later draws.",
    )
    as_planned_night: StrictBool = Field(
        False, description="Continue as a planned night if no round robin is possible."
    )


class RoundsOut(Schema):
    rounds: list[RoundLine]


class CloseInput(BodySchema):
    override: OptionalReason = Field(
        "", description="The reason for closing it with open tables."
    )


class ClockInput(BodySchema):
    verb: Literal["longer", "pause", "resume", "last_hand"]


class DisputeInput(BodySchema):
    reason: OptionalReason = Field(
        "",
        max_length=LONGEST_DISPUTE_REASON,
        description="What is wrong with the result; only for `dispute`.",
    )


class GameInput(BodySchema):
    game: Name


class SwapOut(Schema):
    """Repeated pairings in the draw before and after the swap."""

    before: int
    after: int


class SeatsInput(BodySchema):
    """The actual players at a table, by the numbers of their entries in seat order."""

    key: UUID
    entries: SeatedEntries
    from_hand: EntryNumber | None = Field(
        None,
        description="The first hand with these players. Required once a hand has been entered.",
    )
    reason: Text = ""
    allows_together: StrictBool = ALLOWS_TOGETHER


class LeagueMatchInput(BodySchema):
    """A match between members of a league, by the numbers of their entries in seat order."""

    key: UUID
    game: Name
    entries: SeatedEntries


operations = Operations("Rounds and tables", TournamentRequest)


@operations.get("/rounds", list[RoundLine])
def tournament_rounds(request: TournamentRequest) -> QuerySet[Round]:
    """List the rounds of a tournament by number. Unpublished draws are visible to members only."""
    listed = request.tournament.rounds.order_by("number")
    return listed if request.role is not None else listed.published()


@operations.get("/rounds/{number}", RoundOut)
def round_seating(request: TournamentRequest, number: Number) -> Round:
    """Get a round with its seating, the scores of its matches and its byes."""
    return request.visible_round(number)


@operations.get("/rounds/{number}/tables/{table}", TableOut)
def round_table(request: TournamentRequest, number: Number, table: Number) -> Table:
    """Get a table of a round."""
    return request.visible_table(number, table)


@operations.post("/rounds", RoundsOut, check_access=director, status=201)
def draw(request: TournamentRequest, body: DrawInput) -> dict[str, list[Round]]:
    """Draw the next round, or all remaining rounds of a planned night."""
    rounds = drawing.draw(
        tournament_id=request.tournament.pk,
        seed=body.seed,
        table_fill=body.table_fill,
        becomes_planned_night=body.as_planned_night,
        user=request.required_user,
    )
    return {"rounds": rounds}


@operations.post("/put-back", RoundsOut, check_access=director)
def put_back(request: TournamentRequest) -> dict[str, list[Round]]:
    """Restore the last draw that was undone."""
    restored = drawing.restore_draws(
        tournament_id=request.tournament.pk, user=request.required_user
    )
    return {"rounds": restored}


@operations.post("/rounds/{number}/publish", RoundOut, check_access=director)
def round_publish(request: TournamentRequest, number: Number) -> Round:
    """Publish the seating of a round."""
    verbs.publish(
        round_id=request.visible_round(number).pk,
        user=request.required_user,
        now=request.now,
    )
    return request.visible_round(number)


@operations.post("/rounds/{number}/start", RoundOut, check_access=director)
def round_start(request: TournamentRequest, number: Number) -> Round:
    """Start a round. Every table gets its match, and the clock starts."""
    verbs.start(
        round_id=request.visible_round(number).pk,
        now=request.now,
        user=request.required_user,
    )
    return request.visible_round(number)


@operations.post("/rounds/{number}/close", RoundOut, check_access=director)
def round_close(request: TournamentRequest, number: Number, body: CloseInput) -> Round:
    """Close a round. If something blocks it, the error lists it; a reason overrides it."""
    round_ = request.visible_round(number)
    verbs.close(
        round_id=round_.pk,
        now=request.now,
        override=body.override,
        user=request.required_user,
    )
    return request.visible_round(number)


@operations.post("/rounds/{number}/reopen", RoundOut, check_access=director)
def round_reopen(request: TournamentRequest, number: Number) -> Round:
    """Reopen a closed round. If later steps depend on it, the error lists them."""
    verbs.reopen_round(
        round_id=request.visible_round(number).pk, user=request.required_user
    )
    return request.visible_round(number)


@operations.delete("/rounds/{number}", check_access=director)
def round_cancel(request: TournamentRequest, number: Number) -> None:
    """Undo a draw and those after it. Not possible once a hand has been entered."""
    round_id = request.visible_round(number).pk
    verbs.withdraw_rounds(round_id=round_id, user=request.required_user)


@operations.post("/rounds/{number}/clock", RoundOut, check_access=director)
def round_clock(request: TournamentRequest, number: Number, body: ClockInput) -> Round:
    """Add five minutes, pause or resume the clock, or call the last hand."""
    round_ = request.visible_round(number)
    verbs.apply_clock_action(
        round_id=round_.pk,
        verb=body.verb,
        now=request.now,
        user=request.required_user,
    )
    return request.visible_round(number)


@operations.put("/rounds/{number}/game", RoundOut, check_access=director)
def round_game(request: TournamentRequest, number: Number, body: GameInput) -> Round:
    """Change the game of a round that has not started."""
    games.set_game_and_redraw_if_needed(
        round_id=request.visible_round(number).pk,
        game=get_game(body.game).id,
        user=request.required_user,
    )
    return request.visible_round(number)


@operations.post("/rounds/{number}/swap", SwapOut, check_access=director)
def round_swap(
    request: TournamentRequest, number: Number, body: SeatExchangeInput
) -> dict[str, int]:
    """Swap two players in a round that has not started."""
    before, after = verbs.swap_and_count_repeats(
        round_id=request.visible_round(number).pk,
        entry_id=request.entry(body.entry).pk,
        other_id=request.entry(body.other).pk,
        user=request.required_user,
        allows_together=body.allows_together,
    )
    return {"before": before, "after": after}


@operations.post(
    "/rounds/{number}/tables/{table}/acts/{verb}", TableOut, check_access=scorer
)
def table_act(
    request: TournamentRequest,
    number: Number,
    table: Number,
    verb: verbs.TableVerb,
) -> Table:
    """Answer or settle a call, settle a dispute, confirm for a table, void or restore it, or add time."""
    verbs.act_at_table(
        table_id=request.visible_table(number, table).pk,
        verb=verb,
        author=request.author,
        user=request.required_user,
        now=request.now,
    )
    return request.visible_table(number, table)


@operations.put("/rounds/{number}/tables/{table}/seats", TableOut, check_access=scorer)
def table_seats(
    request: TournamentRequest, number: Number, table: Number, body: SeatsInput
) -> Table:
    """Correct the players at a table, starting with any hand."""
    chosen = request.visible_table(number, table)
    if len(body.entries) != len(chosen.places.all()):
        raise RefusedError("entries", gettext("Choose a player for every seat."))
    seat_and_exchange_entries(
        table_id=chosen.pk,
        key=body.key,
        entry_ids=request.entry_ids(body.entries),
        from_hand=body.from_hand,
        author=request.author,
        reason=body.reason,
        now=request.now,
        allows_together=body.allows_together,
    )
    return request.visible_table(number, table)


def _refuse_unless_allowed(request: TournamentRequest, *, is_allowed: bool) -> None:
    if not is_allowed:
        message = table_read_only_hint(request.tournament, request.http) or gettext(
            FOLLOWS
        )
        raise ProblemError("not-allowed", message)


def _check_can_write_at_table(request: TournamentRequest) -> None:
    """Raise ProblemError if the account may not write at the table."""
    request.check_api_key_allows_club()
    try:
        numbers = int(request.address["number"]), int(request.address["table"])
    except ValueError:
        raise Http404 from None
    table = request.visible_table(*numbers, published_only=True)
    is_allowed = may_write_at_table(table, request.tournament, request.http)
    _refuse_unless_allowed(request, is_allowed=is_allowed)


@operations.post(
    "/rounds/{number}/tables/{table}/says/{verb}",
    TableOut,
    check_access=_check_can_write_at_table,
    scope=SCORE,
    problems=GONE,
)
def table_say(
    request: TournamentRequest,
    number: Number,
    table: Number,
    verb: Literal["dispute", "call", "withdraw"],
    body: DisputeInput | None = None,
) -> Table:
    """Dispute a result, call the director, or withdraw either, as a player at the table.

    An account can withdraw its own dispute until the director comes, unless another player called
    or disputed.
    """
    visible_table, actor, now = (
        request.visible_table(number, table, published_only=True),
        request.required_user,
        request.now,
    )
    request.check_unfinished()
    is_own_dispute = visible_table.disputed and visible_table.disputed_by == actor
    if verb == "call":
        results.call_director(table_id=visible_table.pk, now=now)
    elif verb == "dispute":
        if not is_own_dispute:
            results.dispute(
                table_id=visible_table.pk,
                now=now,
                user=actor,
                reason=body.reason if body else "",
            )
    elif not visible_table.disputed:
        results.withdraw_call(table_id=visible_table.pk)
    elif is_own_dispute and visible_table.called_at is not None:
        called_at = visible_table.called_at
        results.withdraw_unanswered_dispute(
            table_id=visible_table.pk, called_at=called_at, now=now
        )
    else:
        message = gettext("The director has to settle this dispute.")
        raise RefusedError("table", message)
    return request.visible_table(number, table)


@operations.put(
    "/rounds/{number}/tables/{table}/game",
    TableOut,
    check_access=_check_can_write_at_table,
    scope=SCORE,
    problems=GONE,
)
def table_choose(
    request: TournamentRequest, number: Number, table: Number, body: GameInput
) -> Table:
    """Choose the game of a table, in tournaments where tables choose their games."""
    key = request.visible_table(number, table, published_only=True).pk
    request.check_unfinished()
    game = get_game(body.game).id
    games.choose_game_and_start_match(table_id=key, game=game, now=request.now)
    return request.visible_table(number, table)


def _check_can_begin_match(request: TournamentRequest) -> None:
    """Raise ProblemError if the account may not begin a match of a league."""
    request.check_api_key_allows_club()
    is_allowed = may_begin_match(request.tournament, request.http)
    _refuse_unless_allowed(request, is_allowed=is_allowed)


@operations.post(
    "/matches", MatchOut, check_access=_check_can_begin_match, scope=SCORE, status=201
)
def league_match(request: TournamentRequest, body: LeagueMatchInput) -> SerializedMatch:
    """Start a match between members of a league. The same key returns the same match."""
    tournament = request.tournament
    league_table = begin_league_match(
        tournament_id=tournament.pk,
        key=derive_key_for_owner(
            body.key, "account", tournament.pk, request.required_user.pk
        ),
        entry_ids=request.entry_ids(body.entries),
        game=get_game(body.game).id,
        required_entry_id=entry_id_required_in_match(tournament, request.http),
        now=request.now,
    )
    assert league_table.match is not None
    return serialize_match(Match.objects.get(pk=league_table.match.pk))
