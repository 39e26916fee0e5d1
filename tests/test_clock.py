"""Everything still works after the machine's clock jumps by an hour."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.core import ratelimit
from celery.beat import ScheduleEntry
from celery.schedules import BaseSchedule, crontab, schedule
from django.core.cache import caches
from django.test import Client, RequestFactory, TestCase
from django.utils import timezone

from scoring.limits import count_call
from scoring.queue import wait_for_background
from tests.factories.hooks import new_webhook
from tests.factories.tournaments import ClubFactory, UserFactory, tournament_with
from tests.versions import database_caches
from tournaments.event import autopilot
from tournaments.hooks.delivery import LEASE, PAUSES
from tournaments.hooks.webhooks import create_test_event
from tournaments.models import AutoStep, Delivery, Guesses, Tournament
from tournaments.tasks import recompute_standings_and_follow_up, request_standings
from tournaments.web.account.sessions import MARK
from tricky_site.beat import MAX_SLEEP_SECONDS, ClockTolerantScheduler
from tricky_site.celery import app

HOUR = timedelta(hours=1)
BOTH_WAYS = pytest.mark.parametrize("jump", [HOUR, -HOUR], ids=["forward", "back"])


class RecordingScheduler(ClockTolerantScheduler):
    """Scheduler that records due entries instead of running them."""

    def __init__(self, *entries: ScheduleEntry) -> None:
        super().__init__(app, schedule={}, lazy=True)
        self.data = {entry.name: entry for entry in entries}
        self.ran: list[str] = []

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        self.ran.append(entry.name)

    def tick_all(self) -> float:
        """Tick until nothing is due; return the seconds until the next tick."""
        for _entry in range(10):
            if seconds := self.tick():
                return seconds
        raise AssertionError("it never rests")


def entry_of(name: str, interval: BaseSchedule, last_run_at: datetime) -> ScheduleEntry:
    return ScheduleEntry(
        name=name, task=name, schedule=interval, last_run_at=last_run_at, app=app
    )


@BOTH_WAYS
def test_beat_continues_at_once_after_a_clock_jump(jump: timedelta) -> None:
    # Entries that just ran, by the clock before the jump.
    before = datetime.now(UTC) - jump
    beat = RecordingScheduler(
        entry_of("nights", schedule(5, app=app), before),
        entry_of("sweep", schedule(60, app=app), before),
        entry_of("nightly", crontab(hour=(before.hour + 12) % 24, app=app), before),
    )
    assert beat.tick_all() <= MAX_SLEEP_SECONDS
    assert sorted(beat.ran) == ["nights", "sweep"]


@BOTH_WAYS
@pytest.mark.django_db
def test_standings_are_requested_again_after_a_clock_jump(
    jump: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = tournament_with(4)
    sent: list[int] = []
    monkeypatch.setattr(
        recompute_standings_and_follow_up,
        "apply_async",
        lambda args, **_options: sent.append(args[0]),
    )
    Tournament.objects.update(asked_at=timezone.now() - jump)
    request_standings_in_commit(tournament.pk)
    wait_for_background()
    assert sent == [tournament.pk]


def request_standings_in_commit(tournament_id: int) -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        request_standings(tournament_id)


@BOTH_WAYS
@pytest.mark.django_db
def test_autopilot_announces_its_step_again_after_a_clock_jump(
    jump: timedelta,
) -> None:
    now = timezone.now()
    night = tournament_with(8, autopilot="run", starts_at=now - 3 * HOUR)
    announced = autopilot.run_autopilot(tournament_id=night.pk, now=now)
    assert announced is not None
    later = now + jump + timedelta(seconds=5)
    step = autopilot.run_autopilot(tournament_id=night.pk, now=later)
    assert step is not None
    assert step.state == AutoStep.State.ANNOUNCED
    assert timedelta() < step.due_at - later <= timedelta(minutes=2)
    assert not night.rounds.exists()
    autopilot.run_autopilot(
        tournament_id=night.pk, now=step.due_at + timedelta(seconds=1)
    )
    assert night.rounds.exists()


@BOTH_WAYS
def test_rate_limit_survives_a_clock_jump(
    jump: timedelta,
) -> None:
    caches["default"].clear()
    now = time.time()
    calls = [count_call("network:x", most=3, now=now) for _call in range(3)]
    assert not calls[-1].is_exceeded
    after_jump = count_call("network:x", most=3, now=now + jump.total_seconds())
    assert not after_jump.is_exceeded
    assert after_jump.resets_in <= 60


@contextmanager
def clock_before(jump: timedelta) -> Iterator[None]:
    """Shift time.time() within the block, so that its end is a jump of the clock."""
    clock = time.time
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "time", lambda: clock() - jump.total_seconds())
        yield


@pytest.mark.django_db
def test_sign_in_limit_ends_when_the_clock_is_set_back(
    rf: RequestFactory, settings: Any
) -> None:
    settings.CACHES = database_caches(settings)
    request = rf.post("/accounts/login/")

    def may_try() -> bool:
        key = "late@example.org:127.0.0.1"
        return bool(ratelimit.consume(request, action="login_failed", key=key))

    with clock_before(-HOUR):
        attempts_allowed = [may_try() for _attempt in range(30)]
        assert attempts_allowed[0]
        assert not attempts_allowed[-1]
    assert may_try()


@BOTH_WAYS
@pytest.mark.django_db
def test_wrong_code_limit_survives_a_clock_jump(jump: timedelta) -> None:
    now = timezone.now()
    for _code in range(3):
        Guesses.objects.record_wrong_code("somebody", HOUR, now - jump)
    assert Guesses.objects.count_wrong_codes("somebody", HOUR, now - jump) == 3
    assert Guesses.objects.count_wrong_codes("somebody", HOUR, now) == 0
    Guesses.objects.record_wrong_code("somebody", HOUR, now)
    assert Guesses.objects.count_wrong_codes("somebody", HOUR, now) == 1


def failed_delivery(attempts: int, tried_at: datetime) -> Delivery:
    """Return a delivery that failed `attempts` times, the last time at `tried_at`."""
    hook = new_webhook(ClubFactory.create())
    create_test_event(hook=hook, now=tried_at)
    pause = PAUSES[attempts - 1] if attempts else timedelta()
    last_at = tried_at if attempts else None
    hook.deliveries.update(attempts=attempts, last_at=last_at, due_at=tried_at + pause)
    return hook.deliveries.get()


@BOTH_WAYS
@pytest.mark.django_db
@pytest.mark.parametrize("attempts", [0, 1, 3])
def test_overdue_webhook_is_sent_at_once_after_a_clock_jump(
    jump: timedelta, attempts: int
) -> None:
    now = timezone.now()
    delivery = failed_delivery(attempts, now - jump)
    assert delivery in Delivery.objects.due(now)
    # Another process doesn't send it at the same time.
    Delivery.objects.update(due_at=now + LEASE)
    assert delivery not in Delivery.objects.due(now)


@BOTH_WAYS
@pytest.mark.django_db
def test_sign_in_survives_a_clock_jump(jump: timedelta, client: Client) -> None:
    client.force_login(UserFactory.create())
    client.get("/clubs/mine/")
    session = client.session
    moment = int(time.time() - jump.total_seconds())
    session[MARK] = {**session[MARK], "began": moment, "used": moment}
    session.save()
    page = client.get("/accounts/email/", headers={"accept": "text/html"})
    assert page.status_code == 200
