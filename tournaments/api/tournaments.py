"""Tournaments: settings, standings, registration, and a director's actions on all of it."""

import json
from datetime import datetime
from hashlib import sha256
from secrets import SystemRandom
from typing import Annotated, Any, Literal

from django.core.cache import caches
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import get_language, gettext
from ninja import Field, Query, Schema
from ninja.responses import NinjaJSONEncoder

from scoring.api.operations import CONFLICT, SCORE, Operations
from scoring.api.paging import PageQuery
from scoring.api.problems import ProblemError
from scoring.api.schemas import (
    BodySchema,
    Count,
    Name,
    Reason,
    Reference,
    SmallInt,
    StrictBool,
    Text,
)
from tournaments.api.access import (
    ClubRequest,
    TournamentRequest,
    director,
    scorer,
    viewer,
)
from tournaments.api.entries import EntryOut, SimilarNameAnswers, resolve_names
from tournaments.api.forms import (
    form_data_with_changes,
    form_schema,
    model_schema,
    require_valid_form,
)
from tournaments.api.history import DisputedCount, UnconfirmedCount
from tournaments.api.players import VisiblePlayer
from tournaments.changes import RefusedError
from tournaments.event import autopilot, results, rounds
from tournaments.event import draw as drawing
from tournaments.event.desk import announcements
from tournaments.event.entries import register
from tournaments.event.outlook import IN_A_REQUEST, store_outlook_with_standings
from tournaments.event.setup import lifecycle
from tournaments.event.teams import TeamStandingsLine, team_lines
from tournaments.models import (
    Announcement,
    AutoStep,
    Club,
    Entry,
    StandingsRow,
    Tournament,
)
from tournaments.standings import ByeKind, PointPart
from tournaments.web.desk.settings_form import (
    SETTINGS,
    TieBreaksField,
    TournamentForm,
)

DAY = 24 * 60 * 60


class SettingsInput(form_schema(TournamentForm)):  # type: ignore[misc]
    """Settings of a tournament. Omitted fields keep their values, or get the default."""

    game: Name | None = None
    games: list[Name] | None = Field(
        None,
        description="The games of the rounds in turn, or those that tables can choose from.",
    )
    target: Count | None = Field(None, description="Points that end a match.")
    contests: Count | None = Field(
        None, description="The number of contests in a DB2T match."
    )
    hands: Count | None = Field(
        None, description="The number of hands in a match of Any game."
    )
    lowest_wins: bool | None = Field(
        None, description="Whether the lowest total wins a match of Any game."
    )
    bids: bool | None = Field(
        None, description="Whether a match of Any game has a column for bids."
    )
    title: Name | None = Field(None, description="The name of a game without its own.")
    minimum_bid: SmallInt | None = Field(
        None, description="A house rule of Tricky: the lowest bid."
    )
    passed_out_loss: SmallInt | None = Field(
        None,
        description="A house rule of Tricky: the points that everyone loses when all pass.",
    )
    made_bonus: SmallInt | None = Field(
        None,
        description="A house rule of Tricky Dice: extra points for a made bid, double in a solo.",
    )
    set_penalty: SmallInt | None = Field(
        None,
        description="A house rule of Tricky Dice: points lost for a missed bid, double in a solo.",
    )
    capacity: SmallInt | None = Field(None, description="0 for no limit.")
    points: Text | None = Field(
        None,
        description="A points system such as `linear`, or `places` for the points in the field `places`.",
    )
    places: Text | None = Field(
        None,
        description="Points by rank, with a line for each table size, as in `4: 10 6 3 1`.",
    )
    bye: Text | None = Field(
        None, description="`average`, `half` of it, or a number as in `5/2`."
    )
    requested_bye: Text | None = Field(
        None, description="For sitting out on request, like `bye`."
    )
    late_bye: Text | None = Field(
        None,
        description="For each round missed by arriving late, like `bye`. With 0 these rounds are not shown.",
    )


class SettingsPatch(SettingsInput):
    version: Count | None = Field(
        None,
        description="The version of the tournament when it was read. Refused if it has changed since.",
    )


