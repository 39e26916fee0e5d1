"""No action of the desk reports success if it changed nothing."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.contrib.messages import SUCCESS, get_messages
from django.db import connection, transaction
from django.db.models import Model
from django.urls import URLPattern

from scoring.matchlog.commands import CommandAuthor
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    match_of,
    member,
    play_round,
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin
from tests.tournaments.web.pages import at
from tournaments.event import rounds
from tournaments.event.desk.announcements import announce
from tournaments.event.draw import draw
from tournaments.event.results import (
    add_penalty,
    confirm_disputed_result_or_end_call,
    dispute,
    set_void,
)
from tournaments.models import Entry, Role, Tournament
from tournaments.web.urls import desk_urls

pytestmark = pytest.mark.django_db

ROUND_VERBS = (
    *("publish", "start", "close", "cancel", "agree", "reopen"),
    *("longer", "pause", "resume", "last_hand"),
)
TABLE_VERBS = (*("more_time", "settle", "answer", "seen", "agree", "void", "restore"),)
READ_ONLY_ROUTES = {
    *("desk", "desk_live", "pace", "slips", "provisional_standings"),
    *("entries_live", "entries_table", "night_log", "night_log_table"),
}
"""Routes of the desk that change nothing."""
UNREPEATABLE_ROUTES = {"announce", "penalties", "desk_subscribe", "tournament_delete"}
"""Routes that create or delete something each time."""


class Case(NamedTuple):
    """An action of the desk and its form data."""

    name: str
    args: tuple[object, ...] = ()
    data: dict[str, Any] = {}


def cases(tournament: Tournament) -> Iterator[Case]:
    """Yield every action of the desk, whether or not it fits the state of the tournament."""
    first, second = tournament.entries.by_number()[:2]
    yield from map(
        Case, ("draw", "draw_restore", "reopen", "tie_break_draw", "count_standings")
    )
    names = list(tournament.entries.by_number().values_list("name", flat=True))
    seating = "\n".join(";".join(names[place : place + 4]) for place in (0, 4))
    yield Case("own_seating", (), {"seating": seating, "confirm": "1"})
    teams = {f"team-{first.number}": "Foxes", f"team-{second.number}": "Foxes"}
    yield Case("teams", (), {**teams, "save": "1"})
    yield Case("teams", (), {"draw": "1"})
    yield Case("teams", (), {"dissolve": "1", "sure": "1"})
    seeds = {"seeding": "hand", "seed_pattern": "pots", "rank_1": "2"}
    yield Case("seeding", (), seeds)
    yield Case("finish")
    yield Case("cut", (), {"size": 4})
    for listing in ("listed", "archived"):
        yield Case("listing", (), {"listing": listing})
    for verb in ("open", "close"):
        yield Case("registration", (verb,))
    yield Case("screen", (), {"screen": "turns", "standings_shown": "live"})
    pair = {"entry": first.pk, "other": second.pk}
    yield Case("keep_entries_apart", (), pair)
    yield Case("keep_entries_apart", (), {**pair, "meet": "1"})
    yield Case("check_in_expected")
    yield Case("entries", (), {"names": f"{first.name}\n{second.name}"})
    yield Case("entries", (), {"names": first.name, "here": "on"})
    yield Case("entries", (), {"asked": ["Nobody"], "who-0": "new"})
    for state in Entry.State.values:
        yield Case("entry_action", (1,), {"state": state})
    yield Case("entry_seat", (1,))
    yield Case("entry_substitute", (1,), {"name": first.name, "from_hand": "1"})
    yield Case("entry_edit", (1,), {"name": first.name})
    yield Case("entry_edit", (1,), {"remove": "1"})
    yield Case("penalty_cancel", (tournament.penalties.get().pk,))
    yield Case("announcement_withdraw", (tournament.announcements.get().pk,))
    for step in tournament.auto_steps.all():
        for verb in ("hold", "now", "undo"):
            yield Case("auto_step_action", (step.pk, verb))
    for round_ in tournament.rounds.all():
        for verb in ROUND_VERBS:
            yield Case("round_action", (round_.number, verb))
        yield Case("round_action", (round_.number, "close"), {"override": "late"})
        yield Case("round_action", (round_.number, "game"), {"game": tournament.game})
        yield Case("round_action", (round_.number, "swap"), pair)
        table = round_.tables.order_by("number")[0]
        table_args = (round_.number, table.number)
        for verb in TABLE_VERBS:
            yield Case("desk_table_action", (*table_args, verb))
        seats = {f"seat_{place.index}": place.entry_id for place in table.places.all()}
        key = "0b0b0b0b-0000-4000-8000-000000000000"
        fields = {
            "key": key,
            "from_hand": 1,
            "reason": "they sat in different seats",
        }
        yield Case("table_seats", table_args, {**seats, **fields})


STAGES = (
    *("opened", "published", "started", "disputed", "closed", "finished", "swiss"),
    *("league", "finished league"),
)


def night(stage: str) -> Tournament:
    """Return a night at a stage; at *swiss*, its second round is drawn from results."""
    swiss = {"format": "swiss"} if stage == "swiss" else {}
    tournament = tournament_with(8, rounds_planned=2, quorum="all", **swiss)
    _add_details(tournament)
    if stage == "published":
        draw(tournament_id=tournament.pk)
        rounds.publish_and_open_pads(
            round_id=tournament.rounds.get(number=1).pk, now=NOW
        )
    if stage in ("opened", "published"):
        return tournament
    round_ = running_round(tournament)
    table = round_.tables.order_by("number")[0]
    if stage == "started":
        enter_points(match_of(table), [9, 5, 3, 1])
        return tournament
    play_round(round_)
    if stage == "disputed":
        dispute(table_id=table.pk, now=NOW)
    else:
        rounds.close(round_id=round_.pk, now=NOW, override="late")
    if stage == "swiss":
        draw(tournament_id=tournament.pk)
    if stage == "finished":
        rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


def league(*, is_finished: bool) -> Tournament:
    """Return a league with a void match and a disputed one, which is settled if the league is finished."""
    tournament = tournament_with(8, rounds_planned=2, quorum="all", format="league")
    _add_details(tournament)
    names = list(tournament.entries.values_list("name", flat=True))
    void, other = (begin(tournament, names[:4]) for _number in range(2))
    for table in (void, other):
        play_table(table, [9, 5, 3, 1])
    set_void(table_id=void.pk, void=True)
    dispute(table_id=other.pk, now=NOW)
    if is_finished:
        confirm_disputed_result_or_end_call(
            table_id=other.pk, author=CommandAuthor(name="Di"), now=NOW
        )
        rounds.close(round_id=other.round_id, now=NOW, override="The season is over.")
        rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


DERIVED_FIELDS = {"version", "counted_version", "asked_at", "waiting_since"}
"""Internal fields that no page shows."""


def stored_rows() -> dict[str, list[dict[str, object]]]:
    """Return all rows of clubs and matches, without derived fields."""
    models: list[type[Model]] = [
        model
        for app in ("tournaments", "scoring")
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
    ]
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name not in DERIVED_FIELDS}
            for row in model._default_manager.order_by("pk").values()
        ]
        for model in models
    }


def test_knows_every_action_of_the_desk() -> None:
    tournament = night("closed")
    tournament.auto_steps.create(kind="seat", number=2, announced_at=NOW, due_at=NOW)
    case_names = {case.name for case in cases(tournament)}
    routes = {route.name for route in desk_urls if isinstance(route, URLPattern)}
    assert routes - READ_ONLY_ROUTES - UNREPEATABLE_ROUTES - {"settings"} == case_names


def _add_details(tournament: Tournament) -> None:
    add_penalty(
        entry=tournament.entries.get(number=3),
        points="1",
        reason="late",
        user=member(tournament.club, Role.DIRECTOR),
        now=NOW,
    )
    announce(tournament_id=tournament.pk, text="Soup is ready", user=None, now=NOW)


@pytest.mark.parametrize("stage", STAGES)
def test_no_action_reports_a_change_it_did_not_make(stage: str) -> None:
    is_finished = stage == "finished league"
    tournament = (
        league(is_finished=is_finished) if stage.endswith("league") else night(stage)
    )
    client = signed_in(tournament.club, Role.DIRECTOR)
    silent, false_claims, initial = [], [], stored_rows()
    for case in cases(tournament):
        url = at(case.name, tournament, *case.args)
        before = initial
        with transaction.atomic():
            for time in ("once", "twice"):
                client.cookies.pop("messages", None)
                rows_written = connection.connection.total_changes
                response = client.post(url, {**case.data, "sure": "1"})
                assert response.status_code < 500, (case, time)
                shown_messages = list(get_messages(response.wsgi_request))
                is_written = connection.connection.total_changes != rows_written
                after = stored_rows() if is_written else before
                if response.status_code == HTTPStatus.FOUND and not shown_messages:
                    silent.append((case, time))
                claims = [m.message for m in shown_messages if m.level == SUCCESS]
                if claims and after == before:
                    false_claims.append((case, time, claims))
                if not is_written:
                    # The second time finds the same state.
                    break
                before = after
            transaction.set_rollback(True)
    assert silent == []
    assert false_claims == []
