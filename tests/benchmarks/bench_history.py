"""Speed of a long history: leaderboards, pages, search of hands, a correction.

python -m tests.benchmarks.bench_history

Makes a club's history at a fiftieth of the size and, with BENCHMARKS=whole, at the whole size
of 2,000 players, 20 seasons, 100,000 matches and 1,000,000 hands, in PostgreSQL. One night of each
of three games is played by the site's own code; the others are copies of these by other players.
"""

import json
import os
import time
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from tests.benchmarks.extent import SHORT, WHOLE
from tests.benchmarks.machine import speed
from tests.site import Site, temporary_database
from tests.statics import cached_statics

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
"""Two sizes as shares of the whole."""
MORE_QUERIES = 4
"""Queries by which two days may differ: a page of a past day also shows later changes, if any."""
GAMES = ("tricky", "tricky_dice", "db2t")
ROUNDS, TABLES, SEATS, HANDS = 4, 10, 4, 10
TRICKS_EVERY = 5
"""One of this many matches is recorded trick by trick."""
PLAYERS, COPIES, DAYS = 2_000, 833, 3_650
REGULARS = 241
"""Players of a season, a prime number; each season has other ones."""
KEY_DISTANCE = 100_000
"""Distance of primary keys between copies."""


def play_nights() -> None:
    from scoring.games.random_match import generate_hand
    from scoring.matchlog.append import replay_match
    from tests.factories.commands import author, enter_hand
    from tests.factories.history import evening
    from tests.factories.tournaments import ClubFactory, running_round, tournament_with
    from tournaments.event import rounds

    rng, end = Random(1), evening("2026-06-28")
    club = ClubFactory.create(slug="long")
    for number, game in enumerate(GAMES):
        now = end - timedelta(days=number)
        night = tournament_with(
            TABLES * SEATS,
            club=club,
            game=game,
            options={} if game == "db2t" else {"target": 1_000_000},
            rounds_planned=ROUNDS,
            starts_at=now,
        )
        for _round in range(ROUNDS):
            round_ = running_round(night)
            for table in round_.tables.select_related("match"):
                assert table.match is not None
                tricks = not table.number % TRICKS_EVERY
                for hand in range(1, HANDS + 1):
                    state = replay_match(table.match).state
                    if state.finished:
                        break
                    enter_hand(
                        match_id=table.match.pk,
                        number=hand,
                        raw=generate_hand(state, rng, tricks=tricks),
                        author=author(now=now),
                    )
                    table.match.refresh_from_db()
            rounds.close(round_id=round_.pk, now=now, override="late")
        rounds.finish(tournament_id=night.pk, now=now)