class SettingsOut(
    model_schema(Tournament, *SETTINGS[2:])  # type: ignore[misc]
):
    games: list[str]
    options: dict[str, Any]
    points: Any = Field(
        description="The name of a points system, or points by rank for each table size."
    )
    tie_breaks: list[str]


class TournamentLine(Schema):
    address: str
    name: str
    starts_at: datetime
    phase: str = Field(description="`open`, `running` or `finished`.")
    listing: str
    format: str
    game: str


class TournamentOut(TournamentLine):
    """A tournament with its settings and progress."""

    club: str = Field(description="The address of its club.")
    version: int = Field(description="Increases whenever its standings can change.")
    finished_at: datetime | None
    registration: str = Field(description="`early`, `open`, `full` or `closed`.")
    coming: int = Field(description="The number of entries that take a place.")
    settings: SettingsOut
    warnings: list[str] = Field(
        [], description="Settings that are valid but rarely intended."
    )


class TournamentsQuery(PageQuery):
    phase: Tournament.Phase | None = None
    listing: Tournament.Listing | None = Field(
        None, description="Archived tournaments are listed only with `archived`."
    )
    game: Annotated[str, Field(max_length=20)] | None = None
    format: Annotated[str, Field(max_length=15)] | None = None


class PointPartOut(Schema):
    """The points of a table or a bye."""

    round: int = Field(
        description="In a league, the number of the match. Rounds of its final follow."
    )
    points: str = Field(description="An exact number.")
    bye: ByeKind | None = Field(
        description="`drawn`, `requested` or `late`; null for a table."
    )
    counts: bool = Field(
        description="False in an earlier stage, or for a table that isn’t among the best."
    )

    @staticmethod
    def resolve_points(part: PointPart) -> str:
        return str(part.points)


class StandingsLine(Schema):
    rank: int
    stage: int
    entry: int = Field(alias="entry.number", description="The number of the entry.")
    player: VisiblePlayer = Field(alias="entry.player_id")
    names: str = Field(
        description="The names of the players; substitutes with their rounds."
    )
    points: str = Field(description="An exact number: a whole number or a fraction.")
    tables: int
    tie_breaks: dict[str, str | None] = Field(alias="values")
    penalties: list[str]
    parts: list[PointPartOut] = Field(
        alias="point_parts.parts",
        description="By round; those that count, minus `penalty`, are the points. Empty if unknown.",
    )
    penalty: str = Field(
        description="Points deducted in the last stage, an exact number."
    )
    reason: str = Field(
        alias="tie_reason_text",
        description="Why this line ranks ahead of the next, if both have the same points.",
    )
    unconfirmed: UnconfirmedCount
    disputed: DisputedCount

    @staticmethod
    def resolve_penalty(row: StandingsRow) -> str:
        return str(row.point_parts.penalty)

    @staticmethod
    def resolve_penalties(row: StandingsRow) -> list[str]:
        return [penalty.points for penalty in row.entry.counted_penalties]  # type: ignore[attr-defined]


class StandingsOut(Schema):
    version: int
    computed_at: datetime | None = Field(
        description="Null if there are no standings yet."
    )
    frozen_as: str
    lines: list[StandingsLine] = Field(alias="rows_with_names")


class TeamLineOut(Schema):
    rank: int
    team: str = Field(
        alias="team.label",
        description="The team’s name, or its members’ or number if it has none.",
    )
    entries: list[int] = Field(description="The numbers of the members’ entries.")
    points: str = Field(
        description="An exact number: the sum of the members’ points in all stages."
    )
    missing: int = Field(
        alias="team.missing_count",
        description="The number of players missing to a full team.",
    )
    reason: str = Field(
        description="Why this line ranks ahead of the next, if both have the same points."
    )
    unconfirmed: UnconfirmedCount

    @staticmethod
    def resolve_entries(line: TeamStandingsLine) -> list[int]:
        return [row.entry.number for row in line.member_rows]

    @staticmethod
    def resolve_points(line: TeamStandingsLine) -> str:
        return str(line.points)


