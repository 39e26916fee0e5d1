"""Values cached in a process for pages are never used once they are outdated."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from scoring.competition import competition
from scoring.matchlog.commands import CommandAuthor
from scoring.models import Match
from scoring.pages.sheet import match_notices
from scoring.versions import SITE, cache, match_topic, renew_versions
from scoring.versions.cache import LIFETIME, VersionedCache
from tests.factories.tournaments import (
    enter_points,
    own_phone,
    play_table,
    running_round,
    tournament_with,
)
from tests.versions import caches_with, versions
from tournaments.changes import RefusedError
from tournaments.event import entries, results, rounds
from tournaments.event.desk import announcements
from tournaments.event.desk.overview import read_desk
from tournaments.models import Entry, Place, Table, Tournament

__all__ = ["versions"]
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("versions"),
]


class CountingReader:
    """A cache of a value of matches, which counts the loads."""

    def __init__(self) -> None:
        self.values = VersionedCache[str, int](lambda match: [match_topic(match)])
        self.loads: list[Sequence[str]] = []

    def get(self, *matches: str) -> list[int]:
        """Return the value of each match: the number of loads when it was loaded."""
        values = self.values.get_or_load_many(matches, self._read)
        return [values[match] for match in matches]

    def _read(self, matches: Sequence[str]) -> dict[str, int]:
        self.loads.append(matches)
        return dict.fromkeys(matches, len(self.loads))


@pytest.fixture
def reader() -> CountingReader:
    renew_versions(match_topic("a"), match_topic("b"))
    return CountingReader()


def test_reloads_only_values_a_commit_changed(reader: CountingReader) -> None:
    assert [reader.get("a", "b"), reader.get("b")] == [[1, 1], [1]]
    renew_versions(match_topic("b"))
    assert reader.get("a", "b") == [1, 2]
    assert reader.loads == [["a", "b"], ["b"]]


def test_a_commit_while_a_value_is_loaded_is_not_missed(reader: CountingReader) -> None:
    load: Callable[[], int] = partial(renew_versions, match_topic("a"))  # type: ignore[assignment]
    reader.values.get_or_load("a", load)
    assert reader.get("a") == [1]


def test_loads_everything_in_a_transaction(reader: CountingReader) -> None:
    with transaction.atomic():
        assert [reader.get("a"), reader.get("a")] == [[1], [2]]
    assert reader.get("a") == [3]


def test_loads_again_when_stale(
    reader: CountingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    reader.get("a")
    now[0] += LIFETIME - 1
    assert reader.get("a") == [1]
    now[0] += 2
    assert reader.get("a") == [2]


def test_a_full_cache_is_emptied(
    reader: CountingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MAX_VALUES", 1)
    assert [reader.get("a"), reader.get("a"), reader.get("b"), reader.get("a")] == [
        [1],
        [1],
        [2],
        [3],
    ]


def test_loads_each_time_without_redis(reader: CountingReader, settings: Any) -> None:
    dummy = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
    settings.CACHES = caches_with(settings, dummy)
    assert [reader.get("a"), reader.get("a")] == [[1], [2]]


def test_loads_again_if_the_versions_are_forgotten() -> None:
    values = VersionedCache[int, int](lambda _key: [SITE])
    assert [values.get_or_load(1, lambda: 1), values.get_or_load(1, lambda: 2)] == [
        1,
        1,
    ]
    caches["versions"].clear()
    assert values.get_or_load(1, lambda: 3) == 3


def enter_next(table: Table, rng: Random) -> None:
    """Enter another hand at a table that plays."""
    assert table.match is not None
    if not table.match.finished:
        enter_points(table.match, [rng.randrange(9), 5, 3, 1])


def random_action(night: Tournament, rng: Random) -> Callable[[], object]:
    """Return a random action at a night."""
    now = timezone.now()
    table = rng.choice(
        Table.objects.filter(
            round__tournament=night, match__isnull=False
        ).select_related("match")
    )
    entry = rng.choice(night.entries.all())
    assert table.match is not None
    actions: Sequence[Callable[[], object]] = (
        partial(enter_next, table, rng),
        partial(enter_next, table, rng),
        partial(enter_next, table, rng),
        partial(results.dispute, table_id=table.pk, now=now),
        partial(
            results.confirm_disputed_result_or_end_call,
            table_id=table.pk,
            author=CommandAuthor(),
            now=now,
        ),
        partial(results.call_director, table_id=table.pk, now=now),
        partial(results.set_void, table_id=table.pk, void=rng.random() < 0.5),
        partial(
            results.confirm_table_as_director,
            table_id=table.pk,
            author=CommandAuthor(),
            now=now,
        ),
        partial(rounds.give_five_more_minutes, table_id=table.pk),
        partial(
            rounds.apply_clock_action, round_id=table.round_id, verb="pause", now=now
        ),
        partial(
            rounds.apply_clock_action, round_id=table.round_id, verb="resume", now=now
        ),
        partial(Match.objects.filter(table=table).update, kept={"a": 2}),
        partial(Match.objects.filter(table=table).update, kept={}),
        partial(entries.set_state, entry_id=entry.pk, state=Entry.State.DROPPED),
        partial(entries.set_state, entry_id=entry.pk, state=Entry.State.PRESENT),
        partial(Entry.objects.filter(pk=entry.pk).update, name=f"New {rng.random()}"),
        partial(Place.objects.filter(entry=entry).update, late=rng.random() < 0.5),
        partial(
            announcements.announce,
            tournament_id=night.pk,
            text="Soup!",
            user=None,
            now=now,
        ),
    )
    return rng.choice(actions)


@pytest.mark.parametrize("seed", range(5))
def test_cached_desks_and_notices_equal_loaded_ones(seed: int) -> None:
    rng = Random(seed)
    night = tournament_with(16, quorum="one", minutes=60)
    tables = running_round(night).tables.order_by("number")
    play_table(tables[0], [20, 12, 5, 1])
    phone = HttpRequest()
    phone.session = own_phone(night.entries.all()[0]).session
    phone.user = AnonymousUser()
    now = timezone.now()

    def page_values() -> tuple[object, ...]:
        tournament = Tournament.objects.select_related("club").get(pk=night.pk)
        desk = read_desk(tournament, now)
        matches = competition().with_related(
            Match.objects.order_by("pk"), may_be_stale=True
        )
        notices = [match_notices(match, phone) for match in matches]
        return (
            desk.digest,
            desk.round_summary,
            [view.card_fingerprint for view in desk.tables],
            notices,
        )

    for _step in range(25):
        # Matches that are still played can be neither confirmed nor settled.
        with suppress(RefusedError):
            random_action(night, rng)()
        cached_values = page_values()
        with transaction.atomic():
            assert cached_values == page_values()
