"""Entries of a tournament: players, check-in, drop-outs and penalties."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from ninja import Field, Query, Schema

from scoring.api.operations import CONFLICT, LATE, Operations
from scoring.api.paging import PageQuery
from scoring.api.problems import ProblemError
from scoring.api.schemas import (
    BodySchema,
    EntryNumber,
    Name,
    Number,
    Reason,
    Reference,
    StrictBool,
    Text,
)
from scoring.rules.names import same_name_key
from tournaments.api.access import TournamentRequest, director, scorer, viewer
from tournaments.api.forms import require_valid_form
from tournaments.changes import RefusedError
from tournaments.event import entries as entering
from tournaments.event import results
from tournaments.event.requested_byes import set_requested_byes
from tournaments.event.seeding import save_seeding
from tournaments.event.teams import assign_teams
from tournaments.history.personal_data import rename_person
from tournaments.models import Club, Entry, Penalty
from tournaments.people.similar_names import find_similar_players
from tournaments.web.desk.forms import PenaltyForm

MOST_NAMES = 500
IS_ANOTHER = Field(
    False,
    description="Confirms that the new name belongs to a different person than the known player (`doubtful`).",
)


ALLOWS_TOGETHER = Field(
    False,
    description="Allows seats that put teammates, or others who are kept apart, at one table.",
)


class EntryOut(Schema):
    number: int = Field(description="Counted from 1, in the order of registration.")
    name: str
    player: int = Field(alias="player_id")
    state: Entry.State
    team: str = Field(
        description="The team’s name, or its number if it has none. Empty without a team."
    )
    lot: int | None
    bye_rounds: list[int] = Field(
        description="The numbers of the rounds to sit out on request."
    )
    seed_rank: int | None = Field(
        description="The place in the seeding by hand; 1 is the strongest."
    )


class EntriesQuery(PageQuery):
    state: Entry.State | None = None


class SimilarNameAnswers(BodySchema):
    """Answers for names that may mean a known player."""

    meant: Annotated[dict[Name, Name | None], Field(max_length=MOST_NAMES)] = Field(
        {},
        description="For each name that was refused as `doubtful`, one of its `choices`,"
        " or null for a different person.",
    )


class NamesInput(SimilarNameAnswers):
    """Names of players. Players who are known in the club are recognised."""

    names: Annotated[list[Name], Field(min_length=1, max_length=MOST_NAMES)]
    present: StrictBool = Field(
        False,
        description="Check the players in, including those who are already registered.",
    )
    team: Name | None = Field(None, description="The team of the new entries.")


class NewEntriesOut(Schema):
    entries: list[EntryOut] = Field(description="The new entries.")
    known: list[str] = Field(description="Names that were already registered.")


class EntryPatch(BodySchema):
    """Changes to an entry. Omitted fields keep their values."""

    state: Entry.State | None = None
    name: Name | None = Field(
        None, description="The correct name. It replaces the old one everywhere."
    )
    is_another: StrictBool = IS_ANOTHER
    team: Text | None = Field(
        None,
        description="The name or number of a team, or the name of another player in it. Empty for none.",
    )
    bye_rounds: Annotated[list[EntryNumber], Field(max_length=MOST_NAMES)] | None = (
        Field(
            None,
            description="The numbers of all coming rounds to sit out on request. Possible until their seats are published.",
        )
    )


class SubstituteInput(SimilarNameAnswers):
    name: Name
    from_hand: Annotated[int, Field(strict=True, ge=0, le=999)] | None = Field(
        None,
        description="The first hand of the substitute at a running table, or 0 for the next round."
        " Required only if the table is running.",
    )


class EntryPair(BodySchema):
    """Two players, by the numbers of their entries."""

    entry: EntryNumber
    other: EntryNumber


class SeparationInput(EntryPair):
    is_apart: StrictBool = Field(
        True, description="False allows them at the same table again."
    )


class SeatExchangeInput(EntryPair):
    allows_together: StrictBool = ALLOWS_TOGETHER


class SeedsInput(BodySchema):
    """The seeding by hand: the numbers of entries, the strongest first."""

    entries: Annotated[list[EntryNumber], Field(max_length=MOST_NAMES)]


class PenaltyOut(Schema):
    id: int
    entry: int = Field(alias="entry.number", description="The number of the entry.")
    points: str = Field(description="An exact number, as in `3` or `1/2`.")
    reason: str
    made_at: datetime
    cancelled_at: datetime | None


class PenaltyInput(BodySchema):
    entry: EntryNumber
    points: Name
    reason: Reason


operations = Operations("Entries", TournamentRequest)


def resolve_names(
    club: Club,
    names: Sequence[str],
    answers: Mapping[str, str | None],
    *,
    field: str = "names.%d",
) -> list[str]:
    """Return the names, or those of the known players that are meant.

    Raises ProblemError for names that may mean a known player and wait for an answer, and
    RefusedError for answers about other names.
    """
    similar_players = find_similar_players(club, names)
    for name, answer in answers.items():
        if name not in names or (answer is not None and name not in similar_players):
            template = gettext(
                "This name doesn’t need an answer. Remove it from “meant”."
            )
            raise RefusedError(f"meant.{name}", template)
    resolved, faults = [], []
    for index, name in enumerate(names):
        choices = [player.name for player in similar_players.get(name, ())]
        by_key = {same_name_key(choice): choice for choice in choices}
        answer = answers.get(name, "")
        if not choices or answer is None:
            resolved.append(name)
        elif chosen := by_key.get(same_name_key(answer)):
            resolved.append(chosen)
        else:
            template = gettext(
                "“%(name)s” may be %(others)s. Set “meant” to the right name, or to "
                "null if it’s someone else."
            )
            message = template % {"name": name, "others": ", ".join(choices)}
            at_field = field.replace("%d", str(index))
            faults.append({"field": at_field, "message": message, "choices": choices})
    if faults:
        raise ProblemError("doubtful", faults=faults)
    return resolved


@operations.get("/entries", list[EntryOut], check_access=viewer)
def entries(request: TournamentRequest, query: Query[EntriesQuery]) -> QuerySet[Entry]:
    """List the entries in order. Members of the club only; seatings and standings show names to everyone."""
    listed = request.tournament.entries.order_by("number")
    return listed.filter(state=query.state) if query.state else listed


@operations.post(
    "/entries", NewEntriesOut, check_access=scorer, status=201, problems=LATE
)
def entries_new(request: TournamentRequest, body: NamesInput) -> entering.AddedEntries:
    """Register players by name. If the tournament is full, they join the waiting list."""
    request.check_unfinished()
    with transaction.atomic():
        added = entering.add_entries(
            tournament_id=request.tournament.pk,
            names=resolve_names(request.club, body.names, body.meant),
            state=Entry.State.PRESENT if body.present else Entry.State.EXPECTED,
            now=request.now,
            user=request.required_user,
        )
        if body.team is not None:
            _assign_team(request, added.entries, body.team)
    return added


def _assign_team(
    request: TournamentRequest, changed: Sequence[Entry], team: str
) -> None:
    """Put entries into a team. Raises RefusedError with the field `team`."""
    if not request.tournament.team_size:
        message = gettext("This tournament has no teams. Set their size first.")
        raise RefusedError("team", message)
    try:
        assign_teams(
            tournament_id=request.tournament.pk,
            team_texts={entry.pk: team for entry in changed},
            user=request.required_user,
        )
    except RefusedError as refused:
        raise RefusedError("team", refused.message) from None
    for entry in changed:
        entry.refresh_from_db(fields=["team"])


def _set_requested_byes(
    request: TournamentRequest, changed: Entry, numbers: Sequence[int]
) -> None:
    """Let a player sit out these rounds. Raises RefusedError with the field `bye_rounds`."""
    try:
        set_requested_byes(
            entry_id=changed.pk,
            numbers=numbers,
            user=request.required_user,
            now=request.now,
        )
    except RefusedError as refused:
        raise RefusedError("bye_rounds", refused.message) from None


@operations.get("/entries/{number}", EntryOut, check_access=viewer)
def entry(request: TournamentRequest, number: Number) -> Entry:
    """Get an entry."""
    return request.entry(number)


@operations.patch("/entries/{number}", EntryOut, check_access=scorer, problems=LATE)
def entry_change(request: TournamentRequest, number: Number, body: EntryPatch) -> Entry:
    """Check a player in, let them drop out or return, or change their name, team or rounds to sit out."""
    if body.state is not None:
        request.check_unfinished()
    changed = request.entry(number)
    with transaction.atomic():
        if body.name is not None:
            rename_person(
                club=request.club,
                player_id=changed.player_id,
                name=body.name,
                user=request.required_user,
                now=request.now,
                is_different_person=body.is_another,
            )
        if body.team is not None:
            _assign_team(request, [changed], body.team)
        if body.bye_rounds is not None:
            _set_requested_byes(request, changed, body.bye_rounds)
        if body.state is not None:
            entering.set_state(
                entry_id=changed.pk, state=body.state, user=request.required_user
            )
    return request.entry(number)


@operations.delete("/entries/{number}", check_access=scorer)
def entry_remove(request: TournamentRequest, number: Number) -> None:
    """Remove an entry that was made by mistake. A player who has played can only drop out."""
    entry_id = request.entry(number).pk
    entering.remove_entry(entry_id=entry_id, user=request.required_user)


@operations.post(
    "/entries/{number}/substitute", EntryOut, check_access=scorer, problems=CONFLICT
)
def entry_substitute(
    request: TournamentRequest, number: Number, body: SubstituteInput
) -> Entry:
    """Substitute another player for an entry."""
    replaced = request.entry(number)
    (name,) = resolve_names(request.club, [body.name], body.meant, field="name")
    return entering.substitute_entry_player(
        entry_id=replaced.pk,
        name=name,
        now=request.now,
        from_hand=body.from_hand,
        author=request.author,
    )


@operations.put("/apart", None, check_access=scorer, status=204)
def keep_apart(request: TournamentRequest, body: SeparationInput) -> None:
    """Keep two players apart in draws, or allow them at the same table again."""
    first, second = request.entry(body.entry), request.entry(body.other)
    if first == second:
        raise RefusedError("other", gettext("Choose two players."))
    if body.is_apart:
        first.apart.add(second)
    else:
        first.apart.remove(second)


@operations.put("/seeds", None, check_access=director, status=204)
def seeds(request: TournamentRequest, body: SeedsInput) -> None:
    """Seed round 1 by hand. Other players come last, by lot."""
    tournament = request.tournament
    ranks: dict[int, int | None] = dict.fromkeys(
        tournament.entries.values_list("pk", flat=True)
    )
    for rank, number in enumerate(body.entries, start=1):
        ranks[request.entry(number).pk] = rank
    save_seeding(
        tournament_id=tournament.pk,
        seeding=tournament.Seeding.HAND,
        pattern=tournament.seed_pattern,
        ranks=ranks,
    )


penalty_operations = Operations("Penalties", TournamentRequest)


@penalty_operations.get("/penalties", list[PenaltyOut], check_access=director)
def penalties(request: TournamentRequest) -> QuerySet[Penalty]:
    """List the penalties of a tournament, latest first. Directors only."""
    listed = request.tournament.penalties.select_related("entry")
    return listed.order_by("-made_at", "-pk")


@penalty_operations.post("/penalties", PenaltyOut, check_access=director, status=201)
def penalise(request: TournamentRequest, body: PenaltyInput) -> Penalty:
    """Give a player a penalty, which deducts points."""
    values = {**body.model_dump(), "entry": request.entry(body.entry).pk}
    form = require_valid_form(PenaltyForm(values, tournament=request.tournament))
    return results.add_penalty(
        user=request.required_user, now=request.now, **form.cleaned_data
    )


@penalty_operations.post("/penalties/{key}/cancel", PenaltyOut, check_access=director)
def penalty_cancel(request: TournamentRequest, key: Reference) -> Penalty:
    """Cancel a penalty. It stays in the list."""
    penalty = get_object_or_404(request.tournament.penalties, pk=key)
    return results.cancel_penalty(
        penalty_id=penalty.pk, now=request.now, user=request.required_user
    )
