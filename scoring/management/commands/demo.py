"""`manage.py demo`: a season to look at."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from scoring.games.demo_season import NAMES, Table, play_season
from scoring.matchlog.records import store_log
from scoring.matchlog.starting import start_match
from scoring.models import LogEntry, Match, Player
from scoring.models.matches import demo_address


class Command(BaseCommand):
    """Play a season by chance and store it."""

    help = "Stores 24 players and a season of matches of all five games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the seed, and when to store nothing."""
        parser.add_argument(
            "--if-empty", action="store_true", help="only if there is no match yet"
        )
        parser.add_argument(
            "--offer",
            action="store_true",
            help="only if there is no match yet; asks first, and never on a hosted site",
        )
        parser.add_argument("--seed", type=int, default=1, help="another season")

    def handle(self, *args: Any, **options: Any) -> None:
        """Store everything or nothing, and say how much it was."""
        if (options["if_empty"] or options["offer"]) and Match.objects.exists():
            self.stdout.write("There are matches already; no demo season is added.")
            return
        if options["offer"] and not self.is_wanted():
            self.stdout.write("No demo season. `manage.py demo` adds one at any time.")
            return
        seed = options["seed"]
        if Match.objects.filter(key=_key(Random(seed))).exists():
            self.stdout.write("This demo season is there already.")
            return
        matches = self.store(seed)
        running = sum(not match.finished for match in matches)
        self.stdout.write(
            f"Stored {len(NAMES)} players and {len(matches)} matches, "
            f"{running} of them still running."
        )
        self.stdout.write("The home page of a new phone shows one of each game.")
        if settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
            self.stdout.write(
                "Anyone can write in the demo. To remove it stop the server, delete "
                f"{settings.DATABASES['default']['NAME']} and start with script/server --no-demo."
            )

    def is_wanted(self) -> bool:
        """Return whether the person at the terminal wants a demo; without one, not on a hosted site."""
        if not sys.stdin.isatty():
            return not settings.IS_HOSTED
        self.stdout.write(
            "Load a demo season to look around in? Anyone can write in it. [y/n] ",
            ending="",
        )
        self.stdout.flush()
        answer = sys.stdin.readline()
        return answer.strip().lower() in {"y", "yes"}

    def store(self, seed: int) -> list[Match]:
        """Return the matches of the season with this seed, stored."""
        return _store_season(seed)


@transaction.atomic
def _store_season(seed: int) -> list[Match]:
    rng, keys = Random(seed), Random(seed)
    now = timezone.localtime()
    players = {name: Player.objects.create(name=name, created_at=now) for name in NAMES}
    matches = [_store(table, players, keys) for table in play_season(now, rng)]
    _show_latest(matches)
    return matches


def _show_latest(matches: Sequence[Match]) -> None:
    """Let everyone find the latest match of each game, unless an earlier demo is."""
    taken = set(Match.objects.demos().values_list("game", flat=True))
    latest = {match.game: match for match in matches if match.game not in taken}
    for match in latest.values():
        match.address = demo_address(match.game)
        match.save(update_fields=["address"])


def _store(table: Table, players: Mapping[str, Player], keys: Random) -> Match:
    match = start_match(
        key=_key(keys),
        game=table.game,
        names=table.names,
        options=table.options,
        players=players,
        now=table.started_at,
    )
    entries = [
        LogEntry(
            match=match,
            version=version,
            key=_key(keys),
            kind=written.kind,
            hand_number=written.hand,
            body=written.body,
            made_by=table.names[0],
            reason=written.reason,
            base_version=version - 1,
            made_at=written.made_at,
        )
        for version, written in enumerate(table.log, start=1)
    ]
    store_log(match, entries)
    return match


def _key(keys: Random) -> UUID:
    return UUID(int=keys.getrandbits(128), version=4)
