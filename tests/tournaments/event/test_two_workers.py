"""Two workers and users act on one step of a night, each on its own connection."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from scoring.matchlog.append import MatchNotFoundError
from scoring.models import LogEntry, Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    enter_points,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_autopilot import Night
from tests.tournaments.event.test_lock_order import PATIENCE, wait_until_others_wait
from tournaments.changes import RefusedError
from tournaments.event import autopilot, entries, rounds
from tournaments.event.draw import draw
from tournaments.event.results import dispute, standings_differences
from tournaments.event.tables import choose_game_and_start_match
from tournaments.models import AutoStep, Entry, Tournament

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

Kind, State = AutoStep.Kind, Entry.State


def run_concurrently(rows: QuerySet[Any], *acts: Callable[[], Any]) -> Sequence[Any]:
    """Run acts in threads that all wait for the rows; return results or refusals."""

    def work(act: Callable[[], Any]) -> Any:
        try:
            return act()
        except (RefusedError, MatchNotFoundError) as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        with transaction.atomic():
            list(rows.select_for_update())
            futures = [threads.submit(work, act) for act in acts]
            wait_until_others_wait(len(acts))
        return [each.result(PATIENCE) for each in futures]


def night_before(kind: AutoStep.Kind, **settings: Any) -> tuple[Night, AutoStep]:
    """Return a night at the moment when a step of this kind is due, and the step."""
    options = {"rounds_planned": 1, "minutes": 20, "final_size": 4, **settings}
    night = Night(8, **options)
    while True:
        running = night.tournament.rounds.filter(state="running")
        playing = running.filter(tables__match__finished=False)
        if kind != Kind.LAST_HAND and (round_ := playing.first()):
            play_round(round_)
        step = night.run()
        assert step is not None
        night.now = step.due_at
        if step.kind == kind:
            return night, step


def autopilot_run(night: Night) -> Callable[[], Any]:
    return partial(
        autopilot.run_autopilot,
        tournament_id=night.tournament.pk,
        now=night.now,
    )


def step_row(step: AutoStep) -> QuerySet[AutoStep]:
    return AutoStep.objects.filter(pk=step.pk)


def matches(night: Night) -> QuerySet[Match]:
    return Match.objects.filter(table__round__tournament=night.tournament)


def times_done(night: Night, step: AutoStep) -> int:
    done_steps = night.tournament.auto_steps.filter(kind=step.kind, number=step.number)
    return done_steps.filter(state="done").count()


@pytest.mark.parametrize("kind", Kind)
def test_due_step_found_by_two_workers_runs_and_is_logged_once(
    kind: AutoStep.Kind,
) -> None:
    night, step = night_before(kind)
    run_concurrently(step_row(step), autopilot_run(night), autopilot_run(night))
    step.refresh_from_db()
    assert step.state == "done"
    assert night.tournament.auto_steps.filter(kind=kind).count() == 1
    numbers = list(night.tournament.rounds.values_list("number", flat=True))
    assert len(set(numbers)) == len(numbers)
    assert standings_differences(night.tournament) == []


def test_pausing_a_step_while_it_runs_pauses_it_or_fails() -> None:
    night, step = night_before(Kind.SEAT)
    hold = partial(autopilot.hold_step, step_id=step.pk, user=UserFactory.create())
    paused, _step = run_concurrently(step_row(step), hold, autopilot_run(night))
    is_seated = night.tournament.rounds.filter(state="published").exists()
    assert is_seated == isinstance(paused, RefusedError)
    assert times_done(night, step) == is_seated


def test_step_paused_while_its_time_moves_stays_paused() -> None:
    night, step = night_before(Kind.SEAT)
    later = night.now + timedelta(minutes=5)
    Tournament.objects.filter(pk=night.tournament.pk).update(starts_at=later)
    hold = partial(autopilot.hold_step, step_id=step.pk, user=UserFactory.create())
    paused, _step = run_concurrently(step_row(step), hold, autopilot_run(night))
    is_held = night.tournament.auto_steps.held_or_announced().get().state == "held"
    assert is_held != isinstance(paused, RefusedError)


def test_bringing_a_running_step_forward_runs_it_once() -> None:
    night, step = night_before(Kind.SEAT)
    do_step_now = partial(
        autopilot.do_step_now,
        step_id=step.pk,
        user=UserFactory.create(),
        now=night.now,
    )
    run_concurrently(step_row(step), do_step_now, autopilot_run(night))
    assert times_done(night, step) == 1
    assert night.tournament.rounds.get(number=1).state == "published"


def test_undoing_a_step_while_the_next_runs_yields_one_of_both() -> None:
    night, step = night_before(Kind.START)
    seating_step = night.tournament.auto_steps.done_or_undone()[0]
    undo = partial(
        autopilot.undo_step_and_hold_next,
        step_id=seating_step.pk,
        user=UserFactory.create(),
        now=night.now,
    )
    undone, _step = run_concurrently(matches(night), undo, autopilot_run(night))
    running_rounds = night.tournament.rounds.filter(state="running")
    assert running_rounds.exists() == isinstance(undone, RefusedError)
    assert times_done(night, step) == running_rounds.count()


def test_first_hand_sent_while_the_round_starts_is_stored() -> None:
    night, step = night_before(Kind.START)
    match = matches(night).order_by("pk")[0]
    enter_hand = partial(enter_points, match, [9, 5, 3, 1])
    run_concurrently(matches(night), enter_hand, autopilot_run(night))
    match.refresh_from_db()
    assert match.version
    assert times_done(night, step) == 1


def test_first_hand_sent_while_seats_are_withdrawn_keeps_them() -> None:
    night, _step = night_before(Kind.START)
    seating_step = night.tournament.auto_steps.done_or_undone()[0]
    match = matches(night).order_by("pk")[0]
    enter_hand = partial(enter_points, match, [9, 5, 3, 1])
    undo = partial(
        autopilot.undo_step_and_hold_next,
        step_id=seating_step.pk,
        user=UserFactory.create(),
        now=night.now,
    )
    entered, undone = run_concurrently(matches(night), enter_hand, undo)
    assert isinstance(entered, MatchNotFoundError) != isinstance(undone, RefusedError)


def test_dispute_while_the_round_closes_waits_for_a_person() -> None:
    night, step = night_before(Kind.CLOSE)
    table = night.round(1).tables.order_by("pk")[0]
    dispute_table = partial(dispute, table_id=table.pk, now=night.now)
    run_concurrently(matches(night), dispute_table, autopilot_run(night))
    closed_round = night.round(1)
    assert (closed_round.state == "closed") == times_done(night, step)
    # No dispute was overridden.
    assert closed_round.override == ""


@pytest.mark.parametrize("state", [State.DROPPED, State.PRESENT])
def test_arrivals_and_drops_during_a_draw_apply_now_or_next(
    state: Entry.State,
) -> None:
    night, step = night_before(Kind.SEAT)
    entry = night.tournament.entries.get(number=1)
    if state == State.PRESENT:
        entries.set_state(entry_id=entry.pk, state=State.EXPECTED)
    set_state = partial(entries.set_state, entry_id=entry.pk, state=state)
    run_concurrently(
        Tournament.objects.filter(pk=night.tournament.pk),
        set_state,
        autopilot_run(night),
    )
    assert times_done(night, step) == 1
    night.run()
    entry.refresh_from_db()
    assert entry.state == state
    is_seated = night.round(1).places.filter(entry=entry).exists()
    assert state == State.PRESENT or not is_seated


def test_round_that_two_workers_open_and_start_has_one_match_a_table() -> None:
    tournament = tournament_with(8, table_size=4, rounds_planned=1)
    draw(tournament_id=tournament.pk)
    (round_,) = tournament.rounds.all()
    acts = [
        partial(act, round_id=round_.pk, now=NOW)
        for act in (rounds.publish_and_open_pads, rounds.start)
    ]
    outcomes = run_concurrently(Tournament.objects.filter(pk=tournament.pk), *acts * 2)
    assert not [each for each in outcomes if isinstance(each, Exception)]
    assert Match.objects.count() == round_.tables.count() == 2
    assert round_.tables.matches().count() == 2


def test_concurrent_game_choices_start_one_match() -> None:
    tournament = tournament_with(4, rounds_planned=1, game_choice="table")
    table = running_round(tournament).tables.get()
    acts = [
        partial(choose_game_and_start_match, table_id=table.pk, game=game, now=NOW)
        for game in ("tricky_bid", "db2t")
    ]
    outcomes = run_concurrently(Tournament.objects.filter(pk=tournament.pk), *acts)
    (refusal,) = [each for each in outcomes if isinstance(each, Exception)]
    assert "Another phone" in str(refusal)
    table.refresh_from_db()
    assert Match.objects.get() == table.match


def test_game_choice_while_the_round_closes_starts_no_match() -> None:
    tournament = tournament_with(4, rounds_planned=1, game_choice="table")
    round_ = running_round(tournament)
    (table,) = round_.tables.all()
    close = partial(rounds.close, round_id=round_.pk, now=NOW, override="late")
    choose = partial(
        choose_game_and_start_match, table_id=table.pk, game="tricky_bid", now=NOW
    )
    outcomes = run_concurrently(
        Tournament.objects.filter(pk=tournament.pk), close, choose
    )
    round_.refresh_from_db()
    assert round_.state == "closed"
    is_refused = isinstance(outcomes[1], RefusedError)
    assert Match.objects.exists() != is_refused


def test_concurrent_disputes_are_both_stored() -> None:
    tournament = tournament_with(4)
    round_ = running_round(tournament)
    play_round(round_)
    table = round_.tables.get()
    moments = [NOW, NOW + timedelta(milliseconds=1)]
    acts = [partial(dispute, table_id=table.pk, now=moment) for moment in moments]
    run_concurrently(Match.objects.filter(table=table), *acts)
    table.refresh_from_db()
    assert table.disputed
    assert table.called_at not in moments
    assert LogEntry.objects.filter(match=table.match, kind="dispute").count() == 2