class RegistrationInput(BodySchema):
    is_open: StrictBool


class NameInput(SimilarNameAnswers):
    name: Name
    team: Name | None = Field(
        None, description="The name of a team, or of another player in it."
    )


class FinalInput(BodySchema):
    size: Annotated[int, Field(strict=True, ge=2, le=500)]


class ScreenInput(BodySchema):
    screen: Tournament.Screen
    standings_shown: Tournament.Visibility


class AnnouncementInput(BodySchema):
    text: Reason


class AnnouncementOut(Schema):
    id: int
    text: str
    made_at: datetime
    withdrawn_at: datetime | None


class LotsOut(Schema):
    drawn: int = Field(description="The number of entries that drew a lot.")


class StepOut(Schema):
    """A step of the autopilot. It is announced, then done unless someone holds it."""

    id: int
    kind: str = Field(
        description="`seat`, `start`, `last_hand`, `close`, `cut` or `finish`."
    )
    number: int = Field(description="The number of its round.")
    state: str = Field(
        description="`announced`, `held`, `done`, `undone` or `dropped`."
    )
    announced_at: datetime
    due_at: datetime
    done_at: datetime | None
    refused: str = Field(
        description="Why the step was refused; it is held until someone decides."
    )


operations = Operations("Tournaments", TournamentRequest)
club_operations = Operations("Tournaments", ClubRequest)


def build_valid_settings_form(
    body: SettingsInput, club: Club, tournament: Tournament | None = None
) -> Any:
    """Return a valid settings form with the given values; the others stay.

    Raises ProblemError, and RefusedError for more tie-breaks than the form has places for.
    """
    changes = body.model_dump(exclude_unset=True, exclude={"version"})
    initial = {"starts_at": timezone.now().replace(microsecond=0)}
    empty = TournamentForm(instance=tournament, initial={} if tournament else initial)
    tie_breaks = empty.fields["tie_breaks"]
    assert isinstance(tie_breaks, TieBreaksField)
    most_tie_breaks = len(tie_breaks.fields)
    if len(changes.get("tie_breaks") or ()) > most_tie_breaks:
        message = gettext("Choose at most %(most)s tie-breaks.") % {
            "most": most_tie_breaks
        }
        raise RefusedError("tie_breaks", message)
    data = form_data_with_changes(empty, changes)
    return require_valid_form(TournamentForm(data, instance=tournament, club=club))


SerializedTournament = dict[str, Any]
"""The values of a `TournamentOut`."""


def serialize_tournament(
    tournament: Tournament, warnings: list[str] | None = None
) -> SerializedTournament:
    """Return a tournament in the form of its schema; one query."""
    entry_count = tournament.entries.all().expected_or_present().count()
    columns = (*TournamentLine.model_fields, "version", "finished_at")
    return {
        **{name: getattr(tournament, name) for name in columns},
        "club": tournament.club.slug,
        "registration": tournament.registration_state(
            timezone.now(), entry_count
        ).value,
        "coming": entry_count,
        "settings": tournament,
        "warnings": warnings or [],
    }


def _serialize_reloaded_tournament(request: TournamentRequest) -> SerializedTournament:
    """Return the tournament of the request in its new state."""
    tournament = Tournament.objects.select_related("club").get(pk=request.tournament.pk)
    return serialize_tournament(tournament)


@club_operations.get("/tournaments", list[TournamentLine])
def tournaments(
    request: ClubRequest, query: Query[TournamentsQuery]
) -> QuerySet[Tournament]:
    """List the tournaments of a club, latest first.

    Everyone sees listed tournaments. Members also see drafts and unlisted ones.
    """
    listed = request.club.tournaments.all().visible_to(request.role)
    if query.listing == "archived":
        listed = request.club.tournaments.all()
    for name in ("listing", "phase", "game", "format"):
        if value := getattr(query, name):
            listed = listed.filter(**{name: value})
    return listed.order_by("-starts_at", "-pk")


