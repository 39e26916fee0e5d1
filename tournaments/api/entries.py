"""Entries of a tournament: the players, who is here, who left, and penalties."""

from datetime import datetime
from typing import Annotated, Any, Literal

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from ninja import Field, Query, Schema

from scoring.api.operations import LATE, Operations
from scoring.api.paging import PageAsked
from scoring.api.problems import refused
from scoring.api.schemas import EntryNumber, Given, Name, Number, Reason, Reference, Yes
from tournaments.api.access import TournamentRequest, director, scorer, viewer
from tournaments.api.doubtful_names import (
    IS_ANOTHER,
    MOST_NAMES,
    AnswersGiven,
    resolve_names,
)
from tournaments.api.forms import check_form
from tournaments.event import entries as entering
from tournaments.event import results
from tournaments.history.personal_data import rename_person
from tournaments.models import Entry, Penalty
from tournaments.web.desk.forms import PenaltyForm

State = Literal["waiting", "expected", "present", "dropped", "no_show"]
CONFLICT = frozenset({409})


class EntryOut(Schema):
    number: int = Field(description="Counted from 1 in the order of entering.")
    name: str
    player: int = Field(alias="player_id")
    state: State
    lot: int | None


class EntriesAsked(PageAsked):
    state: State | None = None


class NamesGiven(AnswersGiven):
    """Names of players: those who played in the club are recognised."""

    names: Annotated[list[Name], Field(min_length=1, max_length=MOST_NAMES)]
    present: Yes = Field(
        False,
        description="Whether they are here: names that were entered before are checked in as well.",
    )


class EnteredOut(Schema):
    entries: list[EntryOut] = Field(description="New ones.")
    known: list[str] = Field(description="Names that were entered before.")


class EntryChanged(Given):
    """Changes of an entry; what is left out stays."""

    state: State | None = None
    name: Name | None = Field(
        None, description="The correct name: it replaces the old one everywhere."
    )
    is_another: Yes = IS_ANOTHER


class SubstituteGiven(AnswersGiven):
    name: Name
    from_hand: Annotated[int, Field(strict=True, ge=0, le=999)] | None = Field(
        None,
        description="From which hand on at a table that has begun, 0 for the next round;"
        " needed only there.",
    )


class ApartGiven(Given):
    """Two players to keep apart, by the numbers of their entries."""

    entry: EntryNumber
    other: EntryNumber
    is_apart: Yes = Field(True, description="False lets them meet again.")


class PenaltyOut(Schema):
    id: int
    entry: int = Field(alias="entry.number", description="The number of the entry.")
    points: str = Field(description="Exactly, as in `3` or `1/2`.")
    reason: str
    made_at: datetime
    cancelled_at: datetime | None


class PenaltyGiven(Given):
    entry: EntryNumber
    points: Name
    reason: Reason


operations = Operations("Entries", TournamentRequest, "/tournaments/{address}")


@operations.get_page("/entries", EntryOut, by=viewer)
def entries(request: TournamentRequest, asked: Query[EntriesAsked]) -> QuerySet[Entry]:
    """Entries in their order, for the club's people; seatings and standings name them for all."""
    listed = request.tournament.entries.order_by("number")
    return listed.filter(state=asked.state) if asked.state else listed


@operations.post("/entries", EnteredOut, by=scorer, status=201, problems=LATE)
def entries_new(request: TournamentRequest, given: NamesGiven) -> Any:
    """Enter people by their names; beyond the capacity they wait."""
    request.check_goes_on()
    return entering.enter(
        tournament_id=request.tournament.pk,
        names=resolve_names(request.club, given.names, given),
        state=Entry.State.PRESENT if given.present else Entry.State.EXPECTED,
        now=request.now,
    )


@operations.get("/entries/{number}", EntryOut, by=viewer)
def entry(request: TournamentRequest, number: Number) -> Entry:
    """One entry."""
    return request.entry(number)


@operations.patch("/entries/{number}", EntryOut, by=scorer, problems=LATE)
def entry_change(
    request: TournamentRequest, number: Number, given: EntryChanged
) -> Entry:
    """Check somebody in, let them leave or come back; correct their name."""
    if given.state is not None:
        request.check_goes_on()
    changed = request.entry(number)
    with transaction.atomic():
        if given.name is not None:
            rename_person(
                club=request.club,
                player_id=changed.player_id,
                name=given.name,
                by=request.by,
                now=request.now,
                is_another=given.is_another,
            )
        if given.state is not None:
            entering.set_state(entry_id=changed.pk, state=Entry.State(given.state))
    return request.entry(number)


@operations.delete("/entries/{number}", by=scorer)
def entry_remove(request: TournamentRequest, number: Number) -> None:
    """Remove an entry made by mistake; somebody who has played drops out instead."""
    entering.remove_entry(entry_id=request.entry(number).pk)


@operations.post("/entries/{number}/substitute", EntryOut, by=scorer, problems=CONFLICT)
def entry_substitute(
    request: TournamentRequest, number: Number, given: SubstituteGiven
) -> Entry:
    """Let somebody else play on for an entry."""
    replaced = request.entry(number)
    (name,) = resolve_names(request.club, [given.name], given, field="name")
    return entering.substitute(
        entry_id=replaced.pk,
        name=name,
        now=request.now,
        from_hand=given.from_hand,
        author=request.author,
    )


@operations.put("/apart", None, by=scorer, status=204)
def keep_apart(request: TournamentRequest, given: ApartGiven) -> None:
    """Keep two players from being drawn to one table, or let them meet again."""
    first, second = request.entry(given.entry), request.entry(given.other)
    if first == second:
        raise refused("other", gettext("Choose two players."))
    act = entering.keep_apart if given.is_apart else entering.let_meet
    act(entry_id=first.pk, other_id=second.pk)


penalties_of = Operations("Penalties", TournamentRequest, "/tournaments/{address}")


@penalties_of.get_page("/penalties", PenaltyOut, by=director)
def penalties(request: TournamentRequest) -> QuerySet[Penalty]:
    """The penalties of a tournament, the latest first, for its directors."""
    given = request.tournament.penalties.select_related("entry")
    return given.order_by("-made_at", "-pk")


@penalties_of.post("/penalties", PenaltyOut, by=director, status=201)
def penalise(request: TournamentRequest, given: PenaltyGiven) -> Penalty:
    """Take points away from somebody."""
    values = {**given.model_dump(), "entry": request.entry(given.entry).pk}
    form = PenaltyForm(values, tournament=request.tournament)
    check_form(form)
    return results.penalise(by=request.by, now=request.now, **form.cleaned_data)


@penalties_of.post("/penalties/{key}/cancel", PenaltyOut, by=director)
def penalty_cancel(request: TournamentRequest, key: Reference) -> Penalty:
    """Cancel a penalty; it stays in sight."""
    penalty = get_object_or_404(request.tournament.penalties, pk=key)
    return results.cancel_penalty(penalty_id=penalty.pk, now=request.now)
