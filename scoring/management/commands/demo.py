"""`manage.py demo`: a demo season."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from scoring.games.demo_season import NAMES, generate_season
from scoring.matchlog.records import store_log_and_projections
from scoring.matchlog.starting import start_match
from scoring.models import LogEntry, Match, Player, Seat
from scoring.models.log_triggers import deletable_log
from scoring.models.matches import demo_address


class Command(BaseCommand):
    """Generate a random season and store it."""

    help = "Create 24 players and a season of matches of all five games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--if-empty", action="store_true", help="only if there are no matches yet"
        )
        parser.add_argument(
            "--offer",
            action="store_true",
            help="like --if-empty, but asks first; without a terminal only on a server "
            "with private addresses",
        )
        parser.add_argument(
            "--remove", action="store_true", help="remove the demo and nothing else"
        )
        parser.add_argument("--seed", type=int, default=1, help="another season")

    def handle(self, *args: Any, **options: Any) -> None:
        """Store or remove the season in one transaction, and print the number of matches."""
        if options["remove"]:
            removed = self.remove_demo_data(options["seed"])
            self.stdout.write(f"Removed {removed} matches of the demo.")
            return
        if (options["if_empty"] or options["offer"]) and Match.objects.exists():
            self.stdout.write("No demo season added: there are already matches.")
            return
        # Without a terminal, only a server with private addresses gets the demo.
        if options["offer"] and not (
            self.ask_for_demo() if sys.stdin.isatty() else not settings.IS_HOSTED
        ):
            self.stdout.write("No demo season. Add one any time with `manage.py demo`.")
            return
        seed = options["seed"]
        if Match.objects.filter(key=_random_key(Random(seed))).exists():
            self.stdout.write("This demo season already exists.")
            return
        matches = self.store_demo_data(seed)
        running = sum(not match.finished for match in matches)
        self.stdout.write(
            f"Stored {len(NAMES)} players and {len(matches)} matches, "
            f"{running} of them still running."
        )
        self.stdout.write("The home page of a new phone shows one of each game.")
        self.stdout.write(
            "Anyone can enter scores in the demo. `manage.py demo --remove` removes only "
            "the demo."
        )

    def ask_for_demo(self) -> bool:
        self.stdout.write(
            "Load a demo season to look around? Anyone can enter scores in it. [y/n] ",
            ending="",
        )
        self.stdout.flush()
        answer = sys.stdin.readline()
        return answer.strip().lower() in {"y", "yes"}

    @transaction.atomic
    def store_demo_data(self, seed: int) -> list[Match]:
        rng, keys = Random(seed), Random(seed)
        now = timezone.localtime()
        players = {
            name: Player.objects.create(name=name, created_at=now) for name in NAMES
        }
        matches = []
        for table in generate_season(now, rng):
            match = start_match(
                key=_random_key(keys),
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
                    key=_random_key(keys),
                    kind=demo_entry.kind,
                    hand_number=demo_entry.hand,
                    body=demo_entry.body,
                    made_by=table.names[0],
                    reason=demo_entry.reason,
                    base_version=version - 1,
                    made_at=demo_entry.made_at,
                )
                for version, demo_entry in enumerate(table.log, start=1)
            ]
            store_log_and_projections(match, entries)
            matches.append(match)
        # The latest match of each game gets a public address, unless one already has it.
        used_addresses = set(
            Match.objects.latest_demos().values_list("address", flat=True)
        )
        latest = {demo_address(match.game): match for match in matches}
        for address in latest.keys() - used_addresses:
            latest[address].address = address
            latest[address].save(update_fields=["address"])
        return matches

    def remove_demo_data(self, seed: int) -> int:
        """Remove the season with this seed, and return its number of matches."""
        return delete_demo_matches_and_players(find_season_match_ids(seed))


def find_season_match_ids(seed: int) -> list[int]:
    """Return the ids of the matches of a season, found by their generated keys.

    Keys are checked 500 at a time; a match with its entries used far fewer.
    """
    keys, season = Random(seed), list[int]()
    while batch := Match.objects.filter(
        key__in=[_random_key(keys) for _draw in range(500)]
    ):
        season += batch.values_list("pk", flat=True)
    return season


def delete_demo_matches_and_players(match_ids: Sequence[int]) -> int:
    """Delete these matches, and their players with demo names and no other matches.

    Returns the number of matches.
    """
    seats = Seat.objects.filter(match__in=match_ids)
    players = set(seats.values_list("player", flat=True))
    with deletable_log(connection):
        LogEntry._base_manager.filter(match__in=match_ids)._raw_delete(connection.alias)
        Match.objects.filter(pk__in=match_ids).delete()
    for player in Player.objects.filter(pk__in=players, name__in=NAMES, seats=None):
        # A club on this server may refer to the player.
        with suppress(ProtectedError), transaction.atomic():
            player.delete()
    return len(match_ids)


def _random_key(keys: Random) -> UUID:
    return UUID(int=keys.getrandbits(128), version=4)