@club_operations.post("/tournaments", TournamentOut, check_access=director, status=201)
def tournament_new(request: ClubRequest, body: SettingsInput) -> SerializedTournament:
    """Create a tournament."""
    lifecycle.check_club_not_archived(request.club)
    form = build_valid_settings_form(body, request.club)
    return serialize_tournament(form.save(), form.warnings)


@operations.get("", TournamentOut)
def tournament(request: TournamentRequest) -> SerializedTournament:
    """Get a tournament.

    Anyone with its address can read it. Drafts are visible to members only.
    """
    return serialize_tournament(request.tournament)


@operations.patch("", TournamentOut, check_access=director, problems=CONFLICT)
def tournament_change(
    request: TournamentRequest, body: SettingsPatch
) -> SerializedTournament:
    """Change the settings of a tournament. Omitted fields keep their values."""
    tournament = request.tournament
    if body.version is not None and body.version != tournament.version:
        message = gettext(
            "The tournament is now at version %(version)s. Fetch it again."
        )
        raise ProblemError("stale", message % {"version": tournament.version})
    form = build_valid_settings_form(body, request.club, tournament)
    changed = lifecycle.save_and_apply_settings(
        tournament=form.save(commit=False), fields=SETTINGS
    )
    changed.refresh_from_db(fields=["version"])
    return serialize_tournament(changed, form.warnings)


@operations.delete("", check_access=director)
def tournament_delete(request: TournamentRequest) -> None:
    """Delete a tournament in which nothing was played."""
    lifecycle.delete_unplayed_tournament(tournament_id=request.tournament.pk)


@operations.get("/standings", StandingsOut)
def standings(request: TournamentRequest) -> Any:
    """Get the current standings that the account may see."""
    tournament = request.tournament
    visible_standings = tournament.standings.all().find_visible(
        request.role, tournament
    )
    if visible_standings is None:
        return {
            "version": 0,
            "computed_at": None,
            "frozen_as": "",
            "rows_with_names": [],
        }

    def write() -> str:
        context = {"request": request.http}
        answer = StandingsOut.model_validate(visible_standings, context=context)
        return json.dumps(answer.model_dump(), cls=NinjaJSONEncoder)

    # Cached, since many programs poll it: serialized once for each state and language.
    state = (
        *visible_standings.display_state(tournament),
        *sorted(request.hidden_player_ids),
        get_language(),
    )
    key = sha256(repr(("standings", *state)).encode()).hexdigest()
    content = caches["drawn"].get_or_set(key, write, DAY)
    return HttpResponse(content, content_type="application/json; charset=utf-8")


@operations.get("/teams", list[TeamLineOut])
def teams(request: TournamentRequest) -> list[TeamStandingsLine]:
    """Get the standings of teams that follow from the current standings. Empty without teams."""
    tournament = request.tournament
    visible_standings = tournament.standings.all().find_visible(
        request.role, tournament
    )
    rows = visible_standings.rows_with_names() if visible_standings else []
    return team_lines(tournament, rows)


@operations.put("/registration", TournamentOut, check_access=scorer)
def registration(
    request: TournamentRequest, body: RegistrationInput
) -> SerializedTournament:
    """Open or close registration."""
    lifecycle.open_or_close_registration(
        tournament_id=request.tournament.pk,
        closed_at=None if body.is_open else request.now,
    )
    return _serialize_reloaded_tournament(request)


@operations.post(
    "/registrations",
    EntryOut,
    check_access=TournamentRequest.check_api_key_allows_club,
    scope=SCORE,
    status=201,
    problems=CONFLICT,
)
def register_self(request: TournamentRequest, body: NameInput) -> Entry:
    """Register a player while registration is open, as players do themselves.

    If all places are taken, the player joins the waiting list.
    """
    (name,) = resolve_names(request.club, [body.name], body.meant, field="name")
    return register(
        tournament_id=request.tournament.pk,
        name=name,
        now=request.now,
        team=body.team or "",
    )


