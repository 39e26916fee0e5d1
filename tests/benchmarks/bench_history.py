"""How fast a long history is: leaderboards, pages, hands by their bid, a correction.

python -m tests.benchmarks.bench_history

Makes a club's history at a fiftieth of the size and, with BENCHMARKS=whole, at the whole size
of 2,000 players, 20 seasons, 100,000 matches and 1,000,000 hands, in PostgreSQL.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import gettempdir
from typing import Any
from uuid import uuid4

import psycopg

from tests.benchmarks.extent import SHORT, WHOLE
from tests.benchmarks.machine import speed

SERVER = "postgres://postgres@127.0.0.1:5432"
NAME = f"tricky_history_{os.getpid()}"
STATIC = Path(gettempdir()) / f"{NAME}-static"
TRIES = 10 if SHORT else 40
GOALS = {
    "leaderboard, live": 0.15,
    "leaderboard, as of a past day": 0.15,
    "player's page": 0.2,
    "hands by their bid": 0.2,
    "hands by their bid, a rare one of a player": 0.2,
    "correction of a hand of three years ago": 10.0,
    "ranks of a season from day to day": 0.15,
}
"""Seconds: the 95th of 100 requests, or the one run."""
SIZES = (0.1, 1.0) if WHOLE else (0.002, 0.02)
"""Two, as shares of the whole."""
BESIDES = 4
"""Queries that a page may ask more on one day than on another: of a past day it shows what
changed since, where anything did."""
Figures = dict[str, float]


@contextmanager
def database() -> Iterator[None]:
    """Give a new database for the time of the benchmark."""
    with psycopg.connect(f"{SERVER}/postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{NAME}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{NAME}"')
        try:
            yield
        finally:
            connection.execute(f'DROP DATABASE "{NAME}" WITH (FORCE)')
            rmtree(STATIC, ignore_errors=True)


def seconds(action: Callable[[], object]) -> float:
    """Return how long something takes."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def late(action: Callable[[], object]) -> float:
    """Return how long the slowest but 5 in 100 take, after one to warm up."""
    action()
    taken = sorted(seconds(action) for _try in range(TRIES))
    return taken[int(TRIES * 0.95) - 1]


def measure(scale: float) -> tuple[int, Figures, dict[str, int]]:
    """Return the hands of a history, what was measured, and the queries of pages."""
    from django.db import connection
    from django.test import Client
    from django.utils import timezone

    from tests.benchmarks.history_maker import make_history
    from tournaments.history.derivation import derive_history
    from tournaments.history.leaderboard import Asked
    from tournaments.history.rank_course import compute_rank_course
    from tournaments.models import Club

    hands = 0

    def make() -> None:
        nonlocal hands
        hands = make_history(scale)

    figures: Figures = {"making it": seconds(make)}
    club = Club.objects.get(slug="long")
    now = timezone.now()
    figures["deriving all of it"] = seconds(
        lambda: derive_history(club_id=club.pk, now=now)
    )
    with connection.cursor() as cursor:
        # As PostgreSQL does by itself, if not at once.
        cursor.execute("ANALYZE")
    last = club.seasons.latest_first()[0]
    asked = Asked(club=club, season=last)
    figures["ranks of a season from day to day"] = late(
        lambda: compute_rank_course(asked)
    )
    client, queries = Client(), {}
    for name, page in pages(club, Random(1)).items():
        figures[name] = late(partial(answer, client, page))
        queries[name] = queries_of(client, page)
    figures["correction of a hand of three years ago"] = seconds(correction(club))
    return hands, figures, queries


