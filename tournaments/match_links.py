"""What the pages of a match say of the tournament that it belongs to."""

from dataclasses import replace
from datetime import datetime

from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext as _

from scoring.models import Match
from scoring.notices import Notice
from scoring.rules import MatchState
from scoring.signals import (
    change_asked,
    change_previewed,
    director_called,
    hand_corrected,
    match_agreed,
    match_shown,
    seat_taken,
)
from tournaments.models import Club, Place, Role, Round, Table
from tournaments.operations.results import agree, call_director
from tournaments.results import stages_of
from tournaments.standings import Event, TableResult, staged_standings


@receiver(match_shown)
def table_of_match(
    sender: type[Match], match: Match, **_told: object
) -> list[Notice] | None:
    """Return the table where the match is played, its clock, and what is announced."""
    table = (
        Table.objects.filter(match=match).select_related("round__tournament").first()
    )
    if table is None:
        return None
    one, tournament = table.round, table.round.tournament
    words = _("Table %(number)s · %(name)s: agree, or call the director")
    running = one.state == Round.State.RUNNING
    where = Notice(
        words=words % {"number": table.number, "name": tournament.name},
        address=reverse(
            "tournaments:table", args=[tournament.address, one.number, table.number]
        ),
        ends_at=table.ends_at if running else None,
        paused_at=one.paused_at,
    )
    return [where, *_said(table)]


def _said(table: Table) -> list[Notice]:
    said = [
        Notice(words=announcement.text, urgent=True)
        for announcement in table.round.tournament.announcements.standing()
    ]
    if table.round.last_hand_at and table.round.state == Round.State.RUNNING:
        last = _("Last hand: finish this one, begin no other.")
        said.insert(0, Notice(words=last, urgent=True))
    return said


@receiver(match_agreed)
def player_agrees(
    sender: type[Match], match: Match, seat: int, now: datetime, **_told: object
) -> None:
    """Let the player at a seat agree to the table's result."""
    for place in Place.objects.filter(table__match=match, index=seat):
        agree(place_id=place.pk, now=now)


@receiver(hand_corrected)
def players_look_again(sender: type[Match], match: Match, **_told: object) -> None:
    """Let nobody have agreed to a result that was corrected since."""
    Place.objects.filter(table__match=match).update(agreed_at=None)


@receiver(seat_taken)
def newcomer_looks_first(
    sender: type[Match], match: Match, seat: int, **_told: object
) -> None:
    """Let nobody agree by what whoever sat there before them agreed to."""
    Place.objects.filter(table__match=match, index=seat).update(agreed_at=None)


@receiver(director_called)
def table_calls(
    sender: type[Match], match: Match, now: datetime, **_told: object
) -> None:
    """Let the director see at which table a rule was broken."""
    for table in Table.objects.filter(match=match):
        call_director(table_id=table.pk, now=now)


@receiver(change_asked)
def scorers_change_what_is_closed(
    sender: type[Match], match: Match, user: object, **_told: object
) -> bool:
    """Let those who settle the club's tables change a match of a finished tournament."""
    club = Club.objects.filter(tournaments__rounds__tables__match=match).first()
    role = club.role_of(user) if club else None
    return role is not None and role >= Role.SCORER


@receiver(change_previewed)
def ranks_after_change(
    sender: type[Match],
    match: Match,
    state: MatchState,
    **_told: object,
) -> list[str]:
    """Return how a change would move the ranks, and which seatings stay all the same."""
    table = (
        Table.objects.with_people()
        .select_related("round__tournament")
        .filter(match=match)
        .first()
    )
    if table is None or table.void:
        return []
    stages = stages_of(table.round.tournament)
    changed = [
        _with_state(event, table, state) if stage == table.round.stage else event
        for stage, event in enumerate(stages)
    ]
    before = {row.player: row.rank for row in staged_standings(stages)}
    after = {row.player: row.rank for row in staged_standings(changed)}
    moved = [
        _("%(name)s: rank %(before)s becomes %(after)s.")
        % {
            "name": place.entry.name,
            "before": before[str(place.entry_id)],
            "after": after[str(place.entry_id)],
        }
        for place in table.places.all()
        if before.get(str(place.entry_id)) != after.get(str(place.entry_id))
        and str(place.entry_id) in before
    ]
    return moved + (_kept_seatings(table) if moved else [])


def _with_state(event: Event, table: Table, state: MatchState) -> Event:
    """Return the event with other scores at a table; without them where none count."""
    number = (
        table.number if table.round.tournament.is_league else table.round.number,
        table.number,
    )
    others = [one for one in event.tables if (one.round, one.table) != number]
    if not state.finished and len(others) == len(event.tables):
        return event
    scores = {
        str(place.entry_id): state.totals[place.index] for place in table.places.all()
    }
    result = TableResult(
        round=number[0], table=number[1], scores=scores, finished=state.finished
    )
    return replace(event, tables=[*others, result])


def _kept_seatings(table: Table) -> list[str]:
    later = table.round.tournament.rounds.filter(number__gt=table.round.number).exclude(
        state=Round.State.DRAWN
    )
    return [
        _("The seating of round %(number)s is published and stays as it is.")
        % {"number": one.number}
        for one in later
    ]