@operations.post("/finish", TournamentOut, check_access=director)
def finish(request: TournamentRequest) -> SerializedTournament:
    """Finish a tournament. Its standings become final.

    Refused while a round is running. Draws of rounds that have not started are undone.
    """
    rounds.finish(
        tournament_id=request.tournament.pk,
        now=request.now,
        user=request.required_user,
    )
    return _serialize_reloaded_tournament(request)


@operations.post("/reopen", TournamentOut, check_access=director)
def reopen(request: TournamentRequest) -> SerializedTournament:
    """Reopen a finished tournament. Frozen standings stay frozen."""
    rounds.reopen(tournament_id=request.tournament.pk, user=request.required_user)
    return _serialize_reloaded_tournament(request)


@operations.post("/final", TournamentOut, check_access=director)
def cut(request: TournamentRequest, body: FinalInput) -> SerializedTournament:
    """Cut to a final of the best players, and draw it."""
    drawing.freeze_and_cut_to_final(
        tournament_id=request.tournament.pk,
        size=body.size,
        now=request.now,
        user=request.required_user,
    )
    return _serialize_reloaded_tournament(request)


@operations.post("/lots", LotsOut, check_access=director)
def lots(request: TournamentRequest) -> dict[str, int]:
    """Draw lots for all entries without one."""
    shuffle = SystemRandom().shuffle
    lot_count = results.draw_missing_lots(
        tournament_id=request.tournament.pk, shuffle=shuffle
    )
    return {"drawn": lot_count}


@operations.post("/count", TournamentOut, check_access=scorer)
def count(request: TournamentRequest) -> SerializedTournament:
    """Compute the standings now, without waiting for a worker."""
    results.clear_request_and_store_standings(
        tournament_id=request.tournament.pk, now=request.now
    )
    store_outlook_with_standings(
        tournament_id=request.tournament.pk, most_outcomes=IN_A_REQUEST
    )
    return _serialize_reloaded_tournament(request)


@operations.put("/screen", TournamentOut, check_access=director)
def screen(request: TournamentRequest, body: ScreenInput) -> SerializedTournament:
    """Set what the projector and the public see."""
    lifecycle.set_public_display(
        tournament_id=request.tournament.pk,
        screen=body.screen,
        standings=body.standings_shown,
    )
    return _serialize_reloaded_tournament(request)


@operations.post("/announcements", AnnouncementOut, check_access=scorer, status=201)
def announce(request: TournamentRequest, body: AnnouncementInput) -> Announcement:
    """Show an announcement on all phones and on the projector."""
    return announcements.announce(
        tournament_id=request.tournament.pk,
        text=body.text,
        user=request.required_user,
        now=request.now,
    )


@operations.post("/announcements/{key}/withdraw", AnnouncementOut, check_access=scorer)
def announcement_withdraw(request: TournamentRequest, key: Reference) -> Announcement:
    """Remove an announcement from the phones and the projector."""
    announcement = get_object_or_404(request.tournament.announcements, pk=key)
    return announcements.withdraw(announcement_id=announcement.pk, now=request.now)


step_operations = Operations("Autopilot", TournamentRequest)


@step_operations.get("/steps", list[StepOut], check_access=viewer)
def steps(request: TournamentRequest) -> QuerySet[AutoStep]:
    """List the autopilot steps of a tournament, latest first. Members only.

    The next step is announced or held.
    """
    return request.tournament.auto_steps.order_by("-pk")


@step_operations.post("/steps/{key}/acts/{verb}", StepOut, check_access=director)
def step_act(
    request: TournamentRequest, key: Reference, verb: Literal["hold", "now", "undo"]
) -> AutoStep:
    """Hold an announced step, do it now, or undo the last step that was done."""
    step = get_object_or_404(request.tournament.auto_steps, pk=key)
    match verb:
        case "hold":
            return autopilot.hold_step(step_id=step.pk, user=request.required_user)
        case "now":
            return autopilot.do_step_now(
                step_id=step.pk, user=request.required_user, now=request.now
            )
        case "undo":
            return autopilot.undo_step_and_hold_next(
                step_id=step.pk, user=request.required_user, now=request.now
            )