def pages(club: Any, rng: Random) -> dict[str, Callable[[], str]]:
    """Return what gives the addresses of the pages that are measured."""
    seasons = list(club.seasons.latest_first())
    # A day before a season's first results would be an empty page, and ask less.
    played = [
        (season, day)
        for season in seasons
        for day in club.results.filter(
            held_on__range=(season.starts_on, season.ends_on)
        ).dates("held_on", "day")
    ]
    players = list(club.results.order_by("?").values_list("player", flat=True)[:200])
    home = f"/clubs/{club.slug}"

    def past() -> str:
        season, day = rng.choice(played)
        return f"{home}/leaderboards/{season.slug}/?as_of={day.isoformat()}"

    return {
        "leaderboard, live": lambda: f"{home}/leaderboards/{seasons[0].slug}/",
        "leaderboard, as of a past day": past,
        "leaderboard of all time": lambda: f"{home}/leaderboards/all/",
        "player's page": lambda: f"{home}/players/{rng.choice(players)}/",
        "hands by their bid": lambda: (
            f"{home}/hands/?game=tricky&bid={rng.randint(120, 260)}&outcome=made"
        ),
        "hands by their bid, a rare one of a player": lambda: (
            f"{home}/hands/?game=tricky_dice&bid={rng.randint(4, 9)}"
            f"&outcome=set&bidder=Player {rng.choice(players)}"
        ),
    }


def answer(client: Any, page: Callable[[], str]) -> None:
    """Ask for a page, which has to be there."""
    path = page()
    status = client.get(path).status_code
    assert status == 200, (path, status)


def queries_of(client: Any, page: Callable[[], str]) -> int:
    """Return how many queries a page takes at most, with nothing kept from before."""
    from django.core.cache import caches
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    most = 0
    for _try in range(6):
        caches["drawn"].clear()
        with CaptureQueriesContext(connection) as queries:
            answer(client, page)
        most = max(most, len(queries))
    return most


def correction(club: Any) -> Callable[[], object]:
    """Return what corrects an old hand and derives everything after it."""
    from django.utils import timezone

    from tests.benchmarks.match_pool import HANDS, SEATS
    from tests.factories.commands import author, correct_hand
    from tournaments.history.derivation import derive_history
    from tournaments.models import Tournament

    now = timezone.now()
    newest = club.tournaments.order_by("-starts_at")[0].starts_at
    long_ago = newest - timedelta(days=3 * 365)
    old = club.tournaments.filter(starts_at__lte=long_ago, game="tricky")
    tournament = old.order_by("-starts_at")[0]
    table = tournament.rounds.get(number=1).tables.select_related("match")[0]
    assert table.match is not None
    last = table.match.seats.order_by("total")[0].index
    points = [500 if seat == last else 40 for seat in range(SEATS)]
    correct_hand(
        match_id=table.match.pk,
        key=uuid4(),
        number=HANDS,
        raw={"contract": {"bidder": last, "bid": 500, "trump": 20}, "points": points},
        author=author("Bench", now=now, may_change_closed=True),
    )
    Tournament.objects.filter(pk=tournament.pk).update(version=2)
    return lambda: derive_history(club_id=club.pk, now=now)


def main() -> None:
    """Print every figure, its goal, and how the sizes compare."""
    os.environ["DATABASE_URL"] = f"{SERVER}/{NAME}"
    os.environ["CELERY_BROKER_URL"] = "redis://127.0.0.1:6379/7"
    os.environ["STATIC_ROOT"] = str(STATIC)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    made, here = [], 1.0
    for scale in SIZES:
        with database():
            before = speed()
            made.append(_measured(scale))
            here = min(1, (before + speed()) / 2)
    (few, small, few_queries), (many, large, queries) = made
    print(
        f"history of {many:,} hands, and of {few:,}; goals at {here:.2f} of the speed"
    )
    for name, taken in large.items():
        goal = GOALS.get(name, 0) / here
        met = "met" if taken < goal else "MISSED"
        verdict = f", goal {GOALS[name]} s, {goal:.2f} here: {met}" if goal else ""
        growth = taken / small[name]
        asked = f", {queries[name]} queries" if name in queries else ""
        print(f"{name:42} {taken:7.3f} s (×{growth:5.1f}{asked}){verdict}")
    grown = {
        name: (few_queries[name], most)
        for name, most in queries.items()
        if most > few_queries[name] + BESIDES
    }
    assert not grown, f"queries grow with the history: {grown}"


def _measured(scale: float) -> tuple[int, Figures, dict[str, int]]:
    import django
    from django.conf import settings

    django.setup()
    from django.core.management import call_command
    from django.db import connections

    settings.ALLOWED_HOSTS = ["*"]
    settings.CELERY_TASK_ALWAYS_EAGER = False
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    try:
        return measure(scale)
    finally:
        for connection in connections.all():
            connection.close()
            connection.close_pool()  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
