"""API operations of matches: their scores, their hands, and new entries."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from ninja import Field, Schema

from scoring.api.operations import LATE, SCORE, ApiRequest, Operations
from scoring.api.problems import ProblemError, refused
from scoring.api.schemas import BodySchema, Count, Moment, Name, Text
from scoring.competition import ResultState, competition
from scoring.matchlog.append import REUSED, read_match
from scoring.matchlog.client_keys import bind_key
from scoring.matchlog.confirmations import confirmed_seats, result_words
from scoring.matchlog.records import export_match
from scoring.matchlog.replay import ReplayedHand
from scoring.matchlog.starting import is_same_start, start_match
from scoring.models import Match
from scoring.rules import Refusal
from scoring.sync.protocol import SAVED, describe_faults, read_entry
from scoring.sync.receive import receive
from scoring.sync.rights import follow_reason, may_write, write_token

EntryKind = Literal[
    "enter",
    "contract",
    "replace",
    "void",
    "restore",
    "keep",
    "seats",
    "pen",
    "confirm",
    "withdraw",
    "board",
]
"""The kinds of entries that a phone sends for an existing match."""
ConfirmedBy = Annotated[
    Literal["", "own", "table", "director"],
    Field(description="On their own phone, on a shared one, or by the director."),
]


class SeatOut(Schema):
    index: int = Field(description="Counted from 0 clockwise.")
    name: str
    total: int
    rank: int = Field(
        description="As the scores stand, whether the result is final or not."
    )
    won: bool = Field(
        description="False for everybody until the match is finished and its `result` final."
    )
    confirmed_at: datetime | None = Field(
        description="Since when its player has agreed to the result as it is."
    )
    confirmed_by: ConfirmedBy
    confirmation: UUID | None = Field(
        description="The key of the entry that agreed: `withdraw` names it."
    )


ResultKey = Annotated[
    Literal["open", "unconfirmed", "disputed", "final"],
    Field(
        description="Open while it is played. Then its table may have to confirm the result, "
        "or a director to settle it: who won can change until it is final."
    ),
]


class MatchOut(Schema):
    """One game at one table."""

    address: str
    game: str
    options: dict[str, Any]
    started_at: datetime
    version: int = Field(description="Of its log: `base` of what is entered next.")
    hands_played: int
    finished: bool
    result: ResultKey
    as_it_stands: bool = Field(description="It counts although it is not finished.")
    closed: bool = Field(description="Only directors change it.")
    waiting: int = Field(description="Entries that phones still hold, as they said.")
    next_hand: int = Field(description="The number of the hand that is entered next.")
    words: str = Field(description="What a seat confirms: they follow from the scores.")
    seats: list[SeatOut]


class HandOut(Schema):
    """One hand as the log has it now."""

    number: int
    state: str = Field(description="`contract`, `played`, `void` or `after_end`.")
    body: dict[str, Any] = Field(
        alias="raw", description="As the match record writes a hand."
    )
    scores: list[int] | None = Field(
        description="By seat; null if the hand does not count."
    )
    version: int = Field(alias="entry.version", description="Of its log entry.")
    made_by: str
    beside: int = Field(description="How many other versions wait for a choice.")

    @staticmethod
    def resolve_scores(hand: ReplayedHand) -> Sequence[int] | None:
        return hand.scored.scores if hand.scored else None

    @staticmethod
    def resolve_made_by(hand: ReplayedHand) -> str:
        return getattr(hand.entry, "made_by", "")

    @staticmethod
    def resolve_beside(hand: ReplayedHand) -> int:
        return len(hand.proposals)


class EntryInput(BodySchema):
    """An entry as a phone stores and sends it (docs/reference/phone-protocol.md)."""

    format: Literal["trick-entry"]
    version: Literal[1]
    key: UUID = Field(description="Made by the client: the same key is the same entry.")
    kind: EntryKind
    number: Count | None = Field(
        None, description="The number of the hand, if it is about one."
    )
    base: Count | None = Field(
        None, description="The version of the match on which it was made."
    )
    body: dict[str, Any] | None = Field(
        None, description="A hand as the match record writes it, or what the kind says."
    )
    made_by: Text = Field("", description="The seat that enters it, by its name.")
    reason: Text = ""
    phone: Annotated[str, Field(pattern="^[0-9a-f]{0,32}$")] = ""
    waiting: Count | None = None
    instead_of_board: bool = Field(
        False,
        description="Enters a hand although it is being played on the board, which stops "
        "there then. Without it such a hand is refused (422).",
    )
    entered_at: Moment | None = None


class EntryResult(Schema):
    """What became of an entry."""

    key: UUID
    version: int = Field(description="Of the match with it.")
    number: int | None = Field(description="The number of the hand.")


class MatchInput(BodySchema):
    """A match outside tournaments."""

    key: UUID = Field(description="Made by the client: the same key is the same match.")
    game: Name
    players: Annotated[list[Name], Field(min_length=1, max_length=8)] = Field(
        description="Names in seat order."
    )
    options: dict[str, Any] = {}


class MatchRequest(ApiRequest):
    prefix = "/matches/{address}"

    def __init__(self, http: HttpRequest, address: str) -> None:
        super().__init__(http, address=address)
        self.match = get_object_or_404(Match, address=address)

    def check_writer(self) -> None:
        """Raise ProblemError if the account may not enter anything for the match."""
        if not may_write(self.http, self.match):
            raise ProblemError("not-allowed", follow_reason(self.http, self.match))


new_matches = Operations("Matches", ApiRequest)
matches = Operations("Matches", MatchRequest)


def describe_match(match: Match) -> dict[str, Any]:
    # Without `up_to`, a commit in between would make hands newer than version and totals.
    logged = read_match(match, max_version=match.version)
    columns = ("index", "name", "total", "rank", "confirmed_at", "confirmed_by")
    result = competition().result_state(match) if match.is_settled else "open"
    words = result_words(logged.replayed)
    confirmed = confirmed_seats(logged.log, words) if match.is_settled else {}
    column_names = (name for name in MatchOut.model_fields if hasattr(match, name))
    return {
        **{name: getattr(match, name) for name in column_names},
        "result": str(result),
        "next_hand": logged.replayed.next_number,
        "words": words,
        "seats": [
            {
                **{name: getattr(seat, name) for name in columns},
                "won": seat.won and result == ResultState.FINAL,
                "confirmation": confirmed[seat.index].entry.key
                if seat.index in confirmed
                else None,
            }
            for seat in logged.seats
        ],
    }


@matches.get("", MatchOut)
def match(request: MatchRequest) -> Any:
    """A match with its scores.

    Anyone with its address can read it, like its sheet.
    """
    return describe_match(request.match)


@matches.get("/hands", list[HandOut])
def hands(request: MatchRequest) -> Any:
    """The hands of a match by number, as the match record writes them."""
    return read_match(request.match).replayed.hands


@matches.get("/record", dict[str, Any])
def record(request: MatchRequest) -> Any:
    """The match record, its log included: what `export_record` writes.

    While Tricks and Treats is played on the board, the board is not in it.
    """
    return json.loads(export_match(request.match, for_followers=True))


def rules_problem(refusal: Refusal, names: Sequence[str] = ()) -> ProblemError:
    """Return the problem for a refusal of the rules, with the names of the seats."""
    faults = describe_faults(refusal.faults, names)
    message = " ".join(fault["message"] for fault in faults)
    return ProblemError("refused", message, faults=faults)


@new_matches.post("/matches", MatchOut, scope=SCORE, status=201)
def match_new(request: ApiRequest, body: MatchInput) -> Any:
    """Start a match.

    The same key again gives the same match, and is refused with another game or other players.
    """
    settings: dict[str, Any] = {
        "game": body.game,
        "names": body.players,
        "options": body.options,
    }
    key = bind_key(body.key, "account", request.http.user.pk)
    try:
        started = start_match(key=key, **settings, now=request.now)
    except Refusal as refusal:
        raise rules_problem(refusal, body.players) from None
    if not is_same_start(started, **settings):
        raise refused("key", gettext(REUSED))
    return describe_match(Match.objects.get(pk=started.pk))


@matches.post(
    "/entries",
    EntryResult,
    by=MatchRequest.check_writer,
    scope=SCORE,
    problems=LATE,
)
def entry_new(request: MatchRequest, body: EntryInput) -> Any:
    """Enter a hand, correct one, void or restore it, confirm the result or take that
    back: as a phone does.

    If another phone was quicker, both versions are stored (409 with its `key`) until a person
    chooses.
    """
    match, user = request.match, request.http.user
    entry = read_entry(request.http.body)
    answer = receive(
        address=match.address,
        entry=entry,
        token=write_token(request.http, match),
        now=request.now,
        official=competition().official_name(match, user),
        may_change_closed=match.closed and competition().may_change_closed(match, user),
    )
    stored: dict[str, Any] = {
        "key": entry.key,
        "version": answer.version,
        "number": answer.number,
    }
    if answer.status == SAVED:
        return stored
    # By the status code of the response to a phone.
    kinds = {401: "not-allowed", 409: "beside", 410: "closed"}
    kind = kinds.get(answer.status, "refused")
    message = " ".join(fault["message"] for fault in answer.faults)
    extra = {**stored, "key": str(entry.key)} if kind == "beside" else {}
    raise ProblemError(kind, message, faults=answer.faults, **extra)
