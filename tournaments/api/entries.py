"""Entries: who plays in a tournament, who is here, who left."""

from http import HTTPStatus
from typing import Annotated, Any, Literal

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from ninja import Field, Query, Router, Schema, Status

from scoring.api.operations import DIRECT, OF_ENTRIES, reads, writes
from scoring.api.paging import Page, PageAsked, page_of_rows
from scoring.api.problems import ProblemError, refused
from scoring.api.schemas import Address, Given, Name, Number, Yes
from scoring.matchlog.commands import Author
from tournaments.api.access import by_whom, entry_at, require, tournament_at
from tournaments.api.doubtful_names import MOST_NAMES, AnswersGiven, resolve_names
from tournaments.event import entries as entering
from tournaments.history.personal_data import rename_person
from tournaments.models import Entry, Role, Tournament

router = Router(tags=["Entries"])

State = Literal["waiting", "expected", "present", "dropped", "no_show"]


class EntryOut(Schema):
    """Somebody who plays in a tournament."""

    number: int = Field(description="Counted from 1 in the order of entering.")
    name: str
    player: int = Field(alias="player_id")
    state: State
    lot: int | None


class EntryPage(Page[EntryOut]):
    """Entries in the order of entering."""


class EntriesAsked(PageAsked):
    """Which entries."""

    state: State | None = None


class NamesGiven(AnswersGiven):
    """Who is entered: whoever played in the club under a name is found again."""

    names: Annotated[list[Name], Field(min_length=1, max_length=MOST_NAMES)]
    present: Yes = Field(
        False,
        description="Whether they are here: names that were entered before are checked in as well.",
    )


class EnteredOut(Schema):
    """What became of a list of names."""

    entries: list[EntryOut] = Field(description="New ones.")
    known: list[str] = Field(description="Names that were entered before.")


class EntryChanged(Given):
    """What is to be so of an entry; what is left out stays."""

    state: State | None = None
    name: Name | None = Field(
        None, description="The name put right, wherever the person is called otherwise."
    )
    is_another: Yes = Field(
        False,
        description="The new name may be somebody else's (`doubtful`), and is another person's.",
    )


class SubstituteGiven(AnswersGiven):
    """Who plays on."""

    name: Name
    from_hand: Annotated[int, Field(strict=True, ge=0, le=999)] | None = Field(
        None,
        description="From which hand on at a table that has begun, 0 for the next round;"
        " needed only there.",
    )


class ApartGiven(Given):
    """Two players who are not to share a table, by the numbers of their entries."""

    entry: Annotated[int, Field(strict=True, ge=1, le=32767)]
    other: Annotated[int, Field(strict=True, ge=1, le=32767)]
    is_apart: Yes = Field(True, description="False lets them meet again.")


@reads(router, "/tournaments/{address}/entries", EntryPage, check=require(Role.VIEWER))
def entries(request: HttpRequest, address: Address, asked: Query[EntriesAsked]) -> Any:
    """Who plays, for the club's people; everybody reads names in seatings and standings."""
    tournament = tournament_at(request, address).tournament
    listed = tournament.entries.all()
    if asked.state:
        listed = listed.filter(state=asked.state)
    page, following = page_of_rows(request, listed, asked, "number")
    return {"items": page, "next": following}


def _going_on(request: HttpRequest, address: str) -> Tournament:
    """Return the tournament, in which people come and go until it is finished."""
    tournament = tournament_at(request, address).tournament
    if tournament.phase == Tournament.Phase.FINISHED:
        raise ProblemError("closed", gettext("The tournament is finished."))
    return tournament


@writes(
    router,
    "/tournaments/{address}/entries",
    EnteredOut,
    needs=DIRECT,
    status=201,
    problems=OF_ENTRIES,
    check=require(Role.SCORER),
)
def entries_new(request: HttpRequest, address: Address, given: NamesGiven) -> Any:
    """Enter people by their names; beyond the capacity they wait."""
    tournament = _going_on(request, address)
    entered = entering.enter(
        tournament_id=tournament.pk,
        names=resolve_names(tournament.club, given.names, given),
        state=Entry.State.PRESENT if given.present else Entry.State.EXPECTED,
        now=timezone.now(),
    )
    told = {"entries": list(entered.entries), "known": list(entered.known)}
    return Status(HTTPStatus.CREATED, told)


@reads(
    router,
    "/tournaments/{address}/entries/{number}",
    EntryOut,
    check=require(Role.VIEWER),
)
def entry(request: HttpRequest, address: Address, number: Number) -> Any:
    """One entry."""
    return entry_at(tournament_at(request, address).tournament, number)


@writes(
    router,
    "/tournaments/{address}/entries/{number}",
    EntryOut,
    needs=DIRECT,
    method="PATCH",
    problems=OF_ENTRIES,
    check=require(Role.SCORER),
)
def entry_change(
    request: HttpRequest, address: Address, number: Number, given: EntryChanged
) -> Any:
    """Check somebody in, let them leave or come back; put their name right."""
    tournament = tournament_at(request, address).tournament
    if given.state is not None:
        tournament = _going_on(request, address)
    changed = entry_at(tournament, number)
    with transaction.atomic():
        if given.name is not None:
            rename_person(
                club=tournament.club,
                player_id=changed.player_id,
                name=given.name,
                by=by_whom(request),
                now=timezone.now(),
                is_another=given.is_another,
            )
        if given.state is not None:
            entering.set_state(entry_id=changed.pk, state=Entry.State(given.state))
    return entry_at(tournament, number)


@writes(
    router,
    "/tournaments/{address}/entries/{number}",
    None,
    needs=DIRECT,
    method="DELETE",
    status=204,
    check=require(Role.SCORER),
)
def entry_remove(request: HttpRequest, address: Address, number: Number) -> Any:
    """Take off the list who was entered by mistake; whoever has a part in it leaves instead."""
    tournament = tournament_at(request, address).tournament
    entering.remove_entry(entry_id=entry_at(tournament, number).pk)
    return Status(HTTPStatus.NO_CONTENT, None)


@writes(
    router,
    "/tournaments/{address}/entries/{number}/substitute",
    EntryOut,
    needs=DIRECT,
    problems=frozenset({409}),
    check=require(Role.SCORER),
)
def entry_substitute(
    request: HttpRequest, address: Address, number: Number, given: SubstituteGiven
) -> Any:
    """Let somebody else play on for an entry."""
    tournament = tournament_at(request, address).tournament
    replaced = entry_at(tournament, number)
    (name,) = resolve_names(tournament.club, [given.name], given, field="name")
    return entering.substitute(
        entry_id=replaced.pk,
        name=name,
        now=timezone.now(),
        from_hand=given.from_hand,
        author=Author(name=by_whom(request).public_name[:80], may_change_closed=True),
    )


@writes(
    router,
    "/tournaments/{address}/apart",
    None,
    needs=DIRECT,
    method="PUT",
    status=204,
    check=require(Role.SCORER),
)
def keep_apart(request: HttpRequest, address: Address, given: ApartGiven) -> Any:
    """Let two players not be drawn to one table, or let them meet again."""
    tournament = tournament_at(request, address).tournament
    first = entry_at(tournament, given.entry)
    second = entry_at(tournament, given.other)
    if first == second:
        raise refused("other", gettext("Choose two players."))
    act = entering.keep_apart if given.is_apart else entering.let_meet
    act(entry_id=first.pk, other_id=second.pk)
    return Status(HTTPStatus.NO_CONTENT, None)
