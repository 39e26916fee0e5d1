"""The clock of the machine is put forward or back by an hour: what depends on it goes on."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery.beat import ScheduleEntry
from celery.schedules import BaseSchedule, crontab, schedule
from django.core.cache import caches
from django.test import Client, TestCase
from django.utils import timezone

from scoring.limits import count_call
from scoring.queue import until_sent
from tests.factories.tournaments import UserFactory, tournament_with
from tournaments.event.autopilot import steps
from tournaments.models import AutoStep, Tournament
from tournaments.tasks import ask_for_standings, recompute_standings
from tournaments.web.signed_in import MARK
from tricky_site.beat import LOOKS_EVERY, SteadyScheduler
from tricky_site.celery import app

HOUR = timedelta(hours=1)
BOTH_WAYS = pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])


class Ran(SteadyScheduler):
    """Notes what is due instead of running it."""

    def __init__(self, *entries: ScheduleEntry) -> None:
        super().__init__(app, schedule={}, lazy=True)
        self.data = {entry.name: entry for entry in entries}
        self.ran: list[str] = []

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        self.ran.append(entry.name)

    def tick_all(self) -> float:
        """Look until nothing more is due; return in how many seconds it looks again."""
        for _entry in range(10):
            if seconds := self.tick():
                return seconds
        raise AssertionError("it never rests")


def entry_of(name: str, rhythm: BaseSchedule, last_run_at: datetime) -> ScheduleEntry:
    return ScheduleEntry(
        name=name, task=name, schedule=rhythm, last_run_at=last_run_at, app=app
    )


@BOTH_WAYS
def test_the_beat_goes_on_at_once(jump: timedelta) -> None:
    # What ran just now by the clock of before.
    before = datetime.now(UTC) - jump
    beat = Ran(
        entry_of("nights", schedule(5, app=app), before),
        entry_of("sweep", schedule(60, app=app), before),
        entry_of("nightly", crontab(hour=(before.hour + 12) % 24, app=app), before),
    )
    assert beat.tick_all() <= LOOKS_EVERY
    assert sorted(beat.ran) == ["nights", "sweep"]


def test_the_beat_goes_on_where_the_clock_is_put_back_while_it_runs() -> None:
    now = datetime.now(UTC)
    beat = Ran(entry_of("nights", schedule(5, app=app), now - timedelta(seconds=9)))
    beat.tick_all()
    assert beat.ran == ["nights"]
    [entry] = beat.data.values()
    entry.last_run_at = datetime.now(UTC) + HOUR
    beat.tick_all()
    assert beat.ran == ["nights"] * 2


@BOTH_WAYS
@pytest.mark.django_db
def test_standings_that_were_asked_for_before_are_asked_for_again(
    jump: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = tournament_with(4)
    sent: list[int] = []
    monkeypatch.setattr(
        recompute_standings,
        "apply_async",
        lambda args, **_head: sent.append(args[0]),
    )
    Tournament.objects.update(asked_at=timezone.now() - jump)
    with_commit(tournament.pk)
    until_sent()
    assert sent == [tournament.pk]


def with_commit(tournament_id: int) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        ask_for_standings(tournament_id)


@BOTH_WAYS
@pytest.mark.django_db
def test_a_night_announces_its_step_anew_and_does_nothing_unannounced(
    jump: timedelta,
) -> None:
    now = timezone.now()
    night = tournament_with(8, autopilot="run", starts_at=now - 3 * HOUR)
    announced = steps.run(tournament_id=night.pk, now=now)
    assert announced is not None
    later = now + jump + timedelta(seconds=5)
    stands = steps.run(tournament_id=night.pk, now=later)
    assert stands is not None
    assert stands.state == AutoStep.State.ANNOUNCED
    assert timedelta() < stands.due_at - later <= timedelta(minutes=2)
    assert not night.rounds.exists()
    steps.run(tournament_id=night.pk, now=stands.due_at + timedelta(seconds=1))
    assert night.rounds.exists()


@BOTH_WAYS
def test_whoever_was_within_a_limit_is_refused_for_no_longer_than_it_lasts(
    jump: timedelta,
) -> None:
    caches["default"].clear()
    now = time.time()
    spent = [count_call("network:x", most=3, now=now) for _call in range(3)]
    assert not spent[-1].is_over
    after = count_call("network:x", most=3, now=now + jump.total_seconds())
    assert not after.is_over
    assert after.resets_in <= 60


@BOTH_WAYS
@pytest.mark.django_db
def test_who_is_signed_in_stays_so(jump: timedelta, client: Client) -> None:
    client.force_login(UserFactory.create())
    client.get("/clubs/mine/")
    session = client.session
    moment = int(time.time() - jump.total_seconds())
    session[MARK] = {**session[MARK], "began": moment, "used": moment}
    session.save()
    page = client.get("/accounts/email/", headers={"accept": "text/html"})
    assert page.status_code == 200