def copy_nights(copies: int, players: int) -> None:
    """Copy all data of the nights, with other players, evenly over the years before."""
    from django.db import connection

    from scoring import models as scoring
    from tournaments import models as tournaments

    made_at = tournaments.Club.objects.get().created_at
    existing = scoring.Player.objects.count()
    first_pk = scoring.Player.objects.earliest("pk").pk
    scoring.Player.objects.bulk_create(
        scoring.Player(name=f"Player {number}", created_at=made_at)
        for number in range(max(0, players - existing))
    )
    models = (
        tournaments.Tournament,
        tournaments.Entry,
        tournaments.Round,
        scoring.Match,
        scoring.Seat,
        tournaments.Table,
        tournaments.Place,
        scoring.LogEntry,
        scoring.Hand,
        scoring.HandScore,
        scoring.Bid,
        scoring.Trick,
        scoring.Play,
    )
    player = (
        f"{first_pk} + ((o.player_id - {first_pk}) % {TABLES * SEATS} * (1 + k % {REGULARS - 1}) + k) % {REGULARS}"
        f" + ({players} - {REGULARS}) * ({copies} - k) / {copies}"
    )
    expressions = {
        "player_id": player,
        "name": f"CASE WHEN o.name ~ '^[A-Z]' THEN 'Player ' || {player} END",
        "name_key": f"'player ' || {player}",
        "key": "md5(o.key::text || k)::uuid",
        "address": "lpad(o.id || '-' || k, 22, '0')",
        "code": "translate(lpad(to_hex(k * 8 + o.id), 8, '0'), '0123456789abcdef', '23456789abcdefgh')",
    }
    for model in models:
        values = []
        for field in model._meta.concrete_fields:
            name = field.attname
            value = f'o."{name}"'
            if name in expressions and (name, model) != (
                "name",
                tournaments.Tournament,
            ):
                value = expressions[name]
            elif field.primary_key or field.related_model in models:
                value += f" + k * {KEY_DISTANCE}"
            elif field.get_internal_type() == "DateTimeField":
                value += f" - k * interval '1 day' * {DAYS} / {copies}"
            values.append((f'"{name}"', value))
        table = model._meta.db_table
        columns, selected = (", ".join(column) for column in zip(*values, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(
                f"INSERT INTO {table} ({columns}) SELECT {selected} "  # noqa: S608 - our own
                f"FROM {table} o, generate_series(1, {copies}) k"
            )
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'),"  # noqa: S608 - our own
                f" (SELECT max(id) FROM {table}))",
                [table],
            )
    with connection.cursor() as cursor:
        # PostgreSQL would do this automatically, but later.
        cursor.execute("ANALYZE")


def seconds(action: Callable[[], object]) -> float:
    started_at = time.perf_counter()
    action()
    return time.perf_counter() - started_at


def slowest_seconds(action: Callable[[], object]) -> float:
    """Return the 95th percentile of the seconds, after one run to warm up."""
    action()
    times = sorted(seconds(action) for _try in range(TRIES))
    return times[int(TRIES * 0.95) - 1]


def print_figures() -> None:
    """Print the number of hands of a history of size SCALE, the measured seconds, and the queries of pages."""
    from django.core.cache import caches
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.utils import timezone

    from scoring.models import Hand
    from tournaments.history.derivation import derive_history
    from tournaments.history.leaderboard import BoardQuery
    from tournaments.history.rank_history import compute_rank_history
    from tournaments.models import Club

    scale, now = float(os.environ["SCALE"]), timezone.now()
    copies, players = max(7, round(COPIES * scale)), max(300, round(PLAYERS * scale))
    play_nights()
    figures = {"copying it": seconds(lambda: copy_nights(copies, players))}
    club = Club.objects.get(slug="long")
    figures["deriving all of it"] = seconds(
        lambda: derive_history(club_id=club.pk, now=now)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    query = BoardQuery(club=club, season=club.seasons.latest_first()[0])
    figures["ranks of a season from day to day"] = slowest_seconds(
        lambda: compute_rank_history(query)
    )
    client, queries = Client(), {}
    for name, page in pages(club, Random(1)).items():

        def answer(page: Callable[[], str] = page) -> None:
            path = page()
            status = client.get(path).status_code
            assert status == 200, (path, status)

        figures[name] = slowest_seconds(answer)
        queries[name] = 0
        for _try in range(TRIES):
            caches["drawn"].clear()
            with CaptureQueriesContext(connection) as captured:
                answer()
            queries[name] = max(queries[name], len(captured))
    correct_old_hand(club)
    figures["correction of a hand of three years ago"] = seconds(
        lambda: derive_history(club_id=club.pk, now=now)
    )
    print(json.dumps([Hand.objects.count(), figures, queries]))


def pages(club: Any, rng: Random) -> dict[str, Callable[[], str]]:
    """Return functions that draw an address of each measured page."""
    seasons = list(club.seasons.latest_first())
    # A day before the first results would be an empty page with fewer queries.
    played = [
        (season, day)
        for season in seasons
        for day in club.results.filter(
            held_on__range=(season.starts_on, season.ends_on)
        ).dates("held_on", "day")
    ]
    players = list(club.results.order_by("?").values_list("player", flat=True)[:200])
    home = f"/clubs/{club.slug}"

    def past_leaderboard() -> str:
        season, day = rng.choice(played)
        return f"{home}/leaderboards/{season.slug}/?as_of={day.isoformat()}"

    return {
        "leaderboard, live": lambda: f"{home}/leaderboards/{seasons[0].slug}/",
        "leaderboard, as of a past day": past_leaderboard,
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


def correct_old_hand(club: Any) -> None:
    """Correct a hand so that the last player becomes first; all later results must be derived again."""
    from django.utils import timezone

    from tests.factories.commands import author, correct_hand
    from tournaments.models import Tournament

    newest = club.tournaments.order_by("-starts_at")[0].starts_at
    long_ago = newest - timedelta(days=3 * 365)
    old = club.tournaments.filter(starts_at__lte=long_ago, game="tricky")
    tournament = old.order_by("-starts_at")[0]
    table = tournament.rounds.get(number=1).tables.select_related("match")[0]
    assert table.match is not None
    last = table.match.seats.order_by("total")[0].index
    correct_hand(
        match_id=table.match.pk,
        number=HANDS,
        raw={
            "contract": {"bidder": last, "bid": 500, "trump": 20},
            "points": [500 if seat == last else 40 for seat in range(SEATS)],
        },
        author=author("Bench", now=timezone.now(), may_change_closed=True),
    )
    Tournament.objects.filter(pk=tournament.pk).update(version=2)


def main() -> None:
    results, relative_speed = [], 1.0
    for scale in SIZES:
        name = f"tricky_history_{os.getpid()}"
        with temporary_database(name):
            site = Site(name, 0, cached_statics())
            site.environment |= {"SCALE": str(scale), "ALLOWED_HOSTS": "testserver"}
            site.manage("migrate", "--verbosity", "0")
            before = speed()
            printed = site.run("print_figures", "tests.benchmarks.bench_history")
            results.append(json.loads(printed))
            relative_speed = min(1, (before + speed()) / 2)
    (few_hands, small_figures, few_queries), (many_hands, large_figures, queries) = (
        results
    )
    print(
        f"history of {many_hands:,} hands, and of {few_hands:,}; goals at {relative_speed:.2f} of the speed"
    )
    for name, seconds_taken in large_figures.items():
        goal = GOALS.get(name, 0) / relative_speed
        verdict_word = "met" if seconds_taken < goal else "MISSED"
        verdict = (
            f", goal {GOALS[name]} s, {goal:.2f} here: {verdict_word}" if goal else ""
        )
        growth = seconds_taken / small_figures[name]
        query_count = f", {queries[name]} queries" if name in queries else ""
        print(
            f"{name:42} {seconds_taken:7.3f} s (×{growth:5.1f}{query_count}){verdict}"
        )
    growing = {
        name: (few_queries[name], max_queries)
        for name, max_queries in queries.items()
        if max_queries > few_queries[name] + MORE_QUERIES
    }
    assert not growing, f"queries grow with the history: {growing}"


if __name__ == "__main__":
    main()
